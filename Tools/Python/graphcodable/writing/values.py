"""What Python values become in the graph stream."""

from __future__ import annotations

import dataclasses
import datetime
import enum
import struct
import types
import typing
import uuid
from collections.abc import Callable, Mapping, Sequence
from decimal import Decimal
from functools import cache
from typing import Any, NamedTuple

import numpy as np

from ..graph.arrays import Array
from ..format.errors import GraphCodableError
from ..graph.fixed import EPOCH, MEANINGS as MEANT
from ..graph.fixed import Date, Duration, Instant
from ..format.kinds import (
    ARRAY, BINARY, BOOL, DICTIONARY, FIXED, FLOAT16, FLOAT32, FLOAT64, INT8, INT16, INT32, INT64, LANES, MEANINGS,
    RECORD, SCALARS, SET, STRING, UINT8, UINT16, UINT32, UINT64, UTF8,
)  # fmt: skip
from ..format.varint import string, varint, zigzag
from .nodes import MOST_DIMENSIONS, Container, Leaf, Lengths, Node, Optionals, Packed, Record, Tagged, nested
from .precision import Precisions
from .refusals import has_masked, instead_of_type, instead_of_value
from .rounding import rounding
from .tables import Layout

MAX_DEPTH = 200
VECTORS = (2, 3, 4)  # Last dimensions that are lanes.
ATTOSECONDS = 10**12  # In a microsecond.
UNITS = {
    "W": 604_800 * 10**18, "D": 86_400 * 10**18, "h": 3600 * 10**18, "m": 60 * 10**18, "s": 10**18, "ms": 10**15, "us": 10**12,
    "ns": 10**9, "ps": 10**6, "fs": 1000, "as": 1,
}  # fmt: skip
# What lists of optionals are tried to be packed of.
SINGLE = (str, int, float, np.generic, uuid.UUID, datetime.datetime)
# Of an array of strings: the strings, and their bytes.
STRING_DIMENSIONS = 2
NUMBERS = {name: number for number, (name, _) in SCALARS.items()}
# Scalars of packed formats by the types of NumPy; the first one of each, since dates are float64 as well.
SCALAR_OF = {dtype: number for number, (_, dtype) in reversed(SCALARS.items())}
SCALAR_OF[np.dtype("u1")] = NUMBERS["uint8"]
SCALAR_OF[np.dtype("<f8")] = NUMBERS["float64"]
KIND_OF = {
    "b1": BOOL, "i1": INT8, "i2": INT16, "i4": INT32, "i8": INT64, "u1": UINT8, "u2": UINT16, "u4": UINT32,
    "u8": UINT64, "f2": FLOAT16, "f4": FLOAT32, "f8": FLOAT64,
}  # fmt: skip


@dataclasses.dataclass(frozen=True)
class AsDictionary:
    """Has a mapping written as a dictionary, and not as the fields of a record."""

    mapping: Mapping[Any, Any]


class Key(NamedTuple):
    """Where a value stands, for errors: its text is made when there is one."""

    above: Key | None
    step: str | int
    depth: int
    precisions: Precisions | None = None

    @property
    def path(self) -> str:
        steps: list[str] = []
        key: Key | None = self
        while key is not None and key.above is not None:
            steps.append(f"[{key.step}]" if isinstance(key.step, int) else f".{key.step}")
            key = key.above
        return "".join(reversed(steps)).lstrip(".")

    def of(self, step: str | int) -> Key:
        if self.depth >= MAX_DEPTH:
            path = Key(self, step, self.depth).path
            raise GraphCodableError(None, f"more than {MAX_DEPTH} levels, or a cycle, at {path[:100]}…")
        return Key(self, step, self.depth + 1, None if self.precisions is None else self.precisions.below(step))

    def error(self, message: str, instead: str = "") -> GraphCodableError:
        way_out = f" ({instead})" if instead else ""
        return GraphCodableError(None, f"{message}{way_out} at {self.path or 'the root'}", None, "archive", "invalidValue")


def node(value: Any, at: Key = Key(None, "", 0)) -> Node:
    """What is to be written for a value, to the precision that is asked for."""
    result = exact(value, at)
    return result if at.precisions is None else to_precision(result, at.precisions)


