"""A file that says which process appends to a file, for file systems where `flock` fails or holds on one node only."""

from __future__ import annotations

import errno
import os
import weakref

from ..format.errors import GraphCodableError
from .fallback import file_read_small as read
from .lock_text import described, is_stale, made, short_name
from .processes import naming, remove_abandoned, system, temporary_path

SUFFIX = ".gcodable-lock"
LONGEST_NAME = 200
ATTEMPTS, MOST_DEPTH = 100, 4
NOT_ALLOWED = (errno.EACCES, errno.EPERM, errno.EROFS)


def locked(message: str) -> GraphCodableError:
    return GraphCodableError(None, message, None, "series", "locked")


def path_of(subject: str) -> str:
    """The lock file of a file, beside it."""
    folder, name = os.path.split(os.path.realpath(subject))
    # The name of the file may be as long as the system allows.
    encoded = os.fsencode(name)
    return os.path.join(folder, (name if len(encoded) <= LONGEST_NAME else short_name(encoded)) + SUFFIX)


def held_error(subject: str) -> GraphCodableError:
    """The error for a lock that the system reports."""
    path = path_of(subject)
    try:
        found = read(path)
    except OSError:
        found = None
    return locked(f"another writer has {subject}" if found is None else described(found, subject, path))


class LockFile:
    """It is made in one step, with all that it says. One of a process of this host that has ended is taken over; all others stay
    until their processes remove them.
    """

    def __init__(self, subject: str) -> None:
        self.subject, self.path = subject, path_of(subject)
        self.file = os.stat(subject).st_ino
        self.data = made(self.file)
        self.process = os.getpid()
        # A lock of a process that was killed while it made it.
        remove_abandoned(os.path.dirname(self.path))
        # Where this process may not make files in the folder, and there is no lock, it goes on without.
        self.is_there = self._take(self.path, 0)
        # Also when the process ends, or nobody has the lock any more.
        self._removal = weakref.finalize(self, remove, self.path, self.data, self.process)

    def take_again(self) -> None:
        """Refuses to go on if another process has the lock now; makes it anew if it is gone."""
        if self.is_there:
            self._take(self.path, 0)

    def release(self) -> None:
        """Gives the lock back, unless this process was forked from the one that has it."""
        self._removal()

    def _take(self, path: str, depth: int) -> bool:
        """Makes a file with what this lock says; false where this process may not."""
        for _ in range(ATTEMPTS):
            reason = self._make(path)
            if not reason:
                return True
            with naming(path):
                found = read(path)
            if found is None:
                if reason == errno.EEXIST:
                    continue  # Gone meanwhile.
                return False
            if not is_stale(found, self.file) or depth >= MOST_DEPTH:
                raise locked(described(found, self.subject, path))
            if reason != errno.EEXIST:
                return False
            if self._replace(found, path, depth):
                return True
        raise locked(f"the lock {path} of {self.subject} changes hands again and again")

    def _replace(self, other: bytes, path: str, depth: int) -> bool:
        """Puts this lock into the place of another one; false if that was replaced before.

        Of several that want to, one gets the right to: a file whose name is made of what the other lock says. As long as it is
        there, only its owner replaces that lock; and it becomes the lock.
        """
        right = f"{path_of(self.subject)}.{short_name(other)}"
        if not self._take(right, depth + 1):
            return False
        try:
            if read(path) == other:
                os.rename(right, path)
                return True
        except OSError:
            pass
        try:
            os.unlink(right)
        except OSError:
            pass
        return False

    def _make(self, path: str) -> int:
        """Makes the file; the reason why it is not there."""
        try:
            system().file_make_exclusive(temporary_path(os.path.dirname(path)), path, self.data)
        except OSError as error:
            if error.errno == errno.EEXIST or error.errno in NOT_ALLOWED:
                return error.errno or errno.EEXIST
            raise OSError(error.errno, f"the lock cannot be made: {error.strerror}", path) from None
        return 0


def remove(path: str, data: bytes, process: int) -> None:
    """Removes a lock file, if it is still the one of the process."""
    try:
        if process == os.getpid() and read(path) == data:
            os.unlink(path)
    except OSError:
        pass
