"""Paths to values of a graph: `cells[3].position`, `scores["a.b"]`."""

from __future__ import annotations

import json
import re
from typing import Any

from .arrays import Array
from .values import Dictionary, List, Record

Step = str | int

# Everything that cannot be taken for something else.
PLAIN = r'[^.\[\]"\\\x00-\x20\x7f]+'
STEP = re.compile(rf'\.?(?P<key>{PLAIN})|\[(?P<index>-?\d+)\]|\[(?P<quoted>"(?:[^"\\]|\\.)*")\]', re.DOTALL)
SCALAR = re.compile(r"\\u\{([0-9A-Fa-f]{1,6})\}")


def step_text(step: Step) -> str:
    """A step in a path: with a dot, or in brackets."""
    if isinstance(step, int):
        return f"[{step}]"
    if re.fullmatch(PLAIN, step):
        return f".{step}"
    escapes = {'"': '\\"', "\\": "\\\\"}
    its = (escapes.get(c) or (f"\\u{{{ord(c):x}}}" if c < " " or c == "\x7f" else c) for c in step)
    return f'["{"".join(its)}"]'


def quoted_key(text: str) -> str:
    """The key between quotation marks, with the escapes of paths or of JSON."""
    text = SCALAR.sub(lambda match: json.dumps(chr(int(match[1], 16)))[1:-1], text)
    key: str = json.loads(text, strict=False)
    return key


def steps(path: str) -> list[Step]:
    """Keys and indices of a path; raises `ValueError` for what is none."""
    result: list[Step] = []
    position = 0
    while position < len(path):
        match = STEP.match(path, position)
        if match is None or (match["key"] is not None and (position > 0) != match[0].startswith(".")):
            raise ValueError(f"{path!r} is not a path: see character {position}")
        if match["index"] is not None:
            result.append(int(match["index"]))
        else:
            try:
                result.append(match["key"] or quoted_key(match["quoted"]))
            except ValueError:
                raise ValueError(f"{path!r} is not a path: see character {position}") from None
        position = match.end()
    return result


def value_at(root: Any, path: str | list[Step], whole: str | None = None) -> Any:
    """The value that a path leads to, or the rest of a whole one; raises `KeyError` where there is none."""
    value = root
    for step in steps(path) if isinstance(path, str) else path:
        try:
            value = part(value, step)
        except (LookupError, TypeError):
            raise KeyError(f"nothing is at {whole or path!r}: there is no {step!r}") from None
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
