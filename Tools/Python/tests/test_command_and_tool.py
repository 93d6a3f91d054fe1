"""`python -m graphcodable` and the tool: the same commands with the same options leave the same status, and say the same of files."""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path

import corpus
import pytest
from tool import Tool

import graphcodable as gc
from graphcodable.__main__ import main

CORPUS = corpus.REPOSITORY / "Tests" / "Corpus"
SUFFIXES = (".gcodable", ".gcseries")


# Series before their header is written, which the tool cannot tell from any other file.
NOT_BEGUN = ("series-not-begun.gcseries", "series-of-no-bytes.gcseries", "series-of-zeros.gcseries")


def files(folder: str, every: int) -> list[Path]:
    paths = sorted(path for path in (CORPUS / folder).iterdir() if path.suffix in SUFFIXES and path.name not in NOT_BEGUN)
    return paths[::every]


@pytest.fixture(scope="module")
def tool() -> Tool:
    return Tool()


def by_tool(tool: Tool, *arguments: object) -> tuple[int, str]:
    done = subprocess.run([tool.path, *map(str, arguments)], capture_output=True, text=True, timeout=120)
    return done.returncode, done.stdout


def by_python(capsys: pytest.CaptureFixture[str], *arguments: object) -> tuple[int, str]:
    try:
        status = main(list(map(str, arguments)))
    except SystemExit as exit:
        status = int(exit.code or 0)
    return status, capsys.readouterr().out


@pytest.mark.parametrize("command", ["info", "ls", "dump", "verify"])
def test_the_status_is_the_same(tool: Tool, capsys: pytest.CaptureFixture[str], tmp_path: Path, command: str) -> None:
    for path in [*files("valid", 40), *files("invalid", 60), *files("python", 20), tmp_path / "none.gcodable"]:
        assert by_python(capsys, command, path)[0] == by_tool(tool, command, path)[0], path


def test_intact_files_are_verified_in_the_same_words(tool: Tool, capsys: pytest.CaptureFixture[str]) -> None:
    chosen = [*files("valid", 25), *files("python", 10)]
    assert by_python(capsys, "verify", *chosen) == by_tool(tool, "verify", *chosen)
    ours, theirs = by_python(capsys, "verify", "--json", *chosen), by_tool(tool, "verify", "--json", *chosen)
    assert (ours[0], json.loads(ours[1])) == (theirs[0], json.loads(theirs[1]))


@pytest.mark.parametrize(
    "arguments", [["wrong"], [], ["info"], ["ls", "--entry", "x", "a"], ["ls", "--wrong", "a"], ["verify"], ["dump", "a", "b", "c"]]
)
def test_arguments_that_are_invalid_leave_64(tool: Tool, capsys: pytest.CaptureFixture[str], arguments: list[str]) -> None:
    status, _ = by_python(capsys, *arguments)
    assert status == (by_tool(tool, *arguments)[0] if arguments else 64) == 64


@pytest.mark.parametrize(
    ("options", "number"),
    [((), 3), (("--entry", "last"), 3), (("--entry", "1"), 1), (("--step", "10"), 2), (("--time", "0.5"), 1), (("--step", "7"), None)],
)
def test_entries_are_chosen_in_the_same_way(
    tool: Tool, capsys: pytest.CaptureFixture[str], tmp_path: Path, options: tuple[str, ...], number: int | None
) -> None:
    path = tmp_path / "a.gcseries"
    with gc.SeriesWriter(path, synchronized=False) as writer:
        for each, step in enumerate((0, 10, 10, 20)):
            writer.append({"n": each}, step=step, time=each / 2)
    found = [by_python(capsys, "ls", path, *options, "--json"), by_tool(tool, "ls", path, *options, "--json")]
    assert [status for status, _ in found] == [0 if number is not None else 1] * 2
    for _, text in found if number is not None else ():
        assert json.loads(text)["entry"] == number


def test_both_have_the_version_of_the_library(tool: Tool, capsys: pytest.CaptureFixture[str]) -> None:
    numbers = [re.findall(r"[0-9]+\.[0-9]+\.[0-9]+", text) for _, text in (by_python(capsys, "--version"), by_tool(tool, "--version"))]
    assert numbers[0] and numbers[0][0] == numbers[1][0]
