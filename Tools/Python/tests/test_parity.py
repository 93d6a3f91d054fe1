"""Lost sectors come back from parity, which is made here as Documentation/Format-2.md says."""

from __future__ import annotations

import random
import struct
from pathlib import Path

import corpus
import graphcodable
import numpy as np
import pytest
import xxhash
from graphcodable.writing.parity import PER_BLOCK, PRODUCTS, SECTOR, Layout, factor


def hashed(data: bytes) -> int:
    return xxhash.xxh3_64_intdigest(data)


def protect(path: Path, words: int, parities: int, sums: int) -> None:
    data = path.read_bytes()
    layout = Layout(len(data), words, parities, sums)
    padded = np.frombuffer(data.ljust(layout.sectors * SECTOR, b"\0"), np.uint8).reshape(-1, SECTOR)
    made = np.zeros((layout.parity_sectors, SECTOR), np.uint8)
    for number, sector in enumerate(padded):
        row, word = divmod(number, words)
        for parity in range(parities):
            made[parity * words + word] ^= PRODUCTS[factor(parity, row)][sector]
        if sums:
            made[words * parities + (word + row) % sums] ^= sector
    checksums = [hashed(sector.tobytes()) & 0xFFFF_FFFF for sector in (*padded, *made)]
    packed = struct.pack(f"<{len(checksums)}I", *checksums)
    blocks = []
    for number in range(layout.blocks):
        fields = struct.pack(
            "<8sHHIQQQIIIIQQQ", b"gcparity", 1, 0, number, 0, 0, len(data), words, parities, sums, 200,
            hashed(data[:40]), hashed(packed), 0,
        )  # fmt: skip
        body = (fields + packed[number * PER_BLOCK * 4 :][: PER_BLOCK * 4]).ljust(SECTOR - 8, b"\0")
        blocks.append(body + hashed(body).to_bytes(8, "little"))
    Path(f"{path}.gcparity").write_bytes(b"".join(blocks) + made.tobytes() + b"".join(reversed(blocks)))


@pytest.fixture
def protected(tmp_path: Path) -> Path:
    path = tmp_path / "state.gcodable"
    graphcodable.save({"x": np.arange(60_000.0)}, path, compressed=False)
    protect(path, 7, 2, 5)
    return path


def test_what_is_lost_comes_back(protected: Path) -> None:
    good, draw = protected.read_bytes(), random.Random(46)
    assert graphcodable.check_parity(protected).is_intact
    for trial in range(40):
        damaged = bytearray(good)
        start = draw.randrange(len(good) - 20_000)
        damaged[start : start + 20_000] = bytes([trial]) * 20_000
        damaged[draw.randrange(len(good))] ^= 1
        protected.write_bytes(damaged[: len(good) - 5 * (trial % 2)])
        found = graphcodable.repair(protected)
        assert found.restored == found.lost > 0
        assert found.is_cut == bool(trial % 2)
        assert protected.read_bytes() == good


def test_a_damaged_table_has_a_copy(protected: Path) -> None:
    good, parity = protected.read_bytes(), Path(f"{protected}.gcparity")
    whole = parity.read_bytes()
    for lost in (range(SECTOR), range(len(whole) - SECTOR, len(whole)), range(SECTOR, 2 * SECTOR)):
        damaged = bytearray(whole)
        for place in lost:
            damaged[place] = 0
        parity.write_bytes(damaged)
        protected.write_bytes(bytes(3 * SECTOR) + good[3 * SECTOR :])
        graphcodable.repair(protected)
        assert protected.read_bytes() == good


def test_beyond_the_bound_nothing_changes(protected: Path, tmp_path: Path) -> None:
    damaged = bytes(100) * 2_000 + protected.read_bytes()[200_000:]
    protected.write_bytes(damaged)
    with pytest.raises(graphcodable.GraphCodableError, match="cannot be restored") as caught:
        graphcodable.repair(protected)
    assert caught.value.code == "damaged"
    assert protected.read_bytes() == damaged
    with pytest.raises(FileNotFoundError):
        graphcodable.repair(tmp_path / "other")


