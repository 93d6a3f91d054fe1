"""python -m graphcodable info|ls|dump|verify FILE"""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Iterator
from importlib.metadata import version
from typing import Any, NoReturn

from ..files.addresses import shown_name
from ..files.global_arrays import GlobalArray
from ..files.opening import Opened, open
from ..files.series import Entry, Series
from ..files.set_series import SetEntry, SetSeries
from ..files.sets import ArchiveSet
from ..format.errors import GraphCodableError
from ..graph.archive import Archive
from .listing import item_at, items, lines, value_text, visible
from .problems import Problem, problems

OPTION_OF = {"number": "entry"}
# What `kind` is in JSON.
KINDS = {Archive: "archive", ArchiveSet: "set", SetSeries: "setSeries"}


def main(arguments: list[str] | None = None) -> int:
    for stream in (sys.stdout, sys.stderr):
        # What the terminal cannot show is escaped.
        getattr(stream, "reconfigure", lambda **_: None)(errors="backslashreplace")
    options = parser().parse_args(arguments)
    try:
        status = verify(options.files, options.json) if options.command == "verify" else shown(options)
        sys.stdout.flush()
    except BrokenPipeError:
        # Nobody reads any more. What is left must not be an error when the process ends.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except KeyboardInterrupt:
        return 130
    return status


def shown(options: argparse.Namespace) -> int:
    try:
        with open(options.file) as file:
            for text in output(file, options):
                print(text)
    except BrokenPipeError:
        raise
    except (GraphCodableError, KeyError, ValueError) as error:
        print(message(options.file, error), file=sys.stderr)
        return 1
    except (OSError, ImportError) as error:
        print(message(options.file, error), file=sys.stderr)
        return 66
    return 0


def message(name: str, error: Exception) -> str:
    """An error in one line that begins with the name of the file."""
    name = shown_name(name)
    if isinstance(error, OSError) and error.strerror:
        text = error.strerror if error.filename in (None, name) else f"{error.strerror}: {error.filename}"
    else:
        text = str(error.args[0] if isinstance(error, KeyError) else error)
    return visible(f"{name}: {text.removeprefix(f'{name}: ')}")


class Parser(argparse.ArgumentParser):
    """Leaves 64 where the arguments are invalid, as the tool does."""

    def error(self, message: str) -> NoReturn:
        self.print_usage(sys.stderr)
        self.exit(64, f"{self.prog}: {message}\n")


def entry_number(text: str) -> int | None:
    """The number of an entry; `None` for the last one."""
    return None if text == "last" else int(text)


def parser() -> argparse.ArgumentParser:
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
        if name == "verify":
            command.add_argument("files", nargs="+", metavar="FILE")
            continue
        command.add_argument("file", metavar="FILE", help="a path or an address")
        which = command.add_mutually_exclusive_group()
        which.add_argument("--entry", type=entry_number, metavar="N|last", help="an entry or a set of a series, by its number (last)")
        which.add_argument("--step", type=int, help="the entry of this step; the last of several")
        which.add_argument("--time", type=float, help="the entry of this time; the last of several")
        command.add_argument("--part", type=int, help="a part of a set, by its number")
        if name == "ls":
            command.add_argument("path", nargs="?", default="", metavar="PATH", help="such as 'cells[3].position'")
            command.add_argument("-r", "--recursive", action="store_true", help="list the parts of the parts, too")
            command.add_argument("--depth", type=int, default=16, help="levels of a recursive list (16)")
            command.add_argument("--limit", type=int, default=100, help="parts of a value to list (100)")
    return result


def output(file: Opened, options: argparse.Namespace) -> Iterator[str]:
    if isinstance(file, (Series, SetSeries)):
        if options.command == "info" and (options.entry, options.step, options.time, options.part) == (None,) * 4:
            yield from series_information(file, options)
            return
    found, entry = chosen(file, options)
    if isinstance(found, ArchiveSet) and options.part is None:
        yield from set_information(found, entry, options)
        return
    archive = part_of(found, options.part)
    if options.command == "info":
        information = {"file": shown_name(options.file), "kind": "archive", **archive.info}
        if options.json:
            yield json.dumps(information, indent=2)
        else:
            yield from (visible(f"{key}: {value}") for key, value in information.items())
        return
    path = options.path if options.command == "ls" else ""
    depth, limit = (None, None) if options.command == "dump" else (1, options.limit)
    if options.command == "ls" and options.recursive:
        depth = options.depth
    value = archive.at(path)
    if not options.json:
        yield from lines(archive.reader, value, depth, limit)
        return
    yield "{"
    yield f'  "file": {json.dumps(shown_name(options.file))},'
    if entry is not None:
        yield f'  "entry": {entry},'
    if options.part is not None:
        yield f'  "part": {options.part},'
    yield '  "items": ['
    first = item_at(archive, path, value)
    before = first.to_json()
    for item, _ in items(archive.reader, value, depth, limit, first):
        yield f"    {json.dumps(before)},"
        if item.left_out:
            before = {"path": item.path, "depth": item.depth - 1, "leftOut": item.left_out}
        else:
            before = item.to_json()
    yield f"    {json.dumps(before)}"
    yield "  ]"
    yield "}"


def chosen(file: Opened, options: argparse.Namespace) -> tuple[Archive | ArchiveSet, int | None]:
    """The archive or set to look into, and the number of its entry."""
    asked = {name: value for name in ("number", "step", "time") if (value := getattr(options, OPTION_OF.get(name, name))) is not None}
    if isinstance(file, (Archive, ArchiveSet)):
        if asked:
            raise ValueError(f"{'a set' if isinstance(file, ArchiveSet) else 'an archive'} has no entries")
        return file, None
    found = [entry for entry in file.entries if all(getattr(entry, name) == value for name, value in asked.items())]
    if not found:
        text = " and ".join(f"{OPTION_OF.get(name, name)} {value}" for name, value in asked.items())
        raise ValueError(f"there is no entry with {text}" if asked else "a series without entries")
    entry = found[-1]
    return entry.archive if isinstance(entry, Entry) else entry.archive_set, entry.number


