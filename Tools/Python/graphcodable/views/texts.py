"""Texts of numbers, names and values, as the Swift tool prints them."""

from __future__ import annotations

import json
import math
import struct
import time
import unicodedata
import uuid
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from ..format.contents import Layout
from ..format.kinds import SCALARS, PackedFormat, packed_format

# Longer texts end in an ellipsis.
LONGEST_VALUE = 64
# Elements of a list that can show in that.
MOST_SHOWN = 32
SWIFT_NAMES = {
    "int8": "Int8", "int16": "Int16", "int32": "Int32", "int64": "Int64", "uint8": "UInt8", "uint16": "UInt16",
    "uint32": "UInt32", "uint64": "UInt64", "float16": "Float16", "float32": "Float", "float64": "Double", "bool": "Bool",
    "int128": "Int128", "uint128": "UInt128", "uuid": "UUID", "date": "Date", "byte": "Byte", "duration": "Duration",
    "continuousInstant": "ContinuousClock.Instant", "suspendingInstant": "SuspendingClock.Instant",
    "bfloat16": "BFloat16", "float8e4m3": "Float8E4M3", "float8e5m2": "Float8E5M2", "decimal128": "Decimal128",
}  # fmt: skip
SPANS = {
    "unixSeconds": " s since 1970", "unixMilliseconds": " ms since 1970", "unixMicroseconds": " µs since 1970",
    "unixNanoseconds": " ns since 1970", "spanSeconds": " s", "spanMilliseconds": " ms", "spanMicroseconds": " µs", "spanNanoseconds": " ns",
}  # fmt: skip
# From the year 1 to 4001, in seconds since 2001: others are printed as numbers.
KNOWN_DATES = (-63114076800.0, 63113904000.0)
UNIX_2001 = 978307200
QUIET = {2: 1 << 9, 4: 1 << 22, 8: 1 << 51}
# Above, every number of the type has a power of two as a factor, and is printed with an exponent.
MOST_DECIMAL = {2: 65504.0, 4: 2.0**24, 8: 2.0**54}


def grouped(number: int) -> str:
    return f"{number:,}"


def counted(number: int, one: str, many: str) -> str:
    """A number and the word for what is counted."""
    return f"{number:,} {one if number == 1 else many}"


def decimal_size(byte_count: int) -> str:
    """A size in the largest decimal unit of which there is one."""
    if byte_count < 1000:
        return counted(byte_count, "byte", "bytes")
    size, units = byte_count / 1000, ["kB", "MB", "GB", "TB", "PB", "EB"]
    while size >= 999.95 and len(units) > 1:
        size /= 1000
        del units[0]
    return f"{size:.1f} {units[0]}"


def number_text(value: float | np.floating[Any]) -> str:
    """The shortest digits that give the same bits in the type."""
    number = value if isinstance(value, np.floating) else np.float64(value)
    if math.isnan(value):
        return nan_text(number)
    if math.isinf(value):
        return "inf" if value > 0 else "-inf"
    digits = np.format_float_scientific(number, unique=True, trim="-")
    mantissa, _, exponent = digits.partition("e")
    power = int(exponent)
    if number != 0 and (power < -4 or abs(float(number)) > MOST_DECIMAL[number.itemsize]):
        return f"{mantissa}e{'-' if power < 0 else '+'}{abs(power):02}"
    return np.format_float_positional(number, unique=True, trim="0")


