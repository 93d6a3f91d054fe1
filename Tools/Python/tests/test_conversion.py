"""Plain values, data frames, notebooks and paths."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from document import example
from forge import archive, varint

import graphcodable as gc


def opened(value: object) -> gc.Archive:
    return gc.Archive(gc.encode(value))


def test_records_become_dictionaries_and_arrays_numpy_arrays() -> None:
    value = opened({"name": "a", "values": [1.5, 2.5], "parts": [{"x": 1}, {"x": None}]}).to_dict()
    assert isinstance(value["values"], np.ndarray) and value["values"].tolist() == [1.5, 2.5]
    assert value["name"] == "a" and value["parts"] == [{"x": 1}, {"x": None}]


def test_shared_objects_become_one_dictionary_and_cycles_stay() -> None:
    pair = gc.Archive(example("Example: a shared object")).to_dict()
    assert pair["first"] is pair["second"] and pair["first"] == {"mass": 1.5}
    shape = bytes([1]) + varint(1) + varint(1) + b"\x04"
    node = gc.Archive(archive(b"\x04\x01" + b"\x03\x03" + b"\x03\x01", ["other"], [shape], [2, 4])).to_dict()
    assert node["other"]["other"] is node


def test_deep_values_are_converted() -> None:
    depth = 1 << 17
    value = gc.Archive(archive(b"\x08" + b"\x08\x03" * (depth - 1) + b"\x16\x03\x07")).to_dict()
    for _ in range(depth):
        (value,) = value
    assert value == 7


def test_arrays_records_and_series_become_data_frames(tmp_path: Path) -> None:
    pytest.importorskip("pandas")
    structs = np.array([(1.5, (1, 2)), (2.5, (3, 4))], [("t", "f8"), ("v", "f4", 2)])
    root = opened({"structs": structs, "records": [{"a": 1}, {"a": 2, "b": "x"}], "vectors": np.eye(3)}).root
    frame = root.structs.to_dataframe()
    assert list(frame.columns) == ["t", "v_0", "v_1"] and frame["v_1"].tolist() == [2, 4]
    frame = root.records.to_dataframe()
    assert frame["a"].tolist() == [1, 2] and frame["b"].tolist()[1] == "x"
    assert list(root.vectors.to_dataframe().columns) == ["value_0", "value_1", "value_2"]
    with gc.SeriesWriter(tmp_path / "a.gcseries") as writer:
        writer.append(0, step=5, time=0.5, metadata={"run": "a", "step": "b"})
    with gc.open(tmp_path / "a.gcseries") as series:
        assert isinstance(series, gc.Series)
        row = series.to_dataframe().iloc[0]
    assert (row["step"], row["time"], row["run"], row["metadata.step"]) == (5, 0.5, "a", "b")


def test_notebooks_show_tables_with_escapes(tmp_path: Path) -> None:
    archive = opened({"<b>": "<script>", "list": [{"x": 1}] * 30})
    text = archive._repr_html_()
    assert "<script>" not in text and "&lt;script&gt;" in text and "30 elements" in text
    assert "… 10 more" in archive.root.list._repr_html_()
    assert "&lt;b&gt;" in archive.root._repr_html_()
    series = gc.Series(example("Example: a series"))
    assert "run=a" in series._repr_html_()


def test_paths_lead_to_values() -> None:
    archive = opened({"a b": [{"x": gc.AsDictionary({"k.1": 2.5})}], "v": np.arange(4)})
    assert archive.at("").keys() == ["a b", "v"]
    assert archive.at('["a b"][0].x["k.1"]') == 2.5
    assert archive.at("v[3]") == 3
    for path in ("v[4]", "a", "v.x"):
        with pytest.raises(KeyError):
            archive.at(path)
    with pytest.raises(ValueError):
        archive.at("v..x")
