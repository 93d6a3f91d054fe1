"""Series in folders: an archive in a file of its own for each entry."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from pathlib import Path

from .archive import Archive
from .directory import LocalDirectory
from .errors import GraphCodableError
from .folder_index import compared, names_of, numbers_in
from .series import Entry, Series
from .source import PathSource, Source, mapped

NAME = names_of("entry-", ".gcodable")
PREFIX = "gcseries."
OF_ENTRY = PREFIX + "metadata."
INTEGER = re.compile(r"-?[0-9]{1,20}")
TIME = re.compile(r"-?inf|nan|-?[0-9]+(\.[0-9]+)?([eE][-+]?[0-9]+)?")


@dataclass(frozen=True)
class FolderEntry(Entry):
    """An entry that is a file. It has no record: its metadata say what that would."""

    path: Path

    def _opened(self) -> Source:
        with open(self.path, "rb") as file:
            source = mapped(file)
        found = Archive(source).header
        if (source.size, found.hash) != (self.size, self.archive_hash):
            raise GraphCodableError(None, f"{self.path.name} has changed since it was listed", None, "series", "damaged")
        return source


class FolderSeries(Series):
    """The entries of a folder, in the order of their numbers; a file that cannot be one, or is lost, is `damage`."""

    def __init__(self, folder: str | os.PathLike[str]) -> None:
        self.folder = Path(folder)
        self._find()

    def close(self) -> None:
        """Does nothing: entries are open while they are used."""

    def verify_list(self) -> None:
        """Looks through the folder anew, and raises the first damage."""
        self._find()
        if self.damage:
            raise self.damage[0]

    def _find(self) -> None:
        self.damage: list[GraphCodableError] = []
        self.entries: list[Entry] = []
        directory = LocalDirectory(self.folder)
        numbers, _, lost = compared(directory, numbers_in(directory, NAME), lambda number: directory.has(entry_name(number)))
        for number in numbers:
            path = self.folder / entry_name(number)
            try:
                entry = entry_of(path, number)
            except FileNotFoundError:
                continue  # A writer has removed it.
            except GraphCodableError as error:
                message = f"{path.name} is no entry: {error}"
                self.damage.append(GraphCodableError(error.rule, message, None, "series", error.code))
                continue
            if entry is not None:
                self.entries.append(entry)
        for each in lost:
            message = f"{entry_name(each.number)} is lost: the index names it"
            self.damage.append(GraphCodableError(None, message, None, "series", "damaged"))
        self._size = sum(entry.size for entry in self.entries)


def entry_name(number: int) -> str:
    return f"entry-{number:012}.gcodable"


def entry_of(path: Path, number: int) -> FolderEntry | None:
    """The entry that a file is; `None` where its metadata have another number."""
    source = PathSource(path)
    archive = Archive(source)
    about = archive.metadata
    if about.get(PREFIX + "number") != str(number):
        return None
    step, time = about.get(PREFIX + "step", ""), about.get(PREFIX + "time", "")
    if not INTEGER.fullmatch(step) or not -(1 << 63) <= int(step) < 1 << 63 or not TIME.fullmatch(time):
        raise GraphCodableError(None, f"a step {step!r} and a time {time!r}", None, "archive", "malformed")
    metadata = {key.removeprefix(OF_ENTRY): value for key, value in about.items() if key.startswith(OF_ENTRY)}
    size, its_hash = archive.header.size, archive.header.hash
    return FolderEntry(
        number, int(step), float(time), metadata, 0, size, size, its_hash, 0, size, size, its_hash, 0, source, path
    )
