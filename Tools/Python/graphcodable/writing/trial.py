"""The filters of an array: those that make samples of it smallest, and a block of it where these do not tell.

Thresholds are those of the Swift library, which also tries the dimensions in between, and groups of vectors."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import lz4.block
import numpy as np

from ..format.filters import BIT_SHUFFLE, DELTA, SHUFFLE, Filter, done
from ..format.kinds import BYTE_SCALAR, SCALARS
from .nodes import Bulk, Bytes
from .precision import quantised
from .rounding import Rounding

SHORT, SAMPLE_PIECE, FEWEST_PIECES = 128 << 10, 16 << 10, 32 << 10
ROWS = 16
# The part that compression, or a slower filter, has to gain on samples; what a bit shuffle has to, which holds LZ4 up; and what one has
# to in place of a byte shuffle of the same differences.
LEAST_GAIN, LEAST_GAIN_OF_BITS, LEAST_GAIN_OVER_BYTES = 1 / 32, 1 / 16, 1 / 64
# The part of another one's bytes that the best must stay below for a clear choice; and how many are tried further where it does not.
FAR_AHEAD, FINALISTS = 7 / 8, 3
UUID = 15
MOST_LAG = 1 << 20

def compress(piece: Bytes, filters: Sequence[Filter]) -> bytes:
    """Behind filters, by LZ4. Without acceleration, noise gets short matches that save nothing and take long to expand."""
    return bytes(lz4.block.compress(done(piece, filters), "fast", acceleration=2, store_size=False))

@dataclass(frozen=True)
class Candidate:
    """Filters that an array may have. Of those for rows, the first one subtracts rows from each other."""

    filters: tuple[Filter, ...]
    is_for_rows: bool = False

    @property
    def shuffles_bits(self) -> bool:
        return bool(self.filters) and self.filters[-1].number == BIT_SHUFFLE

    def is_like(self, other: Candidate) -> bool:
        """Whether it takes as long as another one: both have differences and the same shuffle."""
        return len(self.filters) == len(other.filters) == 2 and self.filters[1:] == other.filters[1:]

    def has_bits_in_place_of(self, other: Candidate) -> bool:
        return len(self.filters) == 2 and self.shuffles_bits and not other.shuffles_bits and self.filters[:-1] == other.filters[:-1]

@dataclass(frozen=True)
class Form:
    """What the filters of an array depend on: lengths in bytes, and lags in scalars."""

    size: int
    scalar: int
    is_bytes: bool
    is_scalars: bool
    # Of the outermost rows, 0 where no block has two; and of the innermost.
    row_lag: int
    rows_per_block: int
    inner_lag: int
    block_size: int
    quantised: Filter | None

    @staticmethod
    def of(bulk: Bulk, block_size: int) -> Form:
        scalar, number = bulk.scalar_size, bulk.format & 31
        if not scalar:
            # Of structs, the largest scalar that may recur at the same place.
            scalar = next(each for each in (16, 8, 4, 2, 1) if bulk.element_size % each == 0)
        rows = block_size // bulk.row_size if bulk.row_size > bulk.element_size else 0
        return Form(
            bulk.element_size, scalar, number in (BYTE_SCALAR, UUID), bulk.scalar_size > 0 and number in SCALARS,
            bulk.row_size // scalar if rows > 1 else 0, rows, bulk.inner_size // scalar,
            block_size, quantised(bulk.precision, bulk.scalar_size),
        )  # fmt: skip

    @property
    def lanes(self) -> int:
        return self.size // self.scalar

    def candidates(self) -> list[Candidate]:
        """Lists of filters, after those of a precision; fast ones come first."""
        found: list[Candidate] = []
        if self.quantised is None:
            # The upper bytes of counts of steps are zero: what leaves them between the others is no match for what does not.
            found.append(Candidate(()))
            sizes = [self.scalar, self.size] if self.size > self.scalar else [self.scalar]
            found += [Candidate((Filter(SHUFFLE, 0, each, 0),)) for each in sizes if 1 < each <= 255]
        if self.is_bytes:
            return found
        if not self.is_scalars or self.scalar > 8:
            return found + ([Candidate((Filter(BIT_SHUFFLE, 0, self.size, 0),))] if self.size <= 255 else [])
        bits = Filter(BIT_SHUFFLE, 0, self.scalar, 0)
        delta = Filter(DELTA, self.scalar, self.lanes, 0)
        found.append(Candidate((bits,)))
        found += [Candidate((delta, Filter(SHUFFLE, 0, self.scalar, 0)))] if self.scalar > 1 else []
        found.append(Candidate((delta, bits)))
        for lag, is_for_rows in ((self.inner_lag, False), (self.row_lag, True)):
            if self.lanes < lag <= MOST_LAG:
                delta = Filter(DELTA, self.scalar, lag, self.lanes)
                if self.quantised is None and self.scalar > 1:
                    found.append(Candidate((delta, Filter(SHUFFLE, 0, self.scalar, 0)), is_for_rows))
                found.append(Candidate((delta, bits), is_for_rows))
        return found

def chosen(candidates: Sequence[Candidate], scores: Mapping[int, float]) -> int | None:
    """The number of the candidate with the lowest score, and of a faster one unless it gains enough; `None` if no one gains."""
    best: int | None = None
    best_score: float = 1.0
    for index in sorted(scores):
        gain = LEAST_GAIN_OF_BITS if candidates[index].shuffles_bits else LEAST_GAIN
        if best is not None and candidates[index].is_like(candidates[best]):
            gain = 0
        if scores[index] <= best_score * (1 - gain):
            best, best_score = index, scores[index]
    for index in sorted(scores):
        if best is not None and candidates[index].has_bits_in_place_of(candidates[best]):
            if scores[index] <= best_score * (1 - LEAST_GAIN_OVER_BYTES):
                return index
    return best


class Trial:
    """Pieces of an array, evenly spread over all of it, and of its rows: a window of neighbouring ones."""

    def __init__(self, data: Bytes, form: Form, first: Sequence[Filter], rounding: Rounding | None) -> None:
        self.data, self.form, self.first = data, form, first
        middle = len(data) // form.block_size // 2 * form.block_size
        self.block = data[middle : middle + form.block_size]
        size, count = form.size, len(data) // form.size
        is_short = len(data) < SHORT
        self.wanted = 1 if len(data) < FEWEST_PIECES else min(max(len(data) >> 17, 2), 8)
        piece = SAMPLE_PIECE // 2 if is_short or form.quantised is not None else SAMPLE_PIECE
        # Differences over a long way are small in long pieces alone.
        piece = max(piece, min(4 * form.inner_lag * form.scalar, 1 << 18))
        length = max(min(count, piece // size), 1)
        self.pieces = [data[start * size : (start + length) * size] for start in self.places(count - length)]
        self.row_pieces, self.window = self.rows(max(SAMPLE_PIECE // size, 1)) if form.row_lag else ([], 0)
        if rounding is not None:
            self.block = rounding.rounded(self.block)
            self.pieces = [rounding.rounded(piece) for piece in self.pieces]
            self.row_pieces = [rounding.rounded(piece) for piece in self.row_pieces]

    def places(self, room: int) -> list[int]:
        return [room * index // max(self.wanted - 1, 1) for index in range(self.wanted)]

    def rows(self, length: int) -> tuple[list[Bytes], int]:
        form, size = self.form, self.form.size
        row = form.row_lag * form.scalar
        count = len(self.data) // row
        if count < 2:
            return [], 0
        table = self.data[: count * row].reshape(count, row)
        taken = min(ROWS, form.rows_per_block, count)
        window = min(row, max(length // taken, 1) * size)
        places = zip(self.places(count - taken), self.places((row - window) // size))
        return [np.ascontiguousarray(table[first : first + taken, at * size : at * size + window]).reshape(-1) for first, at in places], window

    def best(self) -> list[Filter] | None:
        """The filters that make the pieces smallest; `None` if compression is not worth its time."""
        candidates = self.form.candidates()
        sizes = [(0, 0)] * len(candidates)
        left, rest = list(range(len(candidates))), list(range(self.wanted))

        def score(index: int) -> float:
            raw, stored = sizes[index]
            return stored / raw if raw else 1.0

        def compress_pieces(numbers: list[int]) -> None:
            for index in left:
                for number in numbers:
                    raw, stored = self.compressed(number, candidates[index])
                    sizes[index] = sizes[index][0] + raw, sizes[index][1] + stored

        if self.wanted > 3 and len(candidates) > 2:
            # A few of them are tried on all pieces, unless one is far ahead.
            few = [0, self.wanted // 2, self.wanted - 1]
            compress_pieces(few)
            order = sorted(left, key=lambda index: (score(index), index))
            near = [index for index in order if score(index) * FAR_AHEAD < score(order[0])]
            left, rest = sorted(near[:FINALISTS]), [number for number in rest if number not in few]
            rest = rest if len(left) > 1 else []
        compress_pieces(rest)
        scores = {index: score(index) for index in left}
        if len(left) > 1 and len(self.block) > self.wanted * len(self.pieces[0]) // 2:
            # What pieces are too short to tell, such as matches far away, a block shows.
            best = min(scores.values())
            for index in left:
                if scores[index] * FAR_AHEAD < best:
                    filters = [*self.first, *candidates[index].filters]
                    scores[index] = min(len(compress(self.block, filters)) / len(self.block), 1)
        best_index = chosen(candidates, scores)
        return None if best_index is None else [*self.first, *candidates[best_index].filters]

    def compressed(self, number: int, candidate: Candidate) -> tuple[int, int]:
        """Bytes of a piece before and after compression; none where it cannot be tried."""
        filters = candidate.filters
        if candidate.is_for_rows:
            lag = self.window // self.form.scalar
            if not self.row_pieces or lag <= self.form.lanes:
                return 0, 0
            filters = (filters[0].with_parameter(lag), *filters[1:])
        piece = (self.row_pieces if candidate.is_for_rows else self.pieces)[number]
        return len(piece), min(len(compress(piece, [*self.first, *filters])), len(piece))
