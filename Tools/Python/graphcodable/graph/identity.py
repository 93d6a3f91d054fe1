"""The hash of an archive's values, which survives other compression."""

from __future__ import annotations

import struct
from collections.abc import Iterable

import xxhash

from ..format.contents import Contents
from ..format.segment import GRAPH, INDEX, Segment
from ..format.segment_reader import SegmentReader
from .reader import GraphReader

PIECE = 1 << 20
STEP = 64 * PIECE


def identity(reader: GraphReader) -> str:
    """32 hexadecimal digits."""
    contents = reader.contents
    parts = [b"gcvalues", run([table_bytes(contents)])]
    for segment, embedded in ((contents.segment(GRAPH), contents.stream), (contents.segment(INDEX), contents.index)):
        parts.append(run([embedded or b""]) if segment is None else run(pieces(reader, segment), segment.raw_size))
    for segment in contents.bulk:
        parts += [number(segment.format), number(segment.element_size), run(pieces(reader, segment), segment.raw_size)]
    return xxhash.xxh3_128_hexdigest(b"".join(parts))


def pieces(reader: GraphReader, segment: Segment) -> Iterable[bytes]:
    """The bytes of a segment before compression."""
    source = SegmentReader(reader.source, segment)
    return (source.read(start, min(start + STEP, segment.raw_size)).tobytes() for start in range(0, segment.raw_size, STEP))


def run(parts: Iterable[bytes], size: int | None = None) -> bytes:
    """The hash of a run of bytes: that of its length and of the hashes of its pieces. Each part has whole pieces, but for the last."""
    hashes = []
    length = 0
    for part in parts:
        length += len(part)
        hashes += [low_first(part[start : start + PIECE]) for start in range(0, len(part), PIECE)]
    return low_first(number(length if size is None else size) + b"".join(hashes))


def low_first(data: bytes) -> bytes:
    return xxhash.xxh3_128_digest(data)[::-1]


def number(value: int) -> bytes:
    return struct.pack("<Q", value)


def text(value: str) -> bytes:
    data = value.encode()
    return number(len(data)) + data


def table_bytes(contents: Contents) -> bytes:
    """What tables say of the values, in a form without choices."""
    keys = {key: place + 1 for place, key in enumerate(contents.keys)}
    parts = [number(len(keys)), *map(text, keys), number(len(contents.classes))]
    classes = {}
    for place, each in enumerate(contents.classes):
        classes[id(each)] = place + 1
        parts += [text(each.mangled_name), number(each.version)]
    parts.append(number(len(contents.layouts)))
    for layout in contents.layouts:
        parts.append(number(len(layout.keys)))
        for key, form in zip(layout.keys, layout.formats):
            parts += [number(0 if key is None else keys[key]), number(form)]
    parts.append(number(len(contents.shapes)))
    for shape in contents.shapes:
        flags = shape.is_class | shape.is_open << 1 | shape.is_boxed << 2 | shape.is_list << 5
        parts += [number(flags), number(classes[id(shape.class_info)] if shape.class_info else 0), number(len(shape.keys))]
        for key, kind in zip(shape.keys, shape.kinds):
            parts += [number(0 if key is None else keys[key]), number(kind)]
    return b"".join([*parts, number(contents.object_count), number(contents.stored_count)])
