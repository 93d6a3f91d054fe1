"""Random arrays and records: what Python writes, Python reads, bit for bit."""

from __future__ import annotations

from typing import Any

import hypothesis
import hypothesis.strategies as st
import numpy as np
import pytest

import graphcodable as gc

BLOCK = 4096
DTYPES = ["?", "i1", "<i2", "<i4", "<i8", "u1", "<u2", "<u4", "<u8", "<f2", "<f4", "<f8", ">f4", "V16"]


@st.composite
def arrays(draw: Any) -> np.ndarray[Any, Any]:
    """Around the edges of blocks, from noise to what compresses well."""
    dtype, lanes = np.dtype(draw(st.sampled_from(DTYPES))), draw(st.sampled_from([1, 1, 2, 3, 4, 8, 64]))
    size = dtype.itemsize * lanes
    edge = draw(st.sampled_from([0, 16_384 // size, BLOCK // size, 5 * BLOCK // size]))
    count = max(edge + draw(st.integers(-2, 2)), 0)
    numbers = np.random.default_rng(draw(st.integers(0, 1 << 32)))
    noise = draw(st.sampled_from([1, 2, 16, 256]))
    data = numbers.integers(0, noise, count * size, dtype=np.uint8 if noise < 256 else np.int64).astype(np.uint8)
    if dtype.kind == "b":
        data &= 1
    array: np.ndarray[Any, Any] = data.view(dtype)
    if lanes == 64 and count % 2 == 0:
        return array.reshape(count // 2, 2, 4, 4, 4)
    return array.reshape(count, lanes) if lanes > 1 else array


SCALARS = st.one_of(
    st.none(), st.booleans(), st.integers(-(1 << 127), (1 << 128) - 1), st.floats(allow_nan=False), st.text(), st.uuids()
)
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=30,
)


def plain(value: Any) -> Any:
    """What `to_python` gives for a value, arrays as lists."""
    if isinstance(value, np.ma.MaskedArray) and value.dtype.names:
        # NumPy masks each half of a wide integer.
        missing = np.ma.getmaskarray(value)[value.dtype.names[0]]
        return [None if is_missing else each for is_missing, each in zip(missing.tolist(), value.data.tolist())]
    if isinstance(value, np.ndarray):
        return value.tolist()
    if isinstance(value, dict):
        return {key: plain(part) for key, part in value.items()}
    return [plain(part) for part in value] if isinstance(value, list) else value


@hypothesis.settings(max_examples=150, deadline=None)
@hypothesis.given(array=arrays(), compressed=st.booleans(), slices=st.lists(st.slices(100), max_size=3))
def test_arrays_are_read_as_they_were_written(array: np.ndarray[Any, Any], compressed: bool, slices: list[slice]) -> None:
    with pytest.MonkeyPatch.context() as patch:
        for name in ("MOST_BYTES", "MOST_SHUFFLED", "MOST_ROWS"):
            patch.setattr(f"graphcodable.writing.segments.{name}", BLOCK)
        archive = gc.Archive(gc.encode({"array": array}, compressed=compressed))
    archive.verify()
    read = archive.root.array
    assert np.asarray(read).tobytes() == array.astype(array.dtype.newbyteorder("<")).tobytes()
    for each in slices:
        assert read[each].tobytes() == array[each].astype(array.dtype.newbyteorder("<")).tobytes()


@hypothesis.settings(max_examples=150, deadline=None)
@hypothesis.given(value=VALUES)
@hypothesis.example(value=[None, -(1 << 63) - 1])
def test_values_are_read_as_they_were_written(value: Any) -> None:
    archive = gc.Archive(gc.encode(value))
    archive.verify()
    read = plain(archive.to_dict())
    if isinstance(value, (list, dict)) and not isinstance(read, dict):
        assert len(read) == len(value)
    assert archive.tree(None, None) is not None and gc.encode(value) == gc.encode(value)
    assert same(read, value)


def same(read: Any, value: Any) -> bool:
    """Equal, where an empty record is an empty list, integers in lists of floats are floats, and wide integers are two halves."""
    if isinstance(value, dict) and value:
        return list(read) == list(value) and all(same(read[key], value[key]) for key in value)
    if isinstance(value, (list, dict)):
        return len(read) == len(value) and (not value or all(map(same, read, value)))
    if isinstance(read, bytes):
        return bool(value.bytes == read)
    if isinstance(read, tuple):
        return bool((read[0] | read[1] << 64) == value)
    return bool(read == value)
