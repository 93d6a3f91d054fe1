"""Where the bytes of a file come from."""

from __future__ import annotations

import mmap
import os
import threading
from collections.abc import Iterator, Sequence
from typing import BinaryIO, Protocol

from .errors import GraphCodableError


class Source(Protocol):
    """Random access to bytes. `is_view` says whether `read` gives them without a copy."""

    is_view: bool

    @property
    def size(self) -> int: ...

    def read(self, offset: int, count: int) -> memoryview: ...

    def read_many(self, extents: Sequence[tuple[int, int]]) -> Iterator[memoryview]:
        """Offsets and numbers of bytes, in the order in which they are asked for."""
        ...


class MemorySource:
    """Bytes that are in memory or mapped into it; what is read is a view."""

    is_view = True

    def __init__(self, data: memoryview) -> None:
        self.data = data.cast("B").toreadonly()

    @property
    def size(self) -> int:
        return len(self.data)

    def read(self, offset: int, count: int) -> memoryview:
        if offset < 0 or offset + count > len(self.data):
            raise GraphCodableError("H6", f"{count} bytes are asked for behind the end", offset)
        return self.data[offset : offset + count]

    def read_many(self, extents: Sequence[tuple[int, int]]) -> Iterator[memoryview]:
        return (self.read(*extent) for extent in extents)


def mapped(file: BinaryIO) -> MemorySource:
    """A file that is mapped into memory, and may be closed."""
    is_empty = os.fstat(file.fileno()).st_size == 0
    return MemorySource(memoryview(b"" if is_empty else mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)))


class FileSource:
    """A file object that can seek; what is read is a copy."""

    is_view = False

    def __init__(self, file: BinaryIO) -> None:
        self.file = file
        self.lock = threading.Lock()

    @property
    def size(self) -> int:
        with self.lock:
            return self.file.seek(0, 2)

    def read(self, offset: int, count: int) -> memoryview:
        parts = bytearray()
        with self.lock:
            self.file.seek(offset)
            while len(parts) < count:
                part = self.file.read(count - len(parts))
                if not part:
                    raise GraphCodableError("H6", f"{count} bytes are asked for behind the end", offset)
                parts += part
        return memoryview(parts).toreadonly()

    def read_many(self, extents: Sequence[tuple[int, int]]) -> Iterator[memoryview]:
        return (self.read(*extent) for extent in extents)


class PartSource:
    """A part of another source, such as an entry of a series."""

    def __init__(self, source: Source, offset: int, size: int) -> None:
        self.source = source
        self.offset = offset
        self._size = size
        self.is_view = source.is_view

    @property
    def size(self) -> int:
        return self._size

    def read(self, offset: int, count: int) -> memoryview:
        if offset < 0 or offset + count > self._size:
            raise GraphCodableError("H6", f"{count} bytes are asked for behind the end", offset)
        return self.source.read(self.offset + offset, count)

    def read_many(self, extents: Sequence[tuple[int, int]]) -> Iterator[memoryview]:
        for offset, count in extents:
            if offset < 0 or offset + count > self._size:
                raise GraphCodableError("H6", f"{count} bytes are asked for behind the end", offset)
        return self.source.read_many([(self.offset + offset, count) for offset, count in extents])
