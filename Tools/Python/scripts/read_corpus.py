"""Reads every file of a corpus with the package that is installed, and writes some: scripts/read_corpus.py FOLDER

It takes nothing but the package, so that it runs where nothing else is.
"""

from __future__ import annotations

import json
import sys
import tempfile
from importlib.metadata import version
from pathlib import Path

import numpy as np

import graphcodable as gc
import graphcodable.native


def read(path: Path) -> None:
    if path.suffix == ".gcparity":
        assert gc.check_parity(path.with_suffix("")).is_intact
        return
    data = path.read_bytes()
    file = gc.open(path) if path.suffix == ".gclog" else gc.Series(data) if path.suffix == ".gcseries" else gc.Archive(data)
    file.verify()
    for archive in [file] if isinstance(file, gc.Archive) else [each.archive for each in file]:
        archive.tree()


def invalid_files(folder: Path) -> list[Path]:
    """What a folder of the corpus says is to be refused; none where it has no list."""
    found = folder / "invalid.json"
    return [folder / Path(node["file"]).name for node in json.loads(found.read_text())] if found.exists() else []


def is_refused(path: Path) -> bool:
    try:
        read(path)
    except gc.GraphCodableError:
        return True
    return False


def write(folder: Path) -> None:
    value = {"name": "wheel", "field": np.linspace(0, 1, 1_000_000), "ids": np.arange(1000)}
    gc.save(value, folder / "a.gcodable")
    with gc.SeriesWriter(folder / "s.gcseries") as writer:
        for step in range(3):
            writer.append(value, step=step, time=step / 2)
    for archive in (gc.open(folder / "a.gcodable"), gc.open(folder / "s.gcseries")[-1].archive):
        archive.verify()
        assert archive.root.name == "wheel" and np.array_equal(np.asarray(archive.root.field), value["field"])


def main(folder: Path) -> None:
    assert graphcodable.native.module is not None, "the module in C cannot be loaded"
    invalid = invalid_files(folder / "invalid") + invalid_files(folder / "streams")
    # Those in folders are parts of what their tests read as a whole.
    others = {folder / "invalid", folder / "folders"}
    valid = sorted({path for path in folder.rglob("*.gc*") if others.isdisjoint(path.parents)} - set(invalid))
    for path in valid:
        try:
            read(path)
        except Exception as error:
            sys.exit(f"{path}: {type(error).__name__}: {error}")
    accepted = [path.name for path in invalid if not is_refused(path)]
    assert len(valid) > 100 and len(invalid) > 200 and not accepted, accepted
    with tempfile.TemporaryDirectory() as scratch:
        write(Path(scratch))
    print(f"graphcodable {version('graphcodable')}: {len(valid)} files read, {len(invalid)} refused, and some written")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
