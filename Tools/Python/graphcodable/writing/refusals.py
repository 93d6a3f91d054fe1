"""Why a value or an argument is refused, and what can be written in its place."""

from __future__ import annotations

import operator
from collections.abc import Mapping
from typing import Any

import numpy as np

from ..format.errors import GraphCodableError

LISTS = "write `array.tolist()`"
BY_KIND = {
    "c": "write real and imaginary parts as a last dimension of 2, `array.view(array.real.dtype).reshape(*array.shape, 2)`",
    "U": LISTS,
    "T": LISTS,
    "S": f"{LISTS} for data of each element, or `array.view('u1')`",
    "O": LISTS,
    "M": "write seconds as numbers, `(array - numpy.datetime64('2001-01-01')) / numpy.timedelta64(1, 's')`",
    "m": "write a number of a unit, `array / numpy.timedelta64(1, 's')`, or a list of `datetime.timedelta`",
    "f": "write `array.astype('f8')`, if that is exact enough",
}
SINGLE = {"c": "write real and imaginary part", "M": "write `value.item()` with a time zone"}
BY_NAME = {"bfloat16": "write `array.astype('f4')`, which is exact"}
BY_TYPE = {
    "DataFrame": "write `{name: frame[name].to_numpy() for name in frame}`",
    "Series": "write `series.to_numpy()`",
    "DataArray": "write `array.values`",
    "Dataset": "write `{name: data[name].values for name in data.variables}`",
    "complex": "write real and imaginary part",
    "NaTType": "write None",
    "NAType": "write None",
}
OTHERS = "write numbers, texts, lists, mappings, dataclasses or NumPy arrays"


def instead_of_type(dtype: np.dtype[Any], is_single: bool = False) -> str:
    """What can be written in place of an array, or a single value, of a type that archives do not have."""
    if is_single:
        return SINGLE.get(dtype.kind, "write `value.item()`, or an array of one dimension")
    if dtype.names is not None:
        return "write an array for each field"
    return BY_NAME.get(dtype.name) or BY_KIND.get(dtype.kind) or f"{LISTS}, or convert it with `array.astype`"


def instead_of_value(value: Any) -> str:
    return BY_TYPE.get(type(value).__name__, OTHERS)


def refused(message: str) -> GraphCodableError:
    return GraphCodableError(None, message, None, "archive", "invalidValue")


def has_masked(array: np.ma.MaskedArray[Any, Any]) -> bool:
    """Whether some element, or a field of one, is masked."""
    return bool(np.frombuffer(np.ma.getmaskarray(array).tobytes(), np.uint8).any())


def integer(value: Any, name: str, least: int, most: int) -> int:
    """An argument that has to be an integer within limits."""
    try:
        number = operator.index(value)
    except TypeError:
        raise refused(f"{name} is {value!r}, and has to be an integer: round it, or put it into the value or metadata") from None
    if not least <= number <= most:
        raise refused(f"{name} is {number}, and has to be from {least} to {most}")
    return number


def real(value: Any, name: str) -> float:
    """An argument that has to be a number."""
    if not isinstance(value, (str, bytes, bytearray)):  # Which `float` would read.
        try:
            return float(value)
        except (TypeError, ValueError, OverflowError):
            pass
    raise refused(f"{name} is {value!r}, and has to be a number, such as seconds as a float")


def texts(metadata: Any, name: str = "metadata") -> Mapping[str, str]:
    """An argument that has to be a mapping of texts."""
    if metadata is None:
        return {}
    if not isinstance(metadata, Mapping):
        raise refused(f"{name} is a {type(metadata).__name__}, and has to be a mapping of texts")
    for key, value in metadata.items():
        if not isinstance(key, str):
            raise refused(f"{name} has the key {key!r}, and keys have to be texts: write {str(key)!r}")
        if not isinstance(value, str):
            raise refused(f"{name}[{key!r}] is {value!r}, and has to be a text: write str(…), or put it into the value")
    return metadata