def part_of(found: Archive | ArchiveSet, number: int | None) -> Archive:
    if isinstance(found, Archive):
        if number is not None:
            raise ValueError("only sets have parts")
        return found
    if number not in range(len(found)):
        raise ValueError("there is no such part")
    return found.part(number or 0)


def series_information(
    series: Series | SetSeries, options: argparse.Namespace
) -> Iterator[str]:
    if options.json:
        entries = [
            {"number": e.number, "step": e.step, "time": json_number(e.time), "metadata": e.metadata} | place_of(e)
            for e in series
        ]
        damage = [Problem(None, error).to_json() for error in series.damage]
        whole: dict[str, Any] = {"file": shown_name(options.file), "kind": kind_of(series), "bytes": series.size}
        whole |= {"entries": entries, "damage": damage}
        yield json.dumps(whole, indent=2)
        return
    yield f"{shown_name(options.file)}: {series.KIND}, {series.count_text}, {series.size:,} bytes"
    rows = [(series.NOUNS[0], "step", "time", "bytes", "metadata")]
    for e in series:
        about = " ".join(f"{key}={value}" for key, value in e.metadata.items())
        rows.append((str(e.number), str(e.step), value_text(e.time), f"{place_of(e)['bytes']:,}", visible(about)))
    widths = [max(len(row[index]) for row in rows) for index in range(4)]
    for row in rows if len(series) else []:
        yield "  ".join([*(cell.rjust(width) for cell, width in zip(row, widths)), row[4]]).rstrip()
    yield from (f"damaged: {error}" for error in series.damage)


def place_of(entry: Entry | SetEntry) -> dict[str, int]:
    """Where an entry is in the file, and how long."""
    if isinstance(entry, Entry):
        return {"offset": entry.offset, "bytes": entry.size}
    return {"bytes": entry.byte_count}


def kind_of(file: Opened) -> str:
    return KINDS.get(type(file), "series")


def set_information(
    archives: ArchiveSet, entry: int | None, options: argparse.Namespace
) -> Iterator[str]:
    """The parts of a set with `info`, and its arrays."""
    if options.command == "dump" or (options.command == "ls" and options.path):
        raise ValueError("which part of the set? see --part")
    arrays = [
        {"name": name, "type": type_text(its), "shape": list(its.shape), "bytes": its.nbytes, "parts": its.parts}
        for name, its in archives.arrays.items()
    ]
    about = archives.info | {"time": json_number(archives.time), "arrays": arrays}
    if options.json:
        shown = about if options.command == "info" else {"arrays": arrays}
        number = {} if entry is None else {"entry": entry}
        yield json.dumps({"file": shown_name(options.file), "kind": "set", **number, **shown}, indent=2)
        return
    if options.command == "info":
        yield f"{shown_name(options.file)}: set, {parts_text(len(archives))}, {archives.size:,} bytes"
        yield f"step {archives.step}, time {value_text(archives.time)}"
        yield from (visible(f"{key}={value}") for key, value in archives.metadata.items())
        yield from (f"{part.name}  {part.size:,} bytes" for part in archives.parts)
    rows = []
    for name, its in archives.arrays.items():
        shape, where = " × ".join(f"{length:,}" for length in its.shape), f"in {parts_text(len(its.parts))}"
        rows.append((visible(name), type_text(its), shape, f"{its.nbytes:,} bytes", where))
    widths = [max(len(row[index]) for row in rows) for index in range(4)] if rows else []
    for row in rows:
        cells = [cell.rjust(width) if index > 1 else cell.ljust(width) for index, (cell, width) in enumerate(zip(row, widths))]
        yield "  ".join([*cells, row[4]])


def parts_text(count: int) -> str:
    return f"{count:,} {'part' if count == 1 else 'parts'}"


def type_text(array: GlobalArray) -> str:
    return str(array.dtype) if array.dtype.names is None else "structs"


def json_number(value: float) -> float | str:
    return value if value - value == 0 else value_text(value)


def verify(files: list[str], as_json: bool) -> int:
    status, reports = 0, []
    for path in files:
        name = shown_name(path)
        report: dict[str, Any] = {"file": name}
        found: list[Problem] = []
        count = ""
        try:
            with open(path) as file:
                report["kind"] = kind_of(file)
                report["bytes"] = file.size
                if isinstance(file, (Series, SetSeries)):
                    report["entries"] = len(file)
                    count = f", {file.count_text}"
                elif isinstance(file, ArchiveSet):
                    report["parts"] = len(file)
                    count = f", {parts_text(len(file))}"
                found = list(problems(file))
        except GraphCodableError as error:
            found = [Problem(None, error)]
        except BrokenPipeError:
            raise
        except (OSError, ImportError) as error:
            # Without what the address may have that is secret.
            found = [Problem(None, error if isinstance(error, OSError) else OSError(str(error)))]
            status = status or 66
        if found and not isinstance(found[0].error, OSError):
            status = 1
        reports.append({**report, "ok": not found, "problems": [problem.to_json() for problem in found]})
        if not as_json:
            for problem in found:
                text = message(path, problem.error) if problem.entry is None else visible(f"{name}{problem}")
                print(text, file=sys.stderr if "kind" not in report and status == 66 else sys.stdout)
            if not found:
                print(visible(f"{name}: OK{count}"))
    if as_json:
        print(json.dumps(reports, indent=2))
    return status
