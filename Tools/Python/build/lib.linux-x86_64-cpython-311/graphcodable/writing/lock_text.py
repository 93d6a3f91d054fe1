"""What a lock file says: lines of text, for people as well."""

from __future__ import annotations

import datetime
import secrets
from typing import NamedTuple

import xxhash

from .fallback import ELSEWHERE, GONE, RUNS, Process
from .processes import system

FIRST_LINE = "gcodable-lock 1"
ANY_FILE = 0  # Stands for whatever file has the name.
DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"


class Holder(NamedTuple):
    """Which process has made a lock, of which file by its number, and when."""

    process: Process
    file: int
    since: datetime.datetime

    @property
    def state(self) -> int:
        """Whether the process runs, is gone, or is elsewhere."""
        found: int = system().process_look(tuple(self.process))
        return found


def made(file: int) -> bytes:
    """A lock that this process makes now, which is different from every other one."""
    host, number, started, space, machine, boot = system().process_this()
    now = datetime.datetime.now(datetime.UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    nonce = "".join(secrets.choice(DIGITS) for _ in range(12))
    lines = (
        FIRST_LINE, f"host {host}", f"process {number}", f"started {started}", f"space {space}", f"machine {machine}",
        f"boot {boot}", f"file {file}", f"since {now}", f"nonce {nonce}",
    )  # fmt: skip
    return "".join(f"{line}\n" for line in lines).encode()


def holder(data: bytes) -> Holder | None:
    """The process that made a lock; `None` for a file that is none, or was not finished."""
    lines = data.decode("utf-8", "replace").split("\n")
    # The last one tells a file of which a part is there.
    if lines[0] != FIRST_LINE or len(lines) < 2 or not lines[-2].startswith("nonce "):
        return None
    values: dict[str, str] = {}
    for line in lines[1:]:
        key, _, value = line.partition(" ")
        values.setdefault(key, value)
    try:
        process = (
            values["host"], int(values["process"]), int(values["started"]), int(values["space"]),
            values.get("machine", ""), values.get("boot", ""),
        )  # fmt: skip
        since = datetime.datetime.fromisoformat(values["since"])
        found = Holder(process, int(values["file"]), since)
    except (KeyError, ValueError):
        return None
    is_possible = 0 < process[1] < 1 << 31 and 0 < len(process[0]) <= 64 and max(map(len, process[4:])) <= 64
    return found if is_possible and all(0 <= each < 1 << 64 for each in (*process[2:4], found.file)) else None


def is_stale(data: bytes, file: int) -> bool:
    """Whether the process of a lock cannot write any more what is to be locked now, the file with that number."""
    found = holder(data)
    if found is None:
        return False
    state = found.state
    # A process of this host that has locked another file: that one has lost its name since.
    return state == GONE or (state == RUNS and found.file not in (file, ANY_FILE))


def short_name(data: bytes) -> str:
    """A number that stands for these bytes in names of files."""
    return f"{xxhash.xxh3_64_intdigest(data):x}"


def described(data: bytes, subject: str, path: str) -> str:
    """Which process writes, and what can be done about it."""
    found = holder(data)
    if found is None:
        return f"{subject} is locked by {path}, which does not say by whom: remove it if nobody writes there"
    who = f"process {found.process[1]} on host {found.process[0]}, since {found.since:%Y-%m-%dT%H:%M:%SZ}"
    if found.state == RUNS:
        return f"another writer has {subject}: {who}"
    unknown = "Whether it still runs cannot be said here" if found.state == ELSEWHERE else "It seems to have ended"
    return f"another writer has {subject}: {who}. {unknown}; if it does not run, remove {path}"
