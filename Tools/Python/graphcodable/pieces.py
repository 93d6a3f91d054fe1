"""Archives of a series that are stored in pieces: blocks that earlier entries have are not there again."""

from __future__ import annotations

import struct
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import lz4.block
import xxhash

from .errors import GraphCodableError
from .source import Source
from .varint import Reader
from .version import UNDERSTOOD, VERSION

MAGIC = b"gcshared"
HEADER_SIZE, ARCHIVE_HEADER_SIZE = 64, 40
OWN, SHARED, OVERLAID = 0, 1, 2
MOST_OVERLAYS, MOST_LEVEL, STORED_LEVEL = 32, 12, 255
MOST_BLOCK, MOST_EXPANSION = 1 << 20, 255
FINGERPRINT = 16


@dataclass(frozen=True)
class Header:
    """What stands in front of an archive in pieces."""

    table_size: int
    stored_size: int
    size: int
    table_hash: int
    archive_hash: int

    @staticmethod
    def found(data: bytes) -> bytes | None:
        """The header that the bytes begin with, if its magic and its hash are right."""
        head = data[:HEADER_SIZE]
        if len(head) < HEADER_SIZE or head[:8] != MAGIC:
            return None
        return head if xxhash.xxh3_64_intdigest(head[:56]) == int.from_bytes(head[56:], "little") else None

    @staticmethod
    def parsed(head: bytes, offset: int) -> Header:
        version, features, table, stored, size, table_hash, archive_hash, reserved = struct.unpack(
            "<HHIQQQQQ", head[8:56]
        )
        if version != VERSION or features & UNDERSTOOD:
            message = f"an archive in pieces of version {version} with the features {features:#x}"
            raise GraphCodableError("X1", message, offset + 8, "series")
        if reserved or table < 1 or size <= ARCHIVE_HEADER_SIZE or stored < HEADER_SIZE + table:
            raise GraphCodableError("X1", "the header of an archive in pieces has sizes that cannot be", offset, "series")
        return Header(table, stored, size, table_hash, archive_hash)


Run = tuple[int, int]  # Where bytes lie in the file, and how many.


@dataclass(frozen=True)
class Extent:
    """Bytes of an archive: as they lie in the file, or a block made of another one."""

    offset: int
    size: int
    runs: tuple[Run, ...]
    raw_size: int = 0
    level: int | None = None
    raw_hash: int = 0

    @property
    def end(self) -> int:
        return self.offset + self.size


