"""What is at a path, or why there is nothing."""

from __future__ import annotations

from ..format.kinds import ABSENT, CONDITIONAL, DICTIONARY, NIL, RECORD, kind_name
from ..graph.paths import Step
from ..graph.reader import GraphReader
from .items import Item, Stored, described, parts, root_of


class NotThere(Exception):
    """Nothing is at a path: what it says is the same as in Swift."""

    def __init__(self, code: str, message: str, path: str, offset: int) -> None:
        super().__init__(code, message, path, offset)
        at = f" (at {path})" if path else ""
        self.text = f"{code}: {message}{at} (byte {offset})"

    def __str__(self) -> str:
        return self.text


def item_at(context: GraphReader, path: list[Step]) -> Item:
    """The value that a path leads to."""
    item = root_of(context)
    for step in path:
        item = part_at(context, item, step)
    return item


def part_at(context: GraphReader, item: Item, step: Step) -> Item:
    is_index = isinstance(step, int)

    def refused(code: str, message: str, offset: int) -> NotThere:
        return NotThere(code, message, item.path, offset)

    if item.kind in (NIL, ABSENT, CONDITIONAL):
        raise refused("valueNotFound", "there is nil where a value with parts is asked for", item.end)
    has_keys = item.kind == RECORD or (item.kind == DICTIONARY)
    if item.holder is None or (not is_index and not has_keys):
        what = f"index {step}" if is_index else f'key "{step}"'
        kind = kind_name(item.kind)
        raise refused("typeMismatch", f"the archive has a value of kind {kind}, which has no parts to find by {what}", item.end)
    end, keyless, pair_has_name = item.end, 0, False
    is_direct = is_index and item.kind not in (RECORD, DICTIONARY) and 0 <= int(step) < (item.count or 0)
    for its, key_text, place in parts(context, item, int(step) if is_direct else 0):
        if its == step and isinstance(its, int) == is_index:
            return described(context, place, its, key_text, item)
        keyless += isinstance(its, int)
        if isinstance(place, Stored):
            end = context.stream.end_of(place.kind, place.position, place.limit)
            pair_has_name = key_text is None
    if not is_index:
        raise refused("keyNotFound", f'there is no value for key "{step}"', end)
    if item.kind == RECORD:
        raise refused("valueNotFound", f"no value {step} without a key: there are {keyless}", end)
    if item.kind == DICTIONARY and pair_has_name:
        raise refused("keyNotFound", f"there is no value for key {step}", end)
    raise refused("valueNotFound", f"no element {step}: there are {item.count or 0}", end)
