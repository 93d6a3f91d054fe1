"""`xarray.open_dataset(path, engine="graphcodable", group="state")`"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, cast

import numpy as np
import xarray
from xarray.backends import BackendArray, BackendEntrypoint
from xarray.core import indexing

from . import Series, open
from .archive import Archive
from .arrays import Array
from .columns import Column, Place, columns, entry_archive, stamp, value_of
from .errors import GraphCodableError
from .global_arrays import GlobalArray
from .sets import ArchiveSet, is_set

EXTENSIONS = (".gcodable", ".gcseries")


class LazyColumn(BackendArray):
    """A column of one archive."""

    def __init__(self, place: Place, column: Column) -> None:
        self.place, self.column = place, column
        self.shape, self.dtype = column.shape, column.dtype

    def __getitem__(self, key: indexing.ExplicitIndexer) -> Any:
        return indexing.explicit_indexing_adapter(key, self.shape, indexing.IndexingSupport.BASIC, self.part)

    def part(self, key: tuple[Any, ...]) -> Any:
        return self.column.read(value_of(self.place, self.column.path), key)


class LazySteps(BackendArray):
    """A column of all entries of a series, which are the first dimension."""

    def __init__(self, places: Sequence[Place], column: Column) -> None:
        self.places, self.column = places, column
        self.shape, self.dtype = (len(places), *column.shape), column.dtype

    def __getitem__(self, key: indexing.ExplicitIndexer) -> Any:
        return indexing.explicit_indexing_adapter(key, self.shape, indexing.IndexingSupport.BASIC, self.part)

    def part(self, key: tuple[Any, ...]) -> Any:
        first, *rest = key
        if isinstance(first, slice):
            parts = [self.step(number, tuple(rest)) for number in range(*first.indices(len(self.places)))]
            empty = np.empty((0, *self.column.shape), self.dtype)
            return np.stack(parts) if parts else empty[(slice(None), *rest)]
        return self.step(int(first), tuple(rest))

    def step(self, number: int, key: tuple[Any, ...]) -> Any:
        place, column = self.places[number], self.column
        value = value_of(place, column.path)
        shape = value.shape[:1] if isinstance(value, Array) else np.shape(value)
        if shape != column.shape[: len(shape)]:
            message = f"{column.path} has the shape {shape} in entry {place.entry}, and {column.shape} in the first one"
            raise GraphCodableError(None, message, None, "series")
        return column.read(value, key)


class LazyGlobal(BackendArray):
    """An array over several parts of a set, or a field of its structs."""

    def __init__(self, place: Place, array: GlobalArray, field: str | None) -> None:
        self.place, self.name, self.field = place, array.name, field
        dtype, lanes = array.dtype, ()
        if field is not None:
            dtype = array.dtype[field]
            dtype, lanes = dtype.subdtype or (dtype, ())
        self.shape, self.dtype = (*array.shape, *lanes), dtype

    def __getitem__(self, key: indexing.ExplicitIndexer) -> Any:
        return indexing.explicit_indexing_adapter(key, self.shape, indexing.IndexingSupport.BASIC, self.part)

    def part(self, key: tuple[Any, ...]) -> Any:
        found = self.place.found()
        assert isinstance(found, ArchiveSet)
        array = found.array(self.name)
        if self.field is None:
            return array[key]
        return array[key[: array.ndim]][self.field][(..., *key[array.ndim :])]


class GraphCodableEntrypoint(BackendEntrypoint):
    """Opens archives, series and sets of GraphCodable: `group` is the path of the record whose arrays are the variables.

    Variables are read when they are used, and their preferred chunks are the blocks of the file. Arrays of one length share a dimension,
    `dim_1000`, unless `dims` names them: `dims={"positions": ("particle", "axis")}`; lanes are `lane_3`. Entries of a series are
    the dimension `step`, with the coordinates `step` and `time`; `entry` chooses a single one by its place. The variables of a set are its
    arrays over several parts.
    """

    description = "archives and series of GraphCodable"
    url = "https://github.com/GraphCodable"
    open_dataset_parameters = ("filename_or_obj", "drop_variables", "group", "entry", "dims", "storage_options")

    def open_dataset(
        self,
        filename_or_obj: Any,
        *,
        drop_variables: str | Iterable[str] | None = None,
        group: str = "",
        entry: int | None = None,
        dims: Mapping[str, Sequence[str]] | None = None,
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
        if isinstance(file, Archive):
            place = Place(name, None, options, stamp(file), given)
            return dataset(archive_variables(place, file, group, named, dropped), {}, file.metadata)
        if isinstance(file, ArchiveSet):
            if group or entry is not None:
                raise ValueError("a set has neither groups nor entries")
            return set_dataset(file, Place(name, None, options, stamp(file), given), named, dropped)
        return series_dataset(file, name, options, given, entry, group, named, dropped)

    def guess_can_open(self, filename_or_obj: Any) -> bool:
        if not isinstance(filename_or_obj, (str, os.PathLike)):
            return False
        return os.fspath(filename_or_obj).endswith(EXTENSIONS) or os.path.isdir(filename_or_obj) and is_set(filename_or_obj)


def series_dataset(
    series: Series, name: str, options: dict[str, Any], given: Any, entry: int | None, group: str,
    dims: Mapping[str, Sequence[str]], dropped: set[str],
) -> xarray.Dataset:  # fmt: skip
    places = [Place(name, number, options, stamp(series), given) for number in range(len(series))]
    if entry is not None:
        place = places[entry]
        its = series[entry]
        archive = entry_archive(series, place.entry or 0)
        return dataset(archive_variables(place, archive, group, dims, dropped), {"step": its.step, "time": its.time}, its.metadata)
    found: dict[str, xarray.Variable] = {}
    if len(series):
        for column in columns(entry_archive(series, 0), group):
            if column.name in dropped or column.name in ("step", "time"):
                continue
            if column.dtype.kind == "U":
                values = np.array([value_of(place, column.path) for place in places])
                found[column.name] = xarray.Variable(("step",), values)
            else:
                found[column.name] = variable(LazySteps(places, column), column, ("step", *dimensions(column, dims)))
    steps = np.array([each.step for each in series], np.int64)
    times = np.array([each.time for each in series], np.float64)
    return dataset(found, {"step": ("step", steps), "time": ("step", times)}, {})


def set_dataset(
    archives: ArchiveSet, place: Place, dims: Mapping[str, Sequence[str]], dropped: set[str]
) -> xarray.Dataset:
    found: dict[str, xarray.Variable] = {}
    for name, array in archives.arrays.items():
        for field in array.dtype.names or (None,):
            lazy, key = LazyGlobal(place, array, field), name if field is None else f"{name}.{field}"
            if key in dropped or lazy.dtype.kind == "V":
                continue
            names = names_of(key, lazy.shape, dims)
            chunks = dict(zip(names, (*array.chunk, *lazy.shape[len(array.chunk) :])))
            found[key] = xarray.Variable(names, cast(Any, indexing.LazilyIndexedArray(lazy)), {}, {"preferred_chunks": chunks})
    return dataset(found, {"step": archives.step, "time": archives.time}, archives.metadata)


def archive_variables(
    place: Place, archive: Archive, group: str, dims: Mapping[str, Sequence[str]], dropped: set[str]
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


def dimensions(column: Column, dims: Mapping[str, Sequence[str]]) -> tuple[str, ...]:
    return names_of(column.name, column.shape, dims)


def names_of(name: str, shape: tuple[int, ...], dims: Mapping[str, Sequence[str]]) -> tuple[str, ...]:
    given = dims.get(name)
    if given is not None:
        if len(given) != len(shape):
            raise ValueError(f"{name} has {len(shape)} dimensions, not {len(given)}")
        return tuple(given)
    return tuple(f"{'lane' if axis else 'dim'}_{length}" for axis, length in enumerate(shape))


def variable(lazy: Any, column: Column, names: tuple[str, ...]) -> xarray.Variable:
    data = indexing.LazilyIndexedArray(lazy)
    chunks = dict(zip(names, lazy.shape))
    if len(lazy.shape) > len(column.shape):
        chunks[names[0]] = 1
    if column.per_block:
        chunks[names[-len(column.shape)]] = min(column.per_block, column.shape[0])
    attributes = {"units": column.units} if column.units else {}
    return xarray.Variable(names, cast(Any, data), attributes, {"preferred_chunks": chunks})


def dataset(variables: Mapping[str, Any], coordinates: Mapping[str, Any], attributes: Mapping[str, str]) -> xarray.Dataset:
    return xarray.Dataset(dict(variables), dict(coordinates), dict(attributes))
