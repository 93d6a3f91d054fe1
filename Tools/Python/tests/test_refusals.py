"""What archives cannot hold is refused by an error that names the place or the argument, and says what to write instead."""

from __future__ import annotations

import datetime
import decimal
import fractions
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import graphcodable as gc

NUMBERS: dict[str, Any] = {"step": np.int32(7), "time": np.float32(0.5)}
# A value, and what of the way out is in the error.
VALUES: dict[str, tuple[Any, str]] = {
    "complex array": (np.zeros(3, complex), "last dimension of 2"),
    "complex number": (1j, "real and imaginary"),
    "complex scalar": (np.complex64(1), "real and imaginary"),
    "long double": (np.zeros(3, np.longdouble), "astype('f8')"),
    "texts": (np.array(["x", "yz"]), "tolist"),
    "text scalar": (np.array("x"), "item"),
    "variable texts": (np.array(["x"], np.dtypes.StringDType()), "tolist"),
    "bytes": (np.array([b"x"]), "tolist"),
    "objects": (np.array([None, 1], object), "tolist"),
    "dates": (np.array(["2001-01-02"], "M8[s]"), "numpy.datetime64('2001-01-01')"),
    "durations": (np.array([5], "m8[ns]"), "timedelta"),
    "durations in months": (np.timedelta64(1, "M"), "days or seconds"),
    "no duration": (np.timedelta64("NaT"), "None"),
    "no fields": (np.zeros(3, []), "length"),
    "nested fields": (np.zeros(3, [("x", [("y", "f8")])]), "each field"),
    "fields of texts": (np.zeros(3, [("x", "U2")]), "each field"),
    "no bytes": (np.zeros(3, "V0"), "tolist"),
    "nine dimensions": (np.zeros((1,) * 9), "reshape"),
    "date without a zone": (datetime.datetime(2001, 1, 1), "tzinfo=datetime.UTC"),
    "iterator": (iter([1]), "lists"),
    "masked matrix": (np.ma.masked_values([[1.0, -999.0]], -999.0), "filled"),
    "masked field": (np.ma.array([(1, 2.0)], mask=[(False, True)], dtype=[("n", "i4"), ("x", "f8")]), "filled"),
    "masked constant": (np.ma.masked, "filled"),
    "masked among others": ([1.0, np.ma.masked], "filled"),
    "long integer": (1 << 130, "str(value)"),
    "no text of UTF-8": ("\ud800", "surrogatepass"),
    "day": (datetime.date(2001, 1, 1), "isoformat"),
    "time of day": (datetime.time(1), "isoformat"),
    "fraction": (fractions.Fraction(1, 3), "float(value)"),
    "path": (Path("a"), "str(value)"),
    "long decimal": (decimal.Decimal("1" * 60), "round"),
    "infinite decimal": (decimal.Decimal("inf"), "float(value)"),
    "iterator of a generator": ((each for each in (1, 2)), "list(value)"),
    "range of two types": (gc.Range(0, 0.5), "floats"),
}


@pytest.mark.parametrize("name", VALUES)
def test_values_that_archives_cannot_have_name_their_place_and_the_way_out(name: str) -> None:
    value, way_out = VALUES[name]
    with pytest.raises(gc.GraphCodableError) as caught:
        gc.encode({"state": {"psi": value}})
    assert "state.psi" in str(caught.value) and way_out in str(caught.value) and caught.value.code == "invalidValue"


def test_the_ways_out_work() -> None:
    psi = np.array([1 + 2j, 3 - 4j])
    dates = np.array(["2001-01-02", "2001-01-03"], "M8[s]")
    masked = np.ma.masked_values([1.0, -999.0], -999.0)
    written = {
        "psi": psi.view(psi.real.dtype).reshape(*psi.shape, 2), "names": np.array(["x", "yz"]).tolist(),
        "dates": (dates - np.datetime64("2001-01-01")) / np.timedelta64(1, "s"), "data": masked.data, "mask": masked.mask,
        "zeros": masked.filled(0),
    }  # fmt: skip
    root = gc.Archive(gc.encode(written)).root
    assert np.asarray(root.psi).view(complex).reshape(-1).tolist() == psi.tolist() and list(root.names) == ["x", "yz"]
    assert root.dates[:].tolist() == [86400, 172800] and root.zeros[:].tolist() == [1, 0] and root.mask[:].tolist() == [False, True]


def test_memory_of_other_than_bytes_is_an_array_of_its_type() -> None:
    arrays: list[Any] = [np.arange(6.0).reshape(2, 3), np.arange(6, dtype="i2"), np.arange(10, dtype="u2")[::3]]
    for array in arrays:
        read = np.asarray(gc.Archive(gc.encode(memoryview(array))).root)
        assert read.dtype == array.dtype and read.tolist() == array.tolist()
    for data in (memoryview(b"abc"), memoryview(b"a_b_c")[::2], memoryview(bytearray(b"abc"))):
        assert bytes(gc.Archive(gc.encode(data)).root[:]) == b"abc"


