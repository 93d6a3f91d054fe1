"""Where arrays in segments of their own are, by their paths."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from .kinds import NESTED, OPTIONALS, PACKED, STRUCTS
from .varint import Reader

EXTENSION = 4
RULE = "C17"
Path = tuple[str | int, ...]


class Entry(NamedTuple):
    """An array: where it begins in the graph stream, behind its kind, and its bytes there, with the kind in front."""

    offset: int
    value: bytes


Table = dict[Path, Entry]


def parsed(data: bytes, base: int) -> Table:
    """The arrays by their paths; refuses what breaks C17 or has a path twice (C18)."""
    reader = Reader(data, base, RULE)
    result: Table = {}
    for _ in range(reader.count(4, "entries of the directory")):
        path = tuple(parsed_step(reader) for _ in range(reader.count(1, "steps")))
        offset = reader.varint()
        value = reader.take(reader.count(1, "bytes of a value"))
        if len(value) < 2 or value[0] not in (PACKED, STRUCTS, NESTED, OPTIONALS):
            raise reader.error(RULE, "an entry of the directory that is no array")
        if path in result:
            raise reader.error("C18", f"the directory has the path {path} twice")
        result[path] = Entry(offset, value)
    if reader.left:
        raise reader.error(RULE, f"{reader.left} bytes behind the directory")
    return result


def parsed_step(reader: Reader) -> str | int:
    number = reader.varint()
    return number - 1 if number else reader.string(RULE)


def found(table: Table, path: Sequence[str | int]) -> tuple[Entry, int] | None:
    """The array that a path leads to, or to a part of, and how many steps lead to it."""
    for count in range(len(path), -1, -1):
        entry = table.get(tuple(path[:count]))
        if entry is not None:
            return entry, count
    return None
