"""What reading all of an archive may cost: small archives could keep a process busy for hours."""

from __future__ import annotations

from dataclasses import dataclass

from .errors import GraphCodableError


@dataclass
class Limits:
    """How many steps `verify`, `tree` and `to_dict` make: so many, and so many more for each byte of the archive.

    A step is a value that `verify` passes over; one of which the others make an object of Python is eight. Values that are read
    when they are asked for, and arrays of numbers, do not count.
    """

    free_steps: int = 1 << 18
    steps_per_byte: int = 16


limits = Limits()


# Steps of a value of which an object of Python is made.
VALUE = 8


class Steps:
    """Counts what one walk through an archive does: a step for each value that is passed over, eight for one that is made."""

    def __init__(self, size: int) -> None:
        self.left = limits.free_steps + limits.steps_per_byte * size

    def take(self, count: int) -> None:
        self.left -= count
        if self.left < 0:
            message = "the archive has many more values than its size accounts for"
            raise GraphCodableError(None, f"{message}; raise graphcodable.limits.steps_per_byte if you trust it")
