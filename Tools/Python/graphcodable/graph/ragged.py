"""Nested packed arrays whose rows differ in length."""

from __future__ import annotations

import operator
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any, overload

import numpy as np

from ..format.attributes import NONE, Attributes
from .arrays import Array
from .context import Context
from .presentation import Shown
from .stream import Lengths, PackedHead


def starts_of(head: PackedHead) -> tuple[int | Lengths, ...]:
    """For each dimension, the length of all its arrays, or where the parts of each begin among those of all."""
    lengths = head.lengths or (head.count,)
    return tuple(its if isinstance(its, int) else np.concatenate(([0], np.cumsum(its))) for its in lengths)


def ragged(context: Context, head: PackedHead) -> Ragged:
    return Ragged(Array(context, replace(head, lengths=())), starts_of(head), 0, 0)


def regular_lengths(head: PackedHead) -> PackedHead | None:
    """The same with a length for each dimension; `None` where these differ."""
    if all(isinstance(length, int) for length in head.lengths):
        return head
    lengths: list[int] = []
    for its in head.lengths:
        if isinstance(its, int):
            lengths.append(its)
        elif len(its) and int(its.min()) != int(its.max()):
            return None
        else:
            lengths.append(int(its[0]) if len(its) else 0)
    return replace(head, lengths=tuple(lengths))


class Rows(Shown, Sequence[Any]):
    """An array of arrays: of the last dimension, what a subclass makes of their elements."""

    __slots__ = ("_array", "_dimension", "_number", "_starts", "__weakref__")

    def __init__(self, array: Array, starts: tuple[int | Lengths, ...], dimension: int, number: int) -> None:
        self._array, self._starts, self._dimension, self._number = array, starts, dimension, number

    def _extent(self, dimension: int, first: int, last: int) -> tuple[int, int]:
        """Where the parts of some arrays of a dimension begin and end."""
        starts = self._starts[dimension]
        if isinstance(starts, int):
            return first * starts, last * starts
        return int(starts[first]), int(starts[last])

    @property
    def _own(self) -> tuple[int, int]:
        """Its parts, among those of all arrays of its dimension."""
        return self._extent(self._dimension, self._number, self._number + 1)

    @property
    def is_innermost(self) -> bool:
        """Whether its parts have elements, and no arrays."""
        return self._dimension + 2 == len(self._starts)

    @property
    def elements(self) -> Array:
        """The elements of the whole array, which are read when they are indexed."""
        return self._array

    @property
    def extent(self) -> tuple[int, int]:
        """Where its elements begin and end, among those of the whole array."""
        return self._elements_of(self._dimension, self._number)

    def extent_of(self, row: int) -> tuple[int, int]:
        """Where the elements of a row begin and end, among those of the whole array."""
        return self._elements_of(self._dimension + 1, self._own[0] + row)

    def _elements_of(self, dimension: int, number: int) -> tuple[int, int]:
        first, last = number, number + 1
        for each in range(dimension, len(self._starts)):
            first, last = self._extent(each, first, last)
        return first, last

    def _row(self, number: int) -> Any:
        """An array of the last dimension, by its number among all of them."""
        raise NotImplementedError

    @property
    def attributes(self) -> Attributes:
        """What was said of it when it was written; nothing for a row."""
        return NONE if self._dimension else self._array.attributes

    def __len__(self) -> int:
        start, end = self._own
        return end - start

    @overload
    def __getitem__(self, index: int) -> Any: ...

    @overload
    def __getitem__(self, index: slice) -> list[Any]: ...

    def __getitem__(self, index: int | slice) -> Any:
        if isinstance(index, slice):
            return [self[number] for number in range(*index.indices(len(self)))]
        place = operator.index(index)
        if not -len(self) <= place < len(self):
            raise IndexError(f"row {place} of {len(self)}")
        number = self._own[0] + place % len(self)
        return self._row(number) if self.is_innermost else type(self)(self._array, self._starts, self._dimension + 1, number)

    def __iter__(self) -> Iterator[Any]:
        return (self[index] for index in range(len(self)))


class Ragged(Rows):
    """Rows of different lengths: `rows[3]` is a NumPy array, or `Ragged` where these are rows of rows.

    A row is read when it is asked for; `flat` has the elements of all of them, one row after the other.
    """

    __slots__ = ()

    def _row(self, number: int) -> Any:
        begin, end = self._extent(len(self._starts) - 1, number, number + 1)
        return self._array[begin:end]

    @property
    def lengths(self) -> Lengths:
        """How many parts each row has."""
        start, end = self._own
        starts = self._starts[self._dimension + 1]
        if isinstance(starts, int):
            return np.full(end - start, starts, np.int64)
        return np.diff(starts[start : end + 1])

    @property
    def flat(self) -> np.ndarray[Any, Any]:
        """The elements of all rows."""
        first, last = self.extent
        elements: np.ndarray[Any, Any] = self._array[first:last]
        return elements

    @property
    def dtype(self) -> np.dtype[Any]:
        return self._array.dtype

    def __repr__(self) -> str:
        return f"<Ragged of {len(self)} rows of {self._array.format or 'structs'}>"
