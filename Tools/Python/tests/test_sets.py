"""Sets of parts that several processes have saved."""

from __future__ import annotations

import json
import pickle
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import hypothesis
import hypothesis.strategies as st
import numpy as np
import pytest
from forge import resealed
from saved import TOKEN, piece_fields, save_set

import graphcodable as gc
from graphcodable.__main__ import main
from graphcodable.views.places import reopened
from graphcodable.files.manifest import check_cover
from graphcodable.format.segment_reader import SegmentReader

ENERGIES = np.arange(10_000.0)
FIELD = np.arange(12 * 9 * 5, dtype="<i4").reshape(12, 9, 5)
POSITIONS = np.arange(900, dtype="<f4").reshape(300, 3)
STRUCTS = np.array([(n, [n, n / 2]) for n in range(40)], [("n", "<i4"), ("x", "<f8", 2)])
CUTS = [((0, 0, 0), (5, 9, 5)), ((5, 0, 0), (7, 3, 5)), ((5, 3, 0), (7, 6, 5))]
# What parts have of the field: at the root's key or deeper.
ARRAYS = [
    piece_fields("energies", [10_000], [(0, "own", [0], [4000]), (1, "own", [4000], [6000])]),
    piece_fields("field", [12, 9, 5], [(n, "state.field" if n else "field", *CUTS[n]) for n in (2, 0, 1)]),
    piece_fields("positions", [300], [(1, "positions", [100], [200]), (2, "positions", [0], [100])]),
    piece_fields("structs", [40], [(2, "structs[0]", [0], [40])]),
    piece_fields("nothing", [0, 3], []),
]


def boxed(array: np.ndarray[Any, Any], number: int) -> np.ndarray[Any, Any]:
    offset, lengths = CUTS[number]
    return array[tuple(slice(at, at + length) for at, length in zip(offset, lengths))]


PARTS: list[dict[str, Any]] = [
    {"own": ENERGIES[:4000], "field": boxed(FIELD, 0)},
    {"own": ENERGIES[4000:], "state": {"field": boxed(FIELD, 1)}, "positions": POSITIONS[100:]},
    {"state": {"field": boxed(FIELD, 2)}, "positions": POSITIONS[:100], "structs": [STRUCTS, "other"]},
]
WHOLE = {"energies": ENERGIES, "field": FIELD, "positions": POSITIONS, "structs": STRUCTS, "nothing": np.empty((0, 3))}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return save_set(tmp_path / "state", PARTS, ARRAYS)


def opened(folder: Path) -> gc.ArchiveSet:
    found = gc.open(folder)
    assert isinstance(found, gc.ArchiveSet)
    return found


def test_a_set_says_what_it_is(folder: Path) -> None:
    with opened(folder) as state:
        state.check()
        state.verify()
        assert (state.step, state.time, state.token, state.part_count) == (-20, 2.5, TOKEN, 3)
        assert state.metadata == {"run": "a", "empty": ""} and list(state.arrays) == list(WHOLE)
        assert state.parts[1].name == f"part-00001-of-00003.{TOKEN}.gcodable"
        assert state.size == sum(path.stat().st_size for path in folder.iterdir()) == state.info["bytes"]
        assert state.part(-1).root.structs[1] == "other" and state.part(0).root.own[7] == 7
        assert state.array("field").parts == [0, 1, 2] and state.array("structs").parts == [2]
        with pytest.raises(IndexError):
            state.part(3)
        with pytest.raises(KeyError):
            state.array("none")


@pytest.mark.parametrize("name", WHOLE)
def test_arrays_over_parts_are_those_of_their_pieces(folder: Path, name: str) -> None:
    array, whole = opened(folder).array(name), WHOLE[name]
    assert (array.shape, array.dtype, array.nbytes, len(array)) == (whole.shape, whole.dtype, whole.nbytes, len(whole))
    assert np.array_equal(np.asarray(array), whole) and np.array_equal(array[:], whole)


@pytest.mark.parametrize(
    "key",
    [
        4, -1, (3, 5), (6, -2, 3), (11, 8, 3), slice(2, 9), (slice(None), 4), (slice(None, None, -2), slice(1, 8, 3)),
        (..., 2), (5, ..., slice(3, 0, -1)), (slice(9, 2), 3), (slice(4, 8), slice(2, 4), 0), [1, 7], (slice(None), [0, 8]),
        np.int64(7), FIELD % 7 == 0, (None, 3),
    ],
    ids=str,
)  # fmt: skip
def test_global_arrays_are_indexed_as_numpy_does(folder: Path, key: Any) -> None:
    found, expected = opened(folder).array("field")[key], FIELD[key]
    assert np.array_equal(found, expected) and np.shape(found) == np.shape(expected)


