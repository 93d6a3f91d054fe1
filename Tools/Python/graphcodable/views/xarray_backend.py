"""`xarray.open_dataset(path, engine="graphcodable", group="state")`"""

from __future__ import annotations

import operator
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, cast

import numpy as np
import xarray
from xarray.backends import BackendEntrypoint
from xarray.core import indexing

from ..files.addresses import is_address
from ..files.folders import NAME as ENTRY_NAME
from ..files.messages import Messages
from ..files.opening import open, stamp
from ..files.series import Series
from ..files.set_series import NAME as SET_NAME
from ..files.set_series import SetSeries
from ..files.sets import ArchiveSet, is_set
from ..format.attributes import COORDINATES
from ..format.errors import GraphCodableError
from ..graph.archive import Archive
from .columns import Column, columns, dimension_names
from .dates import decoded
from .exact import common_type
from .lazy import Lazy, LazyColumn, LazyGlobal, LazySteps, checked_value
from .places import Handle, OpenFile, Place, whole_name

Dimensions = Mapping[str, str | Sequence[str]]
EXTENSIONS = (".gcodable", ".gcseries")


class GraphCodableEntrypoint(BackendEntrypoint):
    """Opens archives, series and sets of GraphCodable: `group` is the path of the record whose arrays are the variables.

    Variables are read when they are used, and their preferred chunks are the blocks of the file. Arrays of one length share a
    dimension, `dim_1000`, unless `dims` names them: `dims={"positions": ("particle", "axis")}`; lanes are `lane_3`. Dates are
    `datetime64` unless `decode_times` is false.

    Entries of a series are the dimension `step`, with the coordinates `step` and `time`; `entry` chooses a single one by its place.
    A variable has the type that the values of all entries of a file or folder fit in without change; a value that does not is an
    error that names the entry when it is read. Variables with the names of the coordinates are `record.step` and `record.time`.

    The variables of a set are its arrays over several parts, or with `part`, which is a number, those of the archive of that part.
    """

    description = "archives and series of GraphCodable"
    url = "https://github.com/GraphCodable"
    open_dataset_parameters = (
        "filename_or_obj", "mask_and_scale", "decode_times", "concat_characters", "decode_coords", "drop_variables", "use_cftime",
        "decode_timedelta", "group", "entry", "part", "dims", "storage_options",
    )  # fmt: skip

    def open_dataset(
        self,
        filename_or_obj: Any,
        *,
        mask_and_scale: Any = True,
        decode_times: Any = True,
        concat_characters: Any = True,
        decode_coords: Any = True,
        drop_variables: str | Iterable[str] | None = None,
        use_cftime: Any = None,
        decode_timedelta: Any = None,
        group: str = "",
        entry: int | None = None,
        part: int | None = None,
        dims: Dimensions | None = None,
        storage_options: Mapping[str, Any] | None = None,
    ) -> xarray.Dataset:
        dropped = {drop_variables} if isinstance(drop_variables, str) else set(drop_variables or ())
        name: str | None = None
        options: dict[str, Any] = {}
        if isinstance(filename_or_obj, (str, os.PathLike)):
            name, options = whole_name(os.fspath(filename_or_obj)), dict(storage_options or {})
            file = open(name, storage_options=storage_options)
        else:
            file = open(filename_or_obj)
        if isinstance(file, Messages):
            raise ValueError("a stream of messages is no dataset: read its messages with graphcodable.open")
        if isinstance(file, (Archive, ArchiveSet)) and entry is not None:
            raise ValueError(f"{'a set' if isinstance(file, ArchiveSet) else 'an archive'} has no entries")
        if not isinstance(file, (ArchiveSet, SetSeries)) and part is not None:
            raise ValueError("only sets have parts")
        if isinstance(file, (ArchiveSet, SetSeries)) and part is None and group:
            raise ValueError("a set has groups in its parts alone: see part")
        handle = Handle(OpenFile(file))
        place = Place(name, None, options, stamp(file), handle, part)
        if isinstance(file, (Series, SetSeries)):
            data = series_dataset(file, place, entry, group, dims or {}, dropped)
        else:
            about = {"step": file.step, "time": file.time} if isinstance(file, ArchiveSet) else {}
            its = {} if is_over_parts(place) else dict(place.archive().attributes(group).attrs)
            data = dataset(variables_at(place, group, dims or {}, dropped), about, {**file.metadata, **its})
        data = decoded(data, decode_times, use_cftime)
        if name is not None:
            data.set_close(handle.close)
        return data

    def guess_can_open(self, filename_or_obj: Any) -> bool:
        if not isinstance(filename_or_obj, (str, os.PathLike)):
            return False
        name = os.fspath(filename_or_obj)
        if name.endswith(EXTENSIONS):
            return True
        path = whole_name(name)
        if is_address(name) or not os.path.isdir(path):
            return False
        return is_set(path) or any(SET_NAME.fullmatch(name) or ENTRY_NAME.fullmatch(name) for name in os.listdir(path))


def series_dataset(
    series: Series | SetSeries, place: Place, entry: int | None, group: str, dims: Dimensions, dropped: set[str]
) -> xarray.Dataset:
    places = [replace(place, entry=number) for number in range(len(series))]
    if entry is not None:
        check_entry(series, entry)
        its = series[entry]
        return dataset(variables_at(places[entry], group, dims, dropped), {"step": its.step, "time": its.time}, its.metadata)
    found = variables_of_steps(places, group, dims, dropped) if places else {}
    steps = np.array([each.step for each in series], np.int64)
    times = np.array([each.time for each in series], np.float64)
    return dataset(found, {"step": ("step", steps), "time": ("step", times)}, {})


