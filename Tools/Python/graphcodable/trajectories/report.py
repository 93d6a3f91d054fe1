"""What an import or export has done: its frames, its bytes, and how far the numbers of each frame are off."""

from __future__ import annotations

import math
import os
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from typing import Any, TextIO

import numpy as np

# Seconds between two lines of progress.
INTERVAL = 0.2
PLURALS = {"frame": "frames", "entry": "entries", "archive": "archives"}


@dataclass
class Report:
    """The largest error of each frame, by field: that of a number that is off from what was read."""

    source: str
    target: str
    source_bytes: int = 0
    target_bytes: int = 0
    errors: list[dict[str, float]] = field(default_factory=list)
    units: Mapping[str, str] = field(default_factory=dict)
    what: str = "frame"

    @property
    def largest(self) -> dict[str, tuple[float, int]]:
        """The largest error of each field, and the frame that has it."""
        found: dict[str, tuple[float, int]] = {}
        for frame, errors in enumerate(self.errors):
            for name, error in errors.items():
                if name not in found or error > found[name][0] or math.isnan(error):
                    found[name] = error, frame
        return found

    def lines(self, each: bool) -> Iterator[str]:
        """For people: a summary, after a line for each frame where these are asked for."""
        if each:
            for frame, errors in enumerate(self.errors):
                yield f"{self.what} {frame}: " + ", ".join(f"{name} {error:.3g}{self.unit(name)}" for name, error in errors.items())
        count = len(self.errors)
        counted = self.what if count == 1 else PLURALS[self.what]
        ratio = f", {self.target_bytes / self.source_bytes:.0%} of the {self.source_bytes:,} of {self.source}" if self.source_bytes else ""
        yield f"{self.target}: {count:,} {counted}, {self.target_bytes:,} bytes{ratio}"
        for name, (error, frame) in self.largest.items():
            yield f"{name}: largest error {error:.3g}{self.unit(name)}, in {self.what} {frame}" if error else f"{name}: exact"

    def unit(self, name: str) -> str:
        return f" {self.units[name]}" if self.units.get(name) else ""

    def json(self) -> dict[str, Any]:
        """For programs."""
        return {
            "source": self.source, "target": self.target, "sourceBytes": self.source_bytes, "targetBytes": self.target_bytes,
            "errors": self.errors, "units": dict(self.units),
            "largestErrors": {name: {"error": error, self.what: frame} for name, (error, frame) in self.largest.items()},
        }  # fmt: skip


def largest_error(before: Any, after: Any) -> float:
    """The largest difference of two arrays; infinite where one has numbers that the other has not, also NaN."""
    one, other = np.asarray(before), np.asarray(after)
    if one.shape != other.shape:
        return math.inf
    if one.dtype.kind not in "iufb" or other.dtype.kind not in "iufb":
        return 0.0 if np.array_equal(one, other) else math.inf
    first, second = one.astype(np.float64), other.astype(np.float64)
    same = (first == second) | (np.isnan(first) & np.isnan(second))
    if same.all():
        return 0.0
    with np.errstate(invalid="ignore"):
        error = float(np.abs(first - second)[~same].max())
    return math.inf if math.isnan(error) else error


@contextmanager
def new_file(path: str, what_to_do: str = "remove it, or write another file") -> Iterator[None]:
    """A file that is made, and removed again if that fails; one that is there is refused."""
    if os.path.exists(path):
        raise FileExistsError(f"{path} is there already: {what_to_do}")
    try:
        yield
    except BaseException:
        with suppress(FileNotFoundError):
            os.unlink(path)
        raise


class Progress:
    """A line on a terminal that says how far a long work is; nothing where nobody sees it."""

    def __init__(self, what: str, count: int | None, stream: TextIO | None = None) -> None:
        self.what, self.count = what, count
        self.stream = sys.stderr if stream is None else stream
        self.is_shown = self.stream.isatty()
        self.done, self.shown_at = 0, 0.0

    def step(self) -> None:
        self.done += 1
        now = time.monotonic()
        if self.is_shown and now - self.shown_at >= INTERVAL:
            self.shown_at = now
            of = f" of {self.count:,}" if self.count is not None else ""
            self.stream.write(f"\r{self.what}: {self.done:,}{of}\x1b[K")
            self.stream.flush()

    def __enter__(self) -> Progress:
        return self

    def __exit__(self, *_: object) -> None:
        if self.is_shown and self.shown_at:
            self.stream.write("\r\x1b[K")
            self.stream.flush()
