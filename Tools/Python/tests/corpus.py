"""Where the archives of `Tests/Corpus` are."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path
from typing import Any

REPOSITORY = Path(__file__).resolve().parents[3]
RELEASE = re.compile(r"[0-9]+(\.[0-9]+)+")
FOLDER = Path(os.environ.get("GRAPHCODABLE_CORPUS", REPOSITORY / "Tests" / "Corpus"))


def folders() -> list[Path]:
    """The corpus of today, and those of all releases, such as `1.0`."""
    found = sorted(FOLDER.iterdir()) if FOLDER.exists() else []
    return [FOLDER, *(path for path in found if path.is_dir() and RELEASE.fullmatch(path.name))]


def files(pattern: str) -> list[Path]:
    """Those of all corpora."""
    return [path for folder in folders() for path in sorted(folder.glob(pattern))]


def listed(name: str) -> list[dict[str, Any]]:
    """What lists in all corpora have, each with the folder of its list as `at`."""
    return [{**node, "at": path.parent} for path in files(name) for node in json.loads(path.read_text())]


def name_of(path: Path) -> str:
    """The name of a file, with its release."""
    return path.relative_to(FOLDER).as_posix().removeprefix("valid/")


def valid_files() -> list[Path]:
    return [path for path in files("valid/*.gc*") if path.suffix in (".gcodable", ".gcseries")]


def invalid_files() -> list[dict[str, Any]]:
    return listed("invalid/invalid.json")


def expected(path: Path) -> Any:
    return json.loads(path.with_suffix(".json").read_text())
