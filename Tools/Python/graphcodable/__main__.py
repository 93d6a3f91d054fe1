"""python -m graphcodable ls|dump|verify FILE"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from typing import Any

import graphcodable

from .tree import tree, visible


def lines(file: Any, arguments: argparse.Namespace) -> Iterator[str]:
    if isinstance(file, graphcodable.Series):
        if arguments.command == "ls" and arguments.entry is None:
            yield f"series, {len(file)} entries"
            for entry in file:
                about = " ".join(f"{key}={value}" for key, value in entry.metadata.items())
                yield visible(f"{entry.number}  step {entry.step}  time {entry.time}  {entry.size} bytes  {about}")
            yield from (f"damaged: {error}" for error in file.damage)
            return
        number = -1 if arguments.entry is None else arguments.entry
        found = [e for e in file if e.number == number] if number >= 0 else file.entries[-1:]
        if not found:
            raise graphcodable.GraphCodableError(None, "there is no such entry")
        file = found[0].archive
    if arguments.command == "dump":
        for key, value in file.info.items():
            yield visible(f"{key}: {value}")
        yield from tree(file, None, None)
    else:
        yield from tree(file, arguments.depth, arguments.limit)


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m graphcodable", description="Looks into archives and series.")
    commands = parser.add_subparsers(dest="command", required=True)
    for name, what in (
        ("ls", "list the parts of a graph, or the entries of a series"),
        ("dump", "print all of a graph"),
        ("verify", "check every byte of files"),
    ):
        command = commands.add_parser(name, help=what, description=what)
        if name == "verify":
            command.add_argument("files", nargs="+", metavar="FILE")
            continue
        command.add_argument("files", nargs=1, metavar="FILE")
        command.add_argument("--entry", type=int, help="an entry of a series, by its number")
        if name == "ls":
            command.add_argument("--depth", type=int, default=2, help="levels to list (2)")
            command.add_argument("--limit", type=int, default=100, help="parts of a value to list (100)")
    arguments = parser.parse_args()
    status = 0
    for path in arguments.files:
        try:
            with graphcodable.open(path) as file:
                if arguments.command == "verify":
                    file.verify()
                    print(f"{path}: OK")
                else:
                    for text in lines(file, arguments):
                        print(text)
        except graphcodable.GraphCodableError as error:
            print(f"{path}: {error}", file=sys.stdout if arguments.command == "verify" else sys.stderr)
            status = 1
        except BrokenPipeError:
            sys.stderr.close()
            return 0
        except OSError as error:
            print(f"{path}: {error}", file=sys.stderr)
            status = max(status, 66) if status != 1 else 1
    return status


if __name__ == "__main__":
    sys.exit(main())
