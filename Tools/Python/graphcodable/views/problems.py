"""What is wrong with files: everything is read, and each entry or part is checked on its own."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from ..files.opening import Opened
from ..files.series import Entry
from ..files.set_series import SetEntry
from ..files.sets import ArchiveSet
from ..format.errors import GraphCodableError
from ..graph.archive import Archive


@dataclass(frozen=True)
class Problem:
    """What is wrong with a file, and the number of the entry or part that it is in."""

    entry: int | None
    error: GraphCodableError | OSError
    offset: int = 0
    part: int | None = None

    def __str__(self) -> str:
        entry = "" if self.entry is None else f", entry {self.entry}"
        return f"{entry}: {self.error}"

    def to_json(self) -> dict[str, Any]:
        error = self.error
        if isinstance(error, OSError):
            return {"code": "file", "message": str(error)}
        result: dict[str, Any] = {"code": error.code, "message": str(error), "rule": error.rule}
        if error.offset is not None and error.place in ("archive", "series"):
            result["byteOffset"] = error.offset + (self.offset if error.place == "archive" else 0)
        if self.entry is not None:
            result["entry"] = self.entry
        if self.part is not None:
            result["part"] = self.part
        return result


def problems(file: Opened) -> Iterator[Problem]:
    """Reads everything; the entries of a series and the parts of a set are checked each on its own."""
    if isinstance(file, ArchiveSet):
        yield from (Problem(None, error, part=part) for part, error in file.problems())
        return
    if isinstance(file, Archive):
        try:
            file.verify()
        except GraphCodableError as error:
            yield Problem(None, error)
        return
    damage = list(file.damage)
    yield from (Problem(None, error) for error in damage)
    for entry in file:
        yield from entry_problems(entry)
    if not damage:
        try:
            file.verify_list()
        except GraphCodableError as error:
            yield Problem(None, error)


def entry_problems(entry: Entry | SetEntry) -> Iterator[Problem]:
    if not isinstance(entry, Entry):
        yield from (Problem(entry.number, error, part=part) for part, error in entry.problems())
        return
    try:
        entry.verify()
    except GraphCodableError as error:
        yield Problem(entry.number, error, entry.offset)
