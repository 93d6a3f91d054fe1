"""An archive: its root, its objects, and what its tables say."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, overload

from ..format import directory
from ..format.attributes import Attributes
from ..format.contents import ClassInfo, Header
from ..format.source import MemorySource, Source
from ..format.version import VERSION
from .identity import identity
from .paths import part, steps, value_at
from .presentation import Shown, presentation
from .reader import GraphReader
from .reopening import Reopened
from .values import attributes_of
from .verify import verify


class Objects(Sequence[Any]):
    """The objects of an archive by number, each read when it is asked for."""

    def __init__(self, reader: GraphReader) -> None:
        self._reader = reader

    def __len__(self) -> int:
        return self._reader.contents.object_count

    @overload
    def __getitem__(self, index: int) -> Any: ...

    @overload
    def __getitem__(self, index: slice) -> list[Any]: ...

    def __getitem__(self, index: int | slice) -> Any:
        if isinstance(index, slice):
            return [self._reader.object(number) for number in range(*index.indices(len(self)))]
        if not -len(self) <= index < len(self):
            raise IndexError(f"object {index} of {len(self)}")
        return self._reader.object(index % len(self))


class Archive(Shown, Reopened):
    """An archive that is open: `archive.root` is its graph.

    Header and contents are checked when it is opened, everything else when it is first read. `verify` reads everything.
    An archive may be used by one thread at a time.
    """

    def __init__(self, source: Source | bytes | bytearray | memoryview) -> None:
        if isinstance(source, (bytes, bytearray, memoryview)):
            source = MemorySource(memoryview(source))
        self._reader = GraphReader(source)

    @property
    def reader(self) -> GraphReader:
        """Its tables, and values by their places, for what is written on top of archives."""
        return self._reader

    # Tables

    @property
    def header(self) -> Header:
        return self._reader.header

    @property
    def size(self) -> int:
        """Bytes of the archive."""
        return self.header.size

    @property
    def user_version(self) -> int:
        return self._reader.contents.user_version

    @property
    def metadata(self) -> dict[str, str]:
        return dict(self._reader.contents.metadata)

    @property
    def classes(self) -> list[ClassInfo]:
        return list(self._reader.contents.classes)

    @property
    def object_count(self) -> int:
        """How many objects have numbers; those that only conditional references lead to are not stored."""
        return self._reader.contents.object_count

    @property
    def info(self) -> dict[str, Any]:
        """Sizes and numbers, for people and tests."""
        contents = self._reader.contents
        return {
            "formatVersion": VERSION,
            "userVersion": contents.user_version,
            "bytes": self.header.size,
            "streamBytes": self._reader.stream.size,
            "rawBytes": sum(s.raw_size for s in contents.segments)
            + len(contents.stream or b"")
            + len(contents.index or b""),
            "objects": contents.object_count,
            "storedObjects": contents.stored_count,
            "keys": len(contents.keys),
            "shapes": len(contents.shapes),
            "layouts": len(contents.layouts),
            "classes": [c.name for c in contents.classes],
            "segments": [
                {"kind": ("graph", "objectIndex", "bulk")[s.kind], "bytes": s.end - s.offset, "rawBytes": s.raw_size}
                for s in contents.segments
            ],
            "metadata": dict(contents.metadata),
        }

    # Graph

    @property
    def root(self) -> Any:
        """The root value; see the module for what becomes what."""
        return self._reader.root

    @property
    def objects(self) -> Objects:
        """All objects by their numbers; `None` stands for one that is not stored."""
        return Objects(self._reader)

    def identity(self) -> str:
        """A hash of all values, 32 hexadecimal digits: the same for archives that were repacked with another compression.

        Metadata and attributes are no part of it. It is no cryptographic one.
        """
        return identity(self._reader)

    def verify(self) -> None:
        """Reads everything, and raises the first error."""
        # Anew, so that nothing that was read before is passed over.
        verify(GraphReader(self._reader.source))

    def tree(self, depth: int | None = 16, limit: int | None = 100) -> str:
        """The parts of the graph as lines of text, as `graphcodable ls --recursive` of the Swift tool prints them."""
        return presentation().tree(self, depth, limit)

    def at(self, path: str) -> Any:
        """The value at a path such as `cells[3].position`; raises `KeyError` where there is none.

        Where the archive has a directory, an array in it is found without the graph stream.
        """
        listed = self._listed(path)
        return value_at(self.root, path) if listed is None else value_at(*listed, whole=path)

    def _listed(self, path: str) -> tuple[Any, list[str | int]] | None:
        """The array of the directory that a path leads to, or to a part of, and the steps to that."""
        if directory.EXTENSION not in self._reader.contents.extensions:
            return None
        way = steps(path)
        found = directory.found(self._reader.contents.directory, way)
        return None if found is None else (self._reader.listed(found[0]), way[found[1] :])

    def attributes(self, path: str = "") -> Attributes:
        """What was said of the array, the record or the field at a path when it was written: `dims` and `attrs`."""
        value, way = self._listed(path) or (self.root, steps(path))
        record: Any = None
        step: str | int = 0
        for step in way:
            value, record = part(value, step), value
        return attributes_of(value, record, step)

    def to_dict(self) -> Any:
        """The root as plain Python values: see `to_python`."""
        return presentation().to_python(self.root)

    def close(self) -> None:
        """Forgets the source. Arrays that are views of it keep it open."""
        close = getattr(self._reader.source, "close", None)
        if close is not None:
            close()

    def __enter__(self) -> Archive:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<Archive of {self.header.size} bytes, {self.object_count} objects>"
