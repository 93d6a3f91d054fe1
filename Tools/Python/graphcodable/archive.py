"""An archive: its tables, its root, its objects."""

from __future__ import annotations

import weakref
from collections.abc import Sequence
from functools import cached_property
from typing import Any, overload

from .arrays import Array
from .contents import ClassInfo, Contents, Header, Shape, read_contents, read_header
from .errors import GraphCodableError
from .conversion import to_python
from .fixed import fixed_value
from .formats import (
    ABSENT, ARRAY, BINARY, CONDITIONAL, DICTIONARY, FIXED, NESTED, NIL, OPAQUE, PACKED, RECORD, REFERENCE, SET, STRUCTS, TAGS,
)  # fmt: skip
from .html import html_of
from .listing import lines
from .objects import ObjectIndex
from .paths import value_at
from .pieces import PiecesSource
from .ragged import ragged, regular_lengths
from .segment import GRAPH, INDEX, SegmentReader
from .source import MemorySource, Source
from .stream import PLACE, Stream
from .units import Opaque, unit_value
from .values import BoxedRecord, Dictionary, Elements, List, Record, Set

MISSING = object()


class Objects(Sequence[Any]):
    """The objects of an archive by number, each read when it is asked for."""

    def __init__(self, archive: Archive) -> None:
        self._archive = archive

    def __len__(self) -> int:
        return self._archive.object_count

    @overload
    def __getitem__(self, index: int) -> Any: ...

    @overload
    def __getitem__(self, index: slice) -> list[Any]: ...

    def __getitem__(self, index: int | slice) -> Any:
        if isinstance(index, slice):
            return [self._archive._object(number) for number in range(*index.indices(len(self)))]
        if not -len(self) <= index < len(self):
            raise IndexError(f"object {index} of {len(self)}")
        return self._archive._object(index % len(self))


