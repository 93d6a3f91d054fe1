"""Files that datasets are made of: where they are, so that another process opens them again."""

from __future__ import annotations

import json
import threading
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from ..files.opening import Opened, open
from ..files.series import Series
from ..files.set_series import SetSeries
from ..files.sets import ArchiveSet
from ..format.errors import GraphCodableError
from ..graph.archive import Archive

LOCK = threading.Lock()


@dataclass(frozen=True, eq=False)
class Place:
    """A file, the entry of a series in it, and the part of a set: what another process needs to open it again."""

    file: str
    entry: int | None = None
    options: Mapping[str, Any] = field(default_factory=dict)
    stamp: tuple[int, int] = (0, 0)
    opened: Any = field(default=None, repr=False)
    part: int | None = None

    def __getstate__(self) -> dict[str, Any]:
        return {**vars(self), "opened": None}

    def found(self) -> Opened:
        """The file, which is opened again in another process."""
        opened: Opened | None = self.opened
        if opened is None:
            with LOCK:
                opened = reopened(self.file, json.dumps(self.options, sort_keys=True), self.stamp)
        return opened

    def archive(self) -> Archive:
        """The archive; of a set that of the part."""
        opened = self.found()
        if isinstance(opened, Archive):
            return opened
        if isinstance(opened, Series):
            return entry_archive(opened, self.entry or 0)
        found = self.archive_set()
        with found.lock:
            return found.part(self.part or 0)

    def archive_set(self) -> ArchiveSet:
        opened = self.found()
        if isinstance(opened, SetSeries):
            return entry_set(opened, self.entry or 0)
        assert isinstance(opened, ArchiveSet)
        return opened

    @property
    def lock(self) -> threading.Lock:
        """Who looks for a value of the archive holds it: arrays over several parts read the same archives."""
        return LOCK if isinstance(self.found(), (Archive, Series)) else self.archive_set().lock


@lru_cache(maxsize=32)
def reopened(file: str, options: str, expected: tuple[int, int]) -> Opened:
    """A file in another process, which opens it once; options of stores are JSON so that they can be compared."""
    opened = open(file, storage_options=json.loads(options))
    if stamp(opened) != expected:
        raise GraphCodableError(None, f"{file} has changed since it was opened")
    return opened


def stamp(file: Opened) -> tuple[int, int]:
    """What is another one when a file was replaced: its size, and its last checksum that covers others."""
    if isinstance(file, Archive):
        return file.size, file.header.hash
    if isinstance(file, ArchiveSet):
        return file.size, file.manifest_hash
    if isinstance(file, SetSeries):
        return file.size, file[-1].manifest_hash if len(file) else 0
    return file.size, file[-1].record_hash if len(file) else 0


@lru_cache(maxsize=64)
def entry_archive(series: Any, index: int) -> Archive:
    archive: Archive = series[index].archive
    return archive


# Few, since each keeps parts open.
@lru_cache(maxsize=4)
def entry_set(series: SetSeries, index: int) -> ArchiveSet:
    return series[index].archive_set


def value_of(place: Place, path: str) -> Any:
    """A value of the archive; finding it is for one thread at a time, reading arrays in segments is not."""
    archive = place.archive()
    with place.lock:
        return archive.at(path)
