"""The object index: where in the graph stream each object begins and ends."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..format.errors import GraphCodableError
from ..format.varint import LENGTHS

PLACE = "object index"


class ObjectIndex:
    """`starts` are the stream offsets in ascending order; `places` says which of them an object number has."""

    def __init__(self, data: bytes, count: int, stored: int, in_order: bool, stream_size: int) -> None:
        self.stream_size = stream_size
        values, end = read_varints(data, stored, 0)
        if len(values) and int(values.min()) == 0:
            raise index_error("I1", "two objects begin at one place", data, int(values.argmin()))
        # Sums cannot overflow up to the first difference that is too large, or as many others as the stream has bytes.
        large = values >= stream_size
        within = int(large.argmax()) if large.any() else len(values)
        self.starts = np.cumsum(values[:within].astype(np.int64))
        within = int(np.searchsorted(self.starts[:stream_size], stream_size))
        if within < len(values):
            raise index_error("I1", "an object is not within the stream", data, within)
        self.places: np.ndarray[Any, np.dtype[np.int32]] | None = None
        if not in_order:
            numbers, end = read_varints(data, stored, end)
            if len(numbers) and int(numbers.max()) >= count:
                raise index_error("I2", "an object number is not in the table", data, stored + int(numbers.argmax()))
            self.places = np.full(count, -1, np.int32)
            self.places[numbers.astype(np.int64)] = np.arange(stored, dtype=np.int32)
            again = self.places[numbers.astype(np.int64)] != np.arange(stored)
            if again.any():
                raise index_error("I2", "an object number occurs twice", data, stored + int(again.argmax()))
        if end != len(data):
            raise GraphCodableError("I3", f"{len(data) - end} bytes behind the last number", end, PLACE)

    @property
    def root_end(self) -> int:
        return int(self.starts[0]) if len(self.starts) else self.stream_size

    def extent(self, number: int) -> tuple[int, int] | None:
        """Start and end of an object in the stream, or `None` where it is not stored."""
        place = number if self.places is None else int(self.places[number])
        if place < 0:
            return None
        end = int(self.starts[place + 1]) if place + 1 < len(self.starts) else self.stream_size
        return int(self.starts[place]), end


def index_error(rule: str, message: str, data: bytes, number: int) -> GraphCodableError:
    """An error at a number of the index."""
    position = 0
    for _ in range(number):
        position += LENGTHS[data[position]]
    return GraphCodableError(rule, message, position, PLACE)


def read_varints(data: bytes, count: int, start: int) -> tuple[np.ndarray[Any, np.dtype[np.uint64]], int]:
    """`count` varints from `start`, and where they end (I3)."""
    first = np.frombuffer(data, np.uint8)[start : start + count]
    if len(first) == count and bool((first & 1).all()):
        return (first >> 1).astype(np.uint64), start + count
    values, position, size = np.empty(count, np.uint64), start, len(data)
    for index in range(count):
        length = LENGTHS[data[position]] if position < size else 1
        if position + length > size:
            raise GraphCodableError("I3", "the index ends before its last number", position, PLACE)
        value = int.from_bytes(data[position : position + length], "little")
        values[index] = value >> (8 if length == 9 else length)
        position += length
    return values, position