def to_precision(result: Node, precisions: Precisions) -> Node:
    """Has the numbers of arrays rounded when they are written; single numbers, where the precision is their own."""
    if isinstance(result, Packed):
        result.precision = precisions.precision
    elif isinstance(result, Optionals):
        result.array.precision = precisions.precision
    elif isinstance(result, Tagged) and result.value is not None:
        return Tagged(to_precision(result.value, precisions))
    elif isinstance(result, Leaf) and precisions.is_own and result.kind in (FLOAT16, FLOAT32, FLOAT64):
        its = rounding(precisions.precision, result.format, None)
        if its is not None:
            data = its.rounded(np.frombuffer(result.packed, np.uint8)).tobytes()
            return Leaf(result.kind, data, result.format, data)
    return result


def exact(value: Any, at: Key) -> Node:
    its = OF_TYPE.get(type(value))
    if its is not None:
        return its(value, at)
    if value is None:
        return Tagged(None)
    if isinstance(value, (bool, np.bool_)):
        return Leaf(BOOL, bytes((int(value),)), NUMBERS["bool"], bytes((int(value),)))
    if isinstance(value, enum.Enum):
        return Record((None,), [node(value.value, at.of("value"))], type_name=type(value).__qualname__)
    if isinstance(value, str):
        return characters(value, at)
    if isinstance(value, Instant):
        return fixed("continuousInstant", value.to_bytes(16, "little", signed=True))
    if isinstance(value, Duration):
        return fixed("duration", value.to_bytes(16, "little", signed=True))
    if isinstance(value, int):
        return integer(value, at)
    if isinstance(value, Date):
        return fixed("date", struct.pack("<d", value))
    if isinstance(value, float) and not isinstance(value, np.generic):
        return real(value, at)
    if isinstance(value, np.generic):
        return array(np.asarray(value), at) if value.dtype.names or value.dtype.kind not in "biuf" else scalar(value, at)
    if isinstance(value, (np.ndarray, Array)):
        if isinstance(value, np.ma.MaskedArray):
            return masked(value, at)
        return array(value, at)
    if isinstance(value, memoryview) and (value.ndim != 1 or value.format not in ("B", "b", "c")):
        return array(np.asarray(value), at)
    if isinstance(value, (bytes, bytearray, memoryview)):
        return Packed(np.frombuffer(bytes(value) if isinstance(value, memoryview) else value, np.uint8), NUMBERS["byte"])
    if isinstance(value, uuid.UUID):
        return fixed("uuid", value.bytes)
    if isinstance(value, datetime.datetime):
        if value != value:
            raise at.error("a date that is none", "write None")
        if value.tzinfo is None:
            raise at.error("a datetime without a time zone", "write `value.replace(tzinfo=datetime.UTC)`, if it is of that zone")
        return fixed("date", struct.pack("<d", (value - EPOCH).total_seconds()))
    if isinstance(value, datetime.timedelta):
        if value != value:
            raise at.error("a duration that is none", "write None")
        microseconds = (value.days * 86400 + value.seconds) * 10**6 + value.microseconds
        # Those of pandas have nanoseconds as well.
        attoseconds = microseconds * ATTOSECONDS + getattr(value, "nanoseconds", 0) * ATTOSECONDS // 1000
        return fixed("duration", attoseconds.to_bytes(16, "little", signed=True))
    if isinstance(value, Decimal):
        return Leaf(BINARY, varint(4) + varint(20) + decimal(value, at))
    if isinstance(value, tuple) and type(value) in MEANT.values():
        return meant(value, at)
    if dataclasses.is_dataclass(value) and not isinstance(value, (type, AsDictionary)):
        return record_of(value, at)
    if isinstance(value, tuple) and hasattr(value, "_fields"):
        return record(dict(zip(value._fields, value)), at, type(value).__qualname__)
    if isinstance(value, AsDictionary):
        return dictionary(value.mapping, at)
    if isinstance(value, Mapping):
        return mapping(value, at)
    if isinstance(value, (set, frozenset)):
        # In the order of their bytes, since Python's own differs from one process to the next.
        elements = [node(element, at.of(index)) for index, element in enumerate(value)]
        return container(SET, sorted(elements, key=lambda each: each.key()))
    if isinstance(value, Sequence):
        return sequence(value, at)
    raise at.error(f"a value of the type {type(value).__name__}", instead_of_value(value))


# Single values


def text(value: str, at: Key) -> bytes:
    try:
        return string(value)
    except UnicodeEncodeError:
        raise at.error("a string that UTF-8 cannot have", "write `text.encode('utf-8', 'surrogatepass')`, which is data") from None


