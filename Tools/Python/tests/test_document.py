"""The tables and the worked examples of the format's document."""

from __future__ import annotations

import numpy as np
from document import example, rows

import graphcodable as gc
from graphcodable.format.kinds import KINDS, LANES, LATER, MEANINGS, SCALARS, packed_format
from graphcodable.format.varint import Reader, unzigzag


def test_varints_are_as_in_the_table() -> None:
    for value, data in rows("Varint"):
        assert Reader(bytes.fromhex(data), 0, "C3").varint() == int(value)


def test_zigzag_is_as_in_the_table() -> None:
    for value, unsigned, data in rows("Zigzag"):
        assert Reader(bytes.fromhex(data), 0, "C3").varint() == int(unsigned)
        assert unzigzag(int(unsigned)) == int(value)


def test_kinds_are_those_of_the_table() -> None:
    assert {int(number, 16): name for number, name, _ in rows("Kinds")} == {n: name for n, name in KINDS.items() if n < LATER}


def test_scalars_lanes_and_meanings_are_those_of_the_tables() -> None:
    scalars = {int(row[0]): (row[1], int(row[2])) for row in rows("Packed formats", 0)}
    assert scalars == {number: (name, dtype.itemsize) for number, (name, dtype) in SCALARS.items() if number <= 24}
    assert [dtype.itemsize for number, (_, dtype) in SCALARS.items() if number > 24] == [1, 2, 4, 8, 16, 16, 32]
    assert tuple(int(lanes) for _, lanes in rows("Packed formats", 1)) == LANES
    numbers = {name: number for number, (name, _) in SCALARS.items()}
    for number, name, lanes, scalar, _ in rows("Packed formats", 2)[1:]:
        assert MEANINGS[int(number)] == (name, int(lanes), numbers.get(scalar, 0))


def test_formats_that_the_text_names() -> None:
    assert str(packed_format(0x0B)) == "float64"
    assert str(packed_format(0x4A)) == "float32 × 3"
    assert str(packed_format(0x12B)) == "float64 × 2 (range)"
    assert packed_format(0) is None and packed_format(32) is None and packed_format(1 << 16 | 1) is None


def test_a_shared_object_has_one_identity() -> None:
    archive = gc.Archive(example("Example: a shared object"))
    archive.verify()
    root = archive.root
    assert (root.label, root["change"], root[1], len(root)) == ("pair", -3, -3, 4)
    assert root.first is root.second
    assert root.first.mass == 1.5
    assert root.first.type_name == "DocumentationTests.Weight"
    assert [c.mangled_name for c in archive.classes] == ["18DocumentationTests6WeightC"]
    assert root.keys() == ["label", "change", "first", "second"]
    assert "mass" in root.first and "label" not in root.first


def test_a_bulk_segment_is_an_array() -> None:
    archive = gc.Archive(example("Example: a bulk segment"))
    archive.verify()
    root = archive.root
    assert (len(root), root.dtype, root.segment) == (16384, np.uint8, 0)
    assert not np.asarray(root).any()


def test_a_series_has_its_entry() -> None:
    series = gc.open(example("Example: a series"))
    assert isinstance(series, gc.Series)
    series.verify()
    entry = series[0]
    assert (entry.step, entry.time, entry.metadata, entry.root) == (10, 0.5, {"run": "a"}, -3)
