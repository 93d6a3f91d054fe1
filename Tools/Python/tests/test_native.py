"""The module in C gives what NumPy gives, bit by bit, and the same errors."""

from __future__ import annotations

import signal
import struct
import threading
import time
from typing import Any

import hypothesis
import hypothesis.strategies as st
import lz4.block
import numpy as np
import pytest
import xxhash
from forge import resealed
from test_laziness import BLOCK, BLOCKS, VALUES, array_archive

import graphcodable as gc
from graphcodable.format import blocks, filters, native, segment_reader
from graphcodable.format.filters import BIT_SHUFFLE, DELTA, QUANTISED, ROUNDED, SHUFFLE, Filter
from graphcodable.format.segment import ENTRY

if native.module is None:
    pytest.skip("the package was built without its module in C, or it is switched off", allow_module_level=True)
from graphcodable import _native

NOTE = Filter(ROUNDED, 0, 3, 20)
STEPS = {width: Filter(QUANTISED, width, 12, struct.unpack("<Q", struct.pack("<d", 0.001))[0]) for width in (4, 8)}


@st.composite
def filter_lists(draw: st.DrawFn) -> list[Filter]:
    """Lists of up to four filters that may stand together."""
    width = draw(st.sampled_from([1, 2, 4, 8]))
    its = draw(st.sampled_from([[], [NOTE], [STEPS[width]] if width in STEPS else []]))
    if draw(st.booleans()):
        lag = draw(st.integers(1, 40))
        its.append(Filter(DELTA, width, lag, draw(st.integers(0, lag - 1))))
    size = draw(st.sampled_from([width, width, draw(st.integers(1, 255))]))
    its += draw(st.sampled_from([[], [Filter(BIT_SHUFFLE, 0, size, 0)], [Filter(SHUFFLE, 0, max(size, 2), 0)]]))
    assert filters.are_possible(its, 1)
    return its


def without(monkeypatch: pytest.MonkeyPatch, function: Any, *arguments: Any) -> Any:
    with monkeypatch.context() as patch:
        patch.setattr(native, "module", None)
        return function(*arguments)


@hypothesis.given(data=st.binary(min_size=1, max_size=3000), its=filter_lists())
@hypothesis.example(bytes(range(256)) * 11, [Filter(BIT_SHUFFLE, 0, 8, 0)])
def test_filters_are_undone_as_by_numpy(data: bytes, its: list[Filter]) -> None:
    bytes_ = np.frombuffer(data, np.uint8)
    with pytest.MonkeyPatch.context() as patch:
        assert np.array_equal(filters.undone(bytes_, its), without(patch, filters.undone, bytes_, its))
        exact = [each for each in its if each.number not in (QUANTISED, ROUNDED)]
        assert np.array_equal(filters.done(bytes_, exact), without(patch, filters.done, bytes_, exact))
        stored = lz4.block.compress(data, store_size=False)
        if len(stored) != len(data):
            size = len(data)
            for claimed in (size, size + 1, max(size - 1, 1)):
                ours, its_own = blocks.expanded(stored, claimed, its), without(patch, blocks.expanded, stored, claimed, its)
                assert (ours is None) == (its_own is None)
                assert ours is None or np.array_equal(ours, its_own)