def strings(values: Sequence[str], at: Key) -> Packed:
    """The bytes of all of them, and their lengths."""
    try:
        parts = [value.encode() for value in values]
    except UnicodeEncodeError:
        raise at.error("a string that UTF-8 cannot have") from None
    return Packed(np.frombuffer(b"".join(parts), np.uint8), UTF8, lengths=[len(parts), list(map(len, parts))])


def characters(value: str, at: Key) -> Leaf:
    return Leaf(STRING, text(value, at))


def real(value: float, at: Key) -> Leaf:
    data = struct.pack("<d", value)
    return Leaf(FLOAT64, data, NUMBERS["float64"], data)


def integer(value: int, at: Key) -> Leaf:
    if -(1 << 63) <= value < 1 << 63:
        return Leaf(INT64, varint(zigzag(value)), NUMBERS["int64"], value.to_bytes(8, "little", signed=True))
    if 0 <= value < 1 << 64:
        return Leaf(UINT64, varint(value), NUMBERS["uint64"], value.to_bytes(8, "little"))
    if not -(1 << 127) <= value < 1 << 128:
        raise at.error("an integer of more than 128 bits", "write `str(value)` or its bytes")
    is_signed = value < 1 << 127
    return fixed("int128" if is_signed else "uint128", value.to_bytes(16, "little", signed=is_signed))


def scalar(value: np.generic, at: Key) -> Node:
    kind = KIND_OF.get(value.dtype.str[1:])
    if kind is None:
        raise at.error(f"a number of the type {value.dtype}", instead_of_type(value.dtype))
    data = np.asarray(value).astype(value.dtype.newbyteorder("<")).tobytes()
    number = SCALAR_OF[value.dtype.newbyteorder("<")]
    if kind in (INT16, INT32, INT64):
        return Leaf(kind, varint(zigzag(int(value))), number, data)
    if kind in (UINT16, UINT32, UINT64):
        return Leaf(kind, varint(int(value)), number, data)
    return Leaf(kind, data, number, data)


def fixed(name: str, data: bytes, meaning: int = 0, lanes: int = 1) -> Leaf:
    number = NUMBERS[name] | LANES.index(lanes) << 5 | meaning << 8
    return Leaf(FIXED, varint(number) + data, number, data)


def duration(value: np.ndarray[Any, Any], at: Key) -> Leaf:
    """A single `timedelta64` of a unit with a fixed length."""
    unit, count = np.datetime_data(value.dtype)
    number = int(value.astype(np.int64))
    if unit not in UNITS or number == -(1 << 63):
        raise at.error(f"the duration {value}", "write None" if number == -(1 << 63) else "write a number of days or seconds")
    return fixed("duration", (number * count * UNITS[unit]).to_bytes(16, "little", signed=True))


def meant(value: tuple[Any, ...], at: Key) -> Node:
    """A range, point, size and so on, of scalars with a packed format."""
    name = next(name for name, each in MEANT.items() if each is type(value))
    number = next(number for number, meaning in MEANINGS.items() if meaning[0] == name)
    takes_floats = MEANINGS[number][2] == NUMBERS["float64"]
    lanes = [node(float(each) if takes_floats else each, at) for each in value]
    formats = {each.format for each in lanes}
    if len(formats) != 1 or not (form := formats.pop()) or form >> 5:
        raise at.error(f"a {type(value).__name__} of other than numbers of one type", "write all of them as floats")
    if MEANINGS[number][2] not in (0, form):
        raise at.error(f"a {type(value).__name__} of other numbers than it has", "write a record or a list of the numbers")
    return fixed(SCALARS[form][0], b"".join(each.packed for each in lanes), number, MEANINGS[number][1])


def decimal(value: Decimal, at: Key) -> bytes:
    sign, digits, exponent = value.as_tuple()
    if value.is_nan():
        return bytes((0, 0x10)) + bytes(18)
    mantissa = int("".join(map(str, digits)))
    if not isinstance(exponent, int):
        raise at.error(f"the decimal {value}", "write `float(value)`")
    if not -128 <= exponent <= 127 or mantissa >> 128:
        raise at.error(f"a decimal of {len(digits)} digits with the exponent {exponent}", "round it to 38 digits, or write `str(value)`")
    words = (mantissa.bit_length() + 15) // 16
    flags = words | (sign << 4 if words else 0)
    return struct.pack("<bBH", exponent if words else 0, flags, 0) + mantissa.to_bytes(16, "little")


# Values with parts


