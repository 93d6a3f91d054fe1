"""Series of sets in object stores, and as datasets."""

from __future__ import annotations

import math
import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from saved import TOKEN, Counting, piece_fields, save_set_of_series
from saved_sets import ARRAYS, SAVED, STRUCTS, X, known, listed, opened, parts, save

import graphcodable as gc
from graphcodable.views.places import reopened


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return save(tmp_path / "runs")


# Object stores


@pytest.fixture
def memory(folder: Path) -> Any:
    fsspec = pytest.importorskip("fsspec")
    system = fsspec.filesystem("memory")
    system.store.clear()
    for path in folder.rglob("*"):
        if path.is_file():
            system.pipe(f"/b/runs/{path.relative_to(folder)}", path.read_bytes())
    yield system
    system.store.clear()


def test_series_in_stores_are_listed_and_read(folder: Path, memory: Any) -> None:
    series = opened("memory://b/runs")
    assert listed(series) == SAVED and known(series) == known(opened(folder))
    assert series[0].url == "memory://b/runs/set-000000000000"
    series.verify()
    state = gc.open(series[1].url)
    assert isinstance(state, gc.ArchiveSet) and state.array("x")[1_999:2_001].tolist() == [2_001, 2_002]
    state.check()
    assert listed(opened("b/runs/", store=memory)) == SAVED
    for none in ("memory://b/none", "memory://none", "memory://b/runs/set-000000000000/none"):
        with pytest.raises(FileNotFoundError):
            gc.open(none)
    with pytest.raises(gc.GraphCodableError) as caught:
        gc.open("memory://b")
    assert caught.value.rule == "R4"


def test_series_in_stores_take_few_requests(memory: Any) -> None:
    store = Counting(memory)
    series = gc.SetSeries("/b/runs", store=store)
    assert len(series) == 3 and store.requests == ["ls /b/runs", "cat_file /b/runs/index.gcodable"]
    store.requests.clear()
    memory.rm("/b/runs/index.gcodable")
    assert listed(gc.SetSeries("/b/runs", store=store)) == SAVED
    assert len(store.requests) == 5
    store.requests.clear()
    # A manifest, and of one part a range, with size and time before and behind.
    assert series[0].archive_set.array("x")[3] == 3
    assert len(store.requests) <= 4


def test_damage_in_stores_is_that_of_folders(memory: Any) -> None:
    memory.pipe("/b/runs/set-000000000009/set.gcodable", b"")
    assert listed(opened("memory://b/runs")) == SAVED
    memory.rm(f"/b/runs/set-000000000000/part-00000-of-00002.{TOKEN}.gcodable")
    memory.pipe("/b/runs/set-000000000003/set.gcodable", b"gcodable")
    memory.rm("/b/runs/set-000000000002", recursive=True)
    series = opened("memory://b/runs")
    assert [entry.number for entry in series] == [0, 3] and "set-000000000002" in str(series.damage[0])
    with pytest.raises(gc.GraphCodableError, match="part-00000-of-00002.* is not there"):
        series[0].verify()
    memory.rm("/b/runs/index.gcodable")
    series = opened("memory://b/runs")
    assert [entry.number for entry in series] == [0]
    assert [(error.code, error.rule) for error in series.damage] == [("damaged", "H2")]
    # A writer has removed it, and keeps its number taken.
    memory.pipe("/b/runs/set-000000000000/set.gcodable", b"")
    with pytest.raises(FileNotFoundError):
        series[0].archive_set


def test_series_in_stores_of_obstore(folder: Path) -> None:
    pytest.importorskip("obstore")
    from obstore.store import MemoryStore

    store = MemoryStore()
    for path in folder.rglob("*"):
        if path.is_file():
            store.put(f"b/runs/{path.relative_to(folder)}", path.read_bytes())
    series = opened("b/runs", store=store)
    assert listed(series) == SAVED and series[0].url == "b/runs/set-000000000000"
    series.verify()
    store.put("b/runs/set-000000000009/set.gcodable", b"")
    store.delete("b/runs/index.gcodable")
    assert listed(opened("b/runs", store=store)) == SAVED
    store.delete(f"b/runs/set-000000000002/part-00000-of-00002.{TOKEN}.gcodable")
    with pytest.raises(gc.GraphCodableError, match="is not there"):
        gc.ArchiveSet("b/runs/set-000000000002", store=store).check()
    with pytest.raises(FileNotFoundError):
        gc.SetSeries("b/none", store=store)


