"""What is behind a path, an address, bytes or a file object."""

from __future__ import annotations

import errno
import io
import os
import re
import stat
from collections.abc import Mapping
from typing import Any, BinaryIO

from ..format.errors import GraphCodableError
from ..format.named_file import NamedFile, most_open
from ..format.source import FileSource, MemorySource, Source, can_map, mapped, whole_path
from ..graph.archive import Archive
from ..graph.reopening import Reopening
from .addresses import is_address, is_of_server, shown_name
from .directory import Directory, LocalDirectory, directory_at
from .folders import NAME as ENTRY_NAME
from .folders import FolderSeries
from .messages import Messages, is_stream
from .remote import remote_source
from .series import Series, is_not_begun, is_series
from .set_series import NAME as SET_NAME
from .set_series import SetSeries
from .sets import ArchiveSet, is_set

Opened = Archive | Series | ArchiveSet | SetSeries | Messages


def open(
    file: str | os.PathLike[str] | bytes | bytearray | memoryview | BinaryIO,
    *,
    store: Any = None,
    storage_options: Mapping[str, Any] | None = None,
) -> Opened:
    """Opens an archive, a series, a set, a series of sets or a stream of messages: a path, the bytes, a file object that can seek, or an address.

    Files that a path leads to are mapped into memory if they are archives, and read if they are series, which a writer may
    shorten meanwhile. An archive that is mapped must not be cut while it is open. Addresses such as `s3://bucket/a.gcodable` are
    read by ranges, by `obstore` (with `storage_options` for its store) or `fsspec`; `store` is a store or file system of these
    in which `file` is a path. That an object was replaced is an error.

    A folder with a manifest is a set, one with folders of sets is a series of sets, and another one a series.
    """
    opened = found(file, store, storage_options)
    if store is None and isinstance(file, (str, os.PathLike)):
        name = file if isinstance(file, str) and is_address(file) else whole_path(file)
        opened.reopening = Reopening(opened_again, (name, stamp(opened), dict(storage_options or {})))
        if isinstance(opened, Archive):
            opened.reader.reopening = opened.reopening  # For its arrays.
    return opened


def found(file: Any, store: Any, storage_options: Mapping[str, Any] | None) -> Opened:
    is_remote = store is not None or is_address(file)
    if not is_remote and isinstance(file, (str, os.PathLike)) and os.path.isdir(file):
        return ArchiveSet(file) if is_set(file) else opened_series(LocalDirectory(file))
    try:
        return opened(source_of(file, store, storage_options), path_of(file))
    except (FileNotFoundError, IsADirectoryError):
        if not is_remote or not isinstance(file, (str, os.PathLike)):
            raise
    return opened_folder(directory_at(file, store, storage_options))


def stamp(file: Opened) -> tuple[int, int]:
    """What is another one when a file was replaced: its size, and its last checksum that covers others."""
    if isinstance(file, Archive):
        return file.size, file.header.hash
    if isinstance(file, ArchiveSet):
        return file.size, file.manifest_hash
    if isinstance(file, Messages):
        return 0, file.identifier or 0  # Others may append to it.
    if isinstance(file, SetSeries):
        return file.size, file[-1].manifest_hash if len(file) else 0
    return file.size, file[-1].record_hash if len(file) else 0


def opened_again(name: str, expected: tuple[int, int], options: Mapping[str, Any] | None = None) -> Opened:
    """A file in another process, or after closing, which has to be the one that it was."""
    opened = open(name, storage_options=options)
    if stamp(opened) != expected:
        raise GraphCodableError(None, f"{shown_name(name)} has changed since it was opened")
    return opened


def source_of(file: Any, store: Any = None, storage_options: Mapping[str, Any] | None = None) -> Source:
    if isinstance(file, (bytes, bytearray, memoryview)):
        return MemorySource(memoryview(file))
    if store is not None or is_address(file):
        return remote_source(os.fspath(file), store, storage_options)
    if not isinstance(file, (str, os.PathLike)):
        return FileSource(file)
    mode = os.stat(file).st_mode
    if stat.S_ISFIFO(mode) or stat.S_ISCHR(mode):
        # It would be waited for, and has no ranges.
        raise OSError(errno.EINVAL, "a pipe or a terminal has no places: read it, and open the bytes", os.fspath(file))
    named = io.open(file, "rb")
    if not stat.S_ISREG(os.fstat(named.fileno()).st_mode):
        return FileSource(named)
    with named:
        return mapped(named) if named.read(8) == b"gcodable" and can_map(most_open()) else NamedFile(file)


def path_of(file: object) -> str:
    """The path, that of an address, or the name of a file object; empty where there is none."""
    name = os.fspath(file) if isinstance(file, (str, os.PathLike)) else getattr(file, "name", None)
    if not isinstance(name, str):
        return ""
    return re.split(r"[?#]", name, maxsplit=1)[0] if is_address(name) and is_of_server(name) else name


def opened(source: Source, path: str) -> Archive | Series | Messages:
    """An archive, a series or a stream; one of these before its header was written is one by its name."""
    if is_stream(source, path.endswith(".gclog")):
        return Messages(source)
    if is_not_begun(source):
        return Series(source) if path.endswith(".gcseries") else Archive(source)
    return Series(source) if is_series(source) else Archive(source)


def opened_folder(directory: Directory) -> ArchiveSet | Series | SetSeries:
    """What is behind a name in a store that no object has."""
    try:
        return ArchiveSet(directory)
    except FileNotFoundError:
        pass
    return opened_series(directory)


def opened_series(directory: Directory) -> Series | SetSeries:
    """The series that a folder is, by the names in it."""
    names = directory.names()
    if any(map(SET_NAME.fullmatch, names)):
        return SetSeries(directory, _names=names)
    # The index of neither says which it is; Swift writes no other series than those of sets to stores.
    if isinstance(directory, LocalDirectory) or any(map(ENTRY_NAME.fullmatch, names)):
        return FolderSeries(directory, _names=names)
    return SetSeries(directory, _names=names)
