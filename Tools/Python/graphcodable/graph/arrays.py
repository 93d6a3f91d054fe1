"""Packed arrays and arrays of packed structs, as NumPy arrays."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.lib.mixins

from ..format.attributes import NONE, Attributes
from ..format.contents import Layout
from ..format.errors import GraphCodableError
from ..format.filters import Precision, precision
from ..format.kinds import BOOL_SCALAR, PackedFormat, packed_format
from ..format.segment import Segment
from .context import Context
from .fixed import check_bools, fixed_value
from .presentation import Shown, presentation
from .reopening import Reopening
from .stream import PLACE, PackedHead

if TYPE_CHECKING:
    import pandas


class Array(Shown, numpy.lib.mixins.NDArrayOperatorsMixin):
    """A packed array of the archive, or a nested one whose rows are of one length, which is read when it is indexed.

    `array[10:20]` expands only the blocks with these elements; `numpy.asarray(array)` or `array[:]` reads all. Lanes are the last
    axis. What is given back is a NumPy array that must not be written to: a view of the file where this is in memory
    (or mapped) and the elements are stored as they are. `array.value(i)` is element `i` as a Python value.
    """

    def __init__(self, context: Context, head: PackedHead) -> None:
        self._context = context
        self._head = head
        self._dtype: np.dtype[Any] | None = None

    def __reduce__(self) -> tuple[Any, ...]:
        reopening = self._context.reopening
        return (Array, (self._context, self._head)) if reopening is None else (opened_again, (reopening, self._head))

    @property
    def format(self) -> PackedFormat | None:
        """How the elements lie; `None` for packed structs."""
        return self._head.format

    @property
    def layout(self) -> Layout | None:
        """The fields of packed structs."""
        return self._head.layout

    @property
    def dtype(self) -> np.dtype[Any]:
        if self._dtype is None:
            form, layout = self._head.format, self._head.layout
            self._dtype = form.dtype if form else struct_dtype(layout) if layout else np.dtype("u1")
        return self._dtype

    @property
    def attributes(self) -> Attributes:
        """What was said of it when it was written: `dims`, the names of its dimensions, and `attrs`."""
        return self._context.contents.attributes.get(self._head.start, NONE)

    @property
    def position(self) -> int:
        """Where its elements, or what stands for them, are in the graph stream."""
        return self._head.position

    @property
    def shape(self) -> tuple[int, ...]:
        form, lengths = self._head.format, self._head.lengths
        lanes = (form.lanes,) if form and form.lanes > 1 else ()
        return (*(int(length) for length in lengths), *lanes) if lengths else (self._head.count, *lanes)

    @property
    def is_nested(self) -> bool:
        """Whether it is an array of arrays."""
        return bool(self._head.lengths)

    @property
    def lengths(self) -> tuple[int, ...]:
        """The shape without lanes."""
        return tuple(int(length) for length in self._head.lengths) or (self._head.count,)

    @property
    def element_size(self) -> int:
        """Bytes of an element, with its lanes."""
        return self._head.element_size

    @property
    def elements_per_row(self) -> int:
        count = 1
        for length in self._head.lengths[1:]:
            count *= int(length)
        return count

    @property
    def ndim(self) -> int:
        return len(self.shape)

    @property
    def nbytes(self) -> int:
        return self._head.count * self._head.element_size

    @property
    def segment(self) -> int | None:
        """The number of the bulk segment that has the elements, if one does."""
        return self._head.segment if self._head.segment >= 0 else None

    @property
    def stored_segment(self) -> Segment | None:
        """What the archive says of that segment."""
        return self._context.contents.bulk[self._head.segment] if self._head.segment >= 0 else None

    @property
    def precision(self) -> Precision | None:
        """To what the numbers were rounded when they were written; `None` where they are exact."""
        segment = self.stored_segment
        return None if segment is None else precision(segment.filters)

    def __len__(self) -> int:
        return self.shape[0]

    def __bool__(self) -> bool:
        return len(self) > 0

    def _raw(self, start: int, end: int) -> np.ndarray[Any, np.dtype[np.uint8]]:
        """The bytes of rows, with their bools checked."""
        return self.read_elements(start * self.elements_per_row, end * self.elements_per_row)

    def read_elements(self, start: int, end: int) -> np.ndarray[Any, np.dtype[np.uint8]]:
        """The bytes of elements, whatever rows they are in, with their bools checked."""
        head, size = self._head, self._head.element_size
        if head.segment >= 0:
            data = self._context.bulk(head.segment).read(start * size, end * size)
        else:
            stored = self._context.stream.bytes(head.position + start * size, (end - start) * size)
            data = np.frombuffer(stored, np.uint8)
        bools = bool_places(head)
        if bools:
            check_bools(data, head.element_size, bools, head.position, PLACE)
        return data

    def _read(self, start: int, end: int) -> np.ndarray[Any, Any]:
        result = self._fresh(start, end)
        result.flags.writeable = False
        return result

    def _fresh(self, start: int, end: int) -> np.ndarray[Any, Any]:
        """Rows, in memory of their own if they can be written to."""
        result = self._raw(start, end).view(self.dtype) if end > start else np.empty(0, self.dtype)
        try:
            result = result.reshape(end - start, *self.shape[1:])
        except ValueError as error:
            # No element, and lengths that no array of NumPy's has.
            raise GraphCodableError(None, f"NumPy has no array of the shape {self.shape}: {error}") from None
        return result

    def __getitem__(self, key: Any) -> Any:
        return self._part(key, self._read)

    def writable(self, key: Any = slice(None)) -> np.ndarray[Any, Any]:
        """The same as an array of the caller's own, copied only where it would be a view of the file or of what is kept."""
        result = np.asarray(self._part(key, self._fresh))
        return result if result.flags.writeable else result.copy()

    def _part(self, key: Any, read: Callable[[int, int], np.ndarray[Any, Any]]) -> Any:
        first, *rest = key if isinstance(key, tuple) else (key,)
        if isinstance(first, slice):
            start, stop, step = first.indices(len(self))
            taken = range(start, stop, step)
            if not taken:
                part = read(0, 0)
            else:
                low, high = min(taken[0], taken[-1]), max(taken[0], taken[-1])
                part = read(low, high + 1)[:: abs(step)]
                part = part[::-1] if step < 0 else part
            return part[(slice(None), *rest)] if rest else part
        if first is Ellipsis or first is None or isinstance(first, (list, np.ndarray, bool, np.bool_)):
            return read(0, len(self))[key]
        index = self._index(first)
        return read(index, index + 1)[(0, *rest)]

    def _index(self, index: Any) -> int:
        number = operator.index(index)
        if not -len(self) <= number < len(self):
            raise IndexError(f"index {number} of an array of {len(self)} elements")
        return number + len(self) if number < 0 else number

    def value(self, index: int) -> Any:
        """An element as a Python value: `UUID`, `Date`, `int` of 128 bits, named tuples for ranges and points; or a row."""
        number = self._index(index)
        if self._head.format is None or len(self._head.lengths) > 1:
            return self._read(number, number + 1)[0]
        return fixed_value(self._head.format, self._raw(number, number + 1).tobytes())

    def __iter__(self) -> Iterator[Any]:
        return iter(self._read(0, len(self)))

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray[Any, Any]:
        result = self._read(0, len(self))
        if dtype is not None and np.dtype(dtype) != result.dtype:
            if copy is False:
                raise ValueError("another type needs a copy")
            return result.astype(dtype)
        return result.copy() if copy else result

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **options: Any) -> Any:
        arrays = (np.asarray(x) if isinstance(x, Array) else x for x in inputs)
        return getattr(ufunc, method)(*arrays, **options)

    def __bytes__(self) -> bytes:
        """The elements as they are stored."""
        return self._raw(0, len(self)).tobytes()

    def to_dataframe(self) -> pandas.DataFrame:
        """A row for each element: a column for each field of structs, and for each lane of vectors."""
        return presentation().data_frame(self)

    def __repr__(self) -> str:
        form = self._head.format
        where = f", bulk segment {self._head.segment}" if self._head.segment >= 0 else ""
        count = " × ".join(map(str, self._head.lengths or (self._head.count,)))
        return f"<Array of {count} {form if form else 'structs'}{where}>"


