"""Arrays of xarray that read what is asked for."""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy
from typing import Any

import numpy as np
from xarray.backends import BackendArray
from xarray.core import indexing

from ..files.global_arrays import GlobalArray
from ..format.errors import GraphCodableError
from .columns import DATE_UNITS, Column, columns_of
from .exact import exact
from .places import Place, value_of


class Lazy(BackendArray):
    """An array that `part` reads a part of, which is the caller's to change."""

    shape: tuple[int, ...]
    dtype: np.dtype[Any]

    def __getitem__(self, key: indexing.ExplicitIndexer) -> Any:
        return indexing.explicit_indexing_adapter(key, self.shape, indexing.IndexingSupport.BASIC, self.part)

    def part(self, key: tuple[Any, ...]) -> Any:
        raise NotImplementedError


class LazyColumn(Lazy):
    """A column of one archive; in entries of a series it may have been found in another one."""

    def __init__(self, place: Place, column: Column) -> None:
        self.place, self.column = place, column
        self.shape, self.dtype = column.shape, column.dtype

    def part(self, key: tuple[Any, ...]) -> Any:
        column = self.column
        value = checked_value(self.place, column)
        return exact(np.asarray(column.read(value, key, is_writable=True)), self.dtype, column.name, where(self.place))


class LazyGlobal(Lazy):
    """An array over several parts of a set, or a field of its structs."""

    def __init__(self, place: Place, array: GlobalArray, field: str | None) -> None:
        self.place, self.name, self.field = place, array.name, field
        self.names = array.dtype.names
        self.dtype, self.shape = found_in(array, field)

    @property
    def attributes(self) -> dict[str, str]:
        """The unit of dates."""
        formats, names = self.place.archive_set().arrays[self.name].formats, self.names
        its = None if formats is None else formats[0 if names is None else names.index(self.field or "")]
        return {"units": DATE_UNITS} if its is not None and its.startswith("date") else {}

    def at(self, place: Place) -> LazyGlobal:
        """That of another set, which has to have the same shape and type."""
        other = copy(self)
        other.place = place
        return other

    def part(self, key: tuple[Any, ...]) -> Any:
        array = self.place.archive_set().arrays.get(self.name)
        if array is None or (self.field is not None and self.field not in (array.dtype.names or ())):
            raise other_values(self.name, "no value", self.place, f"one of the type {self.dtype}")
        dtype, shape = found_in(array, self.field)
        if shape != self.shape:
            raise other_values(self.name, f"the shape {shape}", self.place, f"{self.shape}")
        if dtype != self.dtype:
            raise other_values(self.name, f"the type {dtype}", self.place, f"{self.dtype}")
        if self.field is None:
            return array[key]
        return array[key[: array.ndim]][self.field][(..., *key[array.ndim :])]


def found_in(array: GlobalArray, field: str | None) -> tuple[np.dtype[Any], tuple[int, ...]]:
    """The type and shape of an array over several parts, or of a field of its structs."""
    dtype, lanes = array.dtype if field is None else array.dtype[field], ()
    dtype, lanes = dtype.subdtype or (dtype, lanes)
    return dtype, (*array.shape, *lanes)


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


def where(place: Place) -> str:
    return "the archive" if place.entry is None else f"entry {place.entry}"


def other_values(name: str, what: str, place: Place, first: str) -> GraphCodableError:
    message = f"{name} has {what} in {where(place)}, and {first} in the first one, or another type: see drop_variables"
    return GraphCodableError(None, message, None, "series", "invalidValue")


def checked_value(place: Place, column: Column) -> Any:
    """What is at the path of a column; an error that names the entry where it is not of the same shape and kind."""
    try:
        value = value_of(place, column.path)
    except KeyError:
        raise other_values(column.name, "no value", place, f"one of the type {column.dtype}") from None
    found = next((each for each in columns_of(column.name, column.path, value) if each.field == column.field), None)
    if found is None:
        raise other_values(column.name, f"a {type(value).__name__}", place, f"a value of the type {column.dtype}")
    if found.shape != column.shape:
        raise other_values(column.name, f"the shape {found.shape}", place, f"{column.shape}")
    if found.units != column.units:
        raise other_values(column.name, f"the unit {found.units}", place, f"{column.units}")
    return value
