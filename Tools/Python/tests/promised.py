"""What a precision promises of rounded numbers."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import hypothesis.strategies as st
import numpy as np
from drawn import BITS, AnyArray

from graphcodable import Precision

MODES = ["absolute", "relative", "bits"]


@dataclass(frozen=True)
class Asked:
    """A precision, as `--precision` takes it."""

    mode: str
    argument: float | int

    @property
    def noted(self) -> Precision:
        """As archives have it."""
        return Precision("mantissa bits" if self.mode == "bits" else self.mode, self.argument)

    def __str__(self) -> str:
        return f"{self.mode}:{self.argument!r}"


@st.composite
def precisions(draw: Any) -> Asked:
    mode = draw(st.sampled_from(MODES))
    if mode == "bits":
        return Asked(mode, draw(st.integers(1, 52)))
    if mode == "relative":
        return Asked(mode, draw(st.floats(1e-17, 0.999)))
    tiny_or_huge = st.sampled_from([5e-324, 1e-310, 2.0**-25, 2.0**-24, 1e-45, 1e-38, 1.0, 65_504.0, 1e38, 1e300, 1.7e308])
    return Asked(mode, draw(st.floats(1e-8, 1e5) | tiny_or_huge))


def check(was: AnyArray, now: AnyArray, asked: Asked) -> None:
    """That each number is within the bound, and that what has to be exact is."""
    assert (was.dtype, was.shape) == (now.dtype, now.shape)
    if was.dtype.kind == "V" and was.dtype.names and was.dtype.names != ("low", "high"):
        for name in was.dtype.names:
            check(was[name], now[name], asked)
    elif was.dtype.kind != "f":
        assert was.tobytes() == now.tobytes()
    else:
        check_numbers(was.ravel(), now.ravel(), asked)


def check_numbers(was: AnyArray, now: AnyArray, asked: Asked) -> None:
    bits, others = (each.view(f"<u{was.itemsize}") for each in (was.copy(), now.copy()))
    changed = bits != others
    pairs = np.unique(np.stack([was[changed], now[changed]]), axis=1).T
    for old, new in pairs.tolist():
        assert np.isfinite(old) and np.isfinite(new), f"{old!r} has become {new!r}"
        assert np.signbit(old) == np.signbit(new), f"{old!r} has become {new!r}"
        check_pair(old, new, was.itemsize, asked)


def check_pair(old: float, new: float, width: int, asked: Asked) -> None:
    """Of two numbers that differ; exactly, since the bounds are."""
    error, size = abs(Fraction(new) - Fraction(old)), abs(Fraction(old))
    exponent, mantissa = BITS[width]
    least = power_of_two(2 - 2 ** (exponent - 1))
    spacing = next_spacing(size, least, mantissa)
    message = f"{old!r} has become {new!r}, to {asked}"
    if asked.mode == "absolute":
        assert error <= Fraction(asked.argument), message
        # Its neighbours are closer than the bound.
        assert spacing <= Fraction(asked.argument), message
        return
    assert size >= least, f"{message}: a subnormal number"
    if asked.mode == "relative":
        assert error <= Fraction(asked.argument) * size, message
    else:
        assert asked.argument < mantissa, message
        unit = spacing * power_of_two(mantissa - int(asked.argument))
        assert error <= unit / 2 and Fraction(new) % unit == 0, message


def next_spacing(size: Fraction, least: Fraction, mantissa: int) -> Fraction:
    """From a number to the next larger one, where `least` is the least one that is not subnormal."""
    binade = max(size, least)
    exponent = binade.numerator.bit_length() - binade.denominator.bit_length()
    unit = power_of_two(exponent)
    return (unit if unit <= binade else unit / 2) / (1 << mantissa)


def power_of_two(exponent: int) -> Fraction:
    return Fraction(1 << exponent) if exponent >= 0 else Fraction(1, 1 << -exponent)
