"""Series: archives end to end in one file, each with a record behind it."""

from __future__ import annotations

import struct
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar

import xxhash

from ..graph.archive import Archive
from ..graph.reopening import Reopening
from ..format.contents import MAGIC as ARCHIVE_MAGIC
from ..format.contents import read_metadata
from .entries import Entries
from ..format.errors import GraphCodableError
from ..format.pieces import ARCHIVE_HEADER_SIZE
from ..format.pieces import MAGIC as PIECES_MAGIC
from ..format.pieces import Header, PiecesSource
from ..format.segment import aligned
from ..format.source import MemorySource, PartSource, Source
from ..format.varint import Reader
from ..format.version import VERSION, refusal

MAGIC, RECORD_MAGIC = b"gcseries", b"gcrecord"
HEADER_SIZE, FEWEST, MOST, TAIL = 64, 128, 1 << 20, 16
MOST_INDEXED = 63
WINDOW = 4096
EMPTY_HEADER = MAGIC + VERSION.to_bytes(2, "little") + bytes(46)
HEADER_HASH = xxhash.xxh3_64_intdigest(EMPTY_HEADER)
WHOLE_HEADER = EMPTY_HEADER + HEADER_HASH.to_bytes(8, "little")
# Bytes that a search may hash beyond those that it looks at.
SEARCH_SURPLUS = 64 << 20


def archive_of(entry: Entry) -> Archive:
    """The archive of an entry that was sent to another process."""
    return entry.archive


@dataclass(frozen=True)
class Entry:
    """One archive of a series, and what its record says of it. `archive` opens it.

    `size` is that of the whole archive. `stored_size` is less where earlier entries have some of its blocks.
    """

    number: int
    step: int
    time: float
    metadata: dict[str, str]
    offset: int
    size: int
    stored_size: int
    archive_hash: int
    previous_hash: int
    record_offset: int
    record_end: int
    record_hash: int
    index_size: int
    _source: Source = field(repr=False)

    @property
    def archive(self) -> Archive:
        """The whole archive, wherever the file has its bytes."""
        archive = Archive(self._opened())
        archive.reopening = archive.reader.reopening = Reopening(archive_of, (self,))
        return archive

    def _opened(self) -> Source:
        head = bytes(self._source.read(self.offset, min(self.stored_size, HEADER_SIZE)))
        pieces = Header.found(head)
        if pieces is not None:
            found = Header.parsed(pieces, self.offset)
            if (found.stored_size, found.size, pieces[56:]) == (self.stored_size, self.size, hash_bytes(self.archive_hash)):
                return PiecesSource(self._source, self.offset, found)
        elif head[:8] == ARCHIVE_MAGIC and xxhash.xxh3_64_intdigest(head[:32]) == self.archive_hash:
            stated = struct.unpack("<Q", head[16:24])[0]
            if head[32:40] == hash_bytes(self.archive_hash) and stated == self.size == self.stored_size:
                return PartSource(self._source, self.offset, self.size)
        message = f"the archive of entry {self.number} is not the one that its record was written for"
        raise GraphCodableError("R3", message, self.offset, "series")

    @property
    def root(self) -> Any:
        return self.archive.root

    def place(self, offset: int) -> int:
        """Where the file has a byte of the whole archive, as far as that can be found out."""
        try:
            source = self._opened()
            found = source.place(offset, 1) if isinstance(source, PiecesSource) else None
        except GraphCodableError:
            found = None
        return self.offset + offset if found is None else found

    def verify(self) -> None:
        """Reads all of the entry, and raises the first error."""
        source = self._opened()
        archive = Archive(source)
        archive.verify()
        if isinstance(source, PiecesSource):
            count = sum(len(segment.entries) for segment in archive.reader.contents.segments)
            if source.block_count != count:
                message = f"{source.block_count} fingerprints of {count} blocks"
                raise GraphCodableError("X7", message, self.offset, "series")
            for at, length in source.gaps:
                if any(self._source.read(at, length)):
                    raise GraphCodableError("R2", f"the padding around the archive of entry {self.number} is not zero", at, "series")
        end = self.offset + self.stored_size
        if any(self._source.read(end, self.record_offset - end)):
            raise GraphCodableError("R2", f"the padding around the archive of entry {self.number} is not zero", end, "series")


