"""Memory of large results is used again, and only when nobody has it any more."""

from __future__ import annotations

import gc as collector
import os
import resource
import subprocess
import sys
import threading
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import graphcodable as gc
from graphcodable.format import native, segment_reader

if native.module is None:
    pytest.skip("the package was built without its module in C, or it is switched off", allow_module_level=True)
from graphcodable import _native

SIZE = segment_reader.FEWEST_FOR_THREADS
MOST_KEPT = 256 << 20


@pytest.fixture(autouse=True)
def nothing_kept() -> Iterator[None]:
    collector.collect()
    _native.drop_kept_memory()
    yield
    _native.drop_kept_memory()


@pytest.mark.parametrize("size", [SIZE, SIZE + 1, segment_reader.LARGE_PAGE * 3 - 1, segment_reader.LARGE_PAGE * 3])
def test_large_memory_begins_at_a_large_page_and_is_writable_to_its_end(size: int) -> None:
    array = segment_reader.empty(size)
    assert array.ctypes.data % segment_reader.LARGE_PAGE == 0 and array.size == size
    array[:] = 7
    assert (array == 7).all()


@pytest.mark.parametrize("size", [0, -1, "1", 1.5])
def test_sizes_that_cannot_be_are_refused(size: Any) -> None:
    with pytest.raises((ValueError, TypeError)):
        _native.Memory(size)


@pytest.mark.parametrize("size", [1 << 60, sys.maxsize, sys.maxsize - (3 << 20)])
def test_more_bytes_than_there_are_is_an_error_of_memory(size: int) -> None:
    with pytest.raises(MemoryError):
        _native.Memory(size)


def test_memory_is_kept_when_its_last_view_is_gone_and_no_sooner() -> None:
    array = segment_reader.empty(SIZE)
    address = array.ctypes.data
    view = array.view("<f8")[100:].reshape(-1, 4)[:, 1]
    bytes_of_it = array.data[5:]
    del array
    assert _native.kept_memory() == 0
    del view
    assert _native.kept_memory() == 0
    bytes_of_it.release()
    assert _native.kept_memory() >= SIZE
    again = segment_reader.empty(SIZE)
    assert again.ctypes.data == address and _native.kept_memory() == 0
    assert segment_reader.empty(SIZE).ctypes.data != address


def test_arrays_of_an_archive_that_are_alive_share_no_memory() -> None:
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
    collector.collect()
    assert _native.kept_memory() > 0
    assert np.array_equal(read(), copy)


def test_other_sizes_take_other_memory() -> None:
    segment_reader.empty(SIZE)
    kept = _native.kept_memory()
    segment_reader.empty(4 * SIZE)
    assert _native.kept_memory() > kept + 4 * SIZE


def test_no_more_is_kept_than_may_be() -> None:
    arrays = [segment_reader.empty(MOST_KEPT // 8) for _ in range(10)]
    arrays.append(segment_reader.empty(2 * MOST_KEPT))
    arrays.clear()
    assert MOST_KEPT * 3 // 4 <= _native.kept_memory() <= MOST_KEPT
    many = [segment_reader.empty(SIZE) for _ in range(40)]
    many.clear()
    assert _native.kept_memory() < 40 * SIZE
    _native.drop_kept_memory()
    assert _native.kept_memory() == 0


def test_many_threads_take_and_give_back() -> None:
    wrong: list[int] = []

    def work(number: int) -> None:
        for _ in range(50):
            array = segment_reader.empty(SIZE)
            array[:: 1 << 12] = number
            if not (array[:: 1 << 12] == number).all():
                wrong.append(number)

    threads = [threading.Thread(target=work, args=(number,)) for number in range(1, 5)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong and _native.kept_memory() > 0


LIMITED = """
import resource, numpy as np
from graphcodable import _native
from graphcodable.format import segment_reader
resource.setrlimit(resource.{limit}, (4 << 30, resource.RLIM_INFINITY))
segment_reader.empty({size})
assert _native.kept_memory() == 0
"""


@pytest.mark.parametrize("limit", ["RLIMIT_AS", "RLIMIT_DATA"])
def test_a_process_with_a_limit_of_addresses_keeps_nothing(limit: str) -> None:
    assert hasattr(resource, limit)
    subprocess.run([sys.executable, "-c", LIMITED.format(limit=limit, size=SIZE)], check=True)


@pytest.mark.filterwarnings("ignore:This process:DeprecationWarning")
def test_a_forked_process_has_its_own() -> None:
    array, gone = segment_reader.empty(SIZE), segment_reader.empty(SIZE)
    array[:] = gone[:] = 1
    address = gone.ctypes.data
    del gone
    child = os.fork()
    if child == 0:
        array[:] = 2
        again = segment_reader.empty(SIZE)
        again[:] = 3
        os._exit(0 if again.ctypes.data == address else 1)
    assert os.waitpid(child, 0)[1] == 0
    again = segment_reader.empty(SIZE)
    again[:] = 4
    assert (array == 1).all() and again.ctypes.data == address