def opened_again(reopening: Reopening, head: PackedHead) -> Array:
    """An array in another process, which opens its archive."""
    return Array(reopening.function(*reopening.arguments).reader, head)


def bool_places(head: PackedHead) -> list[tuple[int, int]]:
    """First byte and number of the bools in an element."""
    if head.format is not None:
        return [(0, head.format.lanes)] if head.format.scalar == BOOL_SCALAR else []
    return layout_bools(head.layout) if head.layout else []


def layout_bools(layout: Layout) -> list[tuple[int, int]]:
    places, offset = [], 0
    for number in layout.formats:
        form = packed_format(number)
        assert form is not None
        if form.scalar == BOOL_SCALAR:
            places.append((offset, form.lanes))
        offset += form.size
    return places


def struct_dtype(layout: Layout) -> np.dtype[Any]:
    """A structured type with the keys of the fields; those without a key are `f0`, `f1` … by their places."""
    names: list[str] = []
    taken = {key for key in layout.keys if key}
    for index, key in enumerate(layout.keys):
        name = key or f"f{index}"
        while not key and name in taken:
            name += "_"
        taken.add(name)
        names.append(name)
    fields: list[Any] = []
    for number in layout.formats:
        form = packed_format(number)
        assert form is not None
        fields.append((form.dtype, (form.lanes,)) if form.lanes > 1 else form.dtype)
    try:
        return np.dtype({"names": names, "formats": fields})
    except (ValueError, TypeError, MemoryError, OverflowError) as error:
        raise GraphCodableError(None, f"NumPy has no type for structs of {layout.size} bytes: {error}") from None
