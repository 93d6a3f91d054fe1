"""Blocks of an archive in pieces that are made of other ones: with some bytes replaced, or by differences of numbers."""

from __future__ import annotations

from dataclasses import dataclass

import lz4.block
import numpy as np
import xxhash

from . import planes
from .blocks import unfiltered
from .errors import GraphCodableError
from .filters import BIT_SHUFFLE, QUANTISED, ROUNDED, Bytes, Filter, done, undone, unzigzagged
from .source import Source
from .varint import Reader

STORED_LEVEL = 255
Filters = tuple[Filter, ...]
Run = tuple[int, int]  # Where bytes lie in the file, and how many.


@dataclass(frozen=True)
class Extent:
    """Bytes of an archive, as they lie in the file."""

    offset: int
    size: int
    runs: tuple[Run, ...]

    @property
    def end(self) -> int:
        return self.offset + self.size


@dataclass(frozen=True)
class Derived(Extent):
    """One block of an archive. The first run has the stored bytes of the block that it is made of."""

    raw_size: int
    level: int
    raw_hash: int

    def filtered(self, source: Source) -> bytes:
        """The block before LZ4."""
        raise NotImplementedError

    def block(self, source: Source, size: int, filters: Filters, out: Bytes | None) -> Bytes | None:
        """The block before the filters of its segment, perhaps in `out`; `None` where it has not `size` bytes."""
        raise NotImplementedError

    @property
    def ends_with_bits(self) -> bool:
        """Whether the last filter of the block is a bit shuffle, behind which the fast level is another compressor."""
        return False

    def stored(self, source: Source) -> bytes:
        """The bytes that the archive has. Other releases of LZ4 make other ones, which the hash in the segment header finds."""
        data = self.filtered(source)
        if self.level == 0 and self.ends_with_bits:
            data = planes.compressed(data) or b""
        elif self.level != STORED_LEVEL:
            method = {"mode": "high_compression", "compression": self.level} if self.level else {"mode": "fast"}
            data = lz4.block.compress(data, store_size=False, **method)
        if len(data) != self.size:
            raise GraphCodableError("S11", "LZ4 makes other bytes of a block than were stored", self.offset)
        return data

    def error(self, message: str, code: str = "damaged") -> GraphCodableError:
        return GraphCodableError("X8", message, self.offset, "series", code)

    def expanded(self, source: Source, run: Run, what: str) -> bytes:
        """What LZ4 has made a run of."""
        try:
            data: bytes = lz4.block.decompress(source.read(*run), uncompressed_size=self.raw_size)
        except (lz4.block.LZ4BlockError, ValueError):
            raise self.error(f"{what} do not expand") from None
        if len(data) != self.raw_size:
            raise self.error(f"{what} expand to another number of bytes")
        return data

    def other(self, source: Source) -> bytes:
        """The block that this one is made of, before LZ4."""
        run = self.runs[0]
        return bytes(source.read(*run)) if run[1] == self.raw_size else self.expanded(source, run, "the bytes of another block")

    def check(self, data: bytearray | memoryview) -> None:
        if xxhash.xxh3_128_intdigest(data) & (1 << 64) - 1 != self.raw_hash:
            raise self.error("a block that is made of another one does not match its hash")


@dataclass(frozen=True)
class Overlaid(Derived):
    """A block with some of the bytes of another one replaced."""

    def filtered(self, source: Source) -> bytes:
        block = bytearray(self.other(source))
        for at, size in self.runs[1:]:
            reader, position = Reader(bytes(source.read(at, size)), at, "X8", "series"), 0
            while reader.left:
                position += reader.varint()
                new = reader.take(reader.varint())
                if position + len(new) > len(block):
                    raise self.error("an overlay goes beyond its block", "malformed")
                block[position : position + len(new)] = new
                position += len(new)
        self.check(block)
        return bytes(block)

    def block(self, source: Source, size: int, filters: Filters, out: Bytes | None) -> Bytes | None:
        return unfiltered(self.filtered(source), self.size, size, filters, out)


@dataclass(frozen=True)
class Method:
    """How numbers are made of a block, of the other one, and of the differences: the bytes of one, and lists of filters."""

    width: int
    own: Filters
    other: Filters
    differences: Filters


@dataclass(frozen=True)
class Differences(Derived):
    """A block whose numbers are those of another one and a difference each."""

    method: Method

    @property
    def ends_with_bits(self) -> bool:
        return bool(self.method.own) and self.method.own[-1].number == BIT_SHUFFLE

    def numbers(self, source: Source) -> Bytes:
        """What all filters but a quantised one are undone of."""
        method = self.method
        expanded = self.expanded(source, self.runs[1], "differences")
        result = undone(np.frombuffer(expanded, np.uint8), method.differences).copy()
        other = undone(np.frombuffer(self.other(source), np.uint8), unquantised(method.other))
        whole = len(result) // method.width * method.width
        integers = result[:whole].view(f"<u{method.width}")
        integers[...] = unzigzagged(integers)
        integers += other[:whole].view(integers.dtype)
        self.check(result.data)
        return result

    def filtered(self, source: Source) -> bytes:
        return done(self.numbers(source), unquantised(self.method.own)).tobytes()

    def block(self, source: Source, size: int, filters: Filters, out: Bytes | None) -> Bytes | None:
        if self.raw_size != size:
            return None
        own = () if self.size == size else tuple(each for each in filters if each.number != ROUNDED)
        if self.method.own != own:
            raise self.error("the filters of a block of differences are not those of its segment")
        return undone(self.numbers(source), [each for each in own if each.number == QUANTISED])


def unquantised(filters: Filters) -> Filters:
    return tuple(each for each in filters if each.number != QUANTISED)
