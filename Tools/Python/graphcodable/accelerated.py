"""The byte shuffle of Blosc2's library, where that package is installed: NumPy has no instructions for it, and takes four times as long."""

from __future__ import annotations

import ctypes
import importlib.util
from collections.abc import Callable
from functools import cache
from pathlib import Path

import numpy as np

NAMES = ("libblosc2.so", "libblosc2.dylib", "libblosc2.dll")


@cache
def unshuffle() -> Callable[[int, int, int, int], int] | None:
    """`blosc2_unshuffle(bytes of a group, bytes, source, target)`; `None` where it is not there, or does something else."""
    found = importlib.util.find_spec("blosc2")
    if found is None or found.origin is None:
        return None
    for path in [Path(found.origin).parent / "lib" / name for name in NAMES]:
        if not path.exists():
            continue
        try:
            function: Callable[[int, int, int, int], int] = ctypes.CDLL(str(path)).blosc2_unshuffle
        except (OSError, AttributeError):
            continue
        function.argtypes = (ctypes.c_int32, ctypes.c_int32, ctypes.c_void_p, ctypes.c_void_p)  # type: ignore[attr-defined]
        source, target = np.arange(203, dtype=np.uint8), np.empty(203, np.uint8)
        function(4, len(source), source.ctypes.data, target.ctypes.data)
        expected = np.append(source[:200].reshape(4, 50).T.reshape(-1), source[200:])
        if np.array_equal(target, expected):
            return function
    return None
