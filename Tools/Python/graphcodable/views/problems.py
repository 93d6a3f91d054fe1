"""What is wrong with files: everything is read, and each entry or part is checked on its own."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from ..files.folder_entries import FolderEntries
from ..files.folder_index import INDEX
from ..files.folders import FolderSeries
from ..files.opening import Opened
from ..files.series import HEADER_SIZE, Entry, Series
from ..files.set_series import SetEntry, SetSeries
from ..files.sets import ArchiveSet, inside
from ..format.errors import GraphCodableError
from ..graph.archive import Archive
from .texts import counted


@dataclass(frozen=True)
class Problem:
    """What is wrong with a file, and the number of the entry or part that it is in, and that entry of a file."""

    error: GraphCodableError | OSError
    entry: int | None = None
    part: int | None = None
    its_entry: Entry | None = None
    is_in_message: bool = False

    @property
    def is_unreadable(self) -> bool:
        """Whether the file could not be looked at."""
        return isinstance(self.error, OSError) or self.error.code == "file"

    @property
    def code(self) -> str:
        return "file" if isinstance(self.error, OSError) else self.error.code

    @property
    def message(self) -> str:
        error = self.error
        return (error.strerror or str(error)) if isinstance(error, OSError) else error.message

    @property
    def offset(self) -> int | None:
        """From the start of the file; where the problem is in a graph stream or a part of a set, of that."""
        if isinstance(self.error, OSError) or self.error.offset is None:
            return None
        is_in_entry = self.its_entry is not None and self.error.place == "archive"
        return self.its_entry.place(self.error.offset) if self.its_entry is not None and is_in_entry else self.error.offset

    @property
    def place(self) -> str:
        """Which part of the file it is in, behind the file's name."""
        entry = "" if self.entry is None else f", {'message' if self.is_in_message else 'entry'} {self.entry}"
        return entry + ("" if self.part is None else f", part {self.part}")

    @property
    def text(self) -> str:
        return f"{self.code}: {self.message}" + ("" if self.offset is None else f" (byte {self.offset})")

    def to_json(self) -> dict[str, Any]:
        known = {"byteOffset": self.offset, "entry": self.entry, "part": self.part}
        return {"code": self.code, "message": self.message} | {key: its for key, its in known.items() if its is not None}


def unfinished(file: Opened) -> int:
    """How many bytes stand behind the last entry of a series."""
    if not isinstance(file, Series) or isinstance(file, FolderSeries):
        return 0
    return max(0, file.size - (file[-1].record_end if len(file) else HEADER_SIZE))


def unfinished_text(count: int, noun: str = "entry") -> str:
    return f"no finished {noun} in the last {counted(count, 'byte', 'bytes')}"


def problems(file: Archive | Series | ArchiveSet | SetSeries) -> Iterator[Problem]:
    """Reads everything; the entries of a series and the parts of a set are checked each on its own."""
    if isinstance(file, ArchiveSet):
        yield from (Problem(of_part(file, part, error), part=part) for part, error in file.problems())
        return
    if isinstance(file, Archive):
        yield from problems_of(file.verify)
        return
    if isinstance(file, FolderEntries):
        yield from (Problem(inside(INDEX, its.error)) for its in problems_of(file.verify_index) if isinstance(its.error, GraphCodableError))
    damage = list(file.damage)
    yield from map(Problem, damage)
    for entry in file:
        yield from entry_problems(entry)
    if not damage:
        yield from problems_of(file.verify_list)


def of_part(archives: ArchiveSet, part: int | None, error: GraphCodableError) -> GraphCodableError:
    """The same without the name of the part, whose number stands in front."""
    if part is None:
        return error
    message = error.message.removeprefix(f"{archives.parts[part].name}: ")
    return GraphCodableError(error.rule, message, error.offset, error.place, error.code)


def problems_of(verify: Any) -> Iterator[Problem]:
    try:
        verify()
    except GraphCodableError as error:
        yield Problem(error)


def entry_problems(entry: Entry | SetEntry) -> Iterator[Problem]:
    if isinstance(entry, SetEntry):
        for part, error in entry.problems():
            yield Problem(error if part is None else of_part(entry.archive_set, part, error), entry.number, part)
        return
    try:
        entry.verify()
    except GraphCodableError as error:
        yield Problem(error, entry.number, its_entry=entry)
