"""Archives in object stores: how many requests, how many bytes, and what changes underneath."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from saved import Known, piece_fields, save_entry, save_index, save_set_of_series

import graphcodable as gc
from graphcodable.folders import FolderEntry, FolderSeries
from graphcodable.remote import RemoteSource, StoreFetcher, coalesced

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
    assert len(fetcher.data) > 5 << 20 and len(fetcher.requests) < 20


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    """An S3 server on the loopback address."""
    pytest.importorskip("moto.server")
    pytest.importorskip("obstore")
    from moto.server import ThreadedMotoServer

    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    running = ThreadedMotoServer("127.0.0.1", port, verbose=False)
    running.start()
    yield f"http://127.0.0.1:{port}"
    running.stop()


@pytest.fixture(scope="module")
def options(server: str) -> dict[str, Any]:
    return {
        "endpoint": server, "access_key_id": "a", "secret_access_key": "b", "region": "us-east-1",
        "virtual_hosted_style_request": False, "client_options": {"allow_http": True},
    }  # fmt: skip


@pytest.fixture(scope="module")
def bucket(server: str, options: dict[str, Any], data: bytes) -> Any:
    import urllib.request

    from obstore.store import S3Store

    urllib.request.urlopen(urllib.request.Request(f"{server}/bucket", method="PUT")).read()
    store = S3Store("bucket", **options)
    store.put("a.gcodable", data)
    return store


def test_an_element_over_s3_takes_four_requests(
    bucket: Any, options: dict[str, Any], monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    sizes: list[int] = []
    fetch = StoreFetcher.fetch

    def counting(self: StoreFetcher, start: int, end: int) -> bytes:
        result = fetch(self, start, end)
        sizes.append(len(result))
        return result

    monkeypatch.setattr(StoreFetcher, "fetch", counting)
    caplog.clear()
    with gc.open("s3://bucket/a.gcodable", storage_options=options) as archive:
        assert isinstance(archive, gc.Archive)
        assert archive.root.values[COUNT * 2] == VALUES[COUNT * 2]
        # The server logs each request.
        served = [record.getMessage() for record in caplog.records if "/bucket/a.gcodable" in record.getMessage()]
        assert len(sizes) <= len(served) <= 4 and sum(sizes) <= 3 << 20
        assert np.array_equal(archive.root.values[:], VALUES)
        archive.verify()


def test_an_object_that_is_replaced_is_an_error(bucket: Any, data: bytes) -> None:
    bucket.put("b.gcodable", data)
    archive = gc.open("b.gcodable", store=bucket)
    assert isinstance(archive, gc.Archive)
    bucket.put("b.gcodable", data[:-1] + b"x")
    with pytest.raises(gc.GraphCodableError, match="changed"):
        archive.root.values[5]


def test_series_and_empty_objects_in_a_store(bucket: Any, tmp_path: Path) -> None:
    path = tmp_path / "a.gcseries"
    with gc.SeriesWriter(path) as writer:
        writer.append(7)
    bucket.put("a.gcseries", path.read_bytes())
    series = gc.open("a.gcseries", store=bucket)
    assert isinstance(series, gc.Series) and series[0].root == 7
    bucket.put("empty", b"")
    with pytest.raises(gc.GraphCodableError) as caught:
        gc.open("empty", store=bucket)
    assert caught.value.rule == "H1"
    with pytest.raises(FileNotFoundError):
        gc.open("nothing", store=bucket)


def test_series_of_sets_in_a_bucket(
    server: str, bucket: Any, options: dict[str, Any], tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    pytest.importorskip("s3fs")
    import fsspec

    array = piece_fields("x", [20_000], [(0, "", [0], [10_000]), (1, "", [10_000], [10_000])])
    for number in range(12):
        parts = [np.arange(10_000.0) + number, np.arange(10_000, 20_000.0) + number]
        save_set_of_series(tmp_path, number, parts, [array], number, number / 2)
    for path in tmp_path.rglob("*.gcodable"):
        bucket.put(f"runs/{path.relative_to(tmp_path)}", path.read_bytes())
    bucket.put("runs/set-000000000012/set.gcodable", b"")

    def served() -> list[str]:
        return [text for record in caplog.records if "/bucket" in (text := record.getMessage())]

    caplog.clear()
    series = gc.SetSeries("s3://bucket/runs", storage_options=options)
    assert [entry.step for entry in series] == list(range(12)) and not series.damage
    # The list, an index that is not there, and the manifests, of which one has no bytes.
    assert len(served()) <= 2 + 12 + 2
    caplog.clear()
    assert series[3].archive_set.array("x")[9_999:10_001].tolist() == [10_002, 10_003]
    assert len(served()) <= 3
    series[4].verify()
    found = gc.open("s3://bucket/runs", storage_options=options)
    assert isinstance(found, gc.SetSeries) and len(found) == 12
    assert isinstance(gc.open(found[5].url, storage_options=options), gc.ArchiveSet)
    system = fsspec.filesystem("s3", key="a", secret="b", endpoint_url=server)
    found = gc.open("bucket/runs", store=system)
    assert isinstance(found, gc.SetSeries) and len(found) == 12 and not found.damage
    assert found[5].archive_set.array("x")[-1] == 20_004
    system.pipe("bucket/runs/set-000000000013/set.gcodable", bucket.get("runs/set-000000000011/set.gcodable").bytes().to_bytes())
    assert len(gc.SetSeries("bucket/runs", store=system)) == 13
    with pytest.raises(FileNotFoundError):
        gc.open("bucket/none", store=system)
    with pytest.raises(FileNotFoundError):
        gc.open("s3://bucket/none", storage_options=options)


def test_series_of_archives_in_a_bucket(
    server: str, bucket: Any, options: dict[str, Any], tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    pytest.importorskip("s3fs")
    xarray = pytest.importorskip("xarray")
    import fsspec

    for number in range(12):
        save_entry(tmp_path, number, {"x": VALUES[: 1 << 20] + number}, number, repr(number / 2))
    listed = [Known(e.number, e.step, e.time, e.metadata, e.size, e.archive_hash) for e in FolderSeries(tmp_path)]
    save_index(tmp_path, listed[:9])
    for path in tmp_path.iterdir():
        bucket.put(f"run/{path.name}", path.read_bytes())

    def served() -> int:
        return sum("/bucket" in record.getMessage() for record in caplog.records)

    caplog.clear()
    series = FolderSeries("s3://bucket/run", storage_options=options)
    assert [entry.time for entry in series] == [number / 2 for number in range(12)] and not series.damage
    # The list, the index, and of entries that this does not know header and contents.
    assert served() <= 2 + 3 * 2
    caplog.clear()
    found = gc.open("s3://bucket/run", storage_options=options)
    assert isinstance(found, FolderSeries) and len(found) == 12
    # Is there an object with the name, or a manifest in the folder?
    assert served() <= 2 + 2 + 3 * 2
    caplog.clear()
    assert found[3].root.x[1 << 19] == VALUES[1 << 19] + 3
    assert served() <= 4
    series[4].verify()
    entry = found[5]
    assert isinstance(entry, FolderEntry) and isinstance(gc.open(entry.url, storage_options=options), gc.Archive)
    data = xarray.open_dataset("s3://bucket/run", engine="graphcodable", storage_options=options, chunks={})
    assert data.step.values.tolist() == list(range(12)) and int(data.x[10, :5].sum()) == VALUES[:5].sum() + 50
    system = fsspec.filesystem("s3", key="a", secret="b", endpoint_url=server)
    found = gc.open("bucket/run", store=system)
    assert isinstance(found, FolderSeries) and len(found) == 12 and found[-1].root.x[0] == VALUES[0] + 11
    bucket.delete("run/entry-000000000004.gcodable")
    bucket.put("run/entry-000000000005.gcodable", bucket.get("run/entry-000000000006.gcodable").bytes().to_bytes())
    assert [str(error)[:27] for error in FolderSeries("bucket/run", store=system).damage] == ["entry-000000000004.gcodable"]
    with pytest.raises(gc.GraphCodableError, match="not the archive that was listed"):
        series[5].archive


def test_file_systems_of_fsspec(server: str, bucket: Any, data: bytes) -> None:
    pytest.importorskip("s3fs")
    import fsspec

    system = fsspec.filesystem("s3", key="a", secret="b", endpoint_url=server)
    archive = gc.open("bucket/a.gcodable", store=system)
    assert isinstance(archive, gc.Archive) and archive.root.values[-1] == VALUES[-1]
    memory = fsspec.filesystem("memory")
    memory.pipe("/a.gcodable", data)
    archive = gc.open("memory://a.gcodable")
    assert isinstance(archive, gc.Archive) and archive.root.values[-1] == VALUES[-1]
    memory.pipe("/a.gcodable", data[:-1])
    with pytest.raises(gc.GraphCodableError, match="changed"):
        archive.root.values[0]