def hash_bytes(value: int) -> bytes:
    return value.to_bytes(8, "little")


def hash_of(source: Source, offset: int, size: int) -> int:
    return xxhash.xxh3_64_intdigest(source.read(offset, size))


def archive_size(source: Source, offset: int, size: int) -> int | None:
    """The stored bytes that the header of an archive, as a whole or in pieces, says at that place; `None` where there is none.

    Magic, checksum and version are enough: what else the header says matters to whoever opens the archive.
    """
    if offset + ARCHIVE_HEADER_SIZE > size:
        return None
    data = bytes(source.read(offset, min(HEADER_SIZE, size - offset)))
    hashed = {ARCHIVE_MAGIC: ARCHIVE_HEADER_SIZE, PIECES_MAGIC: HEADER_SIZE}.get(data[:8], 0) - 8
    if not 0 < hashed <= len(data) - 8 or xxhash.xxh3_64_digest(data[:hashed])[::-1] != data[hashed : hashed + 8]:
        return None
    if int.from_bytes(data[8:10], "little") != VERSION:
        return None
    return int.from_bytes(data[16:24], "little")


def is_not_begun(source: Source) -> bool:
    """Whether nothing but the beginning of the header, or zeros in its place, was written: a series that was created, and no more."""
    if source.size > HEADER_SIZE:
        return False
    head = bytes(source.read(0, source.size))
    return not any(head) or (len(head) < HEADER_SIZE and head[: len(MAGIC)] == MAGIC[: len(head)])


def is_series(source: Source) -> bool:
    """Whether a file, of which nothing else is known, is a series that was begun, maybe a damaged one."""
    return bytes(source.read(0, min(source.size, 8))) != ARCHIVE_MAGIC and was_series(source)


def was_series(source: Source) -> bool:
    """Whether what should be a series was begun as one, maybe a damaged one, and is not just any file (R4)."""
    size = source.size
    head = bytes(source.read(0, min(size, HEADER_SIZE)))
    if len(head) < HEADER_SIZE:
        return False
    if head[:8] == MAGIC or int.from_bytes(head[56:], "little") == HEADER_HASH:
        return True
    return archive_size(source, HEADER_SIZE, size) is not None


