"""What values ask of the archive that they are in."""

from __future__ import annotations

from typing import Any, Protocol

from ..format.contents import Contents
from ..format.limits import Steps
from ..format.segment_reader import SegmentReader
from .reopening import Reopening
from .stream import Stream


class Context(Protocol):
    """The archive behind a value: `GraphReader`, which values cannot import, since it makes them."""

    @property
    def contents(self) -> Contents: ...

    @property
    def stream(self) -> Stream: ...

    @property
    def reopening(self) -> Reopening | None:
        """What opens the archive again in another process."""
        ...

    def steps(self) -> Steps:
        """What counts a walk through all of the graph."""
        ...

    def bulk(self, number: int) -> SegmentReader:
        """Reads a bulk segment."""
        ...

    def value(self, kind: int, position: int, limit: int) -> tuple[Any, int]:
        """A value of the graph stream, and where it ends, -1 where that is not known yet."""
        ...

    def check_end(self, end: int, limit: int) -> None:
        """Refuses a root or an object that does not end at `limit` (G2)."""
        ...
