"""Archives that Python writes are read by Python; `Tests/CorpusTests` has Swift read them."""

from __future__ import annotations

import dataclasses
import datetime
import enum
import struct
import subprocess
import sys
import uuid
from decimal import Decimal
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import xxhash

import graphcodable as gc


@dataclasses.dataclass
class Species:
    name: str
    mass: float
    symbol: str | None = None


class Phase(enum.Enum):
    liquid = "liquid"


def written(value: object, **options: Any) -> gc.Archive:
    archive = gc.Archive(gc.encode(value, **options))
    archive.verify()
    return archive


def test_single_values_keep_type_and_value() -> None:
    for value in (0, -1, 1 << 62, -(1 << 63), (1 << 64) - 1, 1 << 100, -(1 << 100), True, 1.5, "ä\0", None,
                  uuid.UUID(int=7), gc.Date(1.5), gc.Duration(3), Decimal("-1.50"), Decimal(0), gc.Range(1, 5),
                  gc.Rectangle(1, 2, 3, 4), gc.LocationAndLength(1, 2)):  # fmt: skip
        read = written(value).root
        assert read == value and type(read) is type(value)
    assert written(np.float32(0.1)).root == np.float32(0.1)
    assert written(np.int16(-3)).root == -3
    assert written(datetime.datetime(2001, 1, 2, tzinfo=datetime.UTC)).root == gc.Date(86400)
    assert written(datetime.timedelta(seconds=2.5)).root.seconds == 2.5
    assert written(Phase.liquid).to_dict() == "liquid"


def test_nan_keeps_its_payload() -> None:
    values = np.array([0x7FF0000000000001, 0xFFF8000000000123, 1 << 63], "<u8").view("<f8")
    assert np.asarray(written(values).root).tobytes() == values.tobytes()


def test_records_keep_their_keys_and_type_names() -> None:
    archive = written({"species": [Species("Na", 22.99), Species("Cl", 35.45, "Cl")], "b": {"c": 1}})
    root = archive.root
    assert root.keys() == ["species", "b"] and root.b.c == 1
    assert root.species[0].type_name == "Species" and root.species[0].symbol is None
    assert root.species[1].symbol == "Cl"
    # Optionals do not make a second shape.
    assert archive.info["shapes"] == 3


def test_containers_of_one_kind_or_of_several() -> None:
    value = {"a": ["x", "y"], "b": [1, "x", None], "c": [[1], [2, 3]], "d": {"z", "y"}, "e": {3: "x"}, "f": [None]}
    assert {k: v if k != "c" else [c.tolist() for c in v] for k, v in written(value).to_dict().items()} == value
    root = written({"n": [1, 2.5], "i": [1, 2], "b": [True], "u": [uuid.UUID(int=1)], "w": [1 << 70, 2]}).root
    assert [root[key].dtype.str for key in "nib"] == ["<f8", "<i8", "|b1"]
    assert root.u.value(0) == uuid.UUID(int=1) and list(root.w) == [1 << 70, 2]


def test_arrays_of_all_types_keep_their_bytes() -> None:
    for dtype in ("?", "i1", "<i2", "<i4", "<i8", "u1", "<u2", "<u4", "<u8", "<f2", "<f4", "<f8", "V16"):
        array = np.arange(64, dtype="u1").repeat(16).view(dtype) if dtype != "?" else np.arange(64) % 3 == 0
        for shape in ((-1,), (-1, 2), (-1, 8), (2, -1, 4), (2, 2, 2, -1)):
            read = written(array.reshape(shape)).root
            assert read.dtype == array.dtype and np.asarray(read).tobytes() == array.tobytes()
            assert read.shape == array.reshape(shape).shape


def test_arrays_in_arrays_are_one_run() -> None:
    frames = np.arange(4 * 500 * 3, dtype="f4").reshape(4, 500, 3)
    read = written(frames).root
    assert isinstance(read, gc.Array) and read.shape == frames.shape and read.segment == 0
    assert np.array_equal(read[1:3, 7], frames[1:3, 7]) and np.array_equal(read[-1], frames[-1])
    assert written(list(frames)).root.shape == frames.shape
    structs = np.zeros((2, 3), [("a", "u1"), ("b", "<f8")])
    assert written(structs).root.shape == (2, 3)
    for shape in ((0, 5), (5, 0), (0, 5, 7), (2, 0, 3)):
        assert written(np.zeros(shape)).root.shape in (shape, shape[:1] + (0,) * (len(shape) - 1))


