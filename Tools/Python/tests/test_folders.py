"""Series in folders, and in parts of object stores."""

from __future__ import annotations

import json
import math
import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from saved import INDEXES, Counting, Known, change_index, save_entry, save_index

import graphcodable as gc
from graphcodable.__main__ import main
from graphcodable.views.places import reopened
from graphcodable.files.directory import LocalDirectory
from graphcodable.files.folders import FolderEntry, FolderSeries
from graphcodable.format.source import Source


Said = tuple[int, int, float, dict[str, str]]  # Number, step, time, metadata.
SAVED: list[Said] = [(0, 10, 0.1, {}), (2, -7, math.inf, {"run": "ä"}), (10, 20, 1e-5, {"run": "ä"})]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A series whose index is up to date."""
    result = tmp_path / "run"
    result.mkdir()
    for number, step, time, about in reversed(SAVED):
        save_entry(result, number, {"x": np.arange(5000.0) + number, "n": number}, step, repr(time), about)
    save_index(result, known(opened(result)))
    return result


def opened(folder: object, **options: Any) -> FolderSeries:
    series = gc.open(folder, **options)  # type: ignore[arg-type]
    assert isinstance(series, FolderSeries)
    return series


def listed(series: gc.Series) -> list[Said]:
    return [(entry.number, entry.step, entry.time, entry.metadata) for entry in series]


def known(series: gc.Series) -> list[Known]:
    return [Known(e.number, e.step, e.time, e.metadata, e.size, e.archive_hash) for e in series]


def count_opened(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The names of the files that are opened from now on, without the index."""
    names: list[str] = []
    source = LocalDirectory.source

    def counted(self: LocalDirectory, name: str) -> Source:
        names.append(name)
        return source(self, name)

    monkeypatch.setattr(LocalDirectory, "source", counted)
    return names


# The list


def test_entries_are_the_files_in_the_order_of_their_numbers(folder: Path) -> None:
    series = opened(folder)
    series.verify()
    assert listed(series) == SAVED and series.url == str(folder)
    assert [entry.url for entry in series if isinstance(entry, FolderEntry)] == sorted(map(str, folder.glob("entry-*")))
    assert [entry.root.n for entry in series] == [0, 2, 10] and series[-1].root.x[:2].tolist() == [10, 11]
    assert series[1].archive.metadata["other"] == "kept" and not series.damage
    assert series.size == sum(entry.size for entry in series) == sum(p.stat().st_size for p in folder.glob("entry-*"))


