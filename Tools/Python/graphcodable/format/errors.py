"""The one error of this package."""

from __future__ import annotations

# The codes of the Swift library for errors; other rules have the code `malformed`.
CODES = {
    "C1": "damaged", "S7": "damaged", "S10": "damaged", "S11": "damaged", "H3": "damaged", "R2": "damaged",
    "R3": "damaged", "H1": "notAnArchive", "H4": "unsupported", "H5": "unsupported", "R1": "unsupported",
    "R4": "notAnArchive", "C16": "unsupported", "H2": "wrongSize", "H6": "wrongSize", "X2": "damaged", "X6": "damaged", "G11": "invalidValue",
    "G12": "limitExceeded", None: "limitExceeded",
}  # fmt: skip


class GraphCodableError(Exception):
    """An archive or series that breaks a rule of the format, or asks for what this reader cannot give.

    `rule` is the number of the rule in `Documentation/Format.md` and its further parts, such as `"G7"`, and `None` for limits of
    this reader, and for files that cannot be read. `code` is that of the Swift library, such as `"damaged"`.
    `offset` counts bytes within `place`: `"archive"`, `"graph stream"`, `"object index"`, `"series"` or `"set"`.
    """

    def __init__(
        self, rule: str | None, message: str, offset: int | None = None, place: str = "archive", code: str | None = None
    ) -> None:
        super().__init__(rule, message, offset, place)
        self.rule = rule
        self.message = message
        self.offset = offset
        self.place = place
        self.code = code or CODES.get(rule, "malformed")

    def __str__(self) -> str:
        rule = f"{self.rule}: " if self.rule else ""
        where = "" if self.offset is None else f" (byte {self.offset} of the {self.place})"
        return f"{rule}{self.message}{where}"
