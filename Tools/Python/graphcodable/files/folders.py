"""Series in folders, or in parts of object stores: an archive in a file of its own for each entry."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from ..graph.archive import Archive
from ..format.contents import read_header
from .directory import Directory, joined
from ..format.errors import GraphCodableError
from .folder_entries import FolderEntries
from .folder_index import Indexed, damaged, names_of
from .series import Entry, Series
from ..format.source import MemorySource, Source

NAME = names_of("entry-", ".gcodable")
PREFIX = "gcseries."
OF_ENTRY = PREFIX + "metadata."
INTEGER = re.compile(r"0|-?[1-9][0-9]{0,18}")
TIME = re.compile(r"-?inf|nan|-?[0-9]+(\.[0-9]+)?(e[-+]?[0-9]+)?")
NOTHING = MemorySource(memoryview(b""))


@dataclass(frozen=True)
class FolderEntry(Entry):
    """An entry that is a file. It has no record: the metadata of its archive, and the index, say what that would."""

    _directory: Directory = field(repr=False)

    @property
    def url(self) -> str:
        """The path of the file, or its address in a store."""
        return joined(self._directory.url, entry_name(self.number))

    def _opened(self) -> Source:
        name = entry_name(self.number)
        source = self._directory.source(name)
        if (source.size, read_header(source).hash) != (self.size, self.archive_hash):
            raise damaged(f"{name} is not the archive that was listed", "damaged")
        return source

    def verify(self) -> None:
        name = entry_name(self.number)
        try:
            archive = self.archive
            archive.verify()
        except OSError as error:
            raise damaged(f"{name} cannot be read: {error}", "file") from None
        stated = said(archive, self.number)
        if texts_of(stated) != texts_of(self):
            raise damaged(f"the index says other things of {name} than its metadata", "damaged")


class FolderSeries(FolderEntries[Entry], Series):
    """The entries of a folder, in the order of their numbers: those that the index knows, and others by reading their metadata.

    A file that cannot be an entry, or is lost, is `damage`.
    """

    NAMES = NAME

    @property
    def size(self) -> int:
        return sum(entry.size for entry in self.entries)

    def close(self) -> None:
        """Does nothing: entries are open while they are used."""

    def _is_there(self, number: int) -> bool:
        return self._directory.has(entry_name(number))

    def _entry(self, found: Indexed) -> FolderEntry:
        size, its_hash = found.byte_count, found.header_hash
        return FolderEntry(
            found.number, found.step, found.time, found.metadata, 0, size, size, its_hash, 0, size, size, its_hash, 0,
            NOTHING, self._directory,
        )  # fmt: skip

    def _name(self, found: Indexed) -> str:
        return entry_name(found.number)

    def _read(self, number: int) -> Indexed | GraphCodableError | None:
        """What a file says of itself; `None` where it was removed meanwhile."""
        name = entry_name(number)
        try:
            return said(Archive(self._directory.source(name)), number)
        except FileNotFoundError:
            return None
        except OSError as error:
            return damaged(f"{name} cannot be read: {error}", "file")
        except GraphCodableError as error:
            return damaged(f"{name} is no entry: {error}", error.code, error.rule)


def entry_name(number: int) -> str:
    return f"entry-{number:012}.gcodable"


def said(archive: Archive, number: int) -> Indexed:
    """What the metadata of an archive say of the entry that it is."""
    about = archive.metadata
    if about.get(PREFIX + "number") != str(number):
        raise GraphCodableError("F1", f"its metadata are not those of entry {number}", None, "archive", "malformed")
    step, time = about.get(PREFIX + "step", ""), about.get(PREFIX + "time", "")
    if not INTEGER.fullmatch(step) or not -(1 << 63) <= int(step) < 1 << 63 or not TIME.fullmatch(time):
        raise GraphCodableError("F1", f"a step {step!r} and a time {time!r}", None, "archive", "malformed")
    metadata = {key.removeprefix(OF_ENTRY): value for key, value in about.items() if key.startswith(OF_ENTRY)}
    return Indexed(number, int(step), float(time), metadata, archive.header.size, archive.header.hash)


def texts_of(entry: Indexed | Entry) -> tuple[int, str, dict[str, str]]:
    """Step, time and metadata, so that times which are no numbers are equal."""
    return entry.step, repr(entry.time), entry.metadata
