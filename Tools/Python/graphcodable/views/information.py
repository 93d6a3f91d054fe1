"""What files consist of, as `graphcodable info` of the Swift tool prints it: dictionaries for JSON, and lines of them."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

from ..files.messages import Message, Messages
from ..files.opening import Opened
from ..files.series import Entry, Series
from ..files.set_series import SetEntry, SetSeries
from ..files.sets import ArchiveSet
from ..format.errors import GraphCodableError
from ..format.filters import BIT_SHUFFLE, DELTA, QUANTISED, ROUNDED, SHUFFLE, Filter, precision
from ..format.kinds import packed_format
from ..format.segment import BULK, LZ4, NUMBERS, Segment
from ..format.segment_reader import SegmentReader
from ..graph.archive import Archive
from .problems import Problem, unfinished, unfinished_text
from .texts import counted, formats_text, grouped, number_text, pairs_text, shortest, table

Information = dict[str, Any]
KINDS = {Archive: "archive", ArchiveSet: "set", SetSeries: "setSeries", Messages: "messages"}
SEGMENTS = ("graph", "objectIndex", "bulk")


def kind_of(file: Opened) -> str:
    return KINDS.get(type(file), "series")


def size_of(file: Opened) -> int:
    """Bytes of a file; of a set or a series of sets, those of all parts."""
    return sum(part.size for part in file.parts) if isinstance(file, ArchiveSet) else file.size


def of_entry(entry: Entry | SetEntry) -> Information:
    result = {"number": entry.number, "step": entry.step, "time": entry.time, "metadata": dict(entry.metadata)}
    if isinstance(entry, Entry):
        return result | {"bytes": entry.size, "storedBytes": entry.stored_size, "offset": entry.offset}
    return result | {"bytes": entry.byte_count}


def of_archive(name: str, archive: Archive, entry: Entry | SetEntry | Message | None) -> Information:
    info, contents = archive.info, archive.reader.contents
    for its in contents.segments:
        SegmentReader(archive.reader.source, its).check_header()
    kept = ("formatVersion", "userVersion", "bytes", "rawBytes", "streamBytes", "shapes", "keys")
    numbers = iter(range(len(contents.segments)))
    result = {"file": name, "kind": "archive"} | {key: info[key] for key in kept}
    result["objects"] = info["storedObjects"]
    result["classes"] = [
        {"name": its.name, "mangledName": its.mangled_name, "version": its.version} for its in contents.classes
    ]
    result["segments"] = [of_segment(its, next(numbers) if its.kind == BULK else None) for its in contents.segments]
    if contents.metadata:
        result["metadata"] = dict(contents.metadata)
    if contents.attributes:
        result["attributes"] = len(contents.attributes)
    if contents.directory:
        result["directory"] = len(contents.directory)
    if isinstance(entry, Message):
        result["message"] = entry.number
    elif entry is not None:
        result["entry"] = of_entry(entry)
    return result


def of_segment(segment: Segment, number: int | None) -> Information:
    size = segment.end - segment.offset
    sizes = segment.entries["size"].tolist()
    shrunk = sum(stored != segment.raw_block_size(block) for block, stored in enumerate(sizes))
    result: Information = {
        "kind": SEGMENTS[segment.kind], "bytes": size, "rawBytes": segment.raw_size, "elementBytes": segment.element_size,
        "blockBytes": segment.block_size, "blocks": len(sizes), "lz4Blocks": shrunk if segment.codec == LZ4 else 0,
        "numbersBlocks": shrunk if segment.codec == NUMBERS and segment.unknown is None else 0,
        "filters": [filter_text(each) for each in segment.filters if each.number != ROUNDED], "ratio": segment.raw_size / size,
    }  # fmt: skip
    if number is not None:
        result["number"] = number
    if segment.unknown is not None:
        result["unknown"] = segment.unknown
    if segment.format:
        result["format"] = str(packed_format(segment.format))
    rounded = precision(segment.filters)
    if rounded is not None:
        name = "bits" if rounded.kind == "mantissa bits" else rounded.kind
        result["precision"] = f"{name}({rounded.value if name == 'bits' else number_text(rounded.value)})"
    return result


def filter_text(its: Filter) -> str:
    if its.number in (SHUFFLE, BIT_SHUFFLE):
        return f"{'byte' if its.number == SHUFFLE else 'bit'} shuffle {its.parameter}"
    if its.number == DELTA:
        return f"delta {its.parameter}" + (f", {its.argument} at first" if its.argument else "")
    return f"quantised {number_text(its.real)}" if its.number == QUANTISED else f"filter {its.number}"


def of_series(name: str, series: Series | SetSeries) -> Information:
    result: Information = {
        "file": name, "kind": kind_of(series), "bytes": size_of(series),
        "entries": [of_entry(entry) for entry in series], "damage": [Problem(error).to_json() for error in series.damage],
    }  # fmt: skip
    left = unfinished(series)
    return result | ({"unfinishedBytes": left} if left else {})


def of_set(name: str, archives: ArchiveSet, entry: SetEntry | None) -> Information:
    arrays = []
    for its in archives.info["arrays"]:
        about = {"name": its["name"], "shape": its["shape"], "pieces": its["pieces"]}
        formats = formats_in(archives, its["name"])
        arrays.append(about if formats is None else about | {"formats": formats})
    result = {
        "file": name, "kind": "set", "step": archives.step, "time": archives.time, "bytes": size_of(archives),
        "parts": [{"name": part.name, "bytes": part.size} for part in archives.parts], "arrays": arrays,
    }  # fmt: skip
    if archives.metadata:
        result["metadata"] = archives.metadata
    return result if entry is None else result | {"entry": of_entry(entry)}


def formats_in(archives: ArchiveSet, name: str) -> list[str] | None:
    """The formats of the elements, or of the fields of structs; `None` where the part with the first piece cannot be read."""
    try:
        return archives.array(name).formats
    except (GraphCodableError, OSError, LookupError):
        return None


# Lines


def lines_of_archive(about: Information, width: int | None) -> Iterator[str]:
    entry = about.get("entry")
    place = f", message {about['message']}" if "message" in about else "" if entry is None else f", entry {entry['number']}"
    yield f"{about['file']}{place}: archive, format version {about['formatVersion']}, user version {about['userVersion']}"
    rows = []
    if entry is not None:
        rows += [("step", str(entry["step"])), ("time", shortest(entry["time"])), ("metadata", pairs_text(entry["metadata"]))]
    if "metadata" in about:
        rows.append(("about", pairs_text(about["metadata"])))
    raw, size = about["rawBytes"], about["bytes"]
    rows += [
        ("size", f"{grouped(size)} bytes, {grouped(raw)} before compression (ratio {raw / size:.2f})"),
        ("graph", f"{counted(about['objects'], 'object', 'objects')} in {grouped(about['streamBytes'])} bytes"),
        ("names", f"{counted(about['keys'], 'key', 'keys')} in {counted(about['shapes'], 'shape', 'shapes')}"),
    ]
    rows += [
        (key, f"of {counted(about[key], one, one + 's')}") for key, one in (("attributes", "value"), ("directory", "array")) if key in about
    ]
    if "identity" in about:
        rows.append(("identity", about["identity"]))
    yield from table(rows, "<<", width)
    if about["classes"]:
        yield "classes"
        yield from table([(f"  {its['name']}", f"version {its['version']}") for its in about["classes"]], "<<", width)
    if about["segments"]:
        yield "segments"
        yield from table([segment_row(its) for its in about["segments"]], "<<>><", width)


def segment_row(its: Information) -> tuple[str, ...]:
    name = {"graph": "graph", "objectIndex": "object index"}.get(its["kind"]) or f"bulk {its['number']}"
    form = its.get("format", "structs") if its["kind"] == "bulk" else ""
    shrunk, blocks = its["lz4Blocks"] + its["numbersBlocks"], its["blocks"]
    codec = "numbers" if its["numbersBlocks"] else "LZ4"
    texts = [counted(blocks, "block", "blocks")]
    if "unknown" in its:
        texts.append(f"{its['unknown']}, which is not known")
    else:
        texts.append("stored" if not shrunk else codec if shrunk == blocks else f"{grouped(shrunk)} {codec}")
    texts += its["filters"]
    if "precision" in its:
        texts.append(its["precision"])
    if shrunk:
        texts.append(f"ratio {number_text(math.floor(its['ratio'] * 100 + 0.5) / 100)}")
    return f"  {name}", form, f"{grouped(its['bytes'])} bytes", f"of {grouped(its['rawBytes'])}", ", ".join(texts)


def lines_of_series(about: Information, series: Series | SetSeries, width: int | None) -> Iterator[str]:
    is_of_sets = about["kind"] == "setSeries"
    what = "series of sets" if is_of_sets else "series"
    yield f"{about['file']}: {what}, {series.count_text}, {grouped(about['bytes'])} bytes"
    rows = [("entry", "step", "time", "bytes", "" if is_of_sets else "stored", "metadata")] if about["entries"] else []
    for its in about["entries"]:
        stored = grouped(its["storedBytes"]) if "storedBytes" in its else ""
        cells = (str(its["number"]), str(its["step"]), shortest(its["time"]), grouped(its["bytes"]), stored)
        rows.append((*cells, pairs_text(its["metadata"])))
    yield from table(rows, ">>>>><", width)
    yield from (Problem(error).text for error in series.damage)
    if "unfinishedBytes" in about:
        yield unfinished_text(about["unfinishedBytes"])


def lines_of_set(about: Information, width: int | None) -> Iterator[str]:
    place = f", entry {about['entry']['number']}" if "entry" in about else ""
    yield f"{about['file']}{place}: set, {counted(len(about['parts']), 'part', 'parts')}, {grouped(about['bytes'])} bytes"
    rows = [("step", str(about["step"])), ("time", shortest(about["time"]))]
    if "metadata" in about:
        rows.append(("metadata", pairs_text(about["metadata"])))
    yield from table(rows, "<<", width)
    if about["arrays"]:
        yield "arrays"
        yield from (f"  {line}" for line in lines_of_arrays(about, None if width is None else width - 2))
    yield "parts"
    yield from table([(f"  {grouped(its['bytes'])} bytes", its["name"]) for its in about["parts"]], "><", width)


def lines_of_arrays(about: Information, width: int | None) -> Iterator[str]:
    rows = []
    for its in about["arrays"]:
        formats = formats_text(its["formats"]) if "formats" in its else ""
        shape = " × ".join(map(grouped, its["shape"]))
        rows.append((its["name"], formats, shape, counted(its["pieces"], "piece", "pieces")))
    yield from table(rows, "<<>>", width)
