"""What is where a scenario writes: before, and after."""

from __future__ import annotations

import os
import socket
import stat
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from scenario_program import model

import graphcodable as gc
from graphcodable.writing import lock_text
from graphcodable.writing.lock_file import SUFFIX
from graphcodable.writing.processes import TEMPORARY_SUFFIX, system

NAME = "a.gcodable"
OTHER = "b.gcodable"
Look = dict[str, tuple[object, ...]]


class Place:
    """A folder, the path that is written to, and the file that is to have the bytes then.

    `inside` is the folder as a writer sees it, which may be in a mount namespace of its own; `folder` as the tests do.
    """

    def __init__(self, folder: Path, is_series: bool, inside: Path | None = None) -> None:
        self.folder, self.inside, self.is_series = folder, inside or folder, is_series
        self.name, self.file = NAME, folder / NAME
        self.removed: set[str] = set()

    @property
    def given(self) -> str:
        return os.path.join(self.inside, self.name)

    def write_old(self, path: Path | None = None) -> None:
        """Old bytes, at once, also where the folder is another process's."""
        path = path or self.file
        if not self.is_series:
            path.write_bytes(gc.encode(model("old", 5)))
            return
        with gc.SeriesWriter(path, synchronized=False) as writer:
            writer.append(model("old", 5))

    def holds(self, path: Path | None = None) -> object:
        """The text of an archive, or those of the entries of a series, which are checked; `None` where there is no file."""
        path = path or self.file
        try:
            mode = path.stat().st_mode
        except OSError:
            return None
        if not stat.S_ISREG(mode):
            return None
        data = path.read_bytes()
        if not self.is_series:
            return text(gc.Archive(data))
        series = gc.Series(data)
        series.verify_list()
        return [text(entry.archive) for entry in series]

    def look(self) -> Look:
        """All that is there, by names: kinds, modes, owners, and where links lead."""
        found: Look = {}
        for path in sorted(self.folder.rglob("*")):
            status = path.lstat()
            kind = stat.S_IFMT(status.st_mode)
            leads_to = os.readlink(path) if stat.S_ISLNK(kind) else ""
            found[str(path.relative_to(self.folder))] = (kind, stat.S_IMODE(status.st_mode), status.st_uid, status.st_gid, leads_to)
        return found


def text(archive: gc.Archive) -> str:
    archive.verify()
    value, number = archive.root, len(archive.root.numbers)
    assert (value.numbers == model("", number)["numbers"]).all()
    return str(value.text)


STATES: dict[str, Callable[[Place], None]] = {}


def state(name: str) -> Callable[[Callable[[Place], None]], Callable[[Place], None]]:
    def add(make: Callable[[Place], None]) -> Callable[[Place], None]:
        STATES[name] = make
        return make

    return add


@state("nothing")
def nothing(place: Place) -> None:
    pass


@state("file")
def file(place: Place) -> None:
    place.write_old()


def with_mode(mode: int) -> Callable[[Place], None]:
    def make(place: Place) -> None:
        place.write_old()
        place.file.chmod(mode)

    return make


for mode in (0o664, 0o600, 0o640, 0o2750):
    STATES[f"file of mode {mode:o}"] = with_mode(mode)


@state("file of another owner")
def owned(place: Place) -> None:
    if os.getuid():
        pytest.skip("only root gives files away")
    place.write_old()
    os.chown(place.file, 1234, 2345)
    place.file.chmod(0o2750)


@state("file that may not be written")
def unwritable(place: Place) -> None:
    place.write_old()
    place.file.chmod(0o444)


@state("file that anybody may write")
def writable(place: Place) -> None:
    place.write_old()
    place.file.chmod(0o666)


def elsewhere(place: Place) -> None:
    (place.folder / "elsewhere").mkdir()
    place.file = place.folder / "elsewhere" / OTHER


@state("link to a file")
def link(place: Place) -> None:
    elsewhere(place)
    place.write_old()
    (place.folder / NAME).symlink_to(f"elsewhere/{OTHER}")


@state("link to nothing")
def link_to_nothing(place: Place) -> None:
    elsewhere(place)
    (place.folder / NAME).symlink_to(f"elsewhere/{OTHER}")


@state("link to a link")
def link_to_link(place: Place) -> None:
    link(place)
    (place.folder / "second").symlink_to(NAME)
    place.name = "second"


@state("absolute link to a file")
def absolute_link(place: Place) -> None:
    elsewhere(place)
    place.write_old()
    (place.folder / NAME).symlink_to(place.inside / "elsewhere" / OTHER)


@state("links in a circle")
def circle(place: Place) -> None:
    (place.folder / NAME).symlink_to("second")
    (place.folder / "second").symlink_to(NAME)


