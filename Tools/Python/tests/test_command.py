"""python -m graphcodable"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from document import example
from forge import archive, string

import graphcodable as gc
from graphcodable.__main__ import main

STATE = {
    "title": "At rest",
    "species": [{"name": "Na", "mass": 22.99}, {"name": "Cl", "mass": 35.45}],
    "counts": gc.AsDictionary({"Na": 1}),
    "nobody": None,
    "positions": np.zeros((10_000, 2)),
}


def output(capsys: pytest.CaptureFixture[str], *arguments: object) -> str:
    assert main([str(argument) for argument in arguments]) == 0
    return capsys.readouterr().out


def test_ls_prints_the_parts_of_a_value_in_columns(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "state.gcodable"
    gc.save(STATE, path)
    assert output(capsys, "ls", path).splitlines() == [
        'title      string                                                "At rest"',
        "species    array                      2 elements",
        "counts     dictionary                     1 pair",
        "nobody     nil",
        "positions  array of float64 × 2  10,000 elements  160,000 bytes  in segment bulk 0",
    ]
    assert output(capsys, "ls", path, "species[1]").splitlines() == ['name  string   "Cl"', "mass  float64  35.45"]
    assert output(capsys, "ls", "--recursive", "--limit", 1, path, "species").splitlines() == [
        "[0]  record  2 fields",
        '  name  string  "Na"',
        "  … 1 more, not listed: see --limit",
        "… 1 more, not listed: see --limit",
    ]


def test_shared_objects_are_listed_where_they_are_first_met(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "a.gcodable").write_bytes(example("Example: a shared object"))
    assert output(capsys, "ls", "--recursive", tmp_path / "a.gcodable").splitlines() == [
        'label   string                                 "pair"',
        "change  int64                                  -3",
        "first   DocumentationTests.Weight #0  1 field",
        "  mass  float64  1.5",
        "second  DocumentationTests.Weight #0  1 field  listed above",
    ]


def test_json_has_the_keys_of_the_tool(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "a.gcodable"
    gc.save(STATE, path)
    items = json.loads(output(capsys, "ls", "--json", path, "species[0]"))["items"]
    assert items == [
        {"path": "species[0]", "depth": 0, "kind": "record", "count": 2},
        {"path": "species[0].name", "depth": 1, "kind": "string", "value": '"Na"'},
        {"path": "species[0].mass", "depth": 1, "kind": "float64", "value": "22.99"},
    ]
    items = json.loads(output(capsys, "ls", "--recursive", "--json", "--limit", "1", path, "species"))["items"]
    assert [item.get("leftOut") for item in items] == [None, None, None, 1, 1]
    positions = json.loads(output(capsys, "dump", "--json", path))["items"][-1]
    assert positions["formats"] == ["float64 × 2"] and (positions["bytes"], positions["segment"]) == (160_000, 0)
    assert json.loads(output(capsys, "info", "--json", path))["segments"][0]["kind"] == "bulk"


def test_series_are_looked_into_at_their_last_entry(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "a.gcseries"
    path.write_bytes(example("Example: a series"))
    assert output(capsys, "info", path).splitlines() == [
        f"{path}: series, 1 entry, 256 bytes",
        "entry  step  time  bytes  metadata",
        "    0    10   0.5     45  run=a",
    ]
    assert output(capsys, "ls", path) == output(capsys, "dump", "--entry", 0, path) == "-3\n"
    assert main(["ls", "--entry", "1", str(path)]) == 1
    assert json.loads(output(capsys, "info", "--json", path))["entries"][0]["metadata"] == {"run": "a"}


def test_verify_names_what_is_wrong(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    data = bytearray(example("Example: a bulk segment"))
    good, bad = tmp_path / "good", tmp_path / "bad"
    good.write_bytes(data)
    data[0x70] ^= 1
    bad.write_bytes(data)
    assert main(["verify", str(good), str(bad)]) == 1
    message = "S11: block 0 of bulk segment 0 does not match its hash (byte 100 of the archive)"
    assert capsys.readouterr().out.splitlines() == [f"{good}: OK", f"{bad}: {message}"]
    assert main(["verify", str(tmp_path / "none")]) == 66
    capsys.readouterr()
    assert main(["verify", "--json", str(bad)]) == 1
    problem = {"code": "damaged", "message": message, "rule": "S11", "byteOffset": 100}
    assert json.loads(capsys.readouterr().out) == [
        {"file": str(bad), "kind": "archive", "bytes": 245, "ok": False, "problems": [problem]}
    ]


def test_each_entry_of_a_series_is_verified(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "a.gcseries"
    with gc.SeriesWriter(path) as writer:
        for number in range(3):
            writer.append(np.arange(5000) + number)
    entry = gc.Series(path.read_bytes())[1]
    data = bytearray(path.read_bytes())
    data[entry.offset + entry.size - 200] ^= 1
    path.write_bytes(data)
    assert main(["verify", str(path)]) == 1
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 1 and lines[0].startswith(f"{path}, entry 1: ")


def test_control_characters_are_escaped(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "a").write_bytes(archive(b"\x10" + string("\x1b[2J\u202e")))
    out = output(capsys, "ls", tmp_path / "a")
    assert "\x1b" not in out and "\u202e" not in out


def test_paths_that_lead_nowhere_are_errors(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    gc.save(STATE, tmp_path / "a")
    for path in ("species[2]", "nobody.x", "species.name", "a b"):
        assert main(["ls", str(tmp_path / "a"), path]) == 1
        assert path in capsys.readouterr().err


def command(*arguments: object, **environment: str) -> subprocess.CompletedProcess[bytes]:
    """The command in another process."""
    line = [sys.executable, "-m", "graphcodable", *map(os.fspath, map(str, arguments))]
    return subprocess.run(line, capture_output=True, timeout=120, env={**os.environ, **environment})


@pytest.mark.parametrize("arguments", [["dump"], ["dump", "--json"], ["verify"], ["info"]])
def test_a_reader_that_goes_away_is_no_error(tmp_path: Path, arguments: list[str]) -> None:
    gc.save([{"a": f"number {number}"} for number in range(20_000)], tmp_path / "many.gcodable")
    line = [sys.executable, "-m", "graphcodable", *arguments, str(tmp_path / "many.gcodable")]
    with subprocess.Popen(line, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None and process.stderr is not None
        if arguments[0] == "dump":
            process.stdout.readline()
        process.stdout.close()
        assert process.stderr.read() == b""
    assert process.returncode == 0


def test_what_the_terminal_cannot_show_is_escaped(tmp_path: Path) -> None:
    name = os.fsdecode(b"caf\xe9-\xe2\x82\xac.gcodable")  # One byte is not UTF-8.
    gc.save({"gr\u00f6\u00dfe": "\u20ac \U0001f600"}, tmp_path / name)
    done = command("ls", tmp_path / name, PYTHONIOENCODING="ascii")
    assert (done.returncode, done.stderr) == (0, b"") and b'gr\\xf6\\xdfe  string  "\\u20ac \\U0001f600"' in done.stdout
    done = command("verify", tmp_path / name, PYTHONIOENCODING="ascii")
    assert done.returncode == 0 and b"caf\\udce9-\\u20ac.gcodable: OK" in done.stdout
    data = bytearray((tmp_path / name).read_bytes())
    data[-1] ^= 1
    (tmp_path / name).write_bytes(data)
    done = command("verify", tmp_path / name)
    assert done.returncode == 1 and b"caf\\udce9" in done.stdout and done.stdout.count(b"\n") == 1 and not done.stderr


@pytest.mark.parametrize("arguments", [["info"], ["ls"], ["dump"], ["verify"]])
def test_a_file_that_is_not_there_is_one_line(tmp_path: Path, arguments: list[str]) -> None:
    done = command(*arguments, tmp_path / "none.gcodable")
    assert done.returncode == 66 and not done.stdout
    assert done.stderr.decode().splitlines() == [f"{tmp_path}/none.gcodable: No such file or directory"]
