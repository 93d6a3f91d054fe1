"""What notebooks show of series and sets: their entries along time, and what of them is lost."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..files.entries import Entries
from ..files.sets import ArchiveSet
from ..format.errors import GraphCodableError
from . import charts
from .array_html import more
from .markup import figure, note, problem, table, title
from .texts import counted, decimal_size, grouped

# Of a long series the first entries and the last ones.
MOST_FIRST, MOST_LAST, MOST_LISTED = 5, 15, 20
MOST_KEYS = 8


def html_of_entries(entries: Entries[Any]) -> str:
    """A line for each of the first and last entries, and how their bytes change over all of them."""
    parts = [title(entries.KIND, entries.count_text, decimal_size(entries.size)), *lost(entries.damage)]
    if not len(entries):
        return "".join(parts)
    first, last = entries[0], entries[-1]
    parts.append(note(f"steps {grouped(first.step)} to {grouped(last.step)}, times {first.time:g} to {last.time:g}"))
    whole = len(entries) <= MOST_FIRST + MOST_LAST
    shown = entries[:] if whole else [*entries[:MOST_FIRST], None, *entries[-MOST_LAST:]]
    names = [name.removesuffix("_bytes") for name in entries.SIZES]
    rows = []
    for entry in shown:
        if entry is None:
            left = len(entries) - MOST_FIRST - MOST_LAST
            rows.append(["…", f"{grouped(left)} more", *[""] * (len(names) + 2)])
            continue
        about = [f"{key[:40]}={value[:40]}" for key, value in list(entry.metadata.items())[:MOST_KEYS]]
        sizes = [grouped(getattr(entry, its)) for its in entries.SIZES.values()]
        rows.append([grouped(entry.number), grouped(entry.step), f"{entry.time!r}", *sizes, " ".join(about)])
    parts.append(table((entries.NOUNS[0], "step", "time", *names, "metadata"), rows, range(len(names) + 3)))
    if len(entries) > 1:
        name, its = list(entries.SIZES.items())[-1]
        all_sizes = [getattr(entry, its) for entry in entries]
        said = f"{name.replace('_', ' ')} of the entries in order, {decimal_size(min(all_sizes))} to {decimal_size(max(all_sizes))}"
        parts.append(figure(said, charts.line(np.array(all_sizes, np.float64), said, 320, 40)))
    return "".join(parts)


def lost(damage: list[GraphCodableError]) -> list[str]:
    """The first faults that were met with while entries were listed."""
    rest = [problem(f"{counted(len(damage) - 5, 'more fault', 'more faults')}: see .damage")] if len(damage) > 5 else []
    return [*map(problem, damage[:5]), *rest]


def html_of_entry(entry: Any) -> str:
    """What a record says of an entry, and what opens it."""
    about = [f"{key[:40]}={value[:40]}" for key, value in list(entry.metadata.items())[:MOST_KEYS]]
    return title(f"entry {grouped(entry.number)}", f"step {grouped(entry.step)}", f"time {entry.time!r}", *about)


def html_of_set(state: ArchiveSet) -> str:
    """The arrays and parts of a set, as its manifest has them: no part is opened."""
    info = state.info
    parts = [title("set", counted(state.part_count, "part", "parts"), decimal_size(state.size), f"step {grouped(state.step)}", f"time {state.time!r}")]
    arrays = info["arrays"]
    rows = [[each["name"], " × ".join(map(grouped, each["shape"])), grouped(each["pieces"])] for each in arrays[:MOST_LISTED]]
    if rows:
        parts.append(table(("array", "shape", "pieces"), rows, [1, 2]) + more(len(arrays) - len(rows)))
    rows = [[part.name, decimal_size(part.size)] for part in state.parts[:MOST_LISTED]]
    parts.append(table(("part", "size"), rows, [1]) + more(state.part_count - len(rows)))
    return "".join(parts)
