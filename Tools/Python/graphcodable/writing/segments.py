"""Segments: cut into blocks, filtered, compressed."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import xxhash

from ..format.filters import QUANTISED, Filter, done, undone
from ..format.segment import ALIGNMENT, BULK, ENTRY
from ..format.segment_reader import pool
from .candidates import Form
from .nodes import Bulk, Bytes
from .precision import note
from .rounding import Rounding
from .trial import Trial, compress

STORED, LZ4 = 0, 1
# Bytes of a block or a row; of a block of elements that are shuffled, and of one of rows: the planes of a shuffle are seldom a power
# of two apart.
MOST_BYTES, MOST_SHUFFLED, MOST_ROWS = 1 << 20, (1 << 19) - 4096, (1 << 20) - 4096


@dataclass(frozen=True)
class Written:
    """A segment: its codec and header, and its stored blocks."""

    codec: int
    header: bytes
    blocks: list[memoryview | bytes]


def segment(kind: int, bulk: Bulk, compressed: bool) -> Written:
    """A segment of whole elements, and of whole rows unless these are too long, in blocks of as many as fit."""
    data, size = bulk.data, bulk.element_size
    has_rows = size < bulk.row_size <= MOST_BYTES
    most, unit = (MOST_ROWS, bulk.row_size) if has_rows else (MOST_SHUFFLED if size > 1 else MOST_BYTES, size)
    block_size = max(most // unit, 1) * unit
    codec, filters, rounding = choice(bulk, block_size, compressed)
    pieces = [data[start : start + block_size] for start in range(0, len(data), block_size)]

    def stored(piece: Bytes) -> memoryview | bytes:
        if rounding is not None:
            piece = rounding.rounded(piece)
        if codec == LZ4:
            short = compress(piece, filters)
            if len(short) < len(piece):
                return short
        # As it is, but for what the filter of a precision makes of its numbers.
        if filters and filters[0].number == QUANTISED:
            piece = undone(done(piece, filters[:1]), filters[:1])
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


def choice(bulk: Bulk, block_size: int, compressed: bool) -> tuple[int, list[Filter], Rounding | None]:
    """Codec, filters, and how elements are rounded in place."""
    about = [note(bulk.precision)] if bulk.precision is not None else []
    if not compressed:
        return STORED, about, bulk.rounding
    if bulk.format == 0 and bulk.element_size == 1:
        return LZ4, [], None  # The graph stream, or the object index.
    form = Form.of(bulk, block_size)
    # Its filter rounds them.
    rounding = bulk.rounding if form.quantised is None else None
    first = about if form.quantised is None else [form.quantised]
    filters = Trial(bulk.data, form, block_size, first, rounding).best()
    return (STORED, about, bulk.rounding) if filters is None else (LZ4, filters, rounding)


def parts(written: Written, offset: int) -> Iterator[bytes | memoryview]:
    """What stands in an archive from `offset` on: header and blocks, with padding in front of both where nothing is compressed."""
    unit = alignment(written.codec)
    yield bytes(-offset % unit)
    yield written.header
    yield bytes(-len(written.header) % unit)
    yield from written.blocks


def run(data: bytes) -> Bulk:
    """A graph stream as what a segment is made of."""
    return Bulk(np.frombuffer(data, np.uint8), 0, 1, 1)


__all__ = ["BULK", "Written", "parts", "run", "segment"]
