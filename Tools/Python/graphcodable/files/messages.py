"""Streams of messages: frames, each with its checksum, and tables that are sent once."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import xxhash

from ..format.contents import Contents, read_class, read_extensions, read_layout, read_metadata, read_shape
from ..format.errors import GraphCodableError
from ..format.source import Source
from ..format.varint import Reader, string, varint
from ..format.version import VERSION, refusal
from ..graph.archive import Archive
from ..graph.reopening import Reopened

MAGIC, HEADER_SIZE = b"gcstream", 32
MARKER, HEAD_SIZE, FRAME_SIZE = b"\xffgcf", 32, 40
TABLES, ADDITIONS, MESSAGES, ARCHIVE = 1, 2, 3, 4
CLASSES, USER_VERSION, LAYOUTS, METADATA, EXTENSIONS = 8, 16, 32, 64, 128
OBJECTS = 1
# Bytes of a frame, unless the caller says otherwise, and bytes that searches may hash beyond those that they look at.
MOST, SEARCH_SURPLUS = 64 << 20, 64 << 20


class Frame(NamedTuple):
    """The head of a frame, and where it lies."""

    offset: int
    kind: int
    flags: int
    version: int
    size: int
    messages: int
    number: int
    revision: int
    head: bytes

    @property
    def end(self) -> int:
        return self.offset + FRAME_SIZE + self.size

    @property
    def is_understood(self) -> bool:
        known = OBJECTS if self.kind == MESSAGES else 0
        return self.version == 1 and 1 <= self.kind <= 4 and not self.flags & 0x0F & ~known

    @property
    def may_be_ignored(self) -> bool:
        return self.version == 1 and self.kind >= 128


@dataclass(frozen=True)
class Damage:
    """Bytes of a stream that cannot be read, and the messages that are lost with them.

    `offset` and `end` are equal where whole frames are missing.
    """

    offset: int
    end: int
    lost: range
    reason: str

    def __str__(self) -> str:
        place = f"at byte {self.offset}" if self.offset == self.end else f"bytes {self.offset} to {self.end - 1}"
        return f"{place}: {self.reason}{self.lost_text}"

    @property
    def lost_text(self) -> str:
        """Which messages are lost, behind the reason; empty where none is."""
        if not self.lost:
            return ""
        one = f"; message {self.lost[0]} is lost"
        return one if len(self.lost) == 1 else f"; messages {self.lost[0]} to {self.lost[-1]} are lost"


@dataclass
class Tables:
    """The entries of all tables as bytes, and how many there are."""

    since: int = 0
    revision: int = -1
    user_version: int = 0
    metadata: dict[str, str] = field(default_factory=dict)
    counts: dict[str, int] = field(default_factory=lambda: dict.fromkeys(("keys", "classes", "layouts", "shapes"), 0))
    entries: dict[str, bytes] = field(default_factory=lambda: dict.fromkeys(("keys", "classes", "layouts", "shapes"), b""))
    contents: Contents = field(default_factory=Contents)
    next_key: int = 0

    def cover(self, revision: int) -> bool:
        return self.since <= revision <= self.revision

    def grown(self, data: bytes, base: int) -> Tables:
        """These tables with those of a frame behind them."""
        reader = Reader(data, base, "C3", "stream")
        new = Tables(self.since, self.revision, self.user_version, self.metadata, dict(self.counts), dict(self.entries))
        known = new.contents
        known.keys, known.classes = list(self.contents.keys), list(self.contents.classes)
        known.layouts, known.shapes = list(self.contents.layouts), list(self.contents.shapes)
        new.next_key = self.next_key
        flags = reader.u8()
        if flags & 7:
            raise reader.error("M4", f"tables with the flags {flags:#x}")
        if flags & USER_VERSION:
            new.user_version = reader.varint()
            if not 1 <= new.user_version <= 65535:
                raise reader.error("C5", f"a user version of {new.user_version}")
        if flags & METADATA:
            new.metadata = read_metadata(reader, "C4", "C6")
        if flags & EXTENSIONS:
            read_extensions(reader)

        def part(name: str, least: int, read: Any) -> None:
            count = reader.count(least, name)
            start = reader.position
            for _ in range(count):
                getattr(known, name).append(read())
            new.counts[name] += count
            new.entries[name] += bytes(data[start : reader.position])

        def shape() -> Any:
            found, new.next_key = read_shape(reader, known, new.next_key)
            return found

        part("keys", 1, lambda: reader.string("C4"))
        if len(set(known.keys)) != len(known.keys):
            raise reader.error("C7", "two equal keys")
        if flags & CLASSES:
            part("classes", 3, lambda: read_class(reader))
        if flags & LAYOUTS:
            part("layouts", 3, lambda: read_layout(reader, known))
        part("shapes", 2, shape)
        if reader.left:
            raise reader.error("M4", f"{reader.left} bytes behind the tables")
        return new

    def archive(self, message: bytes, is_flagged: bool) -> bytes:
        """An archive that has a message as its graph."""
        objects, in_order = b"", False
        if is_flagged:
            reader = Reader(message, 0, "M3", "message")
            count = reader.varint()
            if count:
                stored = reader.varint()
                in_order = stored == 0
                objects = varint(count) + (b"" if in_order else varint(stored - 1))
                start = reader.position
                reader.take(reader.count(1, "bytes of the object index"))
                objects += message[start : reader.position]
            message = message[reader.position :]
        flags = (CLASSES if self.counts["classes"] else 0) | (LAYOUTS if self.counts["layouts"] else 0)
        flags |= METADATA if self.metadata else 0
        flags |= (2 if objects else 0) | (4 if in_order else 0) | (USER_VERSION if self.user_version else 0)
        parts = [bytes((flags,)), varint(self.user_version) if self.user_version else b""]
        if self.metadata:
            parts += [varint(len(self.metadata)), *(string(key) + string(value) for key, value in self.metadata.items())]
        for name, entries in self.entries.items():
            if name in ("keys", "shapes") or self.counts[name]:
                parts += [varint(self.counts[name]), entries]
        contents = b"".join([*parts, objects, message])
        header = b"gcodable" + struct.pack(
            "<HHIQQ", VERSION, 0, len(contents), 40 + len(contents), xxhash.xxh3_64_intdigest(contents)
        )
        return header + xxhash.xxh3_64_intdigest(header).to_bytes(8, "little") + contents


@dataclass(frozen=True)
class Message:
    """A message of a stream. `archive` opens it, `root` is its graph."""

    number: int
    frame_offset: int
    size: int
    _data: bytes = field(repr=False)
    _tables: Tables | None = field(repr=False)
    _is_flagged: bool = field(repr=False)

    @property
    def archive(self) -> Archive:
        return Archive(self._data if self._tables is None else self._tables.archive(self._data, self._is_flagged))

    @property
    def root(self) -> Any:
        return self.archive.root


class Messages(Reopened):
    """A stream of messages: iterating over it gives those that can be read.

        with graphcodable.open("run.gclog") as log:
            for message in log:
                print(message.number, message.root.step)

    What is damaged is passed over and listed in `damage`, which is complete when the iteration has ended; `strict` raises an
    error in its place. Each iteration begins at the start of the file, with what has been appended meanwhile.
    """

    def __init__(self, source: Source, *, strict: bool = False, most: int = MOST) -> None:
        self._source = source
        self._strict = strict
        self._most = most
        self.damage: list[Damage] = []
        self.incomplete_size = 0
        self.identifier = self._header()

    @property
    def size(self) -> int:
        """Bytes of the stream."""
        return self._source.size

    def close(self) -> None:
        """Gives the file back."""
        close = getattr(self._source, "close", None) or getattr(getattr(self._source, "file", None), "close", None)
        if close is not None:
            close()

    def __enter__(self) -> Messages:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _header(self) -> int | None:
        """The identifier; None where the header is damaged, or not begun."""
        head = bytes(self._source.read(0, min(self.size, HEADER_SIZE)))
        if not head.startswith(MAGIC[: len(head)]):
            raise GraphCodableError("M2", "the bytes do not begin with 'gcstream'", 0, "stream")
        if len(head) < HEADER_SIZE or xxhash.xxh3_64_intdigest(head[:24]) != int.from_bytes(head[24:], "little"):
            return None
        version, features = struct.unpack("<HH", head[8:12])
        refused = refusal("the stream", version, features)
        if refused is not None:
            raise GraphCodableError("M1", *refused, "stream", "unsupported")
        return int.from_bytes(head[16:24], "little")

    # Frames

    def _frame(self, offset: int, size: int) -> Frame | None:
        if offset + FRAME_SIZE > size:
            return None
        head = bytes(self._source.read(offset, HEAD_SIZE))
        if head[:4] != MARKER:
            return None
        kind, flags, version, _, length, count, number, revision, _ = struct.unpack("<4B2IQ2I", head[4:])
        return Frame(offset, kind, flags, version, length, count, number, revision, head)

    def _body(self, frame: Frame) -> bytes:
        return bytes(self._source.read(frame.offset + HEAD_SIZE, frame.size))

    def _has_head(self, frame: Frame, identifier: int) -> bool:
        checksum = (xxhash.xxh3_64_intdigest(frame.head[:28]) ^ identifier) & 0xFFFFFFFF
        return checksum == int.from_bytes(frame.head[28:], "little")

    def _is_intact(self, frame: Frame, identifier: int) -> bool:
        data = self._source.read(frame.offset, FRAME_SIZE + frame.size)
        stored = int.from_bytes(data[-8:], "little")
        return xxhash.xxh3_64_intdigest(data[:-8]) ^ identifier == stored

    def _search(self, start: int, size: int, expected: int | None, budget: list[int]) -> Frame | None:
        """The next frame from an offset on."""
        window, offset = 1 << 20, start
        while offset + FRAME_SIZE <= size:
            data = bytes(self._source.read(offset, min(window, size - offset)))
            place = data.find(MARKER)
            if place < 0:
                offset += max(len(data) - 3, 1)
                continue
            offset += place
            frame = self._frame(offset, size)
            if frame is not None and frame.end <= size and frame.size <= self._most:
                if self.identifier is None:
                    known = int.from_bytes(self._body(frame)[:8], "little") if frame.kind == TABLES else None
                else:
                    is_near = expected is None or 0 <= frame.number - expected <= offset - start + 1
                    known = self.identifier if is_near else None
                if known is not None and self._has_head(frame, known):
                    budget[0] += frame.size
                    if budget[0] > SEARCH_SURPLUS + offset:
                        raise GraphCodableError("M2", "there are too many false frames", offset, "stream")
                    if self._is_intact(frame, known):
                        self.identifier = known
                        return frame
            offset += 1
        return None

    def _frames(self, size: int) -> Iterator[Frame | Damage]:
        if size < HEADER_SIZE:
            self.incomplete_size = size  # Not begun.
            return
        offset = HEADER_SIZE if self.identifier is not None else 0
        expected: int | None = None
        budget = [0]
        while offset < size:
            frame = self._frame(offset, size) if self.identifier is not None else None
            if frame is not None and (self.identifier is None or not self._has_head(frame, self.identifier)):
                frame = None
            if frame is not None and frame.end <= size and frame.size > self._most:
                message = f"a frame of {frame.size} bytes, more than {self._most}"
                raise GraphCodableError(None, message, offset, "stream")
            if (
                frame is not None
                and frame.end <= size
                and (expected is None or frame.number >= expected)
                and self.identifier is not None
                and self._is_intact(frame, self.identifier)
            ):
                if expected is not None and frame.number > expected:
                    yield Damage(offset, offset, range(expected, frame.number), "frames are missing")
                expected = frame.number + frame.messages
                yield frame
                offset = frame.end
                continue
            is_joined = self.identifier is None
            found = self._search(offset + (not is_joined), size, expected, budget)
            if found is None:
                may_be_one = MARKER.startswith(bytes(self._source.read(offset, min(4, size - offset))))
                if frame.end > size if frame else may_be_one and size - offset < FRAME_SIZE:
                    self.incomplete_size = size - offset
                else:
                    yield Damage(offset, size, range(0), "the bytes are no frame with its checksum")
                return
            if found.offset > offset:
                # A stream without its header begins with the first message.
                first = 0 if is_joined else found.number if expected is None else expected
                lost = range(first, found.number)
                yield Damage(offset, found.offset, lost, "the bytes are no frame with its checksum")
            offset, expected = found.offset, found.number

    def _tables_behind(self, frame: Frame, size: int) -> Tables | None:
        """All tables of a later frame that a frame can be read with, because additions in front of it are lost."""
        offset, budget = frame.end, [0]
        while (found := self._search(offset, size, None, budget)) is not None:
            if found.kind == TABLES and found.is_understood:
                tables = self._all_tables(found)
                if tables.cover(frame.revision):
                    return tables
                if tables.since > frame.revision:
                    return None
            offset = found.end
        return None

    def _all_tables(self, frame: Frame) -> Tables:
        body = self._body(frame)
        reader = Reader(body, frame.offset + HEAD_SIZE, "C3", "stream")
        reader.take(16)
        since = reader.varint()
        if since > frame.revision:
            raise reader.error("M4", "messages of a later revision")
        tables = Tables().grown(body[reader.position :], reader.offset)
        tables.since, tables.revision = since, frame.revision
        return tables

    # Messages

    def __iter__(self) -> Iterator[Message]:
        self.damage, self.incomplete_size = [], 0
        for item in self.items():
            if isinstance(item, Message):
                yield item
                continue
            self.damage.append(item)
            if self._strict:
                raise GraphCodableError("M6", item.reason, item.offset, "stream", "damaged")

    def items(self) -> Iterator[Message | Damage]:
        """All messages, and damage in the place of those that are lost."""
        size, tables, missing = self.size, Tables(), None
        for item in self._frames(size):
            if isinstance(item, Damage):
                yield item
                continue
            frame = item
            lost = range(frame.number, frame.number + frame.messages)
            if not frame.is_understood:
                if not frame.may_be_ignored:
                    what = f"kind {frame.kind}, flags {frame.flags}, version {frame.version}"
                    reason = f"a newer version of the package has written the frame: {what}"
                    yield Damage(frame.offset, frame.end, lost, reason)
            elif frame.kind == TABLES:
                if not (tables.revision == frame.revision and tables.cover(frame.revision)):
                    tables = self._all_tables(frame)
                missing = None
            elif frame.kind == ADDITIONS:
                if frame.revision == tables.revision + 1:
                    tables = tables.grown(self._body(frame), frame.offset + HEAD_SIZE)
                    tables.revision = frame.revision
            elif frame.kind == ARCHIVE and frame.messages == 1:
                yield Message(frame.number, frame.offset, frame.size, self._body(frame), None, False)
            elif frame.kind == ARCHIVE:
                yield Damage(frame.offset, frame.end, lost, f"the frame of an archive has {frame.messages} messages: it was forged")
            elif frame.messages:
                if not tables.cover(frame.revision) and (missing is None or frame.revision < missing):
                    found = self._tables_behind(frame, size)
                    tables = found or tables
                    if found is None:
                        missing = frame.revision
                if tables.cover(frame.revision):
                    yield from self._messages(frame, tables)
                else:
                    yield Damage(frame.offset, frame.end, lost, "the tables that its messages need are lost")

    def _messages(self, frame: Frame, tables: Tables) -> Iterator[Message | Damage]:
        reader = Reader(self._body(frame), frame.offset + HEAD_SIZE, "M3", "stream")
        for place in range(frame.messages):
            number, is_last = frame.number + place, place == frame.messages - 1
            try:
                data = bytes(reader.take(reader.count(1, "bytes of a message")))
                if not data or (is_last and reader.left):
                    raise reader.error("M3", "the messages do not fill their frame")
            except GraphCodableError:
                reason = "the frame has its checksum, but not the messages that it should have: it was forged"
                yield Damage(frame.offset, frame.end, range(number, frame.number + frame.messages), reason)
                return
            yield Message(number, frame.offset, len(data), data, tables, bool(frame.flags & OBJECTS))

    def verify(self) -> None:
        """Reads all of the stream, and raises the first error."""
        if self.identifier is None and self.size >= HEADER_SIZE:
            raise GraphCodableError("M6", "the header does not match its hash", 0, "stream", "damaged")
        for item in self.items():
            if isinstance(item, Damage):
                raise GraphCodableError("M6", item.reason, item.offset, "stream", "damaged")
            item.archive.verify()


def is_stream(source: Source, is_named: bool = False) -> bool:
    """Whether a file is a stream: by its first bytes, and where its name says so, by as many of them as there are."""
    start = bytes(source.read(0, min(source.size, 8)))
    return start == MAGIC or (is_named and MAGIC.startswith(start))
