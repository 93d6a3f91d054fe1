"""Arrays of strings, which are nested packed arrays of their bytes."""

from __future__ import annotations

import operator
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any, overload

import numpy as np

from ..format.errors import GraphCodableError
from ..format.kinds import UTF8
from .arrays import Array
from .context import Context
from .stream import PLACE, Lengths, PackedHead

# Bytes of strings that are read at a time.
PIECE = 1 << 20


def is_text(head: PackedHead) -> bool:
    """Whether the innermost arrays of a nested array are strings."""
    return bool(head.lengths) and head.format is not None and head.format.number == UTF8


def strings(context: Context, head: PackedHead) -> Strings | str:
    """An array of strings; of a single dimension, which no writer makes, the string that it is."""
    starts: list[int | Lengths] = []
    for length in head.lengths:
        starts.append(length if isinstance(length, int) else np.concatenate(([0], np.cumsum(length))))
    result = Strings(Array(context, replace(head, lengths=())), tuple(starts), 0, 0)
    return result if len(starts) > 1 else next(result.texts(0, 1))


class Strings(Sequence[Any]):
    """An array of strings: `names[3]` is one, `names[2:9]` a list of them.

    A string is read when it is asked for, and the blocks with its bytes are expanded; iterating expands each block once. In an array of
    arrays of strings, `rows[3]` is such an array.
    """

    __slots__ = ("_array", "_dimension", "_number", "_starts", "__weakref__")

    def __init__(self, array: Array, starts: tuple[int | Lengths, ...], dimension: int, number: int) -> None:
        self._array, self._starts, self._dimension, self._number = array, starts, dimension, number

    def _extent(self, dimension: int, first: int, last: int) -> tuple[int, int]:
        """Where the parts of some arrays of a dimension begin and end."""
        starts = self._starts[dimension]
        return (first * starts, last * starts) if isinstance(starts, int) else (int(starts[first]), int(starts[last]))

    @property
    def _own(self) -> tuple[int, int]:
        return self._extent(self._dimension, self._number, self._number + 1)

    @property
    def _holds_strings(self) -> bool:
        return self._dimension + 2 == len(self._starts)

    def __len__(self) -> int:
        start, end = self._own
        return end - start

    @overload
    def __getitem__(self, index: int) -> Any: ...

    @overload
    def __getitem__(self, index: slice) -> list[Any]: ...

    def __getitem__(self, index: int | slice) -> Any:
        start, _ = self._own
        if isinstance(index, slice):
            first, stop, step = index.indices(len(self))
            if self._holds_strings and step == 1:
                return list(self.texts(start + first, start + max(stop, first)))
            return [self[number] for number in range(first, stop, step)]
        place = operator.index(index)
        if not -len(self) <= place < len(self):
            raise IndexError(f"string {place} of {len(self)}" if self._holds_strings else f"array {place} of {len(self)}")
        number = start + place % len(self)
        if self._holds_strings:
            return next(self.texts(number, number + 1))
        return Strings(self._array, self._starts, self._dimension + 1, number)

    def __iter__(self) -> Iterator[Any]:
        if self._holds_strings:
            return self.texts(*self._own)
        return (self[index] for index in range(len(self)))

    def texts(self, first: int, last: int) -> Iterator[str]:
        """Some of the strings, by their places among all (G11)."""
        innermost = len(self._starts) - 1
        while first < last:
            start, end = self._extent(innermost, first, last)
            stop = last
            if end - start > PIECE:
                # As many as fit, or one.
                ends = self._starts[innermost]
                whole = PIECE // ends if isinstance(ends, int) else int(np.searchsorted(ends, start + PIECE, "right")) - 1 - first
                stop = first + max(whole, 1)
                end = self._extent(innermost, first, stop)[1]
            data = self._array.read_elements(start, end).tobytes()
            for number in range(first, stop):
                begin, behind = self._extent(innermost, number, number + 1)
                try:
                    yield data[begin - start : behind - start].decode()
                except UnicodeDecodeError:
                    raise GraphCodableError("G11", "a string is not UTF-8", self._array.position, PLACE) from None
            first = stop

    def to_numpy(self) -> np.ndarray[Any, Any]:
        """The strings as an array of `str` objects, or of NumPy's own strings with `astype`."""
        result = np.empty(len(self), object)
        for index, value in enumerate(self):
            result[index] = value if isinstance(value, str) else list(value)
        return result

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray[Any, Any]:
        return self.to_numpy() if dtype is None else self.to_numpy().astype(dtype)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, (Strings, list, tuple)):
            return NotImplemented
        return len(self) == len(other) and all(one == its for one, its in zip(self, other))

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"<Strings: {len(self)}>" if self._holds_strings else f"<Strings in {len(self)} arrays>"


def check_strings(context: Context, head: PackedHead) -> None:
    """Refuses strings that are not UTF-8 (G11)."""
    found = strings(context, head)
    if isinstance(found, Strings):
        count = 1
        for dimension in range(len(head.lengths) - 1):
            count = found._extent(dimension, 0, count)[1]
        for _ in found.texts(0, count):
            pass
