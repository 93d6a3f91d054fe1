"""The manifest of a set: its parts, and the arrays over several of them."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..graph.archive import Archive
from ..format.errors import GraphCodableError
from ..format.limits import VALUE
from ..graph.strings import Strings
from ..graph.values import List, Record, steps_of

NAME = "set.gcodable"
VERSION = 1
TOKEN = re.compile(r"[a-z0-9-]{1,64}")
# What nested packed arrays have at most, and so the arrays of parts.
MOST_DIMENSIONS = 8
Numbers = np.ndarray[Any, np.dtype[np.int64]]


@dataclass(frozen=True)
class Part:
    """A part as the manifest names it: its file, the bytes of the archive, and the hash at the end of its header."""

    name: str
    size: int
    header_hash: int


@dataclass(frozen=True)
class Pieces:
    """An array over several parts: for each piece its part, its path there, its offset in each dimension, and its lengths."""

    name: str
    shape: tuple[int, ...]
    parts: Numbers
    paths: tuple[str, ...]
    offsets: Numbers
    lengths: Numbers

    def __len__(self) -> int:
        return len(self.parts)


@dataclass(frozen=True)
class Manifest:
    token: str
    step: int
    time: float
    metadata: dict[str, str]
    parts: tuple[Part, ...]
    arrays: dict[str, Pieces]


def malformed(message: str, code: str = "malformed", rule: str | None = "P2") -> GraphCodableError:
    return GraphCodableError(rule, message, None, "set", code)


def part_name(number: int, count: int, token: str) -> str:
    return f"part-{number:05}-of-{count:05}.{token}.gcodable"


def read_manifest(archive: Archive) -> Manifest:
    """What the archive of the manifest says; refuses what does not fit together."""
    try:
        return parsed(archive.root)
    except (LookupError, AttributeError, TypeError, ValueError, ArithmeticError, MemoryError) as error:
        raise malformed(f"the manifest has not the fields of one: {error}") from None


def parsed(root: Any) -> Manifest:
    if not isinstance(root, Record):
        raise malformed("the manifest is no record")
    if root["formatVersion"] != VERSION:
        raise malformed(f"the set has format version {root['formatVersion']}; this package reads version {VERSION}", "unsupported", "P1")
    token = root["token"]
    if not isinstance(token, str) or not TOKEN.fullmatch(token):
        raise malformed(f"the token {token!r}", rule="P3")
    step, time = root["step"], root["time"]
    if not isinstance(step, int) or not isinstance(time, float):
        raise malformed(f"a step {step!r} and a time {time!r}")
    texts = strings(root["metadata"])
    if len(texts) % 2:
        raise malformed("metadata without a value")
    names, sizes, hashes = strings(root["partNames"]), unsigned(root["byteCounts"]), unsigned(root["headerHashes"])
    if len(set(texts[::2])) < len(texts) // 2:
        raise malformed("a key of metadata is there twice")
    if not names or not len(names) == len(sizes) == len(hashes):
        raise malformed(f"{len(names)} names, {len(sizes)} sizes and {len(hashes)} hashes of parts")
    for number, name in enumerate(names):
        if name != part_name(number, len(names), token):
            raise malformed(f"part {number} has the name {name!r}", rule="P3")
    arrays: dict[str, Pieces] = {}
    for record in root["arrays"]:
        pieces = pieces_of(record, root, len(names))
        if pieces.name in arrays:
            raise malformed(f"two arrays {pieces.name!r}", rule="P4")
        arrays[pieces.name] = pieces
    parts = tuple(map(Part, names, sizes, hashes))
    return Manifest(token, step, time, dict(zip(texts[::2], texts[1::2])), parts, arrays)


def pieces_of(record: Any, root: Record, part_count: int) -> Pieces:
    name = record["name"]
    shape = tuple(integers(record["shape"]).tolist())
    parts, numbers = integers(record["parts"]), integers(record["pathNumbers"])
    paths = strings(record["paths"] if "paths" in record else root["paths"])
    if not isinstance(name, str) or not shape:
        raise malformed(f"an array {name!r} of {len(shape)} dimensions", rule="P4")
    if len(shape) > MOST_DIMENSIONS:
        raise malformed(f"an array {name!r} of {len(shape)} dimensions", "limitExceeded", None)
    offsets, lengths = integers(record["offsets"]), integers(record["lengths"])
    if not len(parts) == len(numbers) or not len(offsets) == len(lengths) == len(parts) * len(shape):
        raise malformed(f"the lists of {name!r} do not fit together", rule="P4")
    if len(parts) and (int(parts.max()) >= part_count or int(numbers.max()) >= len(paths)):
        raise malformed(f"{name!r} has pieces in parts or at paths that are not there", rule="P4")
    offsets, lengths = offsets.reshape(-1, len(shape)), lengths.reshape(-1, len(shape))
    check_cover(name, shape, offsets, lengths)
    return Pieces(name, shape, parts, tuple(paths[number] for number in numbers), offsets, lengths)


def check_cover(name: str, shape: tuple[int, ...], offsets: Numbers, lengths: Numbers) -> None:
    """Refuses pieces that are not within the shape, have elements in common, or are not all of the array.

    How often each element is covered is the sum of steps, one at each corner of a piece, up or down by turns. If the steps of all
    pieces are those of the whole array, each element is covered once.
    """
    ends = np.array(shape, np.int64)
    if (offsets > ends).any() or (lengths > ends - offsets).any():
        raise malformed(f"a piece of {name!r} is not within {shape}", rule="P4")
    is_there = (lengths > 0).all(1)
    low, high = offsets[is_there], (offsets + lengths)[is_there]
    if 0 not in shape:
        low, high = np.vstack([low, np.zeros_like(ends)]), np.vstack([high, ends])
    signs = np.ones(len(low), np.int64)
    signs[len(signs) - (0 not in shape) :] = -1
    corners = np.zeros(len(low), np.int64)  # A number for each place.
    # Dimensions that no piece cuts have nothing to say.
    for dimension in np.flatnonzero((low != 0).any(0) | (high != ends).any(0)).tolist():
        values, numbers = np.unique(np.concatenate([low[:, dimension], high[:, dimension]]), return_inverse=True)
        _, corners = np.unique(np.tile(corners, 2) * len(values) + numbers, return_inverse=True)
        signs = np.concatenate([signs, -signs])
        low, high = np.vstack([low, low]), np.vstack([high, high])
    sums = np.bincount(corners, signs)
    if sums.any():
        raise malformed(f"the pieces of {name!r} are not all of {shape}, each element once", rule="P4")


def strings(value: Any) -> list[str]:
    if isinstance(value, (List, Record)):
        steps_of(value).take(VALUE * len(value))
    found = list(value) if isinstance(value, (Strings, List, Record)) else None
    if found is None or not all(isinstance(each, str) for each in found):
        raise malformed("what should be strings are others")
    return found


def unsigned(value: Any) -> list[int]:
    """Numbers of up to 64 bits, without a sign; those of a type with one have their bits."""
    array = flat(value)
    return [int(number) for number in (array.astype("<i8").view("<u8") if array.dtype.kind == "i" else array)]


def integers(value: Any) -> Numbers:
    """Numbers that are not negative and have room in 63 bits."""
    array = flat(value)
    if len(array) and (int(array.min()) < 0 or int(array.max()) >= 1 << 63):
        raise malformed(f"the numbers {int(array.min())} to {int(array.max())}", rule="P4")
    return array.astype(np.int64)


def signed(value: Any) -> Numbers:
    """Numbers of 64 bits, with a sign."""
    array = flat(value)
    if array.dtype.kind == "u" and len(array) and int(array.max()) >= 1 << 63:
        raise malformed(f"the number {int(array.max())}")
    return array.astype(np.int64)


def floats(value: Any) -> np.ndarray[Any, np.dtype[np.float64]]:
    return flat(value, "f").astype(np.float64)


def flat(value: Any, kinds: str = "iu") -> np.ndarray[Any, Any]:
    """The numbers of a packed array, or of an array of values."""
    if isinstance(value, List):
        steps_of(value).take(VALUE * len(value))
        its: Iterable[Any] = list(value)
        array = np.array(its, None if len(value) else f"<{kinds[0]}8")
    else:
        array = np.asarray(value)
    if array.dtype.kind not in kinds:
        raise malformed("what should be numbers are others")
    return array.reshape(-1)
