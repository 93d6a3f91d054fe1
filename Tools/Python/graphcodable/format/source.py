"""Where the bytes of a file come from."""

from __future__ import annotations

import errno
import io
import mmap
import os
import stat
import sys
import threading
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, BinaryIO, Protocol
from weakref import WeakSet

from . import native
from .errors import GraphCodableError

if TYPE_CHECKING:
    from typing_extensions import Buffer

MOST_AT_ONCE = 1 << 30
AT_ONCE = 1 << 18  # Bytes that one call of the system reads as it gives them.


class Source(Protocol):
    """Random access to bytes. `is_view` says whether `read` gives them without a copy."""

    is_view: bool

    @property
    def size(self) -> int: ...

    def read(self, offset: int, count: int) -> memoryview: ...

    def read_many(self, extents: Sequence[tuple[int, int]]) -> Iterator[memoryview]:
        """Offsets and numbers of bytes, in the order in which they are asked for."""
        ...


def not_sent(self: object) -> tuple[object, ...]:
    """In place of a `__reduce__`: bytes and open files have no name by which another process would find them."""
    raise TypeError("what was opened as bytes or a file object cannot be sent to another process: open it there, by its path or address")


class MemorySource:
    """Bytes that are in memory or mapped into it; what is read is a view."""

    is_view = True

    def __init__(self, data: memoryview) -> None:
        self.data = data.cast("B").toreadonly()

    __reduce__ = not_sent

    @property
    def size(self) -> int:
        return len(self.data)

    def read(self, offset: int, count: int) -> memoryview:
        if offset < 0 or offset + count > len(self.data):
            raise GraphCodableError("H6", f"{count} bytes are asked for behind the end", offset)
        return self.data[offset : offset + count]

    def read_many(self, extents: Sequence[tuple[int, int]]) -> Iterator[memoryview]:
        return (self.read(*extent) for extent in extents)


# Those that take a descriptor each.
MAPPINGS: WeakSet[mmap.mmap] = WeakSet()


def mapped(file: BinaryIO) -> MemorySource:
    """A file that is mapped into memory, and may be closed."""
    size = os.fstat(file.fileno()).st_size
    return MemorySource(memoryview(mapping(file.fileno(), size) if size else b""))


def mapping(descriptor: int, size: int) -> Buffer:
    if native.module is not None:
        made: Buffer = native.module.Mapping(descriptor, size)
        return made
    if sys.version_info >= (3, 13):
        return mmap.mmap(descriptor, size, access=mmap.ACCESS_READ, trackfd=False)
    with_descriptor = mmap.mmap(descriptor, size, access=mmap.ACCESS_READ)
    MAPPINGS.add(with_descriptor)
    return with_descriptor


def can_map(most: int) -> bool:
    """Whether one more file is to be mapped: `most` are where each takes a descriptor, before Python 3.13 without the C module."""
    return native.module is not None or sys.version_info >= (3, 13) or len(MAPPINGS) < most


class FileSource:
    """A file object that can seek, or the number of an open file; what is read is a copy.

    Files of the system are read at their places, without moving the position that forked processes share. What expands a file
    has no places, and is refused in a forked process.
    """

    is_view = False

    def __init__(self, file: BinaryIO | int) -> None:
        self.file = None if isinstance(file, int) else file
        self.descriptor = file if isinstance(file, int) else descriptor_of(file)
        self.lock = threading.Lock()
        self.process = os.getpid()

    __reduce__ = not_sent

    @property
    def size(self) -> int:
        self._check_open()
        if self.descriptor is not None:
            return os.fstat(self.descriptor).st_size
        assert self.file is not None
        with self.lock:
            return self.file.seek(0, 2)

    def read(self, offset: int, count: int) -> memoryview:
        if self.descriptor is not None:
            self._check_open()
            data = bytes_at(self.descriptor, offset, count)
            if data is None:
                raise self._short(offset, count)
            return data
        assert self.file is not None
        self._check_open()
        parts = bytearray()
        with self.lock:
            self.file.seek(offset)
            while len(parts) < count:
                part = self.file.read(count - len(parts))
                if not part:
                    raise self._short(offset, count)
                parts += part
        return memoryview(parts).toreadonly()

    def _check_open(self) -> None:
        """Another file may have the number of one that is closed, and a forked process moves the position of its parent."""
        if self.file is not None and self.file.closed:
            raise ValueError("the file is closed")
        if self.descriptor is None and self.process != os.getpid() and has_position(self.file):
            raise OSError(errno.EBADF, "the file object was opened before this process was forked, which shares its position: open it here")

    def _short(self, offset: int, count: int) -> GraphCodableError:
        return GraphCodableError("H6", f"{count} bytes are asked for behind the end", offset)

    def read_many(self, extents: Sequence[tuple[int, int]]) -> Iterator[memoryview]:
        return (self.read(*extent) for extent in extents)


def whole_path(path: str | os.PathLike[str]) -> str:
    """The same file from every folder. Dots behind links stay, since the system follows the links first."""
    return os.path.join(os.getcwd(), os.fspath(path))


def descriptor_of(file: BinaryIO) -> int | None:
    """The number of a file of the system, `None` for others. What expands or decrypts a file has one, and other bytes."""
    raw = getattr(file, "raw") if type(file) in (io.BufferedReader, io.BufferedRandom) else file
    if type(raw) is not io.FileIO or not hasattr(os, "pread"):
        return None
    return raw.fileno() if stat.S_ISREG(os.fstat(raw.fileno()).st_mode) else None


def has_position(file: object) -> bool:
    """Whether there is a file of the system beneath a file object."""
    try:
        return bool(getattr(file, "fileno")() >= 0)
    except (AttributeError, OSError, ValueError):
        return False


def bytes_at(descriptor: int, offset: int, count: int) -> memoryview | None:
    """The bytes from an offset on, without moving the position of the file; `None` where there are not so many."""
    if offset < 0:
        return None
    if count <= AT_ONCE and len(data := os.pread(descriptor, count, offset)) == count:
        return memoryview(data)
    # No memory is taken for bytes that are not there.
    if offset + count > os.fstat(descriptor).st_size:
        return None
    out = memoryview(bytearray(count))
    return out.toreadonly() if read_at(descriptor, out, offset) else None


def read_at(descriptor: int, out: memoryview, offset: int) -> bool:
    """Fills memory with the bytes from an offset on; whether there are so many."""
    if native.module is not None:
        return bool(native.module.file_read(descriptor, out, offset))
    while out:
        data = os.pread(descriptor, min(len(out), MOST_AT_ONCE), offset)
        if not data:
            return False
        out[: len(data)] = data
        out, offset = out[len(data) :], offset + len(data)
    return True


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
