"""Where the bytes of archives go: memory, a file that appears when it is complete, or the end of a file."""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Sequence
from typing import Protocol

from .processes import naming, remove_abandoned, system, temporary_path
from .refusals import local

Buffer = bytes | bytearray | memoryview


class Sink(Protocol):
    def write(self, pieces: Sequence[Buffer], offset: int) -> None:
        """Writes pieces one behind the other, from `offset` on."""
        ...


class MemorySink:
    def __init__(self) -> None:
        self.data = bytearray()

    def write(self, pieces: Sequence[Buffer], offset: int) -> None:
        if offset == len(self.data):
            for piece in pieces:
                self.data += piece
            return
        joined = b"".join(pieces)
        self.data += bytes(max(offset - len(self.data), 0))
        self.data[offset : offset + len(joined)] = joined


class OffsetSink:
    """Another sink from some place on."""

    def __init__(self, sink: Sink, start: int) -> None:
        self.sink, self.start = sink, start

    def write(self, pieces: Sequence[Buffer], offset: int) -> None:
        self.sink.write(pieces, self.start + offset)


class FileSink:
    """A file that gets its name only when it is complete; until then what had the name stays as it is.

    A link is followed, so that the file it leads to is replaced and not the link. Mode and, as far as the process may, owner are
    those of the file that is replaced. What is no regular file is refused.
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.descriptor = -1
        given = local(path)
        if given.endswith(os.sep):
            raise IsADirectoryError(errno.EISDIR, "a folder cannot be replaced", given)
        self.path = os.path.realpath(given)
        self.given = given
        self.folder = os.path.dirname(self.path)
        self.process = os.getpid()
        with naming(given):
            existing = self._existing()
            # First of all, because they may take the room that this one needs.
            remove_abandoned(self.folder)
            self.temporary = temporary_path(self.folder)
            mode = 0o666 if existing is None else stat.S_IMODE(existing.st_mode)
            self.descriptor = system().file_create(self.temporary, mode)
            try:
                if existing is not None:
                    self._keep(existing)
            except BaseException:
                self.discard()
                raise

    def _existing(self) -> os.stat_result | None:
        """What is there already."""
        try:
            found = os.stat(self.path)
        except FileNotFoundError:
            return None
        if not stat.S_ISREG(found.st_mode):
            # A rename would put a file in the place of a pipe, a device or a folder.
            reason = errno.EISDIR if stat.S_ISDIR(found.st_mode) else errno.EINVAL
            raise OSError(reason, "a folder cannot be replaced" if reason == errno.EISDIR else "only files can be replaced")
        return found

    def _keep(self, existing: os.stat_result) -> None:
        """Owner and mode; the owner first, since the system then takes bits of the mode away."""
        system().file_set_owner(self.descriptor, existing.st_uid, existing.st_gid)
        # Creating applies the process's mask, which says nothing about a file that is only replaced.
        system().file_set_permissions(self.descriptor, stat.S_IMODE(existing.st_mode))

    def write(self, pieces: Sequence[Buffer], offset: int) -> None:
        with naming(self.given):
            system().file_write(self.descriptor, list(pieces), offset)

    def publish(self) -> None:
        """Puts the complete file in its place: it survives a crash of the system from then on."""
        with naming(self.given):
            system().file_sync(self.descriptor)
            reason = system().file_publish(self.temporary, self.path, self.folder)
            self.process = -1
            self.discard()
            if reason:
                raise OSError(reason, f"the folder could not be brought to the device: {os.strerror(reason)}")

    def discard(self) -> None:
        """Removes what is not complete, unless it is that of the process that this one was forked from."""
        # Closed last: it has its lock as long as it has this name.
        if self.process == os.getpid():
            try:
                os.unlink(self.temporary)
            except OSError:
                pass
        if self.descriptor >= 0:
            os.close(self.descriptor)
        self.descriptor = -1

    def __enter__(self) -> FileSink:
        return self

    def __exit__(self, *_: object) -> None:
        self.discard()
