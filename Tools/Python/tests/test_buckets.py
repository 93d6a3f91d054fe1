"""Archives and series in buckets of S3 servers: how many requests, how many bytes, and what changes underneath."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest
from saved import Known, save_entry, save_index

import graphcodable as gc
from graphcodable.files.folders import FolderEntry, FolderSeries

if TYPE_CHECKING:
    from servers import Bucket

COUNT = 1 << 22
VALUES = np.random.default_rng(1).integers(0, 1 << 20, COUNT).cumsum()


@pytest.fixture(scope="module")
def data() -> bytes:
    """An archive of 64 MB with some compression."""
    return gc.encode({"title": "large", "values": VALUES, "others": VALUES.astype("f8") / 3})


@pytest.fixture
def filled(bucket: Bucket, data: bytes) -> Bucket:
    bucket.direct.put("a.gcodable", data)
    return bucket


def test_an_element_takes_four_requests(filled: Bucket) -> None:
    with gc.open(filled.url("a.gcodable"), storage_options=filled.options) as archive:
        assert isinstance(archive, gc.Archive)
        assert archive.root.values[COUNT // 2] == VALUES[COUNT // 2]
        served = filled.served()
        assert len(served) <= 4 and sum(each.byte_count for each in served) <= 3 << 20
        assert all(each.status == 206 for each in served)


def test_long_reads_are_few_requests(filled: Bucket, data: bytes) -> None:
    with gc.open(filled.url("a.gcodable"), storage_options=filled.options) as archive:
        assert isinstance(archive, gc.Archive)
        assert np.array_equal(archive.root.values[:], VALUES)
        assert len(filled.served()) <= 4 + len(data) // (4 << 20)
        archive.verify()


def test_an_object_that_is_replaced_is_an_error(filled: Bucket, data: bytes) -> None:
    archive = gc.open("a.gcodable", store=filled.store)
    assert isinstance(archive, gc.Archive)
    filled.direct.put("a.gcodable", data[:-1] + b"x")
    with pytest.raises(gc.GraphCodableError, match="changed"):
        archive.root.values[5]
    # The server has compared the tag, and sent nothing.
    assert filled.served()[-1].status == 412


def test_an_object_that_is_removed_is_an_error(filled: Bucket) -> None:
    archive = gc.open("a.gcodable", store=filled.store)
    assert isinstance(archive, gc.Archive)
    filled.direct.delete("a.gcodable")
    with pytest.raises((gc.GraphCodableError, FileNotFoundError)):
        archive.root.values[5]


def test_series_and_empty_objects(bucket: Bucket, tmp_path: Path) -> None:
    path = tmp_path / "a.gcseries"
    with gc.SeriesWriter(path) as writer:
        writer.append(7)
    bucket.store.put("a.gcseries", path.read_bytes())
    series = gc.open("a.gcseries", store=bucket.store)
    assert isinstance(series, gc.Series) and series[0].root == 7
    bucket.store.put("empty", b"")
    with pytest.raises(gc.GraphCodableError) as caught:
        gc.open("empty", store=bucket.store)
    assert caught.value.rule == "H1"
    with pytest.raises(FileNotFoundError):
        gc.open("nothing", store=bucket.store)


def test_series_are_listed_by_few_requests(bucket: Bucket, tmp_path: Path) -> None:
    path = tmp_path / "a.gcseries"
    with gc.SeriesWriter(path, synchronized=False) as writer:
        for number in range(200):
            writer.append({"x": VALUES[number : number + 9000]}, step=number)
    bucket.direct.put("a.gcseries", path)
    series = gc.open(bucket.url("a.gcseries"), storage_options=bucket.options)
    assert isinstance(series, gc.Series) and len(series) == 200
    assert series[100].root.x[1] == VALUES[101]
    assert path.stat().st_size > 4 << 20 and len(bucket.served()) < 20


def test_file_systems_of_fsspec(filled: Bucket, data: bytes) -> None:
    archive = gc.open(f"{filled.name}/a.gcodable", store=filled.file_system())
    assert isinstance(archive, gc.Archive) and archive.root.values[-1] == VALUES[-1]
    filled.direct.put("a.gcodable", data[:-1] + b"x")
    with pytest.raises(gc.GraphCodableError, match="changed"):
        archive.root.values[0]


def test_series_of_archives(bucket: Bucket, tmp_path: Path) -> None:
    xarray = pytest.importorskip("xarray")
    for number in range(12):
        save_entry(tmp_path, number, {"x": VALUES[: 1 << 20] + number}, number, repr(number / 2))
    listed = [Known(e.number, e.step, e.time, e.metadata, e.size, e.archive_hash) for e in FolderSeries(tmp_path)]
    save_index(tmp_path, listed[:9])
    bucket.put_folder(tmp_path, "run")
    url, options = bucket.url("run"), bucket.options
    bucket.forget()
    series = FolderSeries(url, storage_options=options)
    assert [entry.time for entry in series] == [number / 2 for number in range(12)] and not series.damage
    # The list, the index, and of entries that this does not know header and contents.
    assert len(bucket.served()) <= 2 + 3 * 2
    bucket.forget()
    found = gc.open(url, storage_options=options)
    assert isinstance(found, FolderSeries) and len(found) == 12
    # Is there an object with the name, or a manifest in the folder?
    assert len(bucket.served()) <= 2 + 2 + 3 * 2
    bucket.forget()
    assert found[3].root.x[1 << 19] == VALUES[1 << 19] + 3
    assert len(bucket.served()) <= 4
    series[4].verify()
    entry = found[5]
    assert isinstance(entry, FolderEntry) and isinstance(gc.open(entry.url, storage_options=options), gc.Archive)
    data = xarray.open_dataset(url, engine="graphcodable", storage_options=options, chunks={})
    assert data.step.values.tolist() == list(range(12)) and int(data.x[10, :5].sum()) == VALUES[:5].sum() + 50
    system, folder = bucket.file_system(), f"{bucket.name}/run"
    found = gc.open(folder, store=system)
    assert isinstance(found, FolderSeries) and len(found) == 12 and found[-1].root.x[0] == VALUES[0] + 11
    bucket.store.delete("run/entry-000000000004.gcodable")
    other = bucket.store.get("run/entry-000000000006.gcodable").bytes().to_bytes()
    bucket.store.put("run/entry-000000000005.gcodable", other)
    assert [str(error).removeprefix("F2: ")[:27] for error in FolderSeries(folder, store=system).damage] == ["entry-000000000004.gcodable"]
    with pytest.raises(gc.GraphCodableError, match="not the archive that was listed"):
        series[5].archive
