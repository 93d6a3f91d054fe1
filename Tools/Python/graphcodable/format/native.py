"""The module in C, where the package was built with it: LZ4, filters and hashes of whole runs of blocks, on several threads; files
that are saved, appended to and locked.

`module` is `None` where it was not, or from other sources than these, and where the variable GRAPHCODABLE_NATIVE is 0. Everything
works without it, and slower.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from types import ModuleType

BAD_HASH = 1
# One more whenever a function of the module, or the meaning of blocks or filters, changes: as in module.c.
INTERFACE = 7


def found() -> ModuleType | None:
    if os.environ.get("GRAPHCODABLE_NATIVE") == "0":
        return None
    try:
        from .. import _native
    except ImportError:  # Not built, or a library that it takes is not there.
        return None
    return _native if getattr(_native, "INTERFACE", 0) == INTERFACE else None


module = found()


def thread_count() -> int:
    """Threads that expand blocks: as many as this process may run at once, and at most eight."""
    return min(8, len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1)
