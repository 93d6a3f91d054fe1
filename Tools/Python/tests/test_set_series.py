"""Series of sets."""

from __future__ import annotations

import json
import math
import random
import shutil
from pathlib import Path
from typing import Any

import corpus
import hypothesis
import hypothesis.strategies as st
import pytest
from forge import resealed
from saved import INDEXES, TOKEN, Known, change_index, save_index, save_set_of_series
from saved_sets import ARRAYS, SAVED, known, listed, manifest, opened, parts, save

import graphcodable as gc
from graphcodable.__main__ import main
from graphcodable.files.directory import LocalDirectory
from graphcodable.files.folders import FolderSeries


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return save(tmp_path / "runs")


def count_reads(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The names of the files that are read as a whole from now on."""
    names: list[str] = []
    read = LocalDirectory.read

    def counted(self: LocalDirectory, name: str) -> bytes:
        names.append(name)
        return read(self, name)

    monkeypatch.setattr(LocalDirectory, "read", counted)
    return names


# The list


@pytest.mark.parametrize("index", INDEXES)
def test_sets_are_listed_whatever_the_index_is(folder: Path, index: str, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = known(opened(folder))
    change_index(folder, index, whole)
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
    names = LocalDirectory.names
    directory = LocalDirectory

    def early(self: LocalDirectory) -> list[str]:
        return [name for name in names(self) if name != "set-000000000003"]

    with monkeypatch.context() as context:
        context.setattr(directory, "names", early)
        series = opened(folder)
        assert listed(series) == SAVED and not series.damage

    whole = known(opened(folder))

    def remove(self: LocalDirectory, name: str) -> bool:
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


# The command


def test_the_command_looks_into_series_of_sets(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    series = opened(folder)
    assert main(["info", str(folder)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == f"{folder}: series of sets, 3 sets, {series.size:,} bytes"
    assert lines[1].split() == ["entry", "step", "time", "bytes", "metadata"]
    assert lines[4].split() == ["3", "30", "1.5", f"{series[2].byte_count:,}", "run=c"]
    assert main(["ls", str(folder)]) == 0
    assert capsys.readouterr().out.splitlines()[0].split() == ["x", "float64", "5,000", "2", "pieces"]
    assert main(["ls", "--entry", "2", "--part", "1", str(folder), "state.name"]) == 0
    assert capsys.readouterr().out == 'name  string  "s2"\n'
    assert main(["info", "--json", str(folder)]) == 0
    whole = json.loads(capsys.readouterr().out)
    assert (whole["kind"], whole["bytes"], whole["damage"]) == ("setSeries", series.size, [])
    assert whole["entries"][1] == {
        "number": 2, "step": -20, "time": "inf", "metadata": {"run": "ä", "b": ""}, "bytes": series[1].byte_count,
    }  # fmt: skip
    assert main(["info", "--json", "--entry", "0", str(folder)]) == 0
    one = json.loads(capsys.readouterr().out)
    assert (one["kind"], one["entry"]["number"], one["step"], len(one["parts"])) == ("set", 0, 10, 2)
    for status, wrong in ((1, ["ls", "--entry", "1"]), (1, ["ls", "--part", "2"]), (64, ["dump"])):
        assert main([*wrong, str(folder)]) == status
    capsys.readouterr()


def test_verify_names_the_set_and_the_part(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["verify", str(folder)]) == 0
    assert capsys.readouterr().out == f"{folder}: OK, 3 sets\n"
    (folder / "set-000000000000" / f"part-00001-of-00002.{TOKEN}.gcodable").unlink()
    manifest(folder, 2).unlink()
    damaged = folder / "set-000000000003" / f"part-00000-of-00002.{TOKEN}.gcodable"
    data = bytearray(damaged.read_bytes())
    data[gc.Archive(bytes(data)).reader.contents.segments[0].blocks_offset + 9] ^= 1
    damaged.write_bytes(data)
    assert main(["verify", str(folder)]) == 1
    found = capsys.readouterr()
    lines = [*found.out.splitlines(), *(line.removeprefix("graphcodable: ") for line in found.err.splitlines())]
    places = [line.removeprefix(f"{folder}, ").partition(": ")[0] for line in lines]
    assert places == ["entry 0, part 1", "entry 3, part 0", "entry 2"]
    assert main(["verify", "--json", str(folder)]) == 1
    (report,) = json.loads(capsys.readouterr().out)
    assert (report["kind"], report["entries"], report["ok"]) == ("setSeries", 3, False)
    about = [(each["entry"], each.get("part"), each["code"]) for each in report["problems"]]
    assert about == [(0, 1, "damaged"), (2, None, "file"), (3, 0, "damaged")]


def test_verify_names_sets_that_were_lost(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    shutil.rmtree(folder / "set-000000000002")
    assert main(["verify", str(folder)]) == 1
    assert capsys.readouterr().out == f"{folder}: damaged: set-000000000002, step -20, is lost: the index names it\n"


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
