"""Locks of writers, by the module in C and without it, as far as scenarios.json does not have them."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

import graphcodable as gc
from graphcodable.writing import lock_text
from graphcodable.writing.processes import system

pytestmark = pytest.mark.usefixtures("kind")


def test_a_writer_that_a_forked_process_still_has_gives_its_lock_back(tmp_path: Path) -> None:
    path, (ours, theirs) = tmp_path / "a.gcseries", os.pipe()
    writer = gc.SeriesWriter(path)
    child = os.fork()
    if not child:
        os.close(theirs)
        os.read(ours, 1)  # Until the end of the test.
        os._exit(0)
    writer.close()
    gc.SeriesWriter(path).close()
    os.close(theirs)
    os.waitpid(child, 0)
    os.close(ours)


def test_the_lock_says_who_has_it_and_goes_with_the_writer(tmp_path: Path) -> None:
    path = tmp_path / "a.gcseries"
    with gc.SeriesWriter(path):
        data = (tmp_path / "a.gcseries.gcodable-lock").read_bytes()
        found = lock_text.holder(data)
        assert found is not None and found.process == system().process_this() and found.file == path.stat().st_ino
        with pytest.raises(gc.GraphCodableError, match=f"process {os.getpid()} on host") as caught:
            gc.SeriesWriter(path)
        assert caught.value.code == "locked"
    assert os.listdir(tmp_path) == ["a.gcseries"]


def test_a_series_that_loses_its_name_is_not_appended_to(tmp_path: Path) -> None:
    path = tmp_path / "a.gcseries"
    with gc.SeriesWriter(path) as writer:
        writer.append(1)
        path.rename(tmp_path / "b.gcseries")
        with pytest.raises(gc.GraphCodableError, match="moved, removed or replaced"):
            writer.append(2)
        (tmp_path / "b.gcseries").rename(path)
        assert writer.append(2) == 1
    with pytest.raises(ValueError, match="closed"):
        writer.append(3)


def test_a_lock_that_is_replaced_or_gone_is_noticed_at_the_next_append(tmp_path: Path) -> None:
    path, lock = tmp_path / "a.gcseries", tmp_path / "a.gcseries.gcodable-lock"
    with gc.SeriesWriter(path, synchronized=False) as writer:
        writer.append(1)
        own = lock.read_bytes()
        lock.write_bytes(own.replace(b"\nhost ", b"\nhost x"))
        with pytest.raises(gc.GraphCodableError, match="another writer has") as caught:
            writer.append(2)
        assert caught.value.code == "locked"
        for other in (own + b"x", own[:-1], b""):
            lock.write_bytes(other)
            with pytest.raises(gc.GraphCodableError):
                writer.append(2)
        lock.unlink()
        assert writer.append(2) == 1 and lock.read_bytes() == own
