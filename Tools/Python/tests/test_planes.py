"""LZ4 of bit planes. That its bytes are those of the Swift library, corpus and `test_cross.py` show."""

from __future__ import annotations

import lz4.block
import numpy as np
import pytest

from graphcodable.format.filters import BIT_SHUFFLE, Filter, done
from graphcodable.format.planes import compressed


@pytest.mark.parametrize("count", [1, 13, 14, 100, 4099, 70_000])
@pytest.mark.parametrize("spread", [1, 40, 5000, 1 << 31])
def test_blocks_expand_to_what_they_were_made_of(count: int, spread: int) -> None:
    random = np.random.default_rng(count + spread)
    numbers = np.cumsum(random.integers(0, spread, count, np.uint32), dtype=np.uint32)
    planes = done(numbers.view(np.uint8), (Filter(BIT_SHUFFLE, 0, 4, 0),)).tobytes()
    block = compressed(planes)
    if block is None:
        assert count < 100 or spread == 1 << 31
    else:
        assert len(block) < len(planes)
        assert lz4.block.decompress(block, uncompressed_size=len(planes)) == planes
