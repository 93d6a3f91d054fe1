"""Attributes of arrays: units, names of dimensions and others, written, read, listed, and kept by xarray."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import forge
import numpy as np
import pytest
import xarray

import graphcodable
from graphcodable import Attributed, Attributes, GraphCodableError
from graphcodable.format.attributes import EXTENSION, parsed, table_bytes
from graphcodable.format.varint import string, varint

SAID = {"units": "nm", "cutoff": 1.25, "count": 2, "is_wrapped": True, "names": ["a", "é"], "range": [-1, 1 << 40], "empty": []}


def saved(value: Any) -> graphcodable.Archive:
    archive = graphcodable.Archive(graphcodable.encode(value))
    archive.verify()
    return archive


@pytest.mark.parametrize("length", [2, 40_000])
def test_arrays_have_what_is_said_of_them(length: int) -> None:
    positions = np.arange(length * 3.0).reshape(length, 3)
    archive = saved({"before": [1, "x"], "positions": Attributed(positions, ("atom", "xyz"), SAID), "plain": [1.5]})
    assert archive.root.positions.attributes == Attributes(("atom", "xyz"), dict(sorted(SAID.items())))
    assert archive.attributes("positions") == archive.root.positions.attributes
    assert not archive.attributes("plain") and not archive.attributes()
    assert np.array_equal(archive.root.positions[:], positions)


@pytest.mark.parametrize(
    "value", [["a", "b"], [[1, 2], [3]], [None, 1.5], [1, "a"], {"a": 1}, {1: 2}, np.zeros(3, [("x", "<f4")]), b"123"]
)
def test_other_arrays_and_records_have_them_too(value: Any) -> None:
    archive = saved({"a": [Attributed(value, (), {"n": 1}), None], "root": {"b": Attributed(value, (), {"n": 2})}})
    assert archive.attributes("a[0]").attrs == {"n": 1}
    assert archive.attributes("root.b").attrs == {"n": 2}
    assert saved(Attributed(value, (), {"n": 3})).attributes().attrs == {"n": 3}


def test_equal_ones_are_stored_once() -> None:
    few, many = ({"a": [Attributed([1.0, 2], ("x",), SAID) for _ in range(count)]} for count in (1, 100))
    assert len(graphcodable.encode(many)) < len(graphcodable.encode(few)) + 100 * 30


def test_nothing_is_paid_without_them() -> None:
    assert graphcodable.encode(Attributed([1.0])) == graphcodable.encode([1.0])


@pytest.mark.parametrize(
    ("dims", "attrs"),
    [((1,), {}), ((), {1: 2}), ((), {"a": None}), ((), {"a": {"b": 1}}), ((), {"a": [1, "b"]}), ((), {"a": 1 << 63}),
     (("\ud800",), {}), ((), {"a": np.zeros((2, 2))})],
)  # fmt: skip
def test_others_are_refused(dims: Any, attrs: Any) -> None:
    with pytest.raises(GraphCodableError) as info:
        graphcodable.encode(Attributed([1.0], dims, attrs))
    assert info.value.code == "invalidValue"


def test_numbers_of_numpy_are_numbers() -> None:
    attrs = {"i": np.int32(3), "f": np.float32(0.5), "b": np.bool_(True), "a": np.arange(3), "m": (1, 2.5)}
    found = saved(Attributed([1.0], (), attrs)).attributes().attrs
    assert found == {"i": 3, "f": 0.5, "b": True, "a": [0, 1, 2], "m": [1.0, 2.5]}


def test_a_table_is_read_back_and_any_byte_less_is_refused() -> None:
    table = {1: Attributes(("x",), dict(sorted(SAID.items()))), 7: Attributes((), {"n": -0.0}), 300: Attributes(("x", "y"), {})}
    data = table_bytes(table.items())
    assert parsed(data, 0) == table
    for end in range(len(data)):
        with pytest.raises(GraphCodableError, match="C17"):
            parsed(data[:end], 0)
    with pytest.raises(GraphCodableError, match="C17"):
        parsed(data + b"\1", 0)


def test_those_of_no_array_are_found_by_verify() -> None:
    data = graphcodable.encode({"a": Attributed([1.0], (), {"n": 1})})
    archive = graphcodable.Archive(data)
    table, at = archive.reader.contents.extensions[EXTENSION]
    archive.reader.contents.extensions[EXTENSION] = (table_bytes([(3, Attributes(("x",)))]), at)
    from graphcodable.graph.verify import verify

    with pytest.raises(GraphCodableError, match="C17"):
        verify(archive.reader)


# xarray


def dataset() -> xarray.Dataset:
    rng = np.random.default_rng(1)
    return xarray.Dataset(
        {
            "positions": (("time", "atom", "xyz"), rng.normal(size=(5, 70, 3)), {"units": "nm", "cutoff": 1.5}),
            "energy": (("time",), np.arange(5.0), {"units": "kJ/mol", "levels": [1, 2]}),
            "element": (("atom",), np.array(["C"] * 70)),
            "total": ((), 3.5),
        },
        coords={
            "time": ("time", np.arange(5) * 0.5, {"units": "ps"}),
            "mass": ("atom", np.full(70, 12.0), {"units": "u"}),
            "when": ("time", np.datetime64("2026-01-01T00:00:00.25", "us") + np.arange(5) * np.timedelta64(1, "h")),
        },
        attrs={"title": "water", "version": 3},
    )


@pytest.mark.parametrize("size", [1, 100])
def test_a_dataset_comes_back_as_it_was(tmp_path: Path, size: int) -> None:
    data = dataset()
    if size > 1:
        data = data.assign(long=(("time", "cell"), np.arange(5.0 * 4000).reshape(5, 4000), {"units": "K"}))
    path = tmp_path / "a.gcodable"
    graphcodable.save(data, path, metadata={"run": "7"})
    with xarray.open_dataset(path, engine="graphcodable") as found:
        found.load()
        assert found.attrs == {"title": "water", "version": 3, "run": "7"}
        found.attrs.pop("run")
        kept = data.drop_vars("element")
        xarray.testing.assert_identical(found[list(kept.data_vars)].drop_attrs(deep=False), kept.drop_attrs(deep=False))
        assert set(found.coords) == set(data.coords)
    graphcodable.open(path).verify()


def opened(path: Path) -> graphcodable.Archive:
    found = graphcodable.open(path)
    assert isinstance(found, graphcodable.Archive)
    return found


def test_an_array_alone_and_in_a_record(tmp_path: Path) -> None:
    array = xarray.DataArray(np.arange(6.0).reshape(2, 3), dims=("row", "column"), attrs={"units": "m"}, name="heights")
    path = tmp_path / "a.gcodable"
    graphcodable.save(array, path)
    assert opened(path).attributes() == Attributes(("row", "column"), {"units": "m"})
    with xarray.open_dataset(path, engine="graphcodable") as found:
        xarray.testing.assert_identical(found["values"].rename("heights"), array)
    graphcodable.save({"its": array}, path)
    with xarray.open_dataset(path, engine="graphcodable") as found:
        xarray.testing.assert_identical(found["its"].rename("heights"), array)
    graphcodable.save(array.assign_coords(row=[10, 20]), path)
    with xarray.open_dataset(path, engine="graphcodable") as found:
        xarray.testing.assert_identical(found["heights"], array.assign_coords(row=[10, 20]))


def test_steps_of_a_series_have_the_names(tmp_path: Path) -> None:
    path = tmp_path / "a.gcseries"
    with graphcodable.SeriesWriter(path) as writer:
        for step in range(3):
            array = xarray.DataArray(np.full((4, 5), float(step)), dims=("y", "x"), attrs={"units": "K"})
            writer.append({"field": array}, step=step, time=step / 2)
    with xarray.open_dataset(path, engine="graphcodable") as found:
        assert found["field"].dims == ("step", "y", "x")
        assert found["field"].attrs == {"units": "K"}


def test_names_that_do_not_fit_are_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "a.gcodable"
    value = {
        "one": Attributed(np.zeros(5), ("x",)), "two": Attributed(np.zeros(6), ("x",)), "twice": Attributed(np.zeros((5, 5)), ("x", "x")),
        "few": Attributed(np.zeros((5, 6)), ("x",)),
    }  # fmt: skip
    graphcodable.save(value, path)
    with xarray.open_dataset(path, engine="graphcodable") as found:
        assert found["one"].dims == ("x",)
        assert found["two"].dims == ("dim_6",)
        assert found["twice"].dims == ("dim_5", "lane_5")
        assert found["few"].dims == ("dim_5", "lane_6")
    with xarray.open_dataset(path, engine="graphcodable", dims={"two": "y"}) as found:
        assert found["two"].dims == ("y",)


def test_dates_with_nanoseconds_are_refused() -> None:
    with pytest.raises(GraphCodableError, match="microseconds"):
        graphcodable.encode(xarray.DataArray(np.array(["2026-01-01T00:00:00.000000001"], "M8[ns]"), dims="time"))


# The directory


class Counted:
    """Bytes in memory that count the requests for them."""

    def __init__(self, data: bytes) -> None:
        self.data, self.requests = data, list[tuple[int, int]]()
        self.size, self.is_view = len(data), False

    def read(self, offset: int, count: int) -> memoryview:
        self.requests.append((offset, count))
        return memoryview(self.data)[offset : offset + count]

    def read_many(self, extents: Any) -> Any:
        return (self.read(*extent) for extent in extents)


def with_directory(data: bytes, path: Sequence[str | int], offset: int, value: bytes) -> bytes:
    """The archive with a directory of one array, sealed again."""
    archive = graphcodable.Archive(data)
    contents = bytearray(data[-archive.header.contents_size :])
    assert not contents[0] & 192
    steps = b"".join(varint(0) + string(step) if isinstance(step, str) else varint(step + 1) for step in path)
    entry = varint(1) + varint(len(path)) + steps + varint(offset) + varint(len(value)) + value
    headers = sum(len(each.header) for each in archive.reader.contents.segments)
    at = 1 + 1 + headers
    contents[at:at] = varint(1) + varint(4) + varint(len(entry)) + entry
    contents[0] |= 128
    return forge.seal(data[40 : -archive.header.contents_size], bytes(contents))


def large() -> tuple[bytes, int, bytes]:
    value = {"front": [[str(number), number] for number in range(40_000)], "arrays": [{"x": np.arange(5000.0)}, {"x": np.arange(4000.0) * 2}]}
    data = graphcodable.encode(value)
    array = graphcodable.Archive(data).root.arrays[1].x
    stream = graphcodable.Archive(data).reader.stream
    start, end = array._head.start, array._head.end
    return data, start, bytes((0x0B,)) + bytes(stream.bytes(start, end - start))


def test_an_array_takes_three_requests() -> None:
    data, start, value = large()
    source = Counted(with_directory(data, ["arrays", 1, "x"], start, value))
    archive = graphcodable.Archive(source)
    assert np.array_equal(archive.at("arrays[1].x")[:], np.arange(4000.0) * 2)
    # The header, the contents, the header in front of the blocks, and the blocks.
    assert len(source.requests) <= 4
    assert sum(count for _, count in source.requests) < len(data) // 4
    assert archive.at("arrays[1].x[7]") == 14
    assert np.array_equal(archive.at("arrays[0].x")[:], np.arange(5000.0))
    archive.verify()


def test_a_directory_that_says_something_else_is_refused() -> None:
    data, start, value = large()
    forgeries: tuple[tuple[list[str | int], int, bytes], ...] = (
        (["arrays", 0, "x"], start, value), (["arrays"], start, value), (["arrays", 1], start, value), ([], start, value),
        (["arrays", 1, "x"], start - 1, value), (["arrays", 1], 1 << 40, value), (["front", 1, 1], start, value),
    )  # fmt: skip
    for path, offset, bytes_of in forgeries:
        with pytest.raises(GraphCodableError, match="C18"):
            graphcodable.Archive(with_directory(data, path, offset, bytes_of)).verify()
    forged = graphcodable.Archive(with_directory(data, ["arrays", 1, "x"], start, value[:-1] + varint(7)))
    with pytest.raises(GraphCodableError, match="G10"):
        forged.at("arrays[1].x")


# The identity


def test_the_identity_is_that_of_the_values() -> None:
    rng = np.random.default_rng(7)
    value: dict[str, Any] = {"names": [str(number) for number in range(3000)], "field": rng.normal(size=300_000), "n": 1}
    one = graphcodable.Archive(graphcodable.encode(value))
    other = graphcodable.Archive(graphcodable.encode(value, compressed=False, metadata={"a": "b"}, user_version=3))
    assert one.identity() == other.identity() and len(one.identity()) == 32
    with_units = {**value, "field": Attributed(value["field"], ("x",), {"units": "m"})}
    assert graphcodable.Archive(graphcodable.encode(with_units)).identity() == one.identity()
    found = {one.identity()}
    for change in ({"n": 2}, {"m": 1}, {"names": value["names"][:-1]}, {"field": value["field"].astype("f4")}):
        found.add(graphcodable.Archive(graphcodable.encode({**value, **change})).identity())
    for place in (0, 131_072, 299_999):
        field = value["field"].copy()
        field.view("u8")[place] ^= np.uint64(1)
        found.add(graphcodable.Archive(graphcodable.encode({**value, "field": field})).identity())
    assert len(found) == 8


def test_zarr_has_the_names_and_attributes() -> None:
    zarr = pytest.importorskip("zarr")
    store = pytest.importorskip("graphcodable.zarr_store").GraphCodableStore(saved(dataset().drop_vars("element")))
    group = zarr.open_group(store, mode="r")
    assert dict(group.attrs)["title"] == "water"
    assert dict(group["positions"].attrs) == {"units": "nm", "cutoff": 1.5}
    assert group["positions"].metadata.dimension_names == ("time", "atom", "xyz")


# The command


def printed(*arguments: str, capsys: pytest.CaptureFixture[str]) -> str:
    from graphcodable.views.command import main

    assert main(list(arguments)) == 0
    return capsys.readouterr().out


def test_the_command_shows_them(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "a.gcodable"
    graphcodable.save({"positions": Attributed(np.zeros((5, 3)), ("atom", "xyz"), {"units": "nm", "n": [1, 2]}), "n": 1}, path)
    assert '(atom, xyz) n: [1, 2] units: "nm"' in printed("ls", str(path), capsys=capsys)
    items = json.loads(printed("ls", "-r", "--json", str(path), capsys=capsys))["items"]
    found = next(item for item in items if item["path"] == "positions")
    assert found["dimensions"] == ["atom", "xyz"] and found["attributes"] == {"units": "nm", "n": [1, 2]}
    assert "attributes  of 1 value" in printed("info", str(path), capsys=capsys)
    identity = opened(path).identity()
    assert identity in printed("info", "--identity", str(path), capsys=capsys)
    assert json.loads(printed("info", "--identity", "--json", str(path), capsys=capsys))["identity"] == identity
