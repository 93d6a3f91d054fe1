"""One block by itself: what LZ4 and the filters did to it is undone."""

from __future__ import annotations

from collections.abc import Sequence

import lz4.block
import numpy as np

from . import native, numbers
from .filters import Bytes, Filter, packed, undone


def expanded(
    stored: bytes | memoryview, size: int, filters: Sequence[Filter], out: Bytes | None = None, width: int = 0
) -> Bytes | None:
    """The bytes of a block before compression, perhaps in `out`; `None` where it does not expand to `size` of them.

    `width` is that of numbers with their codec; 0 for LZ4.
    """
    if len(stored) == size:
        return np.frombuffer(stored, np.uint8)
    if native.module is not None:
        result = np.empty(size, np.uint8) if out is None else out
        return result if native.module.expand(stored, result, packed(filters), width) else None
    if width:
        integers = numbers.expanded(stored, size, width)
        return None if integers is None else undone(integers, filters, out)
    try:
        raw = lz4.block.decompress(stored, uncompressed_size=size)
    except (lz4.block.LZ4BlockError, ValueError):
        return None
    if len(raw) != size:
        return None
    return undone(np.frombuffer(raw, np.uint8), filters, out)


def unfiltered(
    data: bytes, stored_size: int, size: int, filters: Sequence[Filter], out: Bytes | None = None
) -> Bytes | None:
    """The bytes of a block whose LZ4 is undone; `None` where there are not `size` of them."""
    if len(data) != size:
        return None
    raw = np.frombuffer(data, np.uint8)
    return raw if stored_size == size else undone(raw, filters, out)
