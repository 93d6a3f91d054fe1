"""One block by itself: what LZ4 and the filters did to it is undone."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import lz4.block
import numpy as np

Bytes = np.ndarray[Any, np.dtype[np.uint8]]


def expanded(stored: bytes | memoryview, size: int, filters: Sequence[int]) -> Bytes | None:
    """The bytes of a block before compression; `None` where it does not expand to `size` of them."""
    if len(stored) == size:
        return np.frombuffer(stored, np.uint8)
    try:
        raw = lz4.block.decompress(stored, uncompressed_size=size)
    except (lz4.block.LZ4BlockError, ValueError):
        return None
    if len(raw) != size:
        return None
    result: Bytes = np.frombuffer(raw, np.uint8)
    for parameter in reversed(filters):
        result = unshuffle(result, parameter)
    return result


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
