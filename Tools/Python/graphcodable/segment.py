"""Segments: their headers in the contents, and their blocks in the file."""

from __future__ import annotations

import os
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
import xxhash

from . import native
from .blocks import expanded
from .errors import GraphCodableError
from .filters import MOST_FILTERS, SIZE, Bytes, Filter, are_possible, packed
from .formats import packed_format
from .pieces import PiecesSource
from .source import Source
from .varint import Reader

GRAPH, INDEX, BULK = 0, 1, 2
MAX_RAW, MAX_BLOCK = 1 << 56, 1 << 20
# Shorter runs of bytes are expanded on the thread that asks for them.
FEWEST_FOR_THREADS = 4 << 20
ENTRY = np.dtype([("size", "<u4"), ("hash", "<u8")])
LARGE_PAGE = 2 << 20
# Bytes that a source is asked for at once.
MOST_AT_ONCE = 8 << 20


@cache
def pool() -> ThreadPoolExecutor:
    return ThreadPoolExecutor(native.thread_count(), "graphcodable")


if hasattr(os, "register_at_fork"):  # A forked process has none of the threads.
    os.register_at_fork(after_in_child=pool.cache_clear)


def empty(size: int) -> Bytes:
    """Memory for so many bytes, from the start of a large page on where there are many.

    NumPy asks for such pages, but the system makes none for what stands in front of the first whole one.
    """
    if size < FEWEST_FOR_THREADS:
        return np.empty(size, np.uint8)
    if native.module is not None:
        return np.frombuffer(native.module.Memory(size), np.uint8)
    room = np.empty(size + LARGE_PAGE, np.uint8)
    start = -room.ctypes.data % LARGE_PAGE
    return room[start : start + size]


