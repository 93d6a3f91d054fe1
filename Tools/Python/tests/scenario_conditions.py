"""Under which a scenario's writer runs: a full device, a mask, a file system without locks, and so on."""

from __future__ import annotations

import errno
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from scenario_places import STATES, Place
from scenario_writers import Conditions, Writer, interposer

NOBODY = 65534
IN_MEMORY = Path("/dev/shm")


@contextmanager
def full_device(folder: Path, is_series: bool, state: str, is_read_only: bool) -> Iterator[tuple[Place, Conditions]]:
    """A small file system in memory, which goes with the process that has mounted it; only it, and those that join it, see it.

    Tests look into it by `/proc`.
    """
    script = 'mount -t tmpfs -o size=512k tmpfs "$0" && echo mounted && exec cat'
    command = ["unshare", "-rm", "sh", "-c", script, str(folder)]
    try:
        process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    except FileNotFoundError:
        pytest.skip("without unshare")
    with process:
        assert process.stdin is not None and process.stdout is not None
        if process.stdout.readline() != b"mounted\n":
            pytest.skip("this system does not let a test mount file systems")
        joining = ("nsenter", "-t", str(process.pid), "-U", "-m", "--preserve-credentials")
        place = Place(Path(f"/proc/{process.pid}/root{folder}"), is_series, inside=folder)
        STATES[state](place)
        if is_read_only:
            subprocess.run([*joining, "mount", "-o", "remount,ro", str(folder)], check=True)
        try:
            yield place, Conditions(prefix=joining)
        finally:
            process.stdin.close()


@contextmanager
def prepared(under: str, state: str, folder: Path, is_series: bool, tools: Path) -> Iterator[tuple[Place, Conditions]]:
    """The place of a scenario, and how its writer is to run; `tools` is a folder for what is compiled."""
    if under in ("full device", "read-only device"):
        with full_device(folder, is_series, state, under == "read-only device") as found:
            yield found
        return
    conditions = Conditions()
    if under.startswith("mask "):
        conditions.umask = int(under.removeprefix("mask "), 8)
    elif under == "limited files":
        conditions.largest_file = 100_000
    elif "flock " in under:
        reason = under.partition("flock ")[2]
        locks = reason if reason == "grant" else str(getattr(errno, reason))
        conditions.environment = {"LD_PRELOAD": str(interposer(tools)), "CRASH_FLOCK": locks}
    place = Place(folder, is_series)
    STATES[state](place)
    if under.startswith("nobody") and not os.getuid():
        for each in (folder, *folder.parents[:3]):
            each.chmod(0o755)
        conditions.environment = {"SCENARIO_USER": str(NOBODY)}
    if under == "nobody in a folder of theirs" and not os.getuid():
        os.chown(folder, NOBODY, -1)
        os.chown(place.file, NOBODY, -1)
    elif under == "nobody in a folder of others":
        folder.chmod(0o555)
    try:
        yield place, conditions
    finally:
        folder.chmod(0o755)


class Calls:
    """Runs of a writer in which something happens to one of the calls that change files, to the first one, then the second."""

    def __init__(self, writer: Writer, tools: Path, mode: str) -> None:
        self.writer, self.count_file, self.mode = writer, tools / "count", mode
        self.environment = {
            "LD_PRELOAD": str(interposer(tools)), "CRASH_WAITS": "1", "CRASH_COUNT_FILE": str(self.count_file),
        }  # fmt: skip

    def count(self, *arguments: object) -> int:
        """How many there are where nothing happens to any."""
        done = self.writer.run(*arguments, conditions=Conditions(self.environment))
        assert done.steps == ["done"], done
        return int(self.count_file.read_text())

    def at(self, number: int) -> Conditions:
        return Conditions({**self.environment, "CRASH_AT": str(number), "CRASH_MODE": self.mode})


def fast_folder(otherwise: Path) -> Path:
    """Where files are written again and again, since nothing there needs a device."""
    return IN_MEMORY if sys.platform == "linux" and os.access(IN_MEMORY, os.W_OK) else otherwise
