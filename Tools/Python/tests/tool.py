"""The command-line tool, which is in Swift."""

from __future__ import annotations

import io
import os
import subprocess
from pathlib import Path
from typing import Any

import corpus
import numpy as np
import pytest

NAME = "graphcodable"


def found() -> Path:
    """The tool that `GRAPHCODABLE_TOOL` names, or else the one that was built last; skips the test where there is none."""
    named = os.environ.get("GRAPHCODABLE_TOOL")
    if named:
        assert Path(named).is_file(), f"GRAPHCODABLE_TOOL: there is no {named}"
        return Path(named)
    built = [path for kind in ("debug", "release") if (path := corpus.REPOSITORY / ".build" / kind / NAME).is_file()]
    if not built:
        pytest.skip("the tool was not built: see `make tool`")
    return max(built, key=lambda path: path.stat().st_mtime)


class Tool:
    def __init__(self) -> None:
        self.path = found()

    def run(self, *arguments: str | Path, status: int = 0) -> bytes:
        """What a command prints; another exit status is an error."""
        done = subprocess.run([self.path, *map(str, arguments)], capture_output=True, timeout=300)
        text = (done.stdout[-2_000:] + done.stderr).decode(errors="replace")
        assert done.returncode == status, f"{' '.join(map(str, arguments))}: {done.returncode}\n{text}"
        return done.stdout

    def array(self, file: Path, path: str) -> np.ndarray[Any, Any]:
        """An array, or a slice of one, as Swift reads it."""
        found: np.ndarray[Any, Any] = np.load(io.BytesIO(self.run("get", file, path, "--format", "npy")))
        return found
