#!/usr/bin/env python3
"""Checks the words of all pages in Markdown, outside of code: `make lint` runs this.

- No word stands twice in a row.
- Terms of the house are spelled as the house spells them, and words that say little are left out.
- No sentence of a page for users has more words than one keeps in mind.
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
# Where sentences end, also those that a list, a table or a heading ends.
SENTENCES = re.compile(r"(?<=[.:;?!])\s|\||\n\s*\n|\n\s*(?:[-*#]|\d+\.)")
MOST_WORDS = 42
# Rules for readers that others write, and for those that work on this one.
FOR_FEW = ("Documentation/Format", "Documentation/Architecture.md", "Documentation/Decisions/")
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
    if not str(page).startswith(FOR_FEW):
        start = 0
        for end in [*(m.end() for m in SENTENCES.finditer(text)), len(text)]:
            if (count := len(text[start:end].split())) > MOST_WORDS:
                found.append((start, f"a sentence of {count} words, in place of {MOST_WORDS}"))
            start = end
    problems += [f"{page}:{text.count(chr(10), 0, start) + 1}: {what}" for start, what in sorted(found)]
if problems:
    sys.exit("\n".join(f"words: {problem}" for problem in problems))
