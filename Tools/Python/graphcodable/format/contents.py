"""The header and the contents of an archive: the tables that everything else is read by."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

import xxhash

from . import attributes, directory
from .errors import GraphCodableError
from .kinds import FIELD_KINDS, SIZES, packed_format
from .segment import BULK, GRAPH, INDEX, MAX_ELEMENT, MAX_RAW, Segment, read_segment_header
from .source import Source
from .varint import Reader
from .version import VERSION, refusal

MAGIC = b"gcodable"
KNOWN_EXTENSIONS = (attributes.EXTENSION, directory.EXTENSION)


@dataclass(frozen=True)
class Header:
    contents_size: int
    size: int
    contents_hash: int
    hash: int


@dataclass(frozen=True)
class ClassInfo:
    """A class of the archive. `name` is for people, `mangled_name` is how Swift finds it."""

    name: str
    mangled_name: str
    version: int

    @property
    def archive_name(self) -> str | None:
        """The name that the class declares for archives, if it does."""
        return self.mangled_name[1:].split("@")[0] if self.mangled_name.startswith("@") else None


@dataclass(frozen=True)
class Layout:
    """Fields of a packed struct: keys (`None` without) and numbers of packed formats."""

    keys: tuple[str | None, ...]
    formats: tuple[int, ...]
    size: int


@dataclass(frozen=True)
class Shape:
    """The fields of records."""

    is_class: bool
    is_open: bool
    is_boxed: bool
    is_list: bool
    class_info: ClassInfo | None
    type_name: str | None
    keys: tuple[str | None, ...]
    kinds: tuple[int, ...]
    fixed_size: int  # Bytes of all fields if they are always as many, else -1.
    places: dict[str, int] = field(compare=False)


@dataclass
class Contents:
    user_version: int = 0
    segments: list[Segment] = field(default_factory=list)
    metadata: dict[str, str] = field(default_factory=dict)
    keys: list[str] = field(default_factory=list)
    classes: list[ClassInfo] = field(default_factory=list)
    layouts: list[Layout] = field(default_factory=list)
    shapes: list[Shape] = field(default_factory=list)
    object_count: int = 0
    stored_count: int = 0
    in_order: bool = False
    index: bytes | None = None
    index_offset: int = 0
    stream: bytes | None = None
    stream_offset: int = 0
    # The extensions that this version knows, with where their bytes lie.
    extensions: dict[int, tuple[bytes, int]] = field(default_factory=dict)

    @cached_property
    def attributes(self) -> attributes.Table:
        """What is said of arrays and records, by where they begin in the graph stream: behind their kind."""
        found = self.extensions.get(attributes.EXTENSION)
        return {} if found is None else attributes.parsed(*found)

    @cached_property
    def directory(self) -> directory.Table:
        """Arrays in segments of their own by their paths, as far as the archive lists them."""
        found = self.extensions.get(directory.EXTENSION)
        return {} if found is None else directory.parsed(*found)

    @cached_property
    def bulk(self) -> list[Segment]:
        """The bulk segments, by number."""
        return [s for s in self.segments if s.kind == BULK]

    def segment(self, kind: int) -> Segment | None:
        return next((s for s in self.segments if s.kind == kind), None)


def read_header(source: Source) -> Header:
    """Reads the header, and checks H1 to H7."""
    size = source.size
    data = bytes(source.read(0, min(size, 40)))
    if data[:8] != MAGIC:
        raise GraphCodableError("H1", "not an archive of GraphCodable", 0)
    if len(data) < 40:
        raise GraphCodableError("H2", f"an archive has at least 40 bytes, this one has {len(data)}", len(data))
    header_hash = int.from_bytes(data[32:], "little")
    if xxhash.xxh3_64_intdigest(data[:32]) != header_hash:
        raise GraphCodableError("H3", "the header does not match its checksum", 0)
    version = int.from_bytes(data[8:10], "little")
    refused = refusal("the archive", version, int.from_bytes(data[10:12], "little"))
    if refused is not None:
        raise GraphCodableError("H4" if version != VERSION else "H5", *refused)
    contents_size = int.from_bytes(data[12:16], "little")
    archive_size = int.from_bytes(data[16:24], "little")
    if archive_size != size:
        raise GraphCodableError("H6", f"the archive should have {archive_size} bytes but has {size}", min(size, archive_size))
    if contents_size < 1 or contents_size > size - 40:
        raise GraphCodableError("H7", f"{contents_size} bytes of contents cannot be in the archive", 12)
    return Header(contents_size, archive_size, int.from_bytes(data[24:32], "little"), header_hash)


def read_contents(source: Source, header: Header) -> Contents:
    """Reads the contents, and checks the rules C, and S1 to S9."""
    start = header.size - header.contents_size
    data = bytes(source.read(start, header.contents_size))
    if xxhash.xxh3_64_intdigest(data) != header.contents_hash:
        raise GraphCodableError("C1", "the contents do not match their checksum", start)
    reader, contents = Reader(data, start, "C3"), Contents()
    flags = reader.u8()
    has_segments, has_objects, in_order, has_classes, has_version, has_layouts, has_metadata, has_extensions = (
        bool(flags >> bit & 1) for bit in range(8)
    )
    if in_order and not has_objects:
        raise GraphCodableError("C2", "objects in order, and no objects", start)
    end = read_segments(reader, contents, has_objects) if has_segments else 40
    if end != start:
        raise GraphCodableError("S9", f"the segments end at {end}, the contents begin at {start}", start)
    if has_version:
        contents.user_version = reader.varint()
        if not 1 <= contents.user_version <= 65535:
            raise reader.error("C5", f"a user version of {contents.user_version}")
    if has_metadata:
        contents.metadata = read_metadata(reader, "C4", "C6")
    if has_extensions:
        contents.extensions = read_extensions(reader)
    contents.keys = [reader.string("C4") for _ in range(reader.count(1, "keys"))]
    if len(set(contents.keys)) != len(contents.keys):
        raise reader.error("C7", "two equal keys")
    if has_classes:
        contents.classes = [read_class(reader) for _ in range(reader.count(3, "classes"))]
    if has_layouts:
        contents.layouts = [read_layout(reader, contents) for _ in range(reader.count(3, "layouts"))]
    next_key = 0
    for _ in range(reader.count(2, "shapes")):
        shape, next_key = read_shape(reader, contents, next_key)
        contents.shapes.append(shape)
    if has_objects:
        read_object_counts(reader, contents, in_order)
    read_embedded(reader, contents)
    return contents


def read_segments(reader: Reader, contents: Contents, has_objects: bool) -> int:
    """Reads the headers of the segments, and returns where the last one ends."""
    end, raw, kind = 40, 0, GRAPH
    for number in range(reader.count(60, "segments")):
        segment = read_segment_header(reader)
        repeated = number > 0 and segment.kind == kind != BULK
        # The stream comes first in the file, and the index last.
        order = (GRAPH, BULK, INDEX)
        if repeated or order.index(segment.kind) < order.index(kind):
            raise reader.error("S8", "segments out of order")
        if segment.kind == INDEX and not has_objects:
            raise reader.error("S8", "an object index without objects")
        kind = segment.kind
        raw += segment.raw_size
        if raw > MAX_RAW:
            raise reader.error("S2", "segments of more than 2^56 bytes")
        segment.place(end)
        end = segment.end
        contents.segments.append(segment)
    return end


def read_extensions(reader: Reader) -> dict[int, tuple[bytes, int]]:
    """The extensions that this version knows; others are passed over, unless they must be understood (C16)."""
    found: dict[int, tuple[bytes, int]] = {}
    for _ in range(reader.count(2, "extensions")):
        at, number = reader.offset, reader.varint()
        if number % 2:
            message = f"the archive needs extension {number}, which this package does not know: update it to read the file"
            raise GraphCodableError("C16", message, at)
        count = reader.count(1, "bytes of an extension")
        at = reader.offset
        data = reader.take(count)
        if number in KNOWN_EXTENSIONS:
            if number in found:
                raise reader.error("C17", f"extension {number} is there twice")
            found[number] = (data, at)
    return found


def read_metadata(reader: Reader, text_rule: str, order_rule: str) -> dict[str, str]:
    result: dict[str, str] = {}
    before: bytes | None = None
    for _ in range(reader.count(2, "pairs of metadata")):
        key, value = reader.string(text_rule), reader.string(text_rule)
        if before is not None and key.encode() <= before:
            raise reader.error(order_rule, "keys of metadata do not ascend")
        before = key.encode()
        result[key] = value
    return result


def read_class(reader: Reader) -> ClassInfo:
    mangled, name, version = reader.string("C4"), reader.string("C4"), reader.varint()
    if version >= 1 << 32:
        raise reader.error("C8", f"a class version of {version}")
    return ClassInfo(name, mangled, version)


def read_key(reader: Reader, contents: Contents, used: set[int], rule: str) -> int:
    """The number of a field's key plus 1, 0 for none; a key must not be in `used`."""
    number = reader.varint()
    if number > len(contents.keys):
        raise reader.error(rule, f"key {number - 1} is not in the table")
    if number in used:
        raise reader.error(rule, f"the key {contents.keys[number - 1]!r} is there twice")
    if number:
        used.add(number)
    return number


