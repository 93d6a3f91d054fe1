"""Files that are saved and appended to: by the module in C and without it, the same rules as in Swift."""

from __future__ import annotations

import errno
import os
import pickle
import signal
import socket
import stat
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest

import graphcodable as gc
from graphcodable.format import native
from graphcodable.writing import fallback, lock_text
from graphcodable.writing.lock_file import path_of
from graphcodable.writing.processes import TEMPORARY_SUFFIX, system

NAME = "a.gcodable"


@pytest.fixture(params=["native", "fallback"], autouse=True)
def kind(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    if request.param == "fallback":
        monkeypatch.setattr(native, "module", None)
        monkeypatch.setenv("GRAPHCODABLE_NATIVE", "0")
    elif native.module is None:
        pytest.skip("without the module in C")
    return str(request.param)


@pytest.fixture
def no_mask(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(mask: int) -> int:
        raise AssertionError("the mask of the whole process is changed")

    monkeypatch.setattr(os, "umask", refuse)


def run(program: str, *arguments: object) -> subprocess.CompletedProcess[str]:
    """A program in another process, which imports the package."""
    command = [sys.executable, "-c", f"import os, sys, graphcodable as gc\n{program}", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, timeout=120)


def value_at(path: Path) -> object:
    archive = gc.open(path)
    assert isinstance(archive, gc.Archive)
    return archive.root


def left(folder: Path) -> list[str]:
    """What is in a folder besides the file."""
    return sorted({path.name for path in folder.iterdir()} - {NAME})


# Saving


def test_a_link_is_followed(tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    target = tmp_path / "elsewhere" / NAME
    target.write_bytes(b"old")
    for link, leads_to in (("link", f"elsewhere/{NAME}"), ("to-nothing", "elsewhere/new"), ("twice", "link")):
        (tmp_path / link).symlink_to(leads_to)
        gc.save(link, tmp_path / link)
        assert (tmp_path / link).is_symlink() and value_at(tmp_path / link) == link
    assert value_at(target) == "twice" and value_at(target.with_name("new")) == "to-nothing"
    assert sorted(os.listdir(target.parent)) == [NAME, "new"]


def test_a_link_in_front_of_dots_leads_where_the_system_says(tmp_path: Path) -> None:
    (tmp_path / "a" / "b").mkdir(parents=True)
    (tmp_path / "link").symlink_to("a/b")
    gc.save(1, tmp_path / "link" / ".." / NAME)
    assert value_at(tmp_path / "a" / NAME) == 1


def test_links_in_a_circle_are_refused(tmp_path: Path) -> None:
    (tmp_path / "x").symlink_to("y")
    (tmp_path / "y").symlink_to("x")
    with pytest.raises(OSError) as caught:
        gc.save(1, tmp_path / "x")
    assert caught.value.errno == errno.ELOOP and caught.value.filename == str(tmp_path / "x")


@pytest.mark.parametrize("what", ["pipe", "device", "folder"])
def test_what_is_no_file_is_refused_and_stays(tmp_path: Path, what: str) -> None:
    path = tmp_path / what
    if what == "pipe":
        os.mkfifo(path)
    elif what == "folder":
        path.mkdir()
    else:
        path = Path("/dev/null")
    before = path.stat()
    with pytest.raises(OSError) as caught:
        gc.save(1, path)
    assert caught.value.errno == (errno.EISDIR if what == "folder" else errno.EINVAL)
    assert caught.value.filename == str(path) and os.path.samestat(path.stat(), before)
    assert stat.S_IFMT(path.stat().st_mode) == stat.S_IFMT(before.st_mode) and not left(tmp_path)[1:]


@pytest.mark.parametrize("mode", [0o664, 0o600, 0o440])
def test_mode_is_kept_and_the_mask_is_not_touched(tmp_path: Path, mode: int, no_mask: None) -> None:
    path = tmp_path / NAME
    path.write_bytes(b"old")
    path.chmod(mode)
    gc.save(1, path)
    assert stat.S_IMODE(path.stat().st_mode) == mode and value_at(path) == 1


def test_a_new_file_has_the_mode_of_the_mask(tmp_path: Path) -> None:
    program = "os.umask(0o027); gc.save(1, sys.argv[1])"
    assert run(program, tmp_path / NAME).returncode == 0
    assert stat.S_IMODE((tmp_path / NAME).stat().st_mode) == 0o640


@pytest.mark.skipif(os.getuid() != 0, reason="only root gives files away")
def test_owner_is_kept(tmp_path: Path) -> None:
    path = tmp_path / NAME
    path.write_bytes(b"old")
    os.chown(path, 1234, 2345)
    path.chmod(0o2750)
    gc.save(1, path)
    found = path.stat()
    assert (found.st_uid, found.st_gid, stat.S_IMODE(found.st_mode)) == (1234, 2345, 0o2750)


def test_a_failed_save_leaves_the_old_file_and_nothing_else(tmp_path: Path) -> None:
    path = tmp_path / NAME
    gc.save("old", path)
    program = """
import resource, signal, numpy
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000))
try:
    gc.save(numpy.random.default_rng(1).random(100_000), sys.argv[1])
except OSError as error:
    print(error.errno, error.filename)
"""
    assert run(program, path).stdout.split() == [str(errno.EFBIG), str(path)]
    assert value_at(path) == "old" and left(tmp_path) == []
    with pytest.raises(gc.GraphCodableError):
        gc.save({"x": object()}, path)
    assert value_at(path) == "old" and left(tmp_path) == []


def test_errors_name_the_file(tmp_path: Path) -> None:
    for path in (tmp_path / "no" / "such" / NAME, tmp_path / ("x" * 300)):
        with pytest.raises(OSError) as caught:
            gc.save(1, path)
        assert caught.value.filename == str(path)
    long = tmp_path / ("x" * 250)
    gc.save(1, long)  # The name of the temporary file is not made of it.
    assert value_at(long) == 1


# Temporaries


def ended() -> int:
    """The number of a process that has ended."""
    process = subprocess.Popen(["true"])
    process.wait()
    return process.pid


def test_temporaries_of_killed_processes_are_removed_and_no_others(tmp_path: Path) -> None:
    host, process, started, space, *_ = system().process_this()
    gone = ended()
    removed = [f".{host}.{gone}.{started:x}.{space:x}.1f{TEMPORARY_SUFFIX}", f".{host}.{process}.1.{space:x}.2{TEMPORARY_SUFFIX}"]
    kept = [
        f".{host}.{process}.{started:x}.{space:x}.3{TEMPORARY_SUFFIX}", f".other-{host}.{gone}.1.{space:x}.4{TEMPORARY_SUFFIX}",
        f".{host}.{gone}.1.{space + 1:x}.5{TEMPORARY_SUFFIX}", f".{host}.{gone}.1.{space:x}.6.other", f".{NAME}.xyz",
    ]  # fmt: skip
    for name in (*removed, *kept):
        (tmp_path / name).touch()
    gc.save(1, tmp_path / NAME)
    assert left(tmp_path) == sorted(kept)


def test_both_ways_have_the_same_names() -> None:
    if native.module is None:
        import graphcodable._native as module
    else:
        module = native.module
    assert module.process_this() == fallback.process_this()
    assert module.temporary_name(255, ".x") == fallback.temporary_name(255, ".x")
    this = module.process_this()
    for process in (this, (this[0], ended(), *this[2:]), (this[0], this[1], 1, *this[3:]), ("other", *this[1:]),
                    (*this[:5], "another boot"), (*this[:4], "another machine", this[5])):  # fmt: skip
        assert module.process_look(process) == fallback.process_look(process)


def test_a_killed_save_is_cleared_away_by_the_next(tmp_path: Path) -> None:
    program = """
import pickle
import signal
from graphcodable.writing import sinks
sinks.FileSink.publish = lambda self: os.kill(os.getpid(), signal.SIGKILL)
gc.save(1, sys.argv[1])
"""
    assert run(program, tmp_path / NAME).returncode == -signal.SIGKILL
    assert len(left(tmp_path)) == 1 and left(tmp_path)[0].endswith(TEMPORARY_SUFFIX)
    gc.save(2, tmp_path / NAME)
    assert left(tmp_path) == [] and value_at(tmp_path / NAME) == 2


# Appending


def test_threads_share_a_writer(tmp_path: Path) -> None:
    path = tmp_path / "a.gcseries"
    numbers: list[int] = []
    with gc.SeriesWriter(path, synchronized=False) as writer:

        def work(thread: int) -> None:
            for number in range(30):
                numbers.append(writer.append({"a": np.full(3000, thread), "n": number}, step=100 * thread + number))

        threads = [threading.Thread(target=work, args=(number,)) for number in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    series = gc.open(path)
    assert isinstance(series, gc.Series) and sorted(numbers) == list(range(120))
    series.verify()
    assert {entry.step for entry in series} == {100 * thread + number for thread in range(4) for number in range(30)}


def in_child(action: Callable[[], object]) -> int:
    """What a forked process says of an action."""
    child = os.fork()
    if not child:
        status = 99
        try:
            status = 0 if action() else 1
        finally:
            os._exit(status)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


@pytest.mark.filterwarnings("ignore:This process:DeprecationWarning")
def test_a_forked_process_is_refused_and_takes_no_lock_away(tmp_path: Path) -> None:
    path = tmp_path / "a.gcseries"
    writer = gc.SeriesWriter(path)
    writer.append(0)

    def append() -> bool:
        with pytest.raises(gc.GraphCodableError, match="forked") as caught:
            writer.append(1)
        with pytest.raises(gc.GraphCodableError, match="another writer has"):
            gc.SeriesWriter(path)
        writer.close()
        return caught.value.code == "locked"

    assert in_child(append) == 0
    assert Path(path_of(str(path))).exists()
    with pytest.raises(gc.GraphCodableError, match="another writer has"):
        gc.SeriesWriter(path)
    assert writer.append(1) == 1
    writer.close()
    assert [entry.root for entry in gc.Series(path.read_bytes())] == [0, 1] and left(tmp_path) == ["a.gcseries"]


def test_a_writer_that_a_forked_process_still_has_gives_its_lock_back(tmp_path: Path) -> None:
    path, (ours, theirs) = tmp_path / "a.gcseries", os.pipe()
    writer = gc.SeriesWriter(path)
    child = os.fork()
    if not child:
        os.close(theirs)
        os.read(ours, 1)  # Until the end of the test.
        os._exit(0)
    writer.close()
    gc.SeriesWriter(path).close()
    os.close(theirs)
    os.waitpid(child, 0)
    os.close(ours)


def test_the_lock_says_who_has_it_and_goes_with_the_writer(tmp_path: Path) -> None:
    path = tmp_path / "a.gcseries"
    with gc.SeriesWriter(path):
        data = (tmp_path / "a.gcseries.gcodable-lock").read_bytes()
        found = lock_text.holder(data)
        assert found is not None and found.process == system().process_this() and found.file == path.stat().st_ino
        with pytest.raises(gc.GraphCodableError, match=f"process {os.getpid()} on host") as caught:
            gc.SeriesWriter(path)
        assert caught.value.code == "locked"
    assert left(tmp_path) == ["a.gcseries"]
    assert run("writer = gc.SeriesWriter(sys.argv[1])", path).returncode == 0  # It ends without closing.
    assert left(tmp_path) == ["a.gcseries"]


def test_the_lock_of_a_killed_process_is_taken_over(tmp_path: Path) -> None:
    path = tmp_path / "a.gcseries"
    program = "import signal; w = gc.SeriesWriter(sys.argv[1]); w.append(1); os.kill(os.getpid(), signal.SIGKILL)"
    assert run(program, path).returncode == -signal.SIGKILL
    assert left(tmp_path) == ["a.gcseries", "a.gcseries.gcodable-lock"]
    with gc.SeriesWriter(path) as writer:
        assert writer.append(2) == 1
    assert left(tmp_path) == ["a.gcseries"]


@pytest.mark.parametrize("what", ["another host", "no lock"])
def test_other_locks_stay_and_are_named(tmp_path: Path, what: str) -> None:
    path = tmp_path / "a.gcseries"
    gc.SeriesWriter(path).close()
    text = lock_text.made(path.stat().st_ino)
    if what == "another host":
        text = text.replace(socket.gethostname().encode(), b"other-host")
    lock = Path(path_of(str(path)))
    lock.write_bytes(text if what == "another host" else b"")
    with pytest.raises(gc.GraphCodableError, match=lock.name) as caught:
        gc.SeriesWriter(path)
    assert caught.value.code == "locked" and lock.exists()
    lock.unlink()
    gc.SeriesWriter(path).close()


def test_a_series_that_loses_its_name_is_not_appended_to(tmp_path: Path) -> None:
    path = tmp_path / "a.gcseries"
    with gc.SeriesWriter(path) as writer:
        writer.append(1)
        path.rename(tmp_path / "b.gcseries")
        with pytest.raises(gc.GraphCodableError, match="moved, removed or replaced"):
            writer.append(2)
        (tmp_path / "b.gcseries").rename(path)
        assert writer.append(2) == 1
    with pytest.raises(ValueError, match="closed"):
        writer.append(3)


def test_a_failed_append_leaves_what_was_there(tmp_path: Path) -> None:
    path = tmp_path / "a.gcseries"
    program = """
import resource, signal, numpy
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
with gc.SeriesWriter(sys.argv[1]) as writer:
    writer.append(1)
    size = os.path.getsize(sys.argv[1])
    resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, -1))
    try:
        writer.append(numpy.random.default_rng(1).random(100_000))
    except OSError as error:
        print(error.errno, error.filename, os.path.getsize(sys.argv[1]) == size)
    resource.setrlimit(resource.RLIMIT_FSIZE, (-1, -1))
    writer.append(2)
"""
    done = run(program, path)
    assert done.stdout.split() == [str(errno.EFBIG), str(path), "True"], done.stderr
    series = gc.Series(path.read_bytes())
    series.verify()
    assert [entry.root for entry in series] == [1, 2]


@pytest.fixture
def no_locks(tmp_path: Path, kind: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A file system without `flock`, here and in processes that are started."""
    source, library = tmp_path / "flock.c", tmp_path / "flock.so"
    source.write_text("#include <errno.h>\nint flock(int d, int o) { (void)d, (void)o; errno = ENOLCK; return -1; }\n")
    if subprocess.run(["cc", "-shared", "-fPIC", "-o", library, source], capture_output=True).returncode:
        pytest.skip("without a C compiler")
    monkeypatch.setenv("LD_PRELOAD", str(library))
    yield


@pytest.mark.skipif(sys.platform != "linux", reason="another way to replace a function")
def test_where_there_is_no_flock_the_lock_file_says_who_writes(tmp_path: Path, no_locks: None) -> None:
    (tmp_path / "folder").mkdir()
    path = tmp_path / "folder" / "a.gcseries"
    program = """
import fcntl
try:
    fcntl.flock(0, fcntl.LOCK_EX)
except OSError as error:
    print(error.errno)
writer = gc.SeriesWriter(sys.argv[1])
writer.append(1)
try:
    gc.SeriesWriter(sys.argv[1])
except gc.GraphCodableError as error:
    print(error.code)
writer.append(2)
gc.save(1, sys.argv[1] + ".gcodable")
"""
    done = run(program, path)
    assert done.stdout.split() == [str(errno.ENOLCK), "locked"] and not done.stderr
    assert [entry.root for entry in gc.Series(path.read_bytes())] == [1, 2]
    assert left(path.parent) == ["a.gcseries", "a.gcseries.gcodable"]


@pytest.mark.skipif(os.getuid() != 0, reason="needs another user")
def test_in_a_folder_that_may_not_be_written_there_is_no_lock_file(tmp_path: Path) -> None:
    path = tmp_path / "a.gcseries"
    gc.SeriesWriter(path).close()
    path.chmod(0o666)
    for folder in (tmp_path, *tmp_path.parents[:3]):
        folder.chmod(0o755)
    program = "os.setuid(65534); w = gc.SeriesWriter(sys.argv[1]); w.append(1); print(os.listdir(os.path.dirname(sys.argv[1])))"
    done = run(program, path)
    assert done.stdout.strip() == "['a.gcseries']", done.stderr


# Reading


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


def test_series_behind_links_and_dots_are_where_the_system_says(tmp_path: Path) -> None:
    (tmp_path / "a" / "b").mkdir(parents=True)
    (tmp_path / "link").symlink_to("a/b")
    with gc.SeriesWriter(tmp_path / "link" / ".." / "s.gcseries") as writer:
        writer.append(1)
        assert left(tmp_path / "a") == ["b", "s.gcseries", "s.gcseries.gcodable-lock"]
    series = gc.open(tmp_path / "link" / ".." / "s.gcseries")
    assert isinstance(series, gc.Series) and series[0].root == 1
