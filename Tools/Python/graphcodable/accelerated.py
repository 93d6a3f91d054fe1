"""The shuffles of Blosc2's library, where that package is installed: NumPy has no instructions for them, and takes far longer."""

from __future__ import annotations

import ctypes
import importlib.util
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

NAMES = ("libblosc2.so", "libblosc2.dylib", "libblosc2.dll")
Function = Callable[[int, int, int, int], int]


@cache
def function(name: str) -> Function | None:
    """`name(bytes of a group, bytes, source, target)` of the library; `None` where that is not there."""
    found = importlib.util.find_spec("blosc2")
    if found is None or found.origin is None:
        return None
    for path in [Path(found.origin).parent / "lib" / file for file in NAMES]:
        try:
            result: Any = getattr(ctypes.CDLL(str(path)), name) if path.exists() else None
        except (OSError, AttributeError):
            continue
        if result is not None:
            result.argtypes = (ctypes.c_int32, ctypes.c_int32, ctypes.c_void_p, ctypes.c_void_p)
            return result  # type: ignore[no-any-return]
    return None
