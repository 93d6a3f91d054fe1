"""`python -m graphcodable` and the tool: where both have a command they print the same, and leave the same status."""

from __future__ import annotations

import contextlib
import io
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import corpus
import numpy as np
import pytest
from tool import Tool

import graphcodable as gc
from graphcodable.__main__ import main

SUFFIXES = (".gcodable", ".gcseries")
COMMANDS = ("info", "info --json", "ls", "ls --json", "ls -r", "ls -r --json", "dump", "verify", "verify --json")
# Rules that files break by accident: by bytes that changed, or are gone. They are told in the same words.
BY_ACCIDENT = re.compile(r"(H\d+|C1|S7|S10|S11|S12|R\d)")
# Lines, and parts of them, that stay different: what they match in an output is left out of the comparison.
UNLIKE = {
    # Python does not look for the values that a damaged block had.
    "lost values": r"^  (header|block \d+) of .*\n|^  \d+ more blocks?\n",
}
# Differences that stay, by command and file.
STAYING = {
    ("ls", "swift/state"): "the tool lists archives alone, and Python the arrays of a set, since it reads those",
    ("info", "metadata-of-two-normalizations"): "equal keys are one key of a Swift dictionary, and two of a Python one",
    ("verify", "r2-gap"): "a byte between pieces belongs to no byte of an archive: Python says where it is in the file",
}
# What a forger has written: one reader may come further than the other before it meets what is wrong.
FORGED = {
    ("ls", "g12-arrays"), ("ls", "g12-object"), ("ls", "g12-records"), ("ls", "g2-object-in-object"), ("ls", "g7-too-few-bytes"),
    ("ls", "g7-too-many-bytes"), ("ls", "g7-unkeyed-too-few"),
}  # fmt: skip


class Output(NamedTuple):
    status: int
    out: str
    err: str


@pytest.fixture(scope="module")
def tool() -> Tool:
    return Tool()


def by_tool(tool: Tool, *arguments: str, folder: Path | None = None, stdin: bytes = b"") -> Output:
    done = subprocess.run([tool.path, *arguments], capture_output=True, input=stdin, cwd=folder, timeout=120)
    return Output(done.returncode, done.stdout.decode(), done.stderr.decode())


def by_python(*arguments: str, folder: Path | None = None) -> Output:
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err), contextlib.chdir(folder or Path.cwd()):
        try:
            status = main(list(arguments))
        except SystemExit as exit:
            status = int(exit.code or 0)
    return Output(status, out.getvalue(), err.getvalue())


def compared(output: Output) -> Output:
    """What has to be the same."""
    text = output.out
    for pattern in UNLIKE.values():
        text = re.sub(pattern, "", text, flags=re.MULTILINE)
    # In JSON the values that were lost are an object of their own.
    text = re.sub(r'^ +"damage" : \[\n(?: {8,}.*\n)* {8}\],\n +"damagedBlocks" : \d+,\n', "", text, flags=re.MULTILINE)
    return Output(output.status, text, output.err)


def stays(command: str, name: str) -> bool:
    return any(command.split()[0] == its and part in name for its, part in STAYING)


def files(*folders: str) -> list[str]:
    found = []
    for folder in folders:
        for path in sorted((corpus.FOLDER / folder).iterdir()):
            if path.suffix in SUFFIXES or path.is_dir():
                found.append(f"{folder}/{path.name}")
    return found


@pytest.mark.parametrize("command", COMMANDS)
def test_intact_files_are_printed_in_the_same_words(tool: Tool, command: str) -> None:
    # What JSON has stands in the other form, too, so that a part of the files shows that it is JSON.
    for name in files("valid", "python", "swift")[:: 3 if "json" in command else 1]:
        if not stays(command, name):
            arguments = [*command.split(), name]
            assert by_python(*arguments, folder=corpus.FOLDER) == by_tool(tool, *arguments, folder=corpus.FOLDER)


def told(output: Output) -> tuple[int, list[str]]:
    """The status, and the files with the codes of what is wrong in them."""
    return output.status, re.findall(r"^(?:graphcodable: )?([^ :]+(?:, entry \d+)?: \w+): ", output.out + output.err, re.MULTILINE)


