"""The filters of an array: those that make pieces of it smallest, and a block of it where these do not tell.

Candidates, pieces and thresholds are those of the Swift library, which compresses bit planes by other means and tries no block.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import lz4.block
import numpy as np

from ..format.filters import Filter, done
from .candidates import Candidate, Form
from .nodes import Bytes
from .rounding import Rounding

SHORT, FEWEST_PIECES, MOST_PIECES = 128 << 10, 32 << 10, 8
ROWS = 16
# The part that compression, or a slower filter, has to gain on pieces; what a bit shuffle has to, which holds LZ4 up; and what one has
# to in place of a byte shuffle of the same differences.
LEAST_GAIN, LEAST_GAIN_OF_BITS, LEAST_GAIN_OVER_BYTES = 1 / 32, 1 / 16, 1 / 64
# The part of the second best's bytes that the best must stay below for a clear choice.
FAR_AHEAD = 7 / 8
# A part of the bytes that is so small that pieces tell little of it; and how many times as large those are that tell more.
VERY_SMALL, LARGE_PIECE = 1 / 6, 8


def compress(piece: Bytes, filters: Sequence[Filter]) -> bytes:
    """Behind filters, by LZ4. Without acceleration, noise gets short matches that save nothing and take long to expand."""
    return bytes(lz4.block.compress(done(piece, filters), "fast", acceleration=2, store_size=False))


class Pieces:
    """Pieces of an array, evenly spread over all of it."""

    def __init__(self, data: Bytes, form: Form, rounding: Rounding | None) -> None:
        self.data, self.form, self.rounding = data, form, rounding
        is_short = len(data) < SHORT
        self.count = 1 if len(data) < FEWEST_PIECES else min(max(len(data) >> 17, 2), MOST_PIECES)
        # Ways to store steps are farther apart than others.
        most = 8 << 10 if is_short or form.quantised is not None else 16 << 10
        self.length = max(min(len(data) // form.size, most // form.size), 1)

    def piece(self, number: int, lag: int, scale: int) -> tuple[Bytes, int]:
        """Elements that follow one place, or, where those hold few rows of `lag` scalars, windows of neighbouring rows.

        With the bytes of a window; 0 for none. `scale` says how many times as large as others the piece is to be.
        """
        form, data = self.form, self.data
        length = min(self.length * scale, len(data) // form.size)
        row = lag * form.scalar
        if lag in form.far_lags and row * ROWS > length * form.size and len(data) >= 2 * row:
            count = len(data) // row
            taken = min(ROWS, form.rows_per_block if lag == form.row_lag else count, count)
            window = min(row, form.whole_groups(max(length // taken, 1)) * form.size)
            first, start = self.place(number, count - taken), self.place(number, (row - window) // form.size) * form.size
            table = data[: count * row].reshape(count, row)
            found = np.ascontiguousarray(table[first : first + taken, start : start + window]).reshape(-1)
        else:
            start, window = self.place(number, len(data) // form.size - length) * form.size, 0
            found = data[start : start + length * form.size]
        return (found if self.rounding is None else self.rounding.rounded(found)), window

    def place(self, number: int, room: int) -> int:
        return room * number // (self.count - 1) if self.count > 1 else 0


@dataclass
class Result:
    """What one candidate has made of the pieces that it was tried on, in bytes."""

    candidate: Candidate
    raw: int = 0
    stored: int = 0

    @property
    def score(self) -> float:
        """The part of the bytes that is left; 1 if the candidate was not tried."""
        return self.stored / self.raw if self.raw else 1


class Trial:
    """Tries filters on pieces of an array, behind the `first` ones, which its precision asks for."""

    def __init__(
        self, data: Bytes, form: Form, block_size: int, first: Sequence[Filter], rounding: Rounding | None
    ) -> None:
        self.form, self.first = form, tuple(first)
        self.pieces = Pieces(data, form, rounding)
        middle = len(data) // block_size // 2 * block_size
        block = data[middle : middle + block_size]
        self.block = block if rounding is None else rounding.rounded(block)

    def best(self) -> list[Filter] | None:
        """The filters that make the pieces smallest; `None` if compression is not worth its time."""
        form, count = self.form, self.pieces.count
        results = [Result(each) for each in form.candidates()]
        is_large = count > 3 and len(results) > 2
        few = [0, count // 2, count - 1] if is_large else list(range(count))
        self.compress(few, results)
        rows = [index for index, each in enumerate(results) if each.candidate.lag > form.lanes]
        best_of_rows = min(rows, key=lambda index: results[index].score, default=None)
        if best_of_rows is not None and (with_bytes := form.with_bytes(results[best_of_rows].candidate)) is not None:
            # In front of it, because it is faster.
            results.insert(best_of_rows, Result(with_bytes))
            self.compress(few, results[best_of_rows : best_of_rows + 1])
        if is_large:
            results = self.finalists(results, [number for number in range(count) if number not in few])
        best = chosen(self.tried_on_a_block(results))
        return None if best is None else [*self.first, *self.better_by_groups(best).filters]

    def finalists(self, results: list[Result], rest: list[int]) -> list[Result]:
        """The best of those tried on a few pieces, tried further unless one is far ahead."""
        order = sorted(range(len(results)), key=lambda index: results[index].score)
        least, following = (results[index].score for index in order[:2])
        if least < VERY_SMALL and least > following / 2 and self.form.far_lags:
            # In small pieces the first elements, from which nothing is subtracted, count too much.
            left = [Result(results[index].candidate) for index in sorted(order[:3])]
            self.compress([self.pieces.count // 2], left, LARGE_PIECE)
            return left
        if least <= following * FAR_AHEAD:
            return [results[order[0]]]
        left = [results[index] for index in sorted(order[:2])]
        self.compress(rest, left)
        return left

    def tried_on_a_block(self, results: list[Result]) -> list[Result]:
        """Those that are near the best, tried on a block, which shows what pieces are too short to: matches far away."""
        least = min(each.score for each in results)
        near = [Result(each.candidate) for each in results if each.score * FAR_AHEAD < least]
        if len(near) < 2 or len(self.block) <= self.pieces.count * self.pieces.length * self.form.size // 2:
            return results
        for each in near:
            filters = [*self.first, *each.candidate.filters]
            each.raw, each.stored = len(self.block), min(len(compress(self.block, filters)), len(self.block))
        return near

    def better_by_groups(self, candidate: Candidate) -> Candidate:
        """What is clearly smaller because vectors come in groups, or the same where they do not."""
        results = [Result(each) for each in (candidate, *self.form.with_groups(candidate))]
        if len(results) == 1:
            return candidate
        self.compress([self.pieces.count // 2], results)
        best = min(results, key=lambda each: each.score)
        return best.candidate if best.score <= results[0].score * (1 - LEAST_GAIN_OF_BITS) else candidate

    def compress(self, numbers: Sequence[int], results: Sequence[Result], scale: int = 1) -> None:
        for number in numbers:
            # A piece is made once for all that take it.
            pieces: dict[int, tuple[Bytes, int]] = {}
            for each in results:
                filters = [*self.first, *each.candidate.filters]
                lag = each.candidate.lag if each.candidate.lag in self.form.far_lags else 0
                if lag not in pieces:
                    pieces[lag] = self.pieces.piece(number, lag, scale)
                piece, window = pieces[lag]
                if window:
                    filters[len(self.first)] = self.form.delta(window // self.form.scalar)
                each.raw += len(piece)
                each.stored += min(len(compress(piece, filters)), len(piece))


def chosen(results: Sequence[Result]) -> Candidate | None:
    """The smallest that is worth its time, the fast ones first; `None` if none is."""
    best: Result | None = None
    for each in results:
        gain = LEAST_GAIN_OF_BITS if each.candidate.shuffles_bits else LEAST_GAIN
        if best is not None and best.candidate.is_like(each.candidate):
            gain = 0
        if each.score <= (1 if best is None else best.score) * (1 - gain):
            best = each
    if best is None:
        return None
    bits = next((each for each in results if each.candidate.has_bits_in_place_of(best.candidate)), None)
    if bits is not None and bits.score <= best.score * (1 - LEAST_GAIN_OVER_BYTES):
        return bits.candidate
    return best.candidate
