"""What notebooks show."""

from __future__ import annotations

from html import escape
from typing import Any

from ..files.entries import Entries
from ..graph.archive import Archive
from ..graph.context import Context
from ..graph.values import List, Record, context_of
from .listing import columns, has_parts, items, value_line

MOST_ROWS = 20


def html(value: Archive | Record | List | Entries[Any]) -> str:
    """A value as a table, with a title that says what it is."""
    if isinstance(value, Entries):
        return html_of_entries(value)
    if isinstance(value, Archive):
        return html_of(value.reader, value.root, f"archive, {value.size:,} bytes")
    title = (value.type_name or "record") if isinstance(value, Record) else f"array of {len(value):,}"
    return html_of(context_of(value), value, title)


def html_of(context: Context, value: Any, title: str) -> str:
    """The parts of a value as a table."""
    if not has_parts(value):
        return f"<b>{escape(title)}</b>: <code>{escape(value_line(value))}</code>"
    rows = []
    for item, _ in items(context, value, 1, MOST_ROWS):
        if item.left_out:
            rows.append([f"… {item.left_out:,} more", "", "", "", ""])
        else:
            rows.append(list(columns(item)))
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
