"""What Python writes, Swift writes anew, and Python reads: archives and series of arrays that Hypothesis draws."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import hypothesis
import hypothesis.strategies as st
import numpy as np
import promised
import pytest
from drawn import BLOCKS, FEWEST_BULK, AnyArray, arrays
from effort import IS_THOROUGH
from promised import Asked
from tool import Tool

import graphcodable as gc

EXAMPLES = 2_000 if IS_THOROUGH else 40
effort = hypothesis.settings(
    max_examples=EXAMPLES, deadline=None, suppress_health_check=list(hypothesis.HealthCheck), print_blob=True
)


@pytest.fixture(scope="module")
def tool() -> Tool:
    return Tool()


@contextmanager
def blocks_of(block: int) -> Iterator[Path]:
    """A folder for archives, whose segments have blocks of so many bytes where Python writes them."""
    with tempfile.TemporaryDirectory(prefix="cross-") as folder, pytest.MonkeyPatch.context() as patch:
        for name in ("MOST_BYTES", "MOST_SHUFFLED", "MOST_ROWS"):
            patch.setattr(f"graphcodable.writing.segments.{name}", block)
        yield Path(folder)


def options(draw: Any) -> list[str]:
    """How Swift compresses."""
    codec = draw(st.sampled_from(["none", "lz4", "lz4", "lz4hc"]))
    return ["--codec", codec, *(["--level", str(draw(st.integers(1, 12)))] if codec == "lz4hc" else [])]


def root_of(path: Path) -> Any:
    archive = gc.open(path)
    assert isinstance(archive, gc.Archive)
    archive.verify()
    return archive.root


def assert_same(found: AnyArray, expected: AnyArray, place: str) -> None:
    assert found.shape == expected.shape and found.dtype.itemsize == expected.dtype.itemsize, place
    assert found.tobytes() == expected.tobytes(), place


def little(array: AnyArray) -> AnyArray:
    return array.astype(array.dtype.newbyteorder("<"))


def swift_slice(draw: Any, shape: tuple[int, ...]) -> tuple[str, tuple[slice, ...]]:
    """Ranges in some of the dimensions, as Swift writes them, and as Python does."""
    low_high = [sorted(draw(st.tuples(st.integers(0, length), st.integers(0, length)))) for length in shape]
    return "".join(f"[{low}..<{high}]" for low, high in low_high), tuple(slice(*each) for each in low_high)


def dimensions(array: gc.Array) -> int:
    """Without lanes, which are none in Swift."""
    return array.ndim - (array.format is not None and array.format.lanes > 1)


@effort
@hypothesis.given(data=st.data())
def test_swift_writes_anew_what_python_wrote_and_python_reads_the_same_bits(tool: Tool, data: st.DataObject) -> None:
    draw = data.draw
    block = draw(st.sampled_from(BLOCKS))
    values = {f"a{number}": draw(arrays(block, number == 0)) for number in range(draw(st.integers(1, 3)))}
    with blocks_of(block) as folder:
        first, second, third = (folder / f"{name}.gcodable" for name in ("python", "swift", "again"))
        gc.save({"title": "x", **values}, first, compressed=draw(st.booleans()))
        tool.run("repack", first, "-o", second, *options(draw))
        root = root_of(second)
        gc.save({"title": root.title, **{name: root[name] for name in values}}, third)
        tool.run("verify", first, second, third)
        tool.run("diff", first, second)
        tool.run("diff", second, third)
        for name, array in values.items():
            assert_same(np.asarray(root[name]), little(array), name)
            assert root[name].precision is None
            assert_same(tool.array(first, name), little(array), f"{name} by Swift")
            text, ranges = swift_slice(draw, array.shape[: dimensions(root[name])])
            assert_same(root[name][ranges], little(array)[ranges], f"{name}{text}")
            assert_same(tool.array(second, name + text), little(array)[ranges], f"{name}{text} by Swift")


@effort
@hypothesis.given(data=st.data())
def test_numbers_that_swift_rounds_are_within_their_bounds(tool: Tool, data: st.DataObject) -> None:
    draw = data.draw
    block, asked = draw(st.sampled_from(BLOCKS)), draw(promised.precisions())
    values = {f"a{number}": draw(arrays(block, number == 0)) for number in range(draw(st.integers(1, 3)))}
    with blocks_of(block) as folder:
        first, second, third = (folder / f"{name}.gcodable" for name in ("python", "swift", "again"))
        gc.save(values, first)
        tool.run("repack", first, "-o", second, *options(draw), "--precision", str(asked))
        # What has been rounded stays, however it is compressed.
        tool.run("repack", second, "-o", third, *options(draw))
        tool.run("verify", second, third)
        root, again = root_of(second), root_of(third)
        for name, array in values.items():
            was, now = little(array), np.asarray(root[name])
            if array.nbytes < FEWEST_BULK:
                assert_same(now, was, name)
            promised.check(was, now.view(was.dtype), asked)
            assert_same(np.asarray(again[name]), now, f"{name} again")
            assert_same(tool.array(second, name), now, f"{name} by Swift")
            expected = asked.noted if array.nbytes >= FEWEST_BULK and has_reals(array) else None
            assert root[name].precision == again[name].precision == expected


def has_reals(array: AnyArray) -> bool:
    fields = [array.dtype[name].base for name in array.dtype.names or ()]
    return any(each.kind == "f" for each in fields or [array.dtype])


def changed(draw: Any, array: AnyArray) -> AnyArray:
    """As the next step of a simulation has it: the same, changed in places, or everywhere by a little."""
    kind = draw(st.sampled_from(["same", "places", "little"]))
    result = array.copy()
    numbers = np.random.default_rng(draw(st.integers(0, 1 << 32)))
    if kind == "places" and array.size:
        places = numbers.integers(0, len(array), 3)
        result[places] = array[numbers.permutation(places)]
    if kind == "little" and array.dtype.kind == "f":
        with np.errstate(invalid="ignore", over="ignore"):
            result = np.multiply(array, 1 + numbers.normal(0, 1e-6, array.shape)).astype(array.dtype)
    if kind == "little" and array.dtype.kind in "iu":
        result = array + numbers.integers(0, 3, array.shape).astype(array.dtype)
    return result


@effort
@hypothesis.given(data=st.data())
def test_series_whose_entries_swift_makes_share_blocks_are_read_as_they_were(tool: Tool, data: st.DataObject) -> None:
    draw = data.draw
    block = draw(st.sampled_from(BLOCKS))
    steps = [{f"a{number}": draw(arrays(block, number == 0)) for number in range(2)}]
    for _ in range(draw(st.integers(1, 4))):
        steps.append({name: changed(draw, array) for name, array in steps[-1].items()})
    asked: Asked | None = draw(st.none() | promised.precisions())
    sharing = draw(st.sampled_from(["blocks", "differences", "none"]))
    interval = ["--key-interval", str(draw(st.integers(1, 3)))] if sharing == "differences" else []
    with blocks_of(block) as folder:
        first, second = folder / "python.gcseries", folder / "swift.gcseries"
        with gc.SeriesWriter(first, synchronized=False) as writer:
            for number, values in enumerate(steps):
                writer.append(values, step=number * 10, time=number / 4, metadata={"n": str(number)})
        rounded = ["--precision", str(asked)] if asked else []
        tool.run("repack", first, "-o", second, *options(draw), "--sharing", sharing, *interval, *rounded)
        tool.run("verify", first, second)
        series = gc.open(second)
        assert isinstance(series, gc.Series)
        series.verify()
        assert [(entry.step, entry.time) for entry in series] == [(n * 10, n / 4) for n in range(len(steps))]
        for entry, values in zip(series, steps):
            for name, array in values.items():
                was, now = little(array), np.asarray(entry.root[name])
                if asked is None:
                    assert_same(now, was, f"{name} of {entry.step}")
                else:
                    promised.check(was, now.view(was.dtype), asked)
        name = draw(st.sampled_from(sorted(steps[0])))
        assert_same(tool.array(second, name), np.asarray(series[-1].root[name]), f"{name} by Swift")
