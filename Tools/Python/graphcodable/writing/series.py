"""Appends archives to a series."""

from __future__ import annotations

import fcntl
import os
import struct
from collections.abc import Mapping
from typing import Any

import xxhash

from ..format.errors import GraphCodableError
from ..format.segment import aligned
from ..files.series import EMPTY_HEADER, HEADER_HASH, HEADER_SIZE, MOST, RECORD_MAGIC, TAIL, Series
from ..format.source import FileSource
from .files import metadata_bytes, write

MOST_INDEX, INDEXED = 1 << 18, 63


class SeriesWriter:
    """Appends archives to a series, which is made if it is not there.

        with graphcodable.SeriesWriter("run.gcseries") as writer:
            writer.append({"positions": positions}, step=10, time=0.5)

    Holds a lock on the file until it is closed, so that nobody else appends. What stands behind the last entry, and is none, is cut off.
    Each entry is on the device when `append` returns, unless `synchronized` is false.
    """

    def __init__(self, path: str | os.PathLike[str], *, synchronized: bool = True, compressed: bool = True) -> None:
        self._synchronized, self._compressed = synchronized, compressed
        self._file = os.fdopen(os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o666), "r+b")
        try:
            try:
                fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                raise GraphCodableError(None, "somebody else is appending", None, "series") from None
            series = Series(FileSource(self._file))
            series.verify_list()
            last = series.entries[-1] if len(series) else None
            self._number = last.number + 1 if last else 0
            self._end = last.record_end if last else HEADER_SIZE
            self._previous = last.record_hash if last else HEADER_HASH
            # Those since the last one with an index, for the next one.
            self._records: list[bytes] = []
            for entry in reversed(series.entries[-INDEXED:]):
                record = bytes(FileSource(self._file).read(entry.record_offset, entry.record_end - entry.record_offset))
                if struct.unpack_from("<I", record, 12)[0]:
                    break
                self._records.insert(0, record)
            if last is None:
                self._file.seek(0)
                self._file.write(EMPTY_HEADER + HEADER_HASH.to_bytes(8, "little"))
            self._file.truncate(self._end)
            self._synchronize()
        except BaseException:
            self._file.close()
            raise

    def append(self, value: Any, *, step: int = 0, time: float = 0.0, metadata: Mapping[str, str] | None = None) -> int:
        """Appends an archive of a value (see `encode`), and returns the number of the entry."""
        pairs = metadata_bytes(metadata or {})
        file, start = self._file, self._end
        try:
            file.seek(start)
            size, header_hash = write(file, value, None, 0, self._compressed)
            self._synchronize()
            record_offset = start + aligned(size)
            own = aligned(88 + len(pairs) + TAIL)
            if own > MOST:
                raise GraphCodableError(None, "metadata of more than a record has room for", None, "series")
            index = b""
            if self._number % 64 == 63:
                index = b"".join(self._records)
                while len(index) > min(MOST_INDEX, MOST - own):
                    index = index[len(self._records.pop(0)) :]
            length = own + len(index)
            record = RECORD_MAGIC + struct.pack(
                "<IIQQQQQQqdQ", length, len(index), record_offset, start, size, header_hash, self._number,
                self._previous, step, time, size,
            )  # fmt: skip
            record = (record + pairs).ljust(length - len(index) - TAIL, b"\0") + index + struct.pack("<Q", length)
            record_hash = xxhash.xxh3_64_intdigest(record)
            record += record_hash.to_bytes(8, "little")
            file.seek(start + size)
            file.write(bytes(record_offset - start - size) + record)
            self._synchronize()
        except BaseException:
            file.truncate(start)
            raise
        number, self._number = self._number, self._number + 1
        self._end, self._previous = record_offset + length, record_hash
        self._records = [] if index else [*self._records[1 - INDEXED :], record]
        return number

    def _synchronize(self) -> None:
        self._file.flush()
        if self._synchronized:
            os.fsync(self._file.fileno())

    def close(self) -> None:
        self._file.close()

    def __enter__(self) -> SeriesWriter:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
