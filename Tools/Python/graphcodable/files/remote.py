"""Objects in stores that are read by ranges: S3, HTTP and what else `obstore` or `fsspec` reach."""

from __future__ import annotations

import errno
import os
import threading
import time
from collections import OrderedDict, deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from functools import cache
from typing import TYPE_CHECKING, Any, Protocol, TypeVar
from urllib.parse import urlsplit

from ..format.errors import GraphCodableError

if TYPE_CHECKING:
    from obstore import GetOptions

# Short reads take so many bytes along: tables and headers stand close to each other.
READ_AHEAD = 1 << 16
MOST_KEPT, KEPT = 1 << 20, 16
# Extents that are no further apart are one request.
GAP = 1 << 18
MOST_IN_ONE = 16 << 20
REQUESTS = 8
TRIES = 5
Result = TypeVar("Result")


class Fetcher(Protocol):
    """Makes one request for a range. `size` is known after the first one; a change of the object is an error."""

    size: int

    def fetch(self, start: int, end: int) -> bytes: ...


@cache
def requests() -> ThreadPoolExecutor:
    return ThreadPoolExecutor(REQUESTS, "graphcodable-requests")


if hasattr(os, "register_at_fork"):  # A forked process has none of the threads.
    os.register_at_fork(after_in_child=requests.cache_clear)


def tried(request: Callable[[], Result]) -> Result:
    """Makes a request, and again where it fails."""
    for number in range(TRIES):
        try:
            return request()
        except (FileNotFoundError, IsADirectoryError, NotADirectoryError, PermissionError):
            raise
        except OSError as failure:
            error = failure
        if number + 1 < TRIES:
            time.sleep(0.05 * 2**number)
    raise error


class RemoteSource:
    """Bytes of an object in a store, by ranges: several at a time, and again where a request fails."""

    is_view = False

    def __init__(self, fetcher: Fetcher) -> None:
        self.fetcher = fetcher
        self.lock = threading.Lock()
        self.kept: OrderedDict[int, memoryview] = OrderedDict()
        self.keep(0, self.request(0, READ_AHEAD))

    @property
    def size(self) -> int:
        return self.fetcher.size

    def request(self, start: int, end: int) -> memoryview:
        def request() -> memoryview:
            data = self.fetcher.fetch(start, end)
            if len(data) != min(end, self.size) - start:
                raise OSError(f"{len(data)} bytes of {end - start} have come")
            return memoryview(data).toreadonly()

        return tried(request)

    def keep(self, offset: int, data: memoryview) -> None:
        with self.lock:
            self.kept[offset] = data
            while len(self.kept) > KEPT:
                self.kept.popitem(last=False)

    def found(self, offset: int, count: int) -> memoryview | None:
        with self.lock:
            for start, data in self.kept.items():
                if start <= offset and offset + count <= start + len(data):
                    self.kept.move_to_end(start)
                    return data[offset - start : offset - start + count]
        return None

    def check(self, offset: int, count: int) -> None:
        if offset < 0 or offset + count > self.size:
            raise GraphCodableError("H6", f"{count} bytes are asked for behind the end", offset)

    def read(self, offset: int, count: int) -> memoryview:
        self.check(offset, count)
        found = self.found(offset, count)
        if found is not None:
            return found
        # Short ones take what is near along, in front of the end what stands before.
        start = min(offset, max(self.size - READ_AHEAD, 0))
        data = self.request(start, min(max(offset + count, start + READ_AHEAD), self.size))
        if len(data) <= MOST_KEPT:
            self.keep(start, data)
        return data[offset - start : offset - start + count]

    def read_many(self, extents: Sequence[tuple[int, int]]) -> Iterator[memoryview]:
        """Reads ahead, with some requests under way; what is close together is one request."""
        for extent in extents:
            self.check(*extent)
        waiting: deque[tuple[int, list[tuple[int, int]], Future[memoryview]]] = deque()
        merged = iter(coalesced(extents))
        while True:
            while len(waiting) < REQUESTS and (group := next(merged, None)):
                start, end = group[0][0], group[-1][0] + group[-1][1]
                waiting.append((start, group, requests().submit(self.request, start, end)))
            if not waiting:
                return
            start, group, future = waiting.popleft()
            data = future.result()
            yield from (data[offset - start : offset - start + count] for offset, count in group)


