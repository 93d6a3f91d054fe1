"""What stands between Python values and the bytes of the graph stream."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ..formats import DICTIONARY, NIL, PACKED, RECORD, STRUCTS, TAGGED, packed_format
from ..varint import varint
from .tables import Layout, Shape, Tables

# Arrays of so many bytes and more stand in a segment of their own.
FEWEST_BULK = 16_384
Bytes = np.ndarray[Any, np.dtype[np.uint8]]


@dataclass(frozen=True)
class Bulk:
    """The elements of a long array; `scalar_size` is that of a lane, 0 for structs, and `is_real` says that lanes are not integers."""

    data: Bytes
    format: int
    element_size: int
    scalar_size: int
    is_real: bool


@dataclass
class Writer:
    """The graph stream in parts, tables, and long arrays."""

    tables: Tables = field(default_factory=Tables)
    parts: list[bytes] = field(default_factory=list)
    bulk: list[Bulk] = field(default_factory=list)


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

    def write(self, writer: Writer) -> None:
        count = len(self.parts) // (2 if self.kind == DICTIONARY else 1)
        writer.parts.append(bytes(self.kinds) + varint(count))
        for part in self.parts:
            part.write(writer)


class Packed(Node):
    """A packed array, or packed structs of a layout."""

    def __init__(self, data: Bytes, form: int = 0, layout: Layout | None = None, size: int = 0) -> None:
        known = packed_format(form)
        self.kind = PACKED if layout is None else STRUCTS
        self.data, self.layout, self.number = data, layout, form
        self.size = known.size if known else size
        self.scalar_size = known.dtype.itemsize if known else 0
        self.is_real = known is None or known.dtype.kind not in "iub"

    def write(self, writer: Writer) -> None:
        number = self.number if self.layout is None else writer.tables.layout(self.layout)
        count = len(self.data) // self.size
        if len(self.data) < FEWEST_BULK:
            writer.parts.append(varint(number) + varint(2 * count) + self.data.tobytes())
            return
        writer.parts.append(varint(number) + varint(2 * count + 1) + varint(len(writer.bulk)))
        writer.bulk.append(Bulk(self.data, self.number, self.size, self.scalar_size, self.is_real))
