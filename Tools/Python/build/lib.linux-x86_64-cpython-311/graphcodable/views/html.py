"""What notebooks show."""

from __future__ import annotations

from html import escape
from typing import Any, cast

from ..files.entries import Entries
from ..graph.archive import Archive
from ..graph.reader import GraphReader
from ..graph.values import List, Record, context_of
from .cases import Cases
from .items import Item, item_of, root_of
from .listing import cells, lines, visits
from .texts import visible

MOST_ROWS = 20


def html(value: Archive | Record | List | Entries[Any]) -> str:
    """A value as a table, with a title that says what it is."""
    if isinstance(value, Entries):
        return html_of_entries(value)
    if isinstance(value, Archive):
        return html_of(value.reader, root_of(value.reader), f"archive, {value.size:,} bytes")
    title = (value.type_name or "record") if isinstance(value, Record) else f"array of {len(value):,}"
    context = cast(GraphReader, context_of(value))
    return html_of(context, item_of(context, value), title)


def html_of(context: GraphReader, value: Item, title: str) -> str:
    """The parts of a value as a table."""
    if not value.count:
        return f"<b>{escape(title)}</b>: <code>{escape(' '.join(lines(context, value, 1, 1)))}</code>"
    rows, cases = [], Cases(context)
    for visit in visits(context, value, 1, MOST_ROWS):
        if visit.item is None:
            rows.append([f"… {visit.left_out:,} more", "", "", "", ""])
        elif visit.depth:
            rows.append([visible(cell) for cell in cells(cases, visit.item)])
    return table_of(title, ("", "kind", "count", "bytes", "value"), rows)


def html_of_entries(entries: Entries[Any]) -> str:
    rows = []
    for entry in entries[-MOST_ROWS:]:
        about = " ".join(f"{key}={value}" for key, value in entry.metadata.items())
        sizes = [f"{getattr(entry, its):,}" for its in entries.SIZES.values()]
        rows.append([str(entry.number), str(entry.step), str(entry.time), *sizes, about])
    sizes = [name.removesuffix("_bytes") for name in entries.SIZES]
    title = f"{entries.KIND}, {entries.count_text}, {entries.size:,} bytes"
    return table_of(title, (entries.NOUNS[0], "step", "time", *sizes, "metadata"), rows)


def table_of(title: str, heads: tuple[str, ...], rows: list[list[str]]) -> str:
    head = "".join(f"<th>{escape(text)}</th>" for text in heads)
    body = "".join("<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in row) + "</tr>" for row in rows)
    return f"<b>{escape(title)}</b><table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
