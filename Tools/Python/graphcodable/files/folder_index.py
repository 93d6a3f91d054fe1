"""The names in the folder of a series, and its index, which is a cache."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from ..graph.archive import Archive
from .directory import Directory
from ..format.errors import GraphCodableError
from .manifest import floats, integers, malformed, signed, strings, unsigned
from ..graph.values import Record

INDEX, LOCK = "index.gcodable", "gcodable-lock"
DIGITS = "([0-9]{12}|[1-9][0-9]{12,})"
MOST_NUMBER = (1 << 63) - 2


@dataclass(frozen=True)
class Indexed:
    """What the index says of an entry, or of a set."""

    number: int
    step: int
    time: float
    metadata: dict[str, str]
    byte_count: int
    header_hash: int


Index = dict[int, Indexed]


def damaged(message: str, code: str, rule: str | None = None) -> GraphCodableError:
    return GraphCodableError(rule, message, None, "series", code)


def names_of(prefix: str, suffix: str = "") -> re.Pattern[str]:
    """The names that have a number of at least twelve digits."""
    return re.compile(re.escape(prefix) + DIGITS + re.escape(suffix))


def numbers_in(directory: Directory, pattern: re.Pattern[str], names: Sequence[str] | None = None) -> list[int]:
    """The numbers of the entries that are there, by `names` if these are known; refuses a folder that is no series."""
    names = directory.names() if names is None else names
    found = (int(match[1]) for name in names if (match := pattern.fullmatch(name)))
    numbers = sorted(number for number in found if number <= MOST_NUMBER)
    if not numbers and names and not {INDEX, LOCK} & set(names):
        message = f"{directory.url} is neither a series nor a set of GraphCodable"
        raise GraphCodableError("R4", message, None, "series")
    return numbers


def compared(
    directory: Directory, numbers: list[int], is_there: Callable[[int], bool]
) -> tuple[list[int], Index, list[Indexed]]:
    """Compares the numbers of what was found with the index, which is read now.

    Gives the numbers, with those of what has come since; the index, empty where there is none; and what was lost.
    """
    index = read_index(directory) or {}
    missing = sorted(index.keys() - set(numbers))
    found = [number for number, there in zip(missing, directory.each(is_there, missing)) if there]
    lost = sorted(set(missing) - set(found))
    if lost:
        # A writer takes an entry out of the index before it removes it.
        remaining = read_index(directory)
        lost = [number for number in lost if remaining is None or number in remaining]
    return sorted([*numbers, *found]), index, [index[number] for number in lost]


def read_index(directory: Directory) -> Index | None:
    """The index of a folder; `None` if there is none that can be used."""
    try:
        return parsed(Archive(directory.read(INDEX)).root)
    except (GraphCodableError, OSError, LookupError, TypeError, ValueError, OverflowError):
        return None


def parsed(root: Any) -> Index:
    if not isinstance(root, Record):
        raise malformed("the index is no record")
    numbers, counts = integers(root["numbers"]).tolist(), integers(root["pairCounts"]).tolist()
    steps, times = signed(root["steps"]).tolist(), floats(root["times"]).tolist()
    sizes, hashes, texts = unsigned(root["byteCounts"]), unsigned(root["hashes"]), strings(root["texts"])
    if any(len(each) != len(numbers) for each in (steps, times, sizes, hashes, counts)) or 2 * sum(counts) > len(texts):
        raise malformed("the lists of the index do not fit together")
    if any(first >= second for first, second in pairwise([*numbers, root["nextNumber"]])):
        raise malformed("the numbers of the index are not in order")
    index: Index = {}
    position = 0
    for number, step, time, size, its_hash, count in zip(numbers, steps, times, sizes, hashes, counts):
        own = texts[position : position + 2 * count]
        if len(set(own[::2])) < count:
            raise malformed("the index has a key of metadata twice")
        position += len(own)
        index[number] = Indexed(number, step, time, dict(zip(own[::2], own[1::2])), size, its_hash)
    return index