@pytest.mark.parametrize("command", ["info", "ls", "dump", "verify"])
def test_damage_is_told_in_the_same_words_and_forgery_with_the_same_code(tool: Tool, command: str) -> None:
    for node in corpus.invalid_files():
        name = f"invalid/{Path(node['file']).name}"
        stem = Path(name).stem
        if stays(command, stem):
            continue
        ours, theirs = by_python(command, name, folder=corpus.FOLDER), by_tool(tool, command, name, folder=corpus.FOLDER)
        if BY_ACCIDENT.fullmatch(node["rule"]):
            assert compared(ours) == compared(theirs)
        elif (command, stem) in FORGED:
            assert {ours.status, theirs.status} == {0, 1}
        elif node["rule"] == "X8":
            # What does not come out is damaged, or malformed where it matches its checksum: the document allows both.
            one, other = ((status, [file.rpartition(": ")[0] for file in files]) for status, files in (told(ours), told(theirs)))
            assert one == other
        else:
            assert told(ours) == told(theirs)


# One message of a stream, or what is told where there is none like that.
OF_MESSAGES = (
    *(f"{command} --entry {number}" for command in ("info", "info --json", "ls", "dump", "verify") for number in ("0", "last", "99")),
    "ls --step 1", "verify --time 0.5",
)  # fmt: skip
WITH_MESSAGES = ("stream-additions", "stream-archive", "stream-empty", "m3-too-few-messages", "m6-frame", "m6-header")


@pytest.mark.parametrize("command", [*COMMANDS, *OF_MESSAGES])
def test_streams_of_messages_are_printed_in_the_same_words(tool: Tool, command: str) -> None:
    for path in sorted((corpus.FOLDER / "streams").glob("*.gclog")):
        if command in OF_MESSAGES and path.stem not in WITH_MESSAGES:
            continue
        arguments = [*command.split(), path.name]
        ours, theirs = by_python(*arguments, folder=path.parent), by_tool(tool, *arguments, folder=path.parent)
        if path.name.startswith("m4") or (path.name.startswith("m1") and "json" in command):
            # Tables that were forged, and what the tool knows of a stream that it does not open: the codes are the same.
            codes = [re.findall("malformed|unsupported", output.out + output.err) for output in (ours, theirs)]
            assert codes[0] == codes[1] and ours.status == theirs.status == 1
        else:
            assert ours == theirs


@pytest.mark.parametrize("count", [0, 5, 8, 31, 32])
def test_a_stream_that_was_not_begun_is_one_by_its_name(tool: Tool, tmp_path: Path, count: int) -> None:
    start = (corpus.FOLDER / "streams" / "stream-events.gclog").read_bytes()[:count]
    for name in ("a.gclog", "a"):
        (tmp_path / name).write_bytes(start)
        for command in ("info", "ls", "verify"):
            ours, theirs = (run(command, name) for run in (in_folder(tmp_path), in_folder(tmp_path, tool)))
            assert ours == theirs
            assert (ours.status == 0) == (command != "ls" and (count >= 8 or name == "a.gclog"))


def test_verify_checks_all_files_in_one_run(tool: Tool) -> None:
    names = files("valid", "python")
    assert by_python("verify", *names, folder=corpus.FOLDER) == by_tool(tool, "verify", *names, folder=corpus.FOLDER)


# Series, folders and sets, damaged and whole


def changed(path: Path, at: int) -> None:
    data = bytearray(path.read_bytes())
    data[at] ^= 1
    path.write_bytes(data)


def part(folder: Path, number: int) -> Path:
    return next(folder.glob(f"part-{number:05}-*"))


ENTRY = "entry-{:012}.gcodable"
DAMAGE: dict[str, Callable[[Path], object]] = {
    "state, a part": lambda f: changed(part(f, 1), 3000),
    "state, a header": lambda f: changed(part(f, 0), 20),
    "state, the manifest": lambda f: changed(f / "set.gcodable", 100),
    "state, no manifest": lambda f: (f / "set.gcodable").write_bytes(b""),
    "run, an entry": lambda f: changed(f / ENTRY.format(1), 3000),
    "run, the index": lambda f: changed(f / "index.gcodable", 60),
    "run, no index": lambda f: (f / "index.gcodable").unlink(),
    "moving.gcseries, the header": lambda f: changed(f, 3),
    "moving.gcseries, a block of several entries": lambda f: changed(f, 3000),
    "moving.gcseries, cut": lambda f: os.truncate(f, f.stat().st_size - 100),
    "moving.gcseries, begun": lambda f: os.truncate(f, 70),
    "moving.gcseries, more": lambda f: f.write_bytes(f.read_bytes() + bytes(500)),
}  # fmt: skip
# Messages about what a folder lacks, which each reader has in its words: the status and the codes are the same.
LACKING: dict[str, Callable[[Path], object]] = {
    "state, no part": lambda f: part(f, 2).unlink(),
    "state, a part that was cut": lambda f: os.truncate(part(f, 0), 12000),
    "run, no entry": lambda f: (f / ENTRY.format(2)).unlink(),
}