class Series(Entries[Entry]):
    """The entries of a series, which are listed when it is opened: `series[-1].root` is the last graph.

    A series whose bytes are damaged is listed as far as it can be; `damage` says where, and `verify` raises it.
    """

    KIND, NOUNS = "series", ("entry", "entries")
    SIZES: ClassVar[Mapping[str, str]] = {"bytes": "size", "stored_bytes": "stored_size"}

    def __init__(self, source: Source | bytes | bytearray | memoryview) -> None:
        if isinstance(source, (bytes, bytearray, memoryview)):
            source = MemorySource(memoryview(source))
        self._source = source
        self._size = source.size
        self.damage: list[GraphCodableError] = []
        self._read_header()
        self.entries: list[Entry] = []
        chain = self._chain()
        if chain is None:
            self._list(thorough=False)
        else:
            self.entries = chain

    def close(self) -> None:
        """Gives the file back; it is opened again if something is read later, unless the series was opened from a file object."""
        close = getattr(self._source, "close", None) or getattr(getattr(self._source, "file", None), "close", None)
        if close is not None:
            close()

    def list_thoroughly(self) -> None:
        """Lists the entries anew, up to the end of the file, also behind what looks like an unfinished one."""
        self.damage = []
        self._read_header()
        self._list(thorough=True)

    def verify_list(self) -> None:
        """Looks for all entries up to the end of the file, and raises the first damage between them."""
        self.list_thoroughly()
        if self.damage:
            raise self.damage[0]
        for number, entry in enumerate(self.entries):
            self._check_index(number, entry)

    def _check_index(self, number: int, entry: Entry) -> None:
        """Refuses an index that is no copy of the records in front (R3)."""
        left, at = entry.index_size, entry.record_end - TAIL
        for before in reversed(self.entries[max(number - MOST_INDEXED, 0) : number]):
            length = before.record_end - before.record_offset
            if not left or before.index_size or length > left:
                break
            if self._source.read(at - length, length) != self._source.read(before.record_offset, length):
                break
            left, at = left - length, at - length
        if left:
            raise GraphCodableError("R3", f"the index of entry {entry.number} is no copy", entry.record_offset, "series")

    @property
    def size(self) -> int:
        """Bytes of the file when it was opened."""
        return self._size

    # Header

    def _read_header(self) -> None:
        source, size = self._source, self._size
        head = bytes(source.read(0, min(size, HEADER_SIZE)))
        self._header_hash = HEADER_HASH
        self._has_entries = False
        if is_not_begun(source):
            return
        valid = len(head) == HEADER_SIZE and head[:8] == MAGIC
        if valid and xxhash.xxh3_64_intdigest(head[:56]) == int.from_bytes(head[56:], "little"):
            version, features = struct.unpack("<HH", head[8:12])
            refused = refusal("the series", version, features)
            if refused is not None:
                raise GraphCodableError("R1", *refused, "series")
            self._header_hash = int.from_bytes(head[56:], "little")
            self._has_entries = True
            return
        if not was_series(source):
            raise GraphCodableError("R4", "not a series of GraphCodable", 0, "series")
        self._has_entries = True
        self.damage.append(GraphCodableError("R3", "the header of the series does not match its checksum", 0, "series"))

    # Entries

    def _list(self, thorough: bool) -> None:
        self.entries = []
        if not self._has_entries:
            return
        position, previous = HEADER_SIZE, self._header_hash
        budget = SEARCH_SURPLUS
        while True:
            entry, budget = self._next(position, len(self.entries), thorough, budget)
            if entry is None:
                return
            if entry.offset != position:
                message = f"the {entry.offset - position} bytes from here on hold no valid entry"
                self.damage.append(GraphCodableError("R3", message, position, "series"))
            elif entry.previous_hash != previous:
                message = f"entry {entry.number} does not belong behind the entry before it"
                self.damage.append(GraphCodableError("R3", message, entry.record_offset, "series", "malformed"))
            elif self.entries and entry.number <= self.entries[-1].number:
                message = f"entry {entry.number} stands behind entry {self.entries[-1].number}"
                self.damage.append(GraphCodableError("R3", message, entry.record_offset, "series", "malformed"))
            self.entries.append(entry)
            position, previous = entry.record_end, entry.record_hash

    def _next(self, position: int, number: int, thorough: bool, budget: int) -> tuple[Entry | None, int]:
        """The next entry at or behind `position`, and what a search may still hash."""
        size = self._size
        if position + 40 > size:
            return None, budget
        stated = archive_size(self._source, position, size)
        if stated is not None:
            at = aligned(position + stated)
            entry = self._record(at, position)
            if entry is not None and entry.offset == position:
                return entry, budget
            found, budget = self._search(at, position, budget)
            unfinished = found is None
        else:
            unfinished = not any(self._source.read(position, 40))
        if unfinished and not thorough and not self._ends_with_record(position):
            return None, budget
        return self._search(position, position, budget)

    def _search(self, at: int, position: int, budget: int) -> tuple[Entry | None, int]:
        """The first record from `at` on whose archive begins at `position` or behind, and what a search may still hash."""
        size = self._size
        while at + FEWEST <= size:
            if bytes(self._source.read(at, 8)) == RECORD_MAGIC:
                stated = int.from_bytes(self._source.read(at + 8, 4), "little")
                budget -= stated if stated <= MOST else 0
                if budget < 0:
                    raise GraphCodableError(None, "a search for records takes too long", at, "series")
                entry = self._record(at, position)
                if entry is not None:
                    return entry, budget
            budget = min(budget + 64, SEARCH_SURPLUS)
            at += 64
        return None, budget

    def _ends_with_record(self, position: int) -> bool:
        size = self._size
        if size < position + FEWEST or size % 64:
            return False
        length = int.from_bytes(self._source.read(size - TAIL, 8), "little")
        return FEWEST <= length <= min(MOST, size - position) and self._record(size - length, position) is not None

    def _record(self, at: int, position: int) -> Entry | None:
        """The record at `at`, or `None` where there is none whose archive begins at `position` or behind."""
        source, size = self._source, self._size
        if at + FEWEST > size or bytes(source.read(at, 8)) != RECORD_MAGIC:
            return None
        length = int.from_bytes(source.read(at + 8, 4), "little")
        if length % 64 or not FEWEST <= length <= MOST or at + length > size:
            return None
        return parsed(bytes(source.read(at, length)), at, position, source)

    def _chain(self) -> list[Entry] | None:
        """All entries by the chain of records from the end, through their indices; `None` where it is broken."""
        size = self._size
        if not self._has_entries or self.damage or size % 64 or size < HEADER_SIZE + FEWEST:
            return None
        found: list[Entry] = []
        end = size
        while not found or found[-1].number > 0:
            if end < HEADER_SIZE + FEWEST:
                return None
            # Most records are no longer than this, and one request.
            data = bytes(self._source.read(max(end - WINDOW, HEADER_SIZE), min(WINDOW, end - HEADER_SIZE)))
            length = int.from_bytes(data[-TAIL:-8], "little")
            if length % 64 or not FEWEST <= length <= min(MOST, end - HEADER_SIZE):
                return None
            data = data[-length:] if length <= len(data) else bytes(self._source.read(end - length, length))
            entry = parsed(data, end - length, HEADER_SIZE, self._source)
            if entry is None:
                return None
            copies = copied(data[length - TAIL - entry.index_size : length - TAIL], self._source)
            for each in [entry, *reversed(copies or [])]:
                after = found[-1] if found else None
                if after and (each.number, each.record_hash, each.record_end) != (
                    after.number - 1, after.previous_hash, after.offset,
                ):  # fmt: skip
                    return None
                found.append(each)
            if copies is None:
                return None
            end = found[-1].offset
        first = found[-1]
        if (first.number, first.previous_hash, first.offset) != (0, self._header_hash, HEADER_SIZE):
            return None
        return found[::-1]


