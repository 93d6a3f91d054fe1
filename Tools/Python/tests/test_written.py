"""The archives of `Tests/Corpus/python` are those that this package writes."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
import written

import graphcodable as gc


@pytest.mark.parametrize("name", written.files())
def test_the_files_are_those_that_are_written(name: str) -> None:
    path, made = written.PYTHON / name, written.files()[name]
    stored = gc.open(path)
    assert isinstance(stored, gc.Archive)
    stored.verify()
    # Another release of LZ4 may compress otherwise.
    assert path.read_bytes() == made or "stored" not in name
    assert stored.tree(None, None) == gc.Archive(made).tree(None, None)
    mine = gc.Archive(made)
    for number, segment in enumerate(stored.reader.contents.bulk):
        ours, theirs = (each.reader.bulk(number).read(0, segment.raw_size) for each in (mine, stored))
        assert np.array_equal(ours, theirs)


def test_the_json_has_the_values(tmp_path: Path) -> None:
    stored = json.loads((written.PYTHON / "simulation.json").read_text())
    assert stored == json.loads(json.dumps(written.as_json(written.simulation())))
    written.write_series(tmp_path / "run.gcseries")
    assert (tmp_path / "run.gcseries").read_bytes() == (written.PYTHON / "run.gcseries").read_bytes()
