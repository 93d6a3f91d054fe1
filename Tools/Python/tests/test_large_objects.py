"""One element of a large archive in a bucket: four requests and 3 MiB, however large it is."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest
from effort import IS_THOROUGH

import graphcodable as gc

if TYPE_CHECKING:
    from servers import Bucket

# 1 GB where there is time for it; it is written, and copied into the store of each server.
BYTE_COUNT = 10**9 if IS_THOROUGH else 10**8
COUNT = BYTE_COUNT // 14


@pytest.fixture(scope="module")
def noise() -> np.ndarray[tuple[int], np.dtype[np.uint64]]:
    return np.random.default_rng(7).integers(0, 1 << 64, COUNT, np.uint64)


@pytest.fixture(scope="module")
def path(noise: np.ndarray[tuple[int], np.dtype[np.uint64]], tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """An archive of so many bytes as they are stored: numbers that LZ4 shortens behind a shuffle, and others that it cannot."""
    path = tmp_path_factory.mktemp("large") / "large.gcodable"
    smooth = np.arange(COUNT, dtype="<f8") + (noise >> np.uint64(44)) / (1 << 20)
    gc.save({"title": "large", "smooth": smooth, "noise": noise, "more": noise[: COUNT // 2] ^ noise[-1]}, path)
    yield path
    path.unlink()


def test_an_element_takes_four_requests_and_three_megabytes(
    bucket: Bucket, path: Path, noise: np.ndarray[tuple[int], np.dtype[np.uint64]]
) -> None:
    size = path.stat().st_size
    assert size >= BYTE_COUNT
    bucket.direct.put("large.gcodable", path)
    middle = COUNT // 2
    for name in ("smooth", "noise"):
        bucket.forget()
        with gc.open(bucket.url("large.gcodable"), storage_options=bucket.options) as archive:
            assert isinstance(archive, gc.Archive)
            found = archive.root[name][middle]
        expected = middle + (noise[middle] >> np.uint64(44)) / (1 << 20) if name == "smooth" else noise[middle]
        assert found == expected
        served = bucket.served("large.gcodable")
        taken = sum(each.byte_count for each in served)
        print(f"{bucket.server}: {name}[{middle}] of {size:,} bytes: {len(served)} requests, {taken:,} bytes")
        assert 0 < len(served) <= 4 and taken <= 3 << 20
        assert len(bucket.served()) == len(served)
