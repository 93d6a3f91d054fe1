"""Python values of single packed elements: dates, durations, identifiers, ranges, vectors."""

from __future__ import annotations

import datetime
import struct
import uuid
from typing import Any, NamedTuple

import numpy as np

from ..format.errors import GraphCodableError
from ..format.kinds import PackedFormat

EPOCH = datetime.datetime(2001, 1, 1, tzinfo=datetime.UTC)


class Date(float):
    """A point in time: seconds since 2001-01-01 00:00:00 UTC, bit for bit as stored."""

    def datetime(self) -> datetime.datetime:
        """The date to the microsecond; raises `OverflowError` or `ValueError` outside of the years 1 to 9999."""
        return EPOCH + datetime.timedelta(seconds=float(self))


class Duration(int):
    """Attoseconds."""

    @property
    def seconds(self) -> float:
        return self / 10**18


class Instant(Duration):
    """Attoseconds since the machine started."""


class Range(NamedTuple):
    """From `lower` up to `upper`, which is not in it."""

    lower: Any
    upper: Any


class ClosedRange(NamedTuple):
    lower: Any
    upper: Any


class PartialRangeFrom(NamedTuple):
    lower: Any


class PartialRangeUpTo(NamedTuple):
    """Everything below `upper`, which is not in it."""

    upper: Any


class PartialRangeThrough(NamedTuple):
    upper: Any


class LocationAndLength(NamedTuple):
    location: int
    length: int


class Point(NamedTuple):
    x: float
    y: float


class Size(NamedTuple):
    width: float
    height: float


class Rectangle(NamedTuple):
    x: float
    y: float
    width: float
    height: float


class PlaneVector(NamedTuple):
    x: float
    y: float


MEANINGS: dict[str, Any] = {
    "range": Range,
    "closedRange": ClosedRange,
    "partialRangeFrom": PartialRangeFrom,
    "partialRangeUpTo": PartialRangeUpTo,
    "partialRangeThrough": PartialRangeThrough,
    "locationAndLength": LocationAndLength,
    "point": Point,
    "size": Size,
    "rectangle": Rectangle,
    "planeVector": PlaneVector,
}


def scalar_value(form: PackedFormat, data: bytes) -> Any:
    """One lane as a Python value; numbers of less than 64 bits of floating point as NumPy scalars."""
    name = form.scalar_name
    if name in ("int128", "uint128"):
        return int.from_bytes(data, "little", signed=name == "int128")
    if name == "duration":
        return Duration(int.from_bytes(data, "little", signed=True))
    if name in ("continuousInstant", "suspendingInstant"):
        return Instant(int.from_bytes(data, "little", signed=True))
    if name == "uuid":
        return uuid.UUID(bytes=data)
    if name == "date":
        return Date(struct.unpack("<d", data)[0])
    if name in ("float16", "float32"):
        return np.frombuffer(data, form.dtype)[0]
    return np.frombuffer(data, form.dtype)[0].item()


def fixed_value(form: PackedFormat, data: bytes) -> Any:
    """One element: a value, a named tuple where the format has a meaning, or a NumPy array of its lanes.

    Lanes that NumPy has no type for make a tuple.
    """
    size = form.dtype.itemsize
    if form.lanes > 1 and not form.meaning and form.dtype.names is None and form.scalar_name != "uuid":
        return np.frombuffer(data, form.dtype)
    lanes = [scalar_value(form, data[start : start + size]) for start in range(0, len(data), size)]
    make = MEANINGS.get(form.meaning)
    if make is not None:
        return make(*lanes)
    return lanes[0] if form.lanes == 1 else tuple(lanes)


def check_bools(data: np.ndarray[Any, Any], size: int, bools: list[tuple[int, int]], offset: int, place: str) -> None:
    """Refuses bools other than 0 and 1 (G9). `bools` are the first byte and the number of those in an element."""
    table = data.reshape(-1, size)
    for first, count in bools:
        if len(table) and int(table[:, first : first + count].max()) > 1:
            raise GraphCodableError("G9", "a bool that is neither 0 nor 1", offset, place)
