"""`Tests/Corpus/swift`: a series with differences, a series that is a folder and a set, which Swift has written."""

from __future__ import annotations

from typing import Any

import corpus
import numpy as np
import pytest

import graphcodable as gc

FOLDER = corpus.FOLDER / "swift"
NUMBERS = np.arange(3_000)


def expected(step: int) -> dict[str, np.ndarray[Any, Any]]:
    return {
        "energies": NUMBERS * 2_654_435_761 % 1_048_576 / 8 + step / 1_024,
        "positions": np.stack([NUMBERS / 4, NUMBERS % 13, np.full(3_000, step / 8)], 1),
        "counts": NUMBERS * 31 % 257 + step,
    }


@pytest.mark.parametrize("name", ["moving.gcseries", "run"])
def test_entries_of_a_series_have_the_numbers_of_the_formula(name: str) -> None:
    series = gc.open(FOLDER / name)
    assert isinstance(series, gc.Series)
    series.verify()
    assert [entry.step for entry in series] == [0, 1, 2, 3]
    for entry in series:
        assert entry.time == entry.step / 2
        assert dict(entry.metadata) == {"step": str(entry.step)}
        root, whole = entry.archive.root, expected(entry.step)
        assert root.title == f"step {entry.step}"
        assert np.array_equal(root.energies[:], whole["energies"])
        assert np.array_equal(root.counts[:], whole["counts"])
        assert np.abs(root.positions[:] - whole["positions"]).max() <= 0.25


def test_the_arrays_of_a_set_have_the_numbers_of_the_formula() -> None:
    found = gc.open(FOLDER / "state")
    assert isinstance(found, gc.ArchiveSet)
    found.verify()
    assert (found.step, found.time, dict(found.metadata), found.part_count) == (7, 3.5, {"kind": "test"}, 3)
    whole = expected(7)
    assert np.array_equal(found.array("energies")[:], whole["energies"])
    assert np.array_equal(found.array("counts")[900:1600], whole["counts"][900:1600])
    assert np.abs(found.array("positions")[990:1510] - whole["positions"][990:1510]).max() <= 0.25
