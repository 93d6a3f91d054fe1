"""Enums, of which archives do not say that they are some."""

from __future__ import annotations

import re
from itertools import islice

from ..format.kinds import RECORD, STRING
from ..graph.reader import GraphReader
from .items import Item, described, parts

CASE = re.compile(r"[A-Za-z_][A-Za-z0-9_]*", re.ASCII)
PLACE_LABEL = re.compile(r"_[0-9]+", re.ASCII)
MOST_PAYLOAD, LONGEST_CASE = 8, 64


class Cases:
    """Enums' cases with their payloads, as `running(step: 3)`.

    Archives do not say what is an enum. Those of macros have the name of the case without a key, and then the payload; those of
    plain `Codable` models are records of one field, the case, whose value is the payload. Other values of these forms are printed
    likewise.
    """

    def __init__(self, context: GraphReader) -> None:
        self.context = context

    def text(self, item: Item) -> str | None:
        """The text; `None` for a value of another form, and for one that would be long."""
        if item.kind != RECORD or item.object is not None or item.text is not None or not 1 <= (item.count or 0) <= MOST_PAYLOAD:
            return None
        fields = self.fields(item, MOST_PAYLOAD)
        first, text = fields[0], None
        if isinstance(first.step, int) and first.step == 0 and first.kind == STRING:
            name = (first.text or "")[1:-1]
            if CASE.fullmatch(name) is None:
                return None
            text = self.payload(name, fields[1:])
        elif item.count == 1 and isinstance(first.step, str) and first.kind == RECORD and first.object is None:
            values = self.fields(first, MOST_PAYLOAD + 1)
            text = None if len(values) > MOST_PAYLOAD else self.payload(first.step, values)
        return None if text is None or len(text) > LONGEST_CASE else text

    def fields(self, item: Item, most: int) -> list[Item]:
        return [described(self.context, place, step, key) for step, key, place in islice(parts(self.context, item), most)]

    @staticmethod
    def payload(name: str, values: list[Item]) -> str | None:
        texts = []
        for value in values:
            if value.text is None or value.step is None:
                return None
            is_labelled = isinstance(value.step, str) and PLACE_LABEL.fullmatch(value.step) is None
            texts.append(f"{value.step}: {value.text}" if is_labelled else value.text)
        return f"{name}({', '.join(texts)})" if texts else name
