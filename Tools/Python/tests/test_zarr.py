"""Archives as stores of Zarr, with and without copies of their chunks."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import graphcodable as gc

zarr = pytest.importorskip("zarr")

COUNT = 300_001
SMOOTH = np.sin(np.arange(COUNT) / 1000)
NOISE = np.random.default_rng(1).integers(0, 1 << 60, COUNT)
STATE: dict[str, Any] = {
    "energy": 1.5,
    "smooth": SMOOTH,
    "noise": NOISE,
    "vectors": np.arange(COUNT * 3, dtype="f4").reshape(-1, 3),
    "rows": np.arange(3000 * 75, dtype="f8").reshape(-1, 75),
    "short": np.arange(5, dtype="i2"),
    "structs": np.array([(i, i * 2.5) for i in range(3000)], [("n", "i4"), ("x", "f8")]),
    "flags": NOISE % 2 == 0,
    "inner": {"x": np.arange(3000.0)},
}


@pytest.fixture
def data() -> bytes:
    return gc.encode({"state": STATE, "other": 1}, metadata={"run": "a"})


def test_a_store_has_the_arrays_as_they_are(data: bytes) -> None:
    from graphcodable.zarr_store import GraphCodableStore

    group = zarr.open_group(GraphCodableStore(gc.Archive(data)), mode="r")
    assert dict(group.attrs) == {"run": "a"} and sorted(group) == ["other", "state"]
    state = group["state"]
    for name in ("smooth", "noise", "vectors", "rows", "short", "flags"):
        assert np.array_equal(state[name][:], STATE[name]) and state[name].dtype == STATE[name].dtype
    assert state["smooth"].chunks == (65_024,) and state["energy"][()] == 1.5
    assert np.array_equal(state["structs.x"][:], STATE["structs"]["x"])
    assert np.array_equal(state["inner/x"][5:7], [5, 6])
    assert np.array_equal(state["vectors"][-5:, 1], STATE["vectors"][-5:, 1])
    with pytest.raises(Exception, match="read-only|read only"):
        state["smooth"][0] = 1


def test_a_store_checks_every_block(data: bytes) -> None:
    from graphcodable.zarr_store import GraphCodableStore

    segment = gc.Archive(data).reader.contents.bulk[0]
    changed = bytearray(data)
    changed[segment.blocks_offset + int(segment.starts[1]) + 100] ^= 1
    smooth = zarr.open_group(GraphCodableStore(gc.Archive(bytes(changed))), mode="r")["state/smooth"]
    assert smooth[0] == 0
    with pytest.raises(gc.GraphCodableError, match="S11"):
        smooth[:]


def test_xarray_opens_a_store(data: bytes) -> None:
    xarray = pytest.importorskip("xarray")
    from graphcodable.zarr_store import GraphCodableStore

    store = GraphCodableStore(gc.Archive(data))
    opened = xarray.open_zarr(store, group="state", consolidated=False, chunks=None)
    assert np.array_equal(opened.smooth, SMOOTH) and opened.vectors.dims == (f"dim_{COUNT}", "lane_3")


def virtual(path: Path, **options: Any) -> Any:
    pytest.importorskip("obstore")
    pytest.importorskip("virtualizarr")
    from obspec_utils.registry import ObjectStoreRegistry
    from obstore.store import LocalStore

    from graphcodable.virtual import GraphCodableParser

    registry = ObjectStoreRegistry({"file://": LocalStore()})
    return GraphCodableParser(**options)(f"file://{path}", registry)


def test_virtual_stores_read_the_blocks_of_the_file(data: bytes, tmp_path: Path) -> None:
    path = tmp_path / "a.gcodable"
    path.write_bytes(data)
    group = zarr.open_group(virtual(path, group="state"), mode="r")
    assert sorted(group) == ["flags", "noise", "rows", "smooth", "vectors"]
    for name in group:
        assert np.array_equal(group[name][:], STATE[name])
    assert group["noise"][COUNT - 1] == NOISE[-1]


def test_virtual_stores_check_every_block(data: bytes, tmp_path: Path) -> None:
    segment = gc.Archive(data).reader.contents.bulk[0]
    changed = bytearray(data)
    changed[segment.blocks_offset + int(segment.starts[1]) + 100] ^= 1
    path = tmp_path / "a.gcodable"
    path.write_bytes(changed)
    smooth = zarr.open_group(virtual(path, group="state"), mode="r")["smooth"]
    assert smooth[0] == 0
    with pytest.raises(gc.GraphCodableError, match="S11"):
        smooth[:]


def test_entries_of_series_are_virtual_stores(tmp_path: Path) -> None:
    path = tmp_path / "a.gcseries"
    with gc.SeriesWriter(path) as writer:
        for step in range(3):
            writer.append({"x": SMOOTH + step}, step=step)
    for step in range(3):
        group = zarr.open_group(virtual(path, entry=step), mode="r")
        assert np.array_equal(group["x"][:], SMOOTH + step)
