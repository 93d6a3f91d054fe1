"""The reader in the document, over all valid files of the corpus."""

from __future__ import annotations

import math
import re
import struct
from pathlib import Path
from typing import Any

import corpus
import pytest
import xxhash
from document import section

import graphcodable as gc
from graphcodable.format.filters import ROUNDED
from graphcodable.format.kinds import SCALARS
from graphcodable.format.segment import NUMBERS as NUMBERS_CODEC

match = re.search(r"```python\n(.*?)```", section("A reader in 100 lines"), re.DOTALL)
assert match is not None
CODE = match[1]
READER: dict[str, Any] = {}
exec(compile(CODE, "Format.md", "exec"), READER)

NUMBERS = {name: number for number, (name, _) in SCALARS.items()}
FLOATS = ("float16", "float32", "float64", "date")
TAGS = ("tagged", "tagged if present", "tagged identity", "tagged conditional")


def is_covered(path: Path) -> bool:
    """Whether the small reader has to read a file, by what the package knows of it."""
    if path.suffix != ".gcodable":
        return False
    for segment in gc.Archive(path.read_bytes()).reader.contents.segments:
        is_known = segment.unknown is None and segment.codec != NUMBERS_CODEC
        is_simple = is_known and all(each.number == ROUNDED for each in segment.filters)
        compressed = any(int(size) != segment.raw_block_size(block) for block, size in enumerate(segment.entries["size"]))
        if compressed and not is_simple:
            return False
    return True


