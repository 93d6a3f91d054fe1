"""Filters by the words of the document, bit by bit."""

from __future__ import annotations

import math
import struct
from typing import Any

import hypothesis
import hypothesis.strategies as st
import numpy as np
import pytest

from graphcodable.format import filters
from graphcodable.format.filters import BIT_SHUFFLE, DELTA, QUANTISED, ROUNDED, SHUFFLE, Bytes, Filter, are_possible

DATA = st.binary(max_size=4000).map(lambda data: np.frombuffer(data, np.uint8))


def bit(data: Bytes, k: int) -> int:
    return int(data[k // 8]) >> k % 8 & 1


@hypothesis.given(data=DATA, size=st.integers(1, 20))
def test_bits_are_shuffled_as_the_document_says(data: Bytes, size: int) -> None:
    result = filters.bits_shuffled(data, size)
    m = len(data) // size // 8 * 8
    for i in range(m):
        for j in range(8 * size):
            assert bit(result, j * m + i) == bit(data, i * 8 * size + j)
    assert np.array_equal(result[m * size :], data[m * size :])
    assert np.array_equal(filters.bits_unshuffled(result, size), data)


@hypothesis.given(data=DATA, size=st.integers(2, 255))
def test_bytes_are_shuffled_and_back(data: Bytes, size: int) -> None:
    shuffled = filters.shuffled(data, size)
    assert np.array_equal(filters.unshuffled(shuffled, size), data)


@hypothesis.given(data=DATA, width=st.sampled_from([1, 2, 4, 8]), lag=st.integers(1, 120), first=st.integers(0, 119))
def test_differences_are_as_the_document_says(data: Bytes, width: int, lag: int, first: int) -> None:
    first %= lag
    result = filters.differences(data, width, lag, first)
    count = len(data) // width
    numbers = data[: count * width].view(f"<u{width}").tolist()
    for i, stored in enumerate(result[: count * width].view(f"<u{width}").tolist()):
        before = numbers[i - lag] if i >= lag else numbers[i - first] if first and i >= first else 0
        d = (numbers[i] - before) % (1 << 8 * width)
        d -= 1 << 8 * width if d >> 8 * width - 1 else 0
        assert stored == (2 * d if d >= 0 else -2 * d - 1)
    assert np.array_equal(filters.summed(result, width, lag, first), data)


def quantised(number: float, width: int, bits: int, step: float) -> int:
    """By the document, for one number; as an unsigned integer."""
    form, real = ("<I", "<f") if width == 4 else ("<Q", "<d")
    unsigned = struct.unpack(form, struct.pack(real, number))[0]
    sign, size = unsigned >> 8 * width - 1, unsigned & (1 << 8 * width - 1) - 1
    q = 1 << bits
    t = struct.unpack(form, struct.pack(real, q * step))[0]
    value = round(abs(number) * (1 / step)) if size < t else size - t + q
    return (~value if sign else value) & (1 << 8 * width) - 1


@hypothesis.given(
    numbers=st.lists(st.floats(width=32) | st.floats(-100, 100, width=32)),
    width=st.sampled_from([4, 8]),
    bits=st.integers(1, 22),
    step=st.sampled_from([0.001, 0.25, 1.0, 3.5]),
)
def test_quantised_numbers_are_multiples_of_the_step(numbers: list[float], width: int, bits: int, step: float) -> None:
    stored = np.array([quantised(number, width, bits, step) for number in numbers], f"<u{width}").view(np.uint8)
    result = filters.multiplied(stored, width, bits, step).view(f"<f{width}")
    real = np.dtype(f"<f{width}").type
    for number, back in zip(numbers, result):
        assert np.signbit(back) == np.signbit(number)
        if math.isnan(number):
            assert np.isnan(back)
        elif abs(real(number)) >= real(2**bits * step):
            assert back == real(number)
        else:
            assert back == np.copysign(real(round(abs(number) * (1 / step)) * step), number)


def f64(value: float) -> int:
    number: int = struct.unpack("<Q", struct.pack("<d", value))[0]
    return number


@pytest.mark.parametrize(
    ("its", "codec"),
    [
        ([(SHUFFLE, 0, 1, 0)], 1), ([(SHUFFLE, 0, 256, 0)], 1), ([(SHUFFLE, 1, 4, 0)], 1), ([(SHUFFLE, 0, 4, 1)], 1),
        ([(BIT_SHUFFLE, 0, 0, 0)], 1), ([(DELTA, 3, 1, 0)], 1), ([(DELTA, 4, 0, 0)], 1), ([(DELTA, 4, 2, 2)], 1),
        ([(DELTA, 4, (1 << 20) + 1, 0)], 1), ([(QUANTISED, 4, 18, f64(1))], 1), ([(QUANTISED, 8, 45, f64(1))], 1),
        ([(QUANTISED, 2, 5, f64(1))], 1), ([(QUANTISED, 4, 5, f64(-1))], 1), ([(QUANTISED, 4, 5, f64(math.nan))], 1),
        ([(QUANTISED, 4, 5, f64(1e38))], 1), ([(QUANTISED, 4, 1, f64(1e-40))], 1), ([(ROUNDED, 0, 4, 5)], 1),
        ([(ROUNDED, 0, 1, f64(0))], 1), ([(ROUNDED, 0, 2, f64(math.inf))], 1), ([(ROUNDED, 0, 3, 53)], 1),
        ([(SHUFFLE, 0, 4, 0), (ROUNDED, 0, 3, 5)], 1), ([(SHUFFLE, 0, 4, 0), (QUANTISED, 4, 5, f64(1))], 1),
        ([(ROUNDED, 0, 1, f64(1)), (QUANTISED, 4, 5, f64(1))], 1),
        ([(SHUFFLE, 0, 4, 0)], 0), ([(0, 0, 0, 0)], 1),
    ],
)  # fmt: skip
def test_filters_that_cannot_be_are_refused(its: list[Any], codec: int) -> None:
    assert not are_possible([Filter(*each) for each in its], codec)


def test_filters_that_can_be() -> None:
    note, steps = Filter(ROUNDED, 0, 1, f64(0.5)), Filter(QUANTISED, 4, 17, f64(0.001))
    shuffles = [Filter(DELTA, 4, 3, 1), Filter(BIT_SHUFFLE, 0, 4, 0)]
    assert are_possible([steps, *shuffles], 1) and are_possible([note, *shuffles], 1)
    assert are_possible([note], 0) and are_possible([], 0)
    assert filters.precision([note, *shuffles]) == ("absolute", 0.5)
    assert filters.precision([steps, *shuffles]) == ("absolute", 0.001)
