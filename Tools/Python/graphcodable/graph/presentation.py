"""How values and series present themselves: `views` says, which stands above them and is set when the package is imported."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    import pandas


class Presentation(Protocol):
    """What a value is for others."""

    def to_python(self, value: Any, /) -> Any:
        """Plain Python values."""
        ...

    def tree(self, value: Any, depth: int | None, limit: int | None, /) -> str:
        """Lines of text for the parts of an archive."""
        ...

    def data_frame(self, value: Any, /) -> pandas.DataFrame:
        """A row for each element, record or entry."""
        ...

    def html(self, value: Any, /) -> str:
        """What a notebook shows."""
        ...

    def bundle(self, value: Any, /) -> dict[str, str]:
        """The same by types of media, with a text."""
        ...


_chosen: list[Presentation] = []


def present_by(presentation: Presentation) -> None:
    """Has all values present themselves so."""
    _chosen[:] = [presentation]


def presentation() -> Presentation:
    return _chosen[0]


class Shown:
    """What notebooks show by themselves. Damage is shown, too, and raises nothing."""

    __slots__ = ()

    def _repr_html_(self) -> str:
        return presentation().html(self)

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> dict[str, str]:
        return presentation().bundle(self)
