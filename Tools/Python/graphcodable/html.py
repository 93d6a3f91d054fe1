"""What notebooks show."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, Any

from .listing import columns, has_parts, items, value_line

if TYPE_CHECKING:
    from .archive import Archive

MOST_ROWS = 20


def html_of(archive: Archive, value: Any, title: str) -> str:
    """The parts of a value as a table."""
    if not has_parts(value):
        return f"<b>{escape(title)}</b>: <code>{escape(value_line(value))}</code>"
    rows = []
    for item, _ in items(archive, value, 1, MOST_ROWS):
        if item.left_out:
            rows.append([f"… {item.left_out:,} more", "", "", "", ""])
        else:
            rows.append(list(columns(item)))
    return table_of(title, ("", "kind", "count", "bytes", "value"), rows)


def table_of(title: str, heads: tuple[str, ...], rows: list[list[str]]) -> str:
    head = "".join(f"<th>{escape(text)}</th>" for text in heads)
    body = "".join("<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in row) + "</tr>" for row in rows)
    return f"<b>{escape(title)}</b><table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