def nan_text(number: np.floating[Any]) -> str:
    """What is no number: its sign, whether it is a signaling one, and the other bits that are set."""
    data = number.tobytes()
    bits, quiet = int.from_bytes(data, "little"), QUIET[len(data)]
    payload = bits & (quiet // 2 - 1)  # Of the two highest bits one tells signaling ones.
    name = ("-" if bits >> (8 * len(data) - 1) else "") + ("nan" if bits & quiet else "snan")
    return f"{name}(0x{payload:x})" if payload else name


def shortest(value: float) -> str:
    """A number in the fewest digits that no other number has."""
    return number_text(value).removesuffix(".0")


def quoted(text: str) -> str:
    """A string in quotation marks, with escapes for those and for control characters."""
    special = {'"': '\\"', "\\": "\\\\", "\0": "\\0", "\n": "\\n", "\r": "\\r", "\t": "\\t"}
    return '"' + "".join(special.get(c) or (f"\\u{{{ord(c):02X}}}" if c < " " or c == "\x7f" else c) for c in text) + '"'


def is_hidden(character: str) -> bool:
    """Whether it moves the cursor of a terminal, changes the order of what stands around it, or ends a line."""
    code = ord(character)
    return (
        code in (0x61C, 0x200E, 0x200F)
        or 0x2028 <= code <= 0x202E
        or 0x2066 <= code <= 0x2069
        or unicodedata.category(character) in ("Cc", "Cs")
    )


def escape(character: str) -> str:
    code = ord(character)
    if 0xDC80 <= code <= 0xDCFF:
        return f"\\x{code & 0xFF:X}"  # A byte of a name that is not UTF-8.
    return {"\n": "\\n", "\r": "\\r", "\t": "\\t"}.get(character) or f"\\u{{{code:X}}}"


def visible(text: str, kept: str = "") -> str:
    """Text with escapes in place of what a terminal would not show as it is: names are whatever their writer liked."""
    if text.isascii() and text.isprintable():
        return text
    return "".join(escape(c) if is_hidden(c) and c not in kept else c for c in text)


def cut(text: str) -> str:
    return shortened(text, LONGEST_VALUE, LONGEST_VALUE)


def width_of(text: str) -> int:
    """How many characters it has: marks belong to those before them."""
    return len(text) if text.isascii() else sum(not unicodedata.combining(character) for character in text)


def shortened(text: str, most: int, kept: int) -> str:
    """The first characters and an ellipsis, where there are more than some."""
    if len(text) <= most or width_of(text) <= most:
        return text
    count = 0
    for place, character in enumerate(text):
        count += not unicodedata.combining(character)
        if count > kept:
            return text[:place] + "…"
    return text


def date_text(seconds: float) -> str:
    if not KNOWN_DATES[0] <= seconds <= KNOWN_DATES[1]:
        return f"{number_text(seconds)} s"
    its = time.gmtime(math.floor(seconds) + UNIX_2001)
    return f"{its.tm_year:04}-{its.tm_mon:02}-{its.tm_mday:02} {its.tm_hour:02}:{its.tm_min:02}:{its.tm_sec:02} +0000"


def scalar_text(form: PackedFormat, data: bytes) -> str:
    """One lane."""
    name, dtype = SCALARS[form.scalar]
    if name == "bool":
        return "true" if data[0] else "false"
    if name == "date":
        return date_text(struct.unpack("<d", data)[0])
    if name == "uuid":
        return str(uuid.UUID(bytes=data)).upper()
    if name in SMALL:
        return number_text(small_float(int.from_bytes(data, "little"), *SMALL[name]))
    if dtype.names is not None or dtype.kind == "V":
        return f"0x{int.from_bytes(data, 'little'):0{2 * len(data)}x}"
    value = np.frombuffer(data, dtype)[0]
    return number_text(value) if isinstance(value, np.floating) else str(value)


# Bits of exponent and fraction; whether there are infinities.
SMALL = {"bfloat16": (8, 7, True), "float8e4m3": (4, 3, False), "float8e5m2": (5, 2, True)}


def small_float(bits: int, exponent_bits: int, fraction_bits: int, has_infinities: bool) -> np.floating[Any]:
    """A number of fewer bits, as float32, which has all of them."""
    bias, most = (1 << exponent_bits - 1) - 1, (1 << exponent_bits) - 1
    fraction = bits & ((1 << fraction_bits) - 1)
    exponent = bits >> fraction_bits & most
    if exponent == most and (has_infinities or fraction == (1 << fraction_bits) - 1):
        size = math.inf if has_infinities and not fraction else math.nan
    else:
        size = math.ldexp(fraction + (1 << fraction_bits if exponent else 0), max(exponent, 1) - bias - fraction_bits)
    return np.float32(-size if bits >> exponent_bits + fraction_bits else size)


def element_text(form: PackedFormat, data: bytes) -> str:
    """An element with all of its lanes."""
    if form.scalar_name not in SWIFT_NAMES:
        return f"{{ {len(data)} bytes }}"
    size = SCALARS[form.scalar][1].itemsize
    lanes = [scalar_text(form, data[at : at + size]) for at in range(0, len(data), size)]
    list_of_them = ", ".join(lanes)
    match form.meaning:
        case "range":
            return "..<".join(lanes)
        case "closedRange":
            return "...".join(lanes)
        case "partialRangeFrom":
            return lanes[0] + "..."
        case "partialRangeUpTo":
            return "..<" + lanes[0]
        case "partialRangeThrough":
            return "..." + lanes[0]
        case "complex":
            return f"{lanes[0]} + {lanes[1]}i"
        case _ if form.meaning in SPANS:
            return lanes[0] + SPANS[form.meaning]
        case "locationAndLength" | "point" | "size" | "rectangle" | "planeVector":
            return f"({list_of_them})"
    return lanes[0] if len(lanes) == 1 else f"SIMD{len(lanes)}<{SWIFT_NAMES[form.scalar_name]}>({list_of_them})"


def elements_text(form: PackedFormat, data: bytes, count: int) -> str:
    """The elements of an array, of which `data` has those that are shown."""
    if form.scalar_name not in SWIFT_NAMES:
        return f"{{ {len(data)} bytes }}"
    size = form.size
    texts = [element_text(form, data[at * size : (at + 1) * size]) for at in range(min(count, MOST_SHOWN))]
    return f"[{', '.join(texts)}{', …' if count > len(texts) else ''}]"


def layout_text(layout: Layout) -> str:
    """The formats of the fields of a struct, with their keys."""
    fields = list(zip(layout.keys, layout.formats))[:MOST_SHOWN]
    return f"({', '.join(('' if key is None else f'{key[:LONGEST_VALUE]}: ') + str(packed_format(form)) for key, form in fields)})"


def formats_text(formats: Sequence[str]) -> str:
    return formats[0] if len(formats) == 1 else f"({', '.join(formats)})"


def pairs_text(pairs: dict[str, str]) -> str:
    """The pairs on one line, in the order of the keys."""
    return " ".join(f"{key}={value}" for key, value in sorted(pairs.items()))


def json_text(value: Any, indent: int = 0) -> str:
    """A value as JSON with its keys in alphabetical order; numbers that JSON does not have are strings."""
    inside, outside = "  " * (indent + 1), "  " * indent
    if isinstance(value, dict):
        parts = [f"{inside}{json_string(key)} : {json_text(value[key], indent + 1)}" for key in sorted(value)]
        return "\n".join(["{", *([",\n".join(parts)] if parts else []), outside + "}"])
    if isinstance(value, (list, tuple)):
        parts = [inside + json_text(each, indent + 1) for each in value]
        return "\n".join(["[", *([",\n".join(parts)] if parts else []), outside + "]"])
    if isinstance(value, str):
        return json_string(value)
    if isinstance(value, float):
        return shortest(value) if math.isfinite(value) else json_string(shortest(value))
    return json.dumps(value)


def json_string(text: str) -> str:
    """A string of JSON with escapes also for what moves the cursor, and bytes that are not UTF-8 as the tool shows them."""
    def character(c: str) -> str:
        if 0xDC80 <= ord(c) <= 0xDCFF:
            return "\\" + escape(c)
        return f"\\u{ord(c):04x}" if ord(c) >= 0x7F and is_hidden(c) else json.dumps(c, ensure_ascii=False)[1:-1]

    return f'"{"".join(map(character, text))}"'


def table(rows: Iterable[Sequence[str]], alignments: str, width: int | None = None) -> list[str]:
    """Lines of cells, each column as wide as its widest cell (`<` to the left, `>` to the right) and empty ones left out.

    Where they are wider than `width` together, the widest columns of texts are cut, and never those of numbers.
    """
    cells = [[visible(cell) for cell in row] for row in rows]
    widths = fitting([max(map(width_of, column)) for column in zip(*cells)], alignments, width)
    columns = [at for at, its in enumerate(widths) if its]
    return ["  ".join(filled(row[at], widths[at], alignments[at]) for at in columns).rstrip(" ") for row in cells]


def filled(text: str, width: int, alignment: str) -> str:
    """A text with spaces around, or cut."""
    text = shortened(text, width, width - 1)
    space = " " * (width - width_of(text))
    return text + space if alignment == "<" else space + text


FEWEST_CUT, GAP = 8, 2


def fitting(widths: list[int], alignments: str, width: int | None) -> list[int]:
    def excess() -> int:
        shown = [its for its in widths if its]
        return 0 if width is None else sum(shown) + GAP * max(0, len(shown) - 1) - width

    while excess() > 0:
        texts = [at for at, its in enumerate(widths) if alignments[at] == "<" and its > FEWEST_CUT]
        if not texts:
            break
        widest = max(texts, key=lambda at: widths[at])
        # Down to the next one, which takes part from there on.
        below = max([widths[at] for at in texts if at != widest], default=0)
        widths[widest] -= max(1, min(excess(), widths[widest] - max(below, FEWEST_CUT)))
    return widths
