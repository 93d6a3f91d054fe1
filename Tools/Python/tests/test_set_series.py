"""Series of sets."""

from __future__ import annotations

import json
import math
import pickle
import random
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import corpus
import hypothesis
import hypothesis.strategies as st
import numpy as np
import pytest
from forge import resealed
from saved import TOKEN, Counting, Known, piece_fields, save_index, save_set_of_series

import graphcodable as gc
from graphcodable.__main__ import main
from graphcodable.columns import reopened
from graphcodable.folders import FolderSeries

X = np.arange(5_000.0)
STRUCTS = np.array([(n, [n, n / 2]) for n in range(40)], [("n", "<i4"), ("v", "<f8", 2)])
ARRAYS = [
    piece_fields("x", [5_000], [(0, "own", [0], [2_000]), (1, "state.own", [2_000], [3_000])]),
    piece_fields("structs", [40], [(1, "structs", [0], [40])]),
]
Said = tuple[int, int, float, dict[str, str]]  # Number, step, time, metadata.
SAVED: list[Said] = [(0, 10, 0.5, {}), (2, -20, math.inf, {"run": "ä", "b": ""}), (3, 30, 1.5, {"run": "c"})]


def parts(number: int) -> list[Any]:
    state = {"own": X[2_000:] + number, "name": f"s{number}"}
    return [{"own": X[:2_000] + number, "n": number}, {"state": state, "structs": STRUCTS}]


def save(folder: Path) -> list[Known]:
    folder.mkdir()
    return [save_set_of_series(folder, n, parts(n), ARRAYS, step, time, about) for n, step, time, about in SAVED]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A series whose index is up to date."""
    result = tmp_path / "runs"
    save_index(result, save(result))
    (result / "gcodable-lock").touch()
    return result


def opened(folder: object, **options: Any) -> gc.SetSeries:
    series = gc.open(folder, **options)  # type: ignore[arg-type]
    assert isinstance(series, gc.SetSeries)
    return series


def listed(series: gc.SetSeries) -> list[Said]:
    return [(entry.number, entry.step, entry.time, entry.metadata) for entry in series]


def known(series: gc.SetSeries) -> list[Known]:
    return [Known(e.number, e.step, e.time, e.metadata, e.byte_count, e.manifest_hash) for e in series]


def manifest(folder: Path, number: int) -> Path:
    return folder / f"set-{number:012}" / "set.gcodable"


def count_reads(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The names of the files that are read as a whole from now on."""
    names: list[str] = []
    read = gc.directory.LocalDirectory.read

    def counted(self: gc.directory.LocalDirectory, name: str) -> bytes:
        names.append(name)
        return read(self, name)

    monkeypatch.setattr(gc.directory.LocalDirectory, "read", counted)
    return names


# The list


@pytest.mark.parametrize("index", ["whole", "gone", "damaged", "old", "of another kind", "of fewer fields", "of too few numbers"])
def test_sets_are_listed_whatever_the_index_is(folder: Path, index: str, monkeypatch: pytest.MonkeyPatch) -> None:
    path, whole = folder / "index.gcodable", known(opened(folder))
    data = bytearray(path.read_bytes())
    data[-1] ^= 1
    changes: dict[str, Callable[[], object]] = {
        "whole": lambda: None,
        "gone": path.unlink,
        "damaged": lambda: path.write_bytes(data),
        "old": lambda: save_index(folder, whole[:1]),
        "of another kind": lambda: gc.save([1], path),
        "of fewer fields": lambda: save_index(folder, whole, lambda fields: fields.pop("times")),
        "of too few numbers": lambda: save_index(folder, whole, lambda fields: fields.update(nextNumber=3)),
    }
    changes[index]()
    names = count_reads(monkeypatch)
    series = gc.SetSeries(folder)
    assert listed(series) == SAVED and not series.damage and known(series) == whole
    assert names.count("set.gcodable") == {"whole": 0, "old": 2}.get(index, 3)
    series.verify()


def test_entries_open_the_sets(folder: Path) -> None:
    series = opened(folder)
    entry = series[-1]
    assert entry.url == str(folder / "set-000000000003") and series.url == str(folder)
    with entry.archive_set as found:
        assert (found.step, found.time, found.metadata, found.part_count) == (30, 1.5, {"run": "c"}, 2)
        assert found.array("x")[1_999:2_001].tolist() == [2_002, 2_003] and found.url == entry.url
        assert entry.byte_count == sum(part.size for part in found.parts) == found.size - manifest(folder, 3).stat().st_size
    assert series.size == sum(path.stat().st_size for path in folder.glob("set-*/part-*"))
    assert [each.number for each in series[1:]] == [2, 3] and repr(series) == f"<SetSeries of 3 sets, {series.size} bytes>"


