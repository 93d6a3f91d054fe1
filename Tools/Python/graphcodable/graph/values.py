"""Proxies of records and containers: they know where they stand, and read their parts when these are asked for."""

from __future__ import annotations

import operator
from array import array
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, overload

from ..format.attributes import NONE, Attributes
from ..format.contents import ClassInfo, Shape
from ..format.kinds import ABSENT
from ..format.limits import Steps
from .context import Context
from .presentation import Shown, presentation
from .stream import OverflowField

if TYPE_CHECKING:
    import pandas

DICTIONARY_WIDTH = 2


class Record(Shown):
    """A struct, an enum or an instance of a class.

    Fields are read by key as attributes or items (`record.mass`, `record["mass"]`), and by place in stored order
    (`record[0]`), with or without a key. A field that is called like a method of this class is reached as an item.
    Nil and optionals without a value are `None`. Two proxies are equal if they are the same value of one archive; an
    object has one proxy as long as somebody holds it, so `a.x is b.x` if both refer to one object.
    """

    __slots__ = ("_context", "_shape", "_start", "_limit", "_ends_at_limit", "_offsets", "_more", "__weakref__")

    def __init__(self, context: Context, shape: Shape, start: int, fields: int, limit: int, is_object: bool) -> None:
        self._context = context
        self._shape = shape
        self._start = start
        self._limit = limit
        self._ends_at_limit = is_object
        # Where fields begin, and where the last one ends, as far as is known.
        self._offsets = [fields]
        self._more: list[OverflowField] | None = None

    # What it is

    @property
    def class_info(self) -> ClassInfo | None:
        """The class, or `None` for what is no instance of one, or one whose class was not stored."""
        return self._shape.class_info

    @property
    def type_name(self) -> str | None:
        """The name of the class, struct or enum, as far as it was stored."""
        return self._shape.class_info.name if self._shape.class_info else self._shape.type_name

    @property
    def is_class(self) -> bool:
        return self._shape.is_class

    @property
    def is_list(self) -> bool:
        """Whether the fields without keys are the elements of a list."""
        return self._shape.is_list

    # Where fields are

    def _kinds(self) -> tuple[int, ...]:
        return self._shape.kinds

    def _offset(self, index: int) -> int:
        offsets, end_of = self._offsets, self._context.stream.end_of
        while len(offsets) <= index:
            kind = self._kinds()[len(offsets) - 1]
            offsets.append(end_of(kind, offsets[-1], self._limit))
            if len(offsets) == len(self._kinds()) + 1 and not self._shape.is_open and self._ends_at_limit:
                self._context.check_end(offsets[-1], self._limit)
        return offsets[index]

    def _overflow(self) -> list[OverflowField]:
        if self._more is None:
            more: list[OverflowField] = []
            if self._shape.is_open:
                stream = self._context.stream
                count, keyless, position, end = stream.overflow_head(self._offset(len(self._shape.kinds)))
                for _ in range(count):
                    more.append(stream.overflow_field(position))
                    position = stream.end_of(more[-1].kind, more[-1].position, min(self._limit, end))
                if position != end or keyless != sum(field.key is None for field in more):
                    raise stream.error("G7", "overflow fields are not as their head says", self._start)
            self._more = more
        return self._more

    def _place(self, index: int) -> tuple[int, int]:
        """Kind and position of a field."""
        fixed = len(self._kinds())
        if index < fixed:
            return self._kinds()[index], self._offset(index)
        field = self._overflow()[index - fixed]
        return field.kind, field.position

    def _find(self, key: str) -> int:
        index = self._shape.places.get(key)
        if index is not None:
            return index
        for index, field in enumerate(self._overflow()):
            if field.key == key:
                return index + len(self._kinds())
        raise KeyError(key)

    def _value(self, index: int) -> Any:
        kind, position = self._place(index)
        return self._context.value(kind, position, self._limit)[0]

    # Access

    def __getitem__(self, key: str | int) -> Any:
        if isinstance(key, str):
            return self._value(self._find(key))
        index, count = operator.index(key), len(self)
        if not -count <= index < count:
            raise IndexError(f"field {index} of a record with {count} fields")
        return self._value(index % count)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__") and name.endswith("__"):
            raise AttributeError(name)
        try:
            index = self._find(name)
        except KeyError:
            raise AttributeError(f"{self.type_name or 'record'} has no field {name!r}", name=name, obj=self) from None
        return self._value(index)

    def get(self, key: str, default: Any = None) -> Any:
        return self[key] if key in self else default

    def __contains__(self, key: object) -> bool:
        """Whether there is a field with that key, and it was not left out."""
        if not isinstance(key, str):
            return False
        try:
            kind, position = self._place(self._find(key))
        except KeyError:
            return False
        return self._context.stream.untag(kind, position)[0] != ABSENT

    def __len__(self) -> int:
        return len(self._kinds()) + len(self._overflow())

    def __bool__(self) -> bool:
        return True

    def __iter__(self) -> Iterator[Any]:
        """The values of all fields, in stored order."""
        return (self._value(index) for index in range(len(self)))

    def keys(self) -> list[str]:
        """The keys of the fields that have one."""
        return [key for key in self.all_keys() if key is not None]

    def all_keys(self) -> list[str | None]:
        """The keys of all fields in stored order, `None` for those without."""
        return [*self._shape.keys, *(field.key for field in self._overflow())]

    def items(self) -> Iterator[tuple[str | None, Any]]:
        """Keys (`None` without) and values of all fields, in stored order."""
        return ((key, self._value(index)) for index, key in enumerate(self.all_keys()))

    def to_dict(self) -> Any:
        """The record as plain Python values: see `graphcodable.to_python`."""
        return presentation().to_python(self)

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *(key for key in self.keys() if key.isidentifier())]

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Record):
            return NotImplemented
        return self._context is other._context and self._start == other._start

    def __hash__(self) -> int:
        return hash((id(self._context), self._start))

    def __repr__(self) -> str:
        shown = ", ".join(key or "_" for key in self._shape.keys[:8])
        more = ", …" if len(self._shape.keys) > 8 or self._shape.is_open else ""
        return f"<{self.type_name or 'record'} {{{shown}{more}}}>"


