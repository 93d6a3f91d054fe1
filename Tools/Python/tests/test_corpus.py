"""The archives of the corpus that all readers share."""

from __future__ import annotations

import struct
from pathlib import Path
from typing import Any

import corpus
import pytest
from expectation import Expectation

import graphcodable as gc


def open_as_named(path: Path, data: bytes | None = None) -> gc.Archive | gc.Series:
    data = path.read_bytes() if data is None else data
    return gc.Series(data) if path.suffix == ".gcseries" else gc.Archive(data)


def test_corpora_of_releases_are_read_as_well(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    counts = [len(each) for each in (corpus.valid_files(), corpus.invalid_files(), corpus.listed("folders/folders.json"))]
    its = {path.name for path in corpus.FOLDER.iterdir()}
    for folder in (".", "1.0", "1.10.2", "old"):
        (tmp_path / folder).mkdir(exist_ok=True)
        for name in its & {"valid", "invalid", "folders"}:
            (tmp_path / folder / name).symlink_to(corpus.FOLDER / name)
    releases = len(corpus.folders()) - 1
    monkeypatch.setattr(corpus, "FOLDER", tmp_path)
    assert [path.name for path in corpus.folders()[1:]] == ["1.0", "1.10.2"]
    found = [len(each) for each in (corpus.valid_files(), corpus.invalid_files(), corpus.listed("folders/folders.json"))]
    assert [3 * count // (releases + 1) for count in counts] == found
    assert "1.0/valid/array.gcodable" in map(corpus.name_of, corpus.valid_files())


def test_the_corpus_is_there() -> None:
    if not corpus.FOLDER.exists():
        pytest.skip("Tests/Corpus is not there")
    assert len(corpus.valid_files()) > 100 and len(corpus.invalid_files()) > 200


@pytest.mark.parametrize("path", corpus.valid_files(), ids=corpus.name_of)
def test_valid_files_have_the_values_of_their_json(path: Path) -> None:
    file, json = open_as_named(path), corpus.expected(path)
    file.verify()
    if isinstance(file, gc.Archive):
        Expectation(file, json).check()
        file.tree()
        return
    assert len(file) == len(json["entries"])
    for entry, node in zip(file, json["entries"]):
        assert (entry.number, entry.step) == (int(node["number"]), int(node["step"]))
        assert struct.pack(">d", entry.time).hex() == node["time"]["bits"]
        assert [list(pair) for pair in entry.metadata.items()] == node["metadata"]
        assert (entry.offset, entry.size) == (int(node["offset"]), int(node["byteCount"]))
        Expectation(entry.archive, node["archive"]).check()


@pytest.mark.parametrize("path", corpus.valid_files(), ids=corpus.name_of)
def test_files_are_read_from_paths_as_from_memory(path: Path) -> None:
    with gc.open(path) as mapped, path.open("rb") as file:
        mapped.verify()
        assert type(mapped) is type(open_as_named(path))
        gc.open(file).verify()


@pytest.mark.parametrize("data", [b"", b"gc", b"gcseries", bytes(64)])
def test_series_that_were_not_begun_are_known_by_their_names(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "run.gcseries"
    path.write_bytes(data)
    found = gc.open(path)
    assert isinstance(found, gc.Series) and len(found) == 0
    found.verify()
    # Under another name they may be what is left of an archive.
    for name in ("run.gcodable", "run"):
        (tmp_path / name).write_bytes(data)
        with pytest.raises(gc.GraphCodableError, match="H1"):
            gc.open(tmp_path / name)
    with pytest.raises(gc.GraphCodableError, match="H1"):
        gc.open(data)
    with gc.SeriesWriter(path, synchronized=False) as writer:
        writer.append({"n": 1})
    found = gc.open(path)
    assert isinstance(found, gc.Series) and found[-1].root.n == 1


@pytest.mark.parametrize("node", corpus.invalid_files(), ids=lambda n: n["file"])
def test_invalid_files_are_refused_by_their_rule(node: dict[str, Any]) -> None:
    path = node["at"] / Path(node["file"]).name
    with pytest.raises(gc.GraphCodableError) as caught:
        open_as_named(path).verify()
    assert caught.value.rule == node["rule"]
    assert caught.value.offset is not None
