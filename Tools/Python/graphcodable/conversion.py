"""Plain Python values and data frames of what an archive has."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

import numpy as np

from .arrays import Array
from .ragged import Ragged
from .values import Dictionary, List, Record, Set

if TYPE_CHECKING:
    import pandas

HASHABLE = (str, int, float, bytes, tuple, uuid.UUID, np.generic)


def to_python(value: Any) -> Any:
    """A value and all in it as plain Python values, with the identity of objects, and cycles, kept.

    Records become dictionaries by their keys (fields without one by their places), those without any key the list of
    their fields, or the value itself where they have a single one and are no list. Arrays become NumPy arrays. A set stays a
    list where Python cannot hash its elements, and a dictionary a list of pairs. Does not recurse.
    """
    made: dict[tuple[type, int], Any] = {}
    waiting: list[Callable[[], None]] = []

    def plain(value: Any) -> Any:
        if isinstance(value, Array):
            return np.asarray(value)
        if isinstance(value, Ragged):
            return [plain(row) for row in value]  # Of eight dimensions at most.
        if isinstance(value, Record):
            while isinstance(value, Record) and is_single(value):
                value = value[0]
            if not isinstance(value, Record):
                return plain(value)
            place: tuple[type, int] = (Record, value._start)
        elif isinstance(value, (List, Set, Dictionary)):
            place = (type(value), value._elements.offsets[0])
        else:
            return value
        if place not in made:
            made[place] = begin(value)
        return made[place]

    def begin(value: Record | List | Set | Dictionary) -> Any:
        result: Any
        if isinstance(value, Record) and value.keys():
            fields: dict[str | int, Any] = {}
            waiting.append(lambda: fields.update(named(value)))
            return fields
        if isinstance(value, Dictionary):
            return pairs(value)
        if isinstance(value, Set):
            elements = list(value)
            if all(isinstance(element, HASHABLE) for element in elements):
                return set(elements)
        result = []
        waiting.append(lambda: result.extend(plain(part) for part in value))
        return result

    def named(record: Record) -> Iterable[tuple[str | int, Any]]:
        for index, (key, part) in enumerate(record.items()):
            yield index if key is None else key, plain(part)

    def pairs(value: Dictionary) -> Any:
        keys = value.keys()
        if all(isinstance(key, HASHABLE) for key in keys):
            table: dict[Any, Any] = {}
            waiting.append(lambda: table.update((key, plain(part)) for key, part in value.items()))
            return table
        listed: list[Any] = []
        waiting.append(lambda: listed.extend((plain(key), plain(part)) for key, part in value.items()))
        return listed

    result = plain(value)
    while waiting:
        waiting.pop()()
    return result


def is_single(record: Record) -> bool:
    """Whether a record stands for its only field, as those of `RawRepresentable` types do."""
    return not record.is_list and not record.is_class and len(record) == 1 and record.all_keys() == [None]


def frame(columns: dict[str, Any]) -> pandas.DataFrame:
    try:
        import pandas
    except ImportError:
        raise ImportError("to_dataframe needs the package pandas: pip install 'graphcodable[dataframe]'") from None
    return pandas.DataFrame(columns)


def array_columns(array: np.ndarray[Any, Any], name: str) -> dict[str, Any]:
    """A column for each field of structs, and for each lane: `position_0` …"""
    if array.dtype.names is not None:
        columns: dict[str, Any] = {}
        for key in array.dtype.names:
            columns |= array_columns(array[key], f"{name}.{key}" if name else key)
        return columns
    if array.ndim > 1:
        flat = array.reshape(len(array), int(np.prod(array.shape[1:])))
        return {f"{name or 'value'}_{lane}": flat[:, lane] for lane in range(flat.shape[1])}
    return {name or "value": array}


def record_columns(rows: Iterable[Any]) -> dict[str, list[Any]]:
    """A column for each key that a record has; a row without it has `None`."""
    columns: dict[str, list[Any]] = {}
    count = 0
    for row in rows:
        if not isinstance(row, Record):
            raise TypeError("only arrays of records have columns")
        for key, value in row.items():
            if key is not None:
                columns.setdefault(key, [None] * count).append(value)
        count += 1
        for column in columns.values():
            if len(column) < count:
                column.append(None)
    return columns
