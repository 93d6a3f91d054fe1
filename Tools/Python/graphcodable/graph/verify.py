"""Reads all of an archive, and passes over nothing."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..format import attributes, directory
from ..format.errors import GraphCodableError
from ..format.kinds import BOOL_SCALAR, CONDITIONAL, FIXED, RECORD, REFERENCE, PackedFormat
from ..format.segment import GRAPH, INDEX
from ..format.segment_reader import SegmentReader
from .arrays import bool_places
from .fixed import check_bools
from .reader import GraphReader
from .optionals import presence_of
from .stream import PLACE, OptionalsHead, PackedHead
from .strings import Strings, is_text, strings
from .values import part_place


def verify(graph: GraphReader) -> None:
    """Checks all blocks, and the graph: of what this version cannot expand, the hashes alone."""
    contents, bools = graph.contents, dict[int, PackedHead]()
    own = [segment for kind in (GRAPH, INDEX) if (segment := contents.segment(kind)) is not None]
    if all(segment.unknown is None for segment in own):
        bools = verify_graph(graph)
    for segment in own:
        # Also the blocks that nothing has read: values of a fixed size are passed over.
        verify_blocks(SegmentReader(graph.source, segment), None)
    for number in range(len(contents.bulk)):
        verify_blocks(graph.bulk(number), bools.get(number))


def verify_graph(graph: GraphReader) -> dict[int, PackedHead]:
    """Reads the stream. Returns the arrays in segments that have bools, by the numbers of these."""
    stream = graph.stream
    stream.steps = graph.steps()
    index, contents = graph.index, graph.contents
    stream.unseen = set(contents.attributes)
    bulk_bools: dict[int, PackedHead] = {}

    def can_expand(head: PackedHead) -> bool:
        return head.segment < 0 or contents.bulk[head.segment].unknown is None

    def check(kind: int, position: int, head: Any) -> None:
        if kind == REFERENCE:
            if graph.extent(head) is None:
                raise GraphCodableError("G4", f"a reference to object {head}, which is not stored", position, PLACE)
        elif isinstance(head, OptionalsHead):
            check(head.kind, head.position, head.array)
            if can_expand(head.presence):
                presence_of(graph, head)
        elif isinstance(head, PackedHead) and is_text(head):
            if can_expand(head):
                found = strings(graph, head)
                if isinstance(found, Strings):
                    found.check()
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
        graph.check_end(stream.end_of(kind, position, limit, check), limit)

    read(stream.kind(0), 1, graph.root_end)
    if index is not None:
        starts = index.starts.tolist()
        for start, end in zip(starts, [*starts[1:], stream.size]):
            read(RECORD, start, end)
        check_boxes(graph)
    if stream.unseen:
        at = contents.extensions[attributes.EXTENSION][1]
        raise GraphCodableError("C17", f"attributes of a value at {min(stream.unseen)} in the stream, where none begins", at)
    check_directory(graph)
    return bulk_bools


def check_directory(graph: GraphReader) -> None:
    """Refuses a directory that says something else than the graph stream (C18)."""
    stream, contents = graph.stream, graph.contents
    for path, entry in contents.directory.items():
        try:
            place = place_at(graph, path)
        except (LookupError, TypeError):
            place = None
        end = entry.offset + len(entry.value) - 1
        if place is None or place[1] != entry.offset or end > stream.size or (
            bytes((place[0],)) + bytes(stream.bytes(entry.offset, end - entry.offset)) != entry.value
        ):
            at = contents.extensions[directory.EXTENSION][1]
            raise GraphCodableError("C18", f"the directory has {path} for another value than the graph stream", at)


def place_at(graph: GraphReader, path: tuple[str | int, ...]) -> tuple[int, int]:
    """The kind of a value, and where it begins behind that."""
    kind, position, limit = graph.stream.kind(0), 1, graph.root_end
    for step in path:
        kind, position, limit = part_place(graph.value(kind, position, limit)[0], step)
    while True:
        kind, position = graph.stream.untag(kind, position)
        if kind == REFERENCE:
            extent = graph.extent(graph.stream.object_number(position)[0])
            if extent is None:
                raise LookupError(path)
            kind, position = RECORD, extent[0]
        if kind != RECORD:
            return kind, position
        shape, fields = graph.stream.shape(position)
        if not shape.is_boxed:
            return kind, position
        kind, position = graph.stream.boxed(fields)


def check_boxes(graph: GraphReader) -> None:
    """Refuses boxes that lead to nothing but each other (G4)."""
    stream = graph.stream
    if not any(shape.is_boxed for shape in graph.contents.shapes):
        return
    finished: set[int] = set()
    for first in range(graph.contents.object_count):
        number, passed = first, set[int]()
        while number not in finished:
            if number in passed:
                extent = graph.extent(number)
                offset = extent[0] if extent else None
                raise GraphCodableError("G4", "boxed objects that lead to nothing but each other", offset, PLACE)
            passed.add(number)
            extent = graph.extent(number)
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


def verify_blocks(reader: SegmentReader, head: PackedHead | None) -> None:
    """Expands all blocks of a segment, one at a time."""
    segment = reader.segment
    reader.check_header()
    for block in range(len(segment.entries)):
        if segment.unknown is not None:
            reader.check_stored(block)
            continue
        data = reader.block(block)
        if head is not None:
            offset = segment.blocks_offset + int(segment.starts[block])
            check_bools(data, segment.element_size, bool_places(head), offset, "archive")
