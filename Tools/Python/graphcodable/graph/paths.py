"""Paths to values of a graph: `cells[3].position`, `scores["a.b"]`."""

from __future__ import annotations

import json
import re
from typing import Any

from .arrays import Array
from .values import Dictionary, List, Record

PLAIN = r"[^\W\d]\w*"
STEP = re.compile(rf'\.?(?P<key>{PLAIN})|\[(?P<index>\d+)\]|\[(?P<quoted>"(?:[^"\\]|\\.)*")\]')


def key_step(key: str) -> str:
    return f".{key}" if re.fullmatch(PLAIN, key) else f"[{json.dumps(key, ensure_ascii=False)}]"


def index_step(index: int) -> str:
    return f"[{index}]"


def steps(path: str) -> list[str | int]:
    """Keys and indices of a path; raises `ValueError` for what is none."""
    result: list[str | int] = []
    position = 0
    while position < len(path):
        match = STEP.match(path, position)
        if match is None or (match["key"] is not None and (position > 0) != match[0].startswith(".")):
            raise ValueError(f"{path!r} is not a path: see character {position}")
        if match["index"] is not None:
            result.append(int(match["index"]))
        else:
            result.append(match["key"] or json.loads(match["quoted"]))
        position = match.end()
    return result


def parent(path: str) -> str | None:
    """A path without its last step; `None` for the root."""
    steps(path)
    matches = list(STEP.finditer(path))
    return path[: matches[-1].start()] if matches else None


def value_at(root: Any, path: str) -> Any:
    """The value that a path leads to; raises `KeyError` where there is none."""
    value = root
    for step in steps(path):
        try:
            value = part(value, step)
        except (LookupError, TypeError):
            raise KeyError(f"nothing is at {path!r}: there is no {step!r}") from None
    return value


def part(value: Any, step: str | int) -> Any:
    if isinstance(value, Array) and isinstance(step, int):
        return value.value(step)
    if isinstance(value, Dictionary) and isinstance(step, int) and step not in value:
        return value.values()[step]
    if isinstance(value, (Record, Dictionary)):
        return value[step]
    if isinstance(value, List) and isinstance(step, int):
        return value[step]
    raise KeyError(step)
