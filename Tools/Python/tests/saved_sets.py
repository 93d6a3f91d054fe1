"""A series of sets, as writers leave it."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
from saved import Known, piece_fields, save_index, save_set_of_series

import graphcodable as gc

X = np.arange(5_000.0)
STRUCTS = np.array([(n, [n, n / 2]) for n in range(40)], [("n", "<i4"), ("v", "<f8", 2)])
ARRAYS = [
    piece_fields("x", [5_000], [(0, "own", [0], [2_000]), (1, "state.own", [2_000], [3_000])]),
    piece_fields("structs", [40], [(1, "structs", [0], [40])]),
]
Said = tuple[int, int, float, dict[str, str]]  # Number, step, time, metadata.
SAVED: list[Said] = [(0, 10, 0.5, {}), (2, -20, math.inf, {"run": "ä", "b": ""}), (3, 30, 1.5, {"run": "c"})]


def parts(number: int) -> list[Any]:
    state = {"own": X[2_000:] + number, "name": f"s{number}"}
    return [{"own": X[:2_000] + number, "n": number}, {"state": state, "structs": STRUCTS}]


def save(folder: Path) -> Path:
    """A series whose index is up to date."""
    folder.mkdir()
    save_index(folder, [save_set_of_series(folder, n, parts(n), ARRAYS, step, time, about) for n, step, time, about in SAVED])
    (folder / "gcodable-lock").touch()
    return folder


def opened(folder: object, **options: Any) -> gc.SetSeries:
    series = gc.open(folder, **options)  # type: ignore[arg-type]
    assert isinstance(series, gc.SetSeries)
    return series


def listed(series: gc.SetSeries) -> list[Said]:
    return [(entry.number, entry.step, entry.time, entry.metadata) for entry in series]


def known(series: gc.SetSeries) -> list[Known]:
    return [Known(e.number, e.step, e.time, e.metadata, e.byte_count, e.manifest_hash) for e in series]


def manifest(folder: Path, number: int) -> Path:
    return folder / f"set-{number:012}" / "set.gcodable"
