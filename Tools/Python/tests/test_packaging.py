"""What is installed: every module, the types, and a command that works without the project."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import sysconfig
import zipfile
from pathlib import Path

import corpus
import pytest

import graphcodable as gc
from graphcodable.format import native

PROJECT = Path(__file__).parent.parent
SOURCES = {
    str(path.relative_to(PROJECT))
    for pattern in ("*.py", "*.pyi", "py.typed")
    for path in (PROJECT / "graphcodable").rglob(pattern)
}


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What a wheel has that was built away from the project, which has no module in C."""
    folder = tmp_path_factory.mktemp("wheel")
    ignored = shutil.ignore_patterns("*.so", "__pycache__", "*.egg-info", "build", "tests", "scripts")
    shutil.copytree(PROJECT, folder / "source", ignore=ignored)
    command = [sys.executable, "setup.py", "--quiet", "bdist_wheel", "--dist-dir", str(folder)]
    subprocess.run(command, cwd=folder / "source", check=True, capture_output=True)
    (wheel,) = folder.glob("*.whl")
    with zipfile.ZipFile(wheel) as file:
        file.extractall(folder / "installed")
    return folder / "installed"


def test_a_wheel_has_all_modules_and_types(installed: Path) -> None:
    found = {str(path.relative_to(installed)) for path in (installed / "graphcodable").rglob("*") if path.is_file()}
    assert found == SOURCES


def test_an_installed_package_reads_writes_and_has_its_command(installed: Path, tmp_path: Path) -> None:
    gc.save({"a": [1, 2]}, tmp_path / "a.gcodable")
    where = "import graphcodable; print(graphcodable.__file__, graphcodable.native.module)"
    # Without `site`, which would find the package in the project as well.
    environment = {"PYTHONPATH": os.pathsep.join([str(installed), sysconfig.get_path("platlib"), sysconfig.get_path("purelib")])}

    def run(*arguments: str) -> str:
        command = [sys.executable, "-P", "-S", *arguments]
        return subprocess.run(command, cwd=tmp_path, env=environment, check=True, capture_output=True, text=True).stdout

    assert run("-c", where).split() == [str(installed / "graphcodable" / "__init__.py"), "None"]
    assert "a  array of int64" in run("-m", "graphcodable", "ls", "a.gcodable")


def test_entry_points_are_there(installed: Path) -> None:
    (points,) = installed.glob("*.dist-info/entry_points.txt")
    text = points.read_text()
    for line in ("graphcodable = graphcodable.xarray_engine:GraphCodableEntrypoint",
                 "graphcodable.block = graphcodable.zarr_codec:BlockCodec",
                 "graphcodable-python = graphcodable.__main__:main"):  # fmt: skip
        assert line in text


@pytest.mark.skipif(native.module is None, reason="the check of wheels wants the module in C")
def test_the_check_of_wheels_reads_every_file_of_the_corpus() -> None:
    program = PROJECT / "scripts" / "read_corpus.py"
    done = subprocess.run([sys.executable, str(program), str(corpus.FOLDER)], capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stdout + done.stderr
