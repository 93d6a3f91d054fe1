"""Blocks of archives expanded, and files written, in C: other threads run meanwhile.

`filters` are 16 bytes each, as in the header of a segment; `width` is that of numbers with their codec, and 0 for LZ4. Of files,
`writing/fallback.py` has the same functions; what fails is an `OSError`.
"""

from typing import Any

import numpy as np
from typing_extensions import Buffer

# Arrays are buffers for type checkers from Python 3.12 on.
Bytes = Buffer | np.ndarray[Any, Any]
INTERFACE: int

def expand(stored: Bytes, out: Bytes, filters: Bytes, width: int = 0, /) -> bool:
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
    width: int = 0,
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

Process = tuple[str, int, int, int, str, str]

def process_this() -> Process:
    """This process: host, number, when it was started, where numbers are unique, machine, boot."""

def process_look(process: Process, /) -> int:
    """0, it runs; 1, it ran on this machine and has ended; 2, only another machine or container can say."""

def temporary_name(number: int, suffix: str, /) -> str:
    """The name of a temporary file of this process."""

def file_create(path: str, permissions: int, /) -> int:
    """Creates a temporary file, which is locked; its descriptor."""

def file_open_append(path: str, permissions: int, /) -> int:
    """Opens or creates a file, and locks it; `BlockingIOError` where another process has the lock."""

def file_set_owner(descriptor: int, user: int, group: int, /) -> None:
    """Gives an open file an owner and a group, as far as the process may."""

def file_set_permissions(descriptor: int, permissions: int, /) -> None:
    """Gives an open file permissions, whatever the mask of the process is."""

def file_is_at(descriptor: int, path: str, /) -> bool:
    """Whether an open file is the one at a path."""

def file_look(descriptor: int, path: str, lock: str, data: Bytes, /) -> tuple[int, bool, bool]:
    """The size of an open file, whether it is the one at a path, and whether a small file beside it has just these bytes."""

def file_unlock(descriptor: int, /) -> None:
    """Gives the lock of an open file back."""

def file_sync(descriptor: int, /) -> None:
    """Waits until the bytes of a file are on the device."""

def file_truncate(descriptor: int, size: int, /) -> None:
    """Cuts a file."""

def file_read(descriptor: int, out: Bytes, offset: int, /) -> bool:
    """Fills memory with the bytes from an offset on; whether there are so many."""

def file_write(descriptor: int, pieces: list[Any], offset: int, /) -> None:
    """Writes buffers one behind the other, from an offset on."""

def file_make_exclusive(temporary: str, path: str, data: Bytes, /) -> None:
    """Makes a file of some bytes unless there is one of that name, which is a `FileExistsError`."""

def file_publish(temporary: str, path: str, folder: str, /) -> int:
    """Gives a file its name; 0, or the system's reason why the folder may not be on the device."""

def file_remove_abandoned(folder: str, suffix: str, /) -> None:
    """Removes temporary files of processes of this host that have ended."""

def folder_sync(folder: str, /) -> None:
    """Waits until the names of a folder are on the device."""

class Mapping:
    """The first bytes of an open file, read-only; it takes no descriptor once it is there."""

    def __new__(cls, descriptor: int, byte_count: int, /) -> Mapping: ...
    def __buffer__(self, flags: int, /) -> memoryview: ...
