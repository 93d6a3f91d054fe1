"""Values with attributes: names of dimensions, units, and whatever else is said of an array."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ..format.attributes import Attributes
from .nodes import Node, Writer
from .refusals import has_surrogates, refused, short

LEAST, MOST = -(1 << 63), (1 << 63) - 1


@dataclass(frozen=True)
class Attributed:
    """Has an array, or a record, written with attributes.

    `dims` are the names of the dimensions, and `attrs` strings, numbers, bools, and lists of one of these by name.
    """

    value: Any
    dims: Sequence[str] = ()
    attrs: Mapping[str, Any] = field(default_factory=dict)


class WithAttributes(Node):
    """What is to be written for a value, and what is said of it."""

    def __init__(self, value: Node, attributes: Attributes) -> None:
        self.kind, self.value, self.attributes = value.kind, value, attributes

    def write(self, writer: Writer) -> None:
        writer.attributes.append((len(writer.parts), self.attributes))
        self.value.write(writer)


def checked(dims: Sequence[Any], attrs: Mapping[Any, Any]) -> Attributes:
    """The attributes as archives have them; raises an error for what they cannot have."""
    names = tuple(checked_text(name, "a name of a dimension") for name in ([dims] if isinstance(dims, str) else dims))
    values = {checked_text(name, "a name of an attribute"): checked_value(name, value) for name, value in attrs.items()}
    return Attributes(names, values)


def checked_text(text: Any, what: str) -> str:
    if not isinstance(text, str) or has_surrogates(text):
        raise refused(f"{what} is {short(text)}, and has to be a text of UTF-8: write str(…)")
    return str(text)


def checked_value(name: Any, value: Any) -> Any:
    if isinstance(value, np.ndarray):
        value = value.tolist()
    if not isinstance(value, (list, tuple)):
        return checked_leaf(name, value)
    values = [checked_leaf(name, each) for each in value]
    types = set(map(type, values))
    if types == {int, float}:
        return [float(each) for each in values]
    if len(types) > 1:
        raise refused(f"the attribute {name!r} is {short(value)}, and has to have elements of one type")
    return values


def checked_leaf(name: Any, value: Any) -> Any:
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, str):
        return checked_text(value, f"the attribute {name!r}")
    if isinstance(value, bool) or (isinstance(value, int) and LEAST <= value <= MOST):
        return value
    if isinstance(value, float):
        return float(value)
    raise refused(
        f"the attribute {name!r} is {short(value)}, and has to be a text, an integer of 64 bits, a float, a bool, or a list of these: "
        "write str(…), or put it into the value"
    )
