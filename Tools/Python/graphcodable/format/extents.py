"""The table of an archive in pieces: where the file has the bytes of the archive."""

from __future__ import annotations

from .derived import STORED_LEVEL, Derived, Differences, Extent, Filters, Method, Overlaid, Run
from .filters import BIT_SHUFFLE, DELTA, MOST_FILTERS, QUANTISED, SHUFFLE, SIZE, Filter, are_possible
from .varint import Reader
from .version import EXTENTS_OF_DIFFERENCES, OVERLAID_EXTENTS

OWN, SHARED, OVERLAID, DIFFERENCES = 0, 1, 2, 3
FIRST_ARCHIVE = 64  # Where a series has its first archive.
MOST_OVERLAYS, MOST_LEVEL = 32, 12
MOST_BLOCK, MOST_EXPANSION = 1 << 22, 255
WIDTHS = (1, 2, 4, 8)
FINGERPRINT = 16


class Table:
    """The extents of an archive of `size` bytes, of which `own_start` to `own_end` are stored behind its header at `start`."""

    def __init__(self, reader: Reader, features: int, start: int, own_start: int, own_end: int, size: int) -> None:
        self._reader, self._features, self._start, self._own_end = reader, features, start, own_end
        self._own = own_start  # Where the next bytes of its own begin.
        self._method: Method | None = None
        self.extents: list[Extent] = []
        self.gaps: list[Run] = []  # What stands between bytes of its own.
        position = 0
        for _ in range(reader.varint()):
            length, kind = reader.varint(), reader.u8()
            if not 0 < length <= size - position:
                raise reader.error("X3", f"an extent of {length} bytes")
            self.extents.append(self._extent(kind, position, length))
            position += length
        if position != size or self._own != own_end:
            raise reader.error("X3", "the extents do not cover the archive and what is stored of it")
        self.block_count = reader.varint()
        if reader.left != FINGERPRINT * self.block_count:
            raise reader.error("X3", f"fingerprints of {self.block_count} blocks in {reader.left} bytes")
        self._check_that_no_bytes_are_there_twice()

    def _extent(self, kind: int, position: int, size: int) -> Extent:
        if kind == OWN:
            return Extent(position, size, (self._own_bytes(size, (position - self._own) % 64),))
        if kind == SHARED:
            return Extent(position, size, (self._shared_bytes(size, self._reader.varint()),))
        if kind == OVERLAID and self._features & OVERLAID_EXTENTS:
            return self._overlaid(position, size)
        if kind == DIFFERENCES and self._features & EXTENTS_OF_DIFFERENCES:
            return self._differences(position, size)
        raise self._reader.error("X3", f"an extent of kind {kind}")

    def _own_bytes(self, size: int, gap: int = 0) -> Run:
        """The next bytes of its own, behind a gap."""
        at = self._own + gap
        if at > self._own_end or size > self._own_end - at:
            raise self._reader.error("X3", f"{size} bytes of its own are not there")
        if at > self._own:
            self.gaps.append((self._own, at - self._own))
        self._own = at + size
        return at, size

    def _shared_bytes(self, size: int, distance: int) -> Run:
        at = self._start - distance
        if at < FIRST_ARCHIVE or size > distance:
            raise self._reader.error("X4", f"{size} bytes are {distance} before the header")
        return at, size

    def _run(self) -> Run:
        size, distance = self._reader.varint(), self._reader.varint()
        return self._shared_bytes(size, distance) if distance else self._own_bytes(size)

    def _overlaid(self, position: int, size: int) -> Overlaid:
        reader = self._reader
        raw, level, raw_hash, count = reader.varint(), reader.u8(), reader.u64(), reader.varint()
        if count > MOST_OVERLAYS:
            raise reader.error("X3", f"{count} overlays")
        runs = tuple(self._run() for _ in range(count + 1))
        result = Overlaid(position, size, runs, raw, level, raw_hash)
        self._check(result)
        return result

    def _differences(self, position: int, size: int) -> Differences:
        reader = self._reader
        raw, level, raw_hash, width = reader.varint(), reader.u8(), reader.u64(), reader.u8()
        if width:
            self._method = self._read_method(width)
        if self._method is None:
            raise reader.error("X3", "the first extent of differences has no width")
        runs = (self._run(), self._run())
        result = Differences(position, size, runs, raw, level, raw_hash, self._method)
        self._check(result)
        if raw > MOST_EXPANSION * runs[1][1]:
            raise reader.error("X3", f"{runs[1][1]} bytes cannot be differences of {raw}")
        if level == STORED_LEVEL and self._method.own or runs[0][1] == raw and self._method.other:
            raise reader.error("X3", "a block that is stored as it is has filters")
        return result

    def _check(self, block: Derived) -> None:
        raw, level, base = block.raw_size, block.level, block.runs[0][1]
        is_possible = 1 <= raw <= MOST_BLOCK and all(1 <= size <= raw for _, size in block.runs)
        is_possible &= block.size == raw if level == STORED_LEVEL else level <= MOST_LEVEL and block.size < raw
        if not is_possible or not base <= raw <= MOST_EXPANSION * base:
            raise self._reader.error("X3", f"a block of {raw} bytes cannot be made of another one")

    def _read_method(self, width: int) -> Method:
        own, other, differences = self._filters(), self._filters(), self._filters()
        is_alike = own[:1] == other[:1] or not is_quantised(own) and not is_quantised(other)
        is_plain = all(each.number in (SHUFFLE, BIT_SHUFFLE, DELTA) for each in differences)
        if width not in WIDTHS or not is_alike or not is_plain:
            raise self._reader.error("X3", f"lists of filters for differences of {width} bytes that do not fit together")
        return Method(width, own, other, differences)

    def _filters(self) -> Filters:
        """A list of filters. It has no notes, which change nothing."""
        count = self._reader.u8()
        if count > MOST_FILTERS:
            raise self._reader.error("X3", f"{count} filters")
        filters: list[Filter] = []
        for _ in range(count):
            found = Filter.parsed(self._reader.take(SIZE))
            if not found.is_known or found.number > QUANTISED or not are_possible([*filters, found], 1):
                raise self._reader.error("X3", "a list of filters that cannot be")
            filters.append(found)
        return tuple(filters)

    def _check_that_no_bytes_are_there_twice(self) -> None:
        end = 0
        for at, size in sorted(run for extent in self.extents for run in extent.runs):
            if at < end:
                raise self._reader.error("X5", f"the bytes of the file from {at} on are there twice")
            end = at + size


def is_quantised(filters: Filters) -> bool:
    return any(each.number == QUANTISED for each in filters)
