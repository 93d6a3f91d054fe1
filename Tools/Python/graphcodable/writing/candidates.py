"""The filters that may suit an array, by its elements and its shape."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

from ..format.filters import BIT_SHUFFLE, DELTA, MOST_LAG, SHUFFLE, Filter
from ..format.kinds import BYTE_SCALAR, SCALARS
from .nodes import Bulk
from .precision import quantised

UUID = 15
MOST_SHUFFLED_BYTES = 255
LONGEST_VECTOR = 4
# How many vectors may make a group: the sites of a molecule of water, of which models have three, four or five.
GROUPS = (3, 4, 5)


@dataclass(frozen=True)
class Candidate:
    """Filters that an array may have, and the lag of the first one's differences; 0 where there are none."""

    filters: tuple[Filter, ...]
    lag: int = 0

    @property
    def shuffles_bits(self) -> bool:
        return bool(self.filters) and self.filters[-1].number == BIT_SHUFFLE

    def has_bits_in_place_of(self, other: Candidate) -> bool:
        """Whether it shuffles the bits of the same differences of which another one shuffles the bytes."""
        return 0 < self.lag == other.lag and self.shuffles_bits and not other.shuffles_bits

    def is_like(self, other: Candidate) -> bool:
        """Whether it takes as long as another one: both have differences and the same shuffle."""
        return self.lag > 0 and other.lag > 0 and self.filters[1:] == other.filters[1:]


@dataclass(frozen=True)
class Form:
    """What the filters of an array depend on: lengths in bytes, and lags in scalars."""

    size: int
    scalar: int
    is_bytes: bool
    is_scalars: bool
    # From the start of a row to that of the next; 0 where there are no rows, or no block has two.
    row_lag: int
    # The same of each dimension inside a row.
    inner_lags: tuple[int, ...]
    rows_per_block: int
    quantised: Filter | None

    @staticmethod
    def of(bulk: Bulk, block_size: int) -> Form:
        scalar, number = bulk.scalar_size, bulk.format & 31
        if not scalar:
            # Of structs, the largest scalar that may recur at the same place.
            scalar = next(each for each in (16, 8, 4, 2, 1) if bulk.element_size % each == 0)
        rows = block_size // bulk.row_size if bulk.row_size > bulk.element_size else 0
        row_lag, lanes = bulk.row_size // scalar if rows > 1 else 0, bulk.element_size // scalar
        inner_lags = (stride * lanes for stride in bulk.inner_strides)
        return Form(
            bulk.element_size, scalar, number in (BYTE_SCALAR, UUID), bulk.scalar_size > 0 and number in SCALARS, row_lag,
            tuple(lag for lag in inner_lags if lanes < lag != row_lag and lag * 2 * scalar <= block_size), rows,
            quantised(bulk.precision, bulk.scalar_size),
        )  # fmt: skip

    @property
    def lanes(self) -> int:
        return self.size // self.scalar

    @property
    def vector(self) -> int:
        """The numbers of a vector: of an element, or of the last dimension where it is short; 1 where there are none."""
        if self.lanes > 1:
            return self.lanes
        last = self.inner_lags[-1] if self.inner_lags else self.row_lag
        return last if 1 <= last <= LONGEST_VECTOR else 1

    @property
    def far_lags(self) -> tuple[int, ...]:
        """The lags of rows, and of dimensions inside them."""
        lags = (*self.inner_lags, self.row_lag) if self.row_lag > self.lanes else self.inner_lags
        return tuple(lag for lag in lags if lag <= MOST_LAG)

    def delta(self, lag: int) -> Filter:
        """Differences of neighbouring rows; in the first one, of vectors or numbers."""
        start = self.vector if self.vector < lag else self.lanes
        return Filter(DELTA, self.scalar, lag, start if start < lag else 0)

    def candidates(self) -> Iterator[Candidate]:
        """Lists of filters, after those of a precision; fast ones come first.

        Differences of rows have their bits shuffled; the best of them is tried with bytes as well: see `with_bytes`.
        """
        if self.quantised is None:
            # The upper bytes of counts of steps are zero: what leaves them between the others is no match for what does not.
            yield Candidate(())
            for each in dict.fromkeys((self.scalar, self.size)):
                if 1 < each <= MOST_SHUFFLED_BYTES:
                    yield Candidate((Filter(SHUFFLE, 0, each, 0),))
        if self.is_bytes:
            return
        if not self.is_scalars or self.scalar > 8:
            if self.size <= MOST_SHUFFLED_BYTES:
                yield Candidate((Filter(BIT_SHUFFLE, 0, self.size, 0),))
            return
        bits = Filter(BIT_SHUFFLE, 0, self.scalar, 0)
        yield Candidate((bits,))
        neighbours = Candidate((Filter(DELTA, self.scalar, self.lanes, 0), bits), self.lanes)
        yield from filter(None, (self.with_bytes(neighbours), neighbours))
        for lag in self.far_lags:
            yield Candidate((self.delta(lag), bits), lag)

    def with_bytes(self, candidate: Candidate) -> Candidate | None:
        """The same differences with their bytes shuffled; `None` without any, for numbers of one byte, and for steps."""
        if self.quantised is not None or not candidate.lag or self.scalar == 1:
            return None
        return Candidate((candidate.filters[0], Filter(SHUFFLE, 0, self.scalar, 0)), candidate.lag)

    def with_groups(self, candidate: Candidate) -> list[Candidate]:
        """The same differences of steps with the bits of several vectors shuffled at once.

        That brings together what stands at the same place in each group of vectors: an atom in each molecule of water.
        """
        if self.quantised is None or self.vector == 1:
            return []
        # Without groups, differences of neighbours may be no smaller than the numbers.
        lag = candidate.lag or self.vector
        first = candidate.filters[0] if candidate.lag else Filter(DELTA, self.scalar, lag, 0)
        sizes = (count * self.vector * self.scalar for count in GROUPS)
        return [Candidate((first, Filter(BIT_SHUFFLE, 0, size, 0)), lag) for size in sizes if size <= MOST_SHUFFLED_BYTES]

    def whole_groups(self, count: int) -> int:
        """At most so many elements, or a vector, so that what follows them begins a vector as they do, and a group where they have room."""
        vector = self.vector // self.lanes
        whole = vector if self.quantised is None else math.prod(GROUPS) * vector
        return max(count // vector, 1) * vector if count < whole else count // whole * whole
