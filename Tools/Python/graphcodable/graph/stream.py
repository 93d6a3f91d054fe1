"""The graph stream: every primitive and its check, and the way to the end of any value without recursion."""

from __future__ import annotations

import mmap
import struct
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from ..format.contents import Contents, Layout, Shape
from ..format.errors import GraphCodableError
from ..format.limits import Steps
from ..format.kinds import (
    ABSENT, ARRAY, BINARY, BOOL, BYTE_SCALAR, CONDITIONAL, DICTIONARY, FIELD_KINDS, FIXED, FLOAT16, FLOAT32, INT8,
    INTEGER_BITS, KINDS, LATER, NESTED, NIL, OPAQUE, OPTIONALS, PACKED, RECORD, REFERENCE, SET, SIGNED, SIZES, STRING, STRUCTS,
    TAGS, UINT8, PackedFormat, packed_format,
)  # fmt: skip
from ..format.segment_reader import SegmentReader
from ..format.varint import LENGTHS, unzigzag

MAX_DEPTH = 1 << 17
# Ends of values of fewer bytes are not kept: finding them again is cheap.
KEPT_EXTENT = 1024
PLACE = "graph stream"
OVERFLOW_HEAD = 16
WITHOUT_ATTRIBUTES = frozenset((NIL, ABSENT, REFERENCE, CONDITIONAL))
MOST_DIMENSIONS = 8


Lengths = np.ndarray[Any, np.dtype[np.int64]]


@dataclass(frozen=True)
class PackedHead:
    """What stands in front of the elements of a packed array or of packed structs."""

    format: PackedFormat | None
    layout: Layout | None
    layout_number: int
    count: int
    segment: int  # Number of the bulk segment, or -1.
    position: int  # Of the elements, or of the number of the segment.
    end: int
    # Of nested arrays, for each dimension: the length of all its arrays, or of each.
    lengths: tuple[int | Lengths, ...] = ()
    start: int = 0  # Of all of it, behind its kind.

    @property
    def element_size(self) -> int:
        return self.format.size if self.format else self.layout.size if self.layout else 0


class OptionalsHead(NamedTuple):
    """Packed optionals: the bits that tell which are there, and the array, whose head is at `position` behind them."""

    presence: PackedHead
    kind: int
    array: PackedHead
    position: int
    element_count: int
    end: int
    start: int


@dataclass(frozen=True)
class OverflowField:
    key: str | None
    kind: int
    position: int


class Frame:
    """A record or container that `Stream.end_of` is in."""

    __slots__ = ("kinds", "index", "total", "start", "shape", "overflow_end", "keyless")

    def __init__(self, kinds: tuple[int, ...], total: int, start: int, shape: Shape | None) -> None:
        self.kinds = kinds
        self.index = 0
        self.total = total
        self.start = start
        self.shape = shape
        self.overflow_end = -1  # Set once the overflow fields have begun.
        self.keyless = 0