@pytest.mark.parametrize("compressed", [False, True])
@pytest.mark.parametrize("threads", [1, 2, 3, 64])
def test_parts_of_runs_are_as_by_numpy(compressed: bool, threads: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(segment_reader, "FEWEST_FOR_THREADS", 1)
    monkeypatch.setattr(native, "thread_count", lambda: threads)
    # A copy, so that stored blocks are not views.
    reader = gc.Archive(array_archive(compressed)).reader.bulk(0)
    reader.source.is_view = compressed
    raw = VALUES.view(np.uint8)
    for start in (0, 1, BLOCK - 1, BLOCK, 3 * BLOCK + 5):
        for end in (BLOCK + 1, 2 * BLOCK, 4 * BLOCK - 1, BLOCKS * BLOCK - 3, BLOCKS * BLOCK):
            assert np.array_equal(reader.read(start, end), raw[start:end])


@pytest.mark.parametrize("native_is_used", [True, False])
@pytest.mark.parametrize("threads", [1, 2, 5])
def test_the_first_block_that_is_wrong_is_named(
    native_is_used: bool, threads: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(segment_reader, "FEWEST_FOR_THREADS", 1)
    monkeypatch.setattr(native, "thread_count", lambda: threads)
    if not native_is_used:
        monkeypatch.setattr(native, "module", None)
    data = array_archive(True)
    its = gc.Archive(data).reader.contents.segments[0]
    places = [its.blocks_offset + int(start) for start in its.starts]
    damaged = bytearray(data)
    for block in (6, 2, 5):
        damaged[places[block] + 3] ^= 1
    with pytest.raises(gc.GraphCodableError, match="block 2 .* does not match its checksum") as caught:
        gc.Archive(bytes(damaged)).root[:]
    assert (caught.value.rule, caught.value.offset) == ("S11", places[2])
    assert np.array_equal(gc.Archive(bytes(damaged)).root[: 2 * BLOCK // 8], VALUES[: 2 * BLOCK // 8])


def run(stored: list[bytes], raw: int, size: int = 100, start: int = 0, count: int | None = None, **other: Any) -> Any:
    """Expands blocks that have their hashes."""
    entries = np.array([(len(each), xxhash.xxh3_64_intdigest(each)) for each in stored], ENTRY)
    out = np.zeros(raw if count is None else count, np.uint8)
    found = _native.expand_run(
        other.get("bytes", b"".join(stored)), other.get("entries", entries), size, raw, other.get("filters", b""), out, start, 2
    )
    return found or bytes(out)


def test_blocks_that_do_not_expand_to_their_size_are_named() -> None:
    good = [lz4.block.compress(bytes([each]) * 100, store_size=False) for each in range(4)]
    assert run(good, 400) == b"".join(bytes([each]) * 100 for each in range(4))
    short = lz4.block.compress(bytes(99), store_size=False)
    assert run([*good[:3], short], 400) == (3, 2)
    assert run([good[0], short, short, b"\xff" * 20], 400) == (1, 2)
    assert run([good[0], b""], 200) == (1, 2)


def test_runs_that_cannot_be_are_refused() -> None:
    block = bytes(range(100))
    assert run([block] * 2, 150, start=50, count=100) == (1, 2)  # The last has 50 bytes.
    assert run([block, block[:50]], 150, start=50, count=100) == block[50:] + block[:50]
    cases: list[dict[str, Any]] = [
        {"raw": 201}, {"raw": 100}, {"raw": 0, "count": 0}, {"start": 1}, {"start": -1}, {"start": 201, "count": 0},
        {"size": 0}, {"size": 99}, {"size": 1 << 62}, {"bytes": block}, {"bytes": block * 3}, {"filters": bytes(16)},
        {"filters": bytes(15)}, {"filters": Filter(SHUFFLE, 0, 4, 0).data() * 5}, {"entries": b""}, {"entries": bytes(23)},
        {"count": 201}, {"raw": (1 << 63) - 1, "count": 5},
    ]  # fmt: skip
    for wrong in cases:
        with pytest.raises(ValueError):
            run([block] * 2, **dict[str, Any](raw=200) | wrong)
    room = np.zeros(200, np.uint8)
    with pytest.raises(ValueError):
        _native.expand(room[:150], room[100:], b"")
    with pytest.raises(ValueError):
        _native.undo(bytes(10), room[:11], b"")
    with pytest.raises(ValueError):
        _native.expand(bytes(10), np.zeros((1 << 22) + 1, np.uint8), b"")
    with pytest.raises(TypeError):
        _native.undo(bytes(10), np.zeros(20, np.uint8)[::2], b"")


def test_an_interrupt_ends_a_run() -> None:
    stored = lz4.block.compress(bytes(1 << 20), store_size=False)
    # The same stored block many times: some seconds of work.
    count = 12_000
    entries = np.array([(len(stored), xxhash.xxh3_64_intdigest(stored))] * count, ENTRY)
    slow = Filter(BIT_SHUFFLE, 0, 17, 0).data()
    # Shells start what runs in the background without it.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    threading.Timer(0.3, lambda: signal.raise_signal(signal.SIGINT)).start()
    begun = time.monotonic()
    try:
        with pytest.raises(KeyboardInterrupt):
            _native.expand_run(stored * count, entries, 1 << 20, count << 20, slow, np.empty(10, np.uint8), 0, 2)
            pytest.skip("the machine is faster than the signal")
    finally:
        signal.signal(signal.SIGINT, before)
    assert time.monotonic() - begun < 10


def test_changed_archives_have_the_same_errors(monkeypatch: pytest.MonkeyPatch) -> None:
    data = array_archive(True)
    whole, numbers = gc.Archive(data), np.random.default_rng(5)

    def outcome(changed: bytes) -> Any:
        try:
            return bytes(gc.Archive(changed).root)
        except gc.GraphCodableError as error:
            return str(error), error.rule, error.offset

    for _ in range(300):
        changed = bytearray(data)
        changed[int(numbers.integers(40, len(data)))] ^= 1 << int(numbers.integers(8))
        sealed = resealed(bytes(changed), whole)
        assert outcome(sealed) == without(monkeypatch, outcome, sealed)
