"""The one error of this package."""

from __future__ import annotations


class GraphCodableError(Exception):
    """An archive or series that breaks a rule of the format, or asks for what this reader cannot give.

    `rule` is the number of the rule in `Documentation/Format.md`, such as `"G7"`, and `None` for limits of this
    reader. `offset` counts bytes within `place`: `"archive"`, `"graph stream"`, `"object index"` or `"series"`.
    """

    def __init__(
        self, rule: str | None, message: str, offset: int | None = None, place: str = "archive"
    ) -> None:
        super().__init__(rule, message, offset, place)
        self.rule = rule
        self.message = message
        self.offset = offset
        self.place = place

    def __str__(self) -> str:
        rule = f"{self.rule}: " if self.rule else ""
        where = "" if self.offset is None else f" (byte {self.offset} of the {self.place})"
        return f"{rule}{self.message}{where}"
