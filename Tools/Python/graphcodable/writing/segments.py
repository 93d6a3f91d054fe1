"""Segments: cut into blocks, filtered, compressed."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from dataclasses import dataclass

import lz4.block
import numpy as np
import xxhash

from ..segment import BULK, ENTRY, MAX_BLOCK, pool
from .nodes import Bulk, Bytes

STORED, LZ4 = 0, 1
SAMPLE_PIECES, SAMPLE_PIECE = 8, 1 << 14
# What compression has to gain on a sample.
FEWEST_GAIN = 32


@dataclass(frozen=True)
class Written:
    """A segment: its header, and its stored blocks."""

    header: bytes
    blocks: list[memoryview | bytes]


def segment(kind: int, bulk: Bulk, compressed: bool) -> Written:
    """A segment of whole elements, in blocks of as many as fit."""
    data, size = bulk.data, bulk.element_size
    block_size = max(MAX_BLOCK // size, 1) * size
    codec, shuffle = choice(bulk, compressed)
    pieces = [data[start : start + block_size] for start in range(0, len(data), block_size)]

    def stored(piece: Bytes) -> memoryview | bytes:
        if codec == LZ4:
            short = compress(piece, shuffle)
            if len(short) < len(piece):
                return short
        return piece.data

    def entry(block: memoryview | bytes) -> tuple[int, int]:
        return len(block), xxhash.xxh3_64_intdigest(block)

    many = len(pieces) > 1
    blocks = list(pool().map(stored, pieces)) if many else [stored(piece) for piece in pieces]
    entries = np.array(list(pool().map(entry, blocks) if many else map(entry, blocks)), ENTRY)
    header = b"GSEG" + struct.pack("<BBHQIIII", kind, codec, bulk.format, len(data), block_size, size, len(blocks), shuffle > 0)
    if shuffle:
        header += struct.pack("<BBH", 1, 0, shuffle)
    header += entries.tobytes()
    return Written(header + xxhash.xxh3_64_intdigest(header).to_bytes(8, "little"), blocks)


def choice(bulk: Bulk, compressed: bool) -> tuple[int, int]:
    """Codec, and bytes of the groups that are shuffled (0 for none): what makes a sample shortest."""
    if not compressed:
        return STORED, 0
    data, size = bulk.data, bulk.element_size
    if bulk.format == 0 and size == 1:
        return LZ4, 0  # The graph stream, or the object index.
    length = max(SAMPLE_PIECE // size, 1) * size
    if len(data) <= SAMPLE_PIECES * length:
        samples = [data]
    else:
        step = (len(data) - length) // (SAMPLE_PIECES - 1) // size * size
        samples = [data[index * step : index * step + length] for index in range(SAMPLE_PIECES)]
    shuffles = [0, *sorted({each for each in (bulk.scalar_size, size) if 2 <= each <= 255})]
    sizes = [sum(len(compress(sample, each)) for sample in samples) for each in shuffles]
    best, whole = min(sizes), sum(map(len, samples))
    if best + whole // FEWEST_GAIN > whole:
        return STORED, 0
    return LZ4, shuffles[sizes.index(best)]


def compress(piece: Bytes, shuffle: int) -> bytes:
    return bytes(lz4.block.compress(shuffled(piece, shuffle) if shuffle else piece, store_size=False))


def shuffled(data: Bytes, size: int) -> Bytes:
    """The bytes of groups of `size` bytes, the first of all groups first; see `segment.unshuffle`."""
    groups = len(data) // size
    whole = groups * size
    result = np.empty_like(data)
    result[:whole].reshape(size, groups)[...] = data[:whole].reshape(groups, size).T
    result[whole:] = data[whole:]
    return result


def parts(written: Written, offset: int) -> Iterator[bytes | memoryview]:
    """What stands in a file from `offset` on: header, padding, blocks."""
    yield written.header
    yield bytes(-(offset + len(written.header)) % 64)
    yield from written.blocks


def run(data: bytes) -> Bulk:
    """A graph stream as what a segment is made of."""
    return Bulk(np.frombuffer(data, np.uint8), 0, 1, 1)


__all__ = ["BULK", "Written", "parts", "run", "segment"]
