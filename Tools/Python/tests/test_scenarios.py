"""What becomes of files, whatever happens: the scenarios of scenarios.json, each with Swift, Python, and Python without C.

A scenario says what a writer does (see scenario_program.py), what there is at the path (scenario_places.py), under which conditions
it runs (scenario_conditions.py), what becomes of each step, and what the file holds then. Besides that no name may come or go, and
nothing that was there change its kind, mode, owner, or where it leads.
"""

from __future__ import annotations

import errno
import json
import signal
import tempfile
from pathlib import Path
from typing import Any

import pytest
from effort import IS_THOROUGH
from scenario_conditions import Calls, fast_folder, prepared
from scenario_places import NAME, STATES, Place, text
from scenario_writers import NAMES, Writer

import graphcodable as gc
from graphcodable.writing.lock_file import SUFFIX
from scenario_program import model

TABLE: list[dict[str, Any]] = json.loads(Path(__file__).with_name("scenarios.json").read_text())
NUMBERS = 100_000


def title(row: dict[str, Any]) -> str:
    return ", ".join(filter(None, (row["do"], row["at"], row.get("under"))))


@pytest.fixture(params=NAMES)
def writer(request: pytest.FixtureRequest) -> Writer:
    return Writer(request.param)


@pytest.fixture
def others(writer: Writer) -> list[Writer]:
    """The writers that can be run, to meet the one of the test."""
    found = []
    for name in NAMES:
        try:
            found.append(Writer(name))
        except pytest.skip.Exception:
            continue
    return found


