"""Numbers are written to a precision, and filters chosen by what makes arrays smallest."""

from __future__ import annotations

import math
from typing import Any

import hypothesis
import hypothesis.strategies as st
import numpy as np
import pytest
from tool import Tool

import graphcodable as gc
from graphcodable.format import native
from graphcodable.format.filters import BIT_SHUFFLE, DELTA, QUANTISED, ROUNDED

ODD = [0.0, -0.0, math.inf, -math.inf, math.nan, 1e-45, 1e-40, 3e38, -3e38, 1.0, -1.5]


def walk(*shape: int, seed: int = 1) -> np.ndarray[Any, Any]:
    """Frames of atoms that move a little from one to the next."""
    random = np.random.default_rng(seed)
    numbers: np.ndarray[Any, Any] = random.normal(size=shape[1:]).cumsum(0) + random.normal(size=shape, scale=0.1).cumsum(0)
    return numbers.astype("<f4")


def written(value: object, **options: Any) -> gc.Archive:
    archive = gc.Archive(gc.encode(value, **options))
    archive.verify()
    return archive


def filters(archive: gc.Archive, segment: int = 0) -> list[int]:
    return [each.number for each in archive.reader.contents.segments[segment].filters]


PRECISIONS = [0.005, 3.0, 1e-30, 1e30, gc.Precision("relative", 1e-3), gc.Precision("mantissa bits", 7), gc.Precision("absolute", 0.25)]


@pytest.mark.parametrize("precision", PRECISIONS, ids=str)
@pytest.mark.parametrize("dtype", ["<f2", "<f4", "<f8"])
@pytest.mark.parametrize("count", [100, 40_000])
@pytest.mark.parametrize("compressed", [True, False])
def test_the_bound_holds_and_writing_again_changes_nothing(precision: Any, dtype: str, count: int, compressed: bool) -> None:
    with np.errstate(over="ignore"):
        values = np.concatenate([np.random.default_rng(2).normal(size=count, scale=30).astype(dtype), np.array(ODD).astype(dtype)])
    data = gc.encode(values, precision=precision, compressed=compressed)
    read = np.asarray(written(values, precision=precision, compressed=compressed).root)
    kind, value = precision if isinstance(precision, gc.Precision) else ("absolute", precision)
    finite = np.isfinite(values)
    sizes = np.abs(values[finite].astype("f8"))
    bound = {"absolute": value, "relative": value * sizes, "mantissa bits": 2.0 ** -(value + 1) * sizes}[kind]
    assert (np.abs(read[finite].astype("f8") - values[finite].astype("f8")) <= bound).all()
    assert read[~finite].tobytes() == values[~finite].tobytes() and (np.signbit(read) == np.signbit(values)).all()
    assert gc.encode(read, precision=precision, compressed=compressed) == data


@hypothesis.given(bits=st.lists(st.integers(0, 2**32 - 1), min_size=1, max_size=200), exponent=st.integers(-120, 120))
def test_the_bound_holds_for_any_bits(bits: list[int], exponent: int) -> None:
    values = np.array(bits, "<u4").view("<f4")
    read = np.asarray(written(values, precision=2.0**exponent).root)
    finite = np.isfinite(values)
    assert read[~finite].tobytes() == values[~finite].tobytes()
    assert (np.abs(read[finite].astype("f8") - values[finite].astype("f8")) <= 2.0**exponent).all()