class Stream:
    """Reads at positions of the graph stream; blocks are expanded when they are first touched."""

    def __init__(self, contents: Contents, segment: SegmentReader | None) -> None:
        self.contents = contents
        self.segment = segment
        self.extents: dict[int, int] = {}
        self.heads: dict[int, PackedHead] = {}  # Those with many lengths.
        self.mentions: dict[int, int] = {}  # Bulk segment: where it is mentioned.
        self.steps: Steps | None = None  # Of the walk through all of it that is under way.
        self.unseen = set[int]()  # Where that walk has still to meet values, since they have attributes.
        self.data: bytes | mmap.mmap
        # Bytes from `low` to `high` are there.
        self.low = 0
        if segment is None:
            assert contents.stream is not None
            self.data = contents.stream
            self.size = self.high = len(contents.stream)
            return
        self.size = segment.segment.raw_size
        try:
            self.data = mmap.mmap(-1, self.size)
        except (OSError, OverflowError, ValueError, MemoryError):
            message = f"no memory for a graph stream of {self.size} bytes"
            raise GraphCodableError(None, message, segment.segment.offset) from None
        self.high = 0
        self.loaded = bytearray(len(segment.segment.entries))

    # Bytes

    def error(self, rule: str | None, message: str, position: int) -> GraphCodableError:
        return GraphCodableError(rule, message, position, PLACE)

    def need(self, position: int, end: int) -> None:
        """Makes sure that bytes are there, and within the stream (G1)."""
        if end > self.size:
            raise self.error("G1", f"a value ends at {end}, and the stream at {self.size}", position)
        if self.low <= position and end <= self.high:
            return
        assert self.segment is not None and isinstance(self.data, mmap.mmap)
        size = self.segment.segment.block_size
        first, last = position // size, (max(end, position + 1) - 1) // size
        for block in range(first, last + 1):
            if not self.loaded[block]:
                raw = self.segment.block(block)
                self.data[block * size : block * size + len(raw)] = raw.tobytes()
                self.loaded[block] = 1
        while first > 0 and self.loaded[first - 1]:
            first -= 1
        while last + 1 < len(self.loaded) and self.loaded[last + 1]:
            last += 1
        self.low, self.high = first * size, min(self.size, (last + 1) * size)

    def u8(self, position: int) -> int:
        if not self.low <= position < self.high:
            self.need(position, position + 1)
        return self.data[position]

    def bytes(self, position: int, count: int) -> bytes:
        self.need(position, position + count)
        return self.data[position : position + count]

    def varint(self, position: int) -> tuple[int, int]:
        """A varint, and where it ends."""
        if not self.low <= position < self.high:
            self.need(position, position + 1)
        first = self.data[position]
        if first & 1:
            return first >> 1, position + 1
        length = LENGTHS[first]
        end = position + length
        if end > self.high:
            self.need(position, end)
        value = int.from_bytes(self.data[position:end], "little")
        return value >> (8 if length == 9 else length), end

    # Heads

    def kind(self, position: int) -> int:
        """A kind that stands in front of its value, and takes bytes (G5)."""
        kind = self.u8(position)
        if kind not in FIELD_KINDS:
            raise self.error("G5", f"the kind {kind:#x} cannot stand here", position)
        return kind

    def untag(self, kind: int, position: int) -> tuple[int, int]:
        """The first kind behind tags, and where its value begins."""
        while kind in TAGS:
            kind = self.u8(position)
            if kind not in KINDS:
                raise self.error("G5", f"the unknown kind {kind:#x}", position)
            position += 1
        return kind, position

    def shape(self, position: int) -> tuple[Shape, int]:
        number, end = self.varint(position)
        if not 1 <= number <= len(self.contents.shapes):
            raise self.error("G3", f"shape {number} is not in the table", position)
        return self.contents.shapes[number - 1], end

    def boxed(self, position: int, through_classes: bool = False) -> tuple[int, int]:
        """The kind of what a box holds, behind tags and boxes in place, and where its value begins."""
        while True:
            kind, start = self.untag(self.kind(position), position + 1)
            if kind != RECORD:
                return kind, start
            shape, position = self.shape(start)
            if not shape.is_boxed or (shape.is_class and not through_classes):
                return kind, start

    def object_number(self, position: int) -> tuple[int, int]:
        number, end = self.varint(position)
        if number >= self.contents.object_count:
            raise self.error("G4", f"object {number} is not in the table", position)
        return number, end

    def container(self, kind: int, position: int) -> tuple[tuple[int, ...], int, int]:
        """Kinds of elements or of keys and values, the number of elements or pairs, and where they begin."""
        width = 2 if kind == DICTIONARY else 1
        kinds = tuple(self.kind(position + index) for index in range(width))
        count, end = self.varint(position + width)
        if count > (self.size - end) // width:
            raise self.error("G6", f"{count} elements in {self.size - end} bytes", position)
        return kinds, count, end

    def run(self, position: int) -> tuple[int, int]:
        """A number of bytes: where these begin and end."""
        count, start = self.varint(position)
        if start + count > self.size:
            raise self.error("G1", f"{count} bytes, and {self.size - start} are left", position)
        return start, start + count

    def fixed(self, position: int) -> tuple[PackedFormat, int]:
        number, end = self.varint(position)
        known = packed_format(number)
        if known is None:
            raise self.error("G10", f"{number} is no packed format", position)
        return known, end

    def packed(self, kind: int, position: int) -> PackedHead:
        """The head of a packed array, of packed structs or of a nested one (G10, G13)."""
        known = self.heads.get(position)
        if known is not None:
            return known
        form, layout, layout_number, at = None, None, 0, position
        number, end = self.varint(at)
        is_layout = kind == STRUCTS
        if kind == NESTED and number == 0:
            is_layout, at = True, end
        if is_layout:
            layout_number, at = self.varint(at)
            if not 1 <= layout_number <= len(self.contents.layouts):
                raise self.error("G10", f"layout {layout_number} is not in the table", position)
            layout = self.contents.layouts[layout_number - 1]
            size = layout.size
        else:
            form, at = self.fixed(at)
            size = form.size
        lengths: tuple[int | Lengths, ...] = ()
        if kind == NESTED:
            lengths, count, at = self.lengths(at, position)
            segment, start = self.varint(at)
            segment -= 1
        else:
            value, start = self.varint(at)
            count, segment = value >> 1, -1
            if value & 1:
                at = start
                segment, start = self.varint(at)
        byte_count = count * size
        if byte_count >= 1 << 63:
            raise self.error("G13" if kind == NESTED else "G10", f"an array of {byte_count} bytes", position)
        if segment < 0:
            if start + byte_count > self.size:
                raise self.error("G1", f"{count} elements, and {self.size - start} bytes are left", position)
            end = start + byte_count
        else:
            self.mention(segment, at, byte_count, form.number if form else 0, size)
            end = start
        head = PackedHead(form, layout, layout_number, count, segment, start if segment < 0 else at, end, lengths, position)
        if any(isinstance(each, np.ndarray) and len(each) > 64 for each in lengths):
            self.heads[position] = head
        return head

    def optionals(self, position: int) -> OptionalsHead:
        """The heads of both arrays of packed optionals (G14)."""
        kind = self.u8(position)
        if kind not in (PACKED, STRUCTS, NESTED):
            raise self.error("G14", f"optionals of the kind {kind:#x}", position)
        presence = self.packed(PACKED, position + 1)
        if presence.format is None or presence.format.number != BYTE_SCALAR:
            raise self.error("G14", "bits of optionals that are not of the format byte", position)
        array = self.packed(kind, presence.end)
        its = array.lengths[0] if array.lengths else array.count
        count = its if isinstance(its, int) else int(its[0])
        if presence.count not in (0, (count + 7) // 8):
            raise self.error("G14", f"{count} optionals have {presence.count} bytes of bits", position)
        return OptionalsHead(presence, kind, array, presence.end, count, array.end, position)

    def mention(self, number: int, at: int, byte_count: int, form: int, size: int) -> None:
        """Refuses a bulk segment that is not that of an array (G10)."""
        bulk = self.contents.bulk
        if number >= len(bulk):
            raise self.error("G10", f"bulk segment {number} is not in the table", at)
        its = bulk[number]
        if (its.raw_size, its.format, its.element_size) != (byte_count, form, size):
            raise self.error("G10", f"bulk segment {number} is not that of the array", at)
        if self.mentions.setdefault(number, at) != at:
            raise self.error("G10", f"bulk segment {number} belongs to two arrays", at)

    def lengths(self, position: int, start: int) -> tuple[tuple[int | Lengths, ...], int, int]:
        """The lengths of a nested array by dimension, the number of elements, and where the lengths end (G13)."""
        dimensions, at = self.varint(position)
        if not 1 <= dimensions <= MOST_DIMENSIONS:
            raise self.error("G13", f"a nested array of {dimensions} dimensions", start)
        result: list[int | Lengths] = []
        count = 1
        for _ in range(dimensions):
            value, end = self.varint(at)
            if value & 1 == 0 and value:
                result.append(value >> 1)
                count *= value >> 1
            elif value == 1:
                if count > self.size - end:
                    raise self.error("G13", f"{count} lengths in {self.size - end} bytes", at)
                numbers, end = self.varints(end, count)
                result.append(numbers)
                count = sum(numbers.tolist())
            else:
                raise self.error("G13", f"{value} in place of lengths", at)
            at = end
            if count >= 1 << 63:
                raise self.error("G13", f"a nested array of {count} arrays or elements", start)
        return tuple(result), count, at

    def varints(self, position: int, count: int) -> tuple[Lengths, int]:
        """Some varints of less than 2^63, and where they end (G13)."""
        data = np.frombuffer(self.bytes(position, count), np.uint8)
        if bool((data & 1).all()):
            return (data >> 1).astype(np.int64), position + count
        result = np.empty(count, np.int64)
        for index in range(count):
            value, end = self.varint(position)
            if value >= 1 << 63:
                raise self.error("G13", f"a length of {value}", position)
            result[index] = value
            position = end
        return result, position

    def overflow_head(self, position: int) -> tuple[int, int, int, int]:
        """Number of overflow fields, how many have no key, where they begin and where they end (G7)."""
        count, keyless, size = struct.unpack("<IIQ", self.bytes(position, OVERFLOW_HEAD))
        start = position + OVERFLOW_HEAD
        if size > self.size - start or count > size // 2 or keyless > count:
            raise self.error("G7", f"{count} overflow fields in {size} bytes", position)
        return count, keyless, start, start + size

    def overflow_field(self, position: int) -> OverflowField:
        kind = self.kind(position)
        number, end = self.varint(position + 1)
        if number > len(self.contents.keys):
            raise self.error("G7", f"key {number - 1} is not in the table", position)
        return OverflowField(self.contents.keys[number - 1] if number else None, kind, end)

    def text(self, position: int) -> tuple[str, int]:
        start, end = self.run(position)
        try:
            return self.bytes(start, end - start).decode("utf-8"), end
        except UnicodeDecodeError:
            raise self.error("G11", "a string is not UTF-8", position) from None

    # Leaves

    def integer(self, kind: int, position: int) -> tuple[int, int]:
        """An integer that is a varint (G8)."""
        value, end = self.varint(position)
        if value >> INTEGER_BITS[kind]:
            raise self.error("G8", f"a number that is out of the range of {KINDS[kind]}", position)
        return (unzigzag(value) if kind in SIGNED else value), end

    def leaf(self, kind: int, position: int) -> tuple[Any, int]:
        """A bool, number or string."""
        if kind in INTEGER_BITS:
            return self.integer(kind, position)
        if kind == STRING:
            return self.text(position)
        data = self.bytes(position, SIZES[kind])
        end = position + len(data)
        if kind == BOOL:
            if data[0] > 1:
                raise self.error("G9", f"a bool of {data[0]}", position)
            return data[0] == 1, end
        if kind == UINT8:
            return data[0], end
        if kind == INT8:
            return int.from_bytes(data, signed=True), end
        if kind == FLOAT16:
            return np.frombuffer(data, "<f2")[0], end
        if kind == FLOAT32:
            return np.frombuffer(data, "<f4")[0], end
        return struct.unpack("<d", data)[0], end

    # Ends

    def end_of(self, kind: int, position: int, limit: int, check: Callable[..., None] | None = None) -> int:
        """Where a value ends, which must not be behind `limit` (G2).

        With `check`, everything in it is read and checked, and `check(kind, position, head)` is called for each
        reference (with the object number) and what is packed. Without, ends of large values are remembered.
        """
        frames: list[Frame] = []
        steps = self.steps
        while True:
            if steps is not None:
                steps.take(1)
            start = position
            frame: Frame | None = None
            if kind in TAGS:
                kind, position = self.untag(kind, position)
                continue
            if self.unseen and kind not in WITHOUT_ATTRIBUTES:
                self.unseen.discard(start)
            size = SIZES[kind]
            if size:
                if check is not None and kind == BOOL:
                    self.leaf(kind, position)
                position += size
            elif kind in INTEGER_BITS:
                if check is not None:
                    position = self.integer(kind, position)[1]
                else:
                    position += LENGTHS[self.u8(position)]
            elif kind == STRING:
                position = self.text(position)[1] if check is not None else self.run(position)[1]
            elif kind == REFERENCE or kind == CONDITIONAL:
                number, position = self.object_number(position)
                if check is not None:
                    check(kind, start, number)
            elif kind == NIL or kind == ABSENT:
                pass
            elif check is None and position in self.extents:
                position = self.extents[position]
            elif kind == RECORD:
                shape, position = self.shape(position)
                if shape.is_boxed:
                    frame = Frame((self.kind(position),), 1, start, None)
                    position += 1
                elif check is None and shape.fixed_size >= 0:
                    position += shape.fixed_size
                else:
                    frame = Frame(shape.kinds, len(shape.kinds), start, shape)
            elif kind in (ARRAY, SET, DICTIONARY):
                kinds, count, position = self.container(kind, position)
                sizes = [SIZES[k] for k in kinds]
                if check is None and all(sizes):
                    position += count * sum(sizes)
                else:
                    frame = Frame(kinds, count * len(kinds), start, None)
            elif kind == PACKED or kind == STRUCTS or kind == NESTED:
                head = self.packed(kind, position)
                position = head.end
                if check is not None:
                    check(kind, start, head)
            elif kind == OPTIONALS:
                both = self.optionals(position)
                position = both.end
                if check is not None:
                    check(kind, start, both)
            elif kind == FIXED:
                form, position = self.fixed(position)
                if check is not None:
                    check(kind, position, form)
                position += form.size
            elif kind == BINARY or kind == OPAQUE or kind >= LATER:
                position = self.run(self.varint(position)[1])[1]
            else:
                raise self.error("G5", f"the unknown kind {kind:#x}", position)
            if position > self.size:
                raise self.error("G1", f"a value ends at {position}, the stream at {self.size}", start)
            if frame is not None:
                if len(frames) >= MAX_DEPTH:
                    raise self.error("G12", f"more than {MAX_DEPTH} levels", start)
                frames.append(frame)
            while frames:
                top = frames[-1]
                if top.index < top.total:
                    if top.overflow_end >= 0:
                        field = self.overflow_field(position)
                        top.keyless -= field.key is None
                        kind, position = field.kind, field.position
                    else:
                        kind = top.kinds[top.index % len(top.kinds)]
                    top.index += 1
                    break
                if top.overflow_end < 0 and top.shape is not None and top.shape.is_open:
                    position = self.begin_overflow(top, position, check is not None)
                    continue
                if top.overflow_end >= 0 and check is not None:
                    if position != top.overflow_end or top.keyless != 0:
                        raise self.error("G7", "overflow fields are not as their head says", top.start)
                frames.pop()
                if position > limit:
                    break
                if check is None and position - top.start >= KEPT_EXTENT:
                    self.extents[top.start] = position
            if position > limit:
                message = f"a value ends at {position}, behind the start of the next object at {limit}"
                raise self.error("G2", message, start)
            if not frames:
                return position

    def begin_overflow(self, frame: Frame, position: int, through: bool) -> int:
        """Goes into the overflow fields of a record, or past them unless `through`."""
        count, keyless, start, end = self.overflow_head(position)
        frame.overflow_end, frame.keyless = end, keyless
        frame.index, frame.total = 0, count if through else 0
        return start if through else end
