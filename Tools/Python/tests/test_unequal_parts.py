"""A set of very many parts of different lengths, as one array."""

from __future__ import annotations

import builtins
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from saved import piece_fields, save_set

xr = pytest.importorskip("xarray")
COUNT = 1000


@pytest.fixture(scope="module")
def unequal(tmp_path_factory: pytest.TempPathFactory) -> Path:
    lengths = [1 + 7 * number % 11 for number in range(COUNT)]
    starts = np.concatenate([[0], np.cumsum(lengths)])
    pieces = [(n, "x", [int(starts[n])], [lengths[n]]) for n in range(COUNT)]
    folder = tmp_path_factory.mktemp("unequal")
    parts = [{"x": np.arange(starts[n], starts[n + 1], dtype=float)} for n in range(COUNT)]
    save_set(folder / "set", parts, [piece_fields("x", [int(starts[-1])], pieces)])
    return folder / "set"


def opened_parts(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The parts that are opened from now on."""
    found: list[str] = []

    def note(path: Any) -> None:
        if isinstance(path, (str, os.PathLike)) and os.path.basename(path).startswith("part-"):
            found.append(os.path.basename(path))

    def noting(real: Callable[..., Any]) -> Callable[..., Any]:
        def opened(path: Any, *rest: Any, **more: Any) -> Any:
            note(path)
            return real(path, *rest, **more)

        return opened

    for owner in (os, builtins):
        monkeypatch.setattr(owner, "open", noting(owner.open))
    return found


def test_opening_reads_the_manifest_and_at_most_one_part(unequal: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    found = opened_parts(monkeypatch)
    with xr.open_dataset(unequal, engine="graphcodable", chunks=None) as dataset:
        assert len(set(found)) <= 1
        length = dataset.sizes[dataset.x.dims[0]]
        first = set(found)
        found.clear()
        # Only the parts that have the elements.
        window = dataset.x[length // 2 : length // 2 + 3].values
        assert window.tolist() == [length // 2, length // 2 + 1, length // 2 + 2] and 1 <= len(set(found)) <= 3
        assert np.array_equal(dataset.x.values, np.arange(length))
        assert len(set(found) | first) == COUNT