def copied(folder: Path, what: str) -> str:
    name = what.split(",")[0]
    source = corpus.FOLDER / "swift" / name
    (shutil.copytree if source.is_dir() else shutil.copy)(source, folder / name)
    return name


@pytest.mark.parametrize("what", [*DAMAGE, *LACKING])
def test_damage_in_series_and_sets_is_told_alike(tool: Tool, tmp_path: Path, what: str) -> None:
    name = copied(tmp_path, what)
    {**DAMAGE, **LACKING}[what](tmp_path / name)
    for command in COMMANDS:
        if command.startswith("ls") and what.startswith("state") and not what.endswith("manifest"):
            continue
        ours, theirs = (run(*command.split(), name) for run in (in_folder(tmp_path), in_folder(tmp_path, tool)))
        if what in DAMAGE:
            assert compared(ours) == compared(theirs)
        else:
            assert (ours.status, told(ours)) == (theirs.status, told(theirs))


class Run:
    def __init__(self, folder: Path, tool: Tool | None) -> None:
        self.folder, self.tool = folder, tool

    def __call__(self, *arguments: str) -> Output:
        return by_python(*arguments, folder=self.folder) if self.tool is None else by_tool(self.tool, *arguments, folder=self.folder)


def in_folder(folder: Path, tool: Tool | None = None) -> Run:
    return Run(folder, tool)


# Arguments


LINES = (
    # Of what cannot be opened, all four commands.
    *(f"{command} {name}" for command in ("info", "ls", "dump", "verify") for name in ("none", ".", "''", "/dev/null", "text", "zeros")),
    "verify folder", "verify folder none a.gcodable", "verify folder --json", "verify empty",
    # Entries, by number, step and time.
    *(
        f"{command} {name} {choice}"
        for command in ("info", "ls", "dump", "verify", "info --json", "verify --json")
        for name in ("a.gcseries", "a.gcodable")
        for choice in ("--entry 1", "--entry last", "--entry 9", "--step 10", "--step -5", "--step 7", "--time 0.5", "--time 0.7")
    ),
    # Places in a graph.
    *(
        f"ls a.gcodable {path}{json}"
        for path in ("title", "title.x", "nobody", "species", "species[1]", "species[1].name", "species[2]", "species[-1]", "counts.Na", "x",
                     "positions", "positions[3]", "positions[9999999]", "rows", "rows[1]", "nobody.x", "kinds", "kinds[-3]", "kinds[4]")
        for json in ("", " --json")
    ),
    # Parts of lists.
    "ls a.gcodable positions --from 9990", "ls a.gcodable positions --from 3 --limit 2", "ls a.gcodable --from 1 -r",
    "ls a.gcodable --from 99", "ls a.gcodable --from 1 --limit 2 --json", "ls -r --depth 1 a.gcodable", "ls -r --limit 1 a.gcodable",
)  # fmt: skip


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("files")
    state = {
        "title": "At \x1b[2J rest", "species": [{"name": "Na", "mass": 22.99}, {"name": "Cl", "mass": 1e17}],
        "counts": gc.AsDictionary({"Na": 1}), "kinds": gc.AsDictionary({-3: "a", 4: "b"}), "nobody": None,
        "positions": np.zeros((10_000, 2)), "rows": np.arange(6.0).reshape(2, 3), "a.b \"c\"": True,
    }  # fmt: skip
    gc.save(state, folder / "a.gcodable")
    with gc.SeriesWriter(folder / "a.gcseries", synchronized=False) as writer:
        for number, step in enumerate((-5, 10, 10, 20)):
            writer.append({"n": number}, step=step, time=number / 2, metadata={"key": f"value {number}"})
    (folder / "text").write_text("hello")
    (folder / "zeros").write_bytes(bytes(64))
    (folder / "empty").mkdir()
    shutil.copytree(corpus.FOLDER / "swift", folder / "folder")
    # A damaged one, and one without the name.
    shutil.copy(corpus.FOLDER / "streams" / "m6-frame.gclog", folder / "folder" / "b.gclog")
    shutil.copy(corpus.FOLDER / "streams" / "stream-events.gclog", folder / "folder" / "events")
    (folder / "folder" / "lost.gcodable").write_bytes(bytes(100))
    (folder / "folder" / "readme").write_text("hello")
    os.mkfifo(folder / "pipe")
    return folder


