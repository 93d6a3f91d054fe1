"""The first parts of a graph as a tree, each with what it is, its shape and its size."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import islice

from ..format.errors import GraphCodableError
from ..format.limits import Steps
from ..graph.paths import step_text
from ..graph.reader import GraphReader
from .cases import Cases
from .items import Item, described, parts
from .listing import count_of, name_of, type_of, value_of
from .markup import problem_text, text
from .texts import counted, decimal_size

# Parts of the value itself and of those in it, levels, and parts in all.
MOST_PARTS, MOST_INNER, MOST_LEVELS, MOST_NODES = 20, 8, 3, 150
# Values that may be passed over on the way to those that are shown.
MOST_PASSED = 1 << 18


class Passed(Steps):
    """Counts the values that are passed over."""

    def __init__(self) -> None:
        self.left = MOST_PASSED

    def take(self, count: int) -> None:
        self.left -= count
        if self.left < 0:
            raise GraphCodableError(None, f"not looked at, since more than {MOST_PASSED:,} values stand before it")


@dataclass
class Node:
    """A value, or why it cannot be read, and its parts as far as they are shown."""

    item: Item | None
    problem: Exception | None = None
    inner: list[Node] = field(default_factory=list)
    left_out: int = 0
    is_above: bool = False


def outline(context: GraphReader, root: Item) -> str:
    """A value's parts as nested lists. What is damaged says so in its place."""
    stream, steps = context.stream, context.stream.steps
    stream.steps = Passed()
    try:
        nodes, left_out = Outline(context).parts_of(root, 1)
        return listed(Cases(context), nodes, left_out)
    finally:
        stream.steps = steps


class Outline:
    """A walk that shows each object once, and no more values than fit."""

    def __init__(self, context: GraphReader) -> None:
        self.context = context
        self.seen: set[int] = set()
        self.left = MOST_NODES

    def parts_of(self, item: Item, level: int) -> tuple[list[Node], int]:
        """Some parts of a value, and how many more there are."""
        most = min(MOST_PARTS if level == 1 else MOST_INNER, self.left)
        nodes = list(self.nodes(item, most))
        self.left -= len(nodes)
        for node in nodes:
            its = node.item
            if its is None or not its.has_parts:
                continue
            node.is_above = its.object is not None and its.object in self.seen
            if its.object is not None:
                self.seen.add(its.object)
            if level < MOST_LEVELS and self.left > 0 and not node.is_above:
                node.inner, node.left_out = self.parts_of(its, level + 1)
        return nodes, max((item.count or 0) - len(nodes), 0)

    def nodes(self, item: Item, most: int) -> Iterator[Node]:
        places = islice(parts(self.context, item), most)
        while True:
            try:
                found = next(places, None)
            except GraphCodableError as error:
                # Where the next one stands is not known, either.
                yield Node(None, error)
                return
            if found is None:
                return
            step, key_text, place = found
            try:
                yield Node(described(self.context, place, step, key_text, item))
            except GraphCodableError as error:
                yield Node(Item(step, key_text, 0, item), error)


def listed(cases: Cases, nodes: list[Node], left_out: int) -> str:
    rows = [f"<li>{row_of(cases, node)}</li>" for node in nodes]
    if left_out:
        rows.append(f'<li class="q">… {left_out:,} more</li>')
    return f"<ul>{''.join(rows)}</ul>"


def row_of(cases: Cases, node: Node) -> str:
    line = line_of(cases, node)
    if not node.inner:
        return line
    return f"<details><summary>{line}</summary>{listed(cases, node.inner, node.left_out)}</details>"


def line_of(cases: Cases, node: Node) -> str:
    item = node.item
    if item is None or node.problem is not None:
        name = "" if item is None else f"<code>{text(name_of(item))}</code> "
        return f'{name}<span class="bad">{text(problem_text(node.problem or ""), 200)}</span>'
    try:
        value = cases.text(item) or value_of(item)
    except GraphCodableError as error:
        value = problem_text(error)
    size = "" if item.byte_count is None else decimal_size(item.byte_count)
    facts = [type_of(item), "" if item.text is not None and not item.formats else count_of(item), size]
    if node.is_above:
        facts.append("shown above")
    described_by = " · ".join(text(fact) for fact in facts if fact)
    shown = f" {text(value)}" if value else ""
    return f'<code>{text(name_of(item))}</code> <span class="q">{described_by}</span>{shown}'
