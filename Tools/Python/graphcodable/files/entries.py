"""Lists of what a run has saved, in the order in which it did."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, ClassVar, Protocol, Self, TypeVar, overload

from ..format.errors import GraphCodableError
from ..graph.presentation import Shown, presentation
from ..graph.reopening import Reopened

if TYPE_CHECKING:
    import pandas


class Saved(Protocol):
    """What is known of an entry without opening it."""

    @property
    def number(self) -> int: ...

    @property
    def step(self) -> int: ...

    @property
    def time(self) -> float: ...

    @property
    def metadata(self) -> Mapping[str, str]: ...

    def verify(self) -> None: ...


EntryType = TypeVar("EntryType", bound=Saved)


class Entries(Shown, Reopened, Sequence[EntryType]):
    """A sequence of entries. `damage` is what was met with while they were listed."""

    KIND: ClassVar[str]
    # What an entry is, and what several are.
    NOUNS: ClassVar[tuple[str, str]]
    # The columns with bytes, and the attributes that have them.
    SIZES: ClassVar[Mapping[str, str]]
    entries: list[EntryType]
    damage: list[GraphCodableError]

    @property
    def size(self) -> int:
        raise NotImplementedError

    @overload
    def __getitem__(self, index: int) -> EntryType: ...

    @overload
    def __getitem__(self, index: slice) -> list[EntryType]: ...

    def __getitem__(self, index: int | slice) -> EntryType | list[EntryType]:
        return self.entries[index]

    def __len__(self) -> int:
        return len(self.entries)

    def __iter__(self) -> Iterator[EntryType]:
        return iter(self.entries)

    def entry_at_step(self, step: int) -> EntryType | None:
        """The entry of a step; the last one where there are several."""
        return next((entry for entry in reversed(self.entries) if entry.step == step), None)

    def entry_nearest_to_time(self, time: float) -> EntryType | None:
        """The entry whose time is nearest; the last one where there are several. A time that is no number is near to none."""

        def distance(entry: EntryType) -> float:
            # The difference of two infinities would be no number.
            return 0.0 if entry.time == time else abs(entry.time - time)

        comparable = [entry for entry in reversed(self.entries) if distance(entry) >= 0]
        return min(comparable, key=distance, default=None)

    def verify(self) -> None:
        """Reads everything, and raises the first error. An entry that is not finished is none."""
        self.verify_list()
        for entry in self.entries:
            entry.verify()

    def verify_list(self) -> None:
        """Lists the entries anew, and raises the first damage."""
        raise NotImplementedError

    def close(self) -> None:
        """Does nothing: entries are open while they are used."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<{type(self).__name__} of {self.count_text}, {self.size} bytes>"

    @property
    def count_text(self) -> str:
        return f"{len(self):,} {self.NOUNS[len(self) != 1]}"

    def to_dataframe(self) -> pandas.DataFrame:
        """A row for each entry: number, step, time, columns with bytes, and one for each key of the metadata."""
        return presentation().data_frame(self)
