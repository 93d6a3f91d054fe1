"""Folders of the corpus: series with a file for each entry, and sets."""

from __future__ import annotations

from typing import Any

import corpus
import pytest

import graphcodable as gc

FOLDERS = corpus.listed("folders/folders.json")


def verify(node: dict[str, Any]) -> Any:
    path = node["at"] / node["folder"]
    found = gc.ArchiveSet(path) if node["is"] == "set" else gc.open(path)
    found.verify()
    return found


def test_the_folders_are_there() -> None:
    assert {node["rule"] for node in FOLDERS} == {None, "F1", "F2", "P1", "P2", "P3", "P4", "P5", "P6"}


@pytest.mark.parametrize("node", [node for node in FOLDERS if node["rule"] is None], ids=lambda n: n["folder"])
def test_valid_folders_are_accepted(node: dict[str, Any]) -> None:
    found = verify(node)
    if node["is"] == "series":
        assert [entry.number for entry in found] == [0, 7]
    else:
        assert found.array("x")[...].tolist() == [[0, 1], [2, 3], [4, 5], [6, 7]]


@pytest.mark.parametrize("node", [node for node in FOLDERS if node["rule"]], ids=lambda n: n["folder"])
def test_invalid_folders_are_refused_by_their_rule(node: dict[str, Any]) -> None:
    with pytest.raises(gc.GraphCodableError) as caught:
        verify(node)
    # What is no archive at all breaks a rule of archives, too.
    assert caught.value.rule == node["rule"] or (node["folder"], caught.value.rule) == ("f1-no-archive", "H1")
    assert (caught.value.code == "unsupported") == (node["rule"] == "P1")
