"""What values become in Python."""

from __future__ import annotations

import datetime
import io
import struct
import uuid
from decimal import Decimal

import numpy as np
import pytest
from forge import archive, seal, string, varint

import graphcodable as gc


def root(stream: bytes) -> object:
    opened = gc.Archive(archive(stream))
    opened.verify()
    return opened.root


def unit(number: int, data: bytes) -> object:
    return root(b"\x0c" + varint(number) + varint(len(data)) + data)


def test_dates_keep_their_bits_and_give_datetimes() -> None:
    date = root(b"\x0d" + varint(16) + struct.pack("<d", 86400.5))
    assert isinstance(date, gc.Date) and date == 86400.5
    assert date.datetime() == datetime.datetime(2001, 1, 2, 0, 0, 0, 500000, tzinfo=datetime.UTC)


def test_identifiers_durations_and_wide_integers() -> None:
    data = bytes(range(16))
    assert root(b"\x0d" + varint(15) + data) == uuid.UUID(bytes=data)
    assert root(b"\x0d" + varint(13) + (-3).to_bytes(16, "little", signed=True)) == -3
    duration = root(b"\x0d" + varint(18) + (25 * 10**17).to_bytes(16, "little"))
    assert isinstance(duration, gc.Duration) and duration.seconds == 2.5


def test_ranges_are_named_tuples_and_vectors_numpy_arrays() -> None:
    assert root(b"\x0d" + varint(0x12B) + struct.pack("<dd", 1, 2)) == gc.Range(1, 2)
    vector = root(b"\x0d" + varint(0x4A) + struct.pack("<fff", 1, 2, 3))
    assert isinstance(vector, np.ndarray) and vector.tolist() == [1, 2, 3]


def test_known_data_units_are_decoded() -> None:
    assert unit(4, bytes([0xFE, 0x11, 0, 0]) + (150).to_bytes(16, "little")) == Decimal("-1.50")
    assert Decimal(str(unit(4, bytes([0, 0x10, 0, 0]) + bytes(16)))).is_nan()
    assert unit(8, struct.pack("<dd", 1, 2)) == gc.DateInterval(gc.Date(1), 2)
    assert unit(9, struct.pack("<Qdd", 1, 1, 2)) == [gc.DateInterval(gc.Date(1), 2)]
    assert unit(16, struct.pack("<Bq", 1, 250)) == gc.DispatchTimeInterval("milliseconds", 250)


def test_other_data_units_are_bytes() -> None:
    value = unit(0, b"abc")
    assert value == b"abc" and isinstance(value, gc.DataUnit) and value.number == 0


def test_a_data_unit_of_the_wrong_size_is_an_error_when_asked_for() -> None:
    opened = gc.Archive(archive(b"\x0c" + varint(8) + varint(3) + b"abc"))
    opened.verify()
    with pytest.raises(gc.GraphCodableError):
        opened.root


def test_structs_have_a_structured_type_with_their_keys() -> None:
    layout = varint(3) + varint(1) + varint(0x0B) + varint(0) + varint(0x4A) + varint(2) + varint(12)
    stream = b"\x0e" + varint(1) + varint(2 * 2)
    stream += struct.pack("<dfff?", 0.5, 1, 2, 3, True) + struct.pack("<dfff?", 1.5, 4, 5, 6, False)
    contents = bytes([32]) + varint(2) + string("time") + string("on") + varint(1) + layout + varint(0) + stream
    opened = gc.Archive(seal(b"", contents))
    opened.verify()
    structs = opened.root
    assert structs.dtype.names == ("time", "f1", "on")
    assert structs[:]["f1"].tolist() == [[1, 2, 3], [4, 5, 6]]
    assert structs[1]["time"] == 1.5 and structs[:]["on"].tolist() == [True, False]


def test_arrays_are_indexed_like_numpy() -> None:
    values = np.arange(24, dtype="<f4").reshape(8, 3)
    array = root(b"\x0b" + varint(0x4A) + varint(2 * 8) + values.tobytes())
    assert isinstance(array, gc.Array) and array.shape == (8, 3) and array.ndim == 2
    keys = (3, -1, slice(2, 5), slice(None, None, -2), slice(6, 1, -2), (slice(1, 4), 2), (2, 1), [5, 0], Ellipsis)
    for key in (*keys, np.arange(8) % 2 == 0, slice(5, 5)):
        assert np.array_equal(array[key], values[key])
    assert np.array_equal(array + 1, values + 1) and np.array_equal(np.sqrt(array), np.sqrt(values))
    assert np.asarray(array, dtype="f8").dtype == np.float64
    assert float(np.sum(array)) == values.sum()
    with pytest.raises(IndexError):
        array[8]
    with pytest.raises(ValueError):
        array[:][0] = 1


def test_overflow_fields_are_found_by_key_and_place() -> None:
    keys, shape = ("a", "b"), bytes([2]) + varint(1) + varint(1) + b"\x16"
    fields = b"\x16" + varint(2) + b"\x07" + b"\x16" + varint(0) + b"\x08" + b"\x16" + varint(1) + b"\x09"
    stream = b"\x03" + varint(1) + b"\x05" + struct.pack("<IIQ", 3, 1, len(fields)) + fields
    opened = gc.Archive(archive(stream, keys, [shape]))
    opened.verify()
    record = opened.root
    assert (record.a, record.b, record[2], record[3], len(record)) == (5, 7, 8, 9, 4)
    assert record.all_keys() == ["a", "b", None, "a"]
    assert record.get("c", 1) == 1 and "c" not in record
    with pytest.raises(AttributeError):
        record.c


def test_dictionaries_are_read_by_key() -> None:
    pairs = string("x") + b"\x01" + string("y") + b"\x02"
    value = root(b"\x0a\x10\x16" + varint(2) + pairs)
    assert isinstance(value, gc.Dictionary)
    assert value["y"] == 2 and "z" not in value and dict(value.items()) == {"x": 1, "y": 2}


def test_file_objects_are_read() -> None:
    opened = gc.open(io.BytesIO(archive(b"\x16\x07")))
    assert isinstance(opened, gc.Archive) and opened.root == 7