class BoxedRecord(Record):
    """An instance of a class that has written its own bytes: one field without a key."""

    __slots__ = ("_kind",)

    def __init__(self, context: Context, shape: Shape, start: int, fields: int, limit: int, is_object: bool) -> None:
        super().__init__(context, shape, start, fields + 1, limit, is_object)
        self._kind = context.stream.kind(fields)

    def _kinds(self) -> tuple[int, ...]:
        return (self._kind,)

    def all_keys(self) -> list[str | None]:
        return [None]


class Elements:
    """Where the elements of a container are: found one after the other, and remembered."""

    __slots__ = ("context", "kinds", "count", "limit", "offsets", "place")

    def __init__(self, context: Context, kinds: tuple[int, ...], count: int, start: int, limit: int, place: int) -> None:
        self.context = context
        self.place = place  # Where the container begins, behind its kind.
        self.kinds = kinds
        self.count = count
        self.limit = limit
        self.offsets = array("Q", [start])

    def value(self, index: int) -> Any:
        kinds, offsets, end_of = self.kinds, self.offsets, self.context.stream.end_of
        while len(offsets) <= index:
            offsets.append(end_of(kinds[(len(offsets) - 1) % len(kinds)], offsets[-1], self.limit))
        return self.context.value(kinds[index % len(kinds)], offsets[index], self.limit)[0]

    def values(self) -> Iterator[Any]:
        """All values in order, without remembering where they are."""
        position, read, kinds = self.offsets[0], self.context.value, self.kinds
        for index in range(self.count * len(kinds)):
            kind = kinds[index % len(kinds)]
            value, end = read(kind, position, self.limit)
            if end < 0:
                end = self.context.stream.end_of(kind, position, self.limit)
            yield value
            position = end


class List(Shown, Sequence[Any]):
    """An array of values of any kind."""

    __slots__ = ("_elements", "__weakref__")

    def __init__(self, elements: Elements) -> None:
        self._elements = elements

    def __len__(self) -> int:
        return self._elements.count

    @overload
    def __getitem__(self, index: int) -> Any: ...

    @overload
    def __getitem__(self, index: slice) -> list[Any]: ...

    def __getitem__(self, index: int | slice) -> Any:
        if isinstance(index, slice):
            return [self._elements.value(i) for i in range(*index.indices(len(self)))]
        number = operator.index(index)
        if not -len(self) <= number < len(self):
            raise IndexError(f"element {number} of an array of {len(self)}")
        return self._elements.value(number % len(self))

    def __iter__(self) -> Iterator[Any]:
        return self._elements.values()

    def to_dataframe(self) -> pandas.DataFrame:
        """A row for each record, a column for each key."""
        return presentation().data_frame(self)

    def __repr__(self) -> str:
        return f"<List of {len(self)}>"


class Set(Shown):
    """A set of values in stored order; `in` compares with each."""

    __slots__ = ("_elements", "__weakref__")

    def __init__(self, elements: Elements) -> None:
        self._elements = elements

    def __len__(self) -> int:
        return self._elements.count

    def __iter__(self) -> Iterator[Any]:
        return self._elements.values()

    def __repr__(self) -> str:
        return f"<Set of {len(self)}>"


