"""Reads all of an archive, and passes over nothing."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from .arrays import bool_places
from .errors import GraphCodableError
from .fixed import check_bools
from .formats import BOOL_SCALAR, CONDITIONAL, FIXED, RECORD, REFERENCE, PackedFormat
from .segment import GRAPH, SegmentReader
from .stream import PLACE, PackedHead

if TYPE_CHECKING:
    from .archive import Archive
    from .series import Entry, Series
    from .set_series import SetEntry, SetSeries
    from .sets import ArchiveSet


@dataclass(frozen=True)
class Problem:
    """What is wrong with a file, and the number of the entry or part that it is in."""

    entry: int | None
    error: GraphCodableError | OSError
    offset: int = 0
    part: int | None = None

    def __str__(self) -> str:
        entry = "" if self.entry is None else f", entry {self.entry}"
        return f"{entry}: {self.error}"

    def to_json(self) -> dict[str, Any]:
        error = self.error
        if isinstance(error, OSError):
            return {"code": "file", "message": str(error)}
        result: dict[str, Any] = {"code": error.code, "message": str(error), "rule": error.rule}
        if error.offset is not None and error.place in ("archive", "series"):
            result["byteOffset"] = error.offset + (self.offset if error.place == "archive" else 0)
        if self.entry is not None:
            result["entry"] = self.entry
        if self.part is not None:
            result["part"] = self.part
        return result


def problems(file: Archive | Series | ArchiveSet | SetSeries) -> Iterator[Problem]:
    """Reads everything; the entries of a series and the parts of a set are checked each on its own."""
    from .archive import Archive
    from .sets import ArchiveSet

    if isinstance(file, ArchiveSet):
        yield from (Problem(None, error, part=part) for part, error in file.problems())
        return
    if isinstance(file, Archive):
        try:
            file.verify()
        except GraphCodableError as error:
            yield Problem(None, error)
        return
    damage = list(file.damage)
    yield from (Problem(None, error) for error in damage)
    for entry in file:
        yield from entry_problems(entry)
    if not damage:
        try:
            file.verify_list()
        except GraphCodableError as error:
            yield Problem(None, error)


def entry_problems(entry: Entry | SetEntry) -> Iterator[Problem]:
    from .series import Entry

    if not isinstance(entry, Entry):
        yield from (Problem(entry.number, error, part=part) for part, error in entry.problems())
        return
    try:
        entry.verify()
    except GraphCodableError as error:
        yield Problem(entry.number, error, entry.offset)


def verify(archive: Archive) -> None:
    contents, stream = archive._contents, archive._stream
    index = archive._index
    bulk_bools: dict[int, PackedHead] = {}

    def check(kind: int, position: int, head: Any) -> None:
        if kind == REFERENCE:
            if archive._extent(head) is None:
                raise GraphCodableError("G4", f"a reference to object {head}, which is not stored", position, PLACE)
        elif isinstance(head, PackedHead):
            places = bool_places(head)
            if places and head.segment >= 0:
                bulk_bools[head.segment] = head
            elif places:
                data = stream.bytes(head.position, head.end - head.position)
                check_bools(np.frombuffer(data, np.uint8), head.element_size, places, head.position, PLACE)
        elif kind == FIXED and isinstance(head, PackedFormat) and head.scalar == BOOL_SCALAR:
            if max(stream.bytes(position, head.size)) > 1:
                raise GraphCodableError("G9", "a bool that is neither 0 nor 1", position, PLACE)

    def read(kind: int, position: int, limit: int) -> None:
        archive._check_end(stream.end_of(kind, position, limit, check), limit)

    read(stream.kind(0), 1, archive._root_end)
    if index is not None:
        starts = index.starts.tolist()
        for start, end in zip(starts, [*starts[1:], stream.size]):
            read(RECORD, start, end)
        check_boxes(archive)
    graph = contents.segment(GRAPH)
    if graph is not None:
        # Also the blocks that nothing has read: values of a fixed size are passed over.
        reader = SegmentReader(archive._source, graph)
        for block in range(len(graph.entries)):
            reader.block(block)
    for number in range(len(contents.bulk)):
        verify_bulk(archive, number, bulk_bools.get(number))


def check_boxes(archive: Archive) -> None:
    """Refuses boxes that lead to nothing but each other (G4)."""
    stream = archive._stream
    if not any(shape.is_boxed for shape in archive._contents.shapes):
        return
    finished: set[int] = set()
    for first in range(archive.object_count):
        number, passed = first, set[int]()
        while number not in finished:
            if number in passed:
                extent = archive._extent(number)
                offset = extent[0] if extent else None
                raise GraphCodableError("G4", "boxed objects that lead to nothing but each other", offset, PLACE)
            passed.add(number)
            extent = archive._extent(number)
            if extent is None:
                break
            shape, end = stream.shape(extent[0])
            if not shape.is_boxed:
                break
            kind, position = stream.boxed(end, through_classes=True)
            if kind not in (REFERENCE, CONDITIONAL):
                break
            number, _ = stream.object_number(position)
        finished |= passed


def verify_bulk(archive: Archive, number: int, head: PackedHead | None) -> None:
    """Expands all blocks of a bulk segment, one at a time."""
    reader = archive._bulk(number)
    segment = reader.segment
    reader.check_header()
    for block in range(len(segment.entries)):
        data = reader.block(block)
        if head is not None:
            offset = segment.blocks_offset + int(segment.starts[block])
            check_bools(data, segment.element_size, bool_places(head), offset, "archive")
