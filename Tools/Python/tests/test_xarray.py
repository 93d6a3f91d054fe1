"""Archives and series as xarray datasets, and Dask."""

from __future__ import annotations

import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import graphcodable as gc
from graphcodable.views.places import reopened

xarray = pytest.importorskip("xarray")

COUNT = 300_000
STATE: dict[str, Any] = {
    "energy": 1.5,
    "title": "a",
    "positions": np.arange(COUNT * 3, dtype="f4").reshape(-1, 3),
    "masses": np.arange(COUNT) / 3,
    "short": np.arange(5),
    "structs": np.array([(i, i * 2.5) for i in range(3000)], [("n", "i4"), ("x", "f8")]),
    "date": gc.Date(86400),
}


@pytest.fixture
def path(tmp_path: Path) -> Path:
    gc.save({"state": STATE, "other": 1}, tmp_path / "a.gcodable", metadata={"run": "a"})
    return tmp_path / "a.gcodable"


@pytest.fixture
def series(tmp_path: Path) -> Path:
    with gc.SeriesWriter(tmp_path / "a.gcseries", synchronized=False) as writer:
        for step in range(6):
            state = {"x": np.arange(200_000.0) + step, "energy": step / 2, "short": np.arange(4) * step, "name": f"s{step}"}
            writer.append({"state": state}, step=10 * step, time=step / 4)
    return tmp_path / "a.gcseries"


def test_a_record_is_a_dataset_whose_arrays_are_lazy(path: Path) -> None:
    data = xarray.open_dataset(path, engine="graphcodable", group="state")
    assert data.sizes == {f"dim_{COUNT}": COUNT, "lane_3": 3, "dim_5": 5, "dim_3000": 3000}
    assert data.attrs == {"run": "a"} and float(data.energy) == 1.5 and data.title.item() == "a"
    assert data.date.values == np.datetime64("2001-01-02", "us") and data.date.encoding["units"] == "seconds since 2001-01-01"
    assert not data.positions._in_memory and not data.masses._in_memory
    for name in ("positions", "masses", "short"):
        assert np.array_equal(data[name].values, STATE[name]) and data[name].dtype == STATE[name].dtype
    for field in ("n", "x"):
        assert np.array_equal(data[f"structs.{field}"], STATE["structs"][field])
    some = data.positions[{f"dim_{COUNT}": [5, 3, COUNT - 1], "lane_3": 1}]
    assert some.values.tolist() == [16, 10, COUNT * 3 - 2]
    assert data["structs.x"][7] == 17.5 and data["structs.n"][5:9:2].values.tolist() == [5, 7]


def test_dimensions_are_named_and_variables_dropped(path: Path) -> None:
    dims = {"positions": ("particle", "axis"), "masses": ("particle",)}
    data = xarray.open_dataset(path, engine="graphcodable", group="state", dims=dims, drop_variables=["short"])
    assert data.positions.dims == ("particle", "axis") and data.masses.dims == ("particle",) and "short" not in data
    with pytest.raises(KeyError):
        xarray.open_dataset(path, engine="graphcodable", group="nothing")


def test_files_are_known_by_their_names_and_bytes_are_opened(path: Path) -> None:
    assert float(xarray.open_dataset(path, group="state").energy) == 1.5
    assert int(xarray.open_dataset(path.read_bytes(), engine="graphcodable").other) == 1


def test_chunks_are_blocks(path: Path) -> None:
    pytest.importorskip("dask.array")
    data = xarray.open_dataset(path, engine="graphcodable", group="state", chunks={})
    assert data.masses.chunks[0][0] == 65_024
    assert float(data.masses.sum().compute(scheduler="threads", num_workers=2)) == pytest.approx(np.sum(STATE["masses"]))


def test_entries_of_a_series_are_steps(series: Path) -> None:
    data = xarray.open_dataset(series, engine="graphcodable", group="state")
    assert data.x.shape == (6, 200_000) and data.step.values.tolist() == [0, 10, 20, 30, 40, 50]
    assert data.time.values.tolist() == [0, 0.25, 0.5, 0.75, 1, 1.25]
    assert data.energy.values.tolist() == [0, 0.5, 1, 1.5, 2, 2.5]
    assert data.name.values.tolist() == [f"s{step}" for step in range(6)]
    assert data.x.sel(step=30)[7] == 10 and data.short[2].values.tolist() == [0, 2, 4, 6]
    assert data.x[1:5:2, ::100_000].values.tolist() == [[1, 100_001], [3, 100_003]]
    one = xarray.open_dataset(series, engine="graphcodable", group="state", entry=-1)
    assert one.x[0] == 5 and int(one.step) == 50


def test_entries_of_other_shapes_are_an_error(tmp_path: Path) -> None:
    with gc.SeriesWriter(tmp_path / "a.gcseries") as writer:
        writer.append({"x": np.zeros(3000)})
        writer.append({"x": np.zeros(3001)})
    data = xarray.open_dataset(tmp_path / "a.gcseries", engine="graphcodable")
    with pytest.raises(gc.GraphCodableError, match="entry 1"):
        data.x.load()


def test_a_file_that_was_replaced_is_an_error_elsewhere(path: Path) -> None:
    column = pickle.dumps(xarray.open_dataset(path, engine="graphcodable", group="state", cache=False))
    assert pickle.loads(column).masses[5] == 5 / 3
    gc.save({"state": {"masses": -STATE["masses"]}}, path, compressed=False)
    reopened.cache_clear()  # As in another process.
    with pytest.raises(gc.GraphCodableError, match="changed"):
        pickle.loads(column).masses[5].load()
    assert pickle.loads(pickle.dumps(xarray.open_dataset(path, group="state"))).masses[5] == -5 / 3


def test_damage_is_an_error_where_it_is_read(path: Path) -> None:
    data = bytearray(path.read_bytes())
    archive = gc.Archive(bytes(data))
    data[archive.reader.contents.segments[0].blocks_offset + 5] ^= 1
    damaged = xarray.open_dataset(bytes(data), engine="graphcodable", group="state")
    assert damaged.masses[0] == 0
    with pytest.raises(gc.GraphCodableError, match="S11"):
        damaged.positions[:5].load()


def test_two_processes_reduce_a_series(series: Path) -> None:
    distributed = pytest.importorskip("distributed")
    cluster: Any = distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None, host="127.0.0.1"
    )
    with cluster, distributed.Client(cluster):
        data = xarray.open_dataset(series, engine="graphcodable", group="state", chunks={})
        sums = data.x.sum("dim_200000").compute()
        assert sums.values.tolist() == [(np.arange(200_000.0) + step).sum() for step in range(6)]
