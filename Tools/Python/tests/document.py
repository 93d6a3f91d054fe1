"""Tables and examples of the format's document, which is `Documentation/Format.md` and the files of its further parts."""

from __future__ import annotations

import re

from corpus import REPOSITORY

PARTS = ("Format.md", "Format-2.md", "Format-3.md")
TEXT = "\n".join((REPOSITORY / "Documentation" / part).read_text() for part in PARTS)


def section(title: str) -> str:
    """The text under a heading, up to the next heading of any level."""
    match = re.search(rf"^#+ {re.escape(title)}\n(.*?)(?=^#+ |\Z)", TEXT, re.MULTILINE | re.DOTALL)
    assert match is not None, title
    return match[1]


def rows(title: str, table: int = 0) -> list[list[str]]:
    """The cells of a table of a section, without its head."""
    tables = re.findall(r"(?:^\|.*\n)+", section(title), re.MULTILINE)
    lines = [line.strip().strip("|") for line in tables[table].splitlines()]
    return [[cell.strip() for cell in line.split("|")] for line in lines[2:]]


def example(title: str) -> bytes:
    """The bytes of a worked example."""
    block = re.search(r"```hex\n(.*?)```", section(title), re.DOTALL)
    assert block is not None, title
    data = b""
    for line in block[1].splitlines():
        match = re.fullmatch(r"([0-9A-F]{4})  ((?:[0-9A-F]{2} ?)+?)(?:  .*)?", line)
        assert match is not None and int(match[1], 16) == len(data), line
        data += bytes.fromhex(match[2])
    return data
