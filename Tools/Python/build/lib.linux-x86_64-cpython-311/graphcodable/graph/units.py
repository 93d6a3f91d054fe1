"""Data units: those that the format describes are decoded, the others stay bytes."""

from __future__ import annotations

import struct
from collections.abc import Callable
from decimal import Decimal
from typing import Any, NamedTuple

from ..format.errors import GraphCodableError
from .fixed import Date


class DataUnit(bytes):
    """The bytes that a type of the user's has written. `number` is what they are, as the archive says it."""

    number: int

    def __new__(cls, data: bytes, number: int) -> DataUnit:
        unit = super().__new__(cls, data)
        unit.number = number
        return unit

    def __repr__(self) -> str:
        return f"DataUnit({super().__repr__()}, {self.number})"


class Opaque(NamedTuple):
    """A value of a kind that a later version of the format adds."""

    number: int
    data: bytes


class DateInterval(NamedTuple):
    """A start, and a number of seconds."""

    start: Date
    duration: float


class AffineTransform(NamedTuple):
    m11: float
    m12: float
    m21: float
    m22: float
    tX: float
    tY: float


class DispatchTimeInterval(NamedTuple):
    """A number of a unit: `seconds`, `milliseconds`, `microseconds`, `nanoseconds` or `never`."""

    unit: str
    number: int


UNITS = ("seconds", "milliseconds", "microseconds", "nanoseconds", "never")


def decimal(data: bytes) -> Decimal:
    exponent, flags = struct.unpack("<bB", data[:2])
    words, negative = flags & 15, flags >> 4 & 1
    if words > 8 or flags >> 6:
        raise ValueError("the flags of a decimal")
    if words == 0:
        return Decimal("NaN") if negative else Decimal(0)
    mantissa = int.from_bytes(data[4 : 4 + 2 * words], "little")
    return Decimal((negative, tuple(map(int, str(mantissa))), exponent))


def date_interval(data: bytes) -> DateInterval:
    start, duration = struct.unpack("<dd", data)
    return DateInterval(Date(start), duration)


def affine_transform(data: bytes) -> AffineTransform:
    return AffineTransform(*struct.unpack("<6d", data))


def dispatch_time_interval(data: bytes) -> DispatchTimeInterval:
    unit, count = struct.unpack("<Bq", data)
    if unit >= len(UNITS):
        raise ValueError("the unit of an interval")
    return DispatchTimeInterval(UNITS[unit], count)


TYPES: dict[int, tuple[int, Callable[[bytes], Any]]] = {
    1: (20, decimal),
    2: (16, date_interval),
    3: (48, affine_transform),
    4: (9, dispatch_time_interval),
}


def unit_value(number: int, data: bytes, position: int) -> Any:
    """A decoded value, a list of them, or a `DataUnit`."""
    known, form = TYPES.get(number >> 2), number & 3
    if known is None or form == 3:
        return DataUnit(data, number)
    size, decode = known
    start = 8 if form else 0
    count = int.from_bytes(data[:8], "little") if form else 1
    if len(data) != start + count * size:
        message = f"a data unit of {len(data)} bytes does not have {count} values of {size}"
        raise GraphCodableError(None, message, position, "graph stream")
    try:
        values = [decode(data[at : at + size]) for at in range(start, len(data), size)]
    except ValueError as error:
        raise GraphCodableError(None, f"a data unit is wrong: {error}", position, "graph stream") from None
    return values if form else values[0]
