"""Types that have all values of several types, and conversions that change none."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from ..format.errors import GraphCodableError

NUMBERS = "iuf"


def common_type(types: Iterable[np.dtype[Any]]) -> np.dtype[Any] | None:
    """The type of values of all these types; `None` where there is none, as of numbers and texts."""
    found = list(dict.fromkeys(types))
    if len(found) == 1:
        return found[0]
    kinds = {dtype.kind for dtype in found}
    return np.result_type(*found) if kinds <= set(NUMBERS) or kinds == {"U"} else None


def exact(array: np.ndarray[Any, Any], dtype: np.dtype[Any], name: str, where: str) -> np.ndarray[Any, Any]:
    """The same values in another type; an error that says where they are if there is one that the type does not have."""
    if array.dtype == dtype:
        return array
    if has_all(array, dtype):
        return array.astype(dtype)
    message = f"{name} has values of the type {array.dtype} in {where} that {dtype}, the type of the others, does not have"
    raise GraphCodableError(None, f"{message}: see drop_variables", None, "series", "invalidValue")


def has_all(array: np.ndarray[Any, Any], dtype: np.dtype[Any]) -> bool:
    """Whether a type has all values of an array."""
    if common_type([array.dtype, dtype]) is None:
        return False
    if dtype.kind == "U":
        return array.dtype.itemsize <= dtype.itemsize or bool((np.char.str_len(array) <= dtype.itemsize // 4).all())
    if not array.size:
        return array.dtype.kind != "f" or dtype.kind == "f"
    if dtype.kind == "f" and array.dtype.kind == "f":
        with np.errstate(over="ignore"):
            back = array.astype(dtype).astype(array.dtype)
        return bool(((back == array) | np.isnan(array)).all())
    if array.dtype.kind == "f":
        return False  # Even if it is a whole one here, it is another kind of number.
    low, high = int(array.min()), int(array.max())
    if dtype.kind == "f":
        most = 1 << np.finfo(dtype).nmant + 1
        return -most <= low and high <= most
    return int(np.iinfo(dtype).min) <= low and high <= int(np.iinfo(dtype).max)
