"""The parts of a graph as items and as lines of text, as `graphcodable ls` of the Swift tool prints them."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from typing import Any

import numpy as np

from ..graph.archive import Archive
from ..graph.arrays import Array
from ..graph.context import Context
from ..format.kinds import (
    ARRAY, CONDITIONAL, DICTIONARY, FIXED, INTEGER_BITS, KINDS, NESTED, RECORD, REFERENCE, STRING, packed_format,
)  # fmt: skip
from ..format.limits import VALUE, Steps
from ..graph.paths import index_step, key_step, parent, value_at
from ..graph.ragged import Ragged
from ..graph.values import Dictionary, Elements, List, Record, Set, elements_of, place_of, stored_fields

# Deeper lines are not indented further: deep graphs would be mostly spaces.
MOST_INDENT = 32
LONGEST_VALUE = 64
# So many lines are aligned with each other where a list is printed without a limit.
ALIGNED = 1000


@dataclass
class Item:
    """A value of the graph: where it stands, what it is, and how many parts it has; or how many were left out."""

    name: str
    step: str
    above: Item | None
    depth: int
    kind: int
    object: int | None
    formats: list[str]
    value: Any
    is_repeated: bool = False
    left_out: int = 0

    @property
    def path(self) -> str:
        """Made when asked for: those of deep graphs are long."""
        steps: list[str] = []
        item: Item | None = self
        while item is not None:
            steps.append(item.step)
            item = item.above
        return "".join(reversed(steps)).removeprefix(".")

    @property
    def kind_name(self) -> str:
        return KINDS[self.kind]

    @property
    def count(self) -> int | None:
        counted = (Record, List, Set, Dictionary, Array, Ragged)
        return len(self.value) if isinstance(self.value, counted) else None

    @property
    def byte_count(self) -> int | None:
        if isinstance(self.value, (Array, Ragged)):
            return packed_of(self.value).nbytes
        return len(self.value) if isinstance(self.value, bytes) else None

    def to_json(self) -> dict[str, Any]:
        """The keys that `graphcodable ls --json` has."""
        value = self.value
        type_name = value.type_name if isinstance(value, Record) else None
        shown = None if isinstance(value, (Array, Ragged)) else value_text(value)
        result = {
            "path": self.path, "depth": self.depth, "kind": self.kind_name, "class": type_name, "object": self.object,
            "count": self.count, "value": shown or None, "formats": self.formats or None, "bytes": self.byte_count,
            "segment": packed_of(value).segment if isinstance(value, (Array, Ragged)) else None, "leftOut": self.left_out or None,
        }  # fmt: skip
        return {key: each for key, each in result.items() if each is not None}


class Batch:
    """Parts of one value whose columns stand under each other."""

    def __init__(self, items: list[Item]) -> None:
        self.items = items

    @cached_property
    def widths(self) -> list[int]:
        cells = [columns(item) for item in self.items if not item.left_out]
        return [max((len(row[index]) for row in cells), default=0) for index in range(5)]


def items(
    context: Context, value: Any, depth: int | None, limit: int | None, above: Item | None = None
) -> Iterator[tuple[Item, Batch]]:
    """The parts of a value, each before its own, down to `depth` levels and `limit` parts of each; `None` is no limit.

    An object that several references lead to is listed where it is first met. Does not recurse.
    """
    seen: set[tuple[type, int]] = set()
    steps = context.steps()
    stack = [listed(context, value, above, 1, limit)] if mark(value, seen) else []
    while stack:
        found = next(stack[-1], None)
        if found is None:
            stack.pop()
            continue
        steps.take(VALUE)
        item, _ = found
        item.is_repeated = has_parts(item.value) and place_of(item.value) in seen
        yield found
        if (depth is None or len(stack) < depth) and mark(item.value, seen):
            stack.append(listed(context, item.value, item, len(stack) + 1, limit))


def listed(
    context: Context, value: Any, above: Item | None, depth: int, limit: int | None
) -> Iterator[tuple[Item, Batch]]:
    """The parts of one value, so many at a time."""
    steps = context.steps()
    iterator = parts(context, value)
    left = limit
    while True:
        count = ALIGNED if left is None else min(left, ALIGNED)
        batch = Batch([described(context, part, above, depth) for part in islice(iterator, count)])
        yield from ((item, batch) for item in batch.items)
        if len(batch.items) < count:
            return
        if left is not None:
            left -= count
            if left == 0:
                break
    left_out = len(value) - limit if limit is not None and is_counted(context, value) else counted(iterator, steps)
    if left_out:
        yield Item("", "", above, depth, 0, None, [], None, left_out=left_out), Batch([])


def is_counted(context: Context, value: Any) -> bool:
    """Whether a value has as many parts as it says: a pair whose key has parts is two."""
    if not isinstance(value, Dictionary):
        return True
    kind = elements_of(value).kinds[0]
    return kind in INTEGER_BITS or kind == STRING


def counted(iterator: Iterator[Any], steps: Steps) -> int:
    count = 0
    for _ in iterator:
        steps.take(VALUE)
        count += 1
    return count


def lines(context: Context, value: Any, depth: int | None, limit: int | None) -> Iterator[str]:
    """The items as lines."""
    if not has_parts(value):
        yield value_line(value)
        return
    for item, batch in items(context, value, depth, limit):
        level = item.depth - 1
        indent = "  " * level if level <= MOST_INDENT else "  " * MOST_INDENT + f"({level}) "
        if item.left_out:
            yield f"{indent}… {item.left_out:,} more, not listed: see --limit"
            continue
        name, kind, count, size, shown = columns(item)
        widths = batch.widths
        cells = [name.ljust(widths[0]), kind.ljust(widths[1]), count.rjust(widths[2]), size.rjust(widths[3])]
        cells.append("listed above" if item.is_repeated else shown)
        yield indent + "  ".join(cell for cell, width in zip(cells, [*widths[:4], 1]) if width).rstrip()


def columns(item: Item) -> tuple[str, str, str, str, str]:
    value = item.value
    number = "" if item.object is None else f" #{item.object}"
    if isinstance(value, Record):
        kind = visible(value.type_name or ("list" if value.is_list else "record")) + number
    elif isinstance(value, (Array, Ragged)):
        form = item.formats[0] if packed_of(value).format is not None else "structs"
        kind = f"{'array' if isinstance(value, Array) else 'rows'} of {form}{number}"
    else:
        kind = (item.formats[0] if item.kind == FIXED else item.kind_name) + number
    unit = {RECORD: "field", DICTIONARY: "pair", NESTED: "row"}.get(kind_of(value), "element")
    count = "" if item.count is None else f"{item.count:,} {unit}{'' if item.count == 1 else 's'}"
    if isinstance(value, Array) and value.is_nested:
        count = " × ".join(f"{length:,}" for length in value.lengths) + " elements"
    size = "" if item.byte_count is None else f"{item.byte_count:,} bytes"
    if isinstance(value, (Array, Ragged)) and packed_of(value).segment is not None:
        shown = f"in segment bulk {packed_of(value).segment}"
    else:
        shown = "" if value is None else value_text(value)
    return item.name, kind, count, size, shown


def value_line(value: Any) -> str:
    """A root without parts."""
    return "nil" if value is None else value_text(value) or repr(value)


# Parts


Part = tuple[str, str, int, int, Any, int]  # Name, step, kind, position, value, limit.


def parts(context: Context, value: Any) -> Iterator[Part]:
    if isinstance(value, Record):
        return record_parts(value)
    if isinstance(value, Dictionary):
        return dictionary_parts(context, elements_of(value))
    if isinstance(value, (List, Set)):
        return (
            (f"[{index}]", index_step(index), *each, elements_of(value).limit)
            for index, each in enumerate(elements(context, elements_of(value)))
        )
    return iter(())


def record_parts(record: Record) -> Iterator[Part]:
    for index, field in enumerate(stored_fields(record)):
        name, step = (
            (f"[{index}]", index_step(index)) if field.key is None else (visible(field.key), key_step(field.key))
        )
        yield name, step, field.kind, field.position, field.value, field.limit


def elements(context: Context, of: Elements) -> Iterator[tuple[int, int, Any]]:
    """Kind, position and value of each."""
    position, last = of.offsets[0], of.count * len(of.kinds) - 1
    for index in range(last + 1):
        kind = of.kinds[index % len(of.kinds)]
        value, end = context.value(kind, position, of.limit)
        yield kind, position, value
        if index < last:
            position = end if end >= 0 else context.stream.end_of(kind, position, of.limit)


def dictionary_parts(context: Context, of: Elements) -> Iterator[Part]:
    pairs = elements(context, of)
    for index, key in enumerate(islice(pairs, of.count)):
        name = value_text(key[2])
        step = key_step(key[2]) if isinstance(key[2], str) else index_step(index)
        if has_parts(key[2]) or not name:
            yield f"[{index}].key", f"{index_step(index)}.key", *key, of.limit
            name = f"[{index}].value"
        else:
            name = f"[{name}]"
        yield name, step, *next(pairs), of.limit


def described(context: Context, part: Part, above: Item | None, depth: int) -> Item:
    name, step, kind, position, value, _ = part
    stream = context.stream
    kind, position = stream.untag(kind, position)
    number: int | None = None
    formats: list[str] = []
    if kind in (REFERENCE, CONDITIONAL):
        number, _ = stream.object_number(position)
        kind = RECORD if isinstance(value, Record) else kind
    elif kind == FIXED:
        formats = [str(stream.fixed(position)[0])]
    if isinstance(value, (Array, Ragged)):
        form, layout = packed_of(value).format, packed_of(value).layout
        formats = [str(form)] if form else [str(packed_format(each)) for each in layout.formats] if layout else []
    return Item(name, step, above, depth, kind, number, formats, value)


def item_at(archive: Archive, path: str, value: Any) -> Item:
    """What is at a path, as an item of depth 0."""
    before, context = parent(path), archive.reader
    if before is None:
        return described(context, ("", "", context.stream.kind(0), 1, value, 0), None, 0)
    for part in parts(context, value_at(archive.root, before)):
        if before + part[1] == path or (not before and part[1] == f".{path}"):
            return described(context, ("", path, *part[2:]), None, 0)
    return Item("", path, None, 0, FIXED, None, [], value)


def mark(value: Any, seen: set[tuple[type, int]]) -> bool:
    """Whether a value has parts that were not listed before; they count as listed from now on."""
    if not has_parts(value) or place_of(value) in seen:
        return False
    seen.add(place_of(value))
    return True


def has_parts(value: Any) -> bool:
    return isinstance(value, (Record, List, Set, Dictionary)) and len(value) > 0


# Values


def packed_of(value: Array | Ragged) -> Array:
    return value if isinstance(value, Array) else value.elements


def kind_of(value: Any) -> int:
    if isinstance(value, Record):
        return RECORD
    return DICTIONARY if isinstance(value, Dictionary) else NESTED if isinstance(value, Ragged) else ARRAY


def to_lists(rows: Ragged) -> list[Any]:
    return [row.tolist() if isinstance(row, np.ndarray) else to_lists(row) for row in rows]


def value_text(value: Any) -> str:
    """A single value, or the elements of a short array; empty for what has parts."""
    if isinstance(value, (Record, List, Set, Dictionary)):
        return ""
    if isinstance(value, (Array, Ragged)):
        if packed_of(value).segment is not None or packed_of(value).nbytes > LONGEST_VALUE:
            return ""
        return cut(str(value[:].tolist() if isinstance(value, Array) else to_lists(value)))
    if isinstance(value, str):
        return cut(visible(json.dumps(value, ensure_ascii=False)))
    if isinstance(value, bytes):
        return ""
    if isinstance(value, np.ndarray):
        return cut(visible(str(value.tolist())))
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (float, np.floating)):
        return number_text(value)
    if isinstance(value, np.generic):
        return str(value.item())
    return "" if value is None else cut(visible(repr(value) if isinstance(value, tuple) else str(value)))


def number_text(value: float | np.floating[Any]) -> str:
    """The shortest digits that give the same bits in the type."""
    if math.isnan(value):
        return "nan"
    if math.isinf(value):
        return "inf" if value > 0 else "-inf"
    return str(value) if isinstance(value, np.floating) else repr(float(value))


def cut(text: str) -> str:
    return text if len(text) <= LONGEST_VALUE else text[:LONGEST_VALUE] + "…"


def visible(value: str) -> str:
    """Text without control characters, and those that change the direction of writing."""
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in value)
