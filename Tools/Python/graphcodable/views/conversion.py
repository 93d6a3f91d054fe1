"""Plain Python values of what an archive has."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from ..format.limits import VALUE
from ..graph.arrays import Array
from ..graph.optionals import Optionals
from ..graph.ragged import Ragged
from ..graph.strings import Strings
from ..graph.values import Dictionary, List, Record, Set, place_of, steps_of

HASHABLE = (str, int, float, bytes, tuple, uuid.UUID, np.generic)


def to_python(value: Any) -> Any:
    """A value and all in it as plain Python values, with the identity of objects, and cycles, kept.

    Records become dictionaries by their keys (fields without one by their places), those without any key the list of
    their fields, or the value itself where they have a single one and are no list. Arrays become NumPy arrays. A set stays a
    list where Python cannot hash its elements, and a dictionary a list of pairs. Does not recurse.
    """
    made: dict[tuple[type, int], Any] = {}
    steps = steps_of(value) if isinstance(value, (Record, List, Set, Dictionary)) else None
    waiting: list[Callable[[], None]] = []

    def plain(value: Any) -> Any:
        if steps is not None:
            steps.take(VALUE)
        if isinstance(value, Array):
            return np.asarray(value)
        if isinstance(value, Optionals) and isinstance(value.elements, Array):
            return value.to_numpy()
        if isinstance(value, (Strings, Optionals)):
            return [plain(part) for part in value]
        if isinstance(value, Ragged):
            return [plain(row) for row in value]  # Of eight dimensions at most.
        if isinstance(value, Record):
            while isinstance(value, Record) and is_single(value):
                value = value[0]
            if not isinstance(value, Record):
                return plain(value)
        elif not isinstance(value, (List, Set, Dictionary)):
            return value
        place = place_of(value)
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
            if steps is not None:
                steps.take(VALUE * len(value))
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
        if steps is not None:
            steps.take(VALUE * len(value))
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
