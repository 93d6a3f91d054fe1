"""Filters: what was done to a block's bytes before they were compressed, and how it is undone."""

from __future__ import annotations

import math
import struct
from dataclasses import dataclass
from typing import Any

import numpy as np

BYTES, BITS, DELTA, QUANTISED, ROUNDED = 1, 2, 3, 4, 5
MAX_LAG = 1 << 20

Bytes = np.ndarray[Any, np.dtype[np.uint8]]
Words = np.ndarray[Any, np.dtype[Any]]


@dataclass(frozen=True)
class Filter:
    """A filter of a segment header."""

    number: int
    width: int
    parameter: int
    argument: int

    @property
    def value(self) -> float:
        """The argument as a floating-point number."""
        return float(struct.unpack("<d", struct.pack("<Q", self.argument))[0])

    @property
    def is_valid(self) -> bool:
        """What rule S4 says of a filter by itself."""
        number, parameter, argument = self.number, self.parameter, self.argument
        if number in (BYTES, BITS):
            return self.width == 0 and argument == 0 and (3 - number) <= parameter <= 255
        if number == DELTA:
            return self.width in (1, 2, 4, 8) and 1 <= parameter <= MAX_LAG and argument < parameter
        if number == QUANTISED:
            if self.width not in (4, 8) or not 1 <= parameter <= (22 if self.width == 4 else 51):
                return False
            if not 2.0**-1022 <= self.value <= 2.0**1000:
                return False
            least, most = (2.0**-126, 2.0**127) if self.width == 4 else (2.0**-1022, 2.0**1023)
            return least <= 2.0**parameter * self.value <= most
        if number == ROUNDED and self.width == 0:
            if parameter == 3:
                return 1 <= argument <= 52
            return parameter in (1, 2) and self.value > 0 and math.isfinite(self.value)
        return False

    def undo(self, data: Bytes) -> Bytes:
        """The bytes of a block before the filter."""
        if self.number == BYTES:
            return unshuffle(data, self.parameter)
        if self.number == BITS:
            return unshuffle_bits(data, self.parameter)
        if self.number == ROUNDED:
            return data
        whole = len(data) // self.width * self.width
        words = np.frombuffer(data[:whole].tobytes(), f"<u{self.width}")
        if self.number == DELTA:
            result = sums(words, self.parameter, self.argument)
        else:
            result = numbers(words, self.width, self.parameter, self.value)
        return np.concatenate([np.frombuffer(result.tobytes(), np.uint8), data[whole:]])


def unshuffle(data: Bytes, size: int) -> Bytes:
    """Undoes the byte shuffle of groups of `size` bytes."""
    groups = len(data) // size
    result = np.empty_like(data)
    whole = groups * size
    table, shuffled = result[:whole].reshape(groups, size), data[:whole].reshape(size, groups)
    if size <= 16:
        # NumPy is faster at few long columns than at a whole table.
        for index in range(size):
            table[:, index] = shuffled[index]
    else:
        table[...] = shuffled.T
    result[whole:] = data[whole:]
    return result


def unshuffle_bits(data: Bytes, size: int) -> Bytes:
    """Undoes the bit shuffle of groups of `size` bytes."""
    groups = len(data) // size // 8 * 8
    whole = groups * size
    bits = np.unpackbits(data[:whole], bitorder="little").reshape(8 * size, groups)
    return np.concatenate([np.packbits(bits.T, bitorder="little").ravel(), data[whole:]])


def sums(words: Words, lag: int, first_lag: int) -> Words:
    """Undoes the differences over a lag, among the first `lag` integers over `first_lag`; sums wrap around."""
    one = words.dtype.type(1)
    differences = (words >> one) ^ (~(words & one) + one)
    start = differences[:lag]
    if first_lag:
        start = summed(start, first_lag)
    return summed(np.concatenate([start, differences[lag:]]), lag)


def summed(words: Words, lag: int) -> Words:
    """Each integer plus all those that stand a multiple of the lag before it."""
    rows = -(-len(words) // lag)
    padded = np.zeros(rows * lag, words.dtype)
    padded[: len(words)] = words
    return np.cumsum(padded.reshape(rows, lag), axis=0, dtype=words.dtype).ravel()[: len(words)]


def numbers(words: Words, width: int, bits: int, step: float) -> Words:
    """The floating-point numbers, as bits, of integers that count steps."""
    real, whole = (np.float32, np.uint32) if width == 4 else (np.float64, np.uint64)
    sign = whole(1 << (8 * width - 1))
    most = whole(1 << bits)
    threshold = np.array([2**bits * step]).astype(real).view(whole)[0]
    codes = np.where(words & sign, ~words, words)
    near = (np.minimum(codes, most).astype(np.float64) * step).astype(real).view(whole)
    with np.errstate(over="ignore"):
        far = (codes - most + threshold) & ~sign
    result: Words = np.where(codes <= most, near, far) | (words & sign)
    return result