def aligned(offset: int) -> int:
    return -(-offset // 64) * 64


@dataclass
class Segment:
    """A segment header of the contents, and where its segment stands in the archive."""

    kind: int
    codec: int
    format: int
    raw_size: int
    block_size: int
    element_size: int
    filters: tuple[Filter, ...]
    entries: np.ndarray[Any, Any]
    header: bytes
    name: str = ""
    padding_start: int = 0
    offset: int = 0
    blocks_offset: int = 0
    end: int = 0

    def place(self, previous_end: int) -> None:
        """Sets where the segment stands, by where the one before ends."""
        self.padding_start = previous_end
        self.offset = previous_end if self.codec else aligned(previous_end)
        self.blocks_offset = self.offset + len(self.header)
        if not self.codec:
            self.blocks_offset = aligned(self.blocks_offset)
        self.starts = np.zeros(len(self.entries) + 1, np.int64)
        np.cumsum(self.entries["size"], out=self.starts[1:])
        self.end = self.blocks_offset + int(self.starts[-1])

    def raw_block_size(self, block: int) -> int:
        return min(self.block_size, self.raw_size - block * self.block_size)


def read_segment_header(reader: Reader) -> Segment:
    """Reads a header from the contents, and checks S1 to S7."""
    start = reader.position
    if reader.take(4) != b"GSEG":
        raise reader.error("S1", "a segment header without its magic")
    kind, codec = reader.u8(), reader.u8()
    if kind > BULK:
        raise reader.error("S1", f"a segment of the unknown kind {kind}")
    number = reader.u8() | reader.u8() << 8
    raw, block, element = reader.u64(), reader.u32(), reader.u32()
    count, filter_count = reader.u32(), reader.u32()
    if not 1 <= raw <= MAX_RAW or not 1 <= block <= MAX_BLOCK or element < 1:
        raise reader.error("S2", f"a segment of {raw} bytes in blocks of {block} and elements of {element}")
    if raw % element or block % element:
        raise reader.error("S2", f"segment or blocks do not have whole elements of {element} bytes")
    if kind != BULK and element != 1:
        raise reader.error("S2", "elements of several bytes in a segment that is not bulk")
    if number:
        known = packed_format(number)
        if kind != BULK or known is None or known.size != element:
            raise reader.error("S3", f"the packed format {number} does not fit the segment")
    if codec > 1 or filter_count > MOST_FILTERS:
        raise reader.error("S4", f"codec {codec} with {filter_count} filters")
    filters: list[Filter] = []
    for _ in range(filter_count):
        found = Filter.parsed(reader.take(SIZE))
        if found is None or not are_possible([*filters, found], codec):
            message = "a filter whose reserved bytes are not zero" if found is None else str(found)
            raise reader.error("S4", f"{message}, behind {len(filters)} others and with codec {codec}")
        filters.append(found)
    if count != -(-raw // block):
        raise reader.error("S5", f"{count} blocks for {raw} bytes in blocks of {block}")
    entries = np.frombuffer(reader.take(12 * count), ENTRY)
    sizes = entries["size"].astype(np.int64)
    raw_sizes = np.full(count, block, np.int64)
    raw_sizes[-1] = raw - (count - 1) * block
    if codec == 0:
        wrong = sizes != raw_sizes
    else:
        wrong = (sizes > raw_sizes) | (sizes * 255 < raw_sizes)
    if wrong.any():
        raise reader.error("S6", f"block {int(wrong.argmax())} has a size that cannot be")
    stored_hash = reader.u64()
    header = reader.data[start : reader.position]
    if xxhash.xxh3_64_intdigest(header[:-8]) != stored_hash:
        raise reader.error("S7", "a segment header does not match its hash")
    return Segment(kind, codec, number, raw, block, element, tuple(filters), entries, header)


class SegmentReader:
    """Expands blocks of one segment; S10 is checked before the first, S11 and S12 for each.

    May be used by several threads.
    """

    def __init__(self, source: Source, segment: Segment) -> None:
        self.source = source
        self.segment = segment
        self.header_checked = False
        self.last: tuple[int, Bytes] | None = None
        self.pieces_source = source if isinstance(source, PiecesSource) and source.has_derived else None

    def check_header(self) -> None:
        if self.header_checked:
            return
        s = self.segment
        front = self.source.read(s.padding_start, s.blocks_offset - s.padding_start)
        start, end = s.offset - s.padding_start, s.offset + len(s.header) - s.padding_start
        if front[start:end] != s.header:
            raise GraphCodableError("S10", f"the header of {s.name} is not the one in the contents", s.offset)
        for padding in (slice(0, start), slice(end, None)):
            if any(front[padding]):
                message = f"padding of {s.name} is not zero"
                raise GraphCodableError("S10", message, s.padding_start + (padding.start or 0))
        self.header_checked = True

    def extent(self, first: int, last: int) -> tuple[int, int]:
        """Offset and size of some blocks in the archive."""
        starts = self.segment.starts
        return self.segment.blocks_offset + int(starts[first]), int(starts[last + 1] - starts[first])

    def check(self, block: int, stored: memoryview) -> None:
        if xxhash.xxh3_64_intdigest(stored) != int(self.segment.entries["hash"][block]):
            raise self.hash_error(block)

    def hash_error(self, block: int) -> GraphCodableError:
        message = f"block {block} of {self.segment.name} does not match its hash"
        return GraphCodableError("S11", message, self.extent(block, block)[0])

    def size_error(self, block: int) -> GraphCodableError:
        message = f"block {block} of {self.segment.name} does not expand to {self.segment.raw_block_size(block)} bytes"
        return GraphCodableError("S12", message, self.extent(block, block)[0])

    def block(self, block: int, stored: memoryview | None = None, out: Bytes | None = None) -> Bytes:
        """The bytes of a block before compression, perhaps in `out`. The last block that was asked for alone is kept."""
        last = self.last
        if last is not None and last[0] == block:
            return last[1]
        self.check_header()
        alone = stored is None
        size = self.segment.raw_block_size(block)
        derived = self.pieces_source.derived(*self.extent(block, block)) if self.pieces_source else None
        if derived is not None and self.pieces_source is not None:
            result = derived.block(self.pieces_source.source, size, self.segment.filters, out)
        else:
            if stored is None:
                stored = self.source.read(*self.extent(block, block))
            self.check(block, stored)
            result = expanded(stored, size, self.segment.filters, out)
        if result is None:
            raise self.size_error(block)
        if alone:
            self.last = (block, result)
        return result

    def read(self, start: int, end: int) -> Bytes:
        """The bytes from `start` to `end` before compression.

        A view of the source where the source is in memory and the blocks are stored as they are; else a copy.
        """
        s = self.segment
        if start >= end:
            return np.empty(0, np.uint8)
        first, last = start // s.block_size, (end - 1) // s.block_size
        if first == last:
            return self.block(first)[start - first * s.block_size : end - first * s.block_size]
        raw_end = min(s.raw_size, (last + 1) * s.block_size)
        offset, size = self.extent(first, last)
        if self.source.is_view and size == raw_end - first * s.block_size and self.pieces_source is None:
            self.check_header()
            for block in range(first, last + 1):
                self.check(block, self.source.read(*self.extent(block, block)))
            return np.frombuffer(self.source.read(offset + start - first * s.block_size, end - start), np.uint8)
        try:
            result = empty(end - start)
        except (MemoryError, ValueError):
            raise GraphCodableError(None, f"no memory for {end - start} bytes", s.offset) from None
        self.check_header()
        if native.module is not None and self.pieces_source is None:
            self.expand_runs(first, last, start, result)
        else:
            self.expand_blocks(first, last, start, result)
        return result

    def expand_runs(self, first: int, last: int, start: int, result: Bytes) -> None:
        """Fills `result` with the bytes of blocks from `start` on: runs of blocks in C."""
        is_long = len(result) >= FEWEST_FOR_THREADS
        if self.source.is_view and not isinstance(self.source, PiecesSource):
            stored = self.source.read(*self.extent(first, last))
            self.expand_run(first, last + 1, stored, start, result, native.thread_count() if is_long else 1)
            return

        def expand(group: tuple[int, int, memoryview]) -> None:
            self.expand_run(*group, start, result, 1)

        # Each run as soon as its bytes are there, while the next ones are on their way.
        apply = pool().map if is_long else map
        for _ in apply(expand, self.groups(first, last)):
            pass

    def expand_run(self, first: int, stop: int, stored: memoryview, start: int, result: Bytes, threads: int) -> None:
        s = self.segment
        raw_start, raw_end = first * s.block_size, min(stop * s.block_size, s.raw_size)
        low, high = max(raw_start, start), min(raw_end, start + len(result))
        assert native.module is not None
        wrong = native.module.expand_run(
            stored, s.entries[first:stop], s.block_size, raw_end - raw_start, packed(s.filters),
            result[low - start : high - start], low - raw_start, threads,
        )  # fmt: skip
        if wrong is not None:
            block, what = wrong
            raise self.hash_error(first + block) if what == native.BAD_HASH else self.size_error(first + block)

    def expand_blocks(self, first: int, last: int, start: int, result: Bytes) -> None:
        """The same, block by block."""
        s, end = self.segment, start + len(result)

        def expand(each: tuple[int, memoryview | None]) -> None:
            here, at = each[0] * s.block_size, max(each[0] * s.block_size - start, 0)
            size = s.raw_block_size(each[0])
            whole = result[at : at + size] if start <= here and here + size <= end else None
            raw = self.block(*each, whole)
            if raw is not whole:
                raw = raw[max(start - here, 0) : end - here]
                result[at : at + len(raw)] = raw

        # Hashes, LZ4 and NumPy all let other threads run.
        apply = pool().map if len(result) >= FEWEST_FOR_THREADS else map
        for _ in apply(expand, self.pieces(first, last)):
            pass

    def pieces(self, first: int, last: int) -> Iterator[tuple[int, memoryview | None]]:
        """Blocks with their stored bytes."""
        if self.pieces_source is not None:
            # Blocks that are made of others need not have them.
            yield from ((block, None) for block in range(first, last + 1))
            return
        for start, stop, data in self.groups(first, last):
            offset, _ = self.extent(start, start)
            for block in range(start, stop):
                at, size = self.extent(block, block)
                yield block, data[at - offset : at - offset + size]

    def groups(self, first: int, last: int) -> Iterator[tuple[int, int, memoryview]]:
        """Blocks from the first to before the last number with their stored bytes, of which the source is asked for many at a time."""
        groups: list[tuple[int, int]] = []
        for block in range(first, last + 1):
            if groups and self.extent(groups[-1][0], block)[1] <= MOST_AT_ONCE:
                groups[-1] = (groups[-1][0], block)
            else:
                groups.append((block, block))
        for (start, stop), data in zip(groups, self.source.read_many([self.extent(*group) for group in groups])):
            yield start, stop + 1, data