def check_entry(series: Series | SetSeries, entry: object) -> None:
    """Raises an error where there is no such place."""
    try:
        place = operator.index(entry)  # type: ignore[arg-type]
    except TypeError:
        raise ValueError(f"entry is {entry!r}, and has to be the place of an entry") from None
    if not -len(series) <= place < len(series):
        raise ValueError(f"there is no entry {place}: the series has {series.count_text}")


def variables_at(place: Place, group: str, dims: Dimensions, dropped: set[str]) -> dict[str, xarray.Variable]:
    if not is_over_parts(place):
        return archive_variables(place, place.archive(), group, dims, dropped)
    return {
        key: lazy_variable(lazy, names_of(key, lazy.shape, dims), chunks, lazy.attributes)
        for key, lazy, chunks in global_columns(place, dropped)
    }


def variables_of_steps(
    places: Sequence[Place], group: str, dims: Dimensions, dropped: set[str]
) -> dict[str, xarray.Variable]:
    first = places[0]
    if is_over_parts(first):
        return {
            key: lazy_variable(
                LazySteps([lazy.at(place) for place in places]), ("step", *names_of(key, lazy.shape, dims)), (1, *chunks),
                lazy.attributes,
            )  # fmt: skip
            for key, lazy, chunks in global_columns(first, dropped)
        }
    found = {}
    lengths = {"step": -1}
    for column in fitting(places, group, [each for each in columns(first.archive(), group) if each.name not in dropped]):
        if column.dtype.kind == "U":
            found[column.name] = xarray.Variable(("step",), texts(places, column))
        else:
            lazy = LazySteps([LazyColumn(place, column) for place in places])
            found[column.name] = variable(lazy, column, ("step", *column_names(column, dims, lengths)))
    return found


def fitting(places: Sequence[Place], group: str, first: Sequence[Column]) -> list[Column]:
    """The columns of the first entry, with types that the values of all entries have room in, where that is one.

    Entries in stores are not asked for, since each takes requests.
    """
    types = {column.name: [column.dtype] for column in first}
    file = places[0].file
    for place in () if file is not None and is_address(file) else places[1:]:
        try:
            for column in columns(place.archive(), group):
                types.get(column.name, []).append(column.dtype)
        except (GraphCodableError, KeyError, OSError):
            continue  # Which is an error when something of the entry is read.
    return [replace(column, dtype=common_type(types[column.name]) or column.dtype) for column in first]


def texts(places: Sequence[Place], column: Column) -> np.ndarray[Any, Any]:
    values = [checked_value(place, column) for place in places]
    for place, value in zip(places, values):
        if not isinstance(value, str):
            message = f"{column.name} is a text in the first entry, and not in entry {place.entry}: see drop_variables"
            raise GraphCodableError(None, message, None, "series", "invalidValue")
    return np.array(values)


def is_over_parts(place: Place) -> bool:
    """Whether the variables are arrays over all parts of a set."""
    return place.part is None and isinstance(place.opened().file, (ArchiveSet, SetSeries))


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
    lengths: dict[str, int] = {}
    for column in columns(archive, group):
        if column.name in dropped:
            continue
        names = column_names(column, dims, lengths)
        if column.per_block:
            found[column.name] = variable(LazyColumn(place, column), column, names)
        else:
            values = column.read(archive.at(column.path), is_writable=True)
            found[column.name] = xarray.Variable(names, values, column.attributes)
    return found


def column_names(column: Column, dims: Dimensions, lengths: dict[str, int]) -> tuple[str, ...]:
    """The names of a column's dimensions: those that are asked for, or that it was written with."""
    if column.name in dims:
        return names_of(column.name, column.shape, dims)
    return tuple(column.names(lengths))


def names_of(name: str, shape: tuple[int, ...], dims: Dimensions) -> tuple[str, ...]:
    given = dims.get(name)
    if given is None:
        return tuple(dimension_names(shape))
    given = (given,) if isinstance(given, str) else given
    if len(given) != len(shape):
        raise ValueError(f"dims: {name} has {len(shape)} dimensions, not {len(given)}")
    if len(set(given)) != len(given):
        raise ValueError(f"dims: {name} has two dimensions of one name, {tuple(given)}")
    return tuple(given)


def variable(lazy: Lazy, column: Column, names: tuple[str, ...]) -> xarray.Variable:
    chunks = list(lazy.shape)
    if len(lazy.shape) > len(column.shape):
        chunks[0] = 1
    if column.per_block:
        chunks[-len(column.shape)] = min(column.per_block, column.shape[0])
    return lazy_variable(lazy, names, chunks, column.attributes)


def lazy_variable(
    lazy: Lazy, names: tuple[str, ...], chunks: Sequence[int], attributes: Mapping[str, Any] = {}
) -> xarray.Variable:
    data = cast(Any, indexing.LazilyIndexedArray(lazy))
    return xarray.Variable(names, data, dict(attributes), {"preferred_chunks": dict(zip(names, chunks))})


def dataset(variables: Mapping[str, Any], coordinates: Mapping[str, Any], attributes: Mapping[str, Any]) -> xarray.Dataset:
    """A dataset; a variable that is called like a coordinate gets another name, and so does a number like a dimension."""
    dims = {dim for each in variables.values() for dim in each.dims}
    coordinates = {f"entry.{name}" if name in dims and not isinstance(its, tuple) else name: its for name, its in coordinates.items()}
    named = {f"record.{name}" if name in coordinates else name: each for name, each in variables.items()}
    others = str(attributes.get(COORDINATES, "")).split()
    attributes = {name: value for name, value in attributes.items() if name != COORDINATES or not set(others) <= set(named)}
    result = xarray.Dataset(named, dict(coordinates), attributes)
    return result if COORDINATES in attributes else result.set_coords(others)