class Comparison:
    """What the reader has made of an archive, and the archive's JSON."""

    def __init__(self, archive: Any, json: dict[str, Any]) -> None:
        self.archive, self.json = archive, json

    def check(self) -> None:
        archive, json = self.archive, self.json
        assert archive.user_version == json.get("userVersion", 0)
        assert [list(pair) for pair in archive.metadata] == json.get("metadata", [])
        assert [pair[1] for pair in archive.classes] == [each["qualifiedName"] for each in json.get("classes", [])]
        self.value(archive.root, json["root"]["kind"], json["root"])
        nodes = json.get("objects", [])
        assert sorted(archive.objects) == [number for number, node in enumerate(nodes) if node is not None]
        for number, record in archive.objects.items():
            self.record(record, nodes[number])

    def value(self, value: Any, kind: str, node: dict[str, Any]) -> None:
        if kind in TAGS:
            self.value(value, node["value"]["kind"], node["value"])
        elif kind in ("nil", "absent"):
            assert value is None
        elif kind == "record":
            self.record(value, node)
        elif kind in ("reference", "conditional reference"):
            assert value is self.archive.objects.get(node["object"])
        elif kind in ("array", "set"):
            for part, element in zip(value, node["elements"], strict=True):
                self.value(part, node["elementKind"], element)
        elif kind == "dictionary":
            for (its_key, its_value), (key, element) in zip(value, node["pairs"], strict=True):
                self.value(its_key, node["keyKind"], key)
                self.value(its_value, node["valueKind"], element)
        elif kind == "packed optionals":
            self.optionals(value, node)
        elif node.get("format", {}).get("meaning") == "utf8":
            self.strings(self.flattened(value, node["lengths"][:-1]), node)
        elif kind in ("packed array", "packed structs", "nested packed array"):
            if "lengths" in node:
                value = self.flattened(value, node["lengths"])
            self.elements(value, node)
        elif kind == "fixed":
            self.scalars([node["format"]["scalar"]], value if isinstance(value, tuple) else [value], node["scalars"])
        elif kind in ("binary", "opaque") or kind.startswith("0x"):
            assert value == (int(node["what"]), bytes.fromhex(node["bytes"]))
        elif kind == "string":
            assert value == node["value"]
        else:
            self.scalars([kind], [value], [node["value"]])

    def optionals(self, value: list[Any], node: dict[str, Any]) -> None:
        bits = bytes.fromhex("".join(node["bits"].get("scalars", [])))
        assert [each is not None for each in value] == [not bits or bits[n >> 3] >> (n & 7) & 1 == 1 for n in range(len(value))]
        if None not in value:
            self.value(value, node["array"]["kind"], node["array"])

    def strings(self, value: list[str], node: dict[str, Any]) -> None:
        lengths = node["lengths"][-1]
        assert [len(each.encode()) for each in value] == ([int(each) for each in lengths] if isinstance(lengths, list) else [int(lengths)] * len(value))
        data = "".join(value).encode()
        assert value == node["strings"] if "strings" in node else f"{xxhash.xxh3_64_intdigest(data):016x}" == node["xxh3"]

    def flattened(self, value: Any, dimensions: list[Any]) -> list[Any]:
        """The elements of nested arrays, whose lengths must be these."""
        level = [value]
        for lengths in dimensions:
            expected = [int(each) for each in lengths] if isinstance(lengths, list) else [int(lengths)] * len(level)
            assert [len(each) for each in level] == expected
            level = [part for each in level for part in each]
        return level

    def elements(self, value: list[Any], node: dict[str, Any]) -> None:
        assert len(value) == int(node["count"])
        formats = [each["format"] for each in self.json["layouts"][node["layout"] - 1]] if "layout" in node else [node["format"]]
        names = [each["scalar"] for each in formats for _ in range(each["lanes"])]
        scalars = [scalar for each in value for scalar in (each if isinstance(each, tuple) else (each,))]
        if "scalars" in node:
            self.scalars(names, scalars, node["scalars"])
        else:
            format = "".join(READER["SCALARS"][NUMBERS[name]] for name in names)
            data = struct.pack("<" + format * len(value), *scalars)
            assert f"{xxhash.xxh3_64_intdigest(data):016x}" == node["xxh3"]

    def scalars(self, names: list[str], values: Any, nodes: list[Any]) -> None:
        assert len(values) == len(nodes)
        for place, (value, node) in enumerate(zip(values, nodes)):
            name = names[place % len(names)]
            if name in FLOATS:
                # A conversion may change a signaling NaN.
                expected = struct.unpack(f">{READER['SCALARS'][NUMBERS[name]]}", bytes.fromhex(node["bits"]))[0]
                assert type(value) is float and (math.isnan(value) and math.isnan(expected) or repr(value) == repr(expected))
            elif isinstance(value, bytes):
                assert value == bytes.fromhex(node)
            else:
                assert value is node if name == "bool" else type(value) is int and value == int(node)

    def record(self, value: Any, node: dict[str, Any]) -> None:
        shape = self.json["shapes"][node["shape"] - 1]
        name = self.json["classes"][shape["class"]]["qualifiedName"] if "class" in shape else shape.get("typeName")
        assert value.type == name and type(value) is READER["Record"]
        if "boxed" in node:
            self.value(value[None], node["boxed"]["kind"], node["boxed"])
            return
        fields = [(field["kind"], each) for field, each in zip(shape["fields"], node["fields"], strict=True)]
        fields += [(each["kind"], each) for each in node.get("overflow", [])]
        count = 0
        for kind, each in fields:
            key = each.get("key", count)
            if [other for _, other in fields if other.get("key") == key][:1] in ([each], []):
                self.value(value[key], kind, each)
                count += 1
        assert len(value) == count


@pytest.mark.parametrize("path", corpus.valid_files(), ids=corpus.name_of)
def test_the_reader_gives_the_values_of_the_json_or_says_that_it_does_not_cover_the_file(path: Path) -> None:
    if is_covered(path):
        Comparison(READER["Archive"](path.read_bytes()), corpus.expected(path)).check()
    else:
        with pytest.raises(READER["NotCovered"]):
            READER["Archive"](path.read_bytes())


def test_the_reader_covers_most_archives_and_is_short() -> None:
    assert sum(map(is_covered, corpus.valid_files())) > 140
    lines = CODE.splitlines()
    assert len(lines) <= 100 and max(map(len, lines)) <= 140


def test_the_reader_finds_damage() -> None:
    data = bytearray((corpus.FOLDER / "valid" / "bulk-lz4.gcodable").read_bytes())
    for place in (20, len(data) - 1, 200):
        data[place] ^= 1
        with pytest.raises(AssertionError):
            READER["Archive"](bytes(data))
        data[place] ^= 1
