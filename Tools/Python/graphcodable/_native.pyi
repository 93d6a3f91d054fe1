"""Blocks of archives, expanded in C: other threads run meanwhile. `filters` are 16 bytes each, as in the header of a segment."""

from typing import Any

import numpy as np
from typing_extensions import Buffer

# Arrays are buffers for type checkers from Python 3.12 on.
Bytes = Buffer | np.ndarray[Any, Any]
INTERFACE: int

def expand(stored: Bytes, out: Bytes, filters: Bytes, /) -> bool:
    """Expands a stored block into `out`; whether it has as many bytes."""

def undo(data: Bytes, out: Bytes, filters: Bytes, /) -> None:
    """Undoes filters of a block."""

def apply(data: Bytes, out: Bytes, filters: Bytes, /) -> None:
    """Applies filters to a block."""

def expand_run(
    stored: Bytes,
    entries: Bytes,
    block_size: int,
    raw_size: int,
    filters: Bytes,
    out: Bytes,
    start: int,
    threads: int,
    /,
) -> tuple[int, int] | None:
    """Checks and expands blocks that are stored one behind the other.

    `raw_size` is that of all of them, of which `out` gets its length from `start` on. The first block that is wrong, and what is:
    1, its hash; 2, the number of bytes that it expands to.
    """

class Memory:
    """Bytes of any values, writable, from the start of a large page on.

    What is free again is kept for the next ones, 256 MiB at most, unless the process has a limit of addresses.
    """

    def __new__(cls, byte_count: int, /) -> Memory: ...
    def __buffer__(self, flags: int, /) -> memoryview: ...

def kept_memory() -> int:
    """The number of bytes that are kept for the next results."""

def drop_kept_memory() -> None:
    """Gives the system what is kept."""
