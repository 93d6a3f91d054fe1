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


def tree(archive: Archive, depth: int | None = 16, limit: int | None = 100) -> Iterator[str]:
    """A line for each part: key or index, type, and value or how many parts it has.

    Objects that several references lead to are listed where they are first met. Lists are cut to `limit` parts,
    and not gone into below `depth` levels; `None` is no limit. Does not recurse, so depth is no matter.
    """
    seen: set[int] = set()
    root = archive.root
    yield line(archive, "root", root, seen)
    stack = [parts(root)] if has_parts(root) else []
    counts = [0]
    mark(archive, root, seen)
    while stack:
        part = next(stack[-1], None)
        if part is None:
            stack.pop()
            counts.pop()
            continue
        counts[-1] += 1
        indent = "  " * len(stack)
        if limit is not None and counts[-1] > limit:
            yield indent + "…"
            stack.pop()
            counts.pop()
            continue
        name, value = part
        yield indent + line(archive, name, value, seen)
        if has_parts(value) and (depth is None or len(stack) < depth) and mark(archive, value, seen):
            stack.append(parts(value))
            counts.append(0)


def mark(archive: Archive, value: Any, seen: set[int]) -> bool:
    """Remembers an object; false if it was met before."""
    if isinstance(value, Record) and value._ends_at_limit:
        if value._start in seen:
            return False
        seen.add(value._start)
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


def line(archive: Archive, name: str, value: Any, seen: set[int]) -> str:
    if isinstance(value, Record) and value._ends_at_limit and value._start in seen:
        return f"{name}: {type_text(value)}, listed above"
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
