"""Arrays that Hypothesis draws: their types and shapes, and what they have."""

from __future__ import annotations

from typing import Any

import hypothesis.strategies as st
import numpy as np

from graphcodable.format.kinds import LANES, SIGNED_128, UNSIGNED_128

AnyArray = np.ndarray[Any, Any]
INTEGERS = ["i1", "<i2", "<i4", "<i8", "u1", "<u2", "<u4", "<u8", ">i4", ">u2"]
REALS = ["<f2", "<f4", "<f8", ">f4", ">f8"]
OTHERS: list[Any] = ["?", "V16", SIGNED_128, UNSIGNED_128]
SCALARS = [np.dtype(each) for each in (*INTEGERS, *REALS, *OTHERS)]
# Of floating-point numbers: bits of the exponent and of the mantissa.
BITS = {2: (5, 10), 4: (8, 23), 8: (11, 52)}
# Arrays of so many bytes have a segment; filters work on parts of so many; blocks of Swift have so many, and those of rows.
FEWEST_BULK, PART, SWIFT_BLOCK, SWIFT_ROWS_BLOCK = 1 << 14, 1 << 13, (1 << 19) - 4096, (1 << 20) - 4096
# Blocks of Python in these tests.
BLOCKS = [4096, 1 << 16, SWIFT_BLOCK]
PATTERNS = ["noise", "few values", "constant", "smooth", "smooth with noise", "specials"]


@st.composite
def structs(draw: Any) -> np.dtype[Any]:
    """Fields of numbers, some with lanes."""
    scalars = draw(st.lists(st.sampled_from([each for each in SCALARS if each.isnative]), min_size=1, max_size=4))
    names = draw(st.permutations(["x", "mass", "is fixed", "a.b", "_", "ψ₀"]))
    lanes = draw(st.lists(st.sampled_from((1, 1, *LANES[:5])), min_size=4, max_size=4))
    return np.dtype([(name, scalar, each) if each > 1 else (name, scalar) for name, scalar, each in zip(names, scalars, lanes)])


@st.composite
def arrays(draw: Any, block: int, may_be_large: bool = True) -> AnyArray:
    """Of a length about the edges of blocks, and of one to three dimensions; a last one of 2 to 4 is lanes."""
    dtype = draw(structs()) if draw(st.sampled_from([False, False, True])) else draw(st.sampled_from(SCALARS))
    tail = draw(st.sampled_from([(), (), (), (2,), (3,), (4,), (5,), (7, 3), (1, 1), (64,), (2, 2)]))
    row = dtype.itemsize * int(np.prod(tail, dtype=int))
    edges = [FEWEST_BULK, FEWEST_BULK + PART, 5 * FEWEST_BULK, block, 3 * block, 0]
    edge = draw(st.sampled_from([each for each in edges if each <= SWIFT_BLOCK // 4] + may_be_large * [SWIFT_BLOCK, SWIFT_ROWS_BLOCK]))
    count = max(edge // row + draw(st.integers(-2, 2) | st.integers(0, 300)), 0)
    return filled(dtype, (count, *tail), draw(st.sampled_from(PATTERNS)), draw(st.integers(0, 1 << 32)))


def filled(dtype: np.dtype[Any], shape: tuple[int, ...], pattern: str, seed: int) -> AnyArray:
    """An array with a pattern in each of its fields."""
    numbers = np.random.default_rng(seed)
    if dtype.names is None or dtype in (SIGNED_128, UNSIGNED_128):
        return values(dtype, int(np.prod(shape, dtype=int)), pattern, numbers).reshape(shape)
    made = np.zeros(shape, dtype)
    for name in dtype.names:
        field = made[name]
        field[...] = values(field.dtype, field.size, pattern, numbers).reshape(field.shape)
    return made


def values(dtype: np.dtype[Any], count: int, pattern: str, numbers: np.random.Generator) -> AnyArray:
    """So many numbers. In place of what a type cannot have there is noise."""
    if dtype.kind == "b":
        few = 1 if pattern == "constant" else 2
        return numbers.integers(0, few, count).astype(bool)
    if pattern == "constant":
        return np.repeat(values(dtype, 1, "noise", numbers), count)
    if pattern == "few values":
        return numbers.choice(values(dtype, 3, "noise", numbers), count)
    if pattern == "noise" or dtype.kind == "V" or (pattern == "specials" and dtype.kind != "f"):
        return np.frombuffer(numbers.bytes(count * dtype.itemsize), dtype)
    steps = numbers.normal(0, 1, count).cumsum() * 10.0 ** numbers.integers(-4, 4)
    if pattern != "smooth":
        steps += numbers.normal(0, 1e-3, count)
    if dtype.kind != "f":
        return steps.astype("i8").astype(dtype)
    with np.errstate(over="ignore"):
        result = steps.astype(dtype)
    if pattern == "specials":
        places = numbers.random(count) < numbers.choice([0.01, 0.5])
        result[places] = numbers.choice(specials(dtype), int(places.sum()))
    return result


def specials(dtype: np.dtype[Any]) -> AnyArray:
    """Zeros, infinities, NaNs with payloads, subnormal numbers, and those at the ends of what there is, of both signs."""
    exponent, mantissa = BITS[dtype.itemsize]
    infinity, one = (2**exponent - 1) << mantissa, 1 << mantissa
    sizes = [0, infinity, infinity + one // 2, infinity + 1, infinity + one - 1, infinity + one // 2 + 5, 1, 7, one - 1, one,
             one + 1, infinity - 1, infinity - one]  # fmt: skip
    signed = [size | sign << (exponent + mantissa) for size in sizes for sign in (0, 1)]
    return np.array(signed, f"{dtype.str[0]}u{dtype.itemsize}").view(dtype)
