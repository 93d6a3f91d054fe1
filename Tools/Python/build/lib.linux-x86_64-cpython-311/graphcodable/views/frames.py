"""Data frames of pandas."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import numpy as np

from ..files.entries import Entries
from ..graph.arrays import Array
from ..graph.values import List, Record

if TYPE_CHECKING:
    import pandas


def data_frame(value: Array | List | Entries[Any]) -> pandas.DataFrame:
    """A row for each element, record or entry."""
    if isinstance(value, Array):
        return frame(array_columns(value[:], ""))
    return frame(entry_columns(value) if isinstance(value, Entries) else record_columns(value))


def frame(columns: dict[str, Any]) -> pandas.DataFrame:
    try:
        import pandas
    except ImportError:
        raise ImportError("to_dataframe needs the package pandas: pip install 'graphcodable[dataframe]'") from None
    return pandas.DataFrame(columns)


def array_columns(array: np.ndarray[Any, Any], name: str) -> dict[str, Any]:
    """A column for each field of structs, and for each lane: `position_0` …"""
    if array.dtype.names is not None:
        columns: dict[str, Any] = {}
        for key in array.dtype.names:
            columns |= array_columns(array[key], f"{name}.{key}" if name else key)
        return columns
    if array.ndim > 1:
        flat = array.reshape(len(array), int(np.prod(array.shape[1:])))
        return {f"{name or 'value'}_{lane}": flat[:, lane] for lane in range(flat.shape[1])}
    return {name or "value": array}


def record_columns(rows: Iterable[Any]) -> dict[str, list[Any]]:
    """A column for each key that a record has; a row without it has `None`."""
    columns: dict[str, list[Any]] = {}
    count = 0
    for row in rows:
        if not isinstance(row, Record):
            raise TypeError("only arrays of records have columns")
        for key, value in row.items():
            if key is not None:
                columns.setdefault(key, [None] * count).append(value)
        count += 1
        for column in columns.values():
            if len(column) < count:
                column.append(None)
    return columns


def entry_columns(entries: Entries[Any]) -> dict[str, list[Any]]:
    """Number, step, time, columns with bytes, and one for each key of the metadata."""
    columns: dict[str, list[Any]] = {name: [getattr(entry, name) for entry in entries] for name in ("number", "step", "time")}
    columns |= {name: [getattr(entry, its) for entry in entries] for name, its in entries.SIZES.items()}
    for key in sorted({key for entry in entries for key in entry.metadata}):
        columns[key if key not in columns else f"metadata.{key}"] = [e.metadata.get(key) for e in entries]
    return columns
