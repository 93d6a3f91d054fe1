"""A file that grows at its end, by one writer in all processes."""

from __future__ import annotations

import os
import time
from collections.abc import Sequence
from contextlib import suppress

from ..format.errors import GraphCodableError
from ..format.source import whole_path
from .lock_file import LockFile, held_error, locked
from .processes import naming, system
from .refusals import local
from .sinks import Buffer


# Seconds: a check says no more than what was true a moment ago.
LONGEST_UNCHECKED = 0.01


class AppendedFile:
    """Opened or created, and locked: by the system, and by a lock file where the process may make one."""

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.descriptor = -1
        self.given = local(path)
        # Another folder may become the current one.
        self.path = whole_path(self.given)
        self.process = os.getpid()
        self._checked = float("-inf")
        try:
            with naming(self.given):
                self.descriptor = system().file_open_append(self.path, 0o666)
        except BlockingIOError:
            raise held_error(self.path) from None
        try:
            self._lock = LockFile(self.path)
        except BaseException:
            os.close(self.descriptor)
            self.descriptor = -1
            raise

    def __del__(self) -> None:
        self.close()

    @property
    def is_own(self) -> bool:
        """Whether this process opened it, and not one that this process was forked from."""
        return self.process == os.getpid()

    def check_process(self) -> None:
        if not self.is_own:
            raise locked(f"the process that this one was forked from appends to {self.path}")

    def check(self) -> int:
        """Refuses a process that was forked, a file that has lost its name, and another lock; the size of the file."""
        self.check_process()
        if self.descriptor < 0:
            raise ValueError(f"the writer of {self.path} is closed")
        size, is_at, has_lock = system().file_look(self.descriptor, self.path, self._lock.path, self._lock.data)
        if not is_at:
            message = f"{self.path} was moved, removed or replaced while it was open for appending"
            raise GraphCodableError(None, message, None, "series", "file")
        if not has_lock:
            self._lock.take_again()
        self._checked = time.monotonic()
        return int(size)

    def check_again(self) -> None:
        """The same, where what was done since the last check has taken a while."""
        if time.monotonic() - self._checked > LONGEST_UNCHECKED:
            self.check()

    def write(self, pieces: Sequence[Buffer], offset: int) -> None:
        with naming(self.given):
            system().file_write(self.descriptor, list(pieces), offset)

    def truncate(self, size: int) -> None:
        with naming(self.given):
            system().file_truncate(self.descriptor, size)

    def sync(self) -> None:
        with naming(self.given):
            system().file_sync(self.descriptor)

    def sync_name(self) -> None:
        """Brings the name of the file to the device."""
        with naming(self.given):
            system().folder_sync(os.path.dirname(os.path.realpath(self.path)))

    def close(self) -> None:
        """Gives the locks back, also where a forked process still has the file.

        A forked process gives back none of the process that it is a copy of.
        """
        if self.descriptor < 0:
            return
        if self.is_own:
            self._lock.release()
            system().file_unlock(self.descriptor)
        with suppress(OSError):
            os.close(self.descriptor)
        self.descriptor = -1
