"""The archives of `Tests/Corpus/python`, which Python has written and Swift reads.

    python tests/written.py  # writes them anew
"""

from __future__ import annotations

import base64
import dataclasses
import datetime
import json
import uuid
from pathlib import Path
from typing import Any

import numpy as np
from corpus import FOLDER

import graphcodable as gc

PYTHON = FOLDER / "python"


@dataclasses.dataclass
class Species:
    name: str
    mass: float
    symbol: str | None = None


def simulation() -> dict[str, Any]:
    """Decoded by Swift as a struct, and compared with the JSON."""
    index = np.arange(4200)
    return {
        "title": "Grüße\0",
        "step": -3,
        "large": (1 << 64) - 1,
        "time": 0.1,
        "temperature": np.float32(0.1),
        "isPeriodic": True,
        "note": None,
        "date": datetime.datetime(2026, 1, 2, 3, 4, 5, tzinfo=datetime.UTC),
        "identifier": uuid.UUID("00112233-4455-6677-8899-aabbccddeeff"),
        "species": [Species("sodium", 22.99, "Na"), Species("chlorine", 35.45)],
        "names": ["a", "ä", ""],
        "optionals": [1, None, 3],
        "counts": gc.AsDictionary({"a": 1, "b": 2}),
        "tags": {"x", "y"},
        "bytes": np.arange(5, dtype="u1"),
        "small": np.arange(-3, 3, dtype="<i2"),
        "flags": [True, False],
        "data": b"\0\1\2\xff",
        "noNumbers": np.empty(0, "<f8"),
        "noNames": [],
        "positions": np.stack([index / 7, index / 11, index % 13], axis=1)[:1400].astype("<f4"),
        "energies": np.sqrt(index[:2100]),
        "matrix": np.arange(20, dtype="f8").reshape(4, 5) / 3,
        "rows": [[1, 2], [], [3]],
        "frames": np.arange(2 * 700 * 3, dtype="f4").reshape(2, 700, 3) / 7,
        "indices": (index * 7919 % 4200).astype("<i4"),
    }


def structs() -> np.ndarray[Any, Any]:
    array = np.zeros(1000, [("mass", "<f8"), ("position", "<f4", 3), ("charge", "i1"), ("isFixed", "?")])
    array["mass"] = np.arange(1000) / 8
    array["position"] = np.arange(3000).reshape(-1, 3)
    array["charge"] = np.arange(1000) % 3 - 1
    array["isFixed"] = np.arange(1000) % 2
    return array


def as_json(value: Any) -> Any:
    """What `JSONDecoder` of Swift reads as the same value."""
    if dataclasses.is_dataclass(value) and not isinstance(value, (type, gc.AsDictionary)):
        return {key: each for key, each in as_json(vars(value)).items() if each is not None}
    if isinstance(value, gc.AsDictionary):
        return as_json(value.mapping)
    if isinstance(value, dict):
        return {key: as_json(each) for key, each in value.items() if each is not None}
    if isinstance(value, (list, set)):
        return [as_json(each) for each in (sorted(value) if isinstance(value, set) else value)]
    if isinstance(value, np.ndarray):
        # Digits for 32 bits, since those for 64 would be longer.
        return [as_json(each) for each in value]
    if isinstance(value, np.floating):
        return float(str(value))
    if isinstance(value, np.integer):
        return int(value)
    if isinstance(value, bytes):
        return base64.b64encode(value).decode()
    if isinstance(value, uuid.UUID):
        return str(value).upper()
    if isinstance(value, datetime.datetime):
        return (value - datetime.datetime(2001, 1, 1, tzinfo=datetime.UTC)).total_seconds()
    return value


def files() -> dict[str, bytes]:
    value, about = simulation(), {"author": "N.N.", "title": "é"}
    return {
        "simulation.gcodable": gc.encode(value, metadata=about, user_version=7),
        "simulation-stored.gcodable": gc.encode(value, metadata=about, user_version=7, compressed=False),
        "structs.gcodable": gc.encode({"structs": structs()}),
        "long-stream.gcodable": gc.encode([f"number {index}" for index in range(1000)]),
    }


def write_series(path: Path) -> None:
    path.unlink(missing_ok=True)
    with gc.SeriesWriter(path) as writer:
        for step in range(65):
            writer.append({"energy": step / 4}, step=step, time=step / 2, metadata={"run": "a"})


def main() -> None:
    PYTHON.mkdir(exist_ok=True)
    for name, data in files().items():
        (PYTHON / name).write_bytes(data)
    write_series(PYTHON / "run.gcseries")
    text = json.dumps(as_json(simulation()), ensure_ascii=True)
    (PYTHON / "simulation.json").write_text(text + "\n")


if __name__ == "__main__":
    main()