@state("link in front of dots")
def dots(place: Place) -> None:
    (place.folder / "x" / "y").mkdir(parents=True)
    (place.folder / "link").symlink_to("x/y")
    place.name, place.file = f"link/../{NAME}", place.folder / "x" / NAME
    place.write_old()


@state("link to a folder, and no file")
def linked_folder(place: Place) -> None:
    (place.folder / "x" / "y").mkdir(parents=True)
    (place.folder / "link").symlink_to("x/y")
    place.name, place.file = f"link/../{NAME}", place.folder / "x" / NAME


@state("hard links")
def hard_links(place: Place) -> None:
    place.write_old()
    os.link(place.file, place.folder / OTHER)


@state("pipe")
def pipe(place: Place) -> None:
    os.mkfifo(place.file)


@state("device")
def device(place: Place) -> None:
    place.name = "/dev/null"


@state("socket")
def bound_socket(place: Place) -> None:
    # Short, since paths of sockets are.
    here = os.open(place.folder, os.O_RDONLY)
    try:
        with socket.socket(socket.AF_UNIX) as made:
            made.bind(f"/proc/self/fd/{here}/{NAME}")
    finally:
        os.close(here)


@state("folder")
def folder(place: Place) -> None:
    place.file.mkdir()


@state("link to a folder")
def link_to_folder(place: Place) -> None:
    (place.folder / "x").mkdir()
    place.file.symlink_to("x")


@state("file in the place of a folder")
def no_folder(place: Place) -> None:
    place.write_old()
    place.name = f"{NAME}/{OTHER}"


@state("no such folder")
def missing(place: Place) -> None:
    place.name = f"none/{NAME}"


@state("name of 250 bytes")
def long_name(place: Place) -> None:
    place.name = "n" * 250
    place.file = place.folder / place.name


@state("name that is too long")
def too_long(place: Place) -> None:
    place.name = "n" * 300


@state("archive")
def archive(place: Place) -> None:
    """Where a series is to be."""
    place.file.write_bytes(gc.encode(1))
    place.file = place.folder / "none"


@state("remains of a killed process")
def remains(place: Place) -> None:
    """The entry once more, without its record."""
    place.write_old()
    entry = gc.Series(place.file.read_bytes())[0]
    data = place.file.read_bytes()
    place.file.write_bytes(data + data[entry.offset : entry.offset + entry.size])


def ended() -> int:
    """The number of a process that has ended."""
    process = subprocess.Popen(["true"])
    process.wait()
    return process.pid


@state("temporaries")
def temporaries(place: Place) -> None:
    """Of killed processes, which go, and of all others, which stay."""
    place.write_old()
    host, process, started, space, *_ = system().process_this()
    gone = ended()
    place.removed = {
        f".{host}.{gone}.{started:x}.{space:x}.1f{TEMPORARY_SUFFIX}", f".{host}.{process}.1.{space:x}.2{TEMPORARY_SUFFIX}",
    }  # fmt: skip
    for name in (
        *place.removed, f".{host}.{process}.{started:x}.{space:x}.3{TEMPORARY_SUFFIX}",
        f".other-{host}.{gone}.1.{space:x}.4{TEMPORARY_SUFFIX}", f".{host}.{gone}.1.{space + 1:x}.5{TEMPORARY_SUFFIX}",
        f".{host}.{gone}.1.{space:x}.6.other", f".{NAME}.xyz",
    ):  # fmt: skip
        (place.folder / name).touch()


def locked(change: Callable[[bytes], bytes], is_removed: bool = False) -> Callable[[Place], None]:
    """A lock of a process that has ended, changed."""

    def make(place: Place) -> None:
        place.write_old()
        lines = lock_text.made(place.file.stat().st_ino).decode().splitlines()
        lines = [f"process {ended()}" if line.startswith("process ") else line for line in lines]
        lock = place.folder / (NAME + SUFFIX)
        lock.write_bytes(change("".join(f"{line}\n" for line in lines).encode()))
        place.removed = {lock.name} if is_removed else set()

    return make


def replaced(key: str, value: str) -> Callable[[bytes], bytes]:
    def change(data: bytes) -> bytes:
        lines = data.decode().splitlines()
        return "".join(f"{key} {value}\n" if line.startswith(f"{key} ") else f"{line}\n" for line in lines).encode()

    return change


STATES |= {
    "lock of an ended process": locked(lambda data: data, is_removed=True),
    "lock of a number that is another process's now": locked(
        lambda data: replaced("started", "1")(replaced("process", str(os.getpid()))(data)), is_removed=True
    ),
    "lock of another host": locked(replaced("host", "other-host")),
    "lock of another container": locked(replaced("space", "7")),
    "lock of another machine": locked(replaced("machine", "other")),
    "empty lock": locked(lambda _: b""),
    "lock that is cut short": locked(lambda data: data[: len(data) // 2]),
}
