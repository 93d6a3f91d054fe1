"""Why a value or an argument is refused, and what can be written in its place."""

from __future__ import annotations

import operator
import os
from collections.abc import Mapping
from typing import Any

import numpy as np

from ..files.addresses import SCHEME, is_address, shown_name
from ..format.errors import GraphCodableError

LISTS = "write `array.tolist()`"
LONGEST = 80
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
    "date": "write `value.isoformat()`, or a datetime with a time zone",
    "time": "write `value.isoformat()`, or a timedelta",
    "Fraction": "write `float(value)`, or numerator and denominator",
}
# By what a value can do, from the first one that it can.
BY_METHOD = (
    ("toarray", "write `value.toarray()`, or its indices and its data"),
    ("compute", "write `value.compute()`"),
    ("to_numpy", "write `value.to_numpy()`"),
    ("__array__", "write `numpy.asarray(value)`"),
    ("__fspath__", "write `str(value)`"),
    ("__next__", "write lists, such as `list(value)`"),
)
OTHERS = "write numbers, texts, lists, mappings, dataclasses or NumPy arrays"


def instead_of_type(dtype: np.dtype[Any], is_single: bool = False) -> str:
    """What can be written in place of an array, or a single value, of a type that archives do not have."""
    if is_single:
        return SINGLE.get(dtype.kind, "write `value.item()`, or an array of one dimension")
    if dtype.names is not None:
        return "write an array for each field"
    return BY_NAME.get(dtype.name) or BY_KIND.get(dtype.kind) or f"{LISTS}, or convert it with `array.astype`"


def instead_of_value(value: Any) -> str:
    kind = type(value)
    return BY_TYPE.get(kind.__name__) or next((way for method, way in BY_METHOD if hasattr(kind, method)), OTHERS)


def short(value: Any) -> str:
    """The value as an error shows it: long ones are cut."""
    text = repr(value)
    return text if len(text) <= LONGEST else text[: LONGEST - 1] + "…"


def refused(message: str) -> GraphCodableError:
    return GraphCodableError(None, message, None, "archive", "invalidValue")


def local(path: str | bytes | os.PathLike[str] | os.PathLike[bytes]) -> str:
    """The path of a file to be written, which is no address."""
    name = os.fsdecode(path)
    if is_address(name) and SCHEME.match(name):
        raise refused(f"{shown_name(name)} is an address, where nothing is written: write a file, and upload it")
    return name


def has_masked(array: np.ma.MaskedArray[Any, Any]) -> bool:
    """Whether some element, or a field of one, is masked."""
    return bool(np.frombuffer(np.ma.getmaskarray(array).tobytes(), np.uint8).any())


def integer(value: Any, name: str, least: int, most: int) -> int:
    """An argument that has to be an integer within limits."""
    try:
        number = operator.index(value)
    except TypeError:
        raise refused(f"{name} is {short(value)}, and has to be an integer: round it, or put it into the value or metadata") from None
    if not least <= number <= most:
        raise refused(f"{name} is {short(number)}, and has to be from {least} to {most}")
    return number


def real(value: Any, name: str) -> float:
    """An argument that has to be a number."""
    if not isinstance(value, (str, bytes, bytearray)):  # Which `float` would read.
        try:
            return float(value)
        except (TypeError, ValueError, OverflowError):
            pass
    raise refused(f"{name} is {short(value)}, and has to be a number, such as seconds as a float")


def texts(metadata: Any, name: str = "metadata") -> Mapping[str, str]:
    """An argument that has to be a mapping of texts."""
    if metadata is None:
        return {}
    if not isinstance(metadata, Mapping):
        raise refused(f"{name} is a {type(metadata).__name__}, and has to be a mapping of texts")
    for key, value in metadata.items():
        if not isinstance(key, str):
            raise refused(f"{name} has the key {short(key)}, and keys have to be texts: write {short(str(key))}")
        if not isinstance(value, str):
            raise refused(f"{name}[{short(key)}] is {short(value)}, and has to be a text: write str(…), or put it into the value")
        if has_surrogates(key) or has_surrogates(value):
            raise refused(f"{name}[{short(key)}] is no text that UTF-8 can have: write {name}[…].encode('utf-8', 'replace').decode()")
    return metadata


def has_surrogates(text: str) -> bool:
    """Whether a text has halves of characters, as names of files may in Python, which UTF-8 has no bytes for."""
    return not text.isascii() and any("\ud800" <= character <= "\udfff" for character in text)
