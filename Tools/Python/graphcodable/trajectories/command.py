"""python -m graphcodable import|export IN OUT"""

from __future__ import annotations

import argparse
from typing import Any

from ..format.errors import GraphCodableError
from ..views.choices import INVALID, Failure, failure
from ..views.output import line
from ..views.texts import json_text, visible
from .exchange import FORMATS, HDF5, export_trajectory, extension, import_trajectory
from .hdf5 import export_hdf5, import_hdf5

NAMES = ("import", "export")


def add(commands: Any) -> None:
    """Adds both commands to a parser."""
    formats = ", ".join([*FORMATS, *HDF5])
    for name, what in (
        ("import", "write a trajectory, or a file of HDF5, into a series or an archive"),
        ("export", "write a series or an archive as a trajectory, or as a file of HDF5"),
    ):
        description = f"{what.capitalize()}. Formats go by the extensions: {formats}. At the end all numbers are compared."
        command = commands.add_parser(name, help=what, description=description)
        command.add_argument("source", metavar="IN")
        command.add_argument("target", metavar="OUT")
        command.add_argument("--json", action="store_true", help="print the report as JSON")
        command.add_argument("--errors", action="store_true", help="print the largest error of each frame or entry")
        if name == "import":
            command.add_argument("--append", action="store_true", help="append to a series that is there")
            command.add_argument(
                "--precision", type=float, metavar="ERROR",
                help="the largest error of positions in ångströms, or of all floating-point numbers of HDF5 (0: exact)",
            )  # fmt: skip
        else:
            command.add_argument("--group", default="", metavar="PATH", help="the record of an entry that has the positions")


def run(options: argparse.Namespace) -> int:
    source, target = options.source, options.target
    try:
        if options.command == "import":
            work: Any = import_hdf5 if extension(source) in HDF5 else import_trajectory
            report = work(source, target, precision=options.precision or None, append=options.append)
        elif extension(target) in HDF5:
            report = export_hdf5(source, target)
        else:
            report = export_trajectory(source, target, group=options.group)
    except ValueError as error:
        raise Failure(str(error), INVALID) from None
    except FileExistsError as error:
        raise Failure(error.args[0] if len(error.args) == 1 else f"{target}: {error.strerror}", INVALID) from None
    except (GraphCodableError, OSError, ImportError) as error:
        raise failure(error, source) from None
    if options.json:
        line(json_text(report.json()))
    else:
        for text in report.lines(options.errors):
            line(visible(text))
    return 0
