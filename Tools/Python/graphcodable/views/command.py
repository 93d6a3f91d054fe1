"""python -m graphcodable info|ls|dump|verify FILE"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from importlib.metadata import version
from typing import Any, NoReturn, Protocol

from ..files.addresses import shown_name
from ..files.messages import Message, Messages
from ..files.opening import Opened
from ..files.series import Entry, Series
from ..files.set_series import SetEntry, SetSeries
from ..files.sets import ArchiveSet
from ..format.errors import GraphCodableError
from ..graph.archive import Archive
from ..graph.paths import steps
from . import information, streams
from .choices import INVALID, LAST, OUTPUT_FAILED, Failure, chosen, failure, has_choice, no_archive_of, no_entries, opened, part_of
from .dump import dump
from .listing import lines, reports
from .lookup import NotThere, item_at
from .output import flush, line, silence, width
from .texts import json_text, visible
from .verification import verify


class Commands(Protocol):
    """Commands of layers above."""

    @property
    def NAMES(self) -> Sequence[str]: ...  # noqa: N802

    def add(self, commands: Any) -> None:
        """Adds them to a parser."""

    def run(self, options: argparse.Namespace) -> int:
        """The exit status of one of them; what is wrong is a `Failure`."""


def main(arguments: list[str] | None = None, others: Commands | None = None) -> int:
    for stream in (sys.stdout, sys.stderr):
        # What the terminal cannot show is escaped.
        getattr(stream, "reconfigure", lambda **_: None)(errors="backslashreplace")
    options = parser(others).parse_args(arguments)
    try:
        try:
            if others is not None and options.command in others.NAMES:
                status = others.run(options)
            else:
                status = verify(options) if options.command == "verify" else shown(options)
        except Failure as error:
            if error.status == OUTPUT_FAILED:
                raise
            flush()
            error.print()
            status = error.status
        flush()
    except BrokenPipeError:
        silence()  # Nobody reads any more.
        return 0
    except Failure as error:
        silence()
        error.print()
        return error.status
    except KeyboardInterrupt:
        return 130
    return status


def shown(options: argparse.Namespace) -> int:
    try:
        with opened(options.file) as file:
            for text in output(file, options):
                line(text)
    except BrokenPipeError:
        raise
    except (GraphCodableError, NotThere, OSError, ImportError) as error:
        raise failure(error, options.file) from None
    return 0


class Parser(argparse.ArgumentParser):
    """Leaves 64 where the arguments are invalid, as the tool does."""

    def error(self, message: str) -> NoReturn:
        self.print_usage(sys.stderr)
        self.exit(INVALID, f"{self.prog}: {message}\n")


def entry_number(text: str) -> int:
    """The number of an entry, or `LAST`."""
    if text != "last" and int(text) < 0:
        raise ValueError
    return LAST if text == "last" else int(text)


def at_least(least: int) -> Any:
    def number(text: str) -> int:
        if int(text) < least:
            raise ValueError
        return int(text)

    return number


def parser(others: Commands | None = None) -> argparse.ArgumentParser:
    result = Parser(prog="python -m graphcodable", description="Looks into archives, series and sets.")
    result.add_argument("--version", action="version", version=version("graphcodable"))
    commands = result.add_subparsers(dest="command", required=True)
    for name, what in (
        ("info", "say what an archive consists of, or which entries, sets or parts there are"),
        ("ls", "list the parts of a value, or the arrays of a set"),
        ("dump", "list all of a graph"),
        ("verify", "check every byte of files"),
    ):
        command = commands.add_parser(name, help=what, description=what)
        command.add_argument("--json", action="store_true", help="print JSON")
        which = command.add_mutually_exclusive_group()
        which.add_argument("--entry", type=entry_number, metavar="N|last", help="an entry or a set of a series, by its number (last)")
        which.add_argument("--step", type=int, help="the entry of this step; the last of several")
        which.add_argument("--time", type=float, help="the entry of this time; the last of several")
        if name == "verify":
            command.add_argument("files", nargs="+", metavar="FILE", help="paths, folders, addresses, or - for standard input")
            continue
        command.add_argument("file", metavar="FILE", help="a path, an address, or - for standard input")
        command.add_argument("--part", type=int, help="a part of a set, by its number")
        if name == "ls":
            command.add_argument("path", nargs="?", default=[], type=steps, metavar="PATH", help="such as 'cells[3].position'")
            command.add_argument("-r", "--recursive", action="store_true", help="list the parts of the parts, too")
            command.add_argument("--depth", type=at_least(1), default=16, help="levels of a recursive list (16)")
            command.add_argument("--limit", type=at_least(1), default=100, help="parts of a value to list (100)")
            command.add_argument("--from", type=at_least(0), default=0, dest="first", help="the first part of the value to list (0)")
    if others is not None:
        others.add(commands)
    return result


def output(file: Opened, options: argparse.Namespace) -> Iterator[str]:
    name = shown_name(options.file)
    if isinstance(file, Messages):
        yield from output_of_messages(file, options)
        return
    entry: Entry | SetEntry | None = None
    found: Archive | ArchiveSet
    if isinstance(file, (Series, SetSeries)):
        if options.command == "info" and not has_choice(options) and options.part is None:
            about = information.of_series(name, file)
            yield from [json_text(about)] if options.json else map(visible, information.lines_of_series(about, file, width()))
            return
        entry = chosen(file, options)
    elif has_choice(options):
        if isinstance(file, ArchiveSet) and options.command != "info" and options.part is None:
            raise no_archive_of(options.file, file, None)
        raise no_entries(options.file, file)
    place = name if entry is None else f"{name}, entry {entry.number}"
    try:
        if isinstance(entry, SetEntry):
            found = entry.archive_set
        else:
            found = entry.archive if entry is not None else file  # type: ignore[assignment]
        yield from output_of(found, entry, options)
    except (GraphCodableError, NotThere) as error:
        raise failure(error, place, entry if isinstance(entry, Entry) else None) from None


def output_of_messages(stream: Messages, options: argparse.Namespace) -> Iterator[str]:
    """What a stream consists of, all of its messages, or one of them: the last one where none is chosen."""
    name = shown_name(options.file)
    if options.part is None and not has_choice(options):
        if options.command == "info":
            about = streams.of_messages(name, stream)
            yield from [json_text(about)] if options.json else map(visible, streams.lines_of_messages(about, stream))
            return
        if options.command == "dump" and not options.json:
            for message in stream:
                yield f"message {message.number}"
                yield from dumped(message.archive)
            failures = [Failure(f"{name}: {damage}") for damage in stream.damage]
            for its in failures[:-1]:
                its.print()
            if failures:
                raise failures[-1]
            return
    message = streams.chosen_message(stream, options)
    try:
        yield from output_of(message.archive, message, options)
    except (GraphCodableError, NotThere) as error:
        raise failure(error, f"{name}, message {message.number}") from None


def dumped(archive: Archive) -> Iterator[str]:
    yield from (visible(each, kept="\t") for each in dump(archive.reader))
    # At the end everything is checked.
    archive.verify()


def output_of(found: Archive | ArchiveSet, entry: Entry | SetEntry | Message | None, options: argparse.Namespace) -> Iterator[str]:
    name = shown_name(options.file)
    of_set = entry if isinstance(entry, SetEntry) else None
    if isinstance(found, ArchiveSet):
        if options.part is None:
            yield from output_of_set(found, of_set, options)
            return
        found = part_of(options.file, found, options.part)
    elif options.part is not None:
        raise Failure(f"{name}: only sets have parts", INVALID)
    context = found.reader
    if options.command == "info":
        about = information.of_archive(name, found, entry)
        yield from [json_text(about)] if options.json else map(visible, information.lines_of_archive(about, width()))
        return
    if options.command == "dump" and not options.json:
        yield from dumped(found)
        return
    is_list = options.command == "ls"
    depth = (options.depth if options.recursive else 1) if is_list else None
    limit, first = (options.limit, options.first) if is_list else (None, 0)
    root = item_at(context, options.path if is_list else [])
    if not options.json:
        yield from lines(context, root, depth, limit, first, width())
        return
    yield "{"
    if entry is not None:
        yield f'  "entry" : {entry.number},'
    yield f'  "file" : {json_text(name)},'
    yield '  "items" : ['
    before = ""
    for item in reports(context, root, depth, limit, first):
        if before:
            yield before + ","
        before = "    " + json_text(item, 2)
    yield before
    yield "  ]"
    yield "}"


def output_of_set(archives: ArchiveSet, entry: SetEntry | None, options: argparse.Namespace) -> Iterator[str]:
    """What a set consists of, or with `ls` its arrays: the tool lists those of its archives alone."""
    about = information.of_set(shown_name(options.file), archives, entry)
    if options.command == "dump" or (options.command == "ls" and options.path):
        raise no_archive_of(options.file, archives, entry)
    if options.command == "ls":
        about = {key: about[key] for key in ("file", "kind", "arrays")}
    if options.json:
        yield json_text(about)
        return
    yield from map(visible, information.lines_of_set(about, width()) if "parts" in about else information.lines_of_arrays(about, width()))


