"""Appends archives to a series."""

from __future__ import annotations

import os
import struct
import threading
from collections.abc import Mapping
from typing import Any

import xxhash

from ..files.series import HEADER_HASH, HEADER_SIZE, MOST, RECORD_MAGIC, TAIL, WHOLE_HEADER, Series
from ..format.errors import GraphCodableError
from ..format.segment import aligned
from ..format.source import FileSource
from .appended import AppendedFile
from .files import metadata_bytes, write
from .precision import Precisions, Requested
from .refusals import integer, real
from .sinks import OffsetSink

MOST_INDEX, INDEXED = 1 << 18, 63
MOST_NUMBER = (1 << 63) - 2


class SeriesWriter:
    """Appends archives to a series, which is made if it is not there.

        with graphcodable.SeriesWriter("run.gcseries") as writer:
            writer.append({"positions": positions}, step=10, time=0.5)

    Until it is closed, nobody else appends: it holds a lock on the file (`flock`), and a lock file beside it for file systems where
    that fails or holds on one node only. What stands behind the last entry, and is none, is cut off. Any thread may use a writer;
    appends happen one after the other. A forked process has a copy that is refused. Each entry is on the device when `append`
    returns, unless `synchronized` is false. `compressed` and `precision` are as in `encode`.
    """

    def __init__(
        self, path: str | os.PathLike[str], *, synchronized: bool = True, compressed: bool = True, precision: Requested = None
    ) -> None:
        self._synchronized, self._compressed, self._precision = synchronized, compressed, precision
        Precisions.of(precision)
        self._lock = threading.Lock()
        self._file = AppendedFile(path)
        try:
            self._open()
        except BaseException:
            self._file.close()
            raise

    def __reduce__(self) -> tuple[Any, ...]:
        raise TypeError("a SeriesWriter cannot be sent to another process: one process appends, and others send it what to append")

    def _open(self) -> None:
        source = FileSource(self._file.descriptor)
        series = Series(source)
        series.verify_list()
        last = series.entries[-1] if len(series) else None
        self._number = last.number + 1 if last else 0
        self._end = last.record_end if last else HEADER_SIZE
        self._previous = last.record_hash if last else HEADER_HASH
        # Those since the last one with an index, for the next one.
        self._records: list[bytes] = []
        for entry in reversed(series.entries[-INDEXED:]):
            record = bytes(source.read(entry.record_offset, entry.record_end - entry.record_offset))
            if struct.unpack_from("<I", record, 12)[0]:
                break
            self._records.insert(0, record)
        if last is None:
            self._file.write([WHOLE_HEADER], 0)
        self._file.truncate(self._end)
        self._synchronize()
        # A process that was killed may have created the file.
        if last is None and self._synchronized:
            self._file.sync_name()

    def append(self, value: Any, *, step: int = 0, time: float = 0.0, metadata: Mapping[str, str] | None = None) -> int:
        """Appends an archive of a value (see `encode`), and returns the number of the entry.

        After an error the file is as it was before, as far as the system lets it; what is left is removed by the next call.
        """
        self._file.check_process()
        step, time = integer(step, "step", -(1 << 63), (1 << 63) - 1), real(time, "time")
        pairs = metadata_bytes(metadata)
        own = aligned(88 + len(pairs) + TAIL)
        if own > MOST:
            raise GraphCodableError(None, "metadata of more than a record has room for", None, "series")
        with self._lock:
            self._repair(self._file.check())
            start = self._end
            try:
                return self._append(value, step, time, pairs, own)
            except BaseException:
                try:
                    self._file.truncate(start)
                except OSError:
                    pass  # By the next call.
                raise

    def _repair(self, size: int) -> None:
        """Removes what an append that failed has left in the file, which has so many bytes."""
        if size < self._end:
            message = f"{self._file.path} was cut short while it was open for appending"
            raise GraphCodableError(None, message, size, "series", "wrongSize")
        if size > self._end:
            self._file.truncate(self._end)

    def _append(self, value: Any, step: int, time: float, pairs: bytes, own: int) -> int:
        file, start = self._file, self._end
        if self._number > MOST_NUMBER:
            raise GraphCodableError(None, f"the entries of {file.path} have no number that is left", None, "series")
        size, header_hash = write(OffsetSink(file, start), value, None, 0, self._compressed, self._precision)
        # A record says that its archive is on the device.
        self._synchronize()
        record_offset = start + aligned(size)
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
        file.check_again()
        file.write([bytes(record_offset - start - size), record], start + size)
        self._synchronize()
        number, self._number = self._number, self._number + 1
        self._end, self._previous = record_offset + length, record_hash
        self._records = [] if index else [*self._records[1 - INDEXED :], record]
        return number

    def _synchronize(self) -> None:
        if self._synchronized:
            self._file.sync()

    def synchronize(self) -> None:
        """Waits until all entries are on the device, which they are anyway unless `synchronized` is false."""
        self._file.check_process()
        with self._lock:
            self._file.check()
            self._file.sync()
            self._file.sync_name()

    def close(self) -> None:
        """Gives the lock back. A writer that is closed cannot append."""
        if self._file.is_own:
            with self._lock:
                self._file.close()
        else:
            self._file.close()

    def __enter__(self) -> SeriesWriter:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
