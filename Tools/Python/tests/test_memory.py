"""Memory of large results is used again, and only when nobody has it any more."""

from __future__ import annotations

import gc as collector
import os
import threading
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import graphcodable as gc
from graphcodable import memory

if not memory.CAN_KEEP:
    pytest.skip("the system cannot keep memory that it may take", allow_module_level=True)
SIZE = memory.FEWEST


@pytest.fixture(autouse=True)
def pool(monkeypatch: pytest.MonkeyPatch) -> Iterator[memory.Pool]:
    result = memory.Pool()
    monkeypatch.setattr(memory, "POOL", result)
    yield result


def test_large_memory_begins_at_a_large_page() -> None:
    assert memory.empty(SIZE).ctypes.data % memory.LARGE_PAGE == 0
    assert memory.empty(SIZE + 1).size == SIZE + 1
    assert memory.empty(10).size == 10


def test_memory_is_kept_until_its_last_view_is_gone(pool: memory.Pool) -> None:
    array = memory.empty(SIZE)
    address = array.ctypes.data
    view = array.view("<f8")[100:].reshape(-1, 4)[:, 1]
    bytes_of_it = array.data[5:]
    del array
    assert not pool.kept
    del view
    assert not pool.kept
    del bytes_of_it
    assert len(pool.kept) == 1
    again = memory.empty(SIZE)
    assert again.ctypes.data == address and not pool.kept
    assert memory.empty(SIZE).ctypes.data != address


def test_arrays_of_an_archive_that_are_alive_share_no_memory(pool: memory.Pool) -> None:
    archive = gc.encode(np.arange(SIZE // 8 + 1000))

    def read() -> np.ndarray[Any, Any]:
        opened = gc.open(archive)
        assert isinstance(opened, gc.Archive)
        return np.asarray(opened.root)

    first = read()
    copy = first.copy()
    second = read()
    assert not np.shares_memory(first, second)
    assert np.array_equal(first, copy) and np.array_equal(second, copy)
    del first, second
    assert pool.kept
    assert np.array_equal(read(), copy)


def test_other_sizes_take_other_memory(pool: memory.Pool) -> None:
    memory.empty(SIZE)
    assert len(pool.kept) == 1
    memory.empty(4 * SIZE)
    assert len(pool.kept) == 2


def test_no_more_is_kept_than_may_be(pool: memory.Pool) -> None:
    pool.most_kept = 3 * (SIZE + memory.LARGE_PAGE)
    arrays = [memory.empty(SIZE) for _ in range(5)]
    arrays.append(memory.empty(4 * SIZE))
    arrays.clear()
    assert sum(map(len, pool.kept)) == pool.most_kept


def test_too_many_bytes_are_an_error_of_memory() -> None:
    with pytest.raises(MemoryError):
        memory.empty(1 << 60)


def test_many_threads_take_and_give_back(pool: memory.Pool) -> None:
    def work(number: int) -> None:
        for _ in range(50):
            array = memory.empty(SIZE)
            array[:: 1 << 16] = number
            assert (array[:: 1 << 16] == number).all()

    threads = [threading.Thread(target=work, args=(number,)) for number in range(1, 5)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    collector.collect()
    assert 0 < len(pool.kept) <= 4


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork")
def test_a_forked_process_has_its_own(pool: memory.Pool) -> None:
    array = memory.empty(SIZE)
    array[:] = 1
    child = os.fork()
    if child == 0:
        array[:] = 2
        os._exit(0 if memory.empty(SIZE).size == SIZE else 1)
    assert os.waitpid(child, 0)[1] == 0
    assert (array == 1).all()
