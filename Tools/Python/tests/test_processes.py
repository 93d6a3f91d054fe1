"""Files that were opened, in forked processes, and in those that they are sent to; by the module in C and without it."""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import graphcodable as gc

NAME = "a.gcodable"
pytestmark = pytest.mark.usefixtures("kind")


@pytest.mark.filterwarnings("ignore:This process:DeprecationWarning")
def test_forked_processes_read_what_was_opened_before(tmp_path: Path) -> None:
    path = tmp_path / "a.gcseries"
    with gc.SeriesWriter(path, synchronized=False) as writer:
        for number in range(20):
            writer.append({"a": np.arange(50_000) * number})
    series = gc.open(path)
    assert isinstance(series, gc.Series)
    opened = series

    def read() -> bool:
        return all(int(opened[number].root.a[1]) == number for _ in range(20) for number in range(20))

    children = []
    for _ in range(4):
        child = os.fork()
        if not child:
            status = 99
            try:
                status = 0 if read() else 1
            finally:
                os._exit(status)
        children.append(child)
    assert read() and [os.waitpid(child, 0)[1] for child in children] == [0] * 4


def test_files_are_read_without_moving_their_position(tmp_path: Path) -> None:
    gc.save({"a": np.arange(100_000)}, tmp_path / NAME)
    with open(tmp_path / NAME, "rb") as file:
        archive = gc.open(file)
        assert isinstance(archive, gc.Archive) and file.tell() == 0
        assert archive.root.a[99_999] == 99_999 and file.tell() == 0
        array = archive.root.a
    with pytest.raises(ValueError, match="closed"):
        array[0:10]


def test_what_expands_a_file_is_read_as_it_says(tmp_path: Path) -> None:
    import gzip

    with gzip.open(tmp_path / "a.gz", "wb") as file:
        file.write(gc.encode({"a": list(range(1000))}))
    with gzip.open(tmp_path / "a.gz", "rb") as file:
        archive = gc.open(file)  # type: ignore[arg-type]
        assert isinstance(archive, gc.Archive) and archive.root.a[999] == 999


@pytest.mark.parametrize("method", ["fork", "spawn"])
def test_what_was_opened_by_its_path_is_sent_to_other_processes(tmp_path: Path, method: str) -> None:
    gc.save({"n": 7}, tmp_path / NAME)
    with gc.SeriesWriter(tmp_path / "a.gcseries") as writer:
        writer.append({"n": 8})
    program = """
import multiprocessing, os, sys
import graphcodable as gc
def read(each): return each.root.n if isinstance(each, gc.Archive) else each[0].root.n
if __name__ == "__main__":
    os.chdir(sys.argv[1])
    files = [gc.open("a.gcodable"), gc.open("a.gcseries")]
    os.chdir("/")
    with multiprocessing.get_context(sys.argv[2]).Pool(2) as pool:
        assert pool.map(read, files * 5) == [7, 8] * 5
"""
    (tmp_path / "program.py").write_text(program)
    command = [sys.executable, str(tmp_path / "program.py"), str(tmp_path), method]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr


def test_what_is_sent_has_to_be_there_as_it_was(tmp_path: Path) -> None:
    gc.save({"n": 7}, tmp_path / NAME)
    sent = pickle.dumps(gc.open(tmp_path / NAME))
    gc.save({"n": 8}, tmp_path / NAME)
    with pytest.raises(gc.GraphCodableError, match="changed"):
        pickle.loads(sent)
    with pytest.raises(TypeError, match="open it there"):
        pickle.dumps(gc.Archive(gc.encode(1)))


def test_arrays_of_files_are_sent_as_their_files(tmp_path: Path) -> None:
    gc.save({"a": np.arange(50_000.0), "p": [(1.5, 2.5)] * 3, "few": np.arange(3)}, tmp_path / NAME)
    with gc.SeriesWriter(tmp_path / "a.gcseries") as writer:
        writer.append({"a": np.arange(50_000) * 2})
    archive, series = gc.open(tmp_path / NAME), gc.open(tmp_path / "a.gcseries")
    assert isinstance(archive, gc.Archive) and isinstance(series, gc.Series)
    for array in (archive.root.a, archive.root.few, series[0].root.a):
        sent = pickle.loads(pickle.dumps(array))
        assert isinstance(sent, gc.Array) and sent.dtype == array.dtype and np.array_equal(sent[:], array[:])
    assert pickle.loads(pickle.dumps(series[0].archive)).root.a[7] == 14


def test_what_cannot_be_sent_says_what_can(tmp_path: Path) -> None:
    gc.save({"a": {"b": 1}, "x": np.arange(5000)}, tmp_path / NAME)
    with open(tmp_path / NAME, "rb") as file, gc.SeriesWriter(tmp_path / "a.gcseries") as writer:
        by_path, of_file, of_bytes = gc.open(tmp_path / NAME), gc.open(file), gc.open((tmp_path / NAME).read_bytes())
        assert isinstance(by_path, gc.Archive) and isinstance(of_file, gc.Archive) and isinstance(of_bytes, gc.Archive)
        for value in (by_path.root.a, of_file, of_file.root.x, of_bytes.root, of_bytes.root.x, writer):
            with pytest.raises(TypeError, match="to another process: .*(open it|send)"):
                pickle.dumps(value)
        assert writer.append(1) == 0


def test_a_forked_process_does_not_move_what_expands_a_file(tmp_path: Path) -> None:
    import gzip

    with gzip.open(tmp_path / "a.gz", "wb") as file:
        file.write(gc.encode({"a": np.arange(100_000)}))
    with gzip.open(tmp_path / "a.gz", "rb") as opened:
        archive = gc.open(opened)  # type: ignore[arg-type]
        assert isinstance(archive, gc.Archive)
        array = archive.root.a
        assert array[3] == 3
        child = os.fork()
        if not child:
            status = 99
            try:
                array[90_000:]
            except OSError as error:
                status = 0 if "forked" in str(error) else 1
            finally:
                os._exit(status)
        assert os.waitpid(child, 0)[1] == 0 and array[99_999] == 99_999
