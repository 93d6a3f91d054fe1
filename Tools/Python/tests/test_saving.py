"""Saving, by the module in C and without it, as far as scenarios.json does not have it."""

from __future__ import annotations

import errno
import os
import stat
from pathlib import Path

import pytest
from scenario_places import ended

import graphcodable as gc
from graphcodable.format import native
from graphcodable.writing import fallback

NAME = "a.gcodable"
pytestmark = pytest.mark.usefixtures("kind")


@pytest.fixture
def no_mask(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(mask: int) -> int:
        raise AssertionError("the mask of the whole process is changed")

    monkeypatch.setattr(os, "umask", refuse)


def value_at(path: Path) -> object:
    archive = gc.open(path)
    assert isinstance(archive, gc.Archive)
    return archive.root


@pytest.mark.parametrize("mode", [0o664, 0o600, 0o440])
def test_mode_is_kept_and_the_mask_is_not_touched(tmp_path: Path, mode: int, no_mask: None) -> None:
    path = tmp_path / NAME
    path.write_bytes(b"old")
    path.chmod(mode)
    gc.save(1, path)
    assert stat.S_IMODE(path.stat().st_mode) == mode and value_at(path) == 1


def test_a_value_that_cannot_be_written_leaves_the_old_file_and_nothing_else(tmp_path: Path) -> None:
    path = tmp_path / NAME
    gc.save("old", path)
    with pytest.raises(gc.GraphCodableError):
        gc.save({"x": object()}, path)
    assert value_at(path) == "old" and os.listdir(tmp_path) == [NAME]


def test_errors_have_the_name_of_the_file(tmp_path: Path) -> None:
    gc.save(1, tmp_path / NAME)
    paths: dict[str | Path, int] = {
        tmp_path / "no" / "such" / NAME: errno.ENOENT, tmp_path / ("x" * 300): errno.ENAMETOOLONG, f"{tmp_path / NAME}/": errno.EISDIR,
        f"{tmp_path}/new/": errno.EISDIR,
    }  # fmt: skip
    for path, reason in paths.items():
        with pytest.raises(OSError) as caught:
            gc.save(1, path)
        assert caught.value.filename == str(path) and caught.value.errno == reason


def test_both_ways_have_the_same_names() -> None:
    if native.module is None:
        import graphcodable._native as module
    else:
        module = native.module
    assert module.process_this() == fallback.process_this()
    assert module.temporary_name(255, ".x") == fallback.temporary_name(255, ".x")
    this = module.process_this()
    for process in (this, (this[0], ended(), *this[2:]), (this[0], this[1], 1, *this[3:]), ("other", *this[1:]),
                    (*this[:5], "another boot"), (*this[:4], "another machine", this[5])):  # fmt: skip
        assert module.process_look(process) == fallback.process_look(process)


@pytest.mark.skipif(os.name != "posix", reason="names are bytes on some systems alone")
def test_names_may_be_bytes_that_are_no_text(tmp_path: Path) -> None:
    folder = os.fsencode(tmp_path)
    for name in (b"a.gcodable", b"caf\xe9.gcodable"):
        path = os.path.join(folder, name)
        try:
            gc.save(1, path)  # type: ignore[arg-type]
        except OSError as error:
            pytest.skip(f"the system has no such names: {error}")
        assert value_at(Path(os.fsdecode(path))) == 1
        with gc.SeriesWriter(path + b".gcseries") as writer:  # type: ignore[arg-type]
            assert writer.append(2) == 0
        assert len(gc.open(os.fsdecode(path + b".gcseries"))) == 1  # type: ignore[arg-type]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no pipes with names")
def test_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / NAME)
    (tmp_path / "link").symlink_to(NAME)
    for name in (NAME, "link"):
        with pytest.raises(OSError, match="open the bytes") as caught:
            gc.open(tmp_path / name)
        assert caught.value.filename == str(tmp_path / name)
