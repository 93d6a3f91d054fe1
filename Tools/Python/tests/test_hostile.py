"""Files that would keep a process busy, or waiting: they are errors."""

import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import graphcodable
from graphcodable import Archive, ArchiveSet, GraphCodableError, encode
from graphcodable.format.limits import limits
from saved import save_set

COUNT = 400_000


@pytest.fixture(scope="module")
def bomb() -> bytes:
    """Very many empty lists, in a file of a few kilobytes."""
    return encode([[] for _ in range(COUNT)])


def refused(action: Callable[[], object]) -> GraphCodableError:
    with pytest.raises(GraphCodableError) as caught:
        action()
    assert caught.value.code == "limitExceeded"
    return caught.value


def test_walks_through_more_than_the_size_accounts_for_are_refused(bomb: bytes) -> None:
    assert len(bomb) < COUNT // 100
    archive = Archive(bomb)
    refused(archive.verify)
    refused(archive.to_dict)
    refused(lambda: archive.tree(None, None))
    # What is listed by default is little, and how much is left out is known.
    assert archive.tree().endswith(f"… {COUNT - 100:,} more, not listed: see --limit")
    # Nothing is counted where one value is asked for.
    assert len(archive.root) == COUNT and len(archive.root[COUNT - 1]) == 0


def test_the_limit_can_be_raised(bomb: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    small = encode([[] for _ in range(50_000)])
    refused(Archive(small).to_dict)
    monkeypatch.setattr(limits, "steps_per_byte", 1 << 14)
    assert graphcodable.limits.steps_per_byte == 1 << 14
    assert len(Archive(small).to_dict()) == 50_000
    Archive(small).verify()


@pytest.fixture
def saved(tmp_path: Path) -> Iterator[Path]:
    save_set(tmp_path, [{"name": "a"}, {"name": "b"}], [])
    yield tmp_path


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no pipes")
def test_pipes_and_devices_are_no_files_of_a_set(saved: Path) -> None:
    part = ArchiveSet(saved).parts[0].name
    for target in [None, "/dev/zero"]:
        (saved / part).unlink()
        if target is None:
            os.mkfifo(saved / part)
        else:
            (saved / part).symlink_to(target)
        found = ArchiveSet(saved)
        for action in [lambda: found.part(0), found.check, found.verify]:
            with pytest.raises(GraphCodableError):
                action()
    (saved / "set.gcodable").unlink()
    os.mkfifo(saved / "set.gcodable")
    with pytest.raises(GraphCodableError):
        ArchiveSet(saved)
