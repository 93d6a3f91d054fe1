"""Archives and series that are sent to other processes, which open their files again."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple


class Reopening(NamedTuple):
    """What opens a file again, as the one that it was."""

    function: Callable[..., Any]
    arguments: tuple[Any, ...]


class Reopened:
    """What can be sent to another process if it was opened by its path or address."""

    reopening: Reopening | None = None

    def __reduce__(self) -> tuple[Any, ...]:
        if self.reopening is None:
            way_out = "open it there, by graphcodable.open and its path or address"
            raise TypeError(f"this {type(self).__name__} cannot be sent to another process: {way_out}")
        return tuple(self.reopening)
