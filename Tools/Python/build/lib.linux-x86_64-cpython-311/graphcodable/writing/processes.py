"""The functions of the system that writers take, and what tells this process from others in names and texts of files."""

from __future__ import annotations

import errno
import os
import secrets
from typing import Any

from ..format import native
from . import fallback

TEMPORARY_SUFFIX = ".gcodable-tmp"


def system() -> Any:
    """The module in C, or what does the same without it."""
    if native.module is None and not fallback.HAS_LOCKS:
        raise OSError(errno.ENOTSUP, "this system has no locks of files, without which nothing is written")
    return fallback if native.module is None else native.module


class naming:
    """Has errors of the system name the file that they are about, and not a temporary one.

    No generator: an append enters it several times.
    """

    __slots__ = ("path",)

    def __init__(self, path: str) -> None:
        self.path = path

    def __enter__(self) -> None: ...

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        if isinstance(error, OSError):
            raise OSError(error.errno, error.strerror, self.path) from None


def temporary_path(folder: str) -> str:
    """A name for a temporary file, which no other has."""
    name: str = system().temporary_name(secrets.randbits(64), TEMPORARY_SUFFIX)
    return os.path.join(folder, name)


def remove_abandoned(folder: str) -> None:
    """Removes the temporary files of a folder that killed processes of this host have left."""
    system().file_remove_abandoned(folder, TEMPORARY_SUFFIX)
