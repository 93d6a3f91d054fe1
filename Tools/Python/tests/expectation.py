"""Compares what the reader gives with the JSON of the corpus, as `Tests/Corpus/README.md` describes it."""

from __future__ import annotations

import struct
import uuid
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import xxhash

import graphcodable as gc
from graphcodable.format.kinds import SCALARS
from graphcodable.graph.units import unit_value
from graphcodable.graph.values import BoxedRecord

FLOATS = {"float16": "<e", "float32": "<f", "float64": "<d", "date": "<d"}
DTYPES = {name: dtype for name, dtype in SCALARS.values()}
TAGS = ("tagged", "tagged if present", "tagged identity", "tagged conditional")


class Expectation:
    """What one archive has to give."""

    def __init__(self, archive: gc.Archive, description: dict[str, Any]) -> None:
        self.archive = archive
        self.description = description
        self.shapes = description.get("shapes", [])
        self.layouts = description.get("layouts", [])

    def check(self) -> None:
        archive, json = self.archive, self.description
        assert archive.user_version == json.get("userVersion", 0)
        assert [list(pair) for pair in archive.metadata.items()] == json.get("metadata", [])
        classes = [(c.mangled_name, c.name, c.version) for c in archive.classes]
        assert classes == [(c["mangledName"], c["qualifiedName"], c["version"]) for c in json.get("classes", [])]
        self.value(lambda: archive.root, json["root"]["kind"], json["root"])
        objects = json.get("objects", [])
        assert len(archive.objects) == len(objects)
        for number, node in enumerate(objects):
            if node is None:
                assert archive.objects[number] is None
            else:
                self.value(lambda: archive.objects[number], "record", node)

    def value(self, get: Callable[[], Any], kind: str, node: dict[str, Any]) -> None:
        if kind in TAGS:
            self.value(get, node["value"]["kind"], node["value"])
        else:
            self.compare(get(), kind, node)

    def compare(self, value: Any, kind: str, node: dict[str, Any]) -> None:
        if kind in ("nil", "absent"):
            assert value is None
        elif kind == "record":
            self.record(value, node)
        elif kind in ("reference", "conditional reference"):
            target = self.archive.objects[node["object"]]
            same = target == value if isinstance(target, (float, np.ndarray)) else target is value
            assert np.all(same) or type(target) is type(value)
            if isinstance(target, gc.Record):
                assert target is value
        elif kind in ("array", "set"):
            assert isinstance(value, gc.List if kind == "array" else gc.Set)
            assert len(value) == len(node["elements"])
            if isinstance(value, gc.List):
                assert [repr(value[index]) for index in range(len(value))] == [repr(part) for part in value]
            for part, element in zip(value, node["elements"], strict=True):
                self.value(lambda: part, node["elementKind"], element)
        elif kind == "dictionary":
            assert isinstance(value, gc.Dictionary) and len(value) == len(node["pairs"])
            for (its_key, its_value), (key, element) in zip(value.items(), node["pairs"], strict=True):
                self.value(lambda: its_key, node["keyKind"], key)
                self.value(lambda: its_value, node["valueKind"], element)
                if isinstance(its_key, str):
                    assert its_key in value
        elif kind in ("packed array", "packed structs"):
            self.packed(value, node)
        elif kind == "packed optionals":
            self.optionals(value, node)
        elif kind == "nested packed array":
            self.nested(value, node)
        elif kind == "fixed":
            self.fixed(value, node)
        elif kind == "binary":
            data, number = bytes.fromhex(node["bytes"]), int(node["what"])
            if isinstance(value, gc.DataUnit):
                assert (value, value.number) == (data, number)
            else:
                assert repr(value) == repr(unit_value(number, data, 0))
        elif kind == "opaque" or kind.startswith("0x"):
            assert value == gc.Opaque(int(node["what"]), bytes.fromhex(node["bytes"]))
        elif kind == "string":
            assert value == node["value"]
        elif kind == "bool":
            assert value is node["value"]
        elif kind in FLOATS:
            assert bits(kind, value) == node["value"]["bits"]
        else:
            assert type(value) is int and value == int(node["value"])

    def record(self, value: Any, node: dict[str, Any]) -> None:
        shape = self.shapes[node["shape"] - 1]
        flags = shape.get("flags", [])
        if "boxed" in node:
            if "class" in flags:
                assert isinstance(value, BoxedRecord)
                self.value(lambda: value[0], node["boxed"]["kind"], node["boxed"])
            else:
                self.value(lambda: value, node["boxed"]["kind"], node["boxed"])
            return
        assert isinstance(value, gc.Record)
        assert value.is_class == ("class" in flags) and value.is_list == ("list" in flags)
        if "class" in shape:
            assert value.type_name == self.description["classes"][shape["class"]]["qualifiedName"]
        else:
            assert value.type_name == shape.get("typeName")
        fields = [(f["kind"], n) for f, n in zip(shape["fields"], node["fields"], strict=True)]
        fields += [(n["kind"], n) for n in node.get("overflow", [])]
        keys = [n.get("key") for _, n in fields]
        assert len(value) == len(fields)
        assert value.all_keys() == keys
        for index, (kind, field) in enumerate(fields):
            self.value(lambda: value[index], kind, field)
            key = field.get("key")
            if key is not None and keys.index(key) == index:
                assert repr(value[key]) == repr(value[index])
                untagged = field
                while kind in TAGS:
                    untagged = untagged["value"]
                    kind = untagged["kind"]
                assert (key in value) == (kind != "absent")

    def scalars(self, node: dict[str, Any]) -> list[str]:
        """The names of the scalars of one element."""
        if "layout" in node:
            formats = [field["format"] for field in self.layouts[node["layout"] - 1]]
        else:
            formats = [node["format"]]
        return [f["scalar"] for f in formats for _ in range(f["lanes"])]

    def packed(self, value: Any, node: dict[str, Any]) -> None:
        assert isinstance(value, gc.Array)
        assert len(value) == node["count"] and bool(value) == (node["count"] > 0)
        if "unknown" in node:
            with pytest.raises(gc.GraphCodableError, match="is not known to this version") as caught:
                np.asarray(value)
            assert caught.value.code == "unsupported"
            return
        array, names = np.asarray(value), self.scalars(node)
        assert array.shape == value.shape and array.dtype == value.dtype
        assert array.tobytes() == bytes(value)
        if "xxh3" in node:
            assert f"{xxhash.xxh3_64_intdigest(bytes(value)):016x}" == node["xxh3"].lower().removeprefix("0x").zfill(16)
        else:
            scalars = node["scalars"]
            data = b"".join(scalar_bytes(names[i % len(names)], each) for i, each in enumerate(scalars))
            assert data == bytes(value)
        if "layout" in node:
            keys = [field.get("key") for field in self.layouts[node["layout"] - 1]]
            assert all(key is None or key in (value.dtype.names or ()) for key in keys)
        half = len(value) // 2
        assert value[half:].tobytes() == array[half:].tobytes()
        assert value[::-3].tobytes() == array[::-3].tobytes()
        if len(value):
            assert value[half].tobytes() == array[half].tobytes()
            value.value(half)

    def nested(self, value: Any, node: dict[str, Any]) -> None:
        lengths = node["lengths"]
        if node.get("format", {}).get("meaning") == "utf8":
            self.strings(value, node)
            return
        if isinstance(value, gc.Array):
            regular = [length if isinstance(length, str) else (length or ["0"])[0] for length in lengths]
            assert value.shape[: len(lengths)] == tuple(map(int, regular))
            assert all(isinstance(length, str) or set(length) <= {length[0]} for length in lengths if length)
            assert np.asarray(value).shape == value.shape
            elements = np.asarray(value)
        else:
            assert isinstance(value, gc.Ragged)
            elements = value.flat
            assert rows_of(value, lengths) == [[int(n) for n in row] if isinstance(row, list) else row for row in lengths]
            if len(lengths) == 2 and elements.size:
                assert np.concatenate(list(value)).tobytes() == elements.tobytes()
        data, names = elements.tobytes(), self.scalars(node)
        if "xxh3" in node:
            assert f"{xxhash.xxh3_64_intdigest(data):016x}" == node["xxh3"].lower().removeprefix("0x").zfill(16)
        else:
            assert data == b"".join(scalar_bytes(names[i % len(names)], each) for i, each in enumerate(node["scalars"]))

    def optionals(self, value: Any, node: dict[str, Any]) -> None:
        assert isinstance(value, gc.Optionals)
        array = node["array"]
        count = int(np.asarray(array["lengths"][0], object).reshape(-1)[0]) if "lengths" in array else int(array["count"])
        assert len(value) == count == len(list(value))
        bits = [int(byte) for byte in bytes.fromhex("".join(node["bits"].get("scalars", [])))]
        expected = [not bits or bool(bits[index >> 3] >> (index & 7) & 1) for index in range(count)]
        assert value.presence.tolist() == expected
        assert [element is not None for element in value] == expected
        assert [element is not None for element in value[::-2]] == expected[::-2]
        {"nested packed array": self.nested}.get(array["kind"], self.packed)(value.elements, array)

    def strings(self, value: Any, node: dict[str, Any]) -> None:
        assert isinstance(value, gc.Strings)
        texts = list(value) if len(node["lengths"]) == 2 else [text for row in value for text in row]
        assert all(isinstance(text, str) for text in texts) and value == list(value) and value.to_numpy().shape == (len(value),)
        assert list(value[1:]) == list(value)[1:] and value[::-2] == list(value)[::-2]
        data = "".join(texts).encode()
        if "xxh3" in node:
            assert f"{xxhash.xxh3_64_intdigest(data):016x}" == node["xxh3"].lower().removeprefix("0x").zfill(16)
        else:
            assert texts == node["strings"] and len(data) == int(node["count"])

    def fixed(self, value: Any, node: dict[str, Any]) -> None:
        names, nodes = self.scalars(node), node["scalars"]
        meaning = node["format"].get("meaning")
        if meaning and meaning != "characterSet":
            assert type(value).__name__.lower() == meaning.lower()
        lanes = list(value) if isinstance(value, (tuple, np.ndarray)) else [value]
        assert len(lanes) == len(names) == len(nodes)
        for name, lane, each in zip(names, lanes, nodes):
            assert lane_bytes(name, lane) == scalar_bytes(name, each)


