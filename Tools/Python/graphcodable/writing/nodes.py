"""What stands between Python values and the bytes of the graph stream."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import accumulate
from operator import mul
from typing import Any

import numpy as np

from ..format.attributes import Attributes, table_bytes
from ..format.filters import Precision
from ..format.kinds import (
    ARRAY, BYTE_SCALAR, DICTIONARY, NESTED, NIL, OPTIONALS, PACKED, RECORD, SCALARS, STRUCTS, TAGGED, UTF8, packed_format,
)  # fmt: skip
from ..format.varint import varint
from .rounding import Rounding, changes, rounding
from .tables import Layout, Shape, Tables

# Arrays of so many bytes and more stand in a segment of their own.
FEWEST_BULK = 16_384
MOST_DIMENSIONS = 8
Bytes = np.ndarray[Any, np.dtype[np.uint8]]
Lengths = list[int] | int


@dataclass(frozen=True)
class Bulk:
    """The elements of a long array; `scalar_size` is that of a lane, 0 for structs.

    `row_size` is that of the arrays in it, 0 where there are none, or they are not of one length; `inner_strides` are those inside them,
    in elements.
    """

    data: Bytes
    format: int
    element_size: int
    scalar_size: int
    row_size: int = 0
    inner_strides: Sequence[int] = ()
    precision: Precision | None = None
    rounding: Rounding | None = None


@dataclass
class Writer:
    """The graph stream in parts, tables, and long arrays."""

    tables: Tables = field(default_factory=Tables)
    parts: list[bytes] = field(default_factory=list)
    bulk: list[Bulk] = field(default_factory=list)
    # What is said of arrays, by the number of the part that they begin with.
    attributes: list[tuple[int, Attributes]] = field(default_factory=list)

    def attribute_table(self) -> bytes:
        """The extension; nothing where there are none."""
        if not self.attributes:
            return b""
        starts = list(accumulate(map(len, self.parts), initial=1))  # Behind the kind of the root.
        return table_bytes((starts[part], attributes) for part, attributes in self.attributes)


class Node:
    """A value with its kind. Those with a packed format have its number and their bytes as an element."""

    kind: int
    format = 0
    packed = b""

    def write(self, writer: Writer) -> None:
        raise NotImplementedError

    def key(self) -> bytes:
        """The bytes alone, to put elements of sets in order."""
        writer = Writer()
        self.write(writer)
        return b"".join(writer.parts)


class Leaf(Node):
    __slots__ = ("data", "format", "kind", "packed")

    def __init__(self, kind: int, data: bytes, format: int = 0, packed: bytes = b"") -> None:
        self.kind, self.data, self.format, self.packed = kind, data, format, packed

    def write(self, writer: Writer) -> None:
        writer.parts.append(self.data)


class Tagged(Node):
    """An optional."""

    kind = TAGGED

    def __init__(self, value: Node | None) -> None:
        self.value = value

    def write(self, writer: Writer) -> None:
        writer.parts.append(bytes((NIL if self.value is None else self.value.kind,)))
        if self.value is not None:
            self.value.write(writer)


class Record(Node):
    kind = RECORD

    def __init__(self, keys: tuple[str | None, ...], fields: list[Node], type_name: str = "") -> None:
        self.keys, self.fields, self.type_name = keys, fields, type_name

    def write(self, writer: Writer) -> None:
        place = len(writer.parts)
        writer.parts.append(b"")
        for each in self.fields:
            each.write(writer)
        # Shapes are numbered when the first record of theirs ends.
        shape = Shape(self.keys, tuple(each.kind for each in self.fields), type_name=self.type_name)
        writer.parts[place] = varint(writer.tables.shape(shape))


class Container(Node):
    """An array, a set, or a dictionary with keys and values in turn."""

    def __init__(self, kind: int, kinds: tuple[int, ...], parts: list[Node]) -> None:
        self.kind, self.kinds, self.parts = kind, kinds, parts

    @property
    def is_empty_list(self) -> bool:
        return self.kind == ARRAY and not self.parts

    def write(self, writer: Writer) -> None:
        count = len(self.parts) // (2 if self.kind == DICTIONARY else 1)
        writer.parts.append(bytes(self.kinds) + varint(count))
        for part in self.parts:
            part.write(writer)


class Packed(Node):
    """A packed array, or packed structs of a layout; nested in each other where there are lengths.

    `lengths` has those of all arrays of each dimension; where there are none, one for all.
    """

    def __init__(
        self, data: Bytes, form: int = 0, layout: Layout | None = None, size: int = 0, lengths: list[Lengths] | None = None
    ) -> None:
        known = packed_format(form)
        self.kind = NESTED if lengths else PACKED if layout is None else STRUCTS
        self.data, self.layout, self.number, self.lengths = data, layout, form, lengths or []
        self.size = known.size if known else size
        self.scalar_size = SCALARS[known.scalar][1].itemsize if known else 0
        # What its numbers are stored to; `None` for exactly.
        self.precision: Precision | None = None

    @property
    def count(self) -> int:
        return len(self.data) // self.size

    @property
    def row_size(self) -> int:
        """Bytes of each array of the first dimension; 0 where there are none, or they are not of one length."""
        outer, *inner = self.lengths or [0]
        count = outer if isinstance(outer, int) else sum(outer)
        is_uniform = all(isinstance(each, int) or len(set(each)) == 1 for each in inner)
        return len(self.data) // count if count and is_uniform else 0

    @property
    def inner_strides(self) -> list[int]:
        """From one part to the next of each dimension inside a row, in elements; none where these are not of one length."""
        if not self.row_size:
            return []
        inner = [each if isinstance(each, int) else each[0] for each in self.lengths[2:]]
        strides = dict.fromkeys(accumulate(reversed(inner), mul))
        return [stride for stride in reversed(strides) if stride > 1]

    def write(self, writer: Writer) -> None:
        number = self.number if self.layout is None else writer.tables.layout(self.layout)
        its = rounding(self.precision, self.number, self.layout)
        is_bulk = len(self.data) >= FEWEST_BULK
        if self.lengths:
            head = varint(number) if self.layout is None else varint(0) + varint(number)
            writer.parts.append(head + varint(len(self.lengths)) + b"".join(map(lengths_bytes, self.lengths)))
            writer.parts.append(varint(len(writer.bulk) + 1 if is_bulk else 0))
        else:
            writer.parts.append(varint(number) + varint(2 * self.count + is_bulk))
            writer.parts.append(varint(len(writer.bulk)) if is_bulk else b"")
        if is_bulk:
            writer.bulk.append(
                Bulk(
                    self.data, self.number, self.size, self.scalar_size, self.row_size, self.inner_strides,
                    self.precision if changes(self.number, self.layout) else None, its,
                )  # fmt: skip
            )
        else:
            writer.parts.append((self.data if its is None else its.rounded(self.data)).tobytes())


class Optionals(Node):
    """An array of optionals: what stands in the place of a missing element is zero, or empty."""

    kind = OPTIONALS

    def __init__(self, presence: Sequence[bool], array: Packed) -> None:
        bits = np.packbits(np.asarray(presence, np.bool_), bitorder="little")
        self.presence = Packed(np.empty(0, np.uint8) if all(presence) else bits, BYTE_SCALAR)
        self.array = array

    def write(self, writer: Writer) -> None:
        writer.parts.append(bytes((self.array.kind,)))
        self.presence.write(writer)
        self.array.write(writer)


def lengths_bytes(lengths: Lengths) -> bytes:
    """Those of one dimension: one for all where they are the same."""
    if isinstance(lengths, int):
        return varint(2 * lengths)
    if lengths and lengths[0] and lengths.count(lengths[0]) == len(lengths):
        return varint(2 * lengths[0])
    return varint(1) + b"".join(map(varint, lengths))


def nested(nodes: list[Node]) -> Packed | None:
    """Packed arrays of one kind, among empty lists, as one nested array; `None` where they are not, and for bytes."""
    rows = [node for node in nodes if isinstance(node, Packed)]
    if not rows:
        return None
    first = rows[0]
    depth = len(first.lengths)
    is_data = first.number & 31 == BYTE_SCALAR and first.number != UTF8
    if depth >= MOST_DIMENSIONS or is_data or any(
        (row.number, row.layout, len(row.lengths)) != (first.number, first.layout, depth) for row in rows
    ):
        return None
    if any(not (isinstance(node, Packed) or (isinstance(node, Container) and node.is_empty_list)) for node in nodes):
        return None
    dimensions = max(depth, 1)
    each = [explicit(node) if isinstance(node, Packed) else [[0], *([] for _ in range(dimensions - 1))] for node in nodes]
    below: list[Lengths] = [[length for its in each for length in its[dimension]] for dimension in range(dimensions)]
    data = np.concatenate([row.data for row in rows])
    return Packed(data, first.number, first.layout, first.size, [[len(nodes)], *below])


def explicit(row: Packed) -> list[list[int]]:
    """The lengths of all arrays of each dimension."""
    result, count = [], 1
    for lengths in row.lengths or [row.count]:
        result.append([lengths] * count if isinstance(lengths, int) else lengths)
        count = sum(result[-1])
    return result
