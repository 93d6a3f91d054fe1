"""The tool respects the locks of Python, and clears away what killed processes have left; scenarios.json has the rest."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from tool import Tool

import graphcodable as gc
from graphcodable.writing.processes import TEMPORARY_SUFFIX


@pytest.fixture(scope="module")
def tool() -> Tool:
    return Tool()


def series(path: Path) -> Path:
    with gc.SeriesWriter(path) as writer:
        for number in range(4):
            writer.append({"n": number}, step=number)
    return path


def killed(program: str, *arguments: Path) -> None:
    """Runs a program of Python that kills itself."""
    text = f"import os, signal, sys, graphcodable as gc\n{program}\nos.kill(os.getpid(), signal.SIGKILL)"
    assert subprocess.run([sys.executable, "-c", text, *map(str, arguments)]).returncode == -signal.SIGKILL


def steps(path: Path) -> list[int]:
    found = gc.open(path)
    assert isinstance(found, gc.Series)
    found.verify()
    return [entry.step for entry in found]


def test_swift_is_refused_while_python_writes(tool: Tool, tmp_path: Path) -> None:
    path = series(tmp_path / "a.gcseries")
    with gc.SeriesWriter(path) as writer:
        done = subprocess.run([tool.path, "series", "prune", path, "--last", "2"], capture_output=True, text=True)
        assert done.returncode == 1 and f"another writer has {path}: process {os.getpid()} on host" in done.stderr
        assert writer.append({"n": 4}, step=4) == 4
    tool.run("series", "prune", path, "--last", "2")
    assert steps(path) == [3, 4] and [each.name for each in tmp_path.iterdir()] == [path.name]


def test_swift_takes_over_the_lock_of_a_killed_writer_in_python(tool: Tool, tmp_path: Path) -> None:
    path = series(tmp_path / "a.gcseries")
    killed("writer = gc.SeriesWriter(sys.argv[1]); writer.append(5, step=5)", path)
    assert (tmp_path / "a.gcseries.gcodable-lock").exists()
    tool.run("series", "prune", path, "--last", "2")
    assert steps(path) == [3, 5] and [each.name for each in tmp_path.iterdir()] == [path.name]


def test_swift_removes_what_a_killed_save_in_python_has_left(tool: Tool, tmp_path: Path) -> None:
    path = series(tmp_path / "a.gcseries")
    killed("from graphcodable.writing.sinks import FileSink; sink = FileSink(sys.argv[1])", tmp_path / "b.gcodable")
    assert sum(each.name.endswith(TEMPORARY_SUFFIX) for each in tmp_path.iterdir()) == 1
    tool.run("repack", path, "-o", tmp_path / "c.gcseries")
    assert sorted(each.name for each in tmp_path.iterdir()) == ["a.gcseries", "c.gcseries"]
