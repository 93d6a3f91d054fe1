"""Blocks of entries that are stored as differences to those of other entries."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pytest
from forge import varint
from pieced import Made, Numbers, Pieces, compressed, filter_list, low_hash, made, numbers, second_start, series
from test_filters import f64

import graphcodable as gc
from graphcodable.format.filters import BIT_SHUFFLE, DELTA, QUANTISED, ROUNDED, SHUFFLE, Filter

SHUFFLED = Filter(SHUFFLE, 0, 4, 0)
BITS = Filter(BIT_SHUFFLE, 0, 8, 0)
LAGGED = Filter(DELTA, 4, 3, 1)
STEPS = Filter(QUANTISED, 4, 17, f64(1 / 1024))
STEPS_OF_8 = Filter(QUANTISED, 8, 40, f64(1 / 1024))
NOTE = Filter(ROUNDED, 0, 1, f64(1 / 2048))
# Blocks of 4,096 and 2,052 bytes: the last one ends with half an integer of 8 bytes.
COUNT = 1537


@dataclass
class Block:
    """An extent of differences, whose fields a test may change."""

    size: int
    raw_size: int
    level: int
    hash: bytes
    width: int
    own: Sequence[Filter]
    other: Sequence[Filter]
    differences: Sequence[Filter]
    base: bytes | tuple[int, int]
    stored: bytes

    def about(self) -> bytes:
        data = b"" if self.width == 0 else filter_list(self.own) + filter_list(self.other) + filter_list(self.differences)
        return varint(self.raw_size) + bytes([self.level]) + self.hash + bytes([self.width]) + data


def differences(new: bytes, old: bytes, width: int) -> Numbers:
    result = bytearray(new)
    for at in range(0, len(new) // width * width, width):
        bits = 8 * width
        d = int.from_bytes(new[at : at + width], "little") - int.from_bytes(old[at : at + width], "little")
        d = (d + (1 << bits - 1)) % (1 << bits) - (1 << bits - 1)
        result[at : at + width] = (2 * d if d >= 0 else -2 * d - 1).to_bytes(width, "little")
    return np.frombuffer(bytes(result), np.uint8)


def blocks(first: Made, second: Made, width: int, filters: Sequence[Filter] = (), level: int = 0) -> list[Block]:
    """The blocks of the second entry as differences to those of the first one."""
    found = []
    for number, (new, old) in enumerate(zip(second.raw, first.raw)):
        its, others = (
            [each for each in of.filters if each.number != ROUNDED] if len(of.stored[number]) < len(of.raw[number]) else []
            for of in (second, first)
        )
        integers = numbers(new, its).tobytes()
        stored = compressed(differences(integers, numbers(old, others).tobytes(), width), filters)
        at, size = first.places[number]
        base = size, second_start(first.data) - 64 - at
        is_stored = len(second.stored[number]) == len(new)
        found.append(
            Block(
                len(second.stored[number]), len(new), 255 if is_stored else level, low_hash(integers),
                width if number == 0 else 0, its, others, filters, base, stored,
            )  # fmt: skip
        )
    return found


def in_pieces(first: Made, second: Made, its: Sequence[Block]) -> gc.Series:
    pieces = Pieces(second.data, second_start(first.data), block_count=len(its))
    pieces.take(second.blocks_offset)
    for each in its:
        pieces.derive(each.size, 3, each.about(), each.base, each.stored)
    pieces.take(len(second.data) - pieces.position)
    return gc.Series(series([(first.data, first.data), (pieces.stored(), second.data)]))


def values(step: int, form: str = "<f4") -> Numbers:
    """Multiples of the filters' steps, which change a little everywhere from one time to the next."""
    index = np.arange(COUNT * 4 // np.dtype(form).itemsize)
    return ((index // 7 * 7 + step * (index % 3)) % 250 * (STEPS.step if form[1] == "f" else 1)).astype(form)


def check(archive: gc.Archive, expected: Numbers) -> None:
    archive.verify()
    assert np.array_equal(archive.root[:], expected)
    assert np.array_equal(archive.root[1030:1033], expected[1030:1033])


@pytest.mark.parametrize("filters", [[], [SHUFFLED], [Filter(DELTA, 4, 3, 1), BITS]], ids=["lz4", "bytes", "delta"])
@pytest.mark.parametrize("width", [1, 2, 4, 8])
@pytest.mark.parametrize("own", [[], [SHUFFLED], [STEPS, SHUFFLED], [NOTE, LAGGED, BITS]], ids=str)
def test_differences_give_the_values_of_the_array(own: list[Filter], width: int, filters: list[Filter]) -> None:
    first, second = made(values(0), own), made(values(1), own)
    entry = in_pieces(first, second, blocks(first, second, width, filters))[1]
    entry.verify()
    check(entry.archive, values(1))


@pytest.mark.parametrize("form", ["<u1", "<u2", "<u4", "<u8", "<f8"])
def test_numbers_of_all_sizes_have_differences(form: str) -> None:
    own = [STEPS_OF_8, BITS] if form == "<f8" else [BITS]
    first, second = made(values(0, form), own), made(values(1, form), own)
    check(in_pieces(first, second, blocks(first, second, np.dtype(form).itemsize))[1].archive, values(1, form))


@pytest.mark.parametrize("is_compressed", [False, True], ids=["block stored", "block compressed"])
@pytest.mark.parametrize("is_other_compressed", [False, True], ids=["other stored", "other compressed"])
def test_blocks_that_are_stored_as_they_are_have_no_filters(is_compressed: bool, is_other_compressed: bool) -> None:
    for own in ([], [SHUFFLED]):
        first, second = made(values(0), own, is_other_compressed), made(values(1), own, is_compressed)
        its = blocks(first, second, 4, [SHUFFLED])
        assert [len(each.own) for each in its] == [len(own) if is_compressed else 0] * 2
        check(in_pieces(first, second, its)[1].archive, values(1))
    first, second = made(values(0), [STEPS], False), made(values(1), [STEPS], False)
    check(in_pieces(first, second, blocks(first, second, 4))[1].archive, values(1))


def test_the_other_block_may_have_other_filters_and_stand_with_the_archive() -> None:
    first, second = made(values(0), [STEPS, LAGGED]), made(values(1), [STEPS, SHUFFLED, BITS])
    its = blocks(first, second, 4)
    check(in_pieces(first, second, its)[1].archive, values(1))
    its[1] = replace(its[1], base=first.stored[1])
    check(in_pieces(first, second, its)[1].archive, values(1))


@pytest.mark.parametrize("level", [0, 1, 9, 12])
@pytest.mark.parametrize("own", [[], [STEPS, LAGGED, BITS]], ids=len)
def test_the_bytes_of_the_archive_come_from_the_numbers(own: list[Filter], level: int) -> None:
    first, second = made(values(0), own), made(values(1), own, level=level)
    source: Any = in_pieces(first, second, blocks(first, second, 4, [SHUFFLED], level))[1].archive.reader.source
    assert bytes(source.read(0, source.size)) == second.data
    (at, size), (start, count) = second.places
    assert bytes(source.read(at + 3, size)) == second.data[at + 3 : at + 3 + size]
    found = source.read_many([(0, at + 1), (start, count + 1)])
    assert [bytes(each) for each in found] == [second.data[: at + 1], second.data[start : start + count + 1]]
    assert source.place(at, size) is None and source.place(0, 40) is not None


STORED_SHUFFLED = compressed(np.zeros(4096, np.uint8), [])
TABLES: dict[str, Callable[[Block], Block]] = {
    "no width in the first one": lambda b: replace(b, width=0),
    "a width of 3": lambda b: replace(b, width=3),
    "a block of no bytes": lambda b: replace(b, raw_size=0),
    "a block of more than 2^22 bytes": lambda b: replace(b, raw_size=(1 << 22) + 1),
    "level 13": lambda b: replace(b, level=13),
    "stored as it is, with fewer bytes": lambda b: replace(b, level=255, own=[], other=[]),
    "five filters": lambda b: replace(b, differences=[SHUFFLED] * 5),
    "a filter that cannot be": lambda b: replace(b, differences=[Filter(SHUFFLE, 0, 1, 0)]),
    "quantised differences": lambda b: replace(b, differences=[STEPS]),
    "a note": lambda b: replace(b, own=[NOTE, *b.own]),
    "an unknown filter": lambda b: replace(b, own=[Filter(6, 0, 0, 0)]),
    "a quantised block and another one that is not": lambda b: replace(b, other=[SHUFFLED]),
    "other steps": lambda b: replace(b, other=[STEPS._replace(argument=f64(1 / 512)), SHUFFLED]),
    "quantised behind another filter": lambda b: replace(b, other=[SHUFFLED, STEPS]),
    "differences of no bytes": lambda b: replace(b, stored=b""),
    "more than 255 bytes for one of the differences": lambda b: replace(b, stored=b.stored[:16]),
    "more than 255 bytes for one of the other block": lambda b: replace(b, base=(16, 600)),
    "another block that is too long": lambda b: replace(b, base=STORED_SHUFFLED * 300),
}
BLOCKS: dict[str, Callable[[Block], Block]] = {
    "another hash": lambda b: replace(b, hash=bytes(8)),
    "differences that do not expand": lambda b: replace(b, stored=b"\xff" * len(b.stored)),
    "differences of fewer bytes": lambda b: replace(b, stored=compressed(np.zeros(4000, np.uint8), [])),
    "another block that does not expand": lambda b: replace(b, base=b"\xff" * 100),
    "another block of fewer bytes": lambda b: replace(b, base=compressed(np.zeros(4000, np.uint8), [])),
    "filters that are not those of the segment": lambda b: replace(b, own=[STEPS, BITS]),
    "no filters": lambda b: replace(b, own=[STEPS]),
    "other filters of the other block": lambda b: replace(b, other=[STEPS, BITS]),
    "other differences": lambda b: replace(b, differences=[SHUFFLED, SHUFFLED]),
    "another width": lambda b: replace(b, width=1),
}


def changed(change: Callable[[Block], Block]) -> gc.Entry:
    first, second = made(values(0), [STEPS, SHUFFLED]), made(values(1), [STEPS, SHUFFLED])
    its = blocks(first, second, 4, [SHUFFLED])
    return in_pieces(first, second, [change(its[0]), its[1]])[1]


@pytest.mark.parametrize("what", TABLES)
def test_tables_that_cannot_be_are_refused(what: str) -> None:
    with pytest.raises(gc.GraphCodableError) as caught:
        changed(TABLES[what]).archive
    assert caught.value.rule == "X3" and caught.value.place == "series"


@pytest.mark.parametrize("what", BLOCKS)
def test_blocks_that_do_not_come_out_are_refused_where_they_are_used(what: str) -> None:
    entry = changed(BLOCKS[what])
    assert entry.archive.metadata == {}
    for use in (lambda: entry.archive.root[:], entry.verify):
        with pytest.raises(gc.GraphCodableError) as caught:
            use()
        assert caught.value.rule == "X8"


@pytest.mark.parametrize("change", [lambda b: replace(b, raw_size=b.raw_size - 1), lambda b: replace(b, level=9, raw_size=8192)])
def test_what_is_made_of_another_block_is_a_block(change: Callable[[Block], Block]) -> None:
    with pytest.raises(gc.GraphCodableError, match="no block") as caught:
        changed(change).archive
    assert caught.value.rule == "X8"


def test_filters_are_those_of_the_segment_though_the_values_come_out() -> None:
    first, second = made(values(0), [SHUFFLED]), made(values(1), [SHUFFLED])
    its = [replace(each, own=[BITS]) for each in blocks(first, second, 4)]
    with pytest.raises(gc.GraphCodableError, match="X8") as caught:
        in_pieces(first, second, its)[1].archive.root[:]
    assert "filters" in str(caught.value.__cause__)


def test_blocks_stored_as_they_are_with_a_list_of_filters_are_refused() -> None:
    first, second = made(values(0), [SHUFFLED]), made(values(1), [SHUFFLED], False)
    its = [replace(each, own=[SHUFFLED]) for each in blocks(first, second, 4)]
    with pytest.raises(gc.GraphCodableError, match="X3"):
        in_pieces(first, second, its)[1].archive


@pytest.mark.parametrize(
    ("base", "rule"),
    [((100, 1 << 20), "X4"), ((300, 200), "X4"), ((16, 1 << 40), "X4")],
    ids=["in front of the first archive", "behind the beginning of the header", "before the file"],
)
def test_runs_that_are_not_in_front_are_refused(base: tuple[int, int], rule: str) -> None:
    with pytest.raises(gc.GraphCodableError) as caught:
        changed(lambda block: replace(block, base=base)).archive
    assert caught.value.rule == rule


def test_bytes_that_two_runs_have_are_refused() -> None:
    first, second = made(values(0), [SHUFFLED]), made(values(1), [SHUFFLED])
    one, two = blocks(first, second, 4)
    assert isinstance(one.base, tuple)
    with pytest.raises(gc.GraphCodableError, match="X5"):
        in_pieces(first, second, [one, replace(two, base=one.base)])[1].archive


def test_damage_of_a_shared_block_is_that_of_each_archive_that_has_it() -> None:
    first, second = made(values(0), [SHUFFLED]), made(values(1), [SHUFFLED])
    file = in_pieces(first, second, blocks(first, second, 4))
    data = bytearray(bytes(file._source.read(0, file.size)))
    data[64 + first.places[0][0] + 9] ^= 1
    damaged = gc.Series(bytes(data))
    for entry in damaged:
        with pytest.raises(gc.GraphCodableError) as caught:
            entry.archive.root[0]
        assert caught.value.rule in ("S11", "X8")
        check_last(entry.archive)


def check_last(archive: gc.Archive) -> None:
    assert archive.root[COUNT - 1] in (values(0)[-1], values(1)[-1])


def test_differences_of_more_bytes_than_their_block_are_refused() -> None:
    noise = np.random.default_rng(1).integers(0, 1 << 32, COUNT).astype("<u4")
    first, second = made(noise // 2, [], False), made(noise, [], False)
    its = blocks(first, second, 4)
    assert all(len(each.stored) > each.raw_size for each in its)
    with pytest.raises(gc.GraphCodableError, match="X3"):
        in_pieces(first, second, its)[1].archive
