"""The programs that scenarios are run with: the same one in Swift, and in Python with its module in C and without."""

from __future__ import annotations

import os
import resource
import signal
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import corpus
import pytest
import tool

from graphcodable.format import native

PROGRAM = Path(__file__).with_name("scenario_program.py")
INTERPOSER = corpus.REPOSITORY / "Tests" / "CrashTests" / "Interposer" / "interpose.c"
NAMES = ("Swift", "Python", "Python without C")


@dataclass
class Conditions:
    """Under which a writer runs."""

    environment: dict[str, str] = field(default_factory=dict)
    prefix: tuple[str, ...] = ()
    largest_file: int | None = None
    umask: int = -1


@dataclass
class Outcome:
    status: int
    lines: list[str]
    errors: str

    @property
    def steps(self) -> list[str]:
        """What became of each step: `done`, or the code of an error with the system's reason."""
        return [" ".join(line.split()[:1] if line == "done" else line.split()[1:3]) for line in self.lines]


class Writer:
    """A program that writes."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.command = [sys.executable, "-B", "-W", "ignore", str(PROGRAM)]
        self.environment = dict(os.environ)
        if name == "Swift":
            self.command = [str(swift_writer())]
        elif name == "Python without C":
            self.environment["GRAPHCODABLE_NATIVE"] = "0"
        elif native.module is None:
            pytest.skip("without the module in C")

    def start(self, arguments: Sequence[object], conditions: Conditions) -> subprocess.Popen[str]:
        def limit() -> None:
            # Beyond the limit the system also sends a signal, which would end the process.
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            if conditions.largest_file is not None:
                _, most = resource.getrlimit(resource.RLIMIT_FSIZE)
                resource.setrlimit(resource.RLIMIT_FSIZE, (conditions.largest_file, most))

        return subprocess.Popen(
            [*conditions.prefix, *self.command, *map(str, arguments)], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, text=True, env={**self.environment, **conditions.environment}, umask=conditions.umask,
            preexec_fn=limit, restore_signals=False,
        )  # fmt: skip

    def run(self, *arguments: object, conditions: Conditions = Conditions()) -> Outcome:
        with self.start(arguments, conditions) as process:
            output, errors = process.communicate(timeout=120)
        return Outcome(process.returncode, output.splitlines(), errors)


def swift_writer() -> Path:
    """The program in Swift, which is built with the tests of the tool; skips the test where there is none."""
    path = tool.found().with_name("ScenarioWriter")
    if not path.is_file():
        pytest.skip("the scenarios' program in Swift was not built: `make test` does")
    return path


def interposer(folder: Path) -> Path:
    """What stands between a program and the system, compiled; skips the test where it cannot be."""
    if sys.platform != "linux":
        pytest.skip("another way to replace functions of the system")
    library = folder / "interpose.so"
    command = ["cc", "-shared", "-fPIC", "-Wall", "-Wextra", "-Werror", "-o", str(library), str(INTERPOSER), "-ldl"]
    try:
        done = subprocess.run(command, capture_output=True, text=True)
    except FileNotFoundError:
        pytest.skip("without a C compiler")
    assert done.returncode == 0, done.stderr
    return library
