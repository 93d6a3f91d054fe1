"""Segments: cut into blocks, filtered, compressed."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from dataclasses import dataclass

import lz4.block
import numpy as np
import xxhash

from ..format.filters import BIT_SHUFFLE, DELTA, SHUFFLE, Filter, done
from ..format.segment import ALIGNMENT, BULK, ENTRY, MAX_BLOCK
from ..format.segment_reader import pool
from .nodes import Bulk, Bytes

STORED, LZ4 = 0, 1
# Bytes of a block of elements that are shuffled, and of one of rows: the planes of a shuffle are seldom a power of two apart.
MOST_SHUFFLED, MOST_ROWS = (1 << 19) - 4096, MAX_BLOCK - 4096
SAMPLE_PIECES, SAMPLE_PIECE = 8, 1 << 14
# The part that compression, or a slower filter, has to gain on samples; and what a shuffle of bits has to, which holds LZ4 up.
LEAST_GAIN, LEAST_GAIN_OF_BITS = 32, 16


@dataclass(frozen=True)
class Written:
    """A segment: its codec and header, and its stored blocks."""

    codec: int
    header: bytes
    blocks: list[memoryview | bytes]


def segment(kind: int, bulk: Bulk, compressed: bool) -> Written:
    """A segment of whole elements, and of whole rows unless these are too long, in blocks of as many as fit."""
    data, size = bulk.data, bulk.element_size
    has_rows = size < bulk.row_size <= MAX_BLOCK
    most, unit = (MOST_ROWS, bulk.row_size) if has_rows else (MOST_SHUFFLED if size > 1 else MAX_BLOCK, size)
    block_size = max(most // unit, 1) * unit
    codec, filters = choice(bulk, compressed)
    pieces = [data[start : start + block_size] for start in range(0, len(data), block_size)]

    def stored(piece: Bytes) -> memoryview | bytes:
        if codec == LZ4:
            short = compress(piece, filters)
            if len(short) < len(piece):
                return short
        return piece.data

    def entry(block: memoryview | bytes) -> tuple[int, int]:
        return len(block), xxhash.xxh3_64_intdigest(block)

    many = len(pieces) > 1
    blocks = list(pool().map(stored, pieces)) if many else [stored(piece) for piece in pieces]
    entries = np.array(list(pool().map(entry, blocks) if many else map(entry, blocks)), ENTRY)
    header = b"GSEG" + struct.pack(
        "<BBHQIIIBBHII", kind, codec, bulk.format, len(data), block_size, size, len(blocks), len(filters),
        alignment(codec).bit_length() - 1, 0, 0, 0,
    )
    header += b"".join(each.data() for each in filters) + entries.tobytes()
    return Written(codec, header + xxhash.xxh3_64_intdigest(header).to_bytes(8, "little"), blocks)


def alignment(codec: int) -> int:
    return ALIGNMENT if codec == STORED else 1


def choice(bulk: Bulk, compressed: bool) -> tuple[int, list[Filter]]:
    """Codec and filters: what makes samples shortest, and the faster way unless another one gains enough."""
    if not compressed:
        return STORED, []
    data, size = bulk.data, bulk.element_size
    if bulk.format == 0 and size == 1:
        return LZ4, []  # The graph stream, or the object index.
    length = max(SAMPLE_PIECE // size, 1) * size
    if len(data) <= SAMPLE_PIECES * length:
        samples = [data]
    else:
        step = (len(data) - length) // (SAMPLE_PIECES - 1) // size * size
        samples = [data[index * step : index * step + length] for index in range(SAMPLE_PIECES)]
    best: tuple[int, list[Filter]] = (STORED, [])
    best_size = sum(map(len, samples))
    for filters in candidates(bulk):
        its = sum(len(compress(sample, filters)) for sample in samples)
        gain = LEAST_GAIN_OF_BITS if filters and filters[-1].number == BIT_SHUFFLE else LEAST_GAIN
        if its + best_size // gain < best_size:
            best, best_size = (LZ4, filters), its
    return best


def candidates(bulk: Bulk) -> list[list[Filter]]:
    """Lists of filters, those that are undone faster first."""
    size, scalar = bulk.element_size, bulk.scalar_size
    found: list[list[Filter]] = [[]]
    found += [[Filter(SHUFFLE, 0, each, 0)] for each in sorted({scalar, size}) if 2 <= each <= 255]
    if scalar in (1, 2, 4, 8) and not bulk.is_real:
        delta = Filter(DELTA, scalar, size // scalar, 0)
        found.append([delta, Filter(SHUFFLE, 0, scalar, 0)] if scalar > 1 else [delta])
    if 1 < scalar <= 16:
        found.append([Filter(BIT_SHUFFLE, 0, scalar, 0)])
    return found


def compress(piece: Bytes, filters: list[Filter]) -> bytes:
    # Without acceleration, noise gets short matches that save nothing and take long to expand.
    return bytes(lz4.block.compress(done(piece, filters), "fast", acceleration=2, store_size=False))


def parts(written: Written, offset: int) -> Iterator[bytes | memoryview]:
    """What stands in an archive from `offset` on: header and blocks, with padding in front of both where nothing is compressed."""
    unit = alignment(written.codec)
    yield bytes(-offset % unit)
    yield written.header
    yield bytes(-len(written.header) % unit)
    yield from written.blocks


def run(data: bytes) -> Bulk:
    """A graph stream as what a segment is made of."""
    return Bulk(np.frombuffer(data, np.uint8), 0, 1, 1, False)


__all__ = ["BULK", "Written", "parts", "run", "segment"]
