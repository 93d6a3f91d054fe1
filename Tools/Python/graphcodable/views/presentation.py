"""How values and series present themselves: what `graph.presentation` asks for."""

from __future__ import annotations

from ..graph.archive import Archive
from .conversion import to_python
from .frames import data_frame
from .html import bundle, html
from .items import root_of
from .listing import lines


def tree(archive: Archive, depth: int | None, limit: int | None) -> str:
    return "\n".join(lines(archive.reader, root_of(archive.reader), depth, limit))


__all__ = ["bundle", "data_frame", "html", "to_python", "tree"]
