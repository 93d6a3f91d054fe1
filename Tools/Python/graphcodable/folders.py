"""Series in folders: an archive in a file of its own for each entry."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from .archive import Archive
from .errors import GraphCodableError
from .series import Entry, Series
from .source import PathSource, Source, mapped

NAME = re.compile(r"entry-([0-9]{12}|[1-9][0-9]{12,})\.gcodable")
INDEX, LOCK = "index.gcodable", "gcodable-lock"
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

    def __repr__(self) -> str:
        return f"<Series of {len(self)} entries, {self.size} bytes, in a folder>"

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
        names = os.listdir(self.folder)
        numbers = sorted(int(match[1]) for name in names if (match := NAME.fullmatch(name)))
        if not numbers and names and not {INDEX, LOCK} & set(names):
            message = f"{self.folder} is neither a series nor a set of GraphCodable"
            raise GraphCodableError("R4", message, None, "series")
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
        # Behind the list: a writer takes an entry out of the index before it removes the file.
        for number in sorted(set(indexed(self.folder)) - set(numbers)):
            name = entry_name(number)
            if not (self.folder / name).exists():
                self.damage.append(GraphCodableError(None, f"{name} is lost: the index names it", None, "series", "damaged"))
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


def indexed(folder: Path) -> Iterable[int]:
    """The numbers of the entries in the index, which is a cache: one that cannot be read says nothing."""
    try:
        return [int(number) for number in Archive(PathSource(folder / INDEX)).root["numbers"]]
    except (GraphCodableError, OSError, LookupError, TypeError, ValueError):
        return []
