"""What users say of arrays beside their elements: names of dimensions, and values by name."""

from __future__ import annotations

import struct
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from .kinds import ARRAY, BOOL, FLOAT64, INT64, STRING
from .varint import Reader, string, unzigzag, varint, zigzag

EXTENSION = 2
# By this attribute of a record, CF conventions name coordinates that are no dimension.
COORDINATES = "coordinates"
RULE = "C17"
KINDS: dict[type, int] = {bool: BOOL, int: INT64, float: FLOAT64, str: STRING}
FEWEST = {BOOL: 1, INT64: 1, FLOAT64: 8, STRING: 1}


@dataclass(frozen=True)
class Attributes:
    """Names of dimensions, from the outermost, and values: strings, integers, floats, bools, and lists of one of these."""

    dims: tuple[str, ...] = ()
    attrs: Mapping[str, Any] = field(default_factory=dict)

    def __bool__(self) -> bool:
        return bool(self.dims or self.attrs)

    @property
    def text(self) -> str:
        """In one line, as the tool in Swift prints them."""
        dims = [f"({', '.join(self.dims)})"] if self.dims else []
        return " ".join([*dims, *(f"{name}: {text_of(value)}" for name, value in self.attrs.items())])


NONE = Attributes()
Table = dict[int, Attributes]


def text_of(value: Any) -> str:
    if isinstance(value, list):
        return f"[{', '.join(map(text_of, value))}]"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        escaped = value.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n").replace("\t", "\\t").replace("\r", "\\r")
        return f'"{escaped}"'
    return str(value)


# Bytes


def table_bytes(entries: Iterable[tuple[int, Attributes]]) -> bytes:
    """The extension, of attributes by where their arrays begin in the graph stream."""
    sets: dict[bytes, int] = {}
    places, last = b"", 0
    listed = sorted(entries, key=lambda entry: entry[0])
    for offset, attributes in listed:
        number = sets.setdefault(set_bytes(attributes), len(sets))
        places += varint(offset - last) + varint(number)
        last = offset
    return varint(len(sets)) + b"".join(sets) + varint(len(listed)) + places


def set_bytes(attributes: Attributes) -> bytes:
    names = sorted(attributes.attrs, key=str.encode)
    parts = [varint(len(attributes.dims)), *map(string, attributes.dims), varint(len(names))]
    for name in names:
        parts += [string(name), value_bytes(attributes.attrs[name])]
    return b"".join(parts)


def value_bytes(value: Any) -> bytes:
    if not isinstance(value, list):
        return bytes((KINDS[type(value)],)) + leaf(value)
    kind = KINDS[type(value[0])] if value else STRING
    return bytes((ARRAY, kind)) + varint(len(value)) + b"".join(map(leaf, value))


def leaf(value: Any) -> bytes:
    if isinstance(value, bool):
        return bytes((int(value),))
    if isinstance(value, int):
        return varint(zigzag(value))
    return struct.pack("<d", value) if isinstance(value, float) else string(value)


def parsed(data: bytes, base: int) -> Table:
    """The attributes by where their arrays begin; refuses what breaks C17."""
    reader = Reader(data, base, RULE)
    sets = [parsed_set(reader) for _ in range(reader.count(2, "sets of attributes"))]
    result: Table = {}
    last = 0
    for _ in range(reader.count(2, "arrays with attributes")):
        distance, number = reader.varint(), reader.varint()
        last += distance
        if distance == 0 or last >= 1 << 64 or number >= len(sets):
            raise reader.error(RULE, f"attributes {number} of an array {distance} bytes behind the one before")
        result[last] = sets[number]
    if reader.left:
        raise reader.error(RULE, f"{reader.left} bytes behind the attributes of arrays")
    return result


def parsed_set(reader: Reader) -> Attributes:
    dims = tuple(reader.string(RULE) for _ in range(reader.count(1, "names of dimensions")))
    attrs: dict[str, Any] = {}
    before: bytes | None = None
    for _ in range(reader.count(3, "attributes")):
        name = reader.string(RULE)
        if before is not None and name.encode() <= before:
            raise reader.error(RULE, "names of attributes do not ascend")
        before = name.encode()
        attrs[name] = parsed_value(reader)
    return Attributes(dims, attrs)


def parsed_value(reader: Reader) -> Any:
    kind = reader.u8()
    if kind != ARRAY:
        return parsed_leaf(reader, kind)
    kind = reader.u8()
    if kind not in FEWEST:
        raise reader.error(RULE, f"an attribute with values of the kind {kind:#x}")
    return [parsed_leaf(reader, kind) for _ in range(reader.count(FEWEST[kind], "values"))]


def parsed_leaf(reader: Reader, kind: int) -> Any:
    if kind == STRING:
        return reader.string(RULE)
    if kind == INT64:
        return unzigzag(reader.varint())
    if kind == FLOAT64:
        return struct.unpack("<d", reader.take(8))[0]
    if kind == BOOL and (value := reader.u8()) <= 1:
        return bool(value)
    raise reader.error(RULE, f"an attribute of the kind {kind:#x}")
