"""What notebooks show: markup that needs no server, no script and no network."""

from __future__ import annotations

from typing import Any

from ..files.entries import Entries
from ..files.global_arrays import GlobalArray
from ..files.series import Entry
from ..files.set_series import SetEntry
from ..files.sets import ArchiveSet
from ..graph.archive import Archive
from ..graph.arrays import Array
from ..graph.optionals import Optionals
from ..graph.ragged import Rows
from ..graph.reader import GraphReader
from ..graph.values import Dictionary, List, Record, Set, context_of
from .array_html import html_of_array, html_of_global_array, html_of_optionals, html_of_rows
from .entries_html import html_of_entries, html_of_entry, html_of_set
from .items import Item, item_of, root_of
from .listing import count_of, lines, type_of
from .markup import note, problem, text, title, wrapped
from .outline import outline
from .texts import counted, decimal_size, visible

MOST_KEYS = 8


def html(value: Any) -> str:
    """A value as markup. It raises nothing: damage, and files that are closed, are text."""
    try:
        return wrapped(html_of(value))
    except Exception as error:
        return wrapped(title(type(value).__name__) + problem(error))


def bundle(value: Any) -> dict[str, str]:
    """A value by types of media: markup, and the text for those who cannot show it."""
    try:
        plain = visible(repr(value))
    except Exception:
        plain = f"<{type(value).__name__}>"
    return {"text/plain": plain, "text/html": html(value)}


def html_of(value: Any) -> str:
    match value:
        case Archive():
            return html_of_archive(value)
        case Entries():
            return html_of_entries(value)
        case Entry() | SetEntry():
            return html_of_entry(value)
        case ArchiveSet():
            return html_of_set(value)
        case Array():
            return html_of_array(value)
        case Optionals():
            return html_of_optionals(value)
        case Rows():
            return html_of_rows(value)
        case GlobalArray():
            return html_of_global_array(value)
        case Record() | List() | Set() | Dictionary():
            context = context_of(value)
            assert isinstance(context, GraphReader)
            item = item_of(context, value)
            name = (value.type_name or "record") if isinstance(value, Record) else type_of(item)
            return title(name, count_of(item)) + parts_of(context, item)
    return text(visible(repr(value)))


def html_of_archive(archive: Archive) -> str:
    """Sizes, metadata, classes and the first parts of the graph."""
    info = archive.info
    raw = info["rawBytes"]
    ratio = f"ratio {raw / max(archive.size, 1):.2f}"
    facts = [decimal_size(archive.size), f"{decimal_size(raw)} before compression, {ratio}", counted(archive.object_count, "object", "objects")]
    body = title("archive", *facts)
    if archive.metadata:
        body += note(" ".join(f"{key[:40]}={value[:40]}" for key, value in list(archive.metadata.items())[:MOST_KEYS]))
    root = root_of(archive.reader)
    return body + title(type_of(root), count_of(root)) + parts_of(archive.reader, root)


def parts_of(context: GraphReader, item: Item) -> str:
    if not item.count or item.text is not None and not item.has_parts:
        return f"<code>{text(' '.join(lines(context, item, 1, 1)))}</code>"
    return outline(context, item)
