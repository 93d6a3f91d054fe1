"""Arrays over several parts of a set."""

from __future__ import annotations

import operator
import threading
from collections.abc import Sequence
from contextlib import nullcontext
from typing import Any, Protocol

import numpy as np
import numpy.lib.mixins

from ..graph.archive import Archive
from ..graph.arrays import Array
from ..format.errors import GraphCodableError
from ..format.kinds import packed_format
from .manifest import Pieces

MOST_ROW = 1 << 20


class Parts(Protocol):
    """The set that an array is in. Threads hold the lock to look for a part, or to read from the graph stream of one."""

    @property
    def lock(self) -> threading.Lock: ...

    def part(self, number: int) -> Archive: ...


class GlobalArray(numpy.lib.mixins.NDArrayOperatorsMixin):
    """An array of which several parts have pieces: `array[10:20, ::2]` gives a NumPy array.

    Only parts that have some of these elements are opened (and that of the first piece, for the type), and only blocks that have
    some are expanded. Lanes are the last axis. Several threads may read.
    """

    def __init__(self, parts: Parts, pieces: Pieces) -> None:
        self._set, self._pieces = parts, pieces
        self._kind: tuple[np.dtype[Any], tuple[int, ...]] | None = None

    @property
    def name(self) -> str:
        return self._pieces.name

    @property
    def dtype(self) -> np.dtype[Any]:
        return self._type[0]

    @property
    def shape(self) -> tuple[int, ...]:
        return (*self._pieces.shape, *self._type[1])

    @property
    def ndim(self) -> int:
        return len(self.shape)

    @property
    def size(self) -> int:
        count = 1
        for length in self.shape:
            count *= length
        return count

    @property
    def nbytes(self) -> int:
        return self.size * self.dtype.itemsize

    @property
    def chunk(self) -> tuple[int, ...]:
        """The lengths of the longest piece in each dimension."""
        lengths = self._pieces.lengths
        return tuple(int(length) for length in (lengths.max(0) if len(lengths) else self._pieces.shape))

    @property
    def parts(self) -> list[int]:
        """The numbers of the parts that have pieces of it."""
        return sorted(set(self._pieces.parts.tolist()))

    @property
    def formats(self) -> list[str] | None:
        """The format of the elements, or those of the fields of structs, by the first piece; `None` where there is none."""
        if not len(self._pieces):
            return None
        piece = self._piece(0)
        numbers = () if piece.layout is None else piece.layout.formats
        return [str(piece.format)] if piece.format is not None else [str(packed_format(number)) for number in numbers]

    @property
    def _type(self) -> tuple[np.dtype[Any], tuple[int, ...]]:
        """The type of an element, and its lanes, which the first piece says; float64 where there is none."""
        if not len(self._pieces):
            return np.dtype(np.float64), ()
        if self._kind is None:
            self._kind = type_of(self._piece(0))
        return self._kind

    def _piece(self, number: int) -> Array:
        """A piece in its part, with the lengths that the manifest says. Finding it is for one thread at a time."""
        pieces = self._pieces
        part, path = int(pieces.parts[number]), pieces.paths[number]
        try:
            with self._set.lock:
                found = self._set.part(part).at(path)
        except (KeyError, ValueError) as error:
            raise self._error(f"is not in part {part}: {error.args[0]}") from None
        lengths = tuple(pieces.lengths[number].tolist())
        if not isinstance(found, Array) or found.lengths != lengths:
            raise self._error(f"has no piece of {lengths} elements at {path!r} of part {part}")
        if self._kind is not None and type_of(found) != self._kind:
            raise self._error(f"has elements of another type in part {part}")
        return found

    def _error(self, message: str) -> GraphCodableError:
        return GraphCodableError("P6", f"the array {self.name!r} {message}", None, "set", "malformed")

    def check(self) -> None:
        """Refuses pieces that are not there, or have other lengths or types."""
        for number in range(len(self._pieces)):
            self._piece(number)
            self._type

    def __len__(self) -> int:
        return self._pieces.shape[0]

    def __getitem__(self, key: Any) -> Any:
        keys = key if isinstance(key, tuple) else (key,)
        if any(not isinstance(each, slice) and each is not Ellipsis and not is_index(each) for each in keys):
            return self._box([range(length) for length in self._pieces.shape])[key]  # What NumPy can do besides.
        shape = self.shape
        if keys.count(Ellipsis) > 1 or len(keys) - keys.count(Ellipsis) > len(shape):
            raise IndexError(f"{len(keys)} indices of an array of {len(shape)} dimensions")
        place = keys.index(Ellipsis) if Ellipsis in keys else len(keys)
        rest = [slice(None)] * (len(shape) - len(keys) + (Ellipsis in keys))
        full = [*keys[:place], *rest, *keys[place + 1 :]]
        taken: list[range] = []
        after: list[slice | int] = []
        for each, length in zip(full, shape):
            if isinstance(each, slice):
                its = range(*each.indices(length))
                taken.append(its if its.step > 0 else its[::-1])
                after.append(slice(None) if its.step > 0 else slice(None, None, -1))
            else:
                number = operator.index(each)
                if not -length <= number < length:
                    raise IndexError(f"index {number} of {length}")
                taken.append(range(number % length, number % length + 1))
                after.append(0)
        count = len(self._pieces.shape)
        lanes = tuple(slice(its.start, its.stop, its.step) for its in taken[count:])
        result = self._box(taken[:count])[(slice(None),) * count + lanes]
        return result[tuple(after)]

    def _box(self, taken: Sequence[range]) -> np.ndarray[Any, Any]:
        """The elements at some places of each dimension, of whichever pieces have them."""
        (dtype, lanes), pieces = self._type, self._pieces
        try:
            result = np.empty((*map(len, taken), *lanes), dtype)
        except (MemoryError, ValueError):
            raise GraphCodableError(None, f"no memory for {self.name!r}", None, "set") from None
        if not all(taken):
            return result
        first, last = np.array([its[0] for its in taken]), np.array([its[-1] for its in taken])
        starts, ends = pieces.offsets, pieces.offsets + pieces.lengths
        for number in np.flatnonzero(((starts <= last) & (first < ends)).all(1)).tolist():
            here, there = [], []
            for its, start, end in zip(taken, starts[number].tolist(), ends[number].tolist()):
                low, high = (max(-(-(at - its.start) // its.step), 0) for at in (start, end))
                part = its[low:high]
                here.append(slice(low, low + len(part)))
                there.append(range(part.start - start, part.stop - start, part.step))
            if all(there):
                piece = self._piece(number)
                # Arrays in the graph stream are for one thread at a time as well.
                with self._set.lock if piece.segment is None else nullcontext():
                    result[tuple(here)] = box(piece, there)
        return result

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray[Any, Any]:
        if copy is False:
            raise ValueError("an array over several parts is copied")
        result: np.ndarray[Any, Any] = self[...]
        return result if dtype is None else result.astype(dtype, copy=False)

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **options: Any) -> Any:
        arrays = (np.asarray(x) if isinstance(x, (Array, GlobalArray)) else x for x in inputs)
        return getattr(ufunc, method)(*arrays, **options)

    def __repr__(self) -> str:
        return f"<GlobalArray {self.name!r} of {' × '.join(map(str, self._pieces.shape))} in {len(self._pieces)} pieces>"


def is_index(key: Any) -> bool:
    return hasattr(key, "__index__") and not isinstance(key, (bool, np.bool_, np.ndarray))


def type_of(array: Array) -> tuple[np.dtype[Any], tuple[int, ...]]:
    return array.dtype, array.shape[len(array.lengths) :]


def box(array: Array, taken: Sequence[range]) -> np.ndarray[Any, Any]:
    """The elements of one array at some places of each dimension. Of long rows only what is between these is read."""
    dtype, lanes = type_of(array)

    def part(start: int, dimension: int) -> np.ndarray[Any, Any]:
        inner = array.lengths[dimension + 1 :]
        row = 1
        for length in inner:
            row *= length
        its = taken[dimension]
        if inner and row * array.element_size > MOST_ROW:
            return np.stack([part(start + index * row, dimension + 1) for index in its])
        data = array.read_elements(start + its[0] * row, start + (its[-1] + 1) * row)
        found = data.view(dtype).reshape(its[-1] + 1 - its[0], *inner, *lanes)
        below = (slice(each.start, each.stop, each.step) for each in taken[dimension + 1 :])
        return found[(slice(None, None, its.step), *below)]

    return part(0, 0)