def test_rows_of_different_lengths_are_read_one_by_one() -> None:
    rows = [np.arange(n) / 2 for n in (3, 0, 5000, 1)]
    read = written(rows).root
    assert isinstance(read, gc.Ragged) and len(read) == 4 and read.lengths.tolist() == [3, 0, 5000, 1]
    for row, before in zip(read, rows):
        assert np.array_equal(row, before)
    assert np.array_equal(read.flat, np.concatenate(rows)) and np.array_equal(read[-1], rows[-1])
    assert [len(row) for row in read[1:3]] == [0, 5000]
    deep = written([[[1, 2], []], [], [[3]]]).root
    assert isinstance(deep, gc.Ragged) and [len(part) for part in deep] == [2, 0, 1]
    assert deep[0][0].tolist() == [1, 2] and deep[2].flat.tolist() == [3]
    assert written([[b"a"], [b"b"]]).root[1][0][:].tolist() == [98]


def test_other_byte_orders_strides_and_views_are_written_as_their_values() -> None:
    array = np.arange(30_000, dtype=">i4")
    assert np.array_equal(written(array).root[:], array)
    assert np.array_equal(written(array[::3]).root[:], array[::3])
    table = np.arange(60_000.0).reshape(2, -1).T
    assert np.array_equal(written(table).root[:], table)


def test_structs_lose_their_padding_and_keep_their_fields() -> None:
    dtype = np.dtype([("a", "u1"), ("b", "<f8"), ("c", "<f4", 3), ("d", "?")], align=True)
    array = np.zeros(5000, dtype)
    array["b"], array["c"], array["d"] = np.arange(5000), 1.5, True
    read = written(array).root
    assert read.dtype.names == ("a", "b", "c", "d") and read.dtype.itemsize == 22
    for name in "abcd":
        assert np.array_equal(read[:][name], array[name])


def test_long_arrays_are_segments_and_short_ones_are_not() -> None:
    root = written({"short": np.zeros(2047), "long": np.zeros(2048)}).root
    assert root.short.segment is None and root.long.segment == 0


@pytest.mark.parametrize(
    ("shape", "dtype", "block"),
    [
        ((300_000,), "f8", 520_192), ((3 << 20,), "u1", 1 << 20), ((300_000, 3), "f4", 520_188),
        ((3000, 75), "f8", 1740 * 600), ((600, 1024), "f4", 255 * 4096), ((5, 50_000), "f8", 2 * 400_000),
        ((3, 7, 18_724), "f8", (1 << 20) - 32), ((3, 1 << 17), "f8", 1 << 20), ((3, (1 << 17) + 1), "f8", 520_192),
    ],
)  # fmt: skip
def test_blocks_have_whole_rows(shape: tuple[int, ...], dtype: str, block: int) -> None:
    assert written(np.zeros(shape, dtype)).reader.contents.segments[0].block_size == block


def test_blocks_of_rows_of_different_lengths_have_whole_elements() -> None:
    rows = [np.zeros(30_000 + number) for number in range(5)]
    assert written(rows).reader.contents.segments[0].block_size == 520_192


def test_smooth_arrays_are_shuffled_and_noise_is_stored() -> None:
    smooth = written(np.sin(np.arange(1 << 18) / 1000).astype("f4"))
    (segment,) = smooth.reader.contents.segments
    assert segment.codec == 1 and segment.filters and smooth.size < 0.8 * (1 << 20)
    noise = written(np.frombuffer(np.random.default_rng(1).bytes(1 << 20), "u1"))
    assert noise.reader.contents.segments[0].codec == 0
    stored = written(np.zeros(1 << 18), compressed=False)
    assert stored.reader.contents.segments[0].codec == 0


def test_long_streams_are_segments() -> None:
    archive = written([f"number {index}" for index in range(1000)])
    assert archive.reader.contents.segments[0].kind == 0 and archive.root[999] == "number 999"


def test_metadata_and_user_version_are_kept() -> None:
    archive = written(1, metadata={"b": "1", "a": "ä"}, user_version=7)
    assert archive.metadata == {"a": "ä", "b": "1"} and archive.user_version == 7


@pytest.mark.parametrize(
    ("value", "place"),
    [
        ({"a": [{"b": object()}]}, "a[0].b"),
        ({"a": 1 << 128}, "a"),
        ({"a": np.zeros(3, complex)}, "a"),
        ({"a": np.zeros((1,) * 9)}, "a"),
        ({"a": np.array(["x"])}, "a"),
        ({"a": "\ud800"}, "a"),
        ({"a": datetime.datetime(2001, 1, 1)}, "a"),
        ({"a": gc.Range(1, "b")}, "a"),
        (np.zeros(1, [("x", "O")]), "the root"),
    ],
)
def test_what_archives_cannot_have_is_an_error_with_its_place(value: object, place: str) -> None:
    with pytest.raises(gc.GraphCodableError) as caught:
        gc.encode(value)
    assert str(caught.value).endswith(f"at {place}")


def test_cycles_and_deep_values_are_errors() -> None:
    cycle: list[object] = []
    cycle.append(cycle)
    with pytest.raises(gc.GraphCodableError, match="cycle"):
        gc.encode(cycle)


