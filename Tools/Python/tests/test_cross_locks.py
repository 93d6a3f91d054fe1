"""Swift and Python respect each other's locks, and clear away what killed processes of the other have left."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
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


def stopped(tool: Tool, path: Path) -> subprocess.Popen[bytes]:
    """The tool, stopped while it writes to a series."""
    for _ in range(20):
        process = subprocess.Popen([tool.path, "series", "append", path, path.with_suffix(".gcodable")], stderr=subprocess.DEVNULL)
        while process.poll() is None and not path.with_name(f"{path.name}.gcodable-lock").exists():
            time.sleep(0.0005)
        process.send_signal(signal.SIGSTOP)
        if process.poll() is None and path.with_name(f"{path.name}.gcodable-lock").exists():
            return process
        process.send_signal(signal.SIGCONT)
        process.wait()
    pytest.skip("the tool is too fast to be stopped")


def test_python_is_refused_while_swift_writes_and_takes_over_when_it_is_killed(tool: Tool, tmp_path: Path) -> None:
    path = series(tmp_path / "a.gcseries")
    gc.save({"x": np.random.default_rng(1).random(4_000_000)}, path.with_suffix(".gcodable"))
    process = stopped(tool, path)
    try:
        with pytest.raises(gc.GraphCodableError, match=f"another writer has .*: process {process.pid} on host") as caught:
            gc.SeriesWriter(path)
        assert caught.value.code == "locked"
    finally:
        process.kill()
        process.wait()
    before = len(steps(path))
    with gc.SeriesWriter(path) as writer:
        assert writer.append({"n": 9}, step=9) == before
    assert steps(path)[:4] == [0, 1, 2, 3] and steps(path)[-1] == 9
    assert sorted(each.name for each in tmp_path.iterdir()) == ["a.gcodable", "a.gcseries"]