@pytest.mark.parametrize("kind", [gc.SetSeries, FolderSeries, gc.Series])
def test_entries_are_found_by_step_and_time(tmp_path: Path, kind: type) -> None:
    saved = [(5, 0.0), (7, 1.0), (5, 2.0), (9, math.nan), (8, math.inf)]
    if kind is gc.SetSeries:
        for number, (step, time) in enumerate(saved):
            save_set_of_series(tmp_path, number, [{}], [], step, time)
    elif kind is gc.Series:
        with gc.SeriesWriter(tmp_path / "a.gcseries", synchronized=False) as writer:
            for step, time in saved:
                writer.append(1, step=step, time=time)
    else:
        for number, (step, time) in enumerate(saved):
            about = {"gcseries.number": str(number), "gcseries.step": str(step), "gcseries.time": str(time)}
            gc.save(1, tmp_path / f"entry-{number:012}.gcodable", metadata=about)
    series = gc.open(tmp_path / "a.gcseries" if kind is gc.Series else tmp_path)
    assert isinstance(series, (gc.Series, gc.SetSeries)) and type(series) is kind

    def found(entry: gc.Entry | gc.SetEntry | None) -> int | None:
        return None if entry is None else entry.number

    assert [found(series.entry_at_step(step)) for step in (5, 7, 6)] == [2, 1, None]
    times = (-1.0, 0.5, 1.6, 1e300, math.inf, -math.inf, math.nan)
    assert [found(series.entry_nearest_to_time(time)) for time in times] == [0, 1, 2, 2, 4, 4, None]


def test_other_names_are_no_sets(folder: Path) -> None:
    for name in ("set-1", "set-0000000000001", "set-000000000001.txt", ".set-000000000001-abc", f"set-{2**63 - 1}"):
        shutil.copytree(folder / "set-000000000000", folder / name)
    (folder / "set-000000000001").mkdir()  # It is being written.
    (folder / "set-000000000004").touch()
    series = opened(folder)
    assert listed(series) == SAVED and not series.damage
    shutil.copytree(folder / "set-000000000000", folder / f"set-{2**63 - 2}")
    assert opened(folder)[-1].number == 2**63 - 2


def test_an_empty_manifest_is_no_set_and_no_damage(folder: Path) -> None:
    (folder / "set-000000000009").mkdir()
    manifest(folder, 9).touch()
    series = opened(folder)
    series.verify()
    assert listed(series) == SAVED and not series.damage
    with pytest.raises(FileNotFoundError):
        gc.ArchiveSet(folder / "set-000000000009")
    with pytest.raises(gc.GraphCodableError, match="neither") as caught:
        gc.open(folder / "set-000000000009")
    assert caught.value.rule == "R4"
    # With parts beside it, its bytes are lost.
    (folder / "set-000000000009/part-00000-of-00001.1x9k2.gcodable").touch()
    series = opened(folder)
    assert listed(series) == SAVED and [error.code for error in series.damage] == ["damaged"]


def test_folders_without_sets_are_refused_unless_they_were_begun(tmp_path: Path) -> None:
    assert len(gc.SetSeries(tmp_path)) == 0
    (tmp_path / "notes").touch()
    with pytest.raises(gc.GraphCodableError) as caught:
        gc.SetSeries(tmp_path)
    assert caught.value.rule == "R4" and caught.value.code == "notAnArchive"
    (tmp_path / "gcodable-lock").touch()
    assert len(gc.SetSeries(tmp_path)) == 0
    with pytest.raises(FileNotFoundError):
        gc.SetSeries(tmp_path / "none")


# Damage


def test_a_set_that_the_index_names_and_that_is_gone_was_lost(folder: Path) -> None:
    shutil.rmtree(folder / "set-000000000002")
    series = opened(folder)
    assert listed(series) == [SAVED[0], SAVED[2]]
    (error,) = series.damage
    assert error.code == "damaged" and "set-000000000002, step -20, is lost" in str(error)
    with pytest.raises(gc.GraphCodableError, match="lost"):
        series.verify()
    save_index(folder, known(series))  # The set was removed.
    opened(folder).verify()