def test_masked_arrays_and_lists_with_none_are_optionals() -> None:
    for value in (np.ma.masked_values([1.0, -999.0, 3.0], -999.0), [1.0, None, 3.0]):
        archive = gc.Archive(gc.encode({"a": [value, value], "b": value}))
        archive.verify()
        for read in (archive.root.b, *archive.root.a):
            assert isinstance(read, gc.Optionals) and list(read) == [1, None, 3] and read[::-2] == [3, 1]
            assert np.ma.getmaskarray(read.to_numpy()).tolist() == [False, True, False] and read.elements[1] == 0
            with pytest.raises(ValueError, match="masked array"):
                np.asarray(read)
    mixed = gc.encode({"texts": ["a", None, ""], "flags": [None, True], "more": [1.5, None, "x"], "none": [None, None]})
    assert gc.to_python(gc.Archive(mixed).root)["texts"] == ["a", None, ""]
    assert list(gc.Archive(mixed).root.flags) == [None, True] and list(gc.Archive(mixed).root.more) == [1.5, None, "x"]
    assert list(gc.Archive(mixed).root.none) == [None, None]


def test_masked_arrays_without_masked_elements_are_arrays() -> None:
    for array in (np.ma.array([1.0, 2.0]), np.ma.array([1.0, 2.0], mask=[False, False])):
        assert gc.Archive(gc.encode(array)).root[:].tolist() == [1, 2]


def test_bfloat16_is_refused_with_the_way_out() -> None:
    types = pytest.importorskip("ml_dtypes")
    with pytest.raises(gc.GraphCodableError, match=r"bfloat16 .*astype\('f4'\).* at psi"):
        gc.encode({"psi": np.zeros(3, types.bfloat16)})


@pytest.mark.parametrize("value", [np.timedelta64(1_234_567_891, "ns"), np.timedelta64(-3, "D"), np.timedelta64(5, "as")])
def test_durations_of_numpy_are_exact(value: np.timedelta64) -> None:
    read = gc.Archive(gc.encode({"t": value})).root.t
    assert isinstance(read, gc.Duration)
    unit = {"ns": 10**9, "D": 86_400 * 10**18, "as": 1}[np.datetime_data(value.dtype)[0]]
    assert read == int(value.astype(np.int64)) * unit


def test_durations_of_pandas_keep_their_nanoseconds() -> None:
    pandas = pytest.importorskip("pandas")
    assert gc.Archive(gc.encode(pandas.Timedelta(1_234_567_891, "ns"))).root == 1_234_567_891 * 10**9
    assert gc.Archive(gc.encode(pandas.Timedelta(-1, "ns"))).root == -(10**9)
    others = (pandas.Index([1]), pandas.Categorical(["a"]), pandas.array([1, None], dtype="Int64"), pandas.date_range("2001", periods=2))
    for value in (pandas.NaT, pandas.NA, pandas.Series([1]), pandas.DataFrame({"a": [1]}), *others):
        with pytest.raises(gc.GraphCodableError, match="write .* at x"):
            gc.encode({"x": value})


@pytest.mark.parametrize(
    ("metadata", "named"),
    [
        ({"n": 5}, "metadata['n'] is 5"), ({5: "n"}, "key 5"), ([("a", "b")], "metadata is a list"), ("a", "a str"),
        ({"n": None}, "metadata['n'] is None"), ({"n": b"a"}, "metadata['n'] is b'a'"), ({"n": "\ud800"}, "metadata['n'] is no text"),
    ],
)
def test_metadata_that_are_no_texts_are_named(tmp_path: Path, metadata: Any, named: str) -> None:
    with gc.SeriesWriter(tmp_path / "a.gcseries") as writer:
        for action in (lambda: gc.encode(1, metadata=metadata), lambda: writer.append(1, metadata=metadata)):
            with pytest.raises(gc.GraphCodableError) as caught:
                action()
            assert named in str(caught.value) and "text" in str(caught.value)
        assert writer.append(1) == 0


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        ({"step": 1.5}, "step is 1.5"), ({"step": "a"}, "step is 'a'"), ({"step": 1 << 63}, f"step is {1 << 63}"),
        ({"step": None}, "step is None"), ({"step": np.float64(3)}, "step is np.float64(3.0)"), ({"step": 10**400}, "0…, and has"), ({"time": "now"}, "time is 'now'"), ({"time": None}, "time is None"),
        ({"time": 1j}, "time is 1j"), ({"time": 10**400}, "time is 1000"), ({"time": datetime.datetime.now(datetime.UTC)}, "time is datetime"),
    ],
)  # fmt: skip
def test_steps_and_times_that_are_no_numbers_are_named(tmp_path: Path, arguments: dict[str, Any], named: str) -> None:
    with gc.SeriesWriter(tmp_path / "a.gcseries") as writer:
        with pytest.raises(gc.GraphCodableError) as caught:
            writer.append(1, **arguments)
        assert named in str(caught.value)
        assert writer.append(1, **NUMBERS) == 0
    (entry,) = gc.Series((tmp_path / "a.gcseries").read_bytes())
    assert entry.step == 7 and entry.time == 0.5


@pytest.mark.parametrize("version", [-1, 1 << 16, 1.5, "1"])
def test_user_versions_that_cannot_be_are_named(version: Any) -> None:
    with pytest.raises(gc.GraphCodableError, match="user_version"):
        gc.encode(1, user_version=version)
