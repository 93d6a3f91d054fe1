"""The files that `verify` is to look at: those that are named, and the archives, series, streams and sets in folders that are."""

from __future__ import annotations

import io
import os
import re
from pathlib import Path

from ..files.folders import FolderSeries
from ..files.manifest import NAME as MANIFEST

STANDARD_INPUT = "-"
INDEX = "index.gcodable"
ENTRY = re.compile(r"entry-[0-9]{12,}\.gcodable")
SET = re.compile(r"set-[0-9]{12,}")
PART = re.compile(r"part-[0-9]{5,}-of-[0-9]{5,}\.[a-z0-9-]{1,64}\.gcodable")
SUFFIXES = (".gcodable", ".gcseries", ".gclog")


class Search:
    """`files` in the order of the names, those of a folder in alphabetical order; `folder_count` folders were looked into."""

    def __init__(self, names: list[str]) -> None:
        self.files: list[str] = []
        self.folder_count = 0
        for name in names:
            if not name or name == STANDARD_INPUT or not os.path.isdir(name):
                self.files.append(name)
                continue
            found = files_in(name)
            # A folder without any is no file, and told so.
            self.files += found or [name]
            self.folder_count += bool(found) and found != [name]


def files_in(folder: str) -> list[str]:
    """A set or a series for all of its files; other archives, series and streams by their names or their first bytes."""
    names = sorted(os.listdir(folder), key=os.fsencode)
    prefix = folder if folder.endswith("/") else folder + "/"
    own = own_names(folder)
    files = [] if own is None else [folder]
    for name in names:
        path = prefix + name
        # What begins with a dot is not finished, or none of the user's business.
        if name.startswith(".") or (own is not None and own.fullmatch(name)) or os.path.islink(path):
            continue
        if os.path.isdir(path):
            files += files_in(path)
        elif os.path.isfile(path) and (name.endswith(SUFFIXES) or has_magic(path)):
            files.append(path)
    return files


def own_names(folder: str) -> re.Pattern[str] | None:
    """The names of what belongs to the set or the series that a folder is; `None` for other folders."""
    names = os.listdir(folder)
    manifest = Path(folder, MANIFEST)
    if manifest.is_file() and manifest.stat().st_size > 0:
        return re.compile(f"{re.escape(MANIFEST)}|{PART.pattern}")
    if any(SET.fullmatch(name) and Path(folder, name).is_dir() for name in names):
        return re.compile(f"{re.escape(INDEX)}|{SET.pattern}")
    if any(name == INDEX or ENTRY.fullmatch(name) for name in names):
        series = FolderSeries(folder)
        if len(series) or series.damage:
            return re.compile(f"{re.escape(INDEX)}|{ENTRY.pattern}")
    return None


def has_magic(path: str) -> bool:
    try:
        with io.open(path, "rb") as file:
            return file.read(8) in (b"gcodable", b"gcseries", b"gcstream")
    except OSError:
        return True  # It cannot be read, and is told so.
