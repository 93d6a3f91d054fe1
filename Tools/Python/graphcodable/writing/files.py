"""Archives as bytes and files."""

from __future__ import annotations

import os
import struct
from collections.abc import Mapping
from typing import Any

import xxhash

from ..format.contents import MAGIC
from ..format.errors import GraphCodableError
from ..format.segment import BULK, GRAPH, MAX_RAW
from ..format.varint import string, varint
from ..format.version import VERSION
from .nodes import Writer
from .precision import Precisions, Requested
from .refusals import integer, texts
from .segments import parts, run, segment
from .sinks import FileSink, MemorySink, Sink
from .values import Key, node

HEADER_SIZE = 40
MOST_EMBEDDED = 1024
NO_METADATA = varint(0)
SEGMENTS, USER_VERSION, LAYOUTS, METADATA = 1, 16, 32, 64


def encode(
    value: Any, *,
    metadata: Mapping[str, str] | None = None, user_version: int = 0, compressed: bool = True, precision: Requested = None,
) -> bytes:  # fmt: skip
    """An archive of a value, as bytes.

    Mappings with strings for keys, dataclasses and named tuples become records, sequences arrays, and numbers of one type in
    a sequence, like NumPy arrays, packed arrays. The same value gives the same bytes. Long arrays are compressed
    (LZ4, behind the filters that make samples smallest) unless `compressed` is false; so they can be views of a mapped file.

    `precision` is that of the floating-point numbers in arrays, also in packed structs: an absolute error, in their unit, or a
    `Precision`. A mapping has it for some fields, by their paths, such as `{"positions": 0.005, "cells.mass": None}`, where `None`
    keeps numbers exact, `""` is the whole value, and a single number that is such a field is rounded as well. The bound holds for
    each number; infinities, NaN, the sign of zero, and numbers whose neighbours are farther away than the bound are exact.

    Raises `GraphCodableError` for what an archive cannot have, with its place, for a precision that no number can have (`invalidValue`),
    and for one of a field that is not there.
    """
    sink = MemorySink()
    write(sink, value, metadata, user_version, compressed, precision)
    return bytes(sink.data)


def save(
    value: Any, path: str | os.PathLike[str], *,
    metadata: Mapping[str, str] | None = None, user_version: int = 0, compressed: bool = True, precision: Requested = None,
) -> None:  # fmt: skip
    """Writes an archive of a value to a file, as `encode` makes it.

    The file is there when it is whole: it is written under another name, brought to the device, and renamed. A link is followed;
    mode and owner of a file that is replaced are kept, as far as the process may. A folder, a pipe or a device is refused.
    """
    with FileSink(path) as sink:
        write(sink, value, metadata, user_version, compressed, precision)
        sink.publish()


def write(
    sink: Sink, value: Any, metadata: Mapping[str, str] | None, user_version: int, compressed: bool, precision: Requested = None
) -> tuple[int, int]:
    """Writes an archive, its header last; returns its size, and the hash of its header."""
    user_version = integer(user_version, "user_version", 0, 65535)
    about = metadata_bytes(metadata)
    precisions = Precisions.of(precision)
    writer, root = Writer(), node(value, Key(None, "", 0, precisions))
    if precisions is not None:
        precisions.check_used()
    root.write(writer)
    stream = bytes((root.kind,)) + b"".join(writer.parts)
    if sum(len(bulk.data) for bulk in writer.bulk) + len(stream) > MAX_RAW:
        raise GraphCodableError(None, "more than 2^56 bytes")
    end, headers = HEADER_SIZE, []
    runs = [(GRAPH, run(stream))] if len(stream) > MOST_EMBEDDED else []
    runs += [(BULK, bulk) for bulk in writer.bulk]
    for kind, each in runs:
        written = segment(kind, each, compressed)
        headers.append(written.header)
        pieces = list(parts(written, end))
        sink.write(pieces, end)
        end += sum(map(len, pieces))
    flags = SEGMENTS * bool(headers) | USER_VERSION * bool(user_version)
    flags |= LAYOUTS * bool(writer.tables.layouts) | METADATA * bool(metadata)
    contents = bytes((flags,)) + (varint(len(headers)) + b"".join(headers) if headers else b"")
    contents += varint(user_version) if user_version else b""
    contents += about if metadata else b""
    contents += writer.tables.contents()
    contents += stream if len(stream) <= MOST_EMBEDDED else b""
    start, end = end, end + len(contents)
    if len(contents) >= 1 << 32:
        raise GraphCodableError(None, "contents of more than 2^32 bytes")
    header = MAGIC + struct.pack("<HHIQQ", VERSION, 0, len(contents), end, xxhash.xxh3_64_intdigest(contents))
    header_hash = xxhash.xxh3_64_intdigest(header)
    header += header_hash.to_bytes(8, "little")
    if start == HEADER_SIZE:
        sink.write([header, contents], 0)
    else:
        sink.write([contents], start)
        sink.write([header], 0)
    return end, header_hash


def metadata_bytes(metadata: Mapping[str, str] | None) -> bytes:
    """The number of pairs, and these, by the bytes of their keys."""
    if metadata is None:
        return NO_METADATA
    pairs = sorted((key.encode(), key, value) for key, value in texts(metadata).items())
    return varint(len(pairs)) + b"".join(string(key) + string(value) for _, key, value in pairs)
