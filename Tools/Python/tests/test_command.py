"""python -m graphcodable"""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from document import example
from forge import archive, string

from graphcodable.__main__ import main


def run(monkeypatch: pytest.MonkeyPatch, *arguments: str) -> int:
    monkeypatch.setattr(sys, "argv", ["graphcodable", *arguments])
    return main()


def test_ls_prints_the_parts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "a.gcodable").write_bytes(example("Example: a shared object"))
    assert run(monkeypatch, "ls", str(tmp_path / "a.gcodable")) == 0
    assert capsys.readouterr().out.splitlines() == [
        "root: record @1, 4 fields",
        '  label: "pair"',
        "  change: -3",
        "  first: DocumentationTests.Weight @10, 1 fields",
        "    mass: 1.5",
        "  second: DocumentationTests.Weight @10, listed above",
    ]


def test_series_are_listed_by_their_entries(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "a.gcseries"
    path.write_bytes(example("Example: a series"))
    assert run(monkeypatch, "ls", str(path)) == 0
    assert capsys.readouterr().out == "series, 1 entries\n0  step 10  time 0.5  45 bytes  run=a\n"
    assert run(monkeypatch, "dump", str(path)) == 0
    assert capsys.readouterr().out.endswith("root: -3\n")


def test_verify_names_what_is_wrong(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    data = bytearray(example("Example: a bulk segment"))
    (tmp_path / "good").write_bytes(data)
    data[0x90] ^= 1
    (tmp_path / "bad").write_bytes(data)
    assert run(monkeypatch, "verify", str(tmp_path / "good"), str(tmp_path / "bad")) == 1
    out = capsys.readouterr().out
    assert "good: OK\n" in out and "bad: S11: block 0 does not match its hash (byte 128 of the archive)" in out
    assert run(monkeypatch, "verify", str(tmp_path / "none")) == 66


def test_control_characters_are_escaped(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "a").write_bytes(archive(b"\x10" + string("\x1b[2J\u202e")))
    assert run(monkeypatch, "ls", str(tmp_path / "a")) == 0
    out = capsys.readouterr().out
    assert "\x1b" not in out and "\u202e" not in out