class Archive:
    """An archive that is open: `archive.root` is its graph.

    Header and contents are checked when it is opened, everything else when it is first read. `verify` reads everything.
    An archive may be used by one thread at a time.
    """

    def __init__(self, source: Source | bytes | bytearray | memoryview) -> None:
        if isinstance(source, (bytes, bytearray, memoryview)):
            source = MemorySource(memoryview(source))
        self._source = source
        self.header: Header = read_header(source)
        self._contents: Contents = read_contents(source, self.header)
        if isinstance(source, PiecesSource):
            source.check_blocks(self._contents.segments)
        self._bulk_readers: dict[int, SegmentReader] = {}
        self._proxies: weakref.WeakValueDictionary[int, Any] = weakref.WeakValueDictionary()
        self._values: dict[int, Any] = {}  # Objects that Python cannot refer to weakly.

    # Tables

    @property
    def size(self) -> int:
        """Bytes of the archive."""
        return self.header.size

    @property
    def user_version(self) -> int:
        return self._contents.user_version

    @property
    def metadata(self) -> dict[str, str]:
        return dict(self._contents.metadata)

    @property
    def classes(self) -> list[ClassInfo]:
        return list(self._contents.classes)

    @property
    def object_count(self) -> int:
        """How many objects have numbers; those that only conditional references lead to are not stored."""
        return self._contents.object_count

    @property
    def info(self) -> dict[str, Any]:
        """Sizes and numbers, for people and tests."""
        contents = self._contents
        return {
            "formatVersion": 2,
            "userVersion": contents.user_version,
            "bytes": self.header.size,
            "streamBytes": self._stream.size,
            "rawBytes": sum(s.raw_size for s in contents.segments)
            + len(contents.stream or b"")
            + len(contents.index or b""),
            "objects": contents.object_count,
            "storedObjects": contents.stored_count,
            "keys": len(contents.keys),
            "shapes": len(contents.shapes),
            "layouts": len(contents.layouts),
            "classes": [c.name for c in contents.classes],
            "segments": [
                {"kind": ("graph", "objectIndex", "bulk")[s.kind], "bytes": s.end - s.offset, "rawBytes": s.raw_size}
                for s in contents.segments
            ],
            "metadata": dict(contents.metadata),
        }

    # Graph

    @property
    def root(self) -> Any:
        """The root value; see the module for what becomes what."""
        stream, limit = self._stream, self._root_end
        kind = stream.kind(0)
        value, end = self._value(kind, 1, limit, is_object=True)
        if end >= 0:
            self._check_end(end, limit)
        return value

    @property
    def objects(self) -> Objects:
        """All objects by their numbers; `None` stands for one that is not stored."""
        return Objects(self)

    def verify(self) -> None:
        """Reads everything, and raises the first error."""
        from .verify import verify

        # Anew, so that nothing that was read before is passed over.
        verify(Archive(self._source))

    def tree(self, depth: int | None = 16, limit: int | None = 100) -> str:
        """The parts of the graph as lines of text, as `graphcodable ls --recursive` of the Swift tool prints them."""
        return "\n".join(lines(self, self.root, depth, limit))

    def at(self, path: str) -> Any:
        """The value at a path such as `cells[3].position`; raises `KeyError` where there is none."""
        return value_at(self.root, path)

    def to_dict(self) -> Any:
        """The root as plain Python values: see `to_python`."""
        return to_python(self.root)

    def _repr_html_(self) -> str:
        return html_of(self, self.root, f"archive, {self.header.size:,} bytes")

    def close(self) -> None:
        """Forgets the source. Arrays that are views of it keep it open."""
        close = getattr(self._source, "close", None)
        if close is not None:
            close()

    def __enter__(self) -> Archive:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<Archive of {self.header.size} bytes, {self.object_count} objects>"

    # For the proxies

    @cached_property
    def _stream(self) -> Stream:
        segment = self._contents.segment(GRAPH)
        return Stream(self._contents, SegmentReader(self._source, segment) if segment else None)

    @cached_property
    def _index(self) -> ObjectIndex | None:
        contents = self._contents
        if not contents.object_count:
            return None
        segment = contents.segment(INDEX)
        if segment is None:
            data = contents.index or b""
        else:
            data = SegmentReader(self._source, segment).read(0, segment.raw_size).tobytes()
        graph = contents.segment(GRAPH)
        size = graph.raw_size if graph else len(contents.stream or b"")
        return ObjectIndex(data, contents.object_count, contents.stored_count, contents.in_order, size)

    @property
    def _root_end(self) -> int:
        return self._index.root_end if self._index is not None else self._stream.size

    def _bulk(self, number: int) -> SegmentReader:
        reader = self._bulk_readers.get(number)
        if reader is None:
            reader = self._bulk_readers[number] = SegmentReader(self._source, self._contents.bulk[number])
        return reader

    def _check_end(self, end: int, limit: int) -> None:
        if end != limit:
            message = f"the root or an object ends at {end}, and the next one begins at {limit}"
            raise GraphCodableError("G2", message, end, PLACE)

    def _extent(self, number: int) -> tuple[int, int] | None:
        return self._index.extent(number) if self._index is not None else None

    def _object(self, number: int) -> Any:
        """An object, or what it boxes; goes along boxes that hold references without recursion."""
        passed: dict[int, None] = {}
        while True:
            value = self._proxies.get(number, MISSING)
            if value is MISSING:
                value = self._values.get(number, MISSING)
            if value is not MISSING:
                break
            extent = self._extent(number)
            if extent is None:
                value = None
                break
            passed[number] = None
            start, limit = extent
            shape, end = self._stream.shape(start)
            if not shape.is_boxed or shape.is_class:
                value = self._record(shape, start, end, limit, True)
                break
            kind, position = self._stream.boxed(end)
            if kind not in (REFERENCE, CONDITIONAL):
                value, stop = self._value(kind, position, limit, is_object=True)
                if stop >= 0:
                    self._check_end(stop, limit)
                break
            number, stop = self._stream.object_number(position)
            self._check_end(stop, limit)
            if number in passed:
                raise GraphCodableError("G4", "boxed objects that lead to nothing but each other", start, PLACE)
            if kind == REFERENCE and self._extent(number) is None:
                raise GraphCodableError("G4", f"a reference to object {number}, which is not stored", position, PLACE)
        for each in passed:
            try:
                self._proxies[each] = value
            except TypeError:
                self._values[each] = value
        return value

    def _record(self, shape: Shape, start: int, fields: int, limit: int, is_object: bool) -> Record:
        make = BoxedRecord if shape.is_boxed else Record
        return make(self, shape, start, fields, limit, is_object)

    def _value(self, kind: int, position: int, limit: int, is_object: bool = False) -> tuple[Any, int]:
        """A value, and where it ends, -1 where that is not known yet.

        `is_object` is for what has to end at `limit`.
        """
        stream = self._stream
        while True:
            if kind in TAGS:
                kind, position = stream.untag(kind, position)
            if kind != RECORD:
                break
            shape, end = stream.shape(position)
            if not shape.is_boxed or shape.is_class:
                return self._record(shape, position, end, limit, is_object), -1
            kind, position = stream.kind(end), end + 1
        if kind == NIL or kind == ABSENT:
            return None, position
        if kind == REFERENCE or kind == CONDITIONAL:
            number, end = stream.object_number(position)
            if kind == REFERENCE and self._extent(number) is None:
                raise GraphCodableError("G4", f"a reference to object {number}, which is not stored", position, PLACE)
            return self._object(number), end
        if kind == PACKED or kind == STRUCTS or kind == NESTED:
            head = stream.packed(kind, position)
            regular = regular_lengths(head)
            return (ragged(self, head) if regular is None else Array(self, regular)), head.end
        if kind in (ARRAY, SET, DICTIONARY):
            kinds, count, start = stream.container(kind, position)
            elements = Elements(self, kinds, count, start, limit)
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
        if kind == OPAQUE:
            number, at = stream.varint(position)
            start, end = stream.run(at)
            return Opaque(number, stream.bytes(start, end - start)), end
        return stream.leaf(kind, position)
