"""Makes archives from parts, and gives changed ones checksums that match."""

from __future__ import annotations

import struct
from collections.abc import Sequence

import xxhash

import graphcodable as gc


def u64(value: int) -> bytes:
    return value.to_bytes(8, "little")


def digest(data: bytes) -> bytes:
    return u64(xxhash.xxh3_64_intdigest(data))


def varint(value: int) -> bytes:
    for length in range(1, 9):
        if value < 1 << 7 * length:
            return (((value << 1 | 1) << (length - 1)) & (1 << 8 * length) - 1).to_bytes(length, "little")
    return b"\0" + u64(value)


def string(text: str) -> bytes:
    data = text.encode()
    return varint(len(data)) + data


def seal(front: bytes, contents: bytes) -> bytes:
    """An archive of what stands behind the header, and contents."""
    head = b"gcodable" + struct.pack("<HHIQ", 1, 0, len(contents), 40 + len(front) + len(contents))
    head += digest(contents)
    return head + digest(head) + front + contents


def archive(
    stream: bytes, keys: Sequence[str] = (), shapes: Sequence[bytes] = (), objects: Sequence[int] = ()
) -> bytes:
    """An archive with an embedded stream, whose objects are in order and begin at `objects`."""
    contents = bytes([6 if objects else 0]) + varint(len(keys)) + b"".join(map(string, keys))
    contents += varint(len(shapes)) + b"".join(shapes)
    if objects:
        index = b"".join(varint(b - a) for a, b in zip([0, *objects], objects))
        contents += varint(len(objects)) + varint(len(index)) + index
    return seal(b"", contents + stream)


def resealed(data: bytes, whole: gc.Archive) -> bytes:
    """Changed bytes of a valid archive, with checksums that match: of the contents, and of each block."""
    front, contents = data[40 : -whole.header.contents_size], data[-whole.header.contents_size :]
    for segment in whole.reader.contents.segments:
        entries = segment.header[40 + 16 * len(segment.filters) : -8]
        fresh = b""
        for block in range(len(segment.entries)):
            start = segment.blocks_offset + int(segment.starts[block])
            stored = data[start : segment.blocks_offset + int(segment.starts[block + 1])]
            fresh += entries[12 * block : 12 * block + 4] + digest(stored)
        header = segment.header[: 40 + 16 * len(segment.filters)] + fresh
        header += digest(header)
        contents = contents.replace(segment.header, header)
        at = segment.offset - 40
        front = front[:at] + header + front[at + len(header) :]
    return seal(front, contents)
