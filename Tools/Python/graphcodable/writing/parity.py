"""Restores lost bytes of a file from the parity beside it: "Parity" in Documentation/Format-2.md."""

from __future__ import annotations

import os
import struct
from collections import defaultdict
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import numpy.typing as npt
import xxhash

from ..format.contents import MAGIC
from ..format.errors import GraphCodableError
from ..format.version import UNDERSTOOD, VERSION
from .appended import AppendedFile
from .refusals import local
from .sinks import FileSink

Sector = npt.NDArray[np.uint8]

SECTOR = 4096
PARITY_MAGIC = b"gcparity"
FIELDS = struct.Struct("<8sHHIQQQIIIIQQQ")
PER_BLOCK = (SECTOR - FIELDS.size - 8) // 4
START = 40


@dataclass(frozen=True)
class Layout:
    """Which sectors make up the code words of a group."""

    size: int
    words: int
    parities: int
    sums: int

    @property
    def sectors(self) -> int:
        return -(-self.size // SECTOR)

    @property
    def parity_sectors(self) -> int:
        return self.words * self.parities + self.sums

    @property
    def blocks(self) -> int:
        return -(-(self.sectors + self.parity_sectors) // PER_BLOCK)

    @property
    def group_size(self) -> int:
        return (2 * self.blocks + self.parity_sectors) * SECTOR

    def is_valid(self) -> bool:
        if not (1 <= self.size <= 1 << 56 and 1 <= self.words <= self.sectors and 1 <= self.parities <= 256):
            return False
        return -(-self.sectors // self.words) + self.parities <= 256 and self.sums <= self.sectors

    def sum_of(self, sector: int) -> int:
        return (sector % self.words + sector // self.words) % self.sums


@dataclass
class Block:
    """A block of a table."""

    number: int
    place: int
    start: int
    layout: Layout
    start_hash: int
    identity: int
    checksums: npt.NDArray[np.uint32]


@dataclass
class Group:
    """A run of a file's bytes, and the checksums of its sectors; `known` says of which there are any."""

    place: int
    start: int
    layout: Layout
    start_hash: int
    checksums: npt.NDArray[np.uint32]
    known: npt.NDArray[np.bool_]


@dataclass
class Repair:
    """What was lost of a file, in sectors of 4 KiB."""

    sectors: int = 0
    lost: int = 0
    restored: int = 0
    is_cut: bool = False
    pieces: dict[int, bytes] = field(default_factory=dict, repr=False)
    """What was restored, by its place in the file."""
    size: int = 0
    """How many bytes the file had."""

    @property
    def is_intact(self) -> bool:
        return self.lost == 0 and not self.is_cut


def check_parity(path: str | os.PathLike[str]) -> Repair:
    """Compares a file with the parity beside it, `NAME.gcparity`, and finds out what could be restored; writes nothing.

    Raises `GraphCodableError` if nothing of the parity is intact, or the file was changed since, and `OSError` if there is none.
    """
    target = Path(path).resolve()
    with target.open("rb") as file, open(f"{target}.gcparity", "rb") as parity:
        found = groups(Bytes(parity))
        if not found:
            raise GraphCodableError(None, f"{target}.gcparity: nothing of the parity is intact", code="damaged")
        data = Bytes(file)
        result = Repair(size=data.size)
        works = [GroupRepair(data, Bytes(parity), group) for group in found]
        for work in works:
            result.sectors += work.layout.sectors
            result.lost += len(work.lost)
        end = max(group.start + group.layout.size for group in found)
        result.is_cut = data.size < end
        result.size = max(data.size, end)
        if result.is_intact:
            return result
        check_is_same(data, found[0], target)
        # What its own checksums say is as it should be was written so, and must not be changed; but it may be completed.
        kept = valid_end(target)
        ends = (work.group.start + min((number + 1) * SECTOR, work.layout.size) for work in works for number in work.lost)
        if any(end <= kept for end in ends):
            raise was_changed(target)
        for work in works:
            work.restore()
            result.restored += len(work.restored)
            for number, sector in work.restored.items():
                offset = number * SECTOR
                result.pieces[work.group.start + offset] = sector.tobytes()[: work.layout.size - offset]
        for offset, piece in result.pieces.items():
            if offset < kept and not piece.startswith(data.read(offset, min(SECTOR, kept - offset))):
                raise was_changed(target)
        return result


def repair(path: str | os.PathLike[str], to: str | os.PathLike[str] | None = None) -> Repair:
    """Restores the lost bytes of a file from the parity beside it, in place or as another file.

    The file gets its old bytes, bit for bit, or is left as it is; nothing is written if nothing is lost. A series that lacks nothing but
    its end gets that back as well: where entries were cut off on purpose, protect the series again. Raises `GraphCodableError` with the
    code `damaged` if more is lost than can be restored, `locked` if a series is to be replaced that has a writer, otherwise as
    `check_parity`.
    """
    # What a writer appends meanwhile would be lost with the file that is replaced. Nobody appends to one that cannot be written.
    lock = AppendedFile(path) if to is None and os.access(local(path), os.W_OK) else None
    try:
        result = check_parity(path)
        return result if result.is_intact else restored(path, path if to is None else to, result)
    finally:
        if lock:
            lock.close()


def restored(path: str | os.PathLike[str], to: str | os.PathLike[str], result: Repair) -> Repair:
    """Writes a file as it was."""
    if result.restored < result.lost:
        left = result.lost - result.restored
        raise GraphCodableError(
            None, f"{result.lost} of {result.sectors} sectors are lost, and {left} of them cannot be restored", code="damaged"
        )
    source = Path(path).resolve()
    with source.open("rb") as file, FileSink(to) as sink:
        data = Bytes(file)
        for start in range(0, result.size, 1 << 22):
            size = min(result.size - start, 1 << 22)
            sink.write([data.read(start, size).ljust(size, b"\0")], start)
        for offset, piece in result.pieces.items():
            sink.write([piece], offset)
        sink.publish()
    return result


def check_is_same(data: Bytes, first: Group, path: Path) -> None:
    """Raises an error for an archive that is another one than when its parity was made."""
    header = data.read(0, START)
    is_header = len(header) == START and header.startswith(MAGIC)
    is_header = is_header and xxhash.xxh3_64_intdigest(header[:32]) == int.from_bytes(header[32:], "little")
    start = data.read(first.start, min(START, first.layout.size))
    if is_header and xxhash.xxh3_64_intdigest(start) != first.start_hash:
        raise was_changed(path)


def valid_end(path: Path) -> int:
    """Where an archive ends, or the last entry of a series, if all of it matches its checksums; otherwise 0.

    What is behind the last entry of a series, a writer has left that was ended; or a record was there that is damaged.
    """
    from ..files.opening import open as open_file
    from ..files.series import Series
    from ..graph.archive import Archive

    try:
        with open_file(path) as file:
            if not isinstance(file, Archive | Series):
                return 0
            file.verify()
            if isinstance(file, Archive):
                return file.size
            return file.entries[-1].record_end if file.entries else 0
    except (GraphCodableError, ValueError, KeyError):
        return 0


def was_changed(path: Path) -> GraphCodableError:
    return GraphCodableError(None, f"{path} was changed after its parity was made", code="invalidValue")


class Bytes:
    """The bytes of a file, of which those behind its end are none."""

    def __init__(self, file: object) -> None:
        self.file = file
        self.descriptor: int = file.fileno()  # type: ignore[attr-defined]
        self.size = os.fstat(self.descriptor).st_size

    def read(self, offset: int, size: int) -> bytes:
        parts: list[bytes] = []
        while size > 0:
            part = os.pread(self.descriptor, min(size, 1 << 26), offset)
            if not part:
                break
            parts.append(part)
            offset, size = offset + len(part), size - len(part)
        return b"".join(parts)


# Tables


def block(data: bytes) -> Block | None:
    """A block of a table; `None` if it is none, or was changed."""
    if len(data) != SECTOR or not data.startswith(PARITY_MAGIC):
        return None
    if xxhash.xxh3_64_intdigest(data[:-8]) != int.from_bytes(data[-8:], "little"):
        return None
    (_, version, features, number, place, start, size, words, parities, sums, _, start_hash, identity, _) = FIELDS.unpack_from(data)
    if version != VERSION or features & UNDERSTOOD:
        raise GraphCodableError(None, f"parity of version {version} with features {features}", 8, code="unsupported")
    layout = Layout(size, words, parities, sums)
    if not layout.is_valid() or number >= layout.blocks or start > 1 << 56 or place > 1 << 56:
        raise GraphCodableError(None, "the parity has numbers that no parity has", 8)
    count = min(layout.sectors + layout.parity_sectors - number * PER_BLOCK, PER_BLOCK)
    checksums = np.frombuffer(data, "<u4", count, FIELDS.size)
    return Block(number, place, start, layout, start_hash, identity, checksums)


def groups(parity: Bytes) -> list[Group]:
    """The groups of a file of parity, also if some blocks of their tables are damaged."""
    found: list[Group] = []
    place = end = 0
    while place + SECTOR <= parity.size:
        known = block(parity.read(place, SECTOR))
        if known is None or known.place % SECTOR or not end <= known.place <= place or (
            known.layout.group_size > parity.size - known.place
        ):
            place += SECTOR
            continue
        found.append(group(parity, known))
        place = end = known.place + known.layout.group_size
    return found


def group(parity: Bytes, known: Block) -> Group:
    """All blocks of a table, of which one is known."""
    layout = known.layout
    count = layout.sectors + layout.parity_sectors
    result = Group(known.place, known.start, layout, known.start_hash, np.zeros(count, np.uint32), np.zeros(count, np.bool_))
    for number in range(layout.blocks):
        for offset in (number * SECTOR, layout.group_size - (number + 1) * SECTOR):
            found = block(parity.read(known.place + offset, SECTOR))
            if found is None or (found.number, found.place, found.identity) != (number, known.place, known.identity):
                continue
            entries = slice(number * PER_BLOCK, number * PER_BLOCK + len(found.checksums))
            result.checksums[entries] = found.checksums
            result.known[entries] = True
    return result


# GF(2^8)


def products() -> npt.NDArray[np.uint8]:
    """The products of all bytes."""
    powers, logarithms = [1], {1: 0}
    for power in range(1, 255):
        value = powers[-1] << 1
        powers.append(value ^ 0x11D if value > 255 else value)
        logarithms[powers[-1]] = power
    table = np.zeros((256, 256), np.uint8)
    for left in range(1, 256):
        for right in range(1, 256):
            table[left, right] = powers[(logarithms[left] + logarithms[right]) % 255]
    return table


PRODUCTS = products()
INVERSES = [0] + [int(np.argmax(PRODUCTS[value] == 1)) for value in range(1, 256)]


def factor(parity: int, row: int) -> int:
    """What a word's sector of a row is multiplied by in one of its parities."""
    return INVERSES[parity ^ (255 - row)]


def inverse(rows: list[list[int]]) -> npt.NDArray[np.uint8]:
    """The inverse of a square of a Cauchy matrix, which has one."""
    size = len(rows)
    matrix = np.concatenate([np.array(rows, np.uint8), np.eye(size, dtype=np.uint8)], axis=1)
    for column in range(size):
        pivot = column + int(np.argmax(matrix[column:, column] != 0))
        matrix[[column, pivot]] = matrix[[pivot, column]]
        matrix[column] = PRODUCTS[INVERSES[int(matrix[column, column])]][matrix[column]]
        for row in range(size):
            if row != column and matrix[row, column]:
                matrix[row] ^= PRODUCTS[int(matrix[row, column])][matrix[column]]
    return matrix[:, size:]


class GroupRepair:
    """Finds the sectors of a group that are lost, and restores them."""

    def __init__(self, data: Bytes, parity: Bytes, group: Group) -> None:
        self.data, self.parity, self.group, self.layout = data, parity, group, group.layout
        self.restored: dict[int, Sector] = {}
        self.lost = {number for number in range(self.layout.sectors) if not self.matches(number, self.sector(number))}
        first = self.layout.sectors
        self.lost_parity = {
            number
            for number in range(self.layout.parity_sectors)
            if not group.known[first + number] or not self.matches(first + number, self.parity_sector(number))
        }

    def matches(self, number: int, sector: Sector) -> bool:
        if not self.group.known[number]:
            return True
        return xxhash.xxh3_64_intdigest(sector.tobytes()) & 0xFFFF_FFFF == int(self.group.checksums[number])

    def sector(self, number: int) -> Sector:
        if number in self.restored:
            return self.restored[number]
        offset = number * SECTOR
        size = min(SECTOR, self.layout.size - offset)
        return np.frombuffer(self.data.read(self.group.start + offset, size).ljust(SECTOR, b"\0"), np.uint8)

    def parity_sector(self, number: int) -> Sector:
        offset = self.group.place + (self.layout.blocks + number) * SECTOR
        return np.frombuffer(self.parity.read(offset, SECTOR).ljust(SECTOR, b"\0"), np.uint8)

    def restore(self) -> None:
        """Restores words of which enough is left, then sums of which one sector is missing, and so on."""
        has_changed = True
        while has_changed and self.lost:
            has_changed = False
            by_word: dict[int, list[int]] = defaultdict(list)
            for number in sorted(self.lost):
                by_word[number % self.layout.words].append(number)
            for word, missing in by_word.items():
                has_changed |= self.restore_word(word, missing)
            if not self.layout.sums:
                continue
            by_sum: dict[int, list[int]] = defaultdict(list)
            for number in sorted(self.lost):
                by_sum[self.layout.sum_of(number)].append(number)
            for total, missing in by_sum.items():
                if len(missing) == 1:
                    has_changed |= self.restore_by_sum(missing[0], total)

    def accept(self, number: int, sector: Sector) -> bool:
        if not self.matches(number, sector):
            return False
        self.restored[number] = sector
        self.lost.discard(number)
        return True

    def restore_word(self, word: int, missing: list[int]) -> bool:
        words = self.layout.words
        parities = [each for each in range(self.layout.parities) if each * words + word not in self.lost_parity]
        if len(missing) > len(parities):
            return False
        used = parities[: len(missing)]
        sums = [self.parity_sector(each * words + word).copy() for each in used]
        for row, number in enumerate(range(word, self.layout.sectors, words)):
            if number in missing:
                continue
            sector = self.sector(number)
            for total, each in zip(sums, used):
                total ^= PRODUCTS[factor(each, row)][sector]
        solution = inverse([[factor(each, number // words) for number in missing] for each in used])
        is_restored = False
        for number, factors in zip(missing, solution):
            sector = np.zeros(SECTOR, np.uint8)
            for total, each in zip(sums, factors):
                sector ^= PRODUCTS[int(each)][total]
            is_restored |= self.accept(number, sector)
        return is_restored

    def restore_by_sum(self, missing: int, total: int) -> bool:
        number = self.layout.words * self.layout.parities + total
        if number in self.lost_parity:
            return False
        sector = self.parity_sector(number).copy()
        words, sums = self.layout.words, self.layout.sums
        for row in range(-(-self.layout.sectors // words)):
            for word in range((total - row) % sums, words, sums):
                other = row * words + word
                if other < self.layout.sectors and other != missing:
                    sector ^= self.sector(other)
        return self.accept(missing, sector)
