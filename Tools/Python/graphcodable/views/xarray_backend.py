"""`xarray.open_dataset(path, engine="graphcodable", group="state")`"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from copy import copy
from dataclasses import replace
from typing import Any, cast

import numpy as np
import xarray
from xarray.backends import BackendArray, BackendEntrypoint
from xarray.core import indexing

from ..files.opening import open
from ..files.series import Series
from ..graph.archive import Archive
from ..graph.arrays import Array
from .columns import Column, columns
from .places import Place, stamp, value_of
from ..format.errors import GraphCodableError
from ..files.folders import NAME as ENTRY_NAME
from ..files.global_arrays import GlobalArray
from ..files.set_series import NAME as SET_NAME
from ..files.set_series import SetSeries
from ..files.sets import ArchiveSet, is_set

Dimensions = Mapping[str, Sequence[str]]
EXTENSIONS = (".gcodable", ".gcseries")


class Lazy(BackendArray):
    """An array that `part` reads a part of."""

    shape: tuple[int, ...]
    dtype: np.dtype[Any]

    def __getitem__(self, key: indexing.ExplicitIndexer) -> Any:
        return indexing.explicit_indexing_adapter(key, self.shape, indexing.IndexingSupport.BASIC, self.part)

    def part(self, key: tuple[Any, ...]) -> Any:
        raise NotImplementedError


class LazyColumn(Lazy):
    """A column of one archive."""

    def __init__(self, place: Place, column: Column) -> None:
        self.place, self.column = place, column
        self.shape, self.dtype = column.shape, column.dtype

    def part(self, key: tuple[Any, ...]) -> Any:
        column = self.column
        value = value_of(self.place, column.path)
        shape = value.shape[:1] if isinstance(value, Array) else np.shape(value)
        if shape != column.shape[: len(shape)]:
            raise other_shape(column.path, shape, self.place, column.shape)
        return column.read(value, key)


class LazyGlobal(Lazy):
    """An array over several parts of a set, or a field of its structs."""

    def __init__(self, place: Place, array: GlobalArray, field: str | None) -> None:
        self.place, self.name, self.field = place, array.name, field
        self.whole = array.dtype, array.shape
        dtype, lanes = array.dtype, ()
        if field is not None:
            dtype = array.dtype[field]
            dtype, lanes = dtype.subdtype or (dtype, ())
        self.shape, self.dtype = (*array.shape, *lanes), dtype

    def at(self, place: Place) -> LazyGlobal:
        """That of another set, which has to have the same shape."""
        other = copy(self)
        other.place = place
        return other

    def part(self, key: tuple[Any, ...]) -> Any:
        array = self.place.archive_set().arrays.get(self.name)
        if array is None or (array.dtype, array.shape) != self.whole:
            raise other_shape(self.name, array and array.shape, self.place, self.whole[1])
        if self.field is None:
            return array[key]
        return array[key[: array.ndim]][self.field][(..., *key[array.ndim :])]


class LazySteps(Lazy):
    """The same of all entries of a series, which are the first dimension."""

    def __init__(self, steps: Sequence[Lazy]) -> None:
        self.steps = steps
        self.shape, self.dtype = (len(steps), *steps[0].shape), steps[0].dtype

    def part(self, key: tuple[Any, ...]) -> Any:
        first, *rest = key
        if isinstance(first, slice):
            parts = [step.part(tuple(rest)) for step in self.steps[first]]
            empty = np.empty((0, *self.shape[1:]), self.dtype)
            return np.stack(parts) if parts else empty[(slice(None), *rest)]
        return self.steps[int(first)].part(tuple(rest))


def other_shape(name: str, shape: Any, place: Place, first: tuple[int, ...]) -> GraphCodableError:
    message = f"{name} has the shape {shape} in entry {place.entry}, and {first} in the first one, or another type"
    return GraphCodableError(None, message, None, "series")


class GraphCodableEntrypoint(BackendEntrypoint):
    """Opens archives, series and sets of GraphCodable: `group` is the path of the record whose arrays are the variables.

    Variables are read when they are used, and their preferred chunks are the blocks of the file. Arrays of one length share a dimension,
    `dim_1000`, unless `dims` names them: `dims={"positions": ("particle", "axis")}`; lanes are `lane_3`. Entries of a series are
    the dimension `step`, with the coordinates `step` and `time`; `entry` chooses a single one by its place. The variables of a set are its
    arrays over several parts, or with `part`, which is a number, those of the archive of that part.
    """

    description = "archives and series of GraphCodable"
    url = "https://github.com/GraphCodable"
    open_dataset_parameters = ("filename_or_obj", "drop_variables", "group", "entry", "part", "dims", "storage_options")

    def open_dataset(
        self,
        filename_or_obj: Any,
        *,
        drop_variables: str | Iterable[str] | None = None,
        group: str = "",
        entry: int | None = None,
        part: int | None = None,
        dims: Dimensions | None = None,
        storage_options: Mapping[str, Any] | None = None,
    ) -> xarray.Dataset:
        dropped = {drop_variables} if isinstance(drop_variables, str) else set(drop_variables or ())
        if isinstance(filename_or_obj, (str, os.PathLike)):
            name, options = os.fspath(filename_or_obj), dict(storage_options or {})
            file = open(name, storage_options=storage_options)
            given = file
        else:
            name, options, file = "bytes", {}, open(filename_or_obj)
            given = file
        named = dims or {}
        if isinstance(file, ArchiveSet) and entry is not None:
            raise ValueError("a set has no entries")
        if not isinstance(file, (ArchiveSet, SetSeries)) and part is not None:
            raise ValueError("only sets have parts")
        if isinstance(file, (ArchiveSet, SetSeries)) and part is None and group:
            raise ValueError("a set has groups in its parts alone: see part")
        place = Place(name, None, options, stamp(file), given, part)
        if isinstance(file, (Series, SetSeries)):
            return series_dataset(file, place, entry, group, named, dropped)
        about = {"step": file.step, "time": file.time} if isinstance(file, ArchiveSet) else {}
        return dataset(variables_at(place, group, named, {*dropped, *about}), about, file.metadata)

    def guess_can_open(self, filename_or_obj: Any) -> bool:
        if not isinstance(filename_or_obj, (str, os.PathLike)):
            return False
        if os.fspath(filename_or_obj).endswith(EXTENSIONS):
            return True
        if not os.path.isdir(filename_or_obj):
            return False
        names = os.listdir(filename_or_obj)
        return is_set(filename_or_obj) or any(SET_NAME.fullmatch(name) or ENTRY_NAME.fullmatch(name) for name in names)


def series_dataset(
    series: Series | SetSeries, place: Place, entry: int | None, group: str, dims: Dimensions, dropped: set[str]
) -> xarray.Dataset:
    dropped = {*dropped, "step", "time"}
    places = [replace(place, entry=number) for number in range(len(series))]
    if entry is not None:
        its = series[entry]
        found = variables_at(places[entry], group, dims, dropped)
        return dataset(found, {"step": its.step, "time": its.time}, its.metadata)
    found = variables_of_steps(places, group, dims, dropped) if places else {}
    steps = np.array([each.step for each in series], np.int64)
    times = np.array([each.time for each in series], np.float64)
    return dataset(found, {"step": ("step", steps), "time": ("step", times)}, {})


def variables_at(place: Place, group: str, dims: Dimensions, dropped: set[str]) -> dict[str, xarray.Variable]:
    if not is_over_parts(place):
        return archive_variables(place, place.archive(), group, dims, dropped)
    return {
        key: lazy_variable(lazy, names_of(key, lazy.shape, dims), chunks)
        for key, lazy, chunks in global_columns(place, dropped)
    }


def variables_of_steps(
    places: Sequence[Place], group: str, dims: Dimensions, dropped: set[str]
) -> dict[str, xarray.Variable]:
    first = places[0]
    if is_over_parts(first):
        return {
            key: lazy_variable(
                LazySteps([lazy.at(place) for place in places]), ("step", *names_of(key, lazy.shape, dims)), (1, *chunks)
            )
            for key, lazy, chunks in global_columns(first, dropped)
        }
    found = {}
    for column in columns(first.archive(), group):
        if column.name in dropped:
            continue
        if column.dtype.kind == "U":
            values = np.array([value_of(place, column.path) for place in places])
            found[column.name] = xarray.Variable(("step",), values)
        else:
            lazy = LazySteps([LazyColumn(place, column) for place in places])
            found[column.name] = variable(lazy, column, ("step", *dimensions(column, dims)))
    return found


def is_over_parts(place: Place) -> bool:
    """Whether the variables are arrays over all parts of a set."""
    return place.part is None and isinstance(place.found(), (ArchiveSet, SetSeries))


def global_columns(place: Place, dropped: set[str]) -> Iterator[tuple[str, LazyGlobal, tuple[int, ...]]]:
    """Arrays over several parts and fields of their structs, with the lengths of pieces."""
    for name, array in place.archive_set().arrays.items():
        for field in array.dtype.names or (None,):
            lazy, key = LazyGlobal(place, array, field), name if field is None else f"{name}.{field}"
            if key not in dropped and lazy.dtype.kind != "V":
                yield key, lazy, (*array.chunk, *lazy.shape[len(array.chunk) :])


def archive_variables(
    place: Place, archive: Archive, group: str, dims: Dimensions, dropped: set[str]
) -> dict[str, xarray.Variable]:
    found = {}
    for column in columns(archive, group):
        if column.name in dropped:
            continue
        names = dimensions(column, dims)
        if column.per_block:
            found[column.name] = variable(LazyColumn(place, column), column, names)
        else:
            attributes = {"units": column.units} if column.units else {}
            found[column.name] = xarray.Variable(names, column.read(archive.at(column.path)), attributes)
    return found


def dimensions(column: Column, dims: Dimensions) -> tuple[str, ...]:
    return names_of(column.name, column.shape, dims)


def names_of(name: str, shape: tuple[int, ...], dims: Dimensions) -> tuple[str, ...]:
    given = dims.get(name)
    if given is not None:
        if len(given) != len(shape):
            raise ValueError(f"{name} has {len(shape)} dimensions, not {len(given)}")
        return tuple(given)
    return tuple(f"{'lane' if axis else 'dim'}_{length}" for axis, length in enumerate(shape))


def variable(lazy: Lazy, column: Column, names: tuple[str, ...]) -> xarray.Variable:
    chunks = list(lazy.shape)
    if len(lazy.shape) > len(column.shape):
        chunks[0] = 1
    if column.per_block:
        chunks[-len(column.shape)] = min(column.per_block, column.shape[0])
    return lazy_variable(lazy, names, chunks, {"units": column.units} if column.units else {})


def lazy_variable(
    lazy: Lazy, names: tuple[str, ...], chunks: Sequence[int], attributes: Mapping[str, str] = {}
) -> xarray.Variable:
    data = cast(Any, indexing.LazilyIndexedArray(lazy))
    return xarray.Variable(names, data, dict(attributes), {"preferred_chunks": dict(zip(names, chunks))})


def dataset(variables: Mapping[str, Any], coordinates: Mapping[str, Any], attributes: Mapping[str, str]) -> xarray.Dataset:
    return xarray.Dataset(dict(variables), dict(coordinates), dict(attributes))
