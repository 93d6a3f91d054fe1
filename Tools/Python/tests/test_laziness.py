"""What is read when, and what is copied."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import lz4.block
import numpy as np
import pytest
from forge import digest, seal, varint

import graphcodable as gc
from graphcodable.format import segment_reader
from graphcodable.format.source import MemorySource

BLOCK, BLOCKS = 1024, 8
VALUES = (np.arange(BLOCK // 8 * BLOCKS) // 40).astype("<f8")


def array_archive(compressed: bool) -> bytes:
    """An array in a bulk segment of eight blocks, stored or shuffled and compressed."""
    raw = [VALUES.tobytes()[start : start + BLOCK] for start in range(0, VALUES.nbytes, BLOCK)]
    if compressed:
        raw = [lz4.block.compress(np.frombuffer(b, "u1").reshape(-1, 8).T.tobytes(), store_size=False) for b in raw]
    header = b"GSEG" + bytes([2, int(compressed), 11, 0]) + VALUES.nbytes.to_bytes(8, "little")
    header += b"".join(n.to_bytes(4, "little") for n in (BLOCK, 8, BLOCKS))
    header += bytes([int(compressed), 0 if compressed else 6]) + bytes(10)
    header += b"\x01\0\0\0\x08" + bytes(11) if compressed else b""
    header += b"".join(len(b).to_bytes(4, "little") + digest(b) for b in raw)
    header += digest(header)
    front = header if compressed else bytes(24) + header + bytes(-len(header) % 64)
    front += b"".join(raw)
    stream = b"\x0b\x17" + varint(2 * len(VALUES) + 1) + varint(0)
    return seal(front, bytes([1]) + varint(1) + header + varint(0) + varint(0) + stream)


class Counting(MemorySource):
    def __init__(self, data: bytes) -> None:
        super().__init__(memoryview(data))
        self.reads: list[tuple[int, int]] = []

    def read(self, offset: int, count: int) -> memoryview:
        self.reads.append((offset, count))
        return super().read(offset, count)

    def count_within(self, extents: Iterable[tuple[int, int]]) -> int:
        return sum(any(offset < b and a < offset + count for offset, count in self.reads) for a, b in extents)


def blocks_read(source: Counting, archive: gc.Archive) -> int:
    its = archive.reader.contents.segments[0]
    starts = [its.blocks_offset + int(start) for start in its.starts]
    return source.count_within(zip(starts, starts[1:]))


@pytest.mark.parametrize("compressed", [False, True])
def test_slices_read_only_their_blocks(compressed: bool) -> None:
    source = Counting(array_archive(compressed))
    archive = gc.Archive(source)
    array = archive.root
    assert blocks_read(source, archive) == 0
    per_block = BLOCK // 8
    assert np.array_equal(array[2 * per_block : 3 * per_block], VALUES[2 * per_block : 3 * per_block])
    assert blocks_read(source, archive) == 1
    assert np.array_equal(array[5 * per_block - 1 : 5 * per_block + 1], VALUES[5 * per_block - 1 : 5 * per_block + 1])
    assert blocks_read(source, archive) == 3
    assert array[-1] == VALUES[-1]
    assert blocks_read(source, archive) == 4
    assert np.array_equal(array[:], VALUES)
    assert np.array_equal(array[::-7], VALUES[::-7])
    archive.verify()


def test_stored_arrays_are_views_of_what_is_in_memory() -> None:
    data = array_archive(False)
    whole = gc.Archive(data).root[:]
    assert np.shares_memory(whole, np.frombuffer(data, np.uint8))
    assert not whole.flags.writeable


def test_arrays_of_mapped_files_outlive_the_archive(tmp_path: Path) -> None:
    path = tmp_path / "a.gcodable"
    path.write_bytes(array_archive(False))
    with gc.open(path) as archive:
        assert isinstance(archive, gc.Archive)
        whole = archive.root[:]
    assert np.array_equal(whole, VALUES)


def test_damage_is_found_where_it_is_read_and_nowhere_else() -> None:
    data = bytearray(array_archive(False))
    data[-100 - BLOCK] ^= 1  # In one of the last blocks.
    archive = gc.Archive(bytes(data))
    assert archive.root[0] == 0
    for read in (archive.verify, lambda: archive.root[:]):
        with pytest.raises(gc.GraphCodableError) as caught:
            read()
        assert caught.value.rule == "S11"


def test_long_arrays_are_expanded_by_several_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(segment_reader, "FEWEST_FOR_THREADS", 1)
    data = bytearray(array_archive(True))
    assert np.array_equal(gc.Archive(bytes(data)).root[3:-3], VALUES[3:-3])
    data[gc.Archive(bytes(data)).reader.contents.segments[0].end - 1] ^= 1
    with pytest.raises(gc.GraphCodableError) as caught:
        gc.Archive(bytes(data)).root[:]
    assert caught.value.rule == "S11"