@pytest.mark.parametrize("precision", PRECISIONS, ids=str)
def test_the_module_in_c_writes_the_same_bytes(precision: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    if native.module is None:
        pytest.skip("without the module in C")
    value = {"a": walk(20, 1000, 3), "b": walk(5000).astype("<f8"), "c": np.array(ODD * 2000, "<f4"), "d": walk(9000).astype("<f2")}
    data = gc.encode(value, precision=precision)
    monkeypatch.setattr(native, "module", None)
    assert gc.encode(value, precision=precision) == data


def test_an_archive_says_its_precision() -> None:
    frames = walk(20, 1000, 3)
    assert written(frames, precision=0.01).reader.contents.segments[0].filters[0].number == QUANTISED
    assert filters(written(frames, precision=0.01, compressed=False)) == [ROUNDED]
    assert filters(written(np.arange(20_000), precision=0.01))[:1] != [ROUNDED]  # Integers are not rounded.


def test_fields_have_precisions_of_their_own() -> None:
    frames, numbers = walk(2, 2000, 3), walk(8)
    value = {"a": frames, "b": {"c": frames, "d": frames}, "e": [{"f": numbers}, {"f": numbers}], "g": 1.2345, "h": 1.2345, "i": numbers}
    read = written(value, precision={"": 0.5, "b": 0.25, "b.c": None, "e.f": 0.125, "g": 0.25, "i": None}).root

    def error(part: Any, whole: Any) -> float:
        return float(np.abs(np.asarray(part) - whole).max())

    assert 0.25 < error(read.a, frames) <= 0.5 and error(read.b.c, frames) == 0 and 0.125 < error(read.b.d, frames) <= 0.25
    assert all(0 < error(each.f, numbers) <= 0.125 for each in read.e)
    # A single number is rounded where the precision is its own.
    assert read.h == 1.2345 and 0 < abs(read.g - 1.2345) <= 0.25 and error(read.i, numbers) == 0


def test_structs_optionals_and_rows_of_different_lengths_are_rounded() -> None:
    structs = np.zeros(3000, [("x", "<f4", 3), ("n", "<i4"), ("y", "<f8"), ("z", "<f2")])
    structs["x"], structs["y"], structs["n"], structs["z"] = walk(3000, 3), walk(3000), np.arange(3000), walk(3000)
    read = np.asarray(written(structs, precision=0.3).root)
    assert np.array_equal(read["n"], structs["n"])
    for name in "xyz":
        error = np.abs(read[name].astype("f8") - structs[name]).max()
        assert 0 < error <= 0.3
        # Multiples of a power of two, whose last bits are zero.
        assert (read[name] * 2 == np.rint(read[name] * 2)).all()
    masked = np.ma.array(walk(100), mask=np.arange(100) % 2 == 0)
    assert 0 < np.abs(written(masked, precision=0.1).root.to_numpy() - masked).max() <= 0.1
    rows = written([walk(3), walk(5)], precision=0.1).root
    assert 0 < np.abs(rows[1] - walk(5)).max() <= 0.1


@pytest.mark.parametrize(
    ("precision", "message"),
    [
        (0, "an absolute error is positive and finite"), (math.nan, "an absolute error is positive and finite"),
        (math.inf, "an absolute error is positive and finite"), (gc.Precision("relative", 1.0), "more than 0 and less than 1"),
        (gc.Precision("mantissa bits", 53), "a mantissa has 1 to 52 bits"), (gc.Precision("mantissa bits", 1.5), "1 to 52 bits"),
        (gc.Precision("digits", 3), "there is no precision of the kind 'digits'"), (True, "write an absolute error"),
        ("0.1", "write an absolute error"), ({"a": -1}, "an absolute error is positive and finite"),
        ({"a": 0.1, "a.b": 0.1}, "there is no field 'a.b'"), ({1: 0.1}, "precisions have keys such as"),
    ],
    ids=str,
)  # fmt: skip
def test_a_precision_that_cannot_be_is_refused(precision: Any, message: str) -> None:
    with pytest.raises(gc.GraphCodableError, match=message) as error:
        gc.encode({"a": 1.0}, precision=precision)
    assert error.value.code == "invalidValue"


def test_a_series_has_a_precision_for_all_entries(tmp_path: Any) -> None:
    frames = walk(2, 3000, 3)
    with gc.SeriesWriter(tmp_path / "run.gcseries", precision={"positions": 0.01}) as writer:
        for frame in frames:
            writer.append({"positions": frame, "energy": 1 / 3})
    with pytest.raises(gc.GraphCodableError):
        gc.SeriesWriter(tmp_path / "other.gcseries", precision=-1)
    assert not (tmp_path / "other.gcseries").exists()
    opened = gc.open(tmp_path / "run.gcseries")
    assert isinstance(opened, gc.Series)
    for entry, frame in zip(opened, frames, strict=True):
        assert 0 < np.abs(entry.root.positions - frame).max() <= 0.01 and entry.root.energy == 1 / 3


def smooth(*shape: int) -> np.ndarray[Any, Any]:
    axes = np.meshgrid(*(np.linspace(0, 3, length) for length in shape), indexing="ij")
    return np.sin(sum(axes)).astype("<f4")


def test_differences_are_taken_of_floats_where_they_help() -> None:
    assert filters(written(smooth(200_000))) == [DELTA, BIT_SHUFFLE]
    frames = walk(1, 4000, 3) + np.zeros((40, 1, 1), "<f4") + np.random.default_rng(4).normal(size=(40, 4000, 3), scale=1e-4).astype("<f4")
    its = written(frames).reader.contents.segments[0].filters
    assert (its[0].number, its[0].parameter, its[0].argument) == (DELTA, 12_000, 3)


def water(frames: int, molecules: int) -> np.ndarray[Any, Any]:
    """Molecules anywhere in a box, whose three atoms lie close together, and which are elsewhere in the next frame."""
    random = np.random.default_rng(5)
    places = random.uniform(0, 80, (1, molecules, 1, 3)) + random.normal(scale=30, size=(frames, molecules, 1, 3))
    numbers: np.ndarray[Any, Any] = places + random.normal(scale=0.6, size=(frames, molecules, 3, 3))
    return numbers.reshape(frames, 3 * molecules, 3).astype("<f4")


def test_each_dimension_may_have_differences() -> None:
    noise = np.random.default_rng(6).normal(size=(8, 1, 40, 50)) + np.random.default_rng(7).normal(size=(8, 30, 40, 50), scale=1e-5)
    its = written(noise.astype("<f4")).reader.contents.segments[0].filters
    assert (its[0].number, its[0].parameter) == (DELTA, 40 * 50)


@pytest.mark.parametrize("shape", [(6, 3 * 4000, 3), (6 * 3 * 4000, 3)], ids=["frames", "vectors"])
def test_vectors_come_in_groups(shape: tuple[int, ...]) -> None:
    its = written(water(6, 4000).reshape(shape), precision=0.005).reader.contents.segments[0].filters
    assert [each.number for each in its] == [QUANTISED, DELTA, BIT_SHUFFLE] and its[2].parameter == 36


@pytest.mark.parametrize("precision", [None, 0.01])
@pytest.mark.parametrize("value", [water(4, 3000), smooth(22, 204, 187), walk(12, 30, 40, 20)], ids=["water", "volume", "walk"])
def test_a_shape_makes_no_array_larger(value: np.ndarray[Any, Any], precision: float | None) -> None:
    shaped, flat = (len(gc.encode(each, precision=precision)) for each in (value, value.reshape(-1)))
    assert shaped <= 1.01 * flat


@pytest.mark.parametrize(
    "value",
    [water(10, 5000), walk(12, 30, 40, 20), walk(20, 1000, 3), smooth(60, 70, 30), smooth(200_000), walk(20_000), np.arange(30_000) ** 2, walk(9000, 3).astype("<f8"),
     (1000 * smooth(300, 500)).astype("<i2"), smooth(22, 204, 187)],
    ids=["water", "walks", "frames", "field", "line", "walk", "squares", "vectors", "picture", "volume"],
)
@pytest.mark.parametrize("precision", [None, 0.005])
def test_arrays_are_no_larger_than_those_that_swift_writes(value: Any, precision: float | None, tmp_path: Any) -> None:
    """The tool compresses it anew, by the filters that the library chooses."""
    source, target = tmp_path / "a.gcodable", tmp_path / "b.gcodable"
    gc.save(value, source, precision=precision)
    Tool().run("repack", source, "-o", target)
    assert source.stat().st_size <= 1.02 * target.stat().st_size + 200
