"""Filters of blocks: what they change, and back."""

from __future__ import annotations

import math
import struct
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from . import native

Bytes = np.ndarray[Any, np.dtype[np.uint8]]
SHUFFLE, BIT_SHUFFLE, DELTA, QUANTISED, ROUNDED = 1, 2, 3, 4, 5
NAMES = {1: "byte shuffle", 2: "bit shuffle", 3: "delta", 4: "quantised", 5: "rounded"}
SIZE, MOST_FILTERS = 16, 4
MOST_LAG = 1 << 20
# Widths of quantised numbers: most bits, and the least and the largest exponent of q * step.
QUANTISED_RANGES = {4: (17, -126, 127), 8: (44, -1022, 1023)}
PRECISIONS = {1: "absolute", 2: "relative", 3: "mantissa bits"}


class Filter(NamedTuple):
    """As in the segment header; the argument as u64."""

    number: int
    width: int
    parameter: int
    argument: int
    flags: int = 0  # What a later version adds; none are known.

    @property
    def is_known(self) -> bool:
        return self.number in NAMES and self.flags == 0

    @property
    def real(self) -> float:
        """The argument as binary64."""
        value: float = struct.unpack("<d", struct.pack("<Q", self.argument))[0]
        return value

    @property
    def step(self) -> float:
        """Of a quantised filter."""
        return self.real * 1.96875  # 63/32.

    def with_parameter(self, parameter: int) -> Filter:
        return self._replace(parameter=parameter)

    def data(self) -> bytes:
        return struct.pack("<BBHIQ", self.number, self.width, self.flags, self.parameter, self.argument)

    @staticmethod
    def parsed(data: bytes) -> Filter:
        """The filter of its 16 bytes."""
        number, width, flags, parameter, argument = struct.unpack("<BBHIQ", data)
        return Filter(number, width, parameter, argument, flags)

    def is_possible(self) -> bool:
        """Whether width, parameter and argument are those that the filter can have: an unknown one may have any."""
        number, width, parameter, argument, _ = self
        if not self.is_known:
            return number > 0
        if number == SHUFFLE or number == BIT_SHUFFLE:
            return width == 0 and argument == 0 and (2 if number == SHUFFLE else 1) <= parameter <= 255
        if number == DELTA:
            return width in (1, 2, 4, 8) and 1 <= parameter <= MOST_LAG and argument < parameter
        if number == QUANTISED and width in QUANTISED_RANGES:
            bits, least, most = QUANTISED_RANGES[width]
            step = self.step
            if not 1 <= parameter <= bits or not 2.0**-1022 <= step <= 2.0**1000:
                return False
            # The product may be larger than any number.
            return step <= 2.0 ** (most - parameter) and 2.0**least <= math.ldexp(step, parameter)
        if number == ROUNDED and width == 0:
            if parameter == 3:
                return 1 <= argument <= 52
            return parameter in (1, 2) and 0 < self.real < math.inf
        return False


class Precision(NamedTuple):
    """To what numbers were rounded: `absolute` and `relative` errors are at most the value."""

    kind: str
    value: float


def are_possible(filters: Sequence[Filter], codec: int) -> bool:
    """Whether filters may stand together, in this order."""
    for place, each in enumerate(filters):
        if not each.is_possible():
            return False
        if not each.is_known:
            continue
        if (each.number in (QUANTISED, ROUNDED) and place > 0) or (codec == 0 and each.number != ROUNDED):
            return False
    return True


def precision(filters: Sequence[Filter]) -> Precision | None:
    for each in filters:
        if each.number == ROUNDED:
            return Precision(PRECISIONS[each.parameter], each.argument if each.parameter == 3 else each.real)
        if each.number == QUANTISED:
            return Precision("absolute", each.real)
    return None


def packed(filters: Sequence[Filter]) -> bytes:
    """As in the segment header."""
    return b"".join(each.data() for each in filters)


def undone(data: Bytes, filters: Sequence[Filter], out: Bytes | None = None) -> Bytes:
    """A block before its filters, perhaps in `out`, or else in an array of its own if there are any."""
    if native.module is not None and filters:
        result = np.empty_like(data) if out is None else out
        native.module.undo(data, result, packed(filters))
        return result
    for each in reversed(filters):
        if each.number == SHUFFLE:
            data = unshuffled(data, each.parameter, out if len(filters) == 1 else None)
        elif each.number == BIT_SHUFFLE:
            data = bits_unshuffled(data, each.parameter, out if len(filters) == 1 else None)
        elif each.number == DELTA:
            data = summed(data, each.width, each.parameter, each.argument)
        elif each.number == QUANTISED:
            data = multiplied(data, each.width, each.parameter, each.step)
    return data


def done(data: Bytes, filters: Sequence[Filter]) -> Bytes:
    """A block behind its filters, of those that this package writes."""
    if native.module is not None and filters:
        result = np.empty_like(data)
        native.module.apply(data, result, packed(filters))
        return result
    for each in filters:
        if each.number == SHUFFLE:
            data = shuffled(data, each.parameter)
        elif each.number == BIT_SHUFFLE:
            data = bits_shuffled(data, each.parameter)
        elif each.number == DELTA:
            data = differences(data, each.width, each.parameter, each.argument)
        elif each.number == QUANTISED:
            data = quantised_numbers(data, each.width, each.parameter, each.step)
    return data


# Shuffles


def shuffled(data: Bytes, size: int) -> Bytes:
    groups = len(data) // size
    whole = groups * size
    result = np.empty_like(data)
    result[:whole].reshape(size, groups)[...] = data[:whole].reshape(groups, size).T
    result[whole:] = data[whole:]
    return result