def split(line: str) -> list[str]:
    return ["" if word == "''" else word for word in line.split(" ")]


def test_lines_print_the_same(tool: Tool, folder: Path) -> None:
    for line in LINES:
        arguments = split(line)
        ours, theirs = by_python(*arguments, folder=folder), by_tool(tool, *arguments, folder=folder)
        assert compared(ours) == compared(theirs), line


@pytest.mark.parametrize("command", ["info", "ls", "dump", "verify"])
def test_a_pipe_with_a_name_is_not_waited_for(tool: Tool, folder: Path, command: str) -> None:
    assert by_python(command, "pipe", folder=folder) == by_tool(tool, command, "pipe", folder=folder)


# The texts are those of two libraries for arguments; "python -m graphcodable" is the name of one of the programs.
@pytest.mark.parametrize(
    "line",
    ["wrong", "info", "verify", "dump a b c", "ls --entry x a", "ls --entry -1 a", "ls --wrong a", "ls --depth 0 a", "ls --limit 0 a",
     "ls --from x a", "ls a.gcodable a..b", "info a.gcseries --entry 1 --step 2", "verify --time x a"],
)  # fmt: skip
def test_arguments_that_are_invalid_leave_64(tool: Tool, folder: Path, line: str) -> None:
    ours, theirs = by_python(*split(line), folder=folder), by_tool(tool, *split(line), folder=folder)
    assert (ours.status, ours.out) == (theirs.status, theirs.out) == (64, "")


@pytest.mark.parametrize("command", ["info", "ls -r", "dump", "verify", "verify --json"])
@pytest.mark.parametrize("name", ["a.gcodable", "a.gcseries", "text", "/dev/null"])
def test_a_minus_is_standard_input(tool: Tool, folder: Path, command: str, name: str) -> None:
    module = [sys.executable, "-m", "graphcodable"]
    data = b"" if name == "/dev/null" else (folder / name).read_bytes()
    outputs = []
    for program in (module, [str(tool.path)]):
        line = [*program, *command.split(), "-"]
        piped = subprocess.run(line, capture_output=True, input=data, timeout=120)
        with open(folder / name if data else name, "rb") as file:
            redirected = subprocess.run(line, capture_output=True, stdin=file, timeout=120)
        outputs += [(done.returncode, done.stdout, done.stderr) for done in (piped, *([redirected] if data else []))]
    assert all(output == outputs[0] for output in outputs)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no device that is always full")
@pytest.mark.parametrize("command", [*COMMANDS, "info --entry 9", "verify none"])
def test_output_that_cannot_be_written_is_told_of_the_output(tool: Tool, folder: Path, command: str) -> None:
    names = [] if command.endswith("none") else ["a.gcseries"]
    outputs = []
    for program in ([sys.executable, "-m", "graphcodable"], [str(tool.path)]):
        line = [*program, *command.split(), *names]
        with open("/dev/full", "w") as full:
            done = subprocess.run(line, stdout=full, stderr=subprocess.PIPE, cwd=folder, timeout=120)
        closed = subprocess.run(["sh", "-c", '"$@" >&-', "sh", *line], stderr=subprocess.PIPE, cwd=folder, timeout=120)
        outputs.append((done.returncode, done.stderr, closed.returncode, closed.stderr))
    assert outputs[0] == outputs[1]
    has_output = not command.endswith(("9", "none"))
    assert outputs[0][0] == (74 if has_output else 1 if "9" in command else 66)
    assert (b"cannot write the output: No space left" in outputs[0][1]) == has_output


def test_both_have_the_version_of_the_library(tool: Tool) -> None:
    numbers = [re.findall(r"[0-9]+\.[0-9]+\.[0-9]+", found.out) for found in (by_python("--version"), by_tool(tool, "--version"))]
    assert numbers[0] and numbers[0][0] == numbers[1][0]