def test_files_are_replaced_as_a_whole(tmp_path: Path) -> None:
    path = tmp_path / "a.gcodable"
    gc.save({"x": np.arange(9000)}, path)
    before = path.read_bytes()
    with pytest.raises(gc.GraphCodableError):
        gc.save({"x": object()}, path)
    assert path.read_bytes() == before == gc.encode({"x": np.arange(9000)})
    assert list(tmp_path.iterdir()) == [path]


def test_bytes_do_not_depend_on_the_process() -> None:
    program = (
        "import sys, numpy, graphcodable as gc; "
        "sys.stdout.buffer.write(gc.encode({'s': {str(i) for i in range(99)}, 'a': numpy.arange(300000) // 7}))"
    )
    first, second = (
        subprocess.run([sys.executable, "-c", program], env={"PYTHONHASHSEED": seed}, capture_output=True, check=True)
        for seed in ("1", "2")
    )
    assert first.stdout == second.stdout and len(first.stdout) > 1000


def test_series_are_appended_to(tmp_path: Path) -> None:
    path = tmp_path / "a.gcseries"
    for begin in (0, 100):
        with gc.SeriesWriter(path, synchronized=False) as writer:
            for number in range(begin, begin + 100):
                assert writer.append({"n": number}, step=-number, time=number / 2, metadata={"k": "v"}) == number
    series = gc.open(path)
    assert isinstance(series, gc.Series)
    series.verify()
    assert [entry.root.n for entry in series] == list(range(200)) and series[7].step == -7
    assert [entry.number for entry in series if entry.index_size] == [63, 127, 191]


def test_a_broken_chain_of_records_is_listed_from_the_start(tmp_path: Path) -> None:
    path = tmp_path / "a.gcseries"
    with gc.SeriesWriter(path, synchronized=False) as writer:
        for number in range(70):
            writer.append(number)
    data = bytearray(path.read_bytes())
    series = gc.Series(bytes(data))
    assert [entry.root for entry in series] == list(range(70))
    data[series[63].record_offset + 200] ^= 1  # In the index.
    damaged = gc.Series(bytes(data))
    assert len(damaged) == 69 and len(damaged.damage) == 1
    with pytest.raises(gc.GraphCodableError):
        damaged.verify()


def test_what_was_not_finished_is_cut_off(tmp_path: Path) -> None:
    path = tmp_path / "a.gcseries"
    with gc.SeriesWriter(path) as writer:
        writer.append(1)
        writer.append(2)
    whole = path.read_bytes()
    for size in (70, 300, len(whole) - 1):
        path.write_bytes(whole[:size])
        with gc.SeriesWriter(path) as writer:
            number = writer.append(3)
        series = gc.Series(path.read_bytes())
        series.verify()
        assert len(series) == number + 1 and series[-1].root == 3


def test_damaged_series_and_those_that_are_appended_to_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.gcseries"
    with gc.SeriesWriter(path) as writer:
        writer.append(1)
        writer.append(2)
        with pytest.raises(gc.GraphCodableError, match="another writer has"):
            gc.SeriesWriter(path)
    data = bytearray(path.read_bytes())
    data[gc.Series(bytes(data))[0].record_offset + 70] ^= 1
    path.write_bytes(data)
    with pytest.raises(gc.GraphCodableError):
        gc.SeriesWriter(path)
    assert path.read_bytes() == data


def test_entries_behind_a_header_that_leads_elsewhere_are_kept(tmp_path: Path) -> None:
    path = tmp_path / "a.gcseries"
    with gc.SeriesWriter(path) as writer:
        writer.append(1)
        writer.append(2)
    data = bytearray(path.read_bytes())
    first, second = gc.Series(bytes(data))
    # Behind the end of the file; to the next entry's record; and into it.
    for size in (len(data), second.record_offset - first.offset, second.record_offset + 64 - first.offset):
        struct.pack_into("<Q", data, first.offset + 16, size)
        struct.pack_into("<Q", data, first.offset + 32, xxhash.xxh3_64_intdigest(data[first.offset : first.offset + 32]))
        path.write_bytes(data)
        with gc.SeriesWriter(path) as writer:
            assert writer.append(3) == 2
        assert path.read_bytes().startswith(data)
        series = gc.Series(path.read_bytes())
        series.verify_list()
        assert [entry.number for entry in series] == [0, 1, 2] and series[-1].root == 3
        with pytest.raises(gc.GraphCodableError):
            series.verify()


def test_a_record_with_much_metadata_has_fewer_copies(tmp_path: Path) -> None:
    # The 64th record has room for some of the records in front of it.
    path = tmp_path / "a.gcseries"
    with gc.SeriesWriter(path) as writer:
        for step in range(63):
            writer.append(step, step=step, metadata={"key": "x" * 3_500})
        writer.append(63, step=63, metadata={"key": "x" * 1_000_000})
        writer.append(64, step=64)
    series = gc.Series(path.read_bytes())
    series.verify()
    assert [entry.step for entry in series] == list(range(65))
