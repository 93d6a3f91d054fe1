"""Folders of series and sets, as writers leave them."""

from __future__ import annotations

import shutil
import struct
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

import graphcodable as gc

TOKEN = "3f-a7"


def save_entry(folder: Path, number: int, value: Any, step: int, time: str, metadata: Mapping[str, str] = {}) -> Path:
    """An entry of a series in a folder."""
    about = {"gcseries.number": str(number), "gcseries.step": str(step), "gcseries.time": time, "other": "kept"}
    about |= {f"gcseries.metadata.{key}": text for key, text in metadata.items()}
    path = folder / f"entry-{number:012}.gcodable"
    gc.save(value, path, metadata=about)
    return path


@dataclass
class Known:
    """What an index says of an entry, or of a set."""

    number: int
    step: int = 0
    time: float = 0.0
    metadata: Mapping[str, str] = field(default_factory=dict)
    byte_count: int = 0
    header_hash: int = 0


def save_index(
    folder: Path, known: Sequence[Known], change: Callable[[dict[str, Any]], object] = lambda fields: None
) -> None:
    """An index, which may be changed before it is written."""
    fields: dict[str, Any] = {
        "nextNumber": 99, "numbers": np.array([each.number for each in known], "<i8"),
        "steps": np.array([each.step for each in known], "<i8"), "times": np.array([each.time for each in known], "<f8"),
        "byteCounts": np.array([each.byte_count for each in known], "<u8"),
        "hashes": np.array([each.header_hash for each in known], "<u8"),
        "pairCounts": np.array([len(each.metadata) for each in known], "<i8"),
        "texts": [text for each in known for pair in each.metadata.items() for text in pair],
    }  # fmt: skip
    change(fields)
    gc.save(fields, folder / "index.gcodable")


INDEXES = ["whole", "gone", "damaged", "old", "of another kind", "of fewer fields", "of too few numbers"]


def change_index(folder: Path, how: str, known: Sequence[Known]) -> None:
    """Makes one of `INDEXES` of the index of a folder, which says of each entry what is known."""
    path = folder / "index.gcodable"
    data = bytearray(path.read_bytes())
    data[-1] ^= 1
    changes: dict[str, Callable[[], object]] = {
        "whole": lambda: None,
        "gone": path.unlink,
        "damaged": lambda: path.write_bytes(data),
        "old": lambda: save_index(folder, known[:1]),
        "of another kind": lambda: gc.save([1], path),
        "of fewer fields": lambda: save_index(folder, known, lambda fields: fields.pop("times")),
        "of too few numbers": lambda: save_index(folder, known, lambda fields: fields.update(nextNumber=3)),
    }
    changes[how]()


Piece = tuple[int, str, Sequence[int], Sequence[int]]  # Part, path, offset, lengths.


def piece_fields(name: str, shape: Sequence[int], pieces: Sequence[Piece]) -> dict[str, Any]:
    """An array over several parts, as the manifest has it."""
    paths = list(dict.fromkeys(path for _, path, _, _ in pieces))
    return {
        "name": name,
        "shape": np.array(shape, "<i8"),
        "paths": paths,
        "parts": np.array([part for part, *_ in pieces], "<i8"),
        "pathNumbers": np.array([paths.index(path) for _, path, *_ in pieces], "<i8"),
        "offsets": np.array([offset for *_, offset, _ in pieces], "<i8").reshape(-1),
        "lengths": np.array([lengths for *_, lengths in pieces], "<i8").reshape(-1),
    }


def save_set(
    folder: Path,
    parts: Sequence[Any],
    arrays: Sequence[Mapping[str, Any]],
    change: Callable[[dict[str, Any]], object] = lambda fields: None,
    token: str = TOKEN,
) -> Path:
    """A set whose manifest may be changed before it is written."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    names = [f"part-{number:05}-of-{len(parts):05}.{token}.gcodable" for number in range(len(parts))]
    heads = []
    for name, value in zip(names, parts):
        gc.save(value, folder / name)
        data = (folder / name).read_bytes()
        heads.append((len(data), struct.unpack_from("<Q", data, 32)[0]))
    fields: dict[str, Any] = {
        "formatVersion": 1, "token": token, "step": -20, "time": 2.5, "metadata": ["run", "a", "empty", ""],
        "partNames": names, "byteCounts": np.array([size for size, _ in heads], "<i8"),
        "headerHashes": np.array([each for _, each in heads], "<u8"), "arrays": list(arrays),
    }  # fmt: skip
    change(fields)
    gc.save(fields, folder / "set.gcodable")
    return folder


def save_set_of_series(
    folder: Path, number: int, parts: Sequence[Any], arrays: Sequence[Mapping[str, Any]], step: int, time: float,
    metadata: Mapping[str, str] = {},
) -> Known:  # fmt: skip
    """A set of a series, and what an index says of it."""
    texts = [text for pair in metadata.items() for text in pair]
    place = save_set(
        folder / f"set-{number:012}", parts, arrays, lambda fields: fields.update(step=step, time=float(time), metadata=texts)
    )
    size = sum(path.stat().st_size for path in place.glob("part-*"))
    header_hash = struct.unpack_from("<Q", (place / "set.gcodable").read_bytes(), 32)[0]
    return Known(number, step, time, metadata, size, header_hash)


class Counting:
    """A store of `obstore` or `fsspec` that counts its requests."""

    def __init__(self, store: Any) -> None:
        self.store, self.requests = store, list[str]()

    def __getattr__(self, name: str) -> Any:
        found = getattr(self.store, name)
        if name not in ("ls", "cat_file", "info"):
            return found

        def counted(*arguments: Any, **options: Any) -> Any:
            self.requests.append(f"{name} {arguments[0]}")
            return found(*arguments, **options)

        return counted
