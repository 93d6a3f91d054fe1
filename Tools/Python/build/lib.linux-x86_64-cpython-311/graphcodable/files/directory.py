"""Folders of file systems, and what has the names of their files in object stores."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, BinaryIO, Protocol, Self, TypeVar

from .addresses import failure, is_address, is_of_server, shown_name
from .remote import requests, source_in, tried
from .stores import is_file_system, located
from ..format.errors import GraphCodableError
from ..format.named_file import READING, NamedFile, most_open
from ..format.source import Source, can_map, mapped

Item = TypeVar("Item")
Result = TypeVar("Result")


class Directory(Protocol):
    """Files with names. What is not there is a `FileNotFoundError`."""

    url: str

    def names(self) -> list[str]:
        """What is directly in it, folders among it."""
        ...

    def read(self, name: str) -> bytes:
        """All bytes of a file."""
        ...

    def source(self, name: str) -> Source:
        """A file, of which parts are read."""
        ...

    def has(self, name: str) -> bool: ...

    def folder(self, name: str) -> Directory: ...

    def each(self, action: Callable[[Item], Result], items: Iterable[Item]) -> Iterator[Result]:
        """What an action on some of the files gives, in their order."""
        ...


AnyFolder = str | os.PathLike[str] | Directory


def directory_at(folder: AnyFolder, store: Any = None, options: Mapping[str, Any] | None = None) -> Directory:
    """A folder by its path or address, or by its path in a store of `obstore` or a file system of `fsspec`."""
    if not isinstance(folder, (str, os.PathLike)):
        return folder
    if store is None and not is_address(folder):
        return LocalDirectory(folder)
    address = os.fspath(folder)
    url = address if address.endswith("://") else address.rstrip("/")
    found, path = located(url, store, options, is_folder=True)
    url = shown_name(url)
    return SystemDirectory(found, path, url) if is_file_system(found) else StoreDirectory(found, path, url)


class LocalDirectory:
    """A folder of the file system. Files that parts are read of are mapped into memory."""

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path = Path(path)
        self.url = str(self.path)

    def names(self) -> list[str]:
        return os.listdir(self.path)

    def read(self, name: str) -> bytes:
        with self.opened(name) as file:
            return file.read()

    def opened(self, name: str) -> BinaryIO:
        """A file of bytes: opening a pipe would wait for who writes into it, and a device may never end."""
        descriptor = os.open(self.path / name, READING)
        if stat.S_ISREG(os.fstat(descriptor).st_mode):
            return open(descriptor, "rb")
        os.close(descriptor)
        raise GraphCodableError(None, f"{self.path / name} is no file of bytes", None, "set", "file")

    def source(self, name: str) -> Source:
        with self.opened(name) as file:
            return mapped(file) if can_map(most_open()) else NamedFile(self.path / name)

    def has(self, name: str) -> bool:
        return (self.path / name).exists()

    def folder(self, name: str) -> Directory:
        return LocalDirectory(self.path / name)

    def each(self, action: Callable[[Item], Result], items: Iterable[Item]) -> Iterator[Result]:
        return map(action, items)


class RemoteDirectory:
    """A part of the paths of a store. Several requests are under way at a time."""

    def __init__(self, store: Any, path: str, url: str) -> None:
        self.store, self.path, self.url = store, path.rstrip("/"), url

    def place(self, name: str) -> str:
        return joined(self.path, name)

    def source(self, name: str) -> Source:
        return source_in(self.store, self.place(name), joined(self.url, name))

    def folder(self, name: str) -> Self:
        return type(self)(self.store, self.place(name), joined(self.url, name))

    def each(self, action: Callable[[Item], Result], items: Iterable[Item]) -> Iterator[Result]:
        return requests().map(action, items)


class SystemDirectory(RemoteDirectory):
    """A folder in a file system of `fsspec`."""

    def names(self) -> list[str]:
        self.store.invalidate_cache()
        found = tried(lambda: self.asked(lambda: self.store.ls(self.path, detail=False)))
        # Some list the folder itself as well.
        return [last(path) for path in found if path.strip("/") != self.path.strip("/")]

    def read(self, name: str) -> bytes:
        return tried(lambda: self.asked(lambda: bytes(self.store.cat_file(self.place(name)))))

    def has(self, name: str) -> bool:
        self.store.invalidate_cache()
        try:
            tried(lambda: self.asked(lambda: self.store.info(self.place(name))))
        except FileNotFoundError:
            return False
        return True

    def asked(self, request: Callable[[], Result]) -> Result:
        try:
            return request()
        except Exception as error:  # Of whatever package the file system is made with.
            raise failure(error, self.url) from None


class StoreDirectory(RemoteDirectory):
    """What begins with a path in a store of `obstore`."""

    def names(self) -> list[str]:
        found = tried(self.listed)
        names = [last(path) for path in (*found["common_prefixes"], *(each["path"] for each in found["objects"]))]
        if not names:
            raise FileNotFoundError(f"{self.url}: not found")
        return names

    def listed(self) -> Any:
        import obstore
        from obstore.exceptions import BaseError

        try:
            return obstore.list_with_delimiter(self.store, self.path or None)
        except (BaseError, OSError) as error:
            if is_of_server(self.url):  # Few servers list, and those that do not answer with errors of many kinds.
                raise FileNotFoundError(f"{self.url}: not found") from None
            raise failure(error, self.url) from None

    def read(self, name: str) -> bytes:
        source = self.source(name)
        return bytes(source.read(0, source.size))

    def has(self, name: str) -> bool:
        try:
            self.source(name)
        except FileNotFoundError:
            return False
        return True


def joined(path: str, name: str) -> str:
    return f"{path}/{name}" if path else name


def last(path: str) -> str:
    """The name at the end of a path."""
    return path.rstrip("/").rpartition("/")[2]
