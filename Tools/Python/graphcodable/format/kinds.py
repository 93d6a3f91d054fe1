"""Kinds and packed formats: the tables of the format, and the NumPy types that fit."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np

NIL, ABSENT, TAGGED, RECORD, REFERENCE, CONDITIONAL, NESTED, OPTIONALS = 0, 1, 2, 3, 4, 5, 6, 7
ARRAY, SET, DICTIONARY, PACKED, BINARY, FIXED, STRUCTS, OPAQUE = 8, 9, 10, 11, 12, 13, 14, 15
STRING, BOOL, INT8, INT16, INT32, INT64 = 16, 17, 18, 19, 20, 21
UINT8, UINT16, UINT32, UINT64, FLOAT16, FLOAT32, FLOAT64 = 22, 23, 24, 25, 26, 27, 28

KINDS = {
    0x00: "nil", 0x01: "absent", 0x02: "tagged", 0x03: "record", 0x04: "reference",
    0x05: "conditional reference", 0x06: "nested packed array", 0x07: "packed optionals", 0x08: "array", 0x09: "set", 0x0A: "dictionary", 0x0B: "packed array",
    0x0C: "binary", 0x0D: "fixed", 0x0E: "packed structs", 0x0F: "opaque", 0x10: "string", 0x11: "bool",
    0x12: "int8", 0x13: "int16", 0x14: "int32", 0x15: "int64", 0x16: "uint8", 0x17: "uint16",
    0x18: "uint32", 0x19: "uint64", 0x1A: "float16", 0x1B: "float32", 0x1C: "float64",
    0x22: "tagged if present", 0x42: "tagged identity", 0x62: "tagged conditional",
}  # fmt: skip
# Those of later versions have the form of opaque values.
LATER = 0x80
KINDS |= {kind: f"0x{kind:02X}" for kind in range(LATER, 0x100)}
TAGS = frozenset((0x02, 0x22, 0x42, 0x62))
# Kinds that may stand wherever a value has to take at least one byte.
FIELD_KINDS = frozenset(KINDS) - {NIL, ABSENT}
# Bytes of the kinds whose values all have the same number of them; 0 for others.
SIZES = bytes({BOOL: 1, INT8: 1, UINT8: 1, FLOAT16: 2, FLOAT32: 4, FLOAT64: 8}.get(k, 0) for k in range(256))
# Bits of the kinds that are a varint alone.
INTEGER_BITS = {INT16: 16, INT32: 32, INT64: 64, UINT16: 16, UINT32: 32, UINT64: 64}
SIGNED = frozenset((INT16, INT32, INT64))

LANES = (1, 2, 3, 4, 8, 16, 32, 64)
# 128 bits have no type of NumPy: two halves, the low one first.
SIGNED_128 = np.dtype([("low", "<u8"), ("high", "<i8")])
UNSIGNED_128 = np.dtype([("low", "<u8"), ("high", "<u8")])
SCALARS: dict[int, tuple[str, np.dtype[Any]]] = {
    1: ("int8", np.dtype("i1")), 2: ("int16", np.dtype("<i2")), 3: ("int32", np.dtype("<i4")),
    4: ("int64", np.dtype("<i8")), 5: ("uint8", np.dtype("u1")), 6: ("uint16", np.dtype("<u2")),
    7: ("uint32", np.dtype("<u4")), 8: ("uint64", np.dtype("<u8")), 9: ("float16", np.dtype("<f2")),
    10: ("float32", np.dtype("<f4")), 11: ("float64", np.dtype("<f8")), 12: ("bool", np.dtype("?")),
    13: ("int128", SIGNED_128), 14: ("uint128", UNSIGNED_128), 15: ("uuid", np.dtype("V16")),
    16: ("date", np.dtype("<f8")), 17: ("byte", np.dtype("u1")), 18: ("duration", SIGNED_128),
    19: ("continuousInstant", SIGNED_128), 20: ("suspendingInstant", SIGNED_128),
    21: ("bfloat16", np.dtype("V2")), 22: ("float8e4m3", np.dtype("V1")), 23: ("float8e5m2", np.dtype("V1")),
    24: ("decimal128", np.dtype("V16")),
}  # fmt: skip
LAST_SCALAR = max(SCALARS)
# Scalars that this version does not know have known sizes all the same.
SCALARS |= {number: (str(number), np.dtype(f"V{size}")) for number, size in zip(range(25, 32), (1, 2, 4, 8, 16, 16, 32))}
BOOL_SCALAR, BYTE_SCALAR = 12, 17
# Scalars that are floating-point numbers which a precision is about, and their bytes.
FLOAT_SIZES = {9: 2, 10: 4, 11: 8}
# Meaning: its name, the lanes that it has, and its scalar (0 for any).
MEANINGS = {
    1: ("range", 2, 0), 2: ("closedRange", 2, 0), 3: ("partialRangeFrom", 1, 0),
    4: ("partialRangeUpTo", 1, 0), 5: ("partialRangeThrough", 1, 0), 6: ("locationAndLength", 2, 4),
    7: ("point", 2, 11), 8: ("size", 2, 11), 9: ("rectangle", 4, 11), 10: ("planeVector", 2, 11),
    11: ("characterSet", 1, 17), 12: ("complex", 2, 0),
    13: ("unixSeconds", 1, 4), 14: ("unixMilliseconds", 1, 4), 15: ("unixMicroseconds", 1, 4), 16: ("unixNanoseconds", 1, 4),
    17: ("spanSeconds", 1, 4), 18: ("spanMilliseconds", 1, 4), 19: ("spanMicroseconds", 1, 4), 20: ("spanNanoseconds", 1, 4),
    21: ("utf8", 1, 17),
}  # fmt: skip
# The format of the bytes of strings.
UTF8 = 21 << 8 | BYTE_SCALAR
COMPLEX_SCALARS = (9, 10, 11)
# What NumPy has a type of its own for: meaning, or meaning and scalar.
COMPLEX: dict[int, np.dtype[Any]] = {10: np.dtype("<c8"), 11: np.dtype("<c16")}
TIMES: dict[int, np.dtype[Any]] = dict(zip(range(13, 21), (np.dtype(f"<{code}8[{unit}]") for code in "Mm" for unit in ("s", "ms", "us", "ns"))))


def kind_name(kind: int) -> str:
    """As the tool prints it: kinds of later versions are opaque."""
    return KINDS[OPAQUE if kind >= LATER else kind]


@dataclass(frozen=True)
class PackedFormat:
    """How the elements of a packed array lie. `size` is the bytes of one."""

    number: int
    scalar: int
    lanes: int
    meaning: str

    @property
    def scalar_name(self) -> str:
        return SCALARS[self.scalar][0]

    @property
    def dtype(self) -> np.dtype[Any]:
        """The type of one lane; of both together for complex numbers."""
        if self.lanes == 1 and self.meaning == "complex":
            return COMPLEX[self.scalar]
        return TIMES.get(self.number >> 8, SCALARS[self.scalar][1])

    @property
    def size(self) -> int:
        return self.dtype.itemsize * self.lanes

    def __str__(self) -> str:
        if self.number == UTF8:
            return "string"
        if self.scalar > LAST_SCALAR or self.meaning.isdigit():
            return f"format {self.number:#x}"
        count = LANES[self.number >> 5 & 7]
        lanes = f" × {count}" if count > 1 else ""
        return f"{self.scalar_name}{lanes}" + (f" ({self.meaning})" if self.meaning else "")


@lru_cache(maxsize=1024)
def packed_format(number: int) -> PackedFormat | None:
    """The format of that number, or `None` if no format has it. Scalars and meanings that are not known have their number as name."""
    scalar, lanes, meaning = number & 31, LANES[number >> 5 & 7], number >> 8
    if scalar == 0 or meaning > 255:
        return None
    if meaning == 0:
        return PackedFormat(number, scalar, lanes, "")
    if meaning not in MEANINGS:
        return PackedFormat(number, scalar, lanes, str(meaning))
    name, its_lanes, its_scalar = MEANINGS[meaning]
    if lanes != its_lanes or its_scalar not in (0, scalar):
        return None
    if name == "complex":
        # NumPy has no complex numbers of two binary16.
        return PackedFormat(number, scalar, 1 if scalar in COMPLEX else 2, name) if scalar in COMPLEX_SCALARS else None
    return PackedFormat(number, scalar, lanes, name)
