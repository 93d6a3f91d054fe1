"""Packed arrays of optionals: the elements, and which of them are there."""

from __future__ import annotations

import operator
from collections.abc import Iterator, Sequence
from typing import Any, overload

import numpy as np

from ..format.attributes import NONE, Attributes
from ..format.errors import GraphCodableError
from .arrays import Array
from .context import Context
from .presentation import Shown
from .ragged import Ragged, ragged, regular_lengths
from .stream import PLACE, OptionalsHead
from .strings import Strings, is_text, strings


def presence_of(context: Context, head: OptionalsHead) -> np.ndarray[Any, np.dtype[np.bool_]]:
    """Which of the elements are there (G14)."""
    count = head.element_count
    if not head.presence.count:
        return np.ones(count, np.bool_)
    bits = np.unpackbits(Array(context, head.presence).read_elements(0, head.presence.count), bitorder="little")
    if bits[count:].any():
        raise GraphCodableError("G14", "bits behind the last optional are set", head.presence.position, PLACE)
    return bits[:count].astype(np.bool_)


def optionals(context: Context, head: OptionalsHead) -> Optionals:
    elements: Array | Ragged | Strings
    if is_text(head.array):
        found = strings(context, head.array)
        if isinstance(found, str):
            raise GraphCodableError(None, "optional bytes of a string have no form here", head.array.position, PLACE)
        elements = found
    else:
        regular = regular_lengths(head.array)
        elements = ragged(context, head.array) if regular is None else Array(context, regular)
    return Optionals(elements, presence_of(context, head), context.contents.attributes.get(head.start, NONE))


class Optionals(Shown, Sequence[Any]):
    """An array of optionals: `values[3]` is an element, or `None`.

    `to_numpy()` is a masked array of numbers, or an array of objects for strings. `elements` has something in the place of a missing
    element, too; `presence` tells which are there.
    """

    __slots__ = ("attributes", "elements", "presence", "__weakref__")

    def __init__(
        self, elements: Array | Ragged | Strings, presence: np.ndarray[Any, np.dtype[np.bool_]], attributes: Attributes = NONE
    ) -> None:
        self.elements, self.presence = elements, presence
        self.attributes = attributes  # What was said of it when it was written.

    def __len__(self) -> int:
        return len(self.presence)

    @overload
    def __getitem__(self, index: int) -> Any: ...

    @overload
    def __getitem__(self, index: slice) -> list[Any]: ...

    def __getitem__(self, index: int | slice) -> Any:
        if isinstance(index, slice):
            places = range(*index.indices(len(self)))
            if not places:
                return []
            low, high = min(places[0], places[-1]), max(places[0], places[-1])
            elements = self.elements[low : high + 1]
            return [elements[place - low] if self.presence[place] else None for place in places]
        place = operator.index(index)
        if not -len(self) <= place < len(self):
            raise IndexError(f"element {place} of {len(self)}")
        place %= len(self)
        return self.elements[place] if self.presence[place] else None

    def __iter__(self) -> Iterator[Any]:
        return (element if is_there else None for element, is_there in zip(self.elements, self.presence))

    def to_numpy(self) -> np.ndarray[Any, Any]:
        """A masked array of numbers; for strings and arrays an array of objects, with `None` for those that are missing."""
        if isinstance(self.elements, Array):
            values = np.asarray(self.elements)
            mask = np.broadcast_to(~self.presence.reshape(-1, *([1] * (values.ndim - 1))), values.shape)
            return np.ma.MaskedArray(values, mask.copy())
        result = np.empty(len(self), object)
        for index, value in enumerate(self):
            result[index] = value
        return result

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray[Any, Any]:
        if isinstance(self.elements, Array) and not self.presence.all():
            raise ValueError("elements are missing: see `to_numpy`, which gives a masked array")
        result = np.asarray(self.to_numpy())
        return result if dtype is None else result.astype(dtype)

    def __repr__(self) -> str:
        return f"<Optionals: {len(self)}, of which {int((~self.presence).sum())} are missing>"
