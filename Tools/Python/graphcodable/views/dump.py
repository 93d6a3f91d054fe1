"""A whole graph as an indented list, as `graphcodable dump` of the Swift tool prints it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import islice

from ..format.contents import Shape
from ..format.kinds import (
    ABSENT, ARRAY, BINARY, CONDITIONAL, DICTIONARY, NESTED, NIL, OPTIONALS, PACKED, RECORD, REFERENCE, SET, STRUCTS, TAGS,
)  # fmt: skip
from ..format.limits import VALUE
from ..graph.arrays import Array
from ..graph.reader import GraphReader
from ..graph.stream import OptionalsHead, PackedHead
from ..graph.strings import Strings, is_text, strings
from ..graph.values import Record, field_place, limit_of
from .items import Item, Missing, Stored, described, described_optionals, is_scalar, row_of, row_text
from .items import parts as item_parts
from .texts import MOST_SHOWN, cut, elements_text, layout_text, quoted

WIDTH = 88
# Deeper objects follow behind the root, and deeper lines are not indented further.
MOST_DEPTH = 100
# Longer names are shown in full once: a name that stands in the archive once may be that of a million values.
LONGEST_NAME = 80
# What shows as a part of the box that it is in.
SHOWN_INSIDE = frozenset((NIL, ABSENT, RECORD, REFERENCE, CONDITIONAL, *TAGS))
CONTAINERS = frozenset((ARRAY, SET, DICTIONARY))


# Of an array of strings: the strings, and their bytes.
STRING_DIMENSIONS = 2
# Prefixes, and values, or the texts of strings.
Parts = Iterator[tuple[str, Stored]] | Iterator[tuple[str, Strings | str]] | Iterator[tuple[str, str]]


@dataclass
class Level:
    """A value that has been begun: what is still to come of it, and whether a line with a dot ends it."""

    # Texts are those of strings.
    parts: Parts
    ends_with_dot: bool = True


def dump(context: GraphReader) -> Iterator[str]:
    return Dump(context).lines()


class Dump:
    def __init__(self, context: GraphReader) -> None:
        self.context, self.stream = context, context.stream
        self.steps = context.steps()
        # Objects that have been printed, or will be, and those whose place is too deep to be indented.
        self.met: set[int] = set()
        self.postponed: list[int] = []
        self.shown_names: set[str] = set()
        self.levels: list[Level] = []
        self.depth = 0

    def lines(self) -> Iterator[str]:
        # What is wrong with all of the stream comes first.
        self.stream.need(0, self.stream.size)
        root = Stored(self.stream.kind(0), 1, self.context.root_end)
        yield "== BODY ".ljust(WIDTH, "=")
        yield from self.value("- ", root)
        yield from self.left()
        while self.postponed:
            yield from self.value("- ", self.postponed.pop())
            yield from self.left()
        yield "=" * WIDTH

    def left(self) -> Iterator[str]:
        """The parts of what has been begun, until all of it has ended."""
        while self.levels:
            level = self.levels[-1]
            part = next(level.parts, None)
            if part is not None:
                yield from self.value(*part)
                continue
            self.levels.pop()
            if level.ends_with_dot:
                self.depth -= 1
                yield self.line(".")

    def line(self, text: str) -> str:
        return "\t" * min(self.depth, MOST_DEPTH) + text

    def begun(self, text: str, parts: Parts) -> str:
        line = self.line(text)
        self.depth += 1
        self.levels.append(Level(parts))
        return line

    def value(self, prefix: str, place: Stored | Strings | int | str) -> Iterator[str]:
        """A value or an object, or what it begins with; boxes may stand in boxes, as deep as the archive likes."""
        if isinstance(place, Strings):
            yield self.begun(prefix + "VAL", self.strings(place))
            return
        if isinstance(place, str):
            yield self.line(prefix + place)
            return
        stream, unit, other = self.stream, "BIV ", "VAL"
        while True:
            self.steps.take(VALUE)
            found = place if isinstance(place, int) else None
            if isinstance(place, Stored):
                limit = place.limit
                kind, position = stream.untag(place.kind, place.position)
                if kind == REFERENCE:
                    found, _ = stream.object_number(position)
                    if not self.is_new(found):
                        yield self.line(f"{prefix}PTS{code(found)}")
                        return
                elif kind != RECORD:
                    break
            if found is not None:
                position, limit = self.extent(found)
            shape, fields = stream.shape(position)
            ident, of_class = "" if found is None else code(found), self.class_of(shape)
            if not shape.is_boxed:
                record = self.context.record(shape, position, fields, limit, False)
                yield self.begun(f"{prefix}{'REF' if shape.is_class else 'VAL'}{ident}{of_class}", self.fields(record))
                return
            boxed = stream.kind(fields)
            place = Stored(boxed, fields + 1, limit)
            if boxed in SHOWN_INSIDE:
                yield self.begun(f"{prefix}VAL{ident}", iter(()))
                prefix, unit, other = "- ", "BIV ", "VAL"
            else:
                # The box shows as what it holds.
                self.levels.append(Level(iter(()), ends_with_dot=False))
                what = "BIV" + ident if boxed in CONTAINERS else ("BIR" if shape.is_class else "BIV") + ident + of_class
                unit, other = what + " ", "VAL" + ident
        yield self.unboxed(prefix, kind, position, limit, unit, other)

    def unboxed(self, prefix: str, kind: int, position: int, limit: int, unit: str, other: str) -> str:
        stream = self.stream
        if kind in (NIL, ABSENT):
            return self.line(prefix + "NIL")
        if kind == CONDITIONAL:
            return self.line(f"{prefix}PTC{code(stream.object_number(position)[0])}")
        if kind in CONTAINERS:
            kinds, count, start = stream.container(kind, position)
            parts = self.elements(kinds, count, start, limit)
            if not all(map(is_scalar, kinds)):
                return self.begun(prefix + other, parts)
            return self.line(prefix + unit + self.scalars(parts, len(kinds), count))
        if kind in (PACKED, STRUCTS):
            return self.line(prefix + unit + cut(self.array_text(stream.packed(kind, position))))
        if kind == NESTED and is_text(head := stream.packed(kind, position)):
            found = strings(self.context, head)
            if isinstance(found, Strings):
                return self.begun(prefix + other, self.strings(found))
        if kind == OPTIONALS:
            return self.begun(prefix + other, self.optionals(stream.optionals(position)))
        if kind == NESTED:
            return self.line(prefix + unit + cut(self.nested_text(stream.packed(kind, position))))
        item = described(self.context, Stored(kind, position, limit))
        return self.line(prefix + unit + (f"{{ {item.byte_count} bytes }}" if kind == BINARY else item.text or ""))

    def scalars(self, parts: Iterator[tuple[str, Stored]], width: int, count: int) -> str:
        """The elements of a container of numbers, which is shown as one unit."""
        texts = [described(self.context, place).text or "" for _, place in islice(parts, width * MOST_SHOWN)]
        elements = [": ".join(texts[at : at + width]) for at in range(0, len(texts), width)]
        return cut(f"[{', '.join(elements)}{', …' if count > len(elements) else ''}]")

    def strings(self, strings: Strings) -> Iterator[tuple[str, Strings | str]]:
        for part in strings:
            yield "- ", part if isinstance(part, Strings) else f"BIV {cut(quoted(part))}"

    def optionals(self, head: OptionalsHead) -> Iterator[tuple[str, str]]:
        if head.kind == NESTED and not (is_text(head.array) and len(head.array.lengths) == STRING_DIMENSIONS):
            yield "- ", f"BIV {cut(self.nested_text(head.array))}"
            return
        item = Item(None, None, OPTIONALS)
        described_optionals(self.context, head, item)
        for _, _, place in item_parts(self.context, item):
            its = described(self.context, place)
            text = f"{{ {head.array.element_size} bytes }}" if its.text is None else its.text
            yield "- ", "NIL" if isinstance(place, Missing) else f"BIV {text}"

    def array_text(self, head: PackedHead) -> str:
        if head.segment >= 0 or head.format is None:
            return f"{{ {head.count} × {element_text(head)}, {head.count * head.element_size} bytes }}"
        data = Array(self.context, head).read_elements(0, min(head.count, MOST_SHOWN)).tobytes()
        return elements_text(head.format, data, head.count)

    def nested_text(self, head: PackedHead) -> str:
        row = row_of(head)
        lengths, first, last = row.extent
        if head.segment >= 0 or head.format is None:
            lengths = lengths[:-1] if is_text(head) else lengths
            shape = " × ".join("…" if length is None else str(length) for length in lengths)
            return f"{{ {shape} × {element_text(head)}, {head.count * head.element_size} bytes }}"
        return row_text(row, Array(self.context, head).read_elements(first, last).tobytes(), first)

    # Objects and records

    def is_new(self, number: int) -> bool:
        """Whether an object is to be shown here; one whose place is too deep follows later."""
        if number not in self.met and self.depth < MOST_DEPTH:
            self.met.add(number)
            return True
        if number not in self.met:
            self.met.add(number)
            self.postponed.append(number)
        return False

    def extent(self, number: int) -> tuple[int, int]:
        found = self.context.extent(number)
        if found is None:
            raise self.stream.error("G4", f"a reference to object {number}, which is not stored", 0)
        return found

    def class_of(self, shape: Shape) -> str:
        its = shape.class_info
        if its is None:
            return ""
        classes = self.context.contents.classes
        return " " + self.shortened(its.name, f"TYPE{classes.index(its) + 1:04}", plain)

    def fields(self, record: Record) -> Iterator[tuple[str, Stored]]:
        for index, key in enumerate(record.all_keys()):
            place = Stored(*field_place(record, index), limit_of(record))
            yield "- " if key is None else f"+ {self.shortened(key, self.key_code(key), quoted)}: ", place

    def key_code(self, key: str) -> str:
        # Of keys that are equal the first one.
        return f"KEY{self.context.contents.keys.index(key) + 1:04}" if len(key) > LONGEST_NAME // 4 else ""

    def elements(self, kinds: tuple[int, ...], count: int, position: int, limit: int) -> Iterator[tuple[str, Stored]]:
        total = count * len(kinds)
        for index in range(total):
            kind = kinds[index % len(kinds)]
            yield "- ", Stored(kind, position, limit)
            if index + 1 < total:
                position = self.stream.end_of(kind, position, limit)

    def shortened(self, name: str, its_code: str, make: Callable[[str], str]) -> str:
        """A name or, from the second time on, how it begins and its code, where that is shorter."""
        if len(name.encode()) <= LONGEST_NAME or its_code not in self.shown_names:
            self.shown_names.add(its_code)
            return make(name)
        return f"{make(name[: LONGEST_NAME // 4] + '…')} {its_code}"


def plain(name: str) -> str:
    """The name of a class without what would end its line."""
    return quoted(name)[1:-1]


def element_text(head: PackedHead) -> str:
    return str(head.format) if head.layout is None else layout_text(head.layout)


def code(number: int) -> str:
    """The number of an object, counted from 1, with four digits at least."""
    return f"{number + 1:04}"