def test_a_set_that_comes_or_goes_while_the_folder_is_listed_is_not_lost(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    names = gc.directory.LocalDirectory.names
    directory = gc.directory.LocalDirectory

    def early(self: gc.directory.LocalDirectory) -> list[str]:
        return [name for name in names(self) if name != "set-000000000003"]

    with monkeypatch.context() as context:
        context.setattr(directory, "names", early)
        series = opened(folder)
        assert listed(series) == SAVED and not series.damage

    whole = known(opened(folder))

    def remove(self: gc.directory.LocalDirectory, name: str) -> bool:
        save_index(folder, [each for each in whole if each.number != 2])
        return False

    shutil.rmtree(folder / "set-000000000002")
    monkeypatch.setattr(directory, "has", remove)
    series = opened(folder)
    assert listed(series) == [SAVED[0], SAVED[2]] and not series.damage


@pytest.mark.parametrize("has_index", [True, False])
def test_a_manifest_that_cannot_be_read_is_damage(folder: Path, has_index: bool) -> None:
    data = bytearray(manifest(folder, 2).read_bytes())
    data[-1] ^= 1
    manifest(folder, 2).write_bytes(data)
    if not has_index:
        (folder / "index.gcodable").unlink()
        series = opened(folder)
        assert listed(series) == [SAVED[0], SAVED[2]]
        (error,) = series.damage
        assert (error.code, error.rule) == ("damaged", "C1") and "set-000000000002" in str(error)
    else:  # Which spares reading it.
        assert listed(opened(folder)) == SAVED
    with pytest.raises(gc.GraphCodableError, match="C1"):
        opened(folder).verify()


def test_what_stands_in_the_place_of_a_manifest_is_damage(folder: Path) -> None:
    (folder / "index.gcodable").unlink()
    manifest(folder, 2).unlink()
    manifest(folder, 2).mkdir()
    series = opened(folder)
    assert listed(series) == [SAVED[0], SAVED[2]] and [error.code for error in series.damage] == ["file"]


def test_another_set_in_the_place_of_the_listed_one_is_an_error(folder: Path) -> None:
    series = opened(folder)
    save_set_of_series(folder, 2, parts(7), ARRAYS, 5, 0)
    with pytest.raises(gc.GraphCodableError, match="another set") as caught:
        series[1].archive_set
    assert caught.value.code == "damaged"
    shutil.rmtree(folder / "set-000000000000")
    with pytest.raises(FileNotFoundError):
        series[0].archive_set


def test_a_part_that_is_missing_is_an_error_when_it_is_read(folder: Path) -> None:
    (folder / "set-000000000002" / f"part-00001-of-00002.{TOKEN}.gcodable").unlink()
    series = opened(folder)
    assert listed(series) == SAVED
    with series[1].archive_set as found:
        assert found.part(0).root.n == 2 and found.array("x")[5] == 7
        for use in (lambda: found.array("x")[2_000], lambda: found.part(1), found.check, series[1].verify, series.verify):
            with pytest.raises(gc.GraphCodableError, match="part-00001-of-00002.* is not there") as caught:
                use()
            assert caught.value.code == "damaged"


def test_an_index_that_says_other_things_than_manifests_is_found(folder: Path) -> None:
    whole = known(opened(folder))
    whole[1].step = 99
    save_index(folder, whole)
    assert opened(folder)[1].step == 99
    with pytest.raises(gc.GraphCodableError, match="index says other things of set-000000000002"):
        opened(folder).verify()


def test_indices_with_changed_bytes_raise_no_other_error(folder: Path) -> None:
    data = (folder / "index.gcodable").read_bytes()
    whole, numbers = gc.Archive(data), random.Random(2)
    for _ in range(300):
        changed = bytearray(data)
        for _ in range(numbers.choice((1, 1, 2, 4))):
            place = numbers.randrange(40, len(data))
            changed[place] = numbers.choice((0, 1, 2, 3, 255, numbers.randrange(256), changed[place] ^ 1))
        (folder / "index.gcodable").write_bytes(resealed(bytes(changed), whole))
        series = gc.SetSeries(folder)
        # Whatever the index says, the sets are there.
        assert {entry.number for entry in series} >= {0, 2, 3}
        series.to_dataframe()
        for entry in series:
            try:
                entry.archive_set.close()
            except gc.GraphCodableError as error:
                assert str(error)


FIELDS = ("nextNumber", "numbers", "steps", "times", "byteCounts", "hashes", "pairCounts", "texts")
VALUES = st.one_of(
    st.none(), st.booleans(), st.integers(-(1 << 63), (1 << 64) - 1), st.floats(), st.text(max_size=3),
    st.lists(st.integers(-(1 << 63), (1 << 63) - 1), max_size=4), st.lists(st.floats(), max_size=4),
    st.lists(st.text(max_size=3), max_size=4), st.lists(st.integers(-1, 12), min_size=3, max_size=3),
)  # fmt: skip


@hypothesis.settings(suppress_health_check=[hypothesis.HealthCheck.function_scoped_fixture], deadline=None, max_examples=80)
@hypothesis.given(fields=st.dictionaries(st.sampled_from(FIELDS), VALUES, min_size=1))
def test_indices_with_any_values_raise_no_error(folder: Path, fields: dict[str, Any]) -> None:
    whole = [Known(number, step, time, about) for number, step, time, about in SAVED]
    save_index(folder, whole, lambda index: index.update(fields))
    series = gc.SetSeries(folder)
    assert {entry.number for entry in series} >= {0, 2, 3}
    assert all(isinstance(entry.step, int) and isinstance(entry.time, float) for entry in series)


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
    with pytest.raises(gc.GraphCodableError, match="entry 1"):
        data.x.load()


# The command


def test_the_command_looks_into_series_of_sets(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    series = opened(folder)
    assert main(["info", str(folder)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == f"{folder}: series of sets, 3 sets, {series.size:,} bytes"
    assert lines[1].split() == ["set", "step", "time", "bytes", "metadata"]
    assert lines[4].split() == ["3", "30", "1.5", f"{series[2].byte_count:,}", "run=c"]
    assert main(["ls", str(folder)]) == 0
    assert capsys.readouterr().out.splitlines()[0] == "x        float64  5,000  40,000 bytes  in 2 parts"
    assert main(["ls", "--entry", "2", "--part", "1", str(folder), "state.name"]) == 0
    assert capsys.readouterr().out == '"s2"\n'
    assert main(["info", "--json", str(folder)]) == 0
    whole = json.loads(capsys.readouterr().out)
    assert (whole["kind"], whole["bytes"], whole["damage"]) == ("setSeries", series.size, [])
    assert whole["entries"][1] == {
        "number": 2, "step": -20, "time": "inf", "metadata": {"run": "ä", "b": ""}, "bytes": series[1].byte_count,
    }  # fmt: skip
    assert main(["info", "--json", "--entry", "0", str(folder)]) == 0
    one = json.loads(capsys.readouterr().out)
    assert (one["kind"], one["entry"], one["step"], len(one["parts"])) == ("set", 0, 10, 2)
    for wrong in (["ls", "--entry", "1"], ["ls", "--part", "2"], ["dump"]):
        assert main([*wrong, str(folder)]) == 1
    capsys.readouterr()


def test_verify_names_the_set_and_the_part(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["verify", str(folder)]) == 0
    assert capsys.readouterr().out == f"{folder}: OK, 3 sets\n"
    (folder / "set-000000000000" / f"part-00001-of-00002.{TOKEN}.gcodable").unlink()
    manifest(folder, 2).unlink()
    damaged = folder / "set-000000000003" / f"part-00000-of-00002.{TOKEN}.gcodable"
    data = bytearray(damaged.read_bytes())
    data[gc.Archive(bytes(data))._contents.segments[0].blocks_offset + 9] ^= 1
    damaged.write_bytes(data)
    assert main(["verify", str(folder)]) == 1
    lines = capsys.readouterr().out.splitlines()
    assert [line.removeprefix(f"{folder}, ").partition(": ")[0] for line in lines] == ["entry 0", "entry 2", "entry 3"]
    assert main(["verify", "--json", str(folder)]) == 1
    (report,) = json.loads(capsys.readouterr().out)
    assert (report["kind"], report["entries"], report["ok"]) == ("setSeries", 3, False)
    about = [(each["entry"], each.get("part"), each["code"], each["rule"]) for each in report["problems"]]
    assert about == [(0, 1, "damaged", None), (2, None, "file", None), (3, 0, "damaged", "S11")]


def test_verify_names_sets_that_were_lost(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    shutil.rmtree(folder / "set-000000000002")
    assert main(["verify", str(folder)]) == 1
    assert capsys.readouterr().out == f"{folder}: set-000000000002, step -20, is lost: the index names it\n"


def test_sets_that_swift_has_written_form_a_series(tmp_path: Path) -> None:
    """The index of `run` is that of a series of archives, which has the same form."""
    for number in range(4):
        shutil.copytree(corpus.FOLDER / "swift" / "state", tmp_path / f"set-{number:012}")
    series = opened(tmp_path)
    series.verify()
    assert listed(series) == [(number, 7, 3.5, {"kind": "test"}) for number in range(4)]
    shutil.copy(corpus.FOLDER / "swift" / "run" / "index.gcodable", tmp_path)
    series = opened(tmp_path)
    assert listed(series) == [(number, number, number / 2, {"step": str(number)}) for number in range(4)]
    with pytest.raises(gc.GraphCodableError, match="another set"):
        series[1].archive_set
