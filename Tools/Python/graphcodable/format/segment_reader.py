"""The bytes of segments: blocks are read, checked and expanded, on several threads where there are many."""

from __future__ import annotations

import os
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import cache

import numpy as np
import xxhash

from . import native
from .blocks import expanded
from .errors import GraphCodableError
from .filters import Bytes, packed
from .pieces import PiecesSource
from .segment import Segment
from .source import Source

# Shorter runs of bytes are expanded on the thread that asks for them.
FEWEST_FOR_THREADS = 4 << 20
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
            raise GraphCodableError("S10", f"the header of a segment ({s.kind_name}) is not the one that the contents have", s.offset)
        for padding in (slice(0, start), slice(end, None)):
            if any(front[padding]):
                raise GraphCodableError("S10", "the padding around a segment's header is not zero", s.offset)
        self.header_checked = True

    def extent(self, first: int, last: int) -> tuple[int, int]:
        """Offset and size of some blocks in the archive."""
        starts = self.segment.starts
        return self.segment.blocks_offset + int(starts[first]), int(starts[last + 1] - starts[first])

    def check(self, block: int, stored: memoryview) -> None:
        if xxhash.xxh3_64_intdigest(stored) != int(self.segment.entries["hash"][block]):
            raise self.hash_error(block)

    def check_stored(self, block: int) -> None:
        """Compares a block's stored bytes with their hash."""
        self.check(block, self.source.read(*self.extent(block, block)))

    def hash_error(self, block: int) -> GraphCodableError:
        message = f"block {block} of the {self.segment.kind_name} segment does not match its checksum"
        return GraphCodableError("S11", message, self.extent(block, block)[0])

    def size_error(self, block: int) -> GraphCodableError:
        message = f"block {block} of the {self.segment.kind_name} segment cannot be expanded"
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
            self.segment.check_known(block)
            try:
                result = derived.block(self.pieces_source.source, size, self.segment.filters, out)
            except GraphCodableError as error:
                if error.code != "damaged":
                    raise
                message = "a block that is stored as a change of another one does not come out as it was"
                raise GraphCodableError(error.rule, message, self.extent(block, block)[0], code=error.code) from error
        else:
            if stored is None:
                stored = self.source.read(*self.extent(block, block))
            self.check(block, stored)
            self.segment.check_known(block)
            result = expanded(stored, size, self.segment.filters, out, self.segment.width)
        if result is None:
            raise self.size_error(block)
        if alone and out is None:
            # Kept, and so not for anybody to write to: what can be written to is the caller's own.
            result.flags.writeable = False
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
        if s.unknown is not None:
            for block in range(first, last + 1):
                s.check_known(block)
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
            result[low - start : high - start], low - raw_start, threads, s.width,
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
