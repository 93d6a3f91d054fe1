"""Standard output: lines that arrive, or one error that says why they do not."""

from __future__ import annotations

import errno
import os
import shutil
import sys
from collections.abc import Callable

from .choices import OUTPUT_FAILED, Failure


def line(text: str) -> None:
    written(lambda: print(text))


def flush() -> None:
    if sys.stdout is not None:
        written(sys.stdout.flush)


def written(action: Callable[[], None]) -> None:
    try:
        if sys.stdout is None:
            raise OSError(errno.EBADF, os.strerror(errno.EBADF))  # It was closed before the process began.
        action()
    except BrokenPipeError:
        raise
    except OSError as error:
        raise Failure(f"cannot write the output: {error.strerror}", OUTPUT_FAILED) from None


def silence() -> None:
    """Drops what is left, which must not be an error when the process ends."""
    if sys.stdout is not None:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def width() -> int | None:
    """The width of the terminal that standard output is; `None` if it is none."""
    return shutil.get_terminal_size().columns if sys.stdout is not None and sys.stdout.isatty() else None
