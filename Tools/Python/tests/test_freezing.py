"""Corpora of releases do not change, and earlier readers read what is written later."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import corpus
import pytest

ROOT = corpus.REPOSITORY
SCRIPTS = ("freeze-corpus.sh", "earlier-readers.sh")

if shutil.which("bash") is None or not (ROOT / "scripts" / SCRIPTS[0]).exists():
    pytest.skip("the scripts need bash and the repository", allow_module_level=True)


def run(root: Path, script: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PYTHON": sys.executable}
    for name in ("GRAPHCODABLE_CORPUS", "PYTHONPATH"):
        environment.pop(name, None)
    command = [str(root / "scripts" / script), *arguments]
    return subprocess.run(command, env=environment, capture_output=True, text=True, check=False)


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """The corpus, its scripts and the package, without what was built."""
    root = tmp_path / "copy"
    ignored = shutil.ignore_patterns("[0-9]*.[0-9]*", "__pycache__", "*.so")
    shutil.copytree(corpus.FOLDER, root / "Tests" / "Corpus", ignore=ignored)
    shutil.copytree(ROOT / "Tools" / "Python" / "graphcodable", root / "Tools" / "Python" / "graphcodable", ignore=ignored)
    (root / "scripts").mkdir()
    for script in SCRIPTS:
        shutil.copy(ROOT / "scripts" / script, root / "scripts")
    return root


def test_the_corpora_of_releases_are_as_they_were() -> None:
    found = run(ROOT, "freeze-corpus.sh", "--check")
    assert found.returncode == 0, found.stderr


def test_a_frozen_corpus_does_not_change(copy: Path) -> None:
    assert "as they were released: 0" in run(copy, "freeze-corpus.sh", "--check").stdout
    assert run(copy, "freeze-corpus.sh", "latest").returncode == 64
    assert run(copy, "freeze-corpus.sh", "1.0").returncode == 0
    assert run(copy, "freeze-corpus.sh", "1.0").returncode == 1
    assert "as they were released: 1" in run(copy, "freeze-corpus.sh", "--check").stdout
    # What is not frozen goes on.
    (copy / "Tests" / "Corpus" / "valid" / "array.gcodable").write_bytes(b"")
    assert run(copy, "freeze-corpus.sh", "--check").returncode == 0
    frozen = copy / "Tests" / "Corpus" / "1.0"
    file = frozen / "valid" / "array.json"
    data = file.read_bytes()
    file.write_bytes(data + b"\n")
    assert "valid/array.json" in run(copy, "freeze-corpus.sh", "--check").stderr
    file.unlink()
    assert "valid/array.json" in run(copy, "freeze-corpus.sh", "--check").stderr
    file.write_bytes(data)
    assert run(copy, "freeze-corpus.sh", "--check").returncode == 0
    (frozen / "valid" / "more.gcodable").write_bytes(b"")
    assert "valid/more.gcodable" in run(copy, "freeze-corpus.sh", "--check").stderr
    shutil.rmtree(frozen)
    assert run(copy, "freeze-corpus.sh", "--check").returncode == 1


def test_readers_of_earlier_releases_read_what_is_written(copy: Path) -> None:
    def git(*arguments: str) -> None:
        subprocess.run(["git", "-c", "user.name=t", "-c", "user.email=t@localhost", *arguments], cwd=copy, check=True, capture_output=True)

    git("init", "--quiet")
    git("add", "--all")
    git("commit", "--quiet", "--message", "A release")
    assert "skipped" in run(copy, "earlier-readers.sh").stdout
    git("tag", "1.0")
    found = run(copy, "earlier-readers.sh")
    assert found.returncode == 0 and "release 1.0 reads" in found.stdout, found.stderr
    # A feature that the release does not know.
    file = copy / "Tests" / "Corpus" / "valid" / "swift-struct.gcodable"
    data = file.read_bytes()
    shutil.copy(copy / "Tests" / "Corpus" / "invalid" / "h5-feature-2.gcodable", file)
    found = run(copy, "earlier-readers.sh")
    assert found.returncode != 0 and "feature 2" in found.stderr + found.stdout
    file.write_bytes(data)
    (copy / "Tests" / "Corpus" / "swift" / "moving.gcseries").unlink()
    assert "moving.gcseries" in run(copy, "earlier-readers.sh").stderr