@hypothesis.settings(suppress_health_check=[hypothesis.HealthCheck.function_scoped_fixture], deadline=None, max_examples=60)
@hypothesis.given(start=st.integers(-320, 320), stop=st.integers(-320, 320), step=st.integers(-40, 40).filter(bool))
def test_any_slice_of_vectors_is_that_of_the_whole(folder: Path, start: int, stop: int, step: int) -> None:
    array = opened(folder).array("positions")
    assert np.array_equal(array[start:stop:step], POSITIONS[start:stop:step])
    assert np.array_equal(array[start:stop:step, 1], POSITIONS[start:stop:step, 1])
    assert np.array_equal(array[start:stop:step, ::-2], POSITIONS[start:stop:step, ::-2])


def test_indices_that_are_not_there_are_errors(folder: Path) -> None:
    array = opened(folder).array("field")
    for key in (12, (0, -10), (0, 0, 0, 0), (..., ...)):
        with pytest.raises(IndexError):
            array[key]


def test_only_parts_and_blocks_with_elements_of_the_range_are_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Rows of 2 MiB, so that a few columns of them are a block each."""
    columns, part = 1 << 18, np.arange(3 << 18, dtype="<f8").reshape(3, -1)
    pieces = [(number, "a", [3 * number, 0], [3, columns]) for number in range(3)]
    state = opened(save_set(tmp_path / "s", [{"a": part + n} for n in range(3)], [piece_fields("a", [9, columns], pieces)]))
    array, read = state.array("a"), list[int]()
    assert array.shape == (9, columns)
    block = SegmentReader.block

    def counted(self: Any, number: int, *rest: Any) -> Any:
        read.append(number)
        return block(self, number, *rest)

    monkeypatch.setattr(SegmentReader, "block", counted)
    assert array[6:8, 200_000:200_002].tolist() == (part + 2)[:2, 200_000:200_002].tolist()
    assert read == [3, 7] and list(state._parts) == [0, 2]


def changed(**fields: Any) -> Callable[[dict[str, Any]], object]:
    return lambda manifest: manifest.update(fields)


def with_array(name: str, **fields: Any) -> Callable[[dict[str, Any]], object]:
    def change(manifest: dict[str, Any]) -> None:
        manifest["arrays"] = [{**each, **fields} if each["name"] == name else each for each in manifest["arrays"]]

    return change


CHANGES: dict[str, Callable[[dict[str, Any]], object]] = {
    "another version": changed(formatVersion=2),
    "a token with other characters": changed(token="A/.."),
    "a token that is too long": changed(token="a" * 65),
    "another token": changed(token="b"),
    "a step that is none": changed(step="1"),
    "a field that is missing": lambda manifest: manifest.pop("headerHashes"),
    "metadata without a value": changed(metadata=["a"]),
    "names of other files": changed(partNames=["../a", "b", "c"]),
    "names in another order": lambda manifest: manifest["partNames"].reverse(),
    "a name too few": lambda manifest: manifest["partNames"].pop(),
    "a size too few": lambda manifest: manifest.update(byteCounts=manifest["byteCounts"][:2]),
    "sizes that are no integers": changed(byteCounts=np.zeros(3)),
    "two arrays of one name": lambda manifest: manifest["arrays"].append(manifest["arrays"][0]),
    "an array without dimensions": with_array("nothing", shape=np.zeros(0, "<i8")),
    "a negative length": with_array("energies", shape=np.array([-1])),
    "a part that is not there": with_array("energies", parts=np.array([0, 3])),
    "a path that is not there": with_array("energies", pathNumbers=np.array([0, 1])),
    "a path number too few": with_array("energies", pathNumbers=np.array([0])),
    "an offset too many": with_array("energies", offsets=np.array([0, 4000, 1])),
    "a gap": with_array("energies", lengths=np.array([3999, 6000])),
    "an overlap": with_array("energies", offsets=np.array([0, 3999]), lengths=np.array([4000, 6001])),
    "a gap as long as an overlap": with_array("field", offsets=np.array([5, 2, 0, 0, 0, 0, 5, 0, 0])),
    "a piece beyond the shape": with_array("energies", lengths=np.array([4000, 6001])),
    "a piece whose end is more than 2^63": with_array("energies", offsets=np.array([0, (1 << 63) - 1])),
    "numbers of more than 63 bits": with_array("energies", offsets=np.array([0, 1 << 63], "<u8")),
    "no pieces": with_array("nothing", shape=np.array([1, 3])),
}


@pytest.mark.parametrize("what", CHANGES)
def test_manifests_that_do_not_fit_together_are_refused(tmp_path: Path, what: str) -> None:
    with pytest.raises(gc.GraphCodableError) as caught:
        gc.open(save_set(tmp_path / "s", PARTS, ARRAYS, CHANGES[what]))
    assert caught.value.place == "set" and caught.value.code == ("unsupported" if "version" in what else "malformed")


def test_a_damaged_manifest_is_refused_by_its_rule(folder: Path) -> None:
    data = bytearray((folder / "set.gcodable").read_bytes())
    data[-1] ^= 1
    (folder / "set.gcodable").write_bytes(data)
    with pytest.raises(gc.GraphCodableError, match="C1: set.gcodable"):
        gc.open(folder)


Boxes = list[tuple[tuple[int, ...], tuple[int, ...]]]


@st.composite
def tilings(draw: st.DrawFn) -> tuple[tuple[int, ...], Boxes]:
    """A shape that is cut again and again."""
    shape = tuple(draw(st.lists(st.integers(1, 5), min_size=1, max_size=3)))
    boxes: Boxes = [((0,) * len(shape), shape)]
    for _ in range(draw(st.integers(0, 6))):
        offset, lengths = boxes.pop(draw(st.integers(0, len(boxes) - 1)))
        axis = draw(st.integers(0, len(shape) - 1))
        cut = draw(st.integers(0, lengths[axis]))
        for at, length in ((0, cut), (cut, lengths[axis] - cut)):
            here = tuple(each + at * (n == axis) for n, each in enumerate(offset))
            boxes.append((here, tuple(length if n == axis else each for n, each in enumerate(lengths))))
    return shape, draw(st.permutations(boxes))


@hypothesis.given(tiling=tilings(), data=st.data())
def test_pieces_are_all_of_an_array_if_each_element_is_in_one(tiling: tuple[tuple[int, ...], Boxes], data: st.DataObject) -> None:
    shape, boxes = tiling
    if data.draw(st.booleans()):
        index = data.draw(st.integers(0, len(boxes) - 1))
        offset = tuple(data.draw(st.integers(0, length)) for length in shape)
        boxes[index] = offset, tuple(data.draw(st.integers(0, length - at)) for at, length in zip(offset, shape))
    counts = np.zeros(shape, int)
    for offset, lengths in boxes:
        counts[tuple(slice(at, at + length) for at, length in zip(offset, lengths))] += 1
    arrays = [np.array(each, np.int64).reshape(-1, len(shape)) for each in zip(*boxes)]
    if (counts == 1).all():
        check_cover("a", shape, *arrays)
        return
    with pytest.raises(gc.GraphCodableError):
        check_cover("a", shape, *arrays)


def test_parts_that_are_not_those_of_the_manifest_are_refused(folder: Path) -> None:
    state = opened(folder)
    path = folder / state.parts[1].name
    whole = path.read_bytes()
    for data, code in ((whole[:-1], "wrongSize"), (whole + b"\0", "wrongSize"), (None, "damaged")):
        path.write_bytes(data) if data is not None else path.unlink()
        for use in (state.check, state.verify, lambda: opened(folder).part(1), lambda: opened(folder).array("energies")[5000]):
            with pytest.raises(gc.GraphCodableError, match="part-00001") as caught:
                use()
            assert caught.value.code == code
    gc.save({**PARTS[1], "positions": -POSITIONS[100:]}, path)
    assert path.stat().st_size == len(whole)
    with pytest.raises(gc.GraphCodableError, match="not the part that was saved"):
        opened(folder).part(1)
    assert opened(folder).array("energies")[3999] == 3999


@pytest.mark.parametrize(
    "part", [{"own": ENERGIES[:3999]}, {"own": ENERGIES[:4000].astype("<f4")}, {"own": [1, "a"]}, {"other": 1}, 1], ids=range(5)
)
def test_arrays_of_parts_have_the_lengths_and_the_type_of_their_pieces(tmp_path: Path, part: Any) -> None:
    parts = [PARTS[1], part]
    pieces = [(0, "own", [4000], [6000]), (1, "own", [0], [4000])]
    state = opened(save_set(tmp_path / "s", parts, [piece_fields("energies", [10_000], pieces)]))
    state.check()
    assert state.array("energies")[4000] == 4000
    for use in (lambda: state.array("energies")[3000:5000], state.verify):
        with pytest.raises(gc.GraphCodableError, match="energies"):
            use()


def test_a_part_may_be_nothing_but_a_piece(tmp_path: Path) -> None:
    array = piece_fields("a", [10_000], [(0, "", [0], [4000]), (1, "", [4000], [6000])])
    state = opened(save_set(tmp_path / "s", [ENERGIES[:4000], ENERGIES[4000:]], [array]))
    assert state.array("a")[3998:4002].tolist() == [3998, 3999, 4000, 4001]


def test_more_parts_are_read_than_are_kept_open(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("graphcodable.files.sets.MOST_OPEN", 3)
    array = piece_fields("a", [8], [(number, "", [number], [1]) for number in range(8)])
    state = opened(save_set(tmp_path / "s", [np.arange(1.0) + number for number in range(8)], [array]))
    assert state.array("a")[::-3].tolist() == [7, 4, 1] and len(state._parts) == 3


def test_the_command_looks_into_sets(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["ls", str(folder)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].split() == ["energies", "float64", "10,000", "2", "pieces"] and lines[0].startswith("energies ")
    assert main(["ls", "--part", "1", str(folder), "state"]) == 0
    assert capsys.readouterr().out.startswith("field  nested array of int32  7 × 3 × 5  420 bytes  [[[")
    assert main(["info", "--json", str(folder)]) == 0
    assert json.loads(capsys.readouterr().out)["parts"][2]["name"] == f"part-00002-of-00003.{TOKEN}.gcodable"
    for status, wrong in ((1, ["ls", "--part", "3"]), (64, ["ls", "--entry", "0"]), (64, ["dump"])):
        assert main([*wrong, str(folder)]) == status
    capsys.readouterr()
    assert main(["verify", str(folder)]) == 0 and capsys.readouterr().out == f"{folder}: OK, 3 parts\n"


def test_verify_names_the_part_that_is_damaged(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = folder / f"part-00001-of-00003.{TOKEN}.gcodable"
    data = bytearray(path.read_bytes())
    data[1000] ^= 1
    path.write_bytes(data)
    assert main(["verify", "--json", str(folder)]) == 1
    (report,) = json.loads(capsys.readouterr().out)
    (problem,) = report["problems"]
    assert (report["kind"], report["parts"], problem["part"], problem["code"]) == ("set", 3, 1, "damaged")
    assert "does not match its checksum" in problem["message"]


def test_the_arrays_of_a_set_are_the_variables_of_a_dataset(folder: Path) -> None:
    xarray = pytest.importorskip("xarray")
    data = xarray.open_dataset(folder, dims={"field": ("x", "y", "z")}, drop_variables=["nothing"])
    assert data.attrs == {"run": "a", "empty": ""} and int(data.step) == -20
    assert set(data) == {"energies", "field", "positions", "structs.n", "structs.x"} and not data.field._in_memory
    assert np.array_equal(data.field.sel(y=[8, 1]), FIELD[:, [8, 1]]) and data.field.encoding["preferred_chunks"]["x"] == 7
    assert np.array_equal(data["structs.x"][3:9, 1], STRUCTS["x"][3:9, 1])
    copy = pickle.dumps(xarray.open_dataset(folder, engine="graphcodable", cache=False))
    reopened.cache_clear()  # As in another process.
    assert pickle.loads(copy).energies[4000] == 4000
    pytest.importorskip("dask.array")
    lazy = xarray.open_dataset(folder, engine="graphcodable", chunks={})
    assert float(lazy.energies.sum().compute(scheduler="threads", num_workers=2)) == ENERGIES.sum()


def test_manifests_with_changed_bytes_raise_no_other_error(folder: Path) -> None:
    data = (folder / "set.gcodable").read_bytes()
    whole, numbers = gc.Archive(data), random.Random(1)
    for _ in range(300):
        changed = bytearray(data)
        for _ in range(numbers.choice((1, 1, 2, 4))):
            place = numbers.randrange(40, len(data))
            changed[place] = numbers.choice((0, 1, 2, 3, 255, numbers.randrange(256), changed[place] ^ 1))
        try:
            (folder / "set.gcodable").write_bytes(resealed(bytes(changed), whole))
            state = opened(folder)
            state.verify()
            for array in state.arrays.values():
                array[1:3]
        except gc.GraphCodableError as error:
            assert str(error)
