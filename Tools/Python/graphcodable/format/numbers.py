"""Blocks with the codec for numbers, expanded without the module in C: exact, and slow."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from .errors import GraphCodableError
from .filters import Bytes
from .segment import MAX_BLOCK
from .varint import Reader

INTEGERS, ORDERED, MULTIPLES, QUOTIENTS = 0, 1, 2, 3
MOST_PREDICTORS, MOST_SHIFT, MOST_TAPS, MOST_TABLES, MOST_MODELS, MOST_PERIOD, MOST_LOG = 32, 15, 8, 32, 16, 48, 12
LEAST_PAGE, FREE_SLOTS, SLOTS_PER_NUMBER, MOST_EXPANSION = 256, 8192, 4, 255
LANES = 4
LEAST_BASE, MOST_BASE = 2.0**-1022, 2.0**1022
SIGN = 1 << 63

Slot = tuple[int, int, int, int]


class Wrong(Exception):
    """A block is none."""


@dataclass(frozen=True)
class Predictor:
    shift: int
    taps: tuple[tuple[int, int], ...]  # How far back, and times what.

    def predict(self, values: list[int]) -> int:
        total = 1 << self.shift >> 1
        for lag, factor in self.taps:
            if lag <= len(values):
                total += values[-lag] * factor
        return (((total + SIGN) & (2 * SIGN - 1)) - SIGN) >> self.shift


def bounded(value: int, least: int, most: int) -> int:
    if not least <= value <= most:
        raise Wrong
    return value


def read_predictor(reader: Reader) -> Predictor:
    shift, count = bounded(reader.u8(), 0, MOST_SHIFT), bounded(reader.u8(), 0, MOST_TAPS)
    taps = []
    for _ in range(count):
        lag = bounded(reader.varint(), 1, MAX_BLOCK)
        taps.append((lag, int.from_bytes(reader.take(2), "little", signed=True)))
    return Predictor(shift, tuple(taps))


def read_table(reader: Reader, log: int, width: int) -> list[tuple[int, int, int]]:
    """The bins of a table: the lowest integer, the weight, and the bits."""
    count, left, end, place = reader.u8() + 1, 1 << log, 1 << 8 * width, 0
    bins = []
    for _ in range(count):
        head = reader.u8()
        place += reader.varint() if head & 0x80 else 0
        bits = bounded(head & 0x7F, 0, 8 * width)
        weight = bounded(reader.varint(), 1, left)
        bounded(place + (1 << bits), 0, end)
        bins.append((place - end // 2, weight, bits))
        place += 1 << bits
        left -= weight
        if left == 0:
            break
    if left or len(bins) != count:
        raise Wrong
    return bins


def slots(bins: list[tuple[int, int, int]], log: int) -> list[Slot]:
    """What the states of a table stand for: the lowest integer, the next states from this one on, and their bits and its own."""
    owners, place = [0] * (1 << log), 0
    for number, (_, weight, _) in enumerate(bins):
        for _ in range(weight):
            owners[int(f"{place:0{log}b}"[::-1], 2) if log else 0] = number
            place += 1
    parts = [weight for _, weight, _ in bins]
    result = []
    for owner in owners:
        part = parts[owner]
        parts[owner] += 1
        state_bits = log - part.bit_length() + 1
        result.append((bins[owner][0], (part << state_bits) - (1 << log), state_bits, bins[owner][2]))
    return result


def read_series(reader: Reader, count: int, width: int) -> list[int]:
    """Integers with their signs."""
    page_size, log = bounded(reader.varint(), LEAST_PAGE, MAX_BLOCK), bounded(reader.u8(), 0, MOST_LOG)
    if page_size % LANES:
        raise Wrong
    predictors = [read_predictor(reader) for _ in range(bounded(reader.u8(), 1, MOST_PREDICTORS))]
    table_count = bounded(reader.u8(), 1, MOST_TABLES)
    if table_count << log > max(FREE_SLOTS, SLOTS_PER_NUMBER * count):
        raise Wrong
    tables = [slots(read_table(reader, log, width), log) for _ in range(table_count)]
    models = []
    for _ in range(bounded(reader.u8(), 1, MOST_MODELS)):
        period = bounded(reader.u8(), 1, MOST_PERIOD)
        phases = [(bounded(reader.u8(), 0, len(predictors) - 1), bounded(reader.u8(), 0, table_count - 1)) for _ in range(period)]
        models.append([(predictors[predictor], tables[table]) for predictor, table in phases])
    page_count = -(-count // page_size)
    pages = reader.take(page_count) if len(models) > 1 else bytes(page_count)
    for page in pages:
        bounded(page, 0, len(models) - 1)
    states = [bounded(int.from_bytes(reader.take(2), "little"), 0, (1 << log) - 1) for _ in range(LANES)]
    skipped = bounded(reader.u8(), 0, 7)
    data = reader.take(bounded(reader.varint(), 1 if skipped else 0, MAX_BLOCK))
    return decode(data, skipped, states, [models[page] for page in pages], page_size, count, width)


def decode(
    data: bytes, at: int, states: list[int], models: list[list[tuple[Predictor, list[Slot]]]], page_size: int, count: int, width: int
) -> list[int]:
    half, mask, end = 1 << 8 * width - 1, (1 << 8 * width) - 1, 8 * len(data)
    values: list[int] = []
    for i in range(count):
        if at > end:
            raise Wrong
        model = models[i // page_size]
        predictor, table = model[i % len(model)]
        lower, following, state_bits, bits = table[states[i % LANES]]
        # More than the 76 bits that a number may take, from any bit of a byte on.
        word = int.from_bytes(data[at >> 3 : (at >> 3) + 11], "little") >> (at & 7)
        states[i % LANES] = following + (word & ((1 << state_bits) - 1))
        value = lower + (word >> state_bits & ((1 << bits) - 1))
        at += state_bits + bits
        if predictor.taps:
            value += predictor.predict(values)
        values.append(((value + half) & mask) - half)
    if at != end or any(states):
        raise Wrong
    return values


def ordered(bits: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """The bits of floating-point numbers as integers in their order, and back."""
    return np.where(bits < 0, bits ^ np.iinfo(bits.dtype).max, bits)


def scaled(integers: np.ndarray[Any, Any], transform: int, base: float) -> np.ndarray[Any, Any]:
    """The ordered bits of integers times a base, or divided by it."""
    with np.errstate(over="ignore"):
        doubles = integers.astype("<f8")
        numbers = (doubles * base if transform == MULTIPLES else doubles / base).astype(f"<f{integers.itemsize}")
    return ordered(numbers.view(integers.dtype))


def read_block(stored: bytes, size: int, width: int) -> Bytes:
    count, fewest = size // width, -(-size // MOST_EXPANSION)
    if count < 1 or len(stored) < fewest:
        raise Wrong
    reader, integers = Reader(stored, 0, "S12"), f"<i{width}"
    transform, low_bits, base = bounded(reader.u8(), INTEGERS, QUOTIENTS), reader.u8(), 0.0
    has_scale = transform >= MULTIPLES
    if has_scale:
        base = float(np.frombuffer(reader.take(8), "<f8")[0])
        if not LEAST_BASE <= base <= MOST_BASE:
            raise Wrong
    if (width < (1, 2, 4, 4)[transform]) or low_bits > (0 if has_scale else 8 * width - 1):
        raise Wrong
    values = np.array(read_series(reader, count, width), integers)
    if has_scale:
        values = scaled(values, transform, base) + np.array(read_series(reader, count, width), integers)
    elif low_bits:
        values = (values << low_bits) + np.array(read_series(reader, count, width), integers)
    if transform != INTEGERS:
        values = ordered(values)
    rest = reader.take(size - count * width)
    # Zeros fill up a block that would be too short.
    zeros = reader.take(reader.left)
    if any(zeros) or (zeros and len(stored) != fewest):
        raise Wrong
    return np.frombuffer(values.astype(integers).tobytes() + rest, np.uint8)


def expanded(stored: bytes | memoryview, size: int, width: int) -> Bytes | None:
    """The bytes of a block before its filters are undone; `None` where it is none of `size` bytes."""
    try:
        return read_block(bytes(stored), size, width)
    except (Wrong, GraphCodableError):
        return None
