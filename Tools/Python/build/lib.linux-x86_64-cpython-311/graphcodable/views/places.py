"""Files that datasets are made of: where they are, so that they are opened again after closing and in other processes."""

from __future__ import annotations

import json
import os
import threading
from collections import OrderedDict
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, TypeVar

from ..files.addresses import is_address
from ..files.opening import Opened, opened_again
from ..files.series import Series
from ..files.set_series import SetSeries
from ..files.sets import ArchiveSet
from ..format.source import whole_path
from ..graph.archive import Archive

# Archives of entries, and sets, each of which keeps parts, that stay open: so many at least, and more small archives, which take
# longer to open than to read.
MOST_ARCHIVES, MOST_SETS, MOST_SMALL = 64, 4, 4096
# Bytes of an archive that is small.
SMALL = 1 << 12
Item = TypeVar("Item")


class OpenFile:
    """A file with the archives and sets of its entries that were used last, and a lock for one that looks for a value."""

    def __init__(self, file: Opened) -> None:
        self.file = file
        self.lock = threading.RLock()
        self.archives: OrderedDict[int, Archive] = OrderedDict()
        self.sets: OrderedDict[int, ArchiveSet] = OrderedDict()

    def archive(self, entry: int, part: int | None) -> Archive:
        """The archive; of a series that of an entry, of a set that of a part."""
        file = self.file
        if isinstance(file, Archive):
            return file
        if isinstance(file, Series):
            most = MOST_SMALL if file[entry].size <= SMALL else MOST_ARCHIVES
            return self.kept(self.archives, entry, most, lambda: file[entry].archive)
        found = self.archive_set(entry)
        with found.lock:
            return found.part(part or 0)

    def archive_set(self, entry: int) -> ArchiveSet:
        file = self.file
        if isinstance(file, SetSeries):
            return self.kept(self.sets, entry, MOST_SETS, lambda: file[entry].archive_set)
        assert isinstance(file, ArchiveSet)
        return file

    def kept(self, items: OrderedDict[int, Item], entry: int, most: int, make: Callable[[], Item]) -> Item:
        with self.lock:
            found = items.pop(entry, None) or make()
            items[entry] = found
            while len(items) > most:
                items.popitem(last=False)
            return found

    def close(self) -> None:
        self.archives.clear()
        self.sets.clear()
        self.file.close()


class Handle:
    """What the variables of a dataset share: its file while that is open."""

    def __init__(self, file: OpenFile | None) -> None:
        self.opened = file
        self.lock = threading.Lock()

    def __reduce__(self) -> tuple[Any, ...]:
        return Handle, (None,)  # In another process it has nothing to close.

    def close(self) -> None:
        with self.lock:
            opened, self.opened = self.opened, None
        if opened is not None:
            opened.close()


@dataclass(frozen=True, eq=False)
class Place:
    """A file, the entry of a series in it, and the part of a set: what another process needs to open it again."""

    file: str | None  # The whole path or address; `None` for bytes and file objects, which are nowhere else.
    entry: int | None = None
    options: Mapping[str, Any] = field(default_factory=dict)
    stamp: tuple[int, int] = (0, 0)
    handle: Handle | None = field(default=None, repr=False)
    part: int | None = None

    def __getstate__(self) -> dict[str, Any]:
        if self.file is None:
            raise TypeError("only datasets of files that were opened by their path or address can be sent to other processes")
        return {**vars(self), "handle": None}

    def opened(self) -> OpenFile:
        """The file, which is opened again where it was closed, and in another process."""
        handle = self.handle
        if handle is None:
            assert self.file is not None
            with REOPENING:
                return reopened(self.file, json.dumps(self.options, sort_keys=True), self.stamp)
        with handle.lock:
            if handle.opened is None:
                assert self.file is not None
                handle.opened = OpenFile(opened_again(self.file, self.stamp, self.options))
            return handle.opened

    def archive(self) -> Archive:
        """The archive; of a set that of the part."""
        return self.opened().archive(self.entry or 0, self.part)

    def archive_set(self) -> ArchiveSet:
        return self.opened().archive_set(self.entry or 0)

    @property
    def lock(self) -> threading.Lock | threading.RLock:
        """Held to look for a value of the archive: arrays over several parts read the same archives."""
        opened = self.opened()
        return opened.lock if isinstance(opened.file, (Archive, Series)) else self.archive_set().lock


def whole_name(name: str) -> str:
    """An address, or a path that is the same in every folder."""
    return name if is_address(name) else whole_path(os.path.expanduser(name))


REOPENING = threading.Lock()


@lru_cache(maxsize=32)
def reopened(file: str, options: str, expected: tuple[int, int]) -> OpenFile:
    """A file in another process, which opens it once; options of stores are JSON so that they can be compared."""
    return OpenFile(opened_again(file, expected, json.loads(options)))


def forget_threads() -> None:
    """In a process that was forked, which has none of the threads that may have had the lock."""
    global REOPENING
    REOPENING = threading.Lock()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=forget_threads)


def value_of(place: Place, path: str) -> Any:
    """A value of the archive; finding it is for one thread at a time, reading arrays in segments is not."""
    archive = place.archive()
    with place.lock:
        return archive.at(path)
