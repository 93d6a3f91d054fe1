"""The numbers of packed elements, lane by lane, and what they amount to."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..format.kinds import SIGNED_128, UNSIGNED_128, UTF8, PackedFormat, packed_format
from ..graph.arrays import Array
from .sample import Bytes
from .texts import SMALL, date_text, grouped, shortest, small_float

Numbers = np.ndarray[Any, Any]
LANES = {
    "range": ("lower", "upper"), "closedRange": ("lower", "upper"), "locationAndLength": ("location", "length"), "point": ("x", "y"),
    "size": ("width", "height"), "rectangle": ("x", "y", "width", "height"), "planeVector": ("x", "y"), "complex": ("real", "imaginary"),
}  # fmt: skip
# Those of durations and instants, in a second.
ATTOSECONDS = 1e18


@dataclass(frozen=True)
class Column:
    """One lane of the elements."""

    name: str
    type: str
    numbers: Numbers
    text: Callable[[Any], str]


@dataclass(frozen=True)
class Summary:
    """What some numbers amount to: least, greatest and mean of those that are finite."""

    count: int
    missing: int
    infinite: int
    least: Any = None
    greatest: Any = None
    mean: float | None = None


def summary(numbers: Numbers) -> Summary:
    missing = int(np.isnan(numbers).sum() if numbers.dtype.kind == "f" else np.isnat(numbers).sum() if numbers.dtype.kind in "mM" else 0)
    infinite = int(np.isinf(numbers).sum()) if numbers.dtype.kind == "f" else 0
    its = finite(numbers)
    if not len(its):
        return Summary(len(numbers), missing, infinite)
    # The sum of large numbers may be too large where their mean is not.
    size = plain(its)
    scale = float(np.abs(size).max()) or 1.0
    mean = float((size / scale).mean()) * scale
    return Summary(len(numbers), missing, infinite, its.min(), its.max(), mean)


def finite(numbers: Numbers) -> Numbers:
    """Those that are neither infinite nor missing."""
    if numbers.dtype.kind in "mM":
        return numbers[~np.isnat(numbers)]
    return numbers[np.isfinite(numbers)] if numbers.dtype.kind == "f" else numbers


def plain(numbers: Numbers) -> np.ndarray[Any, np.dtype[np.float64]]:
    """As float64, with NaN for what is missing."""
    if numbers.dtype.kind in "mM":
        return np.where(np.isnat(numbers), np.nan, numbers.view(np.int64).astype(np.float64))
    return numbers.astype(np.float64)


def columns_of(array: Array, data: Bytes, per_unit: int) -> Iterator[Column]:
    """The lanes of the elements in `data`, of which each row has `per_unit`; none of what is no number."""
    if array.format is not None:
        if per_unit == 1:
            yield from lanes(array.format, "", data)
            return
        for place in range(per_unit):
            yield from lanes(array.format, str(place), data[:, place * array.format.size : (place + 1) * array.format.size])
    elif array.layout is not None:
        at = 0
        for index, (key, number) in enumerate(zip(array.layout.keys, array.layout.formats)):
            form = packed_format(number)
            assert form is not None
            yield from lanes(form, str(index) if key is None else key, data[:, at : at + form.size])
            at += form.size


def lanes(form: PackedFormat, name: str, data: Bytes) -> Iterator[Column]:
    """The lanes of one field."""
    if form.number == UTF8:
        return
    its = np.ascontiguousarray(data)
    if form.dtype.kind == "c":
        its_type: np.dtype[Any] = np.dtype(f"<f{form.dtype.itemsize // 2}")
    else:
        its_type = form.dtype
    lane_count = form.size // its_type.itemsize
    names = LANES.get(form.meaning, tuple("xyzw") if lane_count <= 4 else tuple(map(str, range(lane_count))))
    for lane in range(lane_count):
        part = np.ascontiguousarray(its[:, lane * its_type.itemsize : (lane + 1) * its_type.itemsize])
        numbers = numbers_of(form, its_type, part)
        if numbers is not None:
            full = ".".join(each for each in (name, names[lane] if lane_count > 1 else "") if each)
            yield Column(full, str(form), numbers, text_of(form))


def numbers_of(form: PackedFormat, dtype: np.dtype[Any], data: Bytes) -> Numbers | None:
    """The numbers of one lane; `None` where they are none."""
    if form.scalar_name == "bfloat16":
        wide = data.view("<u2")[:, 0].astype(np.uint32) << 16
        return wide.view(np.float32)
    if form.scalar_name in SMALL:
        known = np.array([small_float(bits, *SMALL[form.scalar_name]) for bits in range(256)], np.float32)
        return known[data[:, 0]]
    if dtype in (SIGNED_128, UNSIGNED_128):
        halves = data.view(dtype)[:, 0]
        wide_numbers: Numbers = halves["high"].astype(np.float64) * 2.0**64 + halves["low"].astype(np.float64)
        return wide_numbers if form.scalar_name in ("int128", "uint128") else wide_numbers / ATTOSECONDS
    return data.view(dtype)[:, 0] if dtype.kind in "fiubmM" else None


def text_of(form: PackedFormat) -> Callable[[Any], str]:
    """How a number of a format is shown, with its unit."""
    if form.scalar_name == "date":
        return lambda number: date_text(float(number))
    if form.scalar_name in ("duration", "continuousInstant", "suspendingInstant"):
        return lambda number: f"{brief(number)} s"
    unit = np.datetime_data(form.dtype)[0] if form.dtype.kind in "mM" else ""
    if form.dtype.kind == "m":
        return lambda number: f"{brief(whole(number))} {'µs' if unit == 'us' else unit}"
    if form.dtype.kind == "M":
        return lambda number: time_text(whole(number), unit)
    return brief


def whole(number: Any) -> int:
    """The number of a time, or of a mean of some."""
    return int(number.astype(np.int64)) if isinstance(number, (np.datetime64, np.timedelta64)) else round(number)


def time_text(number: int, unit: str) -> str:
    seconds = number // {"s": 1, "ms": 10**3, "us": 10**6, "ns": 10**9}[unit]
    # NumPy's own text for the years that people know.
    return str(np.datetime64(number, unit)) if abs(seconds) < 1 << 36 else f"{brief(number)} {unit} since 1970"  # type: ignore[call-overload]


def brief(number: Any) -> str:
    """A number in a few digits."""
    if isinstance(number, (bool, np.bool_)):
        return "true" if number else "false"
    if isinstance(number, (int, np.integer)):
        return grouped(int(number))
    value = float(number)
    exact = shortest(value)
    return exact if len(exact) <= 9 else f"{value:.6g}"
