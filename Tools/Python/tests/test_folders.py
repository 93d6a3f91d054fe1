"""Series in folders."""

from __future__ import annotations

import json
import math
from pathlib import Path

import numpy as np
import pytest
from saved import Known, save_entry, save_index

import graphcodable as gc
from graphcodable.__main__ import main


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    result = tmp_path / "run"
    result.mkdir()
    for number, step, time in ((2, -7, "inf"), (0, 10, "0.1"), (10, 20, "1e-05")):
        save_entry(result, number, {"x": np.arange(5000.0) + number, "n": number}, step, time, {"run": "ä"} if number else {})
    save_index(result, [Known(0), Known(2), Known(10)])
    return result


def opened(folder: Path) -> gc.Series:
    series = gc.open(folder)
    assert isinstance(series, gc.Series)
    return series


def test_entries_are_the_files_in_the_order_of_their_numbers(folder: Path) -> None:
    series = opened(folder)
    series.verify()
    assert [(entry.number, entry.step, entry.time) for entry in series] == [(0, 10, 0.1), (2, -7, math.inf), (10, 20, 1e-5)]
    assert [entry.metadata for entry in series] == [{}, {"run": "ä"}, {"run": "ä"}]
    assert [entry.root.n for entry in series] == [0, 2, 10] and series[-1].root.x[:2].tolist() == [10, 11]
    assert series[1].archive.metadata["other"] == "kept" and not series.damage
    assert series.size == sum(entry.size for entry in series) == sum(p.stat().st_size for p in folder.glob("entry-*"))


def test_other_files_are_no_entries(folder: Path) -> None:
    for name in ("entry-7.gcodable", ".entry-000000000007.gcodable", "entry-0000000000007.gcodable", "notes", "gcodable-lock"):
        (folder / name).write_bytes(b"?")
    copy = folder / "entry-000000000005.gcodable"
    copy.write_bytes((folder / "entry-000000000002.gcodable").read_bytes())
    assert [entry.number for entry in opened(folder)] == [0, 2, 10]
    opened(folder).verify()


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
    (folder / "index.gcodable").write_bytes(b"a cache that cannot be read")
    opened(folder).verify()


@pytest.mark.parametrize(("step", "time"), [("1.5", "0"), (str(1 << 63), "0"), ("1", "1_0"), ("1", " 1"), ("", "0")])
def test_steps_and_times_that_are_none_are_damage(folder: Path, step: str, time: str) -> None:
    about = {"gcseries.number": "2", "gcseries.step": step, "gcseries.time": time}
    gc.save(1, folder / "entry-000000000002.gcodable", metadata=about)
    series = opened(folder)
    assert [entry.number for entry in series] == [0, 10] and len(series.damage) == 1
    assert "entry-000000000002" in str(series.damage[0]) and series.damage[0].code == "malformed"


def test_damage_is_found_where_it_is(folder: Path) -> None:
    path = folder / "entry-000000000002.gcodable"
    data = bytearray(path.read_bytes())
    data[gc.Archive(bytes(data))._contents.segments[0].blocks_offset + 9] ^= 1
    path.write_bytes(data)
    series = opened(folder)
    assert [entry.number for entry in series] == [0, 2, 10]
    with pytest.raises(gc.GraphCodableError, match="S11"):
        series[1].verify()
    data[-1] ^= 1  # In the contents.
    path.write_bytes(data)
    series = opened(folder)
    assert [entry.number for entry in series] == [0, 10] and series.damage[0].rule == "C1"


def test_an_entry_that_was_replaced_is_an_error(folder: Path) -> None:
    series = opened(folder)
    save_entry(folder, 2, 5, 1, "1")
    with pytest.raises(gc.GraphCodableError, match="changed"):
        series[1].archive


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