class Dictionary(Shown):
    """Pairs of keys and values, in stored order. Keys that Python cannot hash are reached by `items` alone."""

    __slots__ = ("_elements", "_table", "__weakref__")

    def __init__(self, elements: Elements) -> None:
        self._elements = elements
        self._table: dict[Any, int] | None = None

    def _index(self) -> dict[Any, int]:
        if self._table is None:
            self._table = {}
            for number, key in enumerate(self._keys()):
                try:
                    self._table.setdefault(key, number)
                except TypeError:
                    continue
        return self._table

    def _keys(self) -> Iterator[Any]:
        return (self._elements.value(DICTIONARY_WIDTH * number) for number in range(len(self)))

    def __len__(self) -> int:
        return self._elements.count

    def __iter__(self) -> Iterator[Any]:
        return self._keys()

    def __contains__(self, key: object) -> bool:
        return key in self._index()

    def __getitem__(self, key: Any) -> Any:
        return self._elements.value(DICTIONARY_WIDTH * self._index()[key] + 1)

    def get(self, key: Any, default: Any = None) -> Any:
        return self[key] if key in self else default

    def keys(self) -> list[Any]:
        return list(self._keys())

    def values(self) -> list[Any]:
        return [value for _, value in self.items()]

    def items(self) -> Iterator[tuple[Any, Any]]:
        values = self._elements.values()
        return ((key, next(values)) for key in values)

    def __repr__(self) -> str:
        return f"<Dictionary of {len(self)}>"


# Where values stand, for modules that list and convert them. These are no members, since a record has those of its keys.


class StoredField(NamedTuple):
    """A field of a record in the graph stream: `limit` is what it must not go beyond."""

    key: str | None
    kind: int
    position: int
    value: Any
    limit: int


def context_of(value: Record | List | Set | Dictionary) -> Context:
    """The archive that a value is in."""
    return value._context if isinstance(value, Record) else value._elements.context


def limit_of(record: Record) -> int:
    """Where a record ends at the latest."""
    return record._limit


def start_of(record: Record) -> int:
    """Where a record's shape stands."""
    return record._start


def field_place(record: Record, index: int) -> tuple[int, int]:
    """The kind of a field, and where its value stands."""
    return record._place(index)


def attributes_of(value: Any, record: Any = None, step: str | int = 0) -> Attributes:
    """What was said of a value when it was written; a single one has it only as a field of a record."""
    if isinstance(value, Record):
        return value._context.contents.attributes.get(value._start, NONE)
    if isinstance(value, (List, Set, Dictionary)):
        its = value._elements
        return its.context.contents.attributes.get(its.place, NONE)
    if value is None or hasattr(value, "attributes") or not isinstance(record, Record):
        return getattr(value, "attributes", NONE)
    context = record._context
    if not context.contents.attributes:
        return NONE
    index = record.all_keys().index(step) if isinstance(step, str) else step
    _, position = context.stream.untag(*record._place(index))
    return context.contents.attributes.get(position, NONE)


def part_place(value: Any, step: str | int) -> tuple[int, int, int]:
    """The kind of a part that a step of the format leads to, where it begins, and where it ends at the latest; `LookupError` for none."""
    if isinstance(value, Record):
        keys = value.all_keys()
        index = keys.index(step) if step in keys else -1
        if isinstance(step, int):
            index = [place for place, key in enumerate(keys) if key is None][step]
        if index < 0:
            raise KeyError(step)
        return (*value._place(index), value._limit)
    if not isinstance(value, (List, Set, Dictionary)):
        raise KeyError(step)
    elements, number = value._elements, step
    if isinstance(value, Dictionary):
        names = [named_key(key) for key in value.keys()]
        place = names.index(step) if step in names else step
        if not isinstance(place, int) or names[place] not in (None, step):
            raise KeyError(step)
        number = DICTIONARY_WIDTH * place + 1
    if not isinstance(number, int) or number >= elements.count * len(elements.kinds):
        raise KeyError(step)
    elements.value(number)
    return elements.kinds[number % len(elements.kinds)], elements.offsets[number], elements.limit


def named_key(key: Any) -> str | int | None:
    """The step to the value of a key: a string or an integer, alone or in a record of it alone."""
    if isinstance(key, Record) and not key.is_class and key.all_keys() == [None]:
        key = key[0]
    return key if isinstance(key, (str, int)) and not isinstance(key, bool) else None


def first_field_of(record: Record) -> int:
    """Where the first field stands."""
    return record._offset(0)


def elements_of(value: List | Set | Dictionary) -> Elements:
    return value._elements


def steps_of(value: Record | List | Set | Dictionary) -> Steps:
    """What counts a walk through all of a value."""
    return (value._context if isinstance(value, Record) else value._elements.context).steps()


def place_of(value: Record | List | Set | Dictionary) -> tuple[type, int]:
    """Where a value stands in the graph stream; no two of one type stand at one place."""
    return type(value), value._start if isinstance(value, Record) else value._elements.offsets[0]


def stored_fields(record: Record) -> Iterator[StoredField]:
    """The fields of a record, in stored order."""
    for index, key in enumerate(record.all_keys()):
        yield StoredField(key, *record._place(index), record._value(index), record._limit)
