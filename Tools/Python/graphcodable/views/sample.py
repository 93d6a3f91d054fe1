"""Some elements of an array, of whatever size, for what is shown of it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ..format.errors import GraphCodableError
from ..graph.arrays import Array
from .texts import counted, grouped

# Arrays of no more bytes are read as a whole, of others runs at the same distance.
WHOLE, PIECE, RUNS = 4 << 20, 512 << 10, 32
Bytes = np.ndarray[Any, np.dtype[np.uint8]]


@dataclass
class Sample:
    """The bytes of some units of an array: elements, or rows of few of them. Runs that are damaged are left out."""

    data: Bytes
    # The places of these units.
    places: np.ndarray[Any, np.dtype[np.int64]]
    # How many there are, and in how many runs some were read.
    count: int
    runs: int
    is_whole: bool
    damage: list[GraphCodableError] = field(default_factory=list)

    def text(self, one: str = "element", many: str = "elements") -> str:
        """How much was read."""
        if self.is_whole and not self.damage:
            return f"all {counted(self.count, one, many)} were read"
        if self.is_whole:
            return f"{grouped(len(self.data))} of {counted(self.count, one, many)} can be read"
        return f"sampled: {grouped(len(self.data))} of {counted(self.count, one, many)}, in {self.runs} places at the same distance"


def sample(array: Array, first: int, end: int, per_unit: int = 1) -> Sample:
    """Reads some of the elements from `first` to before `end`, `per_unit` of them at a time."""
    size = array.element_size * per_unit
    count = (end - first) // per_unit
    is_whole = count * size <= WHOLE
    if is_whole:
        length = max(PIECE // max(size, 1), 1)
        starts = list(range(0, count, length))
    else:
        length = max(WHOLE // RUNS // size, 1)
        runs = min(RUNS, count)
        last = count - length
        starts = [last * run // (runs - 1) for run in range(runs)] if runs > 1 else [0]
    found: list[Bytes] = []
    places: list[np.ndarray[Any, np.dtype[np.int64]]] = []
    damage: list[GraphCodableError] = []
    for start in starts:
        stop = min(start + length, count)
        try:
            data = array.read_elements(first + start * per_unit, first + stop * per_unit)
        except GraphCodableError as error:
            damage.append(error)
            continue
        found.append(data.reshape(stop - start, size))
        places.append(np.arange(start, stop))
    data = np.concatenate(found) if found else np.empty((0, size), np.uint8)
    return Sample(data, np.concatenate(places) if places else np.empty(0, np.int64), count, len(starts), is_whole, damage)