# Datasets


def test_sets_of_a_series_are_steps_of_a_dataset(folder: Path) -> None:
    xarray = pytest.importorskip("xarray")
    data = xarray.open_dataset(folder, dims={"x": ("particle",)})
    assert set(data) == {"x", "structs.n", "structs.v"} and data.x.dims == ("step", "particle")
    assert data.step.values.tolist() == [10, -20, 30] and data.time.values.tolist() == [0.5, math.inf, 1.5]
    assert not data.x._in_memory and data.x.encoding["preferred_chunks"] == {"step": 1, "particle": 3_000}
    assert data.x[1:, 1_999:2_001].values.tolist() == [[2_001, 2_002], [2_002, 2_003]]
    assert data.x.sel(step=30)[7] == 10 and data["structs.v"].shape == (3, 40, 2)
    assert np.array_equal(data["structs.v"][1, 3:9, 1], STRUCTS["v"][3:9, 1])
    one = xarray.open_dataset(folder, engine="graphcodable", entry=-1, drop_variables=["structs.n"])
    assert one.x[0] == 3 and int(one.step) == 30 and one.attrs == {"run": "c"} and "structs.n" not in one


def test_parts_have_groups(folder: Path) -> None:
    xarray = pytest.importorskip("xarray")
    whole = xarray.open_dataset(folder, engine="graphcodable", part=1, group="state")
    assert whole.own.shape == (3, 3_000) and whole.own[:, 0].values.tolist() == [2_000, 2_002, 2_003]
    assert whole.name.values.tolist() == ["s0", "s2", "s3"]
    assert int(xarray.open_dataset(folder, engine="graphcodable", part=0, entry=1).n) == 2
    one = xarray.open_dataset(folder / "set-000000000002", engine="graphcodable", part=1, group="state")
    assert one.own[0] == 2_002 and int(one.step) == -20 and one.attrs == {"run": "ä", "b": ""}
    for wrong in ({"group": "state"}, {"entry": 0, "group": "state"}):
        with pytest.raises(ValueError, match="see part"):
            xarray.open_dataset(folder, engine="graphcodable", **wrong)
    gc.save({"x": 1}, folder / "a.gcodable")
    with pytest.raises(ValueError, match="only sets"):
        xarray.open_dataset(folder / "a.gcodable", engine="graphcodable", part=0)


def test_datasets_of_series_are_opened_again_by_other_processes(folder: Path, memory: Any) -> None:
    xarray = pytest.importorskip("xarray")
    for place in (folder, "memory://b/runs"):
        copy = pickle.dumps(xarray.open_dataset(place, engine="graphcodable", cache=False))
        reopened.cache_clear()  # As in another process.
        assert pickle.loads(copy).x[2, 4_000] == 4_003
    copy = pickle.dumps(xarray.open_dataset(folder, engine="graphcodable", cache=False))
    save_set_of_series(folder, 4, parts(4), ARRAYS, 40, 2)
    reopened.cache_clear()
    with pytest.raises(gc.GraphCodableError, match="changed"):
        pickle.loads(copy).x[2, 4_000].load()


def test_dask_reduces_a_series_of_sets(folder: Path) -> None:
    xarray = pytest.importorskip("xarray")
    pytest.importorskip("dask.array")
    data = xarray.open_dataset(folder, engine="graphcodable", chunks={})
    assert data.x.chunks == ((1, 1, 1), (3_000, 2_000))
    sums = data.x.sum("dim_5000").compute(scheduler="threads", num_workers=2)
    assert sums.values.tolist() == [(X + number).sum() for number, *_ in SAVED]


@pytest.mark.parametrize("second", ["shape", "type", "none"])
def test_sets_of_other_shapes_or_types_are_an_error(tmp_path: Path, second: str) -> None:
    xarray = pytest.importorskip("xarray")
    values = {"shape": X[:4_000], "type": X.astype("f4"), "none": X}
    for number, value in enumerate((X, values[second])):
        name = "y" if number and second == "none" else "x"
        save_set_of_series(tmp_path, number, [value], [piece_fields(name, value.shape, [(0, "", [0], value.shape)])], number, 0)
    data = xarray.open_dataset(tmp_path, engine="graphcodable")
    assert data.x[0, 5] == 5
    named = {"shape": r"the shape \(4000,\) in entry 1", "type": "the type float32 in entry 1", "none": "no value in entry 1"}
    with pytest.raises(gc.GraphCodableError, match=named[second]):
        data.x.load()