@cache
def optional_fields(kind: type) -> frozenset[str]:
    """The fields of a dataclass that may be `None`."""
    try:
        hints = typing.get_type_hints(kind)
    except (NameError, TypeError):
        return frozenset()
    unions = (typing.Union, types.UnionType)
    return frozenset(
        name
        for name, hint in hints.items()
        if typing.get_origin(hint) in unions and type(None) in typing.get_args(hint)
    )


def record_of(value: Any, at: Key) -> Record:
    """The fields of a dataclass; those that may be `None` are optionals even where they are not."""
    names = [field.name for field in dataclasses.fields(value)]
    return record({name: getattr(value, name) for name in names}, at, type(value).__qualname__, type(value))


def record(fields: Mapping[str, Any], at: Key, type_name: str = "", kind: type | None = None) -> Record:
    optional = optional_fields(kind) if kind is not None else frozenset()
    nodes: list[Node] = []
    for name, value in fields.items():
        text(name, at)
        part = node(value, at.of(name))
        nodes.append(Tagged(part) if name in optional and not isinstance(part, Tagged) else part)
    return Record(tuple(fields), nodes, type_name=type_name)


def mapping(value: Mapping[Any, Any], at: Key) -> Node:
    is_record = all(isinstance(key, str) for key in value)
    return record(value, at) if is_record else dictionary(value, at)


def dictionary(pairs: Mapping[Any, Any], at: Key) -> Container:
    keys = [node(key, at.of(index)) for index, key in enumerate(pairs)]
    values = [node(value, at.of(index)) for index, value in enumerate(pairs.values())]
    nodes = [part for pair in zip(of_one_kind(keys), of_one_kind(values)) for part in pair]
    kinds = (nodes[0].kind, nodes[1].kind) if nodes else (STRING, RECORD)
    return Container(DICTIONARY, kinds, nodes)


def sequence(values: Sequence[Any], at: Key) -> Node:
    """A packed array of what has a packed format, else an array of values."""
    types = set(map(type, values))
    if types <= {int, float} and len(types) == 2 and all(type(v) is float or int(float(v)) == v for v in values):
        values = [float(value) for value in values]
    if types == {str}:
        return strings(values, at)
    if types == {float}:
        return Packed(np.array(values, "<f8").view(np.uint8), NUMBERS["float64"])
    if type(None) in types and len(types) > 1 and all(issubclass(each, SINGLE) for each in types - {type(None)}):
        found = optionals(values, at)
        if found is not None:
            return found
    nodes = [node(value, at.of(index)) for index, value in enumerate(values)]
    formats = {each.format for each in nodes}
    if len(formats) == 1 and (form := formats.pop()):
        return Packed(np.frombuffer(b"".join(each.packed for each in nodes), np.uint8), form)
    rows = nested(nodes) if nodes else None
    if rows is not None:
        return rows
    return container(ARRAY, nodes)


def optionals(values: Sequence[Any], at: Key) -> Optionals | None:
    """Values of one packed format among `None`; `None` where they are others."""
    presence = [value is not None for value in values]
    array = sequence([value for value in values if value is not None], at)
    if not isinstance(array, Packed):
        return None
    if not array.lengths:
        data = np.zeros((len(values), array.size), np.uint8)
        data[presence] = np.asarray(array.data, np.uint8).reshape(-1, array.size)
        return Optionals(presence, Packed(data.reshape(-1), array.number, array.layout, array.size))
    if array.number == UTF8 and len(array.lengths) == STRING_DIMENSIONS:
        return Optionals(presence, strings(["" if value is None else value for value in values], at))
    return None


def container(kind: int, nodes: list[Node]) -> Container:
    nodes = of_one_kind(nodes)
    return Container(kind, (nodes[0].kind if nodes else RECORD,), nodes)


def of_one_kind(nodes: list[Node]) -> list[Node]:
    """Nodes of different kinds behind tags."""
    if len({each.kind for each in nodes}) <= 1:
        return nodes
    return [each if isinstance(each, Tagged) else Tagged(each) for each in nodes]


# Arrays


def masked(value: np.ma.MaskedArray[Any, Any], at: Key) -> Node:
    """An array of optionals, where elements are masked."""
    if not has_masked(value):
        return array(np.asarray(value), at)
    if value.ndim != 1 or value.dtype.names is not None:
        raise at.error(
            "a masked array of several dimensions or of structs",
            "archives have masks for one dimension; write `array.filled(…)`, or `array.data` and `array.mask` as two arrays",
        )
    packed = array(np.where(np.ma.getmaskarray(value), np.zeros(1, value.dtype), value.data), at)
    if not isinstance(packed, Packed):
        raise at.error(f"a masked array of the type {value.dtype}", "write `array.filled(…)`")
    return Optionals((~np.ma.getmaskarray(value)).tolist(), packed)