class PiecesSource:
    """The whole archive, whose bytes are read from where the file has them."""

    def __init__(self, source: Source, start: int, header: Header) -> None:
        self.source, self.start, self.header = source, start, header
        self.is_view = source.is_view
        at = start + header.stored_size - header.table_size
        table = bytes(source.read(at, header.table_size))
        if xxhash.xxh3_64_intdigest(table) != header.table_hash:
            raise GraphCodableError("X2", "a table of extents does not match its hash", at, "series")
        self._parse(Reader(table, at, "X3", "series"), at)
        self.ends = [extent.end for extent in self.extents]
        self.has_overlaid = any(extent.level is not None for extent in self.extents)
        head = bytes(self.read(0, ARCHIVE_HEADER_SIZE))
        if int.from_bytes(head[32:], "little") != header.archive_hash:
            raise GraphCodableError("X6", "the archive is not that of its header in front", start, "series")

    def _parse(self, reader: Reader, table_at: int) -> None:
        self.extents: list[Extent] = []
        position, own_end = 0, self.start + HEADER_SIZE
        taken: list[Run] = []
        self.gaps: list[Run] = []

        def own(size: int, offset: int | None) -> Run:
            nonlocal own_end
            at = own_end if offset is None else own_end + (offset - own_end) % 64
            if at > table_at or size > table_at - at:
                raise reader.error("X3", f"{size} bytes of its own are not there")
            if at > own_end:
                self.gaps.append((own_end, at - own_end))
            own_end = at + size
            return at, size

        def shared(size: int, distance: int) -> Run:
            at = self.start - distance
            if at < HEADER_SIZE or size > distance:
                raise reader.error("X4", f"{size} bytes are {distance} before the header")
            return at, size

        def overlaid(size: int) -> Extent:
            raw, level, raw_hash, count = reader.varint(), reader.u8(), reader.u64(), reader.varint()
            if count > MOST_OVERLAYS:
                raise reader.error("X3", f"{count} overlays")
            runs = []
            for _ in range(count + 1):
                run_size, distance = reader.varint(), reader.varint()
                runs.append(shared(run_size, distance) if distance else own(run_size, None))
            is_possible = 1 <= raw <= MOST_BLOCK and all(run[1] for run in runs)
            is_possible &= size == raw if level == STORED_LEVEL else level <= MOST_LEVEL and size < raw
            if not is_possible or not runs[0][1] <= raw <= MOST_EXPANSION * runs[0][1]:
                raise reader.error("X3", f"a block of {raw} bytes cannot be made of another one")
            return Extent(position, size, tuple(runs), raw, level, raw_hash)

        for _ in range(reader.varint()):
            size, kind = reader.varint(), reader.u8()
            if not 0 < size <= self.header.size - position:
                raise reader.error("X3", f"an extent of {size} bytes")
            if kind == OWN:
                extent = Extent(position, size, (own(size, position),))
            elif kind == SHARED:
                extent = Extent(position, size, (shared(size, reader.varint()),))
            elif kind == OVERLAID:
                extent = overlaid(size)
            else:
                raise reader.error("X3", f"an extent of kind {kind}")
            self.extents.append(extent)
            taken.extend(extent.runs)
            position += size
        if position != self.header.size or own_end != table_at:
            raise reader.error("X3", "the extents do not cover the archive and what is stored of it")
        self.block_count = reader.varint()
        if reader.left != FINGERPRINT * self.block_count:
            raise reader.error("X3", f"fingerprints of {self.block_count} blocks in {reader.left} bytes")
        end = 0
        for at, size in sorted(taken):
            if at < end:
                raise reader.error("X5", f"the bytes of the file from {at} on are there twice")
            end = at + size

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
        if extent.level is None:
            return self.source.read(extent.runs[0][0] + skipped, count)
        # Other releases of LZ4 make other bytes: then the hash in the segment header is another one.
        raw = self._laid(extent)
        if extent.level != STORED_LEVEL:
            method = {"mode": "high_compression", "compression": extent.level} if extent.level else {"mode": "fast"}
            raw = lz4.block.compress(raw, store_size=False, **method)
        if len(raw) != extent.size:
            raise GraphCodableError("S11", "LZ4 makes other bytes of a block than were stored", extent.offset)
        return memoryview(raw)[skipped : skipped + count]

    def read_many(self, extents: Sequence[tuple[int, int]]) -> Iterator[memoryview]:
        pieces = [list(self._pieces(*extent)) for extent in extents]
        plain = (piece for each in pieces for piece in each if piece[0].level is None)
        found = self.source.read_many([(extent.runs[0][0] + skipped, count) for extent, skipped, count in plain])
        for each in pieces:
            parts = [next(found) if piece[0].level is None else self._piece(*piece) for piece in each]
            yield parts[0] if len(parts) == 1 else memoryview(b"".join(parts))

    def place(self, offset: int, count: int) -> int | None:
        """Where a range of the archive lies in the file, if that is one piece."""
        extent, skipped, found = next(self._pieces(offset, count))
        return extent.runs[0][0] + skipped if found == count and extent.level is None else None

    def overlaid(self, offset: int, count: int) -> bytes | None:
        """A block before LZ4, if it is made of another one."""
        extent, skipped, found = next(self._pieces(offset, count))
        return self._laid(extent) if extent.level is not None and not skipped and found == count == extent.size else None

    def _laid(self, extent: Extent) -> bytes:
        (at, size), *overlays = extent.runs

        def error(message: str) -> GraphCodableError:
            return GraphCodableError("X8", message, extent.offset, "series")

        stored = bytes(self.source.read(at, size))
        try:
            base = stored if size == extent.raw_size else lz4.block.decompress(stored, uncompressed_size=extent.raw_size)
        except (lz4.block.LZ4BlockError, ValueError):
            raise error("the other block of an overlaid one does not expand") from None
        if len(base) != extent.raw_size:
            raise error("the other block of an overlaid one has another number of bytes")
        block = bytearray(base)
        for at, size in overlays:
            reader, position = Reader(bytes(self.source.read(at, size)), at, "X8", "series"), 0
            while reader.left:
                position += reader.varint()
                new = reader.take(reader.varint())
                if position + len(new) > len(block):
                    raise error("an overlay goes beyond its block")
                block[position : position + len(new)] = new
                position += len(new)
        if xxhash.xxh3_128_intdigest(block) & (1 << 64) - 1 != extent.raw_hash:
            raise error("an overlaid block does not match its hash")
        return bytes(block)
