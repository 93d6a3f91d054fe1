"""What users of xarray expect of runs: types that hold for all entries, descriptors that come back, results that are theirs."""

from __future__ import annotations

import gc as collector
import os
import pickle
import resource
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import effort
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

import graphcodable as gc
from graphcodable.format import native
from graphcodable.views.exact import exact
from graphcodable.views.places import reopened

xarray = pytest.importorskip("xarray")
CHUNKS: list[Any] = [None, {}] if find_spec("dask") else [None]


def run_of(path: Path, *states: Any) -> Path:
    with gc.SeriesWriter(path, synchronized=False) as writer:
        for number, state in enumerate(states):
            writer.append(state, step=number)
    return path


def opened(path: Path | str | bytes, **options: Any) -> Any:
    return xarray.open_dataset(path, engine="graphcodable", **options)


# Types


@pytest.mark.parametrize("chunks", CHUNKS)
def test_variables_have_a_type_with_room_for_all_entries(tmp_path: Path, chunks: Any) -> None:
    first = {"energy": 0, "p": np.zeros(5000, "f4"), "n": np.zeros(5000, "i4"), "name": "a", "s": np.zeros(3, "i1")}
    second = {
        "energy": 0.75, "p": np.full(5000, 1e300), "n": np.full(5000, (1 << 40) + 1), "name": "longer", "s": np.full(3, 200, "u1"),
    }  # fmt: skip
    data = opened(run_of(tmp_path / "a.gcseries", first, second), chunks=chunks)
    assert [str(data[name].dtype) for name in ("energy", "p", "n", "s")] == ["float64", "float64", "int64", "int16"]
    assert data.energy.values.tolist() == [0, 0.75] and data.name.values.tolist() == ["a", "longer"]
    assert data.p[1, 7] == 1e300 and data.n[1, 7] == (1 << 40) + 1 and data.n[0, 7] == 0
    assert data.s.values.tolist() == [[0] * 3, [200] * 3]


@pytest.mark.parametrize(
    "second", [{"x": "text"}, {"x": True}, {"x": None}, {"x": {"y": 1}}, {"x": [1, 2]}, {"x": (1 << 53) + 1}, {"x": gc.Date(1)}, {}]
)
def test_values_that_do_not_fit_are_an_error_that_names_the_entry(tmp_path: Path, second: dict[str, Any]) -> None:
    data = opened(run_of(tmp_path / "a.gcseries", {"x": 0.5, "y": 1}, {**second, "y": 2}))
    assert data.y.values.tolist() == [1, 2] and data.x[0] == 0.5
    with pytest.raises(gc.GraphCodableError, match="^x .* entry 1"):
        data.x.load()
    assert list(opened(tmp_path / "a.gcseries", drop_variables="x")) == ["y"]


def test_texts_that_are_none_are_an_error_that_names_the_entry(tmp_path: Path) -> None:
    path = run_of(tmp_path / "a.gcseries", {"x": "a", "y": 1}, {"x": 0.5, "y": 2})
    with pytest.raises(gc.GraphCodableError, match="entry 1"):
        opened(path)
    assert opened(path, drop_variables=["x"]).y.values.tolist() == [1, 2]


