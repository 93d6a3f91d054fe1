"""Values of a graph as the Swift tool lists them: what each is, and its parts, without making Python values of them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from ..format.attributes import NONE, Attributes
from ..format.contents import Shape
from ..format.kinds import (
    ABSENT, ARRAY, BINARY, BOOL, CONDITIONAL, DICTIONARY, FIXED, FLOAT64, INT8, INTEGER_BITS, LATER, NESTED, NIL, OPAQUE, OPTIONALS, PACKED, RECORD,
    REFERENCE, SET, STRING, STRUCTS, UINT8, packed_format,
)  # fmt: skip
from ..graph.arrays import Array
from ..graph.paths import Step, step_text
from ..graph.reader import GraphReader
from ..graph.stream import Lengths, OptionalsHead, PackedHead
from ..graph.optionals import presence_of
from ..graph.ragged import starts_of
from ..graph.strings import is_text
from ..graph.values import Dictionary, Elements, List, Record, Set, elements_of, field_place, first_field_of, limit_of, start_of
from .texts import LONGEST_VALUE, MOST_SHOWN, cut, element_text, elements_text, number_text, quoted

NAMES = frozenset((*INTEGER_BITS, INT8, UINT8, STRING))
# Enough of a nested array to fill its text.
MOST_BYTES = 4 * LONGEST_VALUE


@dataclass(frozen=True)
class Stored:
    """A value in the graph stream."""

    kind: int
    position: int
    limit: int


@dataclass(frozen=True)
class Element:
    """An element of a packed array, or a field of a struct in one."""

    head: PackedHead
    index: int
    field: int | None = None


@dataclass(frozen=True)
class Row:
    """A nested array, or one of the arrays in it: array `index` of those at a level."""

    head: PackedHead
    starts: tuple[int | Lengths, ...]
    level: int = 0
    index: int = 0

    def parts(self, level: int, first: int, last: int) -> tuple[int, int]:
        """Where the parts of some arrays of a level begin and end."""
        starts = self.starts[level]
        return (first * starts, last * starts) if isinstance(starts, int) else (int(starts[first]), int(starts[last]))

    @cached_property
    def own(self) -> tuple[int, int]:
        return self.parts(self.level, self.index, self.index + 1)

    @cached_property
    def extent(self) -> tuple[list[int | None], int, int]:
        """The length of each dimension, `None` where these differ, and where the elements begin and end."""
        lengths: list[int | None] = []
        first, last = self.index, self.index + 1
        for level in range(self.level, len(self.starts)):
            starts = self.starts[level]
            if isinstance(starts, int):
                lengths.append(starts)
            else:
                its = np.diff(starts[first : last + 1])
                lengths.append(0 if not len(its) else int(its[0]) if (its == its[0]).all() else None)
            first, last = self.parts(level, first, last)
        return lengths, first, last

    @property
    def is_text(self) -> bool:
        """Whether the innermost arrays are strings, which have no parts."""
        return is_text(self.head)

    @property
    def is_string(self) -> bool:
        return self.is_text and self.level + 1 == len(self.starts)

    def part(self, place: int) -> Row | Element:
        number = self.own[0] + place
        if self.level + 1 == len(self.starts):
            return Element(self.head, number)
        return Row(self.head, self.starts, self.level + 1, number)


@dataclass(frozen=True)
class Missing:
    """An optional without a value, in a packed array."""


Place = Stored | Element | Row | Missing
# A step, the text of a key that is none, and where the value is.
Part = tuple[Step, str | None, Place]


@dataclass(frozen=True)
class OptionalPlaces:
    """Where the elements of an array of optionals are."""

    row: Row
    presence: np.ndarray[Any, np.dtype[np.bool_]]

    def part(self, index: int) -> Place:
        return self.row.part(index) if self.presence[index] else Missing()


@dataclass
class Item:
    """A value: optionals, references and boxes around it are passed; with a number it is the object that a reference leads to."""

    step: Step | None
    key_text: str | None
    kind: int
    above: Item | None = None
    class_name: str | None = None
    object: int | None = None
    count: int | None = None
    text: str | None = None
    shape: list[int | None] = field(default_factory=list)
    formats: list[str] = field(default_factory=list)
    byte_count: int | None = None
    segment: int | None = None
    attributes: Attributes = NONE
    # What has the parts: a record, elements, a packed array or rows.
    holder: Record | Elements | PackedHead | Row | Element | OptionalPlaces | None = None
    end: int = 0

    @property
    def path(self) -> str:
        """Made when asked for: those of deep graphs are long."""
        steps: list[str] = []
        item: Item | None = self
        while item is not None and item.step is not None:
            steps.append(step_text(item.step))
            item = item.above
        return "".join(reversed(steps)).removeprefix(".")

    @property
    def has_parts(self) -> bool:
        """Whether it has parts that its own line does not show, and that are more than numbers."""
        return bool(self.count) and self.text is None and (not self.formats or self.kind == OPTIONALS or self.formats == ["string"])


def is_scalar(kind: int) -> bool:
    return kind == FIXED or BOOL <= kind <= FLOAT64


def wrapped_kind(shape: Shape) -> int | None:
    """The kind of the only field of a record that has no key, as single values have it."""
    is_single = shape.keys == (None,) and not shape.is_open and not shape.is_class and not shape.is_list
    return shape.kinds[0] if is_single else None


def described(
    context: GraphReader, place: Place, step: Step | None = None, key_text: str | None = None, above: Item | None = None
) -> Item:
    """The value at a place."""
    if isinstance(place, Row):
        return described_row(context, place, Item(step, key_text, PACKED, above))
    if isinstance(place, Missing):
        return Item(step, key_text, NIL, above, text="nil")
    if isinstance(place, Element):
        return described_element(context, place, Item(step, key_text, FIXED, above))
    stream = context.stream
    kind, position, limit = place.kind, place.position, place.limit
    item = Item(step, key_text, kind, above)
    passed = 0
    while True:
        kind, position = stream.untag(kind, position)
        if kind in (REFERENCE, CONDITIONAL):
            number, _ = stream.object_number(position)
            item.object = number if item.object is None else item.object
            extent = context.extent(number)
            if extent is None and kind == CONDITIONAL:
                item.kind, item.text = kind, "nil"
                return item
            if extent is None:
                raise stream.error("G4", f"a reference to object {number}, which is not stored", position)
            passed += 1
            if passed > context.contents.object_count:
                raise stream.error("G4", "objects are boxes of each other", position)
            (position, limit), kind = extent, RECORD
        if kind != RECORD:
            break
        shape, fields = stream.shape(position)
        if shape.is_class:
            item.class_name = None if shape.class_info is None else shape.class_info.name
        if not shape.is_boxed:
            item.kind, item.attributes = kind, context.contents.attributes.get(position, NONE)
            return described_record(context, context.record(shape, position, fields, limit, False), shape, item)
        kind, position = stream.kind(fields), fields + 1
    item.kind, item.end = kind, position
    # Nil takes no bytes: another value begins there.
    item.attributes = NONE if kind in (NIL, ABSENT) else context.contents.attributes.get(position, NONE)
    if kind in (NIL, ABSENT):
        item.text = "nil"
    elif kind in (ARRAY, SET, DICTIONARY):
        kinds, item.count, start = stream.container(kind, position)
        item.holder, item.end = Elements(context, kinds, item.count, start, limit, position), start
    elif kind in (PACKED, STRUCTS):
        described_array(context, stream.packed(kind, position), item)
    elif kind == NESTED:
        described_row(context, row_of(stream.packed(kind, position)), item)
    elif kind == OPTIONALS:
        described_optionals(context, stream.optionals(position), item)
    elif kind in (BINARY, OPAQUE) or kind >= LATER:
        number, at = stream.varint(position)
        start, item.end = stream.run(at)
        if kind == BINARY:
            item.byte_count = item.end - start
        else:
            item.text = f"{{ extension {number}, {item.end - start} bytes }}"
    elif kind == FIXED:
        form, start = stream.fixed(position)
        data, item.end = stream.bytes(start, form.size), start + form.size
        if form.scalar_name == "bool" and max(data) > 1:
            raise stream.error("G9", "a bool that is neither 0 nor 1", start)
        item.text = cut(element_text(form, data))
    else:
        value, item.end = stream.leaf(kind, position)
        item.text = cut(leaf_text(value))
    return item


def leaf_text(value: Any) -> str:
    if isinstance(value, str):
        return quoted(value)
    if isinstance(value, bool):
        return "true" if value else "false"
    return number_text(value) if isinstance(value, (float, np.floating)) else str(value)


def described_record(context: GraphReader, record: Record, shape: Shape, item: Item) -> Item:
    kind = wrapped_kind(shape)
    item.holder = record
    if kind is not None and (is_scalar(kind) or kind == STRING):
        item.count = 1
        inner = described(context, Stored(kind, first_field_of(record), limit_of(record)))
        item.text, item.end = inner.text, inner.end
        return item
    item.count, item.end = len(record), first_field_of(record)
    return item


def described_array(context: GraphReader, head: PackedHead, item: Item) -> None:
    item.holder, item.count, item.byte_count = head, head.count, head.count * head.element_size
    item.formats, item.end = formats_of(head), head.end
    if head.segment >= 0:
        item.segment = head.segment
        return
    # All of them are checked, and as many are read as are shown.
    shown = head.count if "bool" in " ".join(item.formats) else min(head.count, MOST_SHOWN)
    data = Array(context, head).read_elements(0, shown).tobytes()
    if head.format is not None:
        item.text = cut(elements_text(head.format, data, head.count))


def described_optionals(context: GraphReader, head: OptionalsHead, item: Item) -> None:
    array = head.array
    item.count, item.formats, item.byte_count = head.element_count, formats_of(array), array.count * array.element_size
    item.holder, item.end = OptionalPlaces(row_of(array), presence_of(context, head)), head.end
    if array.segment >= 0:
        item.segment = array.segment


def row_of(head: PackedHead) -> Row:
    """All of an array, as one of arrays."""
    return Row(head, starts_of(head))


def described_row(context: GraphReader, row: Row, item: Item) -> Item:
    head = row.head
    start, end = row.own
    lengths, first, last = row.extent
    if row.is_string:
        its = Array(context, head).read_elements(first, last).tobytes()
        item.kind, item.end = STRING, head.end
        try:
            item.text = cut(quoted(its.decode()))
        except UnicodeDecodeError:
            raise context.stream.error("G11", "a string is not UTF-8", head.position) from None
        return item
    item.holder, item.count, item.shape = row, end - start, lengths[:-1] if row.is_text else lengths
    is_nested = len(lengths) > 1 or item.kind == NESTED
    item.kind = NESTED if is_nested else STRUCTS if head.format is None else PACKED
    item.formats, item.byte_count, item.end = formats_of(head), (last - first) * head.element_size, head.end
    if head.segment >= 0:
        item.segment = head.segment
    elif not row.is_text:
        # Strings are listed, one by one.
        data = Array(context, head).read_elements(first, last).tobytes()
        if head.format is not None:
            item.text = cut(row_text(row, data, first))
    return item


def row_text(row: Row, data: bytes, first: int) -> str:
    """The elements in brackets, those of each array in their own; no more of them than show."""
    form = row.head.format
    assert form is not None
    pieces: list[str] = []
    size = 0
    # What is still to come, the next one last: a row, or text.
    left: list[Row | str] = [row]
    while left:
        next_one = left.pop()
        if isinstance(next_one, str):
            pieces.append(next_one)
        elif next_one.level + 1 == len(next_one.starts):
            start, end = next_one.own
            if next_one.is_text:
                pieces.append(quoted(data[start - first : min(end, start + MOST_BYTES) - first].decode(errors="replace")))
            else:
                its = data[(start - first) * form.size : (min(end, start + MOST_SHOWN) - first) * form.size]
                pieces.append(elements_text(form, its, end - start))
        else:
            start, end = next_one.own
            # An array takes two characters at least.
            shown = min(end - start, MOST_BYTES)
            inner = [part for place in range(shown) if isinstance(part := next_one.part(place), Row)]
            left.append("]")
            for place, part in reversed(list(enumerate(inner))):
                left.append(part)
                if place:
                    left.append(", ")
            pieces.append("[")
        size += len(pieces[-1])
        if size > MOST_BYTES:
            break
    return "".join(pieces)


def described_element(context: GraphReader, place: Element, item: Item) -> Item:
    head = place.head
    data = Array(context, head).read_elements(place.index, place.index + 1).tobytes()
    item.end = head.end
    if place.field is None and head.layout is not None:
        item.kind, item.formats, item.count, item.holder = RECORD, formats_of(head), len(head.layout.keys), place
        return item
    form, at = head.format, 0
    if place.field is not None and head.layout is not None:
        forms = [known for number in head.layout.formats if (known := packed_format(number)) is not None]
        form, at = forms[place.field], sum(its.size for its in forms[: place.field])
    assert form is not None
    item.formats, item.text = [str(form)], cut(element_text(form, data[at : at + form.size]))
    return item


def formats_of(head: PackedHead) -> list[str]:
    if head.format is not None:
        return [str(head.format)]
    return [] if head.layout is None else [str(packed_format(number)) for number in head.layout.formats]


def root_of(context: GraphReader) -> Item:
    # A directory that breaks a rule is refused though nothing here needs it, as by the tool.
    _ = context.contents.directory
    return described(context, Stored(context.stream.kind(0), 1, context.root_end))


# Parts


def item_of(context: GraphReader, value: Any) -> Item:
    """What a value that Python has read is; of others than records and lists, nothing but their text."""
    if isinstance(value, Record):
        return described(context, Stored(RECORD, start_of(value), limit_of(value)))
    if isinstance(value, (List, Set, Dictionary)):
        elements = elements_of(value)
        kind = ARRAY if isinstance(value, List) else SET if isinstance(value, Set) else DICTIONARY
        return Item(None, None, kind, count=elements.count, holder=elements)
    return Item(None, None, NIL, text="nil" if value is None else str(value))


def parts(context: GraphReader, item: Item, first: int = 0) -> Iterator[Part]:
    """The parts of a value from one place on."""
    holder = item.holder
    if isinstance(holder, Record):
        yield from record_parts(holder, first)
    elif isinstance(holder, Elements):
        yield from (dictionary_parts if len(holder.kinds) > 1 else list_parts)(context, holder, first)
    elif isinstance(holder, PackedHead):
        yield from ((index, None, Element(holder, index)) for index in range(first, holder.count))
    elif isinstance(holder, (Row, OptionalPlaces)):
        yield from ((index, None, holder.part(index)) for index in range(first, item.count or 0))
    elif isinstance(holder, Element) and holder.head.layout is not None:
        for index, key in enumerate(holder.head.layout.keys):
            if index >= first:
                yield index if key is None else key, None, Element(holder.head, holder.index, index)


def record_parts(record: Record, first: int) -> Iterator[Part]:
    keyless = 0
    for index, key in enumerate(record.all_keys()):
        step: Step = keyless if key is None else key
        keyless += key is None
        if index >= first:
            yield step, None, Stored(*field_place(record, index), limit_of(record))


def list_parts(context: GraphReader, of: Elements, first: int) -> Iterator[Part]:
    position, kind = of.offsets[0], of.kinds[0]
    for index in range(of.count):
        if index >= first:
            yield index, None, Stored(kind, position, of.limit)
        if index + 1 < of.count:
            position = context.stream.end_of(kind, position, of.limit)


def dictionary_parts(context: GraphReader, of: Elements, first: int) -> Iterator[Part]:
    position, end_of = of.offsets[0], context.stream.end_of
    for index in range(of.count):
        value = end_of(of.kinds[0], position, of.limit)
        if index >= first:
            step = name_at(context, of.kinds[0], position)
            text = described(context, Stored(of.kinds[0], position, of.limit)).text if step is None else None
            yield index if step is None else step, text, Stored(of.kinds[1], value, of.limit)
        if index + 1 < of.count:
            position = end_of(of.kinds[1], value, of.limit)


def name_at(context: GraphReader, kind: int, position: int) -> Step | None:
    """The string or integer that a key is, also one that a record has alone."""
    stream = context.stream
    if kind == RECORD:
        shape, position = stream.shape(position)
        kind = wrapped_kind(shape) or NIL
    if kind not in NAMES:
        return None
    value = stream.leaf(kind, position)[0]
    return value if isinstance(value, str) else str(value) if value >> 63 > 0 else int(value)