def unshuffled(data: Bytes, size: int, out: Bytes | None = None) -> Bytes:
    groups = len(data) // size
    result = np.empty_like(data) if out is None else out
    whole = groups * size
    table, planes = result[:whole].reshape(groups, size), data[:whole].reshape(size, groups)
    if size <= 16:
        # NumPy is faster at few long columns than at a whole table.
        for index in range(size):
            table[:, index] = planes[index]
    else:
        table[...] = planes.T
    result[whole:] = data[whole:]
    return result


def bits_shuffled(data: Bytes, size: int) -> Bytes:
    """Bytes first, then the bits of eight bytes of one plane each, which are a square."""
    groups = len(data) // size // 8 * 8
    whole = groups * size
    planes = shuffled(data[:whole], size).view("<u8")
    result = np.empty_like(data)
    squares = transposed(planes).view(np.uint8).reshape(size, groups // 8, 8)
    result[:whole].reshape(size, 8, groups // 8)[...] = squares.transpose(0, 2, 1)
    result[whole:] = data[whole:]
    return result


def bits_unshuffled(data: Bytes, size: int, out: Bytes | None = None) -> Bytes:
    groups = len(data) // size // 8 * 8
    whole = groups * size
    result = np.empty_like(data) if out is None else out
    result[whole:] = data[whole:]
    squares = np.ascontiguousarray(data[:whole].reshape(size, 8, groups // 8).transpose(0, 2, 1))
    planes = transposed(squares.reshape(-1).view("<u8")).view(np.uint8)
    unshuffled(planes, size, result[:whole])
    return result


def transposed(squares: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """Bit `8i + j` of each number becomes bit `8j + i`."""
    result = squares.copy()
    for shift, mask in ((7, 0x00AA00AA00AA00AA), (14, 0x0000CCCC0000CCCC), (28, 0x00000000F0F0F0F0)):
        swapped = result >> np.uint64(shift)
        swapped ^= result
        swapped &= np.uint64(mask)
        result ^= swapped
        swapped <<= np.uint64(shift)
        result ^= swapped
    return result


# Differences


def differences(data: Bytes, width: int, lag: int, lag_at_first: int) -> Bytes:
    result = data.copy()
    whole = len(data) // width * width
    before, after = data[:whole].view(f"<u{width}"), result[:whole].view(f"<u{width}")
    if lag_at_first:
        after[lag_at_first:lag] -= before[: max(min(lag, len(before)) - lag_at_first, 0)]
    after[lag:] -= before[:-lag]
    signed = after.view(f"<i{width}")
    after[...] = (after << 1) ^ (signed >> (8 * width - 1)).view(after.dtype)
    return result


def summed(data: Bytes, width: int, lag: int, lag_at_first: int) -> Bytes:
    result = data.copy()
    whole = len(data) // width * width
    numbers = result[:whole].view(f"<u{width}")
    numbers[...] = unzigzagged(numbers)
    if lag_at_first:
        running_sums(numbers[:lag], lag_at_first)
    running_sums(numbers, lag)
    return result


def unzigzagged(numbers: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """What stands for `2d` or `-2d - 1` is `d`, modulo the width."""
    one = numbers.dtype.type(1)
    result: np.ndarray[Any, Any] = (numbers >> one) ^ (~(numbers & one) + one)
    return result


def running_sums(numbers: np.ndarray[Any, Any], lag: int) -> None:
    """Adds to each number the sum that stands `lag` in front of it, in place."""
    if lag <= 64:
        for first in range(min(lag, len(numbers))):
            column = numbers[first::lag]
            np.add.accumulate(column, out=column, dtype=numbers.dtype)
        return
    for start in range(lag, len(numbers), lag):
        row = numbers[start : start + lag]
        row += numbers[start - lag : start - lag + len(row)]


# Steps


def quantised_numbers(data: Bytes, width: int, bits: int, step: float) -> Bytes:
    """Integers of numbers: how many steps they are, or from 2^bits steps on their bits behind these counts."""
    result = data.copy()
    whole = len(data) // width * width
    real, unsigned = np.dtype(f"<f{width}"), np.dtype(f"<u{width}")
    numbers = data[:whole].view(unsigned)
    sizes = numbers & unsigned.type((1 << 8 * width - 1) - 1)
    top = int(np.array(math.ldexp(step, bits)).astype(real).view(unsigned))
    is_count = sizes < top
    counts = np.rint(np.where(is_count, sizes, unsigned.type(0)).view(real).astype("<f8") * (1 / step)).astype(unsigned)
    codes = np.where(is_count, counts, sizes + unsigned.type((1 << bits) - top & (1 << 8 * width) - 1))
    is_negative = numbers >> unsigned.type(8 * width - 1) != 0
    result[:whole] = np.where(is_negative, ~codes, codes).view(np.uint8)
    return result


def multiplied(data: Bytes, width: int, bits: int, step: float) -> Bytes:
    """Numbers of what `quantised` has made integers."""
    result = data.copy()
    whole = len(data) // width * width
    integers = data[:whole].view(f"<i{width}")
    negative = integers < 0
    counts = np.where(negative, ~integers, integers)
    real, unsigned = np.dtype(f"<f{width}"), np.dtype(f"<u{width}")
    limit = 1 << bits
    top = int(np.array(math.ldexp(step, bits)).astype(real).view(unsigned))
    # Larger ones than the limit are not counts, and may overflow.
    numbers = (np.minimum(counts, limit).astype("<f8") * step).astype(real).view(unsigned)
    others = counts > limit
    if others.any():
        sizes = counts[others].astype(unsigned) + unsigned.type(top - limit & (1 << 8 * width) - 1)
        numbers[others] = sizes & unsigned.type((1 << 8 * width - 1) - 1)
    numbers[negative] |= unsigned.type(1 << 8 * width - 1)
    result[:whole] = numbers.view(np.uint8)
    return result
