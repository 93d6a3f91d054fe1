"""Segments: their headers in the contents, and where their blocks are in the archive."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import xxhash

from .filters import MOST_FILTERS, SIZE, Filter, are_possible
from .kinds import packed_format
from .varint import Reader

GRAPH, INDEX, BULK = 0, 1, 2
MAX_RAW, MAX_BLOCK = 1 << 56, 1 << 20
ENTRY = np.dtype([("size", "<u4"), ("hash", "<u8")])


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
        reader.position = start
        raise reader.error("S7", "the contents: a segment's header does not match its hash")
    return Segment(kind, codec, number, raw, block, element, tuple(filters), entries, header)
