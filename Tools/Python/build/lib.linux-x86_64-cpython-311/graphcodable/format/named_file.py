"""Files that are read by their paths: many may be open, with few descriptors."""

from __future__ import annotations

import os
import stat
import threading
from collections import OrderedDict
from collections.abc import Iterator, Sequence

from .errors import GraphCodableError
from .source import bytes_at, whole_path

try:
    import resource
except ImportError:  # A system without limits that a process could ask for.
    resource = None  # type: ignore[assignment]

MOST_OPEN, LEAST_OPEN = 64, 4
# A pipe that nobody writes into does not keep who opens it.
READING = os.O_RDONLY | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)


class NamedFile:
    """A file of which parts are read at their places.

    It is opened again when its descriptor was needed elsewhere, and after `close`.
    """

    is_view = False

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path = whole_path(path)
        self.identity: tuple[int, int] | None = None
        self.size  # Opens it.

    @property
    def size(self) -> int:
        descriptor = DESCRIPTORS.take(self)
        try:
            return os.fstat(descriptor).st_size
        finally:
            DESCRIPTORS.give_back(self)

    def opened(self) -> int:
        descriptor = os.open(self.path, READING)
        status = os.fstat(descriptor)
        found = status.st_dev, status.st_ino
        if not stat.S_ISREG(status.st_mode):
            os.close(descriptor)
            raise GraphCodableError(None, f"{self.path} is no file of bytes", None, "archive", "file")
        if self.identity not in (None, found):
            os.close(descriptor)
            raise GraphCodableError(None, f"{self.path} was replaced since it was opened", None, "series", "file")
        self.identity = found
        return descriptor

    def read(self, offset: int, count: int) -> memoryview:
        descriptor = DESCRIPTORS.take(self)
        try:
            data = bytes_at(descriptor, offset, count)
        finally:
            DESCRIPTORS.give_back(self)
        if data is not None:
            return data
        raise GraphCodableError("H6", f"{count} bytes are asked for behind the end", offset)

    def read_many(self, extents: Sequence[tuple[int, int]]) -> Iterator[memoryview]:
        return (self.read(*extent) for extent in extents)

    def close(self) -> None:
        DESCRIPTORS.close(self)

    def __del__(self) -> None:
        DESCRIPTORS.close(self)


class Descriptors:
    """Those of files that were read last."""

    def __init__(self) -> None:
        self.forget_threads()
        self.open: OrderedDict[int, int] = OrderedDict()  # By the identity of the object.

    def forget_threads(self) -> None:
        # Also for a lock that is taken while garbage is collected by the thread that has it.
        self.lock = threading.RLock()
        self.users: dict[int, int] = {}
        self.leaving: set[int] = set()

    def take(self, file: NamedFile) -> int:
        """The descriptor of a file, which stays open until it is given back."""
        key = id(file)
        with self.lock:
            descriptor = self.open.get(key)
            if descriptor is None:
                self.make_room()
                descriptor = self.open[key] = file.opened()
            self.open.move_to_end(key)
            self.users[key] = self.users.get(key, 0) + 1
            return descriptor

    def give_back(self, file: NamedFile) -> None:
        key = id(file)
        with self.lock:
            count = self.users.pop(key) - 1
            if count:
                self.users[key] = count
            elif key in self.leaving:
                self.drop(key)

    def make_room(self) -> None:
        unused = [key for key in self.open if key not in self.users]
        for key in unused[: max(len(self.open) + 1 - most_open(), 0)]:
            self.drop(key)

    def drop(self, key: int) -> None:
        self.leaving.discard(key)
        descriptor = self.open.pop(key, None)
        if descriptor is not None:
            os.close(descriptor)

    def close(self, file: NamedFile) -> None:
        key = id(file)
        with self.lock:
            if key in self.open and key in self.users:
                self.leaving.add(key)  # When those that are reading have done so.
            elif key in self.open:
                self.drop(key)


def most_open() -> int:
    """A quarter of what the process may have."""
    limit = resource.getrlimit(resource.RLIMIT_NOFILE)[0] if resource is not None else 4 * MOST_OPEN
    return MOST_OPEN if limit < 0 else max(min(limit // 4, MOST_OPEN), LEAST_OPEN)


DESCRIPTORS = Descriptors()
if hasattr(os, "register_at_fork"):  # A forked process has none of the threads.
    os.register_at_fork(after_in_child=DESCRIPTORS.forget_threads)