@pytest.fixture(scope="module")
def tools(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("tools")


def expected(holds: Any) -> Any:
    """`new × 3` stands for three."""
    if not isinstance(holds, list):
        return holds
    return [name for each in holds for name, _, count in [each.partition(" × ")] for _ in range(int(count or 1))]


def steps_of(row: dict[str, Any]) -> list[str]:
    """With the numbers of the system's reasons."""
    found = []
    for step in row["steps"]:
        code, _, reason = step.partition(" ")
        found.append(step if code in ("done", "ready") else f"{code} {getattr(errno, reason) if reason else 0}")
    return found


def is_series(row: dict[str, Any]) -> bool:
    return bool(row["do"] != "save")


HELD = ("another writer", "killed while", "moved meanwhile")
ROWS = {
    "once": [row for row in TABLE if "each call" not in row.get("under", "") and not row.get("under", "").startswith(HELD)],
    "held": [row for row in TABLE if row.get("under", "").startswith(HELD)],
    "killed": [row for row in TABLE if row.get("under") == "killed at each call"],
    "fails": [row for row in TABLE if row.get("under") == "each call fails"],
}


def test_each_scenario_is_run() -> None:
    assert sorted(map(title, TABLE)) == sorted(title(row) for rows in ROWS.values() for row in rows)
    assert len(set(map(title, TABLE))) == len(TABLE)
    assert {row["at"] for row in TABLE} == set(STATES)


@pytest.mark.parametrize("row", ROWS["once"], ids=title)
def test_a_scenario(row: dict[str, Any], writer: Writer, tmp_path: Path, tools: Path) -> None:
    folder = tmp_path / "folder"
    folder.mkdir()
    with prepared(row.get("under", ""), row["at"], folder, is_series(row), tools) as (place, conditions):
        before = place.look()
        done = writer.run(row["do"], place.given, "new", NUMBERS, conditions=conditions)
        assert (done.status, done.steps, done.errors) == (0, steps_of(row), "")
        for step, line in zip(done.steps, done.lines):
            assert not step.startswith(("file", "locked")) or place.given in line or str(place.file.resolve()) in line
        check_names(place, before, row)


def check_names(place: Place, before: dict[str, tuple[object, ...]], row: dict[str, Any]) -> None:
    assert place.holds() == expected(row["holds"])
    after = place.look()
    for name in place.removed:
        assert before.pop(name) and name not in after
    name = str(place.file.relative_to(place.folder))
    if name not in before and row["holds"] is not None:
        kind, mode, *_ = after.pop(name)
        assert f"{mode:o}" == row.get("mode", f"{mode:o}")
    assert after == before


@pytest.mark.parametrize("row", ROWS["held"], ids=title)
def test_a_series_that_is_held(row: dict[str, Any], writer: Writer, others: list[Writer], tmp_path: Path, tools: Path) -> None:
    """By one writer, while all of them try; it goes on, or is killed, or loses the file."""
    under = row["under"]
    with prepared(under, row["at"], tmp_path, True, tools) as (place, conditions):
        lock = place.folder / (NAME + SUFFIX)
        with writer.start((row["do"], place.given, "new", NUMBERS), conditions) as process:
            assert process.stdin is not None and process.stdout is not None
            lines = [process.stdout.readline()]
            assert lock.exists()
            for other in others:
                refused = other.run("append", place.given, "other", 1, conditions=conditions)
                assert refused.steps == ["locked 0"]
                assert f"another writer has {place.given}: process {process.pid} on host" in refused.lines[0]
            if under.startswith("killed"):
                process.send_signal(signal.SIGKILL)
            elif under.startswith("moved"):
                place.file.rename(place.folder / "moved")
            output, errors = process.communicate("go\n", timeout=120)
        done = [*lines, *output.splitlines()]
        assert [" ".join(line.split()[:1] if line.split()[0] in ("ready", "done") else line.split()[1:3]) for line in done] == steps_of(row)
        assert not errors and place.holds() == expected(row["holds"])
        if under.startswith("killed"):
            assert lock.exists()
            held = place.holds()
            for number, other in enumerate(others):
                assert other.run("append", place.given, "after", 1, conditions=conditions).steps == ["done"]
                assert place.holds() == [*held, *["after"] * (number + 1)]  # type: ignore[misc]
        if under.startswith("moved"):
            assert place.holds(place.folder / "moved") == ["old", "new"]
        assert not lock.exists()


def old_and_new(row: dict[str, Any], place: Place) -> tuple[object, object]:
    """What the file may hold when a writer was killed: what it held, or all that it is to hold."""
    old = place.holds()
    return ([] if is_series(row) and old is None else old), expected(row["holds"])


def prepare(row: dict[str, Any], folder: str) -> Place:
    place = Place(Path(folder), is_series(row))
    STATES[row["at"]](place)
    return place


def next_one(place: Place, holds: object) -> None:
    """The next writer finds a file that it can use, and leaves nothing that is not to be there."""
    if not place.is_series:
        gc.save(model("next", 1), place.file)
        assert place.holds() == "next"
    else:
        with gc.SeriesWriter(place.file, synchronized=False) as writer:
            writer.append(model("next", 1))
        assert place.holds() == [*(holds or []), "next"]  # type: ignore[misc]
    assert set(place.look()) == {NAME}


@pytest.mark.parametrize("row", ROWS["killed"], ids=title)
@pytest.mark.parametrize("mode", ["kill", "half"] if IS_THOROUGH else ["half"])
def test_a_writer_that_is_killed_at_any_call(row: dict[str, Any], mode: str, writer: Writer, tmp_path: Path, tools: Path) -> None:
    """Or in the middle of it, which for all but writes is before the next one."""
    calls, found = Calls(writer, tools, mode), {"old": 0, "new": 0}
    number, count = 0, 1
    while number <= count:
        with tempfile.TemporaryDirectory(dir=fast_folder(tmp_path)) as folder:
            place = prepare(row, folder)
            old, new = old_and_new(row, place)
            if not number:
                count = calls.count(row["do"], place.given, "new", NUMBERS)
                assert place.holds() == new and set(place.look()) == {NAME} and count > 7
            else:
                done = writer.run(row["do"], place.given, "new", NUMBERS, conditions=calls.at(number))
                assert done.status == -signal.SIGKILL, done
                holds = place.holds()
                if is_series(row):
                    holds = [] if holds is None else holds
                assert holds in (old, new)
                found["new" if holds == new else "old"] += 1
                next_one(place, holds)
        number += 1
    # Before it is there, and after.
    assert found["old"] > 5 and found["new"]


@pytest.mark.parametrize("row", ROWS["fails"], ids=title)
def test_a_writer_of_which_any_call_fails(row: dict[str, Any], writer: Writer, tmp_path: Path, tools: Path) -> None:
    """As on a device that is full."""
    calls, errors = Calls(writer, tools, "fail"), 0
    number, count = 0, 1
    while number <= count:
        with tempfile.TemporaryDirectory(dir=fast_folder(tmp_path)) as folder:
            place = prepare(row, folder)
            old, new = old_and_new(row, place)
            if not number:
                count = calls.count(row["do"], place.given, "new", NUMBERS)
            else:
                done = writer.run(row["do"], place.given, "new", NUMBERS, conditions=calls.at(number))
                holds = place.holds()
                if is_series(row):
                    holds = [] if holds is None else holds
                assert done.status == 0 and done.steps in (["done"], [f"file {errno.ENOSPC}"]), done
                if done.steps == ["done"]:
                    # Nothing fails for want of a lock.
                    assert holds == new
                else:
                    errors += 1
                    # It may be there already, when the last step of all fails, to bring its name to the device.
                    assert holds in (old, new) and set(place.look()) <= {NAME}
                next_one(place, holds)
        number += 1
    assert errors > 4
