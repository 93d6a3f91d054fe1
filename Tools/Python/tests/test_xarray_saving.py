"""What the backend of xarray gives is saved by xarray as NetCDF and Zarr, and comes back as it was: each type of variable."""

from __future__ import annotations

import datetime
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import graphcodable as gc

xarray = pytest.importorskip("xarray")
EPOCH = datetime.datetime(2001, 1, 1, tzinfo=datetime.UTC)
NUMBERS = ("?", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "f2", "f4", "f8")
VALUES: dict[str, Any] = {
    **{f"array of {kind}": lambda step, kind=kind: (np.arange(12).reshape(3, 4) + step).astype(kind) for kind in NUMBERS},
    **{f"number of {kind}": lambda step, kind=kind: np.dtype(kind).type(step) for kind in NUMBERS},
    "empty array": lambda step: np.zeros((0, 3)),
    "vectors": lambda step: np.arange(15.0).reshape(5, 3) + step,
    "cube": lambda step: np.arange(24, dtype="f4").reshape(2, 3, 4) * step,
    "two of one length": lambda step: np.arange(25).reshape(5, 5) + step,
    "no number": lambda step: np.array([np.nan, np.inf, -0.0, step]),
    "text": lambda step: f"text {step} \u00e4\u20ac",
    "integer": lambda step: step - 1,
    "large integer": lambda step: (1 << 63) + step,
    "real": lambda step: step / 3,
    "truth": lambda step: step == 1,
    "date": lambda step: EPOCH + datetime.timedelta(days=step, microseconds=step),
    "duration": lambda step: datetime.timedelta(hours=step, microseconds=7),
}
# What the library of NetCDF has no type for, which xarray refuses to save.
NOT_IN_NETCDF = {"array of f2", "number of f2"}


@pytest.fixture(params=sorted(VALUES))
def name(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def series(name: str, tmp_path: Path) -> Path:
    path = tmp_path / "a.gcseries"
    with gc.SeriesWriter(path, synchronized=False) as writer:
        for step in range(3):
            writer.append({"value": VALUES[name](step)}, step=step, time=step / 2)
    return path


def assert_same(found: Any, expected: Any) -> None:
    xarray.testing.assert_identical(found.load(), expected)
    for each in expected.variables:
        assert found[each].dtype.kind == expected[each].dtype.kind, each
        if expected[each].dtype.kind in "biuf":
            assert found[each].dtype == expected[each].dtype, each


@pytest.mark.parametrize("chunks", [None, {}])
@pytest.mark.parametrize("engine", ["netcdf4", "h5netcdf"])
def test_netcdf(series: Path, name: str, engine: str, chunks: dict[str, int] | None, tmp_path: Path) -> None:
    for module in {"netcdf4": ["netCDF4"], "h5netcdf": ["h5netcdf", "h5py"]}[engine]:
        pytest.importorskip(module)
    with xarray.open_dataset(series, engine="graphcodable", chunks=chunks) as data:
        assert "value" in data.variables
        if name in NOT_IN_NETCDF and engine == "netcdf4":
            with pytest.raises(Exception, match="float16|datatype|<f2|not supported"):
                data.to_netcdf(tmp_path / "a.nc", engine=engine)
            return
        data.to_netcdf(tmp_path / "a.nc", engine=engine)
        with xarray.open_dataset(tmp_path / "a.nc", engine=engine) as found:
            assert_same(found, data.load())


@pytest.mark.parametrize("chunks", [None, {}])
@pytest.mark.filterwarnings("ignore")
def test_zarr(series: Path, name: str, chunks: dict[str, int] | None, tmp_path: Path) -> None:
    pytest.importorskip("zarr")
    with xarray.open_dataset(series, engine="graphcodable", chunks=chunks) as data:
        data.to_zarr(tmp_path / "a.zarr")
        with xarray.open_zarr(tmp_path / "a.zarr", chunks=None) as found:
            assert_same(found, data.load())
