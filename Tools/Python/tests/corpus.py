"""Where the archives of `Tests/Corpus` are."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

REPOSITORY = Path(__file__).resolve().parents[3]
FOLDER = Path(os.environ.get("GRAPHCODABLE_CORPUS", REPOSITORY / "Tests" / "Corpus"))


def valid_files() -> list[Path]:
    return sorted(p for p in (FOLDER / "valid").glob("*.gc*") if p.suffix in (".gcodable", ".gcseries"))


def invalid_files() -> list[dict[str, Any]]:
    path = FOLDER / "invalid" / "invalid.json"
    return json.loads(path.read_text()) if path.exists() else []


def expected(path: Path) -> Any:
    return json.loads(path.with_suffix(".json").read_text())
