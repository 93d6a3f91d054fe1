"""To what floating-point numbers are stored, and how they are rounded to it."""

from __future__ import annotations

import math
import struct
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from ..format.errors import GraphCodableError
from ..format.filters import PRECISIONS, QUANTISED, QUANTISED_RANGES, ROUNDED, Filter, Precision

Stated = float | Precision
# What the functions that write take: for all arrays, or by the paths of fields.
Requested = Stated | Mapping[str, Stated | None] | None
NUMBERS = {kind: number for number, kind in PRECISIONS.items()}
REQUIREMENTS = {
    "absolute": "an absolute error is positive and finite",
    "relative": "a relative error is more than 0 and less than 1",
    "mantissa bits": "a mantissa has 1 to 52 bits",
}


def checked(stated: Stated) -> Precision:
    """A precision that numbers can have; a number is an absolute error."""
    if isinstance(stated, Precision):
        kind, value = stated
    elif isinstance(stated, bool) or not hasattr(stated, "__float__"):
        raise refused(f"{stated!r} is not a precision: write an absolute error, or a `graphcodable.Precision`")
    else:
        kind, value = "absolute", float(stated)
    if kind not in NUMBERS:
        raise refused(f"there is no precision of the kind '{kind}', but of {', '.join(NUMBERS)}")
    is_valid = {
        "absolute": lambda: 0 < value < math.inf, "relative": lambda: 0 < value < 1, "mantissa bits": lambda: value in range(1, 53),
    }[kind]()  # fmt: skip
    if not is_valid:
        raise refused(f"{kind} {value} is not a precision: {REQUIREMENTS[kind]}")
    return Precision(kind, int(value) if kind == "mantissa bits" else float(value))


def refused(message: str) -> GraphCodableError:
    return GraphCodableError(None, message, None, "archive", "invalidValue")


@dataclass
class Precisions:
    """The precision of a value and of what lies in it, as far as fields have one of their own."""

    precision: Precision | None = None
    # Whether it is the value's own, and not that of the values around it.
    is_own: bool = False
    fields: dict[str, Precisions] = field(default_factory=dict)
    is_used: bool = False

    @staticmethod
    def of(requested: Requested) -> Precisions | None:
        """Those that were asked for; `None` where all numbers are exact.

        The keys of a mapping are paths of fields, such as `"cells.position"`, where the index of an element is left out; `""` is all.
        """
        if requested is None:
            return None
        if not isinstance(requested, Mapping):
            return Precisions(checked(requested), is_used=True)
        root = Precisions(is_used=True)
        # Those above first, so that those below have theirs.
        for path in sorted(requested):
            if not isinstance(path, str):
                raise refused(f"{path!r} is no path of a field: precisions have keys such as 'cells.position'")
            stated = requested[path]
            root.put(path.split(".") if path else [], None if stated is None else checked(stated))
        return root

    def put(self, path: list[str], precision: Precision | None) -> None:
        if not path:
            self.precision, self.is_own = precision, True
            return
        below = self.fields.setdefault(path[0], Precisions(self.precision))
        below.put(path[1:], precision)

    def below(self, step: str | int) -> Precisions:
        """Those of a part: elements share those of their array."""
        found = self.fields.get(step) if isinstance(step, str) else None
        if found is not None:
            found.is_used = True
            return found
        if isinstance(step, int) and self.fields:
            return Elements(self)
        return Precisions(self.precision)

    def unused(self, path: str = "") -> Iterator[str]:
        """The paths of fields that a value did not have."""
        for name, below in self.fields.items():
            its = f"{path}.{name}".lstrip(".")
            yield from below.unused(its) if below.is_used else [its]

    def check_used(self) -> None:
        if names := list(self.unused()):
            raise refused(f"there is no field '{names[0]}' to have a precision; write the path of one, without indices")


class Elements(Precisions):
    """Those of an element of an array: the same fields as of the next one."""

    def __init__(self, of: Precisions) -> None:
        super().__init__(of.precision, False, of.fields, True)


def quantised(precision: Precision | None, width: int) -> Filter | None:
    """The filter that makes integers of numbers of some bytes; `None` where there is none for them."""
    if precision is None or precision.kind != "absolute" or width not in QUANTISED_RANGES:
        return None
    bits = QUANTISED_RANGES[width][0]
    # Fewer where the largest number of steps would be too large a number.
    each = (Filter(QUANTISED, width, count, argument(precision)) for count in range(bits, 0, -1))
    return next((its for its in each if its.is_possible()), None)


def note(precision: Precision) -> Filter:
    """Changes nothing: says to what precision numbers were rounded in place."""
    return Filter(ROUNDED, 0, NUMBERS[precision.kind], argument(precision))


def argument(precision: Precision) -> int:
    if precision.kind == "mantissa bits":
        return int(precision.value)
    return int.from_bytes(struct.pack("<d", precision.value), "little")
