"""Sets: one state that several processes have saved, each its part."""

from __future__ import annotations

import errno
import os
import threading
from collections import OrderedDict
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from ..graph.archive import Archive
from ..graph.reopening import Reopened
from ..format.contents import read_header
from .directory import AnyFolder, directory_at
from ..format.errors import GraphCodableError
from .global_arrays import GlobalArray
from .manifest import NAME, Part, malformed, read_manifest
from ..format.source import Source

# Parts that are kept open, each of which takes a descriptor.
MOST_OPEN = 64


class ArchiveSet(Reopened):
    """A set that is open: `state.array("positions")[:1000]` reads what it needs of the parts, `state.part(3)` is one's archive.

    `folder` is a path or an address, or, with `store`, a path in a store of `obstore` or a file system of `fsspec`. The manifest is
    checked when a set is opened, and a part when it is first used. A writer that commits a new set to the folder removes the parts
    of this one.
    """

    def __init__(
        self, folder: AnyFolder, *, store: Any = None, storage_options: Mapping[str, Any] | None = None
    ) -> None:
        self._directory = directory_at(folder, store, storage_options)
        data = self._directory.read(NAME)
        if not data:
            # In a store it says that there will never be a set with this number.
            raise FileNotFoundError(errno.ENOENT, "there is no set, its manifest has no bytes", self.url)
        try:
            self._archive = Archive(data)
            self._manifest = read_manifest(self._archive)
        except GraphCodableError as error:
            raise inside(NAME, error) from None
        self.arrays = {name: GlobalArray(self, pieces) for name, pieces in self._manifest.arrays.items()}
        self._parts: OrderedDict[int, Archive] = OrderedDict()
        self.lock = threading.Lock()

    @property
    def url(self) -> str:
        """The path of the folder, or its address in a store."""
        return self._directory.url

    @property
    def token(self) -> str:
        """What tells this set from all others of the folder."""
        return self._manifest.token

    @property
    def step(self) -> int:
        return self._manifest.step

    @property
    def time(self) -> float:
        return self._manifest.time

    @property
    def metadata(self) -> dict[str, str]:
        return dict(self._manifest.metadata)

    @property
    def parts(self) -> tuple[Part, ...]:
        """Name, bytes and hash of each part, as the manifest has them."""
        return self._manifest.parts

    @property
    def part_count(self) -> int:
        return len(self.parts)

    @property
    def size(self) -> int:
        """Bytes of the manifest and all parts."""
        return self._archive.size + sum(part.size for part in self.parts)

    @property
    def manifest_hash(self) -> int:
        """The hash at the end of the manifest's header, which is another one if anything of the set is."""
        return self._archive.header.hash

    @property
    def info(self) -> dict[str, Any]:
        """Sizes and numbers, for people and tests."""
        arrays = [
            {"name": name, "shape": list(its.shape), "pieces": len(its)} for name, its in self._manifest.arrays.items()
        ]
        return {
            "token": self.token, "step": self.step, "time": self.time, "metadata": self.metadata, "bytes": self.size,
            "parts": [{"name": part.name, "bytes": part.size} for part in self.parts], "arrays": arrays,
        }  # fmt: skip

    def __len__(self) -> int:
        return self.part_count

    def array(self, name: str) -> GlobalArray:
        """An array over several parts; raises `KeyError` where there is none of that name."""
        return self.arrays[name]

    def part(self, number: int) -> Archive:
        """The archive of a part, which has the size and the hash that the manifest says."""
        if not -len(self) <= number < len(self):
            raise IndexError(f"part {number} of {len(self)}")
        number %= len(self)
        found = self._parts.pop(number, None) or self._opened(self.parts[number])
        self._parts[number] = found
        if len(self._parts) > MOST_OPEN:
            self._parts.popitem(last=False)
        return found

    def _opened(self, part: Part) -> Archive:
        source = self._source(part)
        try:
            return Archive(source)
        except GraphCodableError as error:
            raise inside(part.name, error) from None

    def _source(self, part: Part) -> Source:
        """The bytes of a part, whose size and header are those that the manifest says."""
        try:
            source = self._directory.source(part.name)
            if source.size != part.size:
                message = f"{part.name} has {source.size} bytes, and had {part.size} when the set was saved"
                raise malformed(message, "wrongSize", "P5")
            its_hash = read_header(source).hash
        except FileNotFoundError:
            raise malformed(f"{part.name} is not there", "damaged", "P5") from None
        except GraphCodableError as error:
            raise inside(part.name, error) from None
        if its_hash != part.header_hash:
            raise malformed(f"{part.name} is not the part that was saved", "damaged", "P5")
        return source

    def check(self) -> None:
        """Sees to it that all parts are there as they were saved, by their sizes and headers, without reading them."""
        for _ in self._directory.each(self._check, self.parts):
            pass

    def _check(self, part: Part) -> None:
        self._source(part)

    def verify(self) -> None:
        """Reads everything, and raises the first error."""
        for _, error in self.problems():
            raise error

    def problems(self) -> Iterator[tuple[int | None, GraphCodableError]]:
        """Reads everything; the number of the part that an error is in."""
        try:
            self._archive.verify()
        except GraphCodableError as error:
            yield None, inside(NAME, error)
        whole = set[int]()
        for number, part in enumerate(self.parts):
            try:
                archive = self._opened(part)
                try:
                    archive.verify()
                except GraphCodableError as error:
                    raise inside(part.name, error) from None
                whole.add(number)
            except GraphCodableError as error:
                yield number, error
        for array in self.arrays.values():
            if whole.issuperset(array.parts):
                try:
                    array.check()
                except GraphCodableError as error:
                    yield None, error

    def close(self) -> None:
        """Forgets the parts. Arrays that are views of them keep them open."""
        self._parts.clear()

    def __enter__(self) -> ArchiveSet:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<ArchiveSet of {self.part_count} parts, {len(self.arrays)} arrays, step {self.step}>"


def is_set(folder: str | os.PathLike[str]) -> bool:
    """Whether a folder of the file system has a manifest, and one with bytes."""
    manifest = Path(folder) / NAME
    return manifest.is_file() and manifest.stat().st_size > 0


def inside(name: str, error: GraphCodableError) -> GraphCodableError:
    """The same, with the name of the file that it is in."""
    if error.place == "set":
        return error
    return GraphCodableError(error.rule, f"{name}: {error.message}", error.offset, error.place, error.code)
