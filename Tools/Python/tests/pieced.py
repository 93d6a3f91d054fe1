"""Makes series whose entries are arrays in pieces, by the words of the document."""

from __future__ import annotations

import struct
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import lz4.block
import numpy as np
import xxhash
from forge import digest, seal, u64, varint
from test_filters import quantised

from graphcodable.format.version import EXTENTS_OF_DIFFERENCES, OVERLAID_EXTENTS
from graphcodable.format.filters import BIT_SHUFFLE, QUANTISED, ROUNDED, Filter, done
from graphcodable.format.planes import compressed as planes_compressed

BLOCK = 4096
FORMATS = {"u1": 5, "u2": 6, "u4": 7, "u8": 8, "f4": 10, "f8": 11}
Numbers = np.ndarray[Any, Any]
Run = bytes | tuple[int, int]  # Bytes of its own, or how many there are, and how far before the header.


def numbers(raw: bytes, filters: Sequence[Filter]) -> Numbers:
    """The bytes of an array, or the integers that a quantised filter makes of them."""
    for each in filters:
        if each.number == QUANTISED:
            its = (quantised(x, each.width, each.parameter, each.step) for x in np.frombuffer(raw, f"<f{each.width}").tolist())
            return np.array(list(its), f"<u{each.width}").view(np.uint8)
    return np.frombuffer(raw, np.uint8)


def compressed(data: Numbers, filters: Sequence[Filter], level: int = 0) -> bytes:
    rest = [each for each in filters if each.number not in (QUANTISED, ROUNDED)]
    if level == 0 and rest and rest[-1].number == BIT_SHUFFLE and (planes := planes_compressed(done(data, rest).tobytes())):
        return planes
    method: dict[str, Any] = {"mode": "high_compression", "compression": level} if level else {}
    return bytes(lz4.block.compress(done(data, rest), store_size=False, **method))


@dataclass
class Made:
    """An archive of one array, and where its blocks are."""

    filters: Sequence[Filter]
    raw: list[bytes]
    stored: list[bytes]
    data: bytes
    blocks_offset: int

    @property
    def places(self) -> list[tuple[int, int]]:
        starts = np.cumsum([self.blocks_offset, *map(len, self.stored)]).tolist()
        return [(start, len(stored)) for start, stored in zip(starts, self.stored)]


def made(values: Numbers, filters: Sequence[Filter], is_compressed: bool = True, level: int = 0) -> Made:
    """An archive of an array in blocks of 4 KiB, which are compressed, or all stored as they are."""
    data = values.tobytes()
    raw = [data[start : start + BLOCK] for start in range(0, len(data), BLOCK)]
    stored = [compressed(numbers(each, filters), filters, level) if is_compressed else each for each in raw]
    header = b"GSEG" + struct.pack("<BBHQ", 2, 1, FORMATS[values.dtype.str[1:]], len(data))
    header += struct.pack("<IIIBBHII", BLOCK, values.itemsize, len(raw), len(filters), 0, 0, 0, 0)
    header += b"".join(each.data() for each in filters)
    header += b"".join(struct.pack("<I", len(each)) + digest(each) for each in stored)
    header += digest(header)
    stream = b"\x0b" + varint(FORMATS[values.dtype.str[1:]]) + varint(2 * len(values) + 1) + varint(0)
    archive = seal(header + b"".join(stored), bytes([1]) + varint(1) + header + varint(0) + varint(0) + stream)
    return Made(filters, raw, stored, archive, 40 + len(header))


@dataclass
class Pieces:
    """What the file stores of an archive whose header in front stands at `start`."""

    archive: bytes
    start: int
    own: bytes = b""
    extents: list[bytes] = field(default_factory=list)
    position: int = 0
    block_count: int = 0
    features: int = 0

    def take(self, size: int) -> None:
        """The next bytes of the archive, as they are."""
        self.own += bytes((self.position - self.start - 64 - len(self.own)) % 64)
        self.own += self.archive[self.position : self.position + size]
        self.derive(size, 0, b"")

    def derive(self, size: int, kind: int, about: bytes, *runs: Run) -> None:
        """An extent of any kind."""
        extent = varint(size) + bytes([kind]) + about
        for run in runs:
            extent += varint(len(run)) + varint(0) if isinstance(run, bytes) else varint(run[0]) + varint(run[1])
            self.own += run if isinstance(run, bytes) else b""
        self.extents.append(extent)
        self.features |= {2: OVERLAID_EXTENTS, 3: EXTENTS_OF_DIFFERENCES}.get(kind, 0)
        self.position += size

    def stored(self) -> bytes:
        table = varint(len(self.extents)) + b"".join(self.extents) + varint(self.block_count) + bytes(16 * self.block_count)
        size = 64 + len(self.own) + len(table)
        head = b"gcshared" + struct.pack("<HHIQQ", 1, self.features, len(table), size, len(self.archive)) + digest(table)
        head += self.archive[32:40] + bytes(8)
        return head + digest(head) + self.own + table


def series(parts: Sequence[tuple[bytes, bytes]]) -> bytes:
    """A series of archives, each with what is stored of it."""
    header = b"gcseries" + struct.pack("<H", 1) + bytes(46)
    result, previous = header + digest(header), digest(header)
    for number, (stored, archive) in enumerate(parts):
        start = len(result)
        result += stored + bytes(-len(stored) % 64)
        header_hash = stored[56:64] if stored[:8] == b"gcshared" else stored[32:40]
        record = b"gcrecord" + struct.pack("<IIQQQ", 128, 0, len(result), start, len(stored)) + header_hash
        record += u64(number) + previous + struct.pack("<qdQ", number, number / 2, len(archive)) + varint(0)
        record = record.ljust(112, b"\0") + u64(128)
        previous = digest(record)
        result += record + previous
    return result


def second_start(first: bytes) -> int:
    """Where the second entry of a series begins."""
    return 64 + -(-len(first) // 64) * 64 + 128


def low_hash(data: bytes) -> bytes:
    return u64(xxhash.xxh3_128_intdigest(data) & (1 << 64) - 1)


def filter_list(filters: Sequence[Filter]) -> bytes:
    return bytes([len(filters)]) + b"".join(each.data() for each in filters)
