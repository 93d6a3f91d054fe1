"""Reads the graph of an archive: each value when it is asked for, each object once as long as it is held."""

from __future__ import annotations

import weakref
from dataclasses import replace
from functools import cached_property
from typing import Any

from ..format.contents import Contents, Header, Shape, read_contents, read_header
from ..format.errors import GraphCodableError
from ..format.directory import Entry
from ..format.limits import Steps
from ..format.kinds import (
    ABSENT, ARRAY, BINARY, CONDITIONAL, DICTIONARY, FIXED, LATER, NESTED, NIL, OPAQUE, OPTIONALS, PACKED, RECORD, REFERENCE, SET, STRUCTS, TAGS,
)  # fmt: skip
from ..format.pieces import PiecesSource
from ..format.segment import BULK, GRAPH, INDEX
from ..format.segment_reader import SegmentReader
from ..format.source import Source
from .arrays import Array
from .fixed import fixed_value
from .object_index import ObjectIndex
from .optionals import optionals
from .ragged import ragged, regular_lengths
from .reopening import Reopening
from .stream import PLACE, Stream
from .strings import is_text, strings
from .units import Opaque, unit_value
from .values import BoxedRecord, Dictionary, Elements, List, Record, Set

MISSING = object()


class GraphReader:
    """The tables of an archive and its values by their places, for other modules: users have `Archive`.

    Header and contents are checked when it is made, everything else when it is first read.
    """

    def __init__(self, source: Source) -> None:
        self.source = source
        self.header: Header = read_header(source)
        self.contents: Contents = read_contents(source, self.header)
        if isinstance(source, PiecesSource):
            source.check_blocks(self.contents.segments)
        self._bulk_readers: dict[int, SegmentReader] = {}
        self._proxies: weakref.WeakValueDictionary[int, Any] = weakref.WeakValueDictionary()
        self._values: dict[int, Any] = {}  # Objects that Python cannot refer to weakly.
        self.reopening: Reopening | None = None

    def __reduce__(self) -> tuple[Any, ...]:
        ways_out = "send the file that was opened by its path or address, numpy.asarray(array) or graphcodable.to_python(value)"
        raise TypeError(f"values of an archive cannot be sent to another process: {ways_out}")

    @property
    def root(self) -> Any:
        stream, limit = self.stream, self.root_end
        kind = stream.kind(0)
        value, end = self.value(kind, 1, limit, is_object=True)
        if end >= 0:
            self.check_end(end, limit)
        return value

    def listed(self, entry: Entry) -> Any:
        """The array of an entry of the directory, which is read as if it were the root."""
        apart = GraphReader.__new__(GraphReader)
        apart.__dict__.update(self.__dict__)
        apart.contents = replace(self.contents, stream=entry.value, stream_offset=0, index=None, object_count=0, stored_count=0)
        apart.contents.segments = [each for each in self.contents.segments if each.kind == BULK]
        said = self.contents.attributes.get(entry.offset)
        apart.contents.__dict__["attributes"] = {1: said} if said else {}
        for cached in ("stream", "index"):
            apart.__dict__.pop(cached, None)
        apart.reopening = None
        value, end = apart.value(entry.value[0], 1, len(entry.value))
        apart.check_end(end, len(entry.value))
        return value

    def steps(self) -> Steps:
        """What counts a walk through all of the graph."""
        return Steps(self.source.size)

    @cached_property
    def stream(self) -> Stream:
        segment = self.contents.segment(GRAPH)
        return Stream(self.contents, SegmentReader(self.source, segment) if segment else None)

    @cached_property
    def index(self) -> ObjectIndex | None:
        contents = self.contents
        if not contents.object_count:
            return None
        segment = contents.segment(INDEX)
        if segment is None:
            data = contents.index or b""
        else:
            data = SegmentReader(self.source, segment).read(0, segment.raw_size).tobytes()
        graph = contents.segment(GRAPH)
        size = graph.raw_size if graph else len(contents.stream or b"")
        return ObjectIndex(data, contents.object_count, contents.stored_count, contents.in_order, size)

    @property
    def root_end(self) -> int:
        return self.index.root_end if self.index is not None else self.stream.size

    def bulk(self, number: int) -> SegmentReader:
        reader = self._bulk_readers.get(number)
        if reader is None:
            reader = self._bulk_readers[number] = SegmentReader(self.source, self.contents.bulk[number])
        return reader

    def check_end(self, end: int, limit: int) -> None:
        if end != limit:
            message = f"the root or an object ends at {end}, and the next one begins at {limit}"
            raise GraphCodableError("G2", message, end, PLACE)

    def extent(self, number: int) -> tuple[int, int] | None:
        return self.index.extent(number) if self.index is not None else None

    def object(self, number: int) -> Any:
        """An object, or what it boxes; goes along boxes that hold references without recursion."""
        passed: dict[int, None] = {}
        while True:
            value = self._proxies.get(number, MISSING)
            if value is MISSING:
                value = self._values.get(number, MISSING)
            if value is not MISSING:
                break
            extent = self.extent(number)
            if extent is None:
                value = None
                break
            passed[number] = None
            start, limit = extent
            shape, end = self.stream.shape(start)
            if not shape.is_boxed or shape.is_class:
                value = self.record(shape, start, end, limit, True)
                break
            kind, position = self.stream.boxed(end)
            if kind not in (REFERENCE, CONDITIONAL):
                value, stop = self.value(kind, position, limit, is_object=True)
                if stop >= 0:
                    self.check_end(stop, limit)
                break
            number, stop = self.stream.object_number(position)
            self.check_end(stop, limit)
            if number in passed:
                raise GraphCodableError("G4", "boxed objects that lead to nothing but each other", start, PLACE)
            if kind == REFERENCE and self.extent(number) is None:
                raise GraphCodableError("G4", f"a reference to object {number}, which is not stored", position, PLACE)
        for each in passed:
            try:
                self._proxies[each] = value
            except TypeError:
                self._values[each] = value
        return value

    def record(self, shape: Shape, start: int, fields: int, limit: int, is_object: bool) -> Record:
        make = BoxedRecord if shape.is_boxed else Record
        return make(self, shape, start, fields, limit, is_object)

    def value(self, kind: int, position: int, limit: int, is_object: bool = False) -> tuple[Any, int]:
        """A value, and where it ends, -1 where that is not known yet.

        `is_object` is for what has to end at `limit`.
        """
        stream = self.stream
        while True:
            if kind in TAGS:
                kind, position = stream.untag(kind, position)
            if kind != RECORD:
                break
            shape, end = stream.shape(position)
            if not shape.is_boxed or shape.is_class:
                return self.record(shape, position, end, limit, is_object), -1
            kind, position = stream.kind(end), end + 1
        if kind == NIL or kind == ABSENT:
            return None, position
        if kind == REFERENCE or kind == CONDITIONAL:
            number, end = stream.object_number(position)
            if kind == REFERENCE and self.extent(number) is None:
                raise GraphCodableError("G4", f"a reference to object {number}, which is not stored", position, PLACE)
            return self.object(number), end
        if kind == PACKED or kind == STRUCTS or kind == NESTED:
            head = stream.packed(kind, position)
            if is_text(head):
                return strings(self, head), head.end
            regular = regular_lengths(head)
            return (ragged(self, head) if regular is None else Array(self, regular)), head.end
        if kind == OPTIONALS:
            both = stream.optionals(position)
            return optionals(self, both), both.end
        if kind in (ARRAY, SET, DICTIONARY):
            kinds, count, start = stream.container(kind, position)
            elements = Elements(self, kinds, count, start, limit, position)
            if kind == ARRAY:
                return List(elements), -1
            return (Set(elements) if kind == SET else Dictionary(elements)), -1
        if kind == FIXED:
            form, start = stream.fixed(position)
            data = stream.bytes(start, form.size)
            if form.scalar_name == "bool" and max(data) > 1:
                raise GraphCodableError("G9", "a bool that is neither 0 nor 1", start, PLACE)
            return fixed_value(form, data), start + form.size
        if kind == BINARY:
            number, at = stream.varint(position)
            start, end = stream.run(at)
            return unit_value(number, stream.bytes(start, end - start), position), end
        if kind == OPAQUE or kind >= LATER:
            number, at = stream.varint(position)
            start, end = stream.run(at)
            return Opaque(number, stream.bytes(start, end - start)), end
        return stream.leaf(kind, position)
