"""Segments: their headers in the contents, and where their blocks are in the archive."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import xxhash

from .errors import GraphCodableError
from .filters import MOST_FILTERS, SIZE, Filter, are_possible
from .kinds import packed_format
from .varint import Reader

GRAPH, INDEX, BULK = 0, 1, 2
LZ4, NUMBERS = 1, 2
MAX_RAW, MAX_BLOCK, MAX_ELEMENT = 1 << 56, 1 << 22, 1 << 20
ENTRY = np.dtype([("size", "<u4"), ("hash", "<u8")])


# What segments that are not compressed begin at a multiple of, if nothing else was asked for; and the largest alignment.
ALIGNMENT, MOST_ALIGNMENT = 64, 1 << 20
# Those flags of a segment that a reader must understand.
UNDERSTOOD = 0x00FF


def aligned(offset: int, unit: int = ALIGNMENT) -> int:
    """The next multiple of the unit."""
    return -(-offset // unit) * unit


@dataclass
class Segment:
    """A segment header of the contents, and where its segment stands in the archive."""

    kind: int
    codec: int
    width: int  # Of numbers with their codec; 0 where blocks have LZ4.
    format: int
    raw_size: int
    block_size: int
    element_size: int
    alignment: int
    unknown: str | None  # What compressed blocks need and this version does not know.
    filters: tuple[Filter, ...]
    entries: np.ndarray[Any, Any]
    header: bytes
    padding_start: int = 0
    offset: int = 0
    blocks_offset: int = 0
    end: int = 0

    @property
    def kind_name(self) -> str:
        return ("graph", "objectIndex", "bulk")[self.kind]

    def place(self, previous_end: int) -> None:
        """Sets where the segment stands, by where the one before ends."""
        self.padding_start = previous_end
        self.offset = aligned(previous_end, self.alignment)
        self.blocks_offset = aligned(self.offset + len(self.header), self.alignment)
        self.starts = np.zeros(len(self.entries) + 1, np.int64)
        np.cumsum(self.entries["size"], out=self.starts[1:])
        self.end = self.blocks_offset + int(self.starts[-1])

    def check_known(self, block: int) -> None:
        """Refuses a compressed block that needs what this version does not know."""
        if self.unknown is not None and int(self.entries["size"][block]) != self.raw_block_size(block):
            raise self.unknown_error()

    def unknown_error(self) -> GraphCodableError:
        message = f"the {self.kind_name} segment: {self.unknown} is not known to this version of the package; update it to read this"
        return GraphCodableError(None, message, self.offset, code="unsupported")

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
    count, filter_count, exponent, flags = reader.u32(), reader.u8(), reader.u8(), reader.u8() | reader.u8() << 8
    parameter = reader.u32()
    reader.take(4)  # Reserved.
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
    if filter_count > MOST_FILTERS or 1 << exponent > MOST_ALIGNMENT:
        raise reader.error("S4", f"codec {codec} with {filter_count} filters and alignment 2^{exponent}")
    filters: list[Filter] = []
    for _ in range(filter_count):
        found = Filter.parsed(reader.take(SIZE))
        if not are_possible([*filters, found], codec):
            raise reader.error("S4", f"{found}, behind {len(filters)} others and with codec {codec}")
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
        wrong = (sizes > raw_sizes) | (sizes * 255 < raw_sizes if codec <= NUMBERS else sizes < 1)
    if wrong.any():
        raise reader.error("S6", f"block {int(wrong.argmax())} has a size that cannot be")
    stored_hash = reader.u64()
    header = reader.data[start : reader.position]
    if xxhash.xxh3_64_intdigest(header[:-8]) != stored_hash:
        reader.position = start
        raise reader.error("S7", "the contents: a segment's header does not match its hash")
    unknown = unknown_part(codec, parameter, filters, flags)
    width = parameter if codec == NUMBERS else 0
    return Segment(kind, codec, width, number, raw, block, element, 1 << exponent, unknown, tuple(filters), entries, header)


def unknown_part(codec: int, parameter: int, filters: list[Filter], flags: int) -> str | None:
    """What compressed blocks need and this version does not know."""
    if codec > NUMBERS:
        return f"codec {codec}"
    if parameter not in ((1, 2, 4, 8) if codec == NUMBERS else (0,)):
        return f"parameter {parameter} of codec {codec}"
    for each in filters:
        if not each.is_known:
            return f"flag {each.flags} of filter {each.number}" if each.flags else f"filter {each.number}"
    return f"flag {flags & UNDERSTOOD} of a segment" if flags & UNDERSTOOD else None