def test_another_file_is_left_alone(protected: Path) -> None:
    graphcodable.save({"x": np.arange(60_000.0) + 1}, protected, compressed=False)
    new = protected.read_bytes()
    with pytest.raises(graphcodable.GraphCodableError, match="was changed") as caught:
        graphcodable.repair(protected)
    assert caught.value.code == "invalidValue"
    assert protected.read_bytes() == new


def test_a_series_that_is_cut_between_entries_comes_back(tmp_path: Path) -> None:
    path, ends = tmp_path / "run.gcseries", []
    with graphcodable.SeriesWriter(path) as writer:
        for step in range(4):
            writer.append({"x": np.arange(2_000.0) * (step + 1)}, step=step, time=0.0)
            ends.append(path.stat().st_size)
    good = path.read_bytes()
    protect(path, 1, 60, 0)
    for end in ends[1:-1]:
        path.write_bytes(good[:end])
        found = graphcodable.repair(path)
        assert found.is_cut and found.restored == found.lost
        assert path.read_bytes() == good


def test_a_series_whose_last_record_is_damaged_comes_back(tmp_path: Path) -> None:
    """It is valid, and has an entry less; but nothing that is valid would be changed."""
    path, ends = tmp_path / "run.gcseries", []
    with graphcodable.SeriesWriter(path, compressed=False) as writer:
        for step in range(3):
            writer.append({"x": np.arange(2_000.0) * (step + 1)}, step=step, time=0.0)
            ends.append(path.stat().st_size)
    good = path.read_bytes()
    protect(path, 3, 2, 2)
    for start, end in ((len(good) - 1, len(good)), (len(good) - 128, len(good)), (ends[1] + 100, len(good)), (ends[1], ends[1] + 40)):
        damaged = bytearray(good)
        for place in range(start, end):
            damaged[place] ^= 1
        path.write_bytes(damaged)
        with graphcodable.open(path) as series:
            assert isinstance(series, graphcodable.Series) and (len(series) < 3 or start == ends[1])
        found = graphcodable.repair(path)
        assert found.restored == found.lost > 0
        assert path.read_bytes() == good


def test_a_series_that_was_changed_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "run.gcseries"
    with graphcodable.SeriesWriter(path) as writer:
        writer.append({"x": np.arange(100.0)}, step=1)
    one = path.read_bytes()
    with graphcodable.SeriesWriter(path) as writer:
        writer.append({"x": np.arange(100.0) + 1}, step=2)
    protect(path, 1, 2, 0)
    path.write_bytes(one)
    with graphcodable.SeriesWriter(path) as writer:
        writer.append({"x": np.arange(100.0) + 2}, step=2)
    new = path.read_bytes()
    with pytest.raises(graphcodable.GraphCodableError, match="was changed"):
        graphcodable.repair(path)
    assert path.read_bytes() == new


def test_parity_that_swift_has_written(tmp_path: Path) -> None:
    for name in ("state.gcodable", "state.gcodable.gcparity"):
        (tmp_path / name).write_bytes((corpus.FOLDER / "swift" / "protected" / name).read_bytes())
    path = tmp_path / "state.gcodable"
    good = path.read_bytes()
    assert graphcodable.check_parity(path).is_intact
    for start in range(0, len(good), 5_000):
        path.write_bytes(good[:start] + bytes(len(good[start:][:3_000])) + good[start + 3_000 :])
        graphcodable.repair(path)
        assert path.read_bytes() == good


def test_a_series_with_a_writer_is_not_replaced(tmp_path: Path) -> None:
    """Otherwise what it appends meanwhile would be gone with the file that is replaced."""
    path = tmp_path / "run.gcseries"
    writer = graphcodable.SeriesWriter(path, compressed=False)
    writer.append({"x": np.arange(9_000.0)}, step=1)
    protect(path, 3, 2, 2)
    whole = path.read_bytes()
    damaged = bytearray(whole)
    damaged[100] ^= 1
    with path.open("r+b") as file:
        file.write(damaged)
    with pytest.raises(graphcodable.GraphCodableError, match="another writer") as caught:
        graphcodable.repair(path)
    assert caught.value.code == "locked" and path.read_bytes() == damaged
    assert graphcodable.repair(path, tmp_path / "copy.gcseries").restored == 1
    assert (tmp_path / "copy.gcseries").read_bytes() == whole
    writer.close()
    assert graphcodable.repair(path).restored == 1 and path.read_bytes() == whole