def coalesced(extents: Sequence[tuple[int, int]]) -> Iterator[list[tuple[int, int]]]:
    """Extents one behind the other, in groups that one request reads."""
    group: list[tuple[int, int]] = []
    for offset, count in extents:
        if group:
            start, end = group[0][0], group[-1][0] + group[-1][1]
            if not end <= offset <= end + GAP or offset + count - start > MOST_IN_ONE:
                yield group
                group = []
        group.append((offset, count))
    if group:
        yield group


def changed() -> GraphCodableError:
    return GraphCodableError(None, "the object has changed since it was opened", 0, "archive")


class StoreFetcher:
    """An object in a store of `obstore`: each request demands the entity tag of the first one."""

    def __init__(self, store: Any, path: str) -> None:
        self.store, self.path = store, path
        self.size = 0
        self.tag: str | None = None
        self.version: str | None = None
        self.opened = False

    def fetch(self, start: int, end: int) -> bytes:
        import obstore
        from obstore.exceptions import BaseError, NotFoundError, PermissionDeniedError, PreconditionError

        options: GetOptions = {"range": (start, end)}
        if self.tag is not None:
            options["if_match"] = self.tag
        try:
            result = obstore.get(self.store, self.path, options=options)
            meta, data = result.meta, bytes(result.bytes())
        except NotFoundError as error:
            raise FileNotFoundError(f"{self.path}: not found") from (None if not self.opened else error)
        except FileNotFoundError:
            raise FileNotFoundError(f"{self.path}: not found") from None
        except PreconditionError:
            raise changed() from None
        except PermissionDeniedError as error:
            raise PermissionError(str(error)) from None
        except BaseError as error:
            if not self.opened and obstore.head(self.store, self.path)["size"] == 0:
                return b""  # Which has no ranges.
            raise OSError(str(error)) from None
        if not self.opened:
            self.size, self.tag, self.opened = meta["size"], meta.get("e_tag"), True
        elif (meta["size"], meta.get("e_tag")) != (self.size, self.tag):
            raise changed()
        return data


class FileSystemFetcher:
    """A file in a file system of `fsspec`: size and entity tag are asked for before and behind each request."""

    def __init__(self, system: Any, path: str) -> None:
        self.system, self.path = system, path
        self.state = self.information()
        self.size = int(self.state["size"])

    def information(self) -> dict[str, Any]:
        self.system.invalidate_cache()
        about = self.system.info(self.path)
        if about.get("type") == "directory":
            raise IsADirectoryError(errno.EISDIR, "a folder", self.path)
        names = ("size", "ETag", "etag", "mtime", "LastModified", "created")
        return {name: about[name] for name in names if about.get(name) is not None}

    def fetch(self, start: int, end: int) -> bytes:
        data = bytes(self.system.cat_file(self.path, start=start, end=min(end, self.size)))
        if self.information() != self.state:
            raise changed()
        return data


def is_address(file: object) -> bool:
    return isinstance(file, str) and "://" in file


def remote_source(address: str, store: Any = None, options: Mapping[str, Any] | None = None) -> RemoteSource:
    """The object at an address, or at a path in a store of `obstore` or a file system of `fsspec`."""
    return source_in(*located(address, store, options))


def source_in(store: Any, path: str) -> RemoteSource:
    return RemoteSource(FileSystemFetcher(store, path) if is_file_system(store) else StoreFetcher(store, path))


def is_file_system(store: Any) -> bool:
    """Whether a store is a file system of `fsspec`."""
    return hasattr(store, "cat_file")


def located(address: str, store: Any = None, options: Mapping[str, Any] | None = None) -> tuple[Any, str]:
    """A store of `obstore` or a file system of `fsspec`, and a path there."""
    if store is not None:
        return store, address
    parts = urlsplit(address)
    try:
        from obstore.store import from_url
    except ImportError:
        from_url = None  # type: ignore[assignment]
    if from_url is not None and parts.scheme in ("s3", "s3a", "gs", "az", "abfs", "http", "https"):
        path = parts.path.lstrip("/") + (f"?{parts.query}" if parts.query else "")
        given: dict[str, Any] = dict(options or {})
        if parts.scheme == "http":
            given.setdefault("client_options", {"allow_http": True})
        return from_url(f"{parts.scheme}://{parts.netloc}", **given), path
    try:
        from fsspec.core import url_to_fs
    except ImportError:
        raise ImportError("addresses need the packages obstore or fsspec: pip install 'graphcodable[remote]'") from None
    system, path = url_to_fs(address, **dict(options or {}))
    return system, path
