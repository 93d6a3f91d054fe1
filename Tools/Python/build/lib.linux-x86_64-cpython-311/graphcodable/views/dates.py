"""Dates as `datetime64`, and an error for those that it does not have, in place of another date."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

import numpy as np
import xarray
from xarray import conventions
from xarray.coders import CFDatetimeCoder
from xarray.core import indexing

from ..format.errors import GraphCodableError
from .lazy import Lazy

# Seconds from 2001 on in both directions whose microseconds since 1970 are 64 bits.
MOST_SECONDS = 2**63 / 1e6 - 1e9


class CheckedDates(Lazy):
    """Seconds of which each is a date, or no number, which is no date; others are an error that says where they are."""

    def __init__(self, name: str, variable: xarray.Variable) -> None:
        self.name, self.variable = name, variable
        self.shape, self.dtype = variable.shape, variable.dtype

    def part(self, key: tuple[Any, ...]) -> Any:
        values = np.asarray(self.variable[key].values)
        wrong = ~is_date(values)
        if wrong.any():
            place = tuple(int(axis[0]) for axis in np.nonzero(np.atleast_1d(wrong)))
            value = np.atleast_1d(values)[place]
            message = f"{self.name} has {value} seconds since 2001 {self.at(key, place)}".rstrip()
            raise GraphCodableError(None, f"{message}, which is no date of datetime64: see decode_times=False", code="invalidValue")
        return values

    def at(self, key: tuple[Any, ...], place: tuple[int, ...]) -> str:
        """Where a value is, by its place in a part: its entry, and its element in that."""
        found, left = [], list(place)
        for axis, length in zip(key, self.shape):
            found.append(range(length)[axis][left.pop(0)] if isinstance(axis, slice) else int(axis))
        is_run = self.variable.dims[:1] == ("step",)
        element = ", ".join(map(str, found[1:] if is_run else found))
        return " ".join([*([f"in entry {found[0]}"] if is_run else []), *([f"at element {element}"] if element else [])])


def is_date(seconds: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    found: np.ndarray[Any, Any] = np.isnan(seconds) | (np.abs(seconds) < MOST_SECONDS)
    return found


def decoded(data: xarray.Dataset, decode_times: Any, use_cftime: Any) -> xarray.Dataset:
    """Dates as `datetime64`, which are the only variables that files have in another form than users want.

    Those in memory stay numbers where one is no date.
    """
    for name, each in data.variables.items():
        if "units" not in each.attrs:
            continue
        how = decode_times.get(name, True) if isinstance(decode_times, Mapping) else decode_times
        if how is True and use_cftime is None:
            # Years from -290,000 to 290,000, of which files have some that nanoseconds do not.
            how = CFDatetimeCoder(time_unit="us")
        if not how:
            continue
        options = {} if use_cftime is None else {"use_cftime": use_cftime}
        # xarray has no public name for it.
        if not getattr(each, "_in_memory"):
            lazy = cast(Any, indexing.LazilyIndexedArray(CheckedDates(str(name), each)))
            each = xarray.Variable(each.dims, lazy, each.attrs, each.encoding)
        elif not is_date(each.values).all():
            continue
        try:
            data[name] = conventions.decode_cf_variable(name, each, decode_times=how, **options)
        except GraphCodableError:
            continue  # Xarray looks at the first and the last one: all stay numbers where one of these is no date.
    return data
