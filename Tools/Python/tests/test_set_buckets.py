"""Sets and series of sets in buckets of S3 servers, and how one of several writers creates a set."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier
from typing import TYPE_CHECKING

import numpy as np
import pytest
from saved import piece_fields, save_set, save_set_of_series

import graphcodable as gc

if TYPE_CHECKING:
    from servers import Bucket

ARRAY = piece_fields("x", [20_000], [(0, "", [0], [10_000]), (1, "", [10_000], [10_000])])


def parts(number: int) -> list[np.ndarray[tuple[int], np.dtype[np.float64]]]:
    return [np.arange(10_000.0) + number, np.arange(10_000, 20_000.0) + number]


def test_series_of_sets(bucket: Bucket, tmp_path: Path) -> None:
    for number in range(12):
        save_set_of_series(tmp_path, number, parts(number), [ARRAY], number, number / 2)
    bucket.put_folder(tmp_path, "runs")
    bucket.store.put("runs/set-000000000012/set.gcodable", b"")
    url, options = bucket.url("runs"), bucket.options
    bucket.forget()
    series = gc.SetSeries(url, storage_options=options)
    assert [entry.step for entry in series] == list(range(12)) and not series.damage
    # The list, an index that is not there, and the manifests, of which one has no bytes.
    assert len(bucket.served()) <= 2 + 12 + 2
    bucket.forget()
    assert series[3].archive_set.array("x")[9_999:10_001].tolist() == [10_002, 10_003]
    assert len(bucket.served()) <= 3
    series[4].verify()
    found = gc.open(url, storage_options=options)
    assert isinstance(found, gc.SetSeries) and len(found) == 12
    assert isinstance(gc.open(found[5].url, storage_options=options), gc.ArchiveSet)


def test_series_of_sets_in_file_systems_of_fsspec(bucket: Bucket, tmp_path: Path) -> None:
    for number in range(3):
        save_set_of_series(tmp_path, number, parts(number), [ARRAY], number, number / 2)
    bucket.put_folder(tmp_path, "runs")
    system, folder = bucket.file_system(), f"{bucket.name}/runs"
    found = gc.open(folder, store=system)
    assert isinstance(found, gc.SetSeries) and len(found) == 3 and not found.damage
    assert found[2].archive_set.array("x")[-1] == 20_001
    manifest = bucket.store.get("runs/set-000000000001/set.gcodable").bytes().to_bytes()
    system.pipe(f"{folder}/set-000000000003/set.gcodable", manifest)
    assert len(gc.SetSeries(folder, store=system)) == 4


def test_what_is_not_there_is_not_found(bucket: Bucket) -> None:
    bucket.store.put("runs/set-000000000000/set.gcodable", b"")
    for path in ("none", "runs/set-000000000000/none", "run"):
        with pytest.raises(FileNotFoundError):
            gc.open(bucket.url(path), storage_options=bucket.options)
        with pytest.raises(FileNotFoundError):
            gc.open(f"{bucket.name}/{path}", store=bucket.file_system())


def test_the_first_of_several_writers_creates_a_set(bucket: Bucket, tmp_path: Path) -> None:
    """Parts have names of their attempt; the manifest is created by `If-None-Match: *`."""
    from obstore.exceptions import AlreadyExistsError

    writers = 8
    together = Barrier(writers)
    for writer in range(writers):
        save_set(tmp_path / f"{writer}", parts(writer), [ARRAY], token=f"3f-{writer}")

    def create(writer: int) -> bool:
        for path in (tmp_path / f"{writer}").glob("part-*"):
            bucket.store.put(f"state/{path.name}", path.read_bytes())
        manifest = (tmp_path / f"{writer}" / "set.gcodable").read_bytes()
        together.wait()
        try:
            bucket.store.put("state/set.gcodable", manifest, mode="create")
        except AlreadyExistsError:
            return False
        return True

    with ThreadPoolExecutor(writers) as pool:
        created = list(pool.map(create, range(writers)))
    assert created.count(True) == 1
    state = gc.open(bucket.url("state"), storage_options=bucket.options)
    assert isinstance(state, gc.ArchiveSet) and state.array("x")[0] == created.index(True)
    state.verify()
    # No writer that comes later replaces it.
    with pytest.raises(AlreadyExistsError):
        bucket.store.put("state/set.gcodable", b"", mode="create")