def copied(data: bytes, source: Source) -> list[Entry] | None:
    """The entries of an index, the oldest first; `None` where it is none."""
    entries, position = [], 0
    while position < len(data):
        length = int.from_bytes(data[position + 8 : position + 12], "little")
        if length % 64 or not FEWEST <= length <= len(data) - position:
            return None
        copy = data[position : position + length]
        entry = parsed(copy, int.from_bytes(copy[16:24], "little"), HEADER_SIZE, source)
        if entry is None or entry.index_size:
            return None
        entries.append(entry)
        position += length
    return entries


def parsed(data: bytes, at: int, position: int, source: Source) -> Entry | None:
    """The entry of a record at `at`, or `None` if that is none whose archive begins at `position` or behind."""
    length = len(data)
    record_hash = int.from_bytes(data[-8:], "little")
    if data[:8] != RECORD_MAGIC or int.from_bytes(data[8:12], "little") != length:
        return None
    if xxhash.xxh3_64_intdigest(data[:-8]) != record_hash or int.from_bytes(data[-16:-8], "little") != length:
        return None
    index, own, offset, stored, archive_hash, number, previous, step, time, size = struct.unpack(
        "<IQQQQQQqdQ", data[12:88]
    )
    if own != at or offset % 64 or offset < position or number >= (1 << 63) - 1 or index % 64:
        return None
    if min(stored, size) <= 40 or size >= 1 << 63:
        return None
    if offset + stored > at or at - (offset + stored) >= 64 or FEWEST + index > length:
        return None
    reader = Reader(data[88 : length - TAIL - index], at + 88, "R3", "series")
    try:
        metadata = read_metadata(reader, "R3", "R3")
    except GraphCodableError:
        return None
    if any(reader.take(reader.left)):
        return None
    return Entry(
        number, step, time, metadata, offset, size, stored, archive_hash, previous, at, at + length,
        record_hash, index, source,
    )  # fmt: skip
