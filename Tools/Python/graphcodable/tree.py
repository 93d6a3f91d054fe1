"""Graphs as lines of text."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from .arrays import Array
from .values import Dictionary, List, Record, Set

if TYPE_CHECKING:
    from .archive import Archive

Place = tuple[type, int]
MOST_INDENT = 32


def tree(archive: Archive, depth: int | None = 16, limit: int | None = 100) -> Iterator[str]:
    """A line for each part: key or index, type, and value or how many parts it has.

    Objects that several references lead to are listed where they are first met. Lists are cut to `limit` parts,
    and not gone into below `depth` levels; `None` is no limit. Does not recurse, so depth is no matter.
    """
    seen: set[Place] = set()
    root = archive.root
    yield line("root", root, seen)
    stack = [(0, parts(root))] if enter(root, seen) else []
    while stack:
        count, iterator = stack[-1]
        part = next(iterator, None)
        if part is None:
            stack.pop()
            continue
        # Deep graphs would be mostly spaces.
        indent = "  " * len(stack) if len(stack) <= MOST_INDENT else "  " * MOST_INDENT + f"({len(stack)}) "
        if limit is not None and count >= limit:
            yield indent + "…"
            stack.pop()
            continue
        stack[-1] = (count + 1, iterator)
        name, value = part
        yield indent + line(name, value, seen)
        if (depth is None or len(stack) < depth) and enter(value, seen):
            stack.append((0, parts(value)))


def place(value: Any) -> Place:
    """Where a value with parts stands; no two of one type stand at one place."""
    return type(value), value._start if isinstance(value, Record) else value._elements.offsets[0]


def enter(value: Any, seen: set[Place]) -> bool:
    """Whether a value has parts that were not listed before; they count as listed from now on."""
    if not has_parts(value) or place(value) in seen:
        return False
    seen.add(place(value))
    return True


def has_parts(value: Any) -> bool:
    return isinstance(value, (Record, List, Set, Dictionary)) and len(value) > 0


def parts(value: Any) -> Iterator[tuple[str, Any]]:
    if isinstance(value, Record):
        return ((visible(key) if key is not None else f"[{i}]", part) for i, (key, part) in enumerate(value.items()))
    if isinstance(value, Dictionary):
        return pairs(value.items())
    return ((f"[{index}]", part) for index, part in enumerate(value))


def pairs(items: Iterable[tuple[Any, Any]]) -> Iterator[tuple[str, Any]]:
    for index, (key, value) in enumerate(items):
        if has_parts(key):
            yield f"[{index}].key", key
            yield f"[{index}].value", value
        else:
            yield f"[{text(key)}]", value


def line(name: str, value: Any, seen: set[Place]) -> str:
    if has_parts(value) and place(value) in seen:
        return f"{name}: {type_text(value) if isinstance(value, Record) else text(value)}, listed above"
    return f"{name}: {text(value)}"


def type_text(value: Record) -> str:
    number = f" @{value._start}" if value._ends_at_limit else ""
    return visible(value.type_name or ("list" if value.is_list else "record")) + number


def text(value: Any) -> str:
    if isinstance(value, Record):
        return f"{type_text(value)}, {len(value)} fields"
    if isinstance(value, List):
        return f"array of {len(value)}"
    if isinstance(value, Set):
        return f"set of {len(value)}"
    if isinstance(value, Dictionary):
        return f"dictionary of {len(value)}"
    if isinstance(value, Array):
        where = f", bulk {value.segment}" if value.segment is not None else ""
        return f"array of {len(value)} {value.format or value.dtype}, {value.nbytes} bytes{where}"
    if isinstance(value, str):
        return visible(json.dumps(value, ensure_ascii=False))
    if isinstance(value, bytes):
        return f"{len(value)} bytes"
    if isinstance(value, np.ndarray):
        return visible(str(value.tolist()))
    if isinstance(value, np.generic):
        return str(value.item())
    return "nil" if value is None else visible(repr(value) if isinstance(value, tuple) else str(value))


def visible(value: str) -> str:
    """Text without control characters, and those that change the direction of writing."""
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in value)
