"""Archives of a series that are stored in pieces: blocks that earlier entries have are not there again."""

from __future__ import annotations

import struct
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import xxhash

from .derived import Derived, Extent
from .errors import GraphCodableError
from .extents import Table
from .segment import Segment
from .source import Source
from .varint import Reader
from .version import EXTENTS_OF_DIFFERENCES, OVERLAID_EXTENTS, refusal

MAGIC = b"gcshared"
HEADER_SIZE, ARCHIVE_HEADER_SIZE = 64, 40


@dataclass(frozen=True)
class Header:
    """What stands in front of an archive in pieces."""

    table_size: int
    stored_size: int
    size: int
    table_hash: int
    archive_hash: int
    features: int

    @staticmethod
    def found(data: bytes) -> bytes | None:
        """The header that the bytes begin with, if its magic and its hash are right."""
        head = data[:HEADER_SIZE]
        if len(head) < HEADER_SIZE or head[:8] != MAGIC:
            return None
        return head if xxhash.xxh3_64_intdigest(head[:56]) == int.from_bytes(head[56:], "little") else None

    @staticmethod
    def parsed(head: bytes, offset: int) -> Header:
        version, features, table, stored, size, table_hash, archive_hash, _ = struct.unpack(
            "<HHIQQQQQ", head[8:56]
        )
        refused = refusal("the archive", version, features & ~(OVERLAID_EXTENTS | EXTENTS_OF_DIFFERENCES))
        if refused is not None:
            raise GraphCodableError("X1", refused[0], offset + refused[1], "series", "unsupported")
        if table < 1 or size <= ARCHIVE_HEADER_SIZE or stored < HEADER_SIZE + table:
            raise GraphCodableError("X1", "the header of an archive in pieces has sizes that cannot be", offset, "series")
        return Header(table, stored, size, table_hash, archive_hash, features)


class PiecesSource:
    """The whole archive, whose bytes are read from where the file has them."""

    def __init__(self, source: Source, start: int, header: Header) -> None:
        self.source, self.start, self.header = source, start, header
        self.is_view = source.is_view
        at = start + header.stored_size - header.table_size
        table = bytes(source.read(at, header.table_size))
        if xxhash.xxh3_64_intdigest(table) != header.table_hash:
            raise GraphCodableError("X2", "the table of extents does not match its checksum", at, "series")
        found = Table(Reader(table, at, "X3", "series"), header.features, start, start + HEADER_SIZE, at, header.size)
        self.extents, self.gaps, self.block_count = found.extents, found.gaps, found.block_count
        self.ends = [extent.end for extent in self.extents]
        self.has_derived = any(isinstance(extent, Derived) for extent in self.extents)
        head = bytes(self.read(0, ARCHIVE_HEADER_SIZE))
        if int.from_bytes(head[32:], "little") != header.archive_hash:
            raise GraphCodableError("X6", "the archive is not that of its header in front", start, "series")

    @property
    def size(self) -> int:
        return self.header.size

    def _pieces(self, offset: int, count: int) -> Iterator[tuple[Extent, int, int]]:
        """Extents of a range of the archive, with how many of their bytes are in front of it and in it."""
        if offset < 0 or offset + count > self.size:
            raise GraphCodableError("H6", f"{count} bytes are asked for behind the end", offset)
        end, index = offset + count, bisect_right(self.ends, offset)
        while offset < end:
            extent = self.extents[index]
            until = min(extent.end, end)
            yield extent, offset - extent.offset, until - offset
            offset, index = until, index + 1

    def read(self, offset: int, count: int) -> memoryview:
        parts = [self._piece(*piece) for piece in self._pieces(offset, count)]
        return parts[0] if len(parts) == 1 else memoryview(b"".join(parts))

    def _piece(self, extent: Extent, skipped: int, count: int) -> memoryview:
        if isinstance(extent, Derived):
            return memoryview(extent.stored(self.source))[skipped : skipped + count]
        return self.source.read(extent.runs[0][0] + skipped, count)

    def read_many(self, extents: Sequence[tuple[int, int]]) -> Iterator[memoryview]:
        pieces = [list(self._pieces(*extent)) for extent in extents]
        plain = (piece for each in pieces for piece in each if not isinstance(piece[0], Derived))
        found = self.source.read_many([(extent.runs[0][0] + skipped, count) for extent, skipped, count in plain])
        for each in pieces:
            parts = [self._piece(*piece) if isinstance(piece[0], Derived) else next(found) for piece in each]
            yield parts[0] if len(parts) == 1 else memoryview(b"".join(parts))

    def place(self, offset: int, count: int) -> int | None:
        """Where a range of the archive lies in the file, if that is one piece."""
        extent, skipped, found = next(self._pieces(offset, count))
        return extent.runs[0][0] + skipped if found == count and not isinstance(extent, Derived) else None

    def check_blocks(self, segments: Sequence[Segment]) -> None:
        """Checks that what is made of other blocks is a block of the archive, so that nothing is expanded twice."""
        if not self.has_derived:
            return
        blocks: dict[int, tuple[int, int]] = {}
        for segment in segments:
            for block, size in enumerate(segment.entries["size"].tolist()):
                blocks[segment.blocks_offset + int(segment.starts[block])] = (size, segment.raw_block_size(block))
        for extent in self.extents:
            if isinstance(extent, Derived) and blocks.get(extent.offset) != (extent.size, extent.raw_size):
                raise extent.error(f"{extent.size} bytes that are made of another block are no block")

    def derived(self, offset: int, count: int) -> Derived | None:
        """The extent of a block that is made of another one."""
        extent, skipped, found = next(self._pieces(offset, count))
        if isinstance(extent, Derived) and not skipped and found == count == extent.size:
            return extent
        return None
