"""Memory for large results: from the start of a large page on, and that of results that are gone once more.

To make a page of zeros takes the system a third of the time in which a block is expanded. A program that reads one step of a series
after the other frees the arrays of the last one before or while it reads the next, so what they were in is kept for that. The system may take
kept pages at any time (`MADV_FREE`): a process does not run short of memory by them, though it looks larger than it is.
"""

from __future__ import annotations

import mmap
import os
import threading
import weakref
from typing import Any

import numpy as np

Bytes = np.ndarray[Any, np.dtype[np.uint8]]
LARGE_PAGE = 1 << 21
# Fewer bytes are not worth a mapping of their own.
FEWEST = 4 << 20
MOST_KEPT = 256 << 20
CAN_KEEP = hasattr(mmap, "MADV_FREE") and hasattr(mmap, "MAP_PRIVATE")


class Pool:
    """Mappings that nobody uses; may be used by several threads, and by what runs when an object is freed."""

    def __init__(self, most_kept: int = MOST_KEPT) -> None:
        self.most_kept = most_kept
        self.clear()

    def clear(self) -> None:
        self.kept: list[mmap.mmap] = []
        # What is freed within `take` or `put` may call `put` on the same thread.
        self.lock = threading.RLock()

    def take(self, size: int) -> mmap.mmap:
        """A mapping for so many bytes, at most an eighth of which are too many, or a new one."""
        with self.lock:
            fitting = [index for index, each in enumerate(self.kept) if size <= len(each) <= size + size // 8]
            if fitting:
                return self.kept.pop(min(fitting, key=lambda index: len(self.kept[index])))
        result = mmap.mmap(-1, size, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
        if hasattr(mmap, "MADV_HUGEPAGE"):
            try:
                result.madvise(mmap.MADV_HUGEPAGE)
            except OSError:
                pass  # A system without them.
        return result

    def put(self, mapping: mmap.mmap) -> None:
        """Keeps a mapping, in place of those that were kept first."""
        if len(mapping) > self.most_kept:
            return
        try:
            mapping.madvise(mmap.MADV_FREE)
        except OSError:
            return
        with self.lock:
            self.kept.append(mapping)
            while sum(map(len, self.kept)) > self.most_kept:
                self.kept.pop(0)


POOL = Pool()
# Another thread may have the lock in that moment.
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=POOL.clear)


def empty(size: int) -> Bytes:
    """Memory for so many bytes, which may have any values.

    NumPy asks for large pages, too, but the system makes none for what stands in front of the first whole one.
    """
    if size < FEWEST or not CAN_KEEP:
        return np.empty(size, np.uint8)
    try:
        mapping = POOL.take(size + LARGE_PAGE)
    except (OSError, OverflowError) as error:
        raise MemoryError(str(error)) from None
    room: Bytes = np.frombuffer(mapping, np.uint8)
    # All views of it keep it, and it the mapping.
    weakref.finalize(room, POOL.put, mapping).atexit = False
    start = -room.ctypes.data % LARGE_PAGE
    return room[start : start + size]
