"""The arrays and numbers of one record as columns: what xarray and Zarr take for variables."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ..format.attributes import NONE, Attributes
from ..format.kinds import PackedFormat, packed_format
from ..graph.archive import Archive
from ..graph.arrays import Array
from ..graph.fixed import Date, Duration
from ..graph.paths import step_text
from ..graph.values import Dictionary, Record, attributes_of

DATE_UNITS = "seconds since 2001-01-01"


@dataclass(frozen=True)
class Column:
    """An array, a field of an array of structs, or a single value. `path` leads to it."""

    name: str
    path: str
    field: str | None
    dtype: np.dtype[Any]
    shape: tuple[int, ...]
    per_block: int  # Elements (or rows) of a block; 0 where the array is in no segment.
    units: str | None = None
    said: Attributes = NONE

    @property
    def attributes(self) -> dict[str, Any]:
        """What was said of the array, and units of dates."""
        return {**self.said.attrs, **({"units": self.units} if self.units else {})}

    def names(self, lengths: dict[str, int]) -> list[str]:
        """The names of its dimensions: those that it was written with, where they fit it and the `lengths` of those before."""
        given = self.said.dims
        fits = len(given) == len(self.shape) == len(set(given)) and all(
            name and lengths.get(name, length) == length for name, length in zip(given, self.shape)
        )
        names = list(given) if fits and given else dimension_names(self.shape)
        lengths.update(zip(names, self.shape))
        return names

    def read(self, value: Any, key: Any = (), is_writable: bool = False) -> Any:
        """What is at the column's path, or a part of it; its type is that of the value, which may be another archive's."""
        if not isinstance(value, Array):
            return single(value)[key]
        its = value.writable if is_writable else value.__getitem__
        if self.field is None:
            return its(key if key != () else slice(None))
        first, rest = (key[0], key[1:]) if isinstance(key, tuple) and key else (slice(None) if key == () else key, ())
        part = its(first)[self.field]
        return part[(Ellipsis, *rest)] if isinstance(first, (int, np.integer)) else part[(slice(None), *rest)]


def columns(archive: Archive, group: str) -> list[Column]:
    """The columns of the record (or dictionary) at a path. What NumPy has no plain type for is left out."""
    value = archive.at(group)
    found: list[Column] = []
    for key, part in value.items() if isinstance(value, (Record, Dictionary)) else [("values", value)]:
        if not isinstance(key, str):
            continue
        path = (group + step_text(key)).removeprefix(".") if isinstance(value, (Record, Dictionary)) else group
        said = attributes_of(part, value, key)
        found += [replace(column, said=said) if column.field is None else column for column in columns_of(key, path, part)]
    return found


def columns_of(name: str, path: str, value: Any) -> list[Column]:
    """The columns of one value: none, one, or one for each field of structs."""
    return array_columns(name, path, value) if isinstance(value, Array) else single_columns(name, path, value)


def units_of(form: PackedFormat | None) -> str | None:
    return DATE_UNITS if form is not None and form.scalar_name == "date" else None


def array_columns(name: str, path: str, array: Array) -> list[Column]:
    segment = array.stored_segment
    per_block = 0
    if segment is not None:
        per_block = max(segment.block_size // (segment.element_size * array.elements_per_row), 1)
    units = units_of(array.format)
    if array.dtype.fields is None:
        if array.dtype.kind == "V":
            return []
        return [Column(name, path, None, array.dtype, array.shape, per_block, units)]
    if array.layout is None:
        return []  # Integers of 128 bits.
    result = []
    for (key, (dtype, *_)), number in zip(array.dtype.fields.items(), array.layout.formats):
        base, lanes = dtype.subdtype or (dtype, ())
        if base.kind != "V":
            result.append(Column(f"{name}.{key}", path, key, base, (*array.shape, *lanes), per_block, units_of(packed_format(number))))
    return result


def single_columns(name: str, path: str, value: Any) -> list[Column]:
    units = DATE_UNITS if isinstance(value, Date) else None
    if isinstance(value, bool) or isinstance(value, (float, np.generic, str)):
        array = np.asarray(value)
        return [Column(name, path, None, array.dtype, (), 0, units)]
    if isinstance(value, Duration):
        exact = single(value)
        return [Column(name, path, None, exact.dtype, (), 0)] if exact.dtype.kind == "m" else []
    if isinstance(value, int) and -(1 << 63) <= value < 1 << 64:
        return [Column(name, path, None, np.dtype("<i8" if value < 1 << 63 else "<u8"), (), 0)]
    if isinstance(value, np.ndarray) and value.dtype.kind != "V":
        return [Column(name, path, None, value.dtype, value.shape, 0)]
    return []


def single(value: Any) -> np.ndarray[Any, Any]:
    """A single value as NumPy has it; durations in nanoseconds if these are exact, and otherwise as an object."""
    if not isinstance(value, Duration):
        found = np.array(value)
        # Of integers from 2^63 on NumPy makes its other type of 64 bits, which Zarr does not know.
        return found.view("u8") if found.dtype.kind == "u" and found.dtype.itemsize == 8 else found
    nanoseconds, rest = divmod(value, 10**9)
    if rest or not -(1 << 63) < nanoseconds < 1 << 63:
        return np.array(value, object)
    return np.array(nanoseconds, "m8[ns]")


def dimension_names(shape: Sequence[int]) -> list[str]:
    """A name for each dimension, of its length; a second one of that length gets a number behind."""
    names: list[str] = []
    for axis, length in enumerate(shape):
        name = f"{'lane' if axis else 'dim'}_{length}"
        count = sum(each == name or each.startswith(f"{name}_") for each in names)
        names.append(f"{name}_{count + 1}" if count else name)
    return names
