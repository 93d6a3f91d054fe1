"""Damaged and forged archives: a `GraphCodableError`, and no other exception."""

from __future__ import annotations

import random
from pathlib import Path

import corpus
import numpy as np
import pytest
from document import example
from forge import archive, resealed, seal, varint

import graphcodable as gc
from graphcodable.format.segment import GRAPH

MUTATIONS = 40  # For each archive.
EXAMPLES = [("example", example("Example: a shared object")), ("bulk example", example("Example: a bulk segment"))]
ARCHIVES = EXAMPLES + [(p.name, p.read_bytes()) for p in corpus.valid_files() if p.suffix == ".gcodable"]
SERIES = [("series example", example("Example: a series"))]
SERIES += [(p.name, p.read_bytes()) for p in corpus.valid_files() if p.suffix == ".gcseries"]


def read_all(archive: gc.Archive) -> None:
    """Reads an archive by its proxies."""
    for _ in archive.tree(200, 1000).splitlines():
        pass
    for value in archive.objects:
        if isinstance(value, gc.Array):
            np.asarray(value)
        if isinstance(value, gc.Record):
            list(value)


@pytest.mark.parametrize(("name", "data"), ARCHIVES, ids=[name for name, _ in ARCHIVES])
def test_truncated_archives_are_refused(name: str, data: bytes) -> None:
    step = 1 + len(data) // 400
    for size in {*range(0, len(data), step), len(data) - 1}:
        with pytest.raises(gc.GraphCodableError) as caught:
            gc.Archive(data[:size]).verify()
        assert caught.value.rule in ("H1", "H2", "H6")


@pytest.mark.parametrize(("name", "data"), SERIES, ids=[name for name, _ in SERIES])
def test_truncated_series_have_the_entries_that_are_whole(name: str, data: bytes) -> None:
    count = len(gc.Series(data))
    for size in range(0, len(data), 1 + len(data) // 400):
        try:
            series = gc.Series(data[:size])
            assert len(series) <= count
            series.verify()
        except gc.GraphCodableError:
            continue


@pytest.mark.parametrize(("name", "data"), ARCHIVES, ids=[name for name, _ in ARCHIVES])
def test_mutations_with_matching_checksums_raise_no_other_error(name: str, data: bytes) -> None:
    whole, numbers = gc.Archive(data), random.Random(name)
    for _ in range(MUTATIONS):
        changed = bytearray(data)
        for _ in range(numbers.choice((1, 1, 1, 2, 4))):
            place = numbers.randrange(40, len(data))
            changed[place] = numbers.choice((0, 1, 2, 3, 255, numbers.randrange(256), changed[place] ^ 1))
        for use in (gc.Archive.verify, read_all):
            try:
                use(gc.Archive(resealed(bytes(changed), whole)))
            except gc.GraphCodableError as error:
                assert str(error)


@pytest.mark.parametrize(("name", "data"), SERIES, ids=[name for name, _ in SERIES])
def test_mutated_series_raise_no_other_error(name: str, data: bytes) -> None:
    numbers = random.Random(name)
    for _ in range(MUTATIONS if data else 0):
        changed = bytearray(data)
        place = numbers.randrange(len(data))
        changed[place] ^= 1 << numbers.randrange(8)
        try:
            series = gc.Series(bytes(changed))
            series.verify()
            for entry in series:
                read_all(entry.archive)
        except gc.GraphCodableError as error:
            assert str(error)


@pytest.mark.parametrize(("name", "data"), ARCHIVES, ids=[name for name, _ in ARCHIVES])
def test_a_changed_bit_is_found(name: str, data: bytes) -> None:
    numbers = random.Random(name)
    for _ in range(20):
        changed = bytearray(data)
        changed[numbers.randrange(len(data))] ^= 1 << numbers.randrange(8)
        with pytest.raises(gc.GraphCodableError):
            gc.Archive(bytes(changed)).verify()


def test_other_files_are_not_archives(tmp_path: Path) -> None:
    for data in (b"", b"gcodabl", b"PK\3\4" + bytes(100)):
        (tmp_path / "file").write_bytes(data)
        with pytest.raises(gc.GraphCodableError) as caught:
            gc.open(tmp_path / "file")
        assert caught.value.rule == "H1"


def test_lengths_that_no_array_of_numpy_has_are_an_error() -> None:
    # 0 arrays of 2^62 arrays of 2^62 bytes.
    opened = gc.Archive(archive(bytes.fromhex("060b0703 01 000000000000000080 00000000000000008001".replace(" ", ""))))
    opened.verify()
    with pytest.raises(gc.GraphCodableError):
        opened.root[:]


@pytest.mark.parametrize(("name", "data"), ARCHIVES, ids=[name for name, _ in ARCHIVES])
def test_damage_in_a_block_that_no_value_needs_is_found(name: str, data: bytes) -> None:
    graph = gc.Archive(data).reader.contents.segment(GRAPH)
    if graph is None:
        return
    for start in graph.starts[:-1].tolist():
        changed = bytearray(data)
        changed[graph.blocks_offset + start] ^= 1
        with pytest.raises(gc.GraphCodableError) as caught:
            gc.Archive(bytes(changed)).verify()
        assert caught.value.rule == "S11"


def test_layouts_of_more_than_a_block_are_refused() -> None:
    def contents(count: int) -> bytes:
        # Without keys: fields of 64 integers of 128 bits, 2^10 bytes each; the root is a bool.
        fields = (b"\x01" + bytes.fromhex("b603")) * count
        return b"\x20\x01" + varint(1) + varint(count) + fields + b"\x01" + b"\x11\x01"

    gc.Archive(seal(b"", contents(1024))).verify()
    with pytest.raises(gc.GraphCodableError) as caught:
        gc.Archive(seal(b"", contents(1025))).verify()
    assert caught.value.rule == "C9"


def test_a_header_that_looks_like_an_archive_is_damage_where_a_series_is_expected() -> None:
    data = example("Example: a series")
    archive = data[64:109]
    damaged = archive.ljust(64, b"\0") + data[64:]
    with pytest.raises(gc.GraphCodableError) as caught:
        gc.Series(damaged).verify()
    assert caught.value.rule == "R3"
    with pytest.raises(gc.GraphCodableError, match="H6"):
        gc.open(damaged)
