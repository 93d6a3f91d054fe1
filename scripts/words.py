#!/usr/bin/env python3
"""Checks the words of all pages in Markdown, outside of code: `make lint` runs this.

- No word stands twice in a row.
- Terms of the house are spelled as the house spells them, and words that say little are left out.
"""

import re
import subprocess
import sys
from pathlib import Path

# A pattern, and what to write in its place.
TERMS = {
    r"\b(?:Graphcodable|graphCodable|Graph Codable)\b": "GraphCodable",
    r"\b[Uu]tili[sz]e": "use",
    r"\b[Ii]n order to\b": "to",
    r"\b[Ss]erialis": "serializ…, with a z",
    r"\b[Cc]heck sum": "checksum",
    r"\b[Mm]eta data\b": "metadata",
    r"\b[Ss]ub-class": "subclass",
    r"\b(?:user-friendly|blazing|effortless|seamless)": "a figure, or nothing",
}
CODE = re.compile(r"^```.*?^```$|^    .*$|`[^`\n]*`|<[^>\n]*>|\]\([^)]*\)", re.MULTILINE | re.DOTALL)
TWICE = re.compile(r"\b([a-z]+)\s+\1\b")
# What may follow itself.
RIGHT = {"had", "is", "on", "that"}  # As in "go on on another thread".


def pages() -> list[Path]:
    names = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard", "--", "*.md"], check=True, capture_output=True, text=True
    ).stdout.split("\0")
    return [Path(name) for name in names if name and Path(name).exists() and not name.startswith(("Tests/Corpus/", "Fuzz/Cases/"))]


problems = []
for page in pages():
    # Code becomes as many lines of nothing, so that numbers of lines stay.
    text = CODE.sub(lambda match: "\n" * match[0].count("\n") + "·", page.read_text())
    found = [(m.start(), f"'{m[0]}' twice") for m in TWICE.finditer(text) if m[1] not in RIGHT]
    for pattern, better in TERMS.items():
        found += [(m.start(), f"'{m[0]}': write {better}") for m in re.finditer(pattern, text)]
    problems += [f"{page}:{text.count(chr(10), 0, start) + 1}: {what}" for start, what in sorted(found)]
if problems:
    sys.exit("\n".join(f"words: {problem}" for problem in problems))