NUMBERS = st.one_of(
    st.integers(-(1 << 63), (1 << 64) - 1), st.floats(), st.booleans(),
    st.text(st.characters(codec="ascii", min_codepoint=32), max_size=5),
    st.none(), st.floats(width=32).map(np.float32), st.integers(-(1 << 15), (1 << 15) - 1).map(np.int16),
)  # fmt: skip
TYPES = ("i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "f2", "f4", "f8", "?")
FIELDS = st.one_of(NUMBERS, st.sampled_from(TYPES).flatmap(lambda dtype: arrays.arrays(dtype, st.sampled_from([3, 5]))))


def is_same(read: Any, written: Any) -> bool:
    """Whether a value is the one that was written, whatever its type is now."""
    if isinstance(written, str) or isinstance(read.item() if read.ndim == 0 else None, str):
        return bool(read.item() == written)
    mine, its = read.reshape(-1).tolist(), np.asarray(written).reshape(-1).tolist()
    return len(mine) == len(its) and all(a == b or (a != a and b != b) for a, b in zip(mine, its))


@settings(max_examples=10_000 if effort.IS_THOROUGH else 150)
@given(st.lists(FIELDS, min_size=1, max_size=4), st.booleans())
def test_random_types_over_runs_are_as_written_or_an_error(
    tmp_path_factory: pytest.TempPathFactory, values: list[Any], lazily: bool
) -> None:
    path = tmp_path_factory.getbasetemp() / "random.gcseries"
    path.unlink(missing_ok=True)
    run_of(path, *({"x": value} for value in values))
    try:
        data = opened(path, chunks={} if lazily and len(CHUNKS) > 1 else None)
        if "x" not in data:
            assert values[0] is None
            return
        read = data.x.load().values
    except gc.GraphCodableError as error:
        assert "entry" in str(error)
        return
    assert all(is_same(np.asarray(read[number]), value) for number, value in enumerate(values))
    data.close()


@pytest.mark.parametrize(
    ("value", "dtype"),
    [(-1, "u8"), (1 << 63, "i8"), ((1 << 53) + 1, "f8"), (2.0, "i8"), (1e300, "f4"), (70000, "u2"), (True, "i8"), ("abc", "U2")],
)
def test_conversions_change_no_value(value: Any, dtype: str) -> None:
    with pytest.raises(gc.GraphCodableError, match="in entry 7"):
        exact(np.asarray(value), np.dtype(dtype), "x", "entry 7")


# Arguments and results


def test_results_are_the_callers_and_files_stay(tmp_path: Path) -> None:
    state = {"a": np.arange(300_000.0), "b": np.arange(3), "c": 1.5, "s": np.zeros(5000, [("x", "f8"), ("n", "i4")])}
    for compressed in (True, False):
        gc.save(state, tmp_path / "a.gcodable", compressed=compressed)
        for chunks in CHUNKS:
            data = opened(tmp_path / "a.gcodable", chunks=chunks)
            loaded = data.load()
            for name in ("a", "b", "s.x", "s.n"):
                loaded[name][1] = 77
                assert loaded[name][1] == 77
            loaded.c[()] = 3
            again = opened(tmp_path / "a.gcodable")
            assert again.a[1] == 1 and again["s.x"][1] == 0 and again.c == 1.5
            few = again.a[5:9].load()
            few[0] = -1
            assert again.a[5] == 5 and again.a[5:9].values.tolist() == [5, 6, 7, 8]


def test_what_is_read_without_xarray_is_not_written_to() -> None:
    archive = gc.Archive(gc.encode({"a": np.arange(200_000)}))
    array = archive.root.a
    mine = array.writable(slice(3, 9))
    mine[:] = 0
    assert array[3:9].tolist() == [3, 4, 5, 6, 7, 8] and not array[3:9].flags.writeable and not array[:].flags.writeable
    whole = array.writable()
    whole[:] = 0
    assert array[199_999] == 199_999


def test_dates_are_decoded_unless_they_are_not_to_be(tmp_path: Path) -> None:
    dates = [gc.Date(86400.5), gc.Date(63_113_904_000.0)]  # The second one is `Date.distantFuture`.
    gc.save({"one": gc.Date(86400), "far": dates[1], "all": dates, "never": gc.Date(float("inf"))}, tmp_path / "a.gcodable")
    data = opened(tmp_path / "a.gcodable")
    assert data.one.values == np.datetime64("2001-01-02") and data.far.values == np.datetime64("4001-01-01", "us")
    assert data["all"].values[0] == np.datetime64("2001-01-02T00:00:00.5") and data.never.attrs["units"]
    for options in ({"decode_times": False}, {"decode_cf": False}):
        plain = opened(tmp_path / "a.gcodable", **options)
        assert plain.one == 86400 and plain.one.attrs["units"] == "seconds since 2001-01-01"
    others = {"mask_and_scale": False, "concat_characters": False, "decode_coords": False, "decode_timedelta": False}
    assert opened(tmp_path / "a.gcodable", **others).one.values == np.datetime64("2001-01-02")
    entries = opened(run_of(tmp_path / "a.gcseries", {"d": dates[0]}, {"d": dates[1]}))
    assert entries.d.values.tolist() == data["all"].values.tolist()


def test_relative_paths_and_those_of_home_are_found_from_everywhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    gc.save({"a": np.arange(5000)}, tmp_path / "a.gcodable")
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    sent = [pickle.dumps(opened(Path(name) if name[0] == "a" else name, cache=False)) for name in ("a.gcodable", "~/a.gcodable")]
    monkeypatch.setenv("HOME", "/nowhere")
    monkeypatch.chdir("/")
    reopened.cache_clear()  # As in another process.
    for each in sent:
        assert pickle.loads(each).a[4999] == 4999
    reopened.cache_clear()


def test_datasets_of_bytes_say_that_they_cannot_be_sent() -> None:
    with pytest.raises(TypeError, match="path or address"):
        pickle.dumps(opened(gc.encode({"a": np.arange(5000)}), cache=False))


@pytest.mark.parametrize("method", ["fork", "spawn"])
def test_processes_read_a_dataset_that_was_opened_before(tmp_path: Path, method: str) -> None:
    run_of(tmp_path / "a.gcseries", *({"x": np.arange(20_000.0) * number} for number in range(8)))
    program = """
import multiprocessing, sys, xarray
def total(data): return [float(data.x[number, 1]) for number in range(8)]
if __name__ == "__main__":
    data = xarray.open_dataset(sys.argv[1], engine="graphcodable", cache=False)
    total(data)
    with multiprocessing.get_context(sys.argv[2]).Pool(4) as pool:
        assert pool.map(total, [data] * 12) == [[0, 1, 2, 3, 4, 5, 6, 7]] * 12
"""
    (tmp_path / "program.py").write_text(program)
    command = [sys.executable, str(tmp_path / "program.py"), str(tmp_path / "a.gcseries"), method]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr


# Names


def test_dimensions_of_one_length_have_two_names(tmp_path: Path) -> None:
    state = {"cube": np.zeros((5, 300, 300)), "square": np.zeros((300, 300)), "four": np.zeros((7, 7, 7, 7))}
    gc.save(state, tmp_path / "a.gcodable")
    data = opened(tmp_path / "a.gcodable")
    assert data.cube.dims == ("dim_5", "lane_300", "lane_300_2") and data.square.dims == ("dim_300", "lane_300")
    assert data.four.dims == ("dim_7", "lane_7", "lane_7_2", "lane_7_3")
    assert data.cube.isel(lane_300=0).dims == ("dim_5", "lane_300_2")
    with pytest.raises(ValueError, match="cube"):
        opened(tmp_path / "a.gcodable", dims={"cube": ("x", "y", "y")})


def test_values_with_the_names_of_coordinates_are_there(tmp_path: Path) -> None:
    path = run_of(tmp_path / "a.gcseries", {"time": 5, "step": 1.5}, {"time": 6, "step": 2.5})
    for data in (opened(path), opened(path, entry=0)):
        assert set(data) == {"record.time", "record.step"} and set(data.coords) == {"time", "step"}
    assert opened(path)["record.time"].values.tolist() == [5, 6] and opened(path).step.values.tolist() == [0, 1]
    assert set(opened(path, drop_variables="time")) == {"record.step"}


@pytest.mark.parametrize(("entry", "named"), [(2, "no entry 2.*2 entries"), (-3, "no entry -3"), ("0", "entry is '0'")])
def test_entries_that_are_not_there_are_named(tmp_path: Path, entry: Any, named: str) -> None:
    path = run_of(tmp_path / "a.gcseries", {"x": 1}, {"x": 2})
    with pytest.raises(ValueError, match=named):
        opened(path, entry=entry)
    assert opened(path, entry=np.int64(-1)).x == 2
    gc.save({"x": 1}, tmp_path / "a.gcodable")
    with pytest.raises(ValueError, match="an archive has no entries"):
        opened(tmp_path / "a.gcodable", entry=0)


def test_a_single_dimension_may_be_named_by_a_text(tmp_path: Path) -> None:
    path = run_of(tmp_path / "a.gcseries", {"x": np.zeros(3), "y": np.zeros((3, 3))})
    assert opened(path, dims={"x": "particle", "y": ("particle", "axis")}).x.dims == ("step", "particle")
    with pytest.raises(ValueError, match="y has 2 dimensions"):
        opened(path, dims={"y": "particle"})


def test_relatives_of_types_keep_their_values_or_name_the_entry(tmp_path: Path) -> None:
    state = [{"s": np.zeros(2, [("x", "f4")]), "v": np.zeros((3, 3), "f4"), "h": np.zeros(2, "f2")}]
    state += [{"s": np.full(2, 1e300, [("x", "f8")]), "v": np.full((3, 3), 0.1), "h": np.array([70_000, 70_001])}]
    for chunks in CHUNKS:
        data = opened(run_of(tmp_path / "a.gcseries", *state), chunks=chunks)
        assert data["s.x"].values[1].tolist() == [1e300] * 2 and data.v.values[1].tolist() == [[0.1] * 3] * 3
        assert data.h.values.tolist() == [[0, 0], [70_000, 70_001]]
        for first, second in ((np.array([1 << 63], "u8"), np.array([-1])), (gc.Duration(10**18), 2.0), (1, "text")):
            (tmp_path / "a.gcseries").unlink()
            data = opened(run_of(tmp_path / "a.gcseries", {"x": first}, {"x": second}), chunks=chunks)
            with pytest.raises(gc.GraphCodableError, match="^x .* entry [01]"):
                data.x.load()
        (tmp_path / "a.gcseries").unlink()


# Descriptors


def descriptors() -> int:
    return len(os.listdir("/proc/self/fd"))


@pytest.mark.skipif(not Path("/proc/self/fd").exists(), reason="descriptors are counted elsewhere")
@pytest.mark.parametrize("with_native", [True, False])
@pytest.mark.parametrize("suffix", ["gcodable", "gcseries"])
def test_many_files_take_few_descriptors_and_closing_gives_them_back(
    tmp_path: Path, suffix: str, with_native: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("dask")
    if not with_native:
        monkeypatch.setattr(native, "module", None)
    paths = [tmp_path / f"{number:03}.{suffix}" for number in range(300)]
    for number, path in enumerate(paths):
        if suffix == "gcodable":
            gc.save({"x": np.arange(5000) + number}, path)
        else:
            run_of(path, {"x": np.arange(5000) + number})
    limits, before = resource.getrlimit(resource.RLIMIT_NOFILE), descriptors()
    resource.setrlimit(resource.RLIMIT_NOFILE, (before + 120, limits[1]))
    try:
        options = {"combine": "nested", "concat_dim": "file" if suffix == "gcodable" else "step"}
        data = xarray.open_mfdataset(paths, engine="graphcodable", **options)
        assert data.x.shape == (300, 5000) and int(data.x[:, 1].sum()) == sum(range(1, 301))
        data.close()
        collector.collect()
        assert descriptors() <= before + 1
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, limits)


def test_a_dataset_that_was_closed_opens_its_file_again_if_it_is_the_same(tmp_path: Path) -> None:
    path = run_of(tmp_path / "a.gcseries", {"x": np.arange(5000)})
    data = opened(path, cache=False)
    data.close()
    assert data.x[0, 7] == 7
    data = opened(path, cache=False)
    data.close()
    path.unlink()
    run_of(path, {"x": np.arange(5001)})
    with pytest.raises(gc.GraphCodableError, match="changed"):
        data.x[0, 7].load()


def test_a_dimension_may_be_called_like_a_number_of_the_entry(tmp_path: Path) -> None:
    path = run_of(tmp_path / "a.gcseries", {"a": np.arange(3.0), "b": np.zeros((2, 2))}, {"a": np.ones(3), "b": np.ones((2, 2))})
    data = opened(path, entry=1, dims={"a": ("time",), "b": ("step", "axis")})
    assert data.a.dims == ("time",) and data.b.dims == ("step", "axis") and data["entry.step"] == 1 and data["entry.time"] == 0
