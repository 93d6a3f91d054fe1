"""Varints, and a cursor over the tables that are made of them."""

from __future__ import annotations

from .errors import GraphCodableError

# How many bytes a varint has, by its first byte.
LENGTHS = bytes((b & -b).bit_length() if b else 9 for b in range(256))


def unzigzag(value: int) -> int:
    return (value >> 1) ^ -(value & 1)


def varint(value: int) -> bytes:
    """The fewest bytes that hold a number of up to 64 bits."""
    if value < 128:
        return bytes((value << 1 | 1,))
    length = (value.bit_length() + 6) // 7
    if length > 8:
        return b"\0" + value.to_bytes(8, "little")
    return ((value << 1 | 1) << (length - 1)).to_bytes(length, "little")


def zigzag(value: int) -> int:
    return value << 1 if value >= 0 else (-value << 1) - 1


def string(text: str) -> bytes:
    data = text.encode()
    return varint(len(data)) + data


class Reader:
    """Reads `data` from the front; what ends too early breaks `rule`.

    `base` is the offset of the first byte, for errors.
    """

    def __init__(self, data: bytes, base: int, rule: str, place: str = "archive") -> None:
        self.data = data
        self.position = 0
        self.base = base
        self.rule = rule
        self.place = place

    @property
    def offset(self) -> int:
        return self.base + self.position

    @property
    def left(self) -> int:
        return len(self.data) - self.position

    def error(self, rule: str, message: str) -> GraphCodableError:
        return GraphCodableError(rule, message, self.offset, self.place)

    def take(self, count: int) -> bytes:
        if count > self.left:
            raise self.error(self.rule, f"{count} bytes are asked for, and {self.left} are left")
        start = self.position
        self.position = start + count
        return self.data[start : self.position]

    def u8(self) -> int:
        return self.take(1)[0]

    def u32(self) -> int:
        return int.from_bytes(self.take(4), "little")

    def u64(self) -> int:
        return int.from_bytes(self.take(8), "little")

    def varint(self) -> int:
        if self.left < 1:
            raise self.error(self.rule, "a number is asked for, and no bytes are left")
        length = LENGTHS[self.data[self.position]]
        value = int.from_bytes(self.take(length), "little")
        return value >> (8 if length == 9 else length)

    def count(self, fewest: int, what: str) -> int:
        """A number of things of which each takes at least `fewest` bytes."""
        number = self.varint()
        if number * fewest > self.left:
            raise self.error(self.rule, f"{number} {what} do not fit into {self.left} bytes")
        return number

    def string(self, rule: str) -> str:
        text = self.take(self.varint())
        try:
            return text.decode("utf-8")
        except UnicodeDecodeError:
            raise self.error(rule, "a string is not UTF-8") from None
