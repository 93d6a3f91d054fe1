"""The programs in the guides for migrating: what they show runs, and prints what it says."""

from __future__ import annotations

import contextlib
import io
import re
from pathlib import Path

import pytest

FOLDER = Path(__file__).parents[3] / "Documentation" / "Migrating"
PRINTS = "# prints: "


def program(text: str) -> str:
    return "\n".join(re.findall(r"^```python\n(.*?)^```", text, re.MULTILINE | re.DOTALL))


PROGRAMS = {path.stem: found for path in sorted(FOLDER.glob("*.md")) if (found := program(path.read_text()))}


def test_those_for_python_have_programs() -> None:
    assert set(PROGRAMS) == {"HDF5", "Pickle"}


@pytest.mark.parametrize("name", PROGRAMS)
def test_a_program_prints_what_it_says(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if "import h5py" in PROGRAMS[name]:
        pytest.importorskip("h5py")
    monkeypatch.chdir(tmp_path)
    printed = io.StringIO()
    # Pickle and dataclasses look for the classes in their module.
    import __main__

    before = dict(vars(__main__))
    try:
        with contextlib.redirect_stdout(printed):
            exec(compile(PROGRAMS[name], f"{name}.md", "exec"), vars(__main__))
    finally:
        vars(__main__).clear()
        vars(__main__).update(before)
    expected = [line.split(PRINTS, 1)[1] for line in PROGRAMS[name].splitlines() if PRINTS in line]
    assert expected
    assert printed.getvalue().splitlines() == expected