def rows_of(value: gc.Ragged, lengths: list[Any]) -> list[Any]:
    """The lengths of each dimension, as the JSON has them: one where all are the same."""
    found: list[list[int]] = [[] for _ in lengths]

    def walk(part: Any, dimension: int) -> None:
        found[dimension].append(len(part))
        if dimension + 1 < len(lengths):
            for each in part:
                walk(each, dimension + 1)

    walk(value, 0)
    return [length if isinstance(length, str) and set(map(str, its)) <= {length} else its for its, length in zip(found, lengths)]


def bits(name: str, value: Any) -> str:
    """The bits as the JSON writes them; `struct` would make NaNs quiet."""
    data = value.tobytes() if isinstance(value, np.generic) else struct.pack(FLOATS[name], value)
    return bytes(reversed(data)).hex()


def scalar_bytes(name: str, node: Any) -> bytes:
    """The bytes of a scalar in the JSON."""
    if name in FLOATS:
        return bytes.fromhex(node["bits"])[::-1]
    if DTYPES[name].itemsize == 16 or DTYPES[name].kind == "V" or name == "byte":
        return bytes.fromhex(node)
    if name == "bool":
        return bytes([node])
    return int(node).to_bytes(DTYPES[name].itemsize, "little", signed=name.startswith("int"))


def lane_bytes(name: str, value: Any) -> bytes:
    """The bytes of a scalar that the reader gave."""
    if isinstance(value, uuid.UUID):
        return value.bytes
    if isinstance(value, bytes):
        return value
    if isinstance(value, np.generic):
        return value.tobytes()
    if name in FLOATS:
        return struct.pack(FLOATS[name], value)
    size = DTYPES[name].itemsize
    return int(value).to_bytes(size, "little", signed=DTYPES[name].kind != "u" and not name.startswith("uint"))
