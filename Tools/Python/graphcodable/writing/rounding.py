"""Floating-point numbers rounded in place: as the filter of a precision would store them, or to fewer bits."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..format.filters import QUANTISED_RANGES, Bytes, Filter, Precision, done, multiplied, quantised_numbers, undone
from ..format.kinds import FLOAT_SIZES, packed_format
from .precision import quantised
from .tables import Layout

# Of numbers: the bits of the mantissa; and the most steps of a power of two that all are distinct.
MANTISSAS = {2: 10, 4: 23, 8: 52}
MOST_STEPS = {4: 22, 8: 51}
HALF_STEP = -24  # The exponent of the least number of 16 bits.


@dataclass(frozen=True)
class Grid:
    """Multiples of a step, a number of 2^bits of them at most."""

    width: int
    bits: int
    step: float

    def rounded(self, numbers: Bytes) -> Bytes:
        codes = quantised_numbers(numbers, self.width, self.bits, self.step)
        return multiplied(codes, self.width, self.bits, self.step)


@dataclass(frozen=True)
class Counted:
    """The multiples that a quantised filter makes of numbers."""

    filter: Filter

    def rounded(self, numbers: Bytes) -> Bytes:
        return undone(done(numbers, [self.filter]), [self.filter])


@dataclass(frozen=True)
class Shortened:
    """So many bits fewer of the mantissa, ties to even. Subnormal numbers, infinities and NaN stay, and what would become infinite."""

    width: int
    dropped: int

    def rounded(self, numbers: Bytes) -> Bytes:
        unsigned = np.dtype(f"<u{self.width}").type
        bits = numbers.view(unsigned)
        infinite = unsigned((1 << 8 * self.width - 1) - (1 << MANTISSAS[self.width]))
        odd = 1 << self.dropped
        shortened = bits + unsigned((odd >> 1) - 1) + (bits >> unsigned(self.dropped) & unsigned(1))
        shortened &= ~unsigned(odd - 1)
        stays = (bits & infinite == 0) | (bits & infinite == infinite) | (shortened & infinite == infinite)
        result: Bytes = np.where(stays, bits, shortened).view(np.uint8)
        return result


@dataclass(frozen=True)
class Snapped:
    """Numbers of 16 bits as multiples of 2 to this power, ties to even; what would become infinite stays."""

    exponent: int

    def rounded(self, numbers: Bytes) -> Bytes:
        values, bits = numbers.view("<f2"), numbers.view("<u2")
        # All numbers of 16 bits and all steps of less than 2^18 are exact in binary64.
        steps = np.rint(np.ldexp(np.abs(np.where(np.isfinite(values), values, 0)).astype("<f8"), -self.exponent))
        snapped = np.ldexp(steps, self.exponent)
        stays = ~np.isfinite(values) | (snapped > 65504)
        result = np.minimum(snapped, 65504).astype("<f2").view("<u2") | bits & np.uint16(0x8000)
        return np.where(stays, bits, result).view(np.uint8)


Way = Grid | Counted | Shortened | Snapped


def way(precision: Precision, width: int, to_power_of_two: bool) -> Way | None:
    """How numbers of some bytes are rounded; `None` where they stay as they are."""
    mantissa = MANTISSAS[width]
    if precision.kind != "absolute":
        bits = mantissa_bits(precision, mantissa)
        return Shortened(width, mantissa - bits) if bits < mantissa else None
    # The largest power of two that is not more than the error, twice.
    exponent = math.frexp(precision.value)[1]
    if width == 2:
        return Snapped(min(exponent, 1000)) if exponent > HALF_STEP else None
    if not to_power_of_two:
        its = quantised(precision, width)
        return None if its is None else Counted(its)
    _, least, most = QUANTISED_RANGES[width]
    if not -1022 <= exponent <= 1000:
        return None
    counts = [bits for bits in range(MOST_STEPS[width], 0, -1) if least <= exponent + bits <= most]
    return Grid(width, counts[0], math.ldexp(1, exponent)) if counts else None


def mantissa_bits(precision: Precision, mantissa: int) -> int:
    if precision.kind == "mantissa bits":
        return int(precision.value)
    return next((bits for bits in range(mantissa) if math.ldexp(1, -bits - 1) <= precision.value), mantissa)


@dataclass(frozen=True)
class Rounding:
    """What happens to each number of an element: where it lies, and how it is rounded."""

    ways: tuple[tuple[int, Way], ...]
    size: int

    def rounded(self, data: Bytes) -> Bytes:
        """Whole elements, rounded."""
        if not len(data):
            return data
        if len(self.ways) == 1 and self.size in MANTISSAS:
            return self.ways[0][1].rounded(data)
        result = data.copy()
        table = result.reshape(-1, self.size)
        for offset, each in self.ways:
            width = 2 if isinstance(each, Snapped) else each.filter.width if isinstance(each, Counted) else each.width
            column = np.ascontiguousarray(table[:, offset : offset + width]).reshape(-1)
            table[:, offset : offset + width] = each.rounded(column).reshape(-1, width)
        return result


def changes(number: int, layout: Layout | None) -> bool:
    """Whether elements have floating-point numbers, which a precision is about."""
    return any(each & 31 in FLOAT_SIZES for each in (layout.formats if layout else (number,)))


def rounding(precision: Precision | None, number: int, layout: Layout | None) -> Rounding | None:
    """How elements are rounded in place; `None` where they stay as they are.

    The step of the numbers of structs is a power of two, so that what is rounded ends with zero bits.
    """
    if precision is None:
        return None
    if layout is None:
        width = FLOAT_SIZES.get(number & 31)
        its = way(precision, width, to_power_of_two=False) if width else None
        return None if its is None or not width else Rounding(((0, its),), width)
    ways: list[tuple[int, Way]] = []
    offset = 0
    for each in layout.formats:
        form: Any = packed_format(each)
        width = FLOAT_SIZES.get(each & 31)
        its = way(precision, width, to_power_of_two=True) if width else None
        if its is not None and width:
            ways += [(offset + lane, its) for lane in range(0, form.size, width)]
        offset += form.size
    return Rounding(tuple(ways), offset) if ways else None