def key_name(contents: Contents, number: int) -> str | None:
    return contents.keys[number - 1] if number else None


def read_layout(reader: Reader, contents: Contents) -> Layout:
    keys: list[str | None] = []
    formats, size, used = [], 0, set[int]()
    count = reader.count(2, "fields of a layout")
    if count == 0:
        raise reader.error("C9", "a layout without fields")
    for _ in range(count):
        keys.append(key_name(contents, read_key(reader, contents, used, "C9")))
        known = packed_format(number := reader.varint())
        if known is None:
            raise reader.error("C9", f"{number} is no packed format")
        formats.append(number)
        size += known.size
    if size > MAX_ELEMENT:
        raise reader.error("C9", f"a layout of {size} bytes, which is too many")
    return Layout(tuple(keys), tuple(formats), size)


def read_shape(reader: Reader, contents: Contents, next_key: int) -> tuple[Shape, int]:
    """Reads a shape; also returns the number behind the highest key of all shapes so far."""
    flags = reader.u8()
    is_class, is_open, is_boxed, is_named, new_keys, is_list, has_name, unknown = (
        bool(flags >> bit & 1) for bit in range(8)
    )
    if unknown or (is_named and not is_class):
        raise reader.error("C10", f"a shape with the flags {flags:#x}")
    class_info, type_name = None, None
    if is_named:
        number = reader.varint()
        if not 1 <= number <= len(contents.classes):
            raise reader.error("C10", f"class {number - 1} is not in the table")
        class_info = contents.classes[number - 1]
    if has_name:
        type_name = reader.string("C4")
        if not type_name or is_class:
            raise reader.error("C10", "a type name that is empty, or of a class")
    # A new key takes no byte.
    count = reader.count(1 if new_keys else 2, "fields of a shape")
    if is_boxed and (count or is_open or is_list):
        raise reader.error("C12", "a boxed shape with fields")
    keys: list[str | None] = []
    kinds = []
    used = set[int]()
    for _ in range(count):
        if new_keys:
            number = next_key + 1
            if number > len(contents.keys):
                raise reader.error("C11", f"key {next_key} is not in the table")
        else:
            number = read_key(reader, contents, used, "C11")
        next_key = max(next_key, number)
        keys.append(key_name(contents, number))
        kind = reader.u8()
        if kind not in FIELD_KINDS:
            raise reader.error("C11", f"a field of the kind {kind:#x}")
        kinds.append(kind)
    sizes = [SIZES[k] for k in kinds]
    fixed = sum(sizes) if all(sizes) and not is_open and not is_boxed else -1
    places = {key: index for index, key in enumerate(keys) if key is not None}
    shape = Shape(
        is_class, is_open, is_boxed, is_list, class_info, type_name, tuple(keys), tuple(kinds), fixed, places
    )
    return shape, next_key


