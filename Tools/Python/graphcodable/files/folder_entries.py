"""What series have in common that are folders, or parts of object stores."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from .directory import AnyFolder, directory_at
from .entries import Entries, EntryType
from ..format.errors import GraphCodableError
from .folder_index import INDEX, Indexed, compared, damaged, numbers_in
from ..graph.archive import Archive


class FolderEntries(Entries[EntryType]):
    """Entries that have a file or a folder each: those that the index knows, and the others by reading what they say.

    `folder` is a path or an address, or, with `store`, a path in a store of `obstore` or a file system of `fsspec`. What cannot be
    an entry, or is lost, is `damage`.
    """

    # The names of entries, with the number.
    NAMES: ClassVar[re.Pattern[str]]

    def __init__(
        self, folder: AnyFolder, *, store: Any = None, storage_options: Mapping[str, Any] | None = None,
        _names: Sequence[str] | None = None,
    ) -> None:  # fmt: skip
        self._directory = directory_at(folder, store, storage_options)
        self._find(_names)

    @property
    def url(self) -> str:
        """The path of the folder, or its address in a store."""
        return self._directory.url

    def verify_index(self) -> None:
        """Reads all of the index, if there is one: readers can do without it, and pass over one that is damaged."""
        try:
            Archive(self._directory.read(INDEX)).verify()
        except FileNotFoundError:
            return

    def verify_list(self) -> None:
        """Looks through the folder anew, and raises the first damage."""
        self._find()
        if self.damage:
            raise self.damage[0]

    def _find(self, names: Sequence[str] | None = None) -> None:
        self.damage: list[GraphCodableError] = []
        self.entries: list[EntryType] = []
        directory = self._directory
        numbers, index, lost = compared(directory, numbers_in(directory, self.NAMES, names), self._is_there)
        self.damage += [damaged(f"{self._name(each)} is lost: the index names it", "damaged", "F2") for each in lost]
        unknown = [number for number in numbers if number not in index]
        read = dict(zip(unknown, directory.each(self._read, unknown)))
        for number in numbers:
            found = index[number] if number in index else read[number]
            if isinstance(found, GraphCodableError):
                self.damage.append(found)
            elif found is not None:
                self.entries.append(self._entry(found))

    def _is_there(self, number: int) -> bool:
        """Whether there is an entry with a number that was not listed."""
        raise NotImplementedError

    def _read(self, number: int) -> Indexed | GraphCodableError | None:
        """What an entry says of itself; `None` where it is none."""
        raise NotImplementedError

    def _entry(self, found: Indexed) -> EntryType:
        raise NotImplementedError

    def _name(self, found: Indexed) -> str:
        """The entry in an error."""
        raise NotImplementedError
