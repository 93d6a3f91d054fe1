"""An archive as a read-only store of Zarr, every checksum of which is verified."""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import AsyncIterator, Iterable
from typing import Any

import numpy as np
from zarr.abc.store import ByteRequest, OffsetByteRequest, RangeByteRequest, Store, SuffixByteRequest
from zarr.core.buffer import Buffer, BufferPrototype
from zarr.core.dtype import parse_data_type

from ..graph.archive import Archive
from ..graph.arrays import Array
from .columns import Column, columns
from ..graph.paths import step_text
from ..graph.values import Dictionary, Record, place_of

METADATA = "zarr.json"


class GraphCodableStore(Store):
    """The arrays of an archive as arrays of Zarr (version 3), and records as groups; chunks are blocks.

    `zarr.open_group(GraphCodableStore(archive))`. Chunks are given as they are before compression, after the check of their hash.
    Fields of packed structs are arrays of their own. What has a `/` in its key is left out.
    """

    supports_writes = False
    supports_deletes = False
    supports_listing = True

    def __init__(self, archive: Archive) -> None:
        super().__init__(read_only=True)
        self.archive = archive
        self.lock = threading.Lock()
        self.groups: dict[str, str] = {}
        self.columns: dict[str, Column] = {}
        self.names: dict[str, list[str]] = {}  # Of their dimensions.
        self._find()

    def _find(self) -> None:
        """Groups and arrays by their paths with slashes; records that several references lead to stand at the first one."""
        waiting, seen = [("", "")], set[tuple[type, int]]()
        while waiting:
            name, path = waiting.pop()
            value = self.archive.at(path)
            self.groups[name] = path
            lengths: dict[str, int] = {}
            for column in columns(self.archive, path):
                if "/" not in column.name and column.dtype.kind != "U":
                    place = f"{name}/{column.name}".lstrip("/")
                    self.columns[place], self.names[place] = column, column.names(lengths)
            for key, part in value.items() if isinstance(value, (Record, Dictionary)) else ():
                if isinstance(part, Record) and isinstance(key, str) and "/" not in key and place_of(part) not in seen:
                    seen.add(place_of(part))
                    waiting.append((f"{name}/{key}".lstrip("/"), (path + step_text(key)).removeprefix(".")))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, GraphCodableStore) and other.archive is self.archive

    def __hash__(self) -> int:
        return id(self.archive)

    # Values

    def value(self, key: str) -> bytes | None:
        name, _, last = key.rpartition("/")
        if last == METADATA:
            if name in self.columns:
                return json.dumps(array_metadata(self.columns[name], self.names[name])).encode()
            if name in self.groups:
                about = {**(self.archive.metadata if name == "" else {}), **self.archive.attributes(self.groups[name]).attrs}
                return json.dumps({"zarr_format": 3, "node_type": "group", "attributes": about}).encode()
            return None
        name, found, coordinates = key.rpartition("/c/") if "/c/" in key else (key.removesuffix("/c"), "", "")
        column = self.columns.get(name)
        if column is None or not (found or key.endswith("/c")):
            return None
        try:
            numbers = [int(each) for each in coordinates.split("/")] if coordinates else []
        except ValueError:
            return None
        return self.chunk(column, numbers)

    def chunk(self, column: Column, numbers: list[int]) -> bytes | None:
        if len(numbers) != len(column.shape) or any(numbers[1:]):
            return None
        with self.lock:
            value = self.archive.at(column.path)
        if not column.shape:
            return np.asarray(column.read(value)).tobytes()
        length = chunk_shape(column)[0]
        start = numbers[0] * length
        if not 0 <= start < column.shape[0]:
            return None
        part = column.read(value, (slice(start, start + length),)) if isinstance(value, Array) else column.read(value)
        data = np.ascontiguousarray(part).tobytes()
        # Zarr has whole chunks alone.
        return data + bytes(length * column.dtype.itemsize * int(np.prod(column.shape[1:])) - len(data))

    async def get(
        self, key: str, prototype: BufferPrototype, byte_range: ByteRequest | None = None
    ) -> Buffer | None:
        data = await asyncio.to_thread(self.value, key)
        if data is None:
            return None
        if isinstance(byte_range, RangeByteRequest):
            data = data[byte_range.start : byte_range.end]
        elif isinstance(byte_range, OffsetByteRequest):
            data = data[byte_range.offset :]
        elif isinstance(byte_range, SuffixByteRequest):
            data = data[-byte_range.suffix :]
        return prototype.buffer.from_bytes(data)

    async def get_partial_values(
        self, prototype: BufferPrototype, key_ranges: Iterable[tuple[str, ByteRequest | None]]
    ) -> list[Buffer | None]:
        return [await self.get(key, prototype, each) for key, each in key_ranges]

    async def exists(self, key: str) -> bool:
        name, _, last = key.rpartition("/")
        if last == METADATA:
            return name in self.columns or name in self.groups
        return await asyncio.to_thread(self.value, key) is not None

    # Lists

    def keys(self) -> Iterable[str]:
        for name in self.groups:
            yield f"{name}/{METADATA}".lstrip("/")
        for name, column in self.columns.items():
            yield f"{name}/{METADATA}"
            if not column.shape:
                yield f"{name}/c"
                continue
            for number in range(-(-column.shape[0] // chunk_shape(column)[0])):
                yield f"{name}/c/" + "/".join(map(str, [number, *(0 for _ in column.shape[1:])]))

    async def list(self) -> AsyncIterator[str]:
        for key in self.keys():
            yield key

    async def list_prefix(self, prefix: str) -> AsyncIterator[str]:
        for key in self.keys():
            if key.startswith(prefix):
                yield key

    async def list_dir(self, prefix: str) -> AsyncIterator[str]:
        front = f"{prefix.rstrip('/')}/" if prefix else ""
        found = dict.fromkeys(key[len(front) :].split("/")[0] for key in self.keys() if key.startswith(front))
        for key in found:
            yield key

    # Writing

    async def set(self, key: str, value: Buffer) -> None:
        self._check_writable()

    async def delete(self, key: str) -> None:
        self._check_writable()


def chunk_shape(column: Column) -> tuple[int, ...]:
    if not column.shape:
        return ()
    length = max(min(column.per_block, column.shape[0]) if column.per_block else column.shape[0], 1)
    return (length, *column.shape[1:])


def array_metadata(column: Column, names: list[str]) -> dict[str, Any]:
    """`zarr.json` of a column whose chunks are not compressed."""
    kind = parse_data_type(column.dtype, zarr_format=3)
    return {
        "zarr_format": 3,
        "node_type": "array",
        "shape": list(column.shape),
        "data_type": kind.to_json(zarr_format=3),
        "chunk_grid": {"name": "regular", "configuration": {"chunk_shape": list(chunk_shape(column))}},
        "chunk_key_encoding": {"name": "default", "configuration": {"separator": "/"}},
        "fill_value": kind.to_json_scalar(kind.default_scalar(), zarr_format=3),
        "codecs": [{"name": "bytes", "configuration": {"endian": "little"}}],
        "attributes": column.attributes,
        "dimension_names": names,
        "storage_transformers": [],
    }
