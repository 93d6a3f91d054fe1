"""Arrays and datasets of xarray as values with attributes; xarray itself is not needed."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..format.attributes import COORDINATES
from ..format.kinds import SCALARS
from .attributed import Attributed
from .refusals import refused

EPOCH = np.datetime64("2001-01-01", "us")
SECOND = np.timedelta64(1, "s")
DATE = next(number for number, (name, _) in SCALARS.items() if name == "date")


def is_labelled(value: Any) -> bool:
    """Whether it is a `DataArray`, a `Dataset` or a `Variable`."""
    kind = type(value)
    return kind.__module__.startswith("xarray.") and kind.__name__ in ("DataArray", "Dataset", "Variable", "IndexVariable")


def attributed(value: Any) -> Attributed:
    """A dataset as a record of its variables; an array as that, or with its coordinates as a record."""
    if hasattr(value, "data_vars"):
        return dataset(value)
    if len(getattr(value, "coords", ())):
        return dataset(value.to_dataset(name="values" if value.name is None else str(value.name)))
    return variable(value)


def dataset(value: Any) -> Attributed:
    attrs = dict(value.attrs)
    others = [str(name) for name in value.coords if name not in value.dims]
    if others:
        attrs[COORDINATES] = " ".join(others)
    return Attributed({str(name): variable(value.variables[name]) for name in value.variables}, (), attrs)


def variable(value: Any) -> Attributed:
    values = value.values
    if values.dtype.kind == "M":
        values = Dates(seconds(values))
    elif values.dtype.kind in "OUT" or values.ndim == 0:
        values = values.tolist()
    return Attributed(values, tuple(map(str, value.dims)), value.attrs)


class Dates:
    """Dates as seconds since 2001, an array or a single one."""

    def __init__(self, seconds: np.ndarray[Any, Any]) -> None:
        self.seconds = seconds


def seconds(values: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """Dates as archives have them, which tell microseconds near the present apart."""
    found = (values - EPOCH) / SECOND
    found[np.isnat(values)] = np.nan
    back = EPOCH + (np.nan_to_num(found) * 1e6).round().astype("m8[us]")
    if (back != values)[~np.isnat(values)].any():
        raise refused("dates with parts of microseconds, which archives do not have: write `values.astype('datetime64[us]')`, or integers")
    return np.asarray(found, "<f8")
