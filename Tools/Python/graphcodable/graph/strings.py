"""Arrays of strings, which are nested packed arrays of their bytes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise
from typing import Any, overload

import numpy as np

from ..format.errors import GraphCodableError
from ..format.kinds import UTF8
from .arrays import Array
from .context import Context
from .ragged import Rows, starts_of
from .stream import PLACE, PackedHead

# Bytes of strings that are read at a time.
PIECE = 1 << 20


def is_text(head: PackedHead) -> bool:
    """Whether the innermost arrays of a nested array are strings."""
    return bool(head.lengths) and head.format is not None and head.format.number == UTF8


def strings(context: Context, head: PackedHead) -> Strings | str:
    """An array of strings; of a single dimension, which no writer makes, the string that it is."""
    result = Strings(Array(context, replace(head, lengths=())), starts_of(head), 0, 0)
    return result if len(head.lengths) > 1 else next(result.texts(0, 1))


class Strings(Rows):
    """An array of strings: `names[3]` is one, `names[2:9]` a list of them.

    A string is read when it is asked for, and the blocks with its bytes are expanded; iterating expands each block once. In an array of
    arrays of strings, `rows[3]` is such an array.
    """

    __slots__ = ()

    def _row(self, number: int) -> str:
        return next(self.texts(number, number + 1))

    @overload
    def __getitem__(self, index: int) -> Any: ...

    @overload
    def __getitem__(self, index: slice) -> list[Any]: ...

    def __getitem__(self, index: int | slice) -> Any:
        if isinstance(index, slice) and self._is_innermost:
            first, stop, step = index.indices(len(self))
            if step == 1:
                start = self._own[0]
                return list(self.texts(start + first, start + max(stop, first)))
        return super().__getitem__(index)

    def __iter__(self) -> Iterator[Any]:
        return self.texts(*self._own) if self._is_innermost else super().__iter__()

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
            lengths = self._starts[innermost]
            if isinstance(lengths, int):
                bounds = list(range(0, (stop - first + 1) * lengths, lengths))
            else:
                bounds = (lengths[first : stop + 1] - start).tolist()
            if data.isascii():
                text = data.decode("ascii")
                yield from (text[begin:behind] for begin, behind in pairwise(bounds))
            else:
                yield from (self._text(data[begin:behind]) for begin, behind in pairwise(bounds))
            first = stop

    def check(self) -> None:
        """Refuses strings that are not UTF-8, of all arrays (G11)."""
        count = 1
        for dimension in range(len(self._starts) - 1):
            count = self._extent(dimension, 0, count)[1]
        for _ in self.texts(0, count):
            pass

    def _text(self, data: bytes) -> str:
        try:
            return data.decode()
        except UnicodeDecodeError:
            raise GraphCodableError("G11", "a string is not UTF-8", self._array.position, PLACE) from None

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
        return f"<Strings: {len(self)}>" if self._is_innermost else f"<Strings in {len(self)} arrays>"
