"""The parts of a graph as lines of text and as JSON, as `graphcodable ls` of the Swift tool prints them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Any

from ..format.kinds import ABSENT, CONDITIONAL, DICTIONARY, FIXED, NESTED, NIL, OPTIONALS, PACKED, RECORD, STRUCTS, kind_name
from ..format.limits import VALUE
from ..graph.paths import step_text
from ..graph.reader import GraphReader
from .cases import Cases
from .items import Item, Part, described, parts
from .texts import counted, formats_text, grouped, table

# Deeper lines of a list without a limit are not indented further: deep graphs would be mostly spaces.
MOST_INDENT = 32
# So many lines are aligned with each other where a list is printed without a limit.
ALIGNED = 1000


@dataclass
class Listed:
    """The parts of one value, all of them or so many at a time, and how many are left out in front of and behind them."""

    item: Item
    depth: int
    left: Iterator[Part]
    before: int
    behind: int


@dataclass
class Visit:
    """A value comes, and then its parts, if they are listed. Without a value, parts come that were left out."""

    item: Item | None
    depth: int
    batch: list[Item]
    list_of_parts: Listed | None = None
    is_listed_above: bool = False
    left_out: int = 0
    is_before: bool = False


def visits(
    context: GraphReader, root: Item, depth: int | None, limit: int | None, first: int = 0
) -> Iterator[Visit]:
    """A value and its parts, each before its own, down to `depth` levels and `limit` parts of each; `None` is no limit.

    An object that several references lead to is listed where it is first met. Does not recurse.
    """
    steps = context.steps()
    seen: set[int] = set()

    def listed(item: Item, level: int, start: int) -> Listed:
        count = item.count or 0
        start = min(start, count)
        shown = count - start if limit is None else min(limit, count - start)
        return Listed(item, level, islice(parts(context, item, start), shown), start, count - start - shown)

    def batch_of(its: Listed) -> list[Item]:
        size = ALIGNED if limit is None else limit
        batch = []
        for step, key_text, place in islice(its.left, size):
            steps.take(VALUE)
            batch.append(described(context, place, step, key_text, its.item))
        return batch

    stack: list[tuple[Listed, list[Item], Iterator[Item]]] = []

    def entered(visit: Visit, start: int = 0) -> Iterator[Visit]:
        """Visits a value whose parts are listed, unless they were."""
        item = visit.item
        assert item is not None
        if item.object is not None and item.object in seen:
            visit.is_listed_above = True
            yield visit
            return
        if item.object is not None:
            seen.add(item.object)
        its = visit.list_of_parts = listed(item, visit.depth + 1, start)
        yield visit
        if its.before:
            yield Visit(None, its.depth, [], left_out=its.before, is_before=True)
        stack.append((its, [], iter(())))

    visit = Visit(root, 0, [])
    if not root.count:
        yield visit
        return
    yield from entered(visit, first)
    while stack:
        its, batch, rest = stack[-1]
        item = next(rest, None)
        if item is None:
            batch = batch_of(its)
            if batch:
                stack[-1] = (its, batch, iter(batch))
                continue
            stack.pop()
            if its.behind:
                yield Visit(None, its.depth, [], left_out=its.behind)
            continue
        visit = Visit(item, its.depth, batch)
        if (depth is None or its.depth < depth) and item.has_parts:
            yield from entered(visit)
        else:
            yield visit


def lines(
    context: GraphReader, root: Item, depth: int | None, limit: int | None, first: int = 0, width: int | None = None
) -> Iterator[str]:
    """The items as lines; a value without parts has one of its own."""
    cases = Cases(context)
    aligned: dict[int, tuple[list[Item], Iterator[str]]] = {}
    for visit in visits(context, root, depth, limit, first):
        level = max(visit.depth - 1, 0)
        indent = "  " * level if depth is not None or level <= MOST_INDENT else "  " * MOST_INDENT + f"({level}) "
        if visit.item is None:
            what = "before, not listed: see --from" if visit.is_before else "more, not listed: see --limit"
            yield f"{indent}… {grouped(visit.left_out)} {what}"
        elif visit.depth == 0:
            if visit.list_of_parts is None:
                yield from table([cells(cases, visit.item)], "<<>><", width)
        else:
            batch, texts = aligned.get(visit.depth, ([], iter(())))
            if batch is not visit.batch:
                rows = [cells(cases, item, indent) for item in visit.batch]
                texts = iter(table(rows, "<<>><", width))
                aligned[visit.depth] = (visit.batch, texts)
            yield next(texts) + ("  (listed above)" if visit.is_listed_above else "")


def reports(
    context: GraphReader, root: Item, depth: int | None, limit: int | None, first: int = 0
) -> Iterator[dict[str, Any]]:
    """The items with the keys that they have in JSON."""
    cases = Cases(context)
    for visit in visits(context, root, depth, limit, first):
        item, its = visit.item, visit.list_of_parts
        if item is None:
            continue
        result = {
            "path": item.path, "depth": visit.depth, "key": item.key_text, "kind": kind_name(item.kind), "class": item.class_name,
            "object": item.object, "count": item.count, "value": cases.text(item) or item.text, "shape": item.shape or None,
            "formats": item.formats or None, "bytes": item.byte_count, "segment": item.segment,
            "dimensions": list(item.attributes.dims) or None, "attributes": dict(item.attributes.attrs) or None,
            "leftOut": None if its is None else its.before + its.behind,
        }  # fmt: skip
        yield {key: each for key, each in result.items() if each is not None}


def cells(cases: Cases, item: Item, indent: str = "") -> list[str]:
    size = "" if item.byte_count is None else f"{grouped(item.byte_count)} bytes"
    return [indent + name_of(item), type_of(item), count_of(item), size, "  ".join(filter(None, (cases.text(item) or value_of(item), item.attributes.text)))]


def name_of(item: Item) -> str:
    """The step that leads to it, with the text of its key if that is another."""
    step = "(root)" if item.step is None else step_text(item.step).removeprefix(".")
    return step if item.key_text is None else f"{step} ({item.key_text})"


def type_of(item: Item) -> str:
    """Its class, or its kind, and the number of the object."""
    kind = item.kind
    if item.class_name is not None:
        text = item.class_name
    elif kind == PACKED:
        text = f"array of {item.formats[0]}"
    elif kind == NESTED and len(item.shape) == 1 and item.formats == ["string"]:
        text = "array of string"
    elif kind == OPTIONALS:
        text = f"array of optional {formats_text(item.formats)}"
    elif kind == NESTED:
        text = f"nested array of {formats_text(item.formats)}"
    elif kind == STRUCTS:
        text = f"array of ({', '.join(item.formats)})"
    elif kind == FIXED and item.formats:
        text = item.formats[0]
    else:
        text = kind_name(kind)
    return text if item.object is None else f"{text} #{item.object}"


def count_of(item: Item) -> str:
    if item.count is None:
        return ""
    if len(item.shape) > 1:
        return " × ".join("…" if length is None else grouped(length) for length in item.shape)
    one = {RECORD: "field", DICTIONARY: "pair"}.get(item.kind, "element")
    return counted(item.count, one, one + "s")


def value_of(item: Item) -> str:
    if item.kind in (NIL, ABSENT, CONDITIONAL):
        return ""
    if item.text is not None:
        return item.text
    return "" if item.segment is None else f"in segment bulk {item.segment}"