def read_object_counts(reader: Reader, contents: Contents, in_order: bool) -> None:
    count = reader.varint()
    stored = count if in_order else reader.varint()
    if count < 1 or stored > count:
        raise reader.error("C13", f"{count} objects, {stored} of them stored")
    contents.object_count, contents.stored_count, contents.in_order = count, stored, in_order


def read_embedded(reader: Reader, contents: Contents) -> None:
    """Reads what is embedded, and checks C14 and C15."""
    index, graph = contents.segment(INDEX), contents.segment(GRAPH)
    index_size = index.raw_size if index else 0
    if contents.object_count and index is None:
        size = reader.varint()
        contents.index_offset = reader.offset
        contents.index = reader.take(size)
        index_size = size
    contents.stream_offset = reader.offset
    if graph is None:
        contents.stream = reader.take(reader.left)
        if not contents.stream:
            raise reader.error("C15", "there is no graph stream")
        stream_size = stored_size = len(contents.stream)
    else:
        if reader.left:
            raise reader.error("C15", f"{reader.left} bytes that belong to nothing")
        stream_size, stored_size = graph.raw_size, graph.end - graph.offset
    if not contents.object_count:
        return
    count, stored = contents.object_count, contents.stored_count
    varints = stored if contents.in_order else 2 * stored
    if (
        stored >= stream_size
        or count - stored > stream_size // 2 + 1
        or not varints <= index_size <= 9 * varints
        or count > 8 * stored_size
    ):
        raise reader.error("C14", f"{count} objects, {stored} of them stored, cannot be")
