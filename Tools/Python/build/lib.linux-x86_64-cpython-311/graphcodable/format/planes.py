"""LZ4 of bit planes: the blocks that the Swift library makes behind a bit shuffle, byte for byte.

They are LZ4 blocks like others, and LZ4 expands them. This is for who wants the bytes of an archive whose blocks are stored as
changes of others. `Sources/CGraphArchive/planes.c` says why it is done so.
"""

from __future__ import annotations

HASH_BITS = 12
STEP_BITS = 4
LEAST_MATCH = 4
LITERAL_END = 5
LAST_START = 12
MOST_DISTANCE = 65535
LEAST_SAVED = 8
PASSED_OVER = 7
LEAST_WINDOW = 64
WINDOWS = 2048
FACTOR = 0x9E3779B185EBCA87
MASK = (1 << 64) - 1


def hash_of(data: bytes, at: int) -> int:
    return ((int.from_bytes(data[at : at + 6], "little") << 16) * FACTOR & MASK) >> (64 - HASH_BITS)


def count_equal(data: bytes, at: int, other: int, end: int) -> int:
    """How many bytes from `at` on, in front of `end`, are those from `other` on."""
    count, size = 0, 16
    while at + count < end:
        size = min(size, end - at - count)
        if data[at + count : at + count + size] == data[other + count : other + count + size]:
            count += size
            size = min(2 * size, 1 << 16)
        elif size == 1:
            break
        else:
            size //= 2
            while size > 1 and data[at + count : at + count + size] != data[other + count : other + count + size]:
                size //= 2
    return count


def length_bytes(length: int) -> bytes:
    """What stands behind the token."""
    if length < 15:
        return b""
    full, rest = divmod(length - 15, 255)
    return b"\xff" * full + bytes([rest])


def compressed(data: bytes) -> bytes | None:
    """One LZ4 block; `None` where it would not be smaller."""
    result, literals, last_start = bytearray(), 0, len(data) - LAST_START
    places = [0] * (1 << HASH_BITS)
    at, window_start, saved = 1, 0, 0
    part = len(data) // WINDOWS
    window = max(part, LEAST_WINDOW)
    while at <= last_start:
        step = 1 << STEP_BITS
        while at <= last_start:
            number = hash_of(data, at)
            match, places[number] = places[number], at
            if data[match : match + LEAST_MATCH] == data[at : at + LEAST_MATCH] and at - match <= MOST_DISTANCE:
                break
            at += step >> STEP_BITS
            step += 1
        else:
            break
        length = count_equal(data, at + LEAST_MATCH, match + LEAST_MATCH, len(data) - LITERAL_END)
        while at > literals and match > 0 and data[at - 1] == data[match - 1]:
            at, match, length = at - 1, match - 1, length + 1
        count = at - literals
        result.append(min(count, 15) << 4 | min(length, 15))
        result += length_bytes(count) + data[literals:at] + (at - match).to_bytes(2, "little") + length_bytes(length)
        at += LEAST_MATCH + length
        literals = at
        saved += LEAST_MATCH + length - 3
        if at > last_start:
            break
        places[hash_of(data, at - 2)] = at - 2
        if at - window_start < window:
            continue
        if saved * LEAST_SAVED < at - window_start:
            if last_start - at < PASSED_OVER * part:
                break
            at += PASSED_OVER * part
        window_start, saved = at, 0
    count = len(data) - literals
    result.append(min(count, 15) << 4)
    result += length_bytes(count) + data[literals:]
    return bytes(result) if len(result) < len(data) else None
