"""Sources that are read by ranges: how many requests, how many bytes, and what changes underneath."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import graphcodable as gc
from graphcodable.files.remote import RemoteSource, coalesced

COUNT = 1 << 20
VALUES = np.random.default_rng(1).integers(0, 1 << 20, COUNT * 4).cumsum()


@pytest.fixture(scope="module")
def data() -> bytes:
    """An archive of 64 MB with some compression."""
    return gc.encode({"title": "large", "values": VALUES, "others": VALUES.astype("f8") / 3})


class Counting:
    """Counts requests and bytes, and fails now and then."""

    def __init__(self, data: bytes, failures: int = 0) -> None:
        self.data, self.size, self.failures = data, len(data), failures
        self.requests: list[tuple[int, int]] = []

    def fetch(self, start: int, end: int) -> bytes:
        self.requests.append((start, end))
        if self.failures:
            self.failures -= 1
            raise ConnectionResetError("reset")
        return self.data[start:end]


def test_an_element_takes_four_requests(data: bytes) -> None:
    fetcher = Counting(data)
    archive = gc.Archive(RemoteSource(fetcher))
    assert archive.root.title == "large"
    assert archive.root.others[COUNT * 3 + 7] == VALUES[COUNT * 3 + 7] / 3
    assert len(fetcher.requests) <= 4
    assert sum(end - start for start, end in fetcher.requests) < 3 << 20


def test_long_reads_are_coalesced_and_tried_again(data: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("time.sleep", lambda _: None)
    fetcher = Counting(data)
    archive = gc.Archive(RemoteSource(fetcher))
    array = archive.root.values
    fetcher.failures = 3
    assert np.array_equal(array[:], VALUES)
    assert len(fetcher.requests) <= 4 + 3 + len(data) // (4 << 20)
    fetcher.failures = 100
    with pytest.raises(ConnectionResetError):
        archive.root.others[0]


def test_extents_that_are_close_are_one_request() -> None:
    extents = [(0, 10), (10, 10), (1000, 5), (1 << 30, 10), (5, 1)]
    assert [len(group) for group in coalesced(extents)] == [3, 1, 1]
    assert [len(group) for group in coalesced([(i << 20, 1 << 20) for i in range(40)])] == [16, 16, 8]


def test_series_are_listed_by_few_requests(tmp_path: Path) -> None:
    with gc.SeriesWriter(tmp_path / "a.gcseries", synchronized=False) as writer:
        for number in range(200):
            writer.append({"x": VALUES[number : number + 9000]}, step=number)
    fetcher = Counting((tmp_path / "a.gcseries").read_bytes())
    series = gc.Series(RemoteSource(fetcher))
    assert len(series) == 200 and series[100].root.x[1] == VALUES[101]
    assert len(fetcher.data) > 4 << 20 and len(fetcher.requests) < 20


def test_files_in_memory_of_fsspec(data: bytes) -> None:
    fsspec = pytest.importorskip("fsspec")
    memory = fsspec.filesystem("memory")
    memory.pipe("/a.gcodable", data)
    archive = gc.open("memory://a.gcodable")
    assert isinstance(archive, gc.Archive) and archive.root.values[-1] == VALUES[-1]
    memory.pipe("/a.gcodable", data[:-1])
    with pytest.raises(gc.GraphCodableError, match="changed"):
        archive.root.values[0]