def array(value: np.ndarray[Any, Any] | Array, at: Key) -> Node:
    if isinstance(value, Array):
        shape = value.lengths if value.is_nested else ()
        layout = Layout(value.layout.keys, value.layout.formats) if value.layout else None
        return Packed(raw(np.asarray(value)), value.format.number if value.format else 0, layout,
                      value.layout.size if value.layout else 0, lengths_of(shape) if shape else None)  # fmt: skip
    if value.ndim == 0:
        if value.dtype.names is None and value.dtype.kind in "biuf":
            return scalar(value.reshape(1)[0], at)
        if value.dtype.kind == "m":
            return duration(value, at)
        raise at.error(f"a single value of the type {value.dtype}", instead_of_type(value.dtype, is_single=True))
    if value.ndim > MOST_DIMENSIONS:
        raise at.error(f"an array of {value.ndim} dimensions", f"reshape it to {MOST_DIMENSIONS} at most")
    if value.dtype.kind not in "biufV":
        raise at.error(f"an array of the type {value.dtype}", instead_of_type(value.dtype))
    its = value.dtype.newbyteorder("<")
    if its.names is not None and its not in SCALAR_OF:
        packed = packed_type(its, at)
        rows = lengths_of(value.shape) if value.ndim > 1 else None
        return Packed(raw(value.astype(packed, copy=False)), 0, layout_of(packed, at), packed.itemsize, rows)
    if its not in SCALAR_OF:
        raise at.error(f"an array of the type {value.dtype}", instead_of_type(value.dtype))
    lanes = value.shape[-1] if value.ndim > 1 and value.shape[-1] in VECTORS else 1
    shape = value.shape[:-1] if lanes > 1 else value.shape
    rows = lengths_of(shape) if len(shape) > 1 else None
    return Packed(raw(value.astype(its, copy=False)), SCALAR_OF[its] | LANES.index(lanes) << 5, lengths=rows)


def lengths_of(shape: tuple[int, ...]) -> list[Lengths]:
    """Those of the arrays of each dimension; lengths of 0 stand for each."""
    lengths: list[Lengths] = []
    count = 1
    for length in shape:
        lengths.append(length or [0] * count)
        count *= length
    return lengths


def raw(value: np.ndarray[Any, Any]) -> np.ndarray[Any, np.dtype[np.uint8]]:
    """The bytes, without a copy where they lie one after the other."""
    return np.ascontiguousarray(value).reshape(-1).view(np.uint8) if value.size else np.empty(0, np.uint8)


def packed_type(dtype: np.dtype[Any], at: Key) -> np.dtype[Any]:
    """The same fields without padding."""
    if not dtype.names:
        raise at.error("an array of structs without fields", "write its length")
    fields = [(name, lane_type(dtype.fields[name][0], at)) for name in dtype.names or () if dtype.fields]
    return np.dtype([(name, base, lanes) for name, (base, lanes) in fields])


def lane_type(dtype: np.dtype[Any], at: Key) -> tuple[np.dtype[Any], tuple[int, ...]]:
    base, shape = dtype.subdtype or (dtype, ())
    if base not in SCALAR_OF or len(shape) > 1 or (shape and shape[0] not in LANES):
        raise at.error(f"a struct with a field of the type {dtype}", "write an array for each field, of numbers")
    return base, shape if shape != (1,) else ()


def layout_of(dtype: np.dtype[Any], at: Key) -> Layout:
    keys, formats = [], []
    for name in dtype.names or ():
        assert dtype.fields is not None
        base, shape = dtype.fields[name][0].subdtype or (dtype.fields[name][0], ())
        text(name, at)
        keys.append(name)
        formats.append(SCALAR_OF[base] | LANES.index(shape[0] if shape else 1) << 5)
    return Layout(tuple(keys), tuple(formats))


# Of the types that most values have, so that `node` need not ask for one after the other.
OF_TYPE: dict[type, Callable[[Any, Key], Node]] = {
    float: real, int: integer, str: characters, dict: mapping, list: sequence, np.ndarray: array,
}  # fmt: skip