@pytest.mark.parametrize("index", INDEXES)
def test_entries_are_listed_whatever_the_index_is(folder: Path, index: str, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = known(opened(folder))
    change_index(folder, index, whole)
    names = count_opened(monkeypatch)
    series = FolderSeries(folder)
    assert listed(series) == SAVED and not series.damage and known(series) == whole
    assert len(names) == {"whole": 0, "old": 2}.get(index, 3)
    series.verify()


def test_other_files_are_no_entries(folder: Path) -> None:
    for name in ("entry-7.gcodable", ".entry-000000000007.gcodable", "entry-0000000000007.gcodable", "notes", "gcodable-lock"):
        (folder / name).write_bytes(b"?")
    assert [entry.number for entry in opened(folder)] == [0, 2, 10]
    opened(folder).verify()
    copy = folder / "entry-000000000005.gcodable"
    copy.write_bytes((folder / "entry-000000000002.gcodable").read_bytes())
    series = opened(folder)
    assert [entry.number for entry in series] == [0, 2, 10]
    assert [error.rule for error in series.damage] == ["F1"]


def test_numbers_may_have_more_than_twelve_digits(tmp_path: Path) -> None:
    save_entry(tmp_path, 10**13, 1, 0, "nan")
    save_entry(tmp_path, 999_999_999_999, 1, 0, "-inf")
    assert [entry.number for entry in opened(tmp_path)] == [999_999_999_999, 10**13]
    assert math.isnan(opened(tmp_path)[1].time)


def test_folders_that_are_empty_or_just_begun_have_no_entries_and_others_are_refused(tmp_path: Path) -> None:
    assert len(opened(tmp_path)) == 0
    (tmp_path / "gcodable-lock").touch()
    assert len(opened(tmp_path)) == 0
    (tmp_path / "gcodable-lock").rename(tmp_path / "part-00000-of-00002.a.gcodable")
    with pytest.raises(gc.GraphCodableError, match="neither a series nor a set") as caught:
        gc.open(tmp_path)
    assert caught.value.rule == "R4" and caught.value.code == "notAnArchive"


def test_files_that_the_index_names_and_that_are_gone_were_lost(folder: Path) -> None:
    (folder / "entry-000000000002.gcodable").unlink()
    series = opened(folder)
    assert [entry.number for entry in series] == [0, 10]
    assert "entry-000000000002" in str(series.damage[0]) and series.damage[0].code == "damaged"
    with pytest.raises(gc.GraphCodableError, match="lost"):
        series.verify()
    for path in folder.glob("entry-*"):
        path.unlink()
    assert [error.code for error in opened(folder).damage] == ["damaged"] * 3
    (folder / "index.gcodable").write_bytes(b"a cache that cannot be read")
    opened(folder).verify()


@pytest.mark.parametrize(("step", "time"), [("1.5", "0"), (str(1 << 63), "0"), ("1", "1_0"), ("1", " 1"), ("", "0")])
def test_steps_and_times_that_are_none_are_damage(folder: Path, step: str, time: str) -> None:
    about = {"gcseries.number": "2", "gcseries.step": step, "gcseries.time": time}
    gc.save(1, folder / "entry-000000000002.gcodable", metadata=about)
    (folder / "index.gcodable").unlink()
    series = opened(folder)
    assert [entry.number for entry in series] == [0, 10] and len(series.damage) == 1
    assert "entry-000000000002" in str(series.damage[0]) and series.damage[0].code == "malformed"


def test_damage_is_found_where_it_is(folder: Path) -> None:
    path = folder / "entry-000000000002.gcodable"
    data = bytearray(path.read_bytes())
    data[gc.Archive(bytes(data)).reader.contents.segments[0].blocks_offset + 9] ^= 1
    path.write_bytes(data)
    series = opened(folder)
    assert [entry.number for entry in series] == [0, 2, 10]
    with pytest.raises(gc.GraphCodableError, match="S11"):
        series[1].verify()
    data[-1] ^= 1  # In the contents, which nobody reads of an entry that the index knows.
    path.write_bytes(data)
    series = opened(folder)
    assert listed(series) == SAVED and not series.damage
    with pytest.raises(gc.GraphCodableError, match="C1"):
        series.verify()
    (folder / "index.gcodable").unlink()
    series = opened(folder)
    assert [entry.number for entry in series] == [0, 10] and series.damage[0].rule == "C1"


def test_an_entry_that_was_replaced_is_an_error(folder: Path) -> None:
    series = opened(folder)
    save_entry(folder, 2, 5, 1, "1")
    with pytest.raises(gc.GraphCodableError, match="not the archive that was listed") as caught:
        series[1].archive
    assert caught.value.code == "damaged"
    (folder / "entry-000000000000.gcodable").unlink()
    with pytest.raises(FileNotFoundError):
        series[0].archive
    with pytest.raises(gc.GraphCodableError, match="cannot be read") as caught:
        series[0].verify()
    assert caught.value.code == "file"


def test_an_index_that_says_other_things_than_archives_is_found(folder: Path) -> None:
    whole = known(opened(folder))
    whole[1].step = 99
    save_index(folder, whole)
    assert opened(folder)[1].step == 99
    with pytest.raises(gc.GraphCodableError, match="index says other things of entry-000000000002"):
        opened(folder).verify()


def test_what_stands_in_the_place_of_an_entry_is_damage(folder: Path) -> None:
    (folder / "entry-000000000007.gcodable").mkdir()
    series = opened(folder)
    assert listed(series) == SAVED and [error.code for error in series.damage] == ["file"]


# Object stores


@pytest.fixture
def memory(folder: Path) -> Any:
    fsspec = pytest.importorskip("fsspec")
    system = fsspec.filesystem("memory")
    system.store.clear()
    for path in folder.iterdir():
        system.pipe(f"/b/run/{path.name}", path.read_bytes())
    yield system
    system.store.clear()


def test_series_in_stores_are_listed_and_read(folder: Path, memory: Any) -> None:
    series = opened("memory://b/run")
    assert listed(series) == SAVED and known(series) == known(opened(folder))
    entry = series[0]
    assert isinstance(entry, FolderEntry) and entry.url == "memory://b/run/entry-000000000000.gcodable"
    series.verify()
    archive = gc.open(entry.url)
    assert isinstance(archive, gc.Archive) and archive.root.x[-1] == entry.root.x[-1] == 4999
    assert listed(opened("b/run/", store=memory)) == SAVED
    memory.rm("/b/run/index.gcodable")
    assert known(opened("memory://b/run")) == known(series)


def test_series_in_stores_take_few_requests(memory: Any) -> None:
    store = Counting(memory)
    series = FolderSeries("/b/run", store=store)
    assert listed(series) == SAVED and store.requests == ["ls /b/run", "cat_file /b/run/index.gcodable"]
    store.requests.clear()
    opened("/b/run", store=store)
    # Is there an object with the name, or a manifest in the folder?
    assert store.requests[2:] == ["ls /b/run", "cat_file /b/run/index.gcodable"]
    store.requests.clear()
    assert series[0].archive.root.x[17] == 17
    # A range, with size and time before and behind.
    assert len(store.requests) <= 3
    memory.rm("/b/run/index.gcodable")
    store.requests.clear()
    assert listed(FolderSeries("/b/run", store=store)) == SAVED
    assert len(store.requests) == 2 + 3 * 3


def test_damage_in_stores_is_that_of_folders(memory: Any) -> None:
    memory.pipe("/b/run/entry-000000000011.gcodable", b"gcodable")
    memory.pipe("/b/run/entry-000000000012.gcodable", b"")
    memory.rm("/b/run/entry-000000000002.gcodable")
    series = opened("memory://b/run")
    assert [entry.number for entry in series] == [0, 10]
    assert [(error.code, error.rule) for error in series.damage] == [
        ("damaged", "F2"), ("wrongSize", "H2"), ("notAnArchive", "H1"),
    ]  # fmt: skip
    memory.pipe("/b/run/entry-000000000000.gcodable", memory.cat("/b/run/entry-000000000010.gcodable"))
    with pytest.raises(gc.GraphCodableError, match="not the archive that was listed"):
        series[0].archive
    with pytest.raises(FileNotFoundError):
        gc.open("memory://b/none")
    with pytest.raises(gc.GraphCodableError) as caught:
        gc.open("memory://b")
    assert caught.value.rule == "R4"


def test_series_in_stores_of_obstore(folder: Path) -> None:
    pytest.importorskip("obstore")
    from obstore.store import MemoryStore

    store = MemoryStore()
    for path in folder.iterdir():
        store.put(f"b/run/{path.name}", path.read_bytes())
    series = opened("b/run", store=store)
    assert listed(series) == SAVED and series.url == "b/run"
    series.verify()
    store.delete("b/run/index.gcodable")
    store.put("b/run/entry-000000000012.gcodable", b"")
    series = FolderSeries("b/run", store=store)
    assert listed(series) == SAVED and [error.rule for error in series.damage] == ["H1"]
    store.delete("b/run/entry-000000000002.gcodable")
    with pytest.raises(FileNotFoundError):
        series[1].archive
    with pytest.raises(FileNotFoundError):
        FolderSeries("b/none", store=store)


# The command and xarray


def test_the_command_looks_into_folders(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["ls", str(folder)]) == 0
    assert capsys.readouterr().out.splitlines() == [
        "x  array of float64  5,000 elements  40,000 bytes  in segment bulk 0",
        "n  int64                                           10",
    ]
    assert main(["verify", str(folder)]) == 0
    assert capsys.readouterr().out == f"{folder}: OK, 3 entries\n"
    assert main(["info", "--json", str(folder)]) == 0
    entries = json.loads(capsys.readouterr().out)["entries"]
    assert [(entry["number"], entry["time"]) for entry in entries] == [(0, 0.1), (2, "inf"), (10, 1e-5)]
    (folder / "entry-000000000000.gcodable").unlink()
    assert main(["verify", str(folder)]) == 1
    assert "lost" in capsys.readouterr().out


def test_entries_of_a_folder_are_steps_of_a_dataset(folder: Path) -> None:
    xarray = pytest.importorskip("xarray")
    data = xarray.open_dataset(folder, engine="graphcodable")
    assert data.step.values.tolist() == [10, -7, 20] and data.x.shape == (3, 5000)
    assert data.x[:, 3].values.tolist() == [3, 5, 13] and data.n.values.tolist() == [0, 2, 10]
    assert xarray.open_dataset(folder).step.values.tolist() == [10, -7, 20]


def test_entries_in_stores_are_steps_of_a_dataset(memory: Any) -> None:
    xarray = pytest.importorskip("xarray")
    data = xarray.open_dataset("memory://b/run", engine="graphcodable", cache=False)
    copy = pickle.dumps(data)
    assert data.x.sel(step=-7)[3] == 5 and data.attrs == {}
    assert pickle.loads(copy).x[:, 3].values.tolist() == [3, 5, 13]
    one = xarray.open_dataset("memory://b/run", engine="graphcodable", entry=-1, chunks={})
    assert one.attrs == {"run": "ä"} and float(one.x.sum()) == sum(range(10, 5010))
    memory.rm("/b/run/entry-000000000010.gcodable")
    reopened.cache_clear()
    with pytest.raises(gc.GraphCodableError, match="has changed"):
        pickle.loads(copy).x[0].values
