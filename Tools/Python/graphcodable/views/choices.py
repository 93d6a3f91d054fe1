"""Which archive, entry or set a command is about."""

from __future__ import annotations

import argparse
import errno
import io
import os
import stat
import sys
from collections.abc import Sequence

from ..files.addresses import is_address, shown_name
from ..files.folders import FolderSeries
from ..files.opening import Opened, open
from ..files.series import HEADER_SIZE, WHOLE_HEADER, Entry, Series
from ..files.set_series import SetEntry, SetSeries
from ..files.sets import ArchiveSet
from ..format.errors import GraphCodableError
from ..graph.archive import Archive
from .search import STANDARD_INPUT, own_names
from .texts import counted, shortest, visible

DAMAGED, INVALID, UNREADABLE, OUTPUT_FAILED = 1, 64, 66, 74
# In place of the number of an entry.
LAST = -1


class Failure(Exception):
    """Why a command cannot do its work, in one line, and the exit status that says so."""

    def __init__(self, message: str, status: int = DAMAGED) -> None:
        super().__init__(message, status)
        self.message, self.status = message, status

    def print(self) -> None:
        print(visible(f"graphcodable: {self.message}"), file=sys.stderr)


def failure(error: Exception, name: str, entry: Entry | None = None) -> Failure:
    """What is wrong with a file, or with what is looked for in it.

    The places of damage in the archive of an entry count from the start of the file.
    """
    name = shown_name(name)
    if isinstance(error, Failure):
        return error
    if isinstance(error, (OSError, ImportError)) or (isinstance(error, GraphCodableError) and error.code == "file"):
        return Failure(f"{name}: {reason(error, name)}", UNREADABLE)
    if isinstance(error, GraphCodableError):
        offset = error.offset
        if offset is not None and entry is not None and (error.code, error.place) == ("damaged", "archive"):
            offset = entry.place(offset)
        return Failure(f"{name}: {error.code}: {error.message}" + ("" if offset is None else f" (byte {offset})"))
    return Failure(f"{name}: {error.args[0] if isinstance(error, KeyError) else error}")


def reason(error: Exception, name: str) -> str:
    """What the system says, without the name of the file."""
    if isinstance(error, OSError) and error.strerror:
        is_other = error.filename not in (None, name) and isinstance(error.filename, str)
        return f"{error.strerror}: {error.filename}" if is_other else error.strerror
    text = error.message if isinstance(error, GraphCodableError) else str(error)
    return text.removeprefix(f"{name}: ")


def opened(name: str) -> Opened:
    """A file, an address, a folder, or `-` for standard input; the entries of a series are looked for up to its end."""
    file = standard_input() if name == STANDARD_INPUT else named(name)
    if isinstance(file, Series) and not isinstance(file, FolderSeries):
        file.list_thoroughly()
    return file


def standard_input() -> Opened:
    """The file that it was redirected from, or the bytes of a pipe: archives are not read from front to back."""
    mode = os.fstat(0).st_mode
    if stat.S_ISDIR(mode):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
    # A pipe is read to its end.
    source = sys.stdin.buffer if stat.S_ISREG(mode) else io.BytesIO(sys.stdin.buffer.read())
    try:
        return open(source)
    except GraphCodableError as error:
        source.seek(0)
        raise explained(error, source.read(65)) from None


def named(name: str) -> Opened:
    if is_address(name):
        return open(name)
    mode = os.stat(name).st_mode
    if stat.S_ISDIR(mode):
        if own_names(name) is None:
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
        return open(name)
    if not stat.S_ISREG(mode):
        # A named pipe is not waited for.
        raise OSError(errno.EINVAL, "Not a regular file")
    try:
        return open(name)
    except GraphCodableError as error:
        with io.open(name, "rb") as start:
            raise explained(error, start.read(65)) from None


def explained(error: GraphCodableError, start: bytes) -> GraphCodableError:
    """Why a file is no archive, by its first bytes."""
    if error.rule != "H1":
        return error
    if not start:
        return GraphCodableError("H1", "the file is empty")
    if len(start) <= HEADER_SIZE and (not any(start) or WHOLE_HEADER.startswith(start)):
        return GraphCodableError("H1", "the file has no header", 0)
    return GraphCodableError("H1", "the file is neither an archive nor a series of archives", 0)


AnyEntry = Entry | SetEntry


def has_choice(options: argparse.Namespace) -> bool:
    return any(value is not None for value in (options.entry, options.step, options.time))


def chosen(series: Series | SetSeries, options: argparse.Namespace) -> AnyEntry:
    """The entry that the options name; the last one where they name none."""
    entries: Sequence[AnyEntry] = series.entries
    if not entries:
        raise GraphCodableError(None, "the series has no entries", code="valueNotFound")
    first, last = entries[0], entries[-1]
    found: AnyEntry | None
    if options.step is not None:
        found = next((entry for entry in reversed(entries) if entry.step == options.step), None)
        text = f"no entry of step {options.step}, but from step {first.step} to {last.step}"
    elif options.time is not None:
        found = next((entry for entry in reversed(entries) if entry.time == options.time), None)
        near = min(entries, key=lambda entry: abs(entry.time - options.time))
        text = f"no entry of time {shortest(options.time)}; the nearest time is {shortest(near.time)}"
    elif options.entry is not None and options.entry >= 0:
        found = next((entry for entry in entries if entry.number == options.entry), None)
        text = f"no entry {options.entry}, but from {first.number} to {last.number}"
    else:
        return last
    if found is None:
        raise GraphCodableError(None, f"the series has {text}", code="valueNotFound")
    return found


def no_entries(name: str, file: Archive | ArchiveSet) -> Failure:
    what = "set" if isinstance(file, ArchiveSet) else "archive"
    return Failure(f"{shown_name(name)}: a single {what} has no entries to choose from", INVALID)


def no_archive_of(name: str, archives: ArchiveSet, entry: SetEntry | None) -> Failure:
    """Says which archive of a set to name, where a command needs one."""
    shown = shown_name(name)
    what = f"a set of {counted(len(archives), 'archive', 'archives')}; name one" if entry is None else "a series of sets; name an archive of one of them"
    folders = [shown.removesuffix("/"), *([] if entry is None else [os.path.basename(entry.url)]), archives.parts[0].name]
    return Failure(f"{shown}: {what}, as {'/'.join(folders)}", INVALID)


def part_of(name: str, archives: ArchiveSet, number: int) -> Archive:
    if number not in range(len(archives)):
        raise Failure(f"{shown_name(name)}: there is no part {number}, but from 0 to {len(archives) - 1}")
    return archives.part(number)


