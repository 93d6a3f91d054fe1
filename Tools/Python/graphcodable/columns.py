"""The arrays and numbers of one record as columns: what xarray and Zarr take for variables."""

from __future__ import annotations

import json
import threading
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

import numpy as np

from .archive import Archive
from .arrays import Array
from .errors import GraphCodableError
from .fixed import Date
from .paths import key_step
from .series import Series
from .set_series import SetSeries
from .sets import ArchiveSet
from .values import Dictionary, Record

DATE_UNITS = "seconds since 2001-01-01"
LOCK = threading.Lock()
Opened = Archive | Series | ArchiveSet | SetSeries


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

    def read(self, value: Any, key: Any = ()) -> Any:
        """What is at the column's path, or a part of it."""
        if not isinstance(value, Array):
            return np.asarray(value, self.dtype)[key]
        if self.field is None:
            return value[key] if key != () else np.asarray(value)
        first, rest = (key[0], key[1:]) if isinstance(key, tuple) and key else (slice(None) if key == () else key, ())
        part = value[first][self.field]
        return part[(Ellipsis, *rest)] if isinstance(first, (int, np.integer)) else part[(slice(None), *rest)]


def columns(archive: Archive, group: str) -> list[Column]:
    """The columns of the record (or dictionary) at a path. What NumPy has no plain type for is left out."""
    value = archive.at(group)
    found: list[Column] = []
    for key, part in value.items() if isinstance(value, (Record, Dictionary)) else [("values", value)]:
        if not isinstance(key, str):
            continue
        path = (group + key_step(key)).removeprefix(".") if isinstance(value, (Record, Dictionary)) else group
        found += array_columns(key, path, part) if isinstance(part, Array) else single_columns(key, path, part)
    return found


def array_columns(name: str, path: str, array: Array) -> list[Column]:
    segment = array.segment
    per_block = 0
    if segment is not None:
        its = array._archive._contents.bulk[segment]
        per_block = max(its.block_size // (its.element_size * array._row), 1)
    units = DATE_UNITS if array.format is not None and array.format.scalar_name == "date" else None
    if array.dtype.fields is None:
        if array.dtype.kind == "V":
            return []
        return [Column(name, path, None, array.dtype, array.shape, per_block, units)]
    if array.layout is None:
        return []  # Integers of 128 bits.
    result = []
    for key, (dtype, *_) in array.dtype.fields.items():
        base, lanes = dtype.subdtype or (dtype, ())
        if base.kind != "V":
            result.append(Column(f"{name}.{key}", path, key, base, (*array.shape, *lanes), per_block))
    return result


def single_columns(name: str, path: str, value: Any) -> list[Column]:
    units = DATE_UNITS if isinstance(value, Date) else None
    if isinstance(value, bool) or isinstance(value, (float, np.generic, str)):
        array = np.asarray(value)
        return [Column(name, path, None, array.dtype, (), 0, units)]
    if isinstance(value, int) and -(1 << 63) <= value < 1 << 64:
        return [Column(name, path, None, np.dtype("<i8" if value < 1 << 63 else "<u8"), (), 0)]
    if isinstance(value, np.ndarray) and value.dtype.kind != "V":
        return [Column(name, path, None, value.dtype, value.shape, 0)]
    return []


@dataclass(frozen=True, eq=False)
class Place:
    """A file, the entry of a series in it, and the part of a set: what another process needs to open it again."""

    file: str
    entry: int | None = None
    options: Mapping[str, Any] = field(default_factory=dict)
    stamp: tuple[int, int] = (0, 0)
    opened: Any = field(default=None, repr=False)
    part: int | None = None

    def __getstate__(self) -> dict[str, Any]:
        return {**vars(self), "opened": None}

    def found(self) -> Opened:
        """The file, which is opened again in another process."""
        opened: Opened | None = self.opened
        if opened is None:
            with LOCK:
                opened = reopened(self.file, json.dumps(self.options, sort_keys=True), self.stamp)
        return opened

    def archive(self) -> Archive:
        """The archive; of a set that of the part."""
        opened = self.found()
        if isinstance(opened, Archive):
            return opened
        if isinstance(opened, Series):
            return entry_archive(opened, self.entry or 0)
        found = self.archive_set()
        with found.lock:
            return found.part(self.part or 0)

    def archive_set(self) -> ArchiveSet:
        opened = self.found()
        if isinstance(opened, SetSeries):
            return entry_set(opened, self.entry or 0)
        assert isinstance(opened, ArchiveSet)
        return opened

    @property
    def lock(self) -> threading.Lock:
        """Who looks for a value of the archive holds it: arrays over several parts read the same archives."""
        return LOCK if isinstance(self.found(), (Archive, Series)) else self.archive_set().lock


@lru_cache(maxsize=32)
def reopened(file: str, options: str, expected: tuple[int, int]) -> Opened:
    """A file in another process, which opens it once; options of stores are JSON so that they can be compared."""
    from . import open

    opened = open(file, storage_options=json.loads(options))
    if stamp(opened) != expected:
        raise GraphCodableError(None, f"{file} has changed since it was opened")
    return opened


def stamp(file: Opened) -> tuple[int, int]:
    """What is another one when a file was replaced: its size, and its last checksum that covers others."""
    if isinstance(file, Archive):
        return file.size, file.header.hash
    if isinstance(file, ArchiveSet):
        return file.size, file.manifest_hash
    if isinstance(file, SetSeries):
        return file.size, file[-1].manifest_hash if len(file) else 0
    return file.size, file[-1].record_hash if len(file) else 0


@lru_cache(maxsize=64)
def entry_archive(series: Any, index: int) -> Archive:
    archive: Archive = series[index].archive
    return archive


# Few, since each keeps parts open.
@lru_cache(maxsize=4)
def entry_set(series: SetSeries, index: int) -> ArchiveSet:
    return series[index].archive_set


def value_of(place: Place, path: str) -> Any:
    """A value of the archive; finding it is for one thread at a time, reading arrays in segments is not."""
    archive = place.archive()
    with place.lock:
        return archive.at(path)
