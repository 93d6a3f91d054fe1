"""Series of sets: a folder, or a part of an object store, with a folder for each set."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import ClassVar

from ..graph.archive import Archive
from ..graph.presentation import Shown
from .directory import Directory, LocalDirectory
from ..format.errors import GraphCodableError
from .folder_entries import FolderEntries
from .folder_index import Indexed, damaged, names_of
from .manifest import NAME as MANIFEST
from .manifest import read_manifest
from .sets import ArchiveSet

NAME = names_of("set-")
PART = re.compile(r"part-\d{5,}-of-\d{5,}\.[a-z0-9-]+\.gcodable$")


@dataclass(frozen=True)
class SetEntry(Shown):
    """A set of a series, and what is known of it without opening it. `archive_set` opens it.

    `byte_count` is that of all parts. `url` is the path of the set's folder, or its address in a store.
    """

    number: int
    step: int
    time: float
    metadata: dict[str, str]
    byte_count: int
    manifest_hash: int
    _directory: Directory = field(repr=False)

    @property
    def url(self) -> str:
        return self._directory.url

    @property
    def archive_set(self) -> ArchiveSet:
        """The set, which has to be the one that was listed."""
        found = ArchiveSet(self._directory)
        if found.manifest_hash != self.manifest_hash:
            raise damaged(f"{set_name(self.number)} has another set than the one that was listed", "damaged")
        return found

    def verify(self) -> None:
        """Reads all of the set, and raises the first error."""
        for _, error in self.problems():
            raise error

    def problems(self) -> Iterator[tuple[int | None, GraphCodableError]]:
        """Reads all of the set; the number of the part that an error is in."""
        name = set_name(self.number)
        try:
            with self.archive_set as found:
                stated = found.step, repr(found.time), found.metadata, sum(part.size for part in found.parts)
                if stated != (self.step, repr(self.time), self.metadata, self.byte_count):
                    yield None, damaged(f"the index says other things of {name} than its manifest", "damaged")
                yield from found.problems()
        except GraphCodableError as error:
            yield None, error
        except OSError as error:
            yield None, damaged(f"{name} cannot be read: {error}", "file")


class SetSeries(FolderEntries[SetEntry]):
    """The sets of a series, in the order of their numbers: `series[-1].archive_set.array("positions")` is of the last one.

    A set whose manifest cannot be read, or that is lost, is `damage`.
    """

    KIND, NOUNS = "series of sets", ("set", "sets")
    SIZES: ClassVar[Mapping[str, str]] = {"bytes": "byte_count"}
    NAMES = NAME

    @property
    def size(self) -> int:
        """Bytes of the parts of all sets."""
        return sum(entry.byte_count for entry in self.entries)

    def _is_there(self, number: int) -> bool:
        return self._directory.folder(set_name(number)).has(MANIFEST)

    def _entry(self, found: Indexed) -> SetEntry:
        folder = self._directory.folder(set_name(found.number))
        return SetEntry(
            found.number, found.step, found.time, found.metadata, found.byte_count, found.header_hash, folder
        )  # fmt: skip

    def _name(self, found: Indexed) -> str:
        return f"{set_name(found.number)}, step {found.step},"

    def _read(self, number: int) -> Indexed | GraphCodableError | None:
        """What the manifest of a set says; `None` if there is none, or one without bytes, which says that there will be none."""
        name = set_name(number)
        folder = self._directory.folder(name)
        try:
            data = folder.read(MANIFEST)
            if not data:
                # In a folder, unlike a store, nothing puts such a manifest over parts.
                is_lost = isinstance(folder, LocalDirectory) and any(PART.match(file) for file in folder.names())
                return damaged(f"{name} has a manifest without bytes", "damaged") if is_lost else None
            archive = Archive(data)
            found = read_manifest(archive)
        except (FileNotFoundError, NotADirectoryError):
            return None
        except OSError as error:
            return damaged(f"{name} cannot be read: {error}", "file")
        except GraphCodableError as error:
            if error.code == "file":  # It is no file of bytes.
                return damaged(f"{name} cannot be read: {error}", "file")
            return damaged(f"{name} has no valid manifest: {error}", "damaged", error.rule)
        size = sum(part.size for part in found.parts)
        return Indexed(number, found.step, found.time, found.metadata, size, archive.header.hash)


def set_name(number: int) -> str:
    return f"set-{number:012}"
