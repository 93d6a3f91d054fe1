"""Objects in stores that are read by ranges: S3, HTTP and what else `obstore` or `fsspec` reach."""

from __future__ import annotations

import os
import threading
import time
from collections import OrderedDict, deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from functools import cache
from typing import Any, TypeVar

from ..format.errors import GraphCodableError
from ..format.source import MemorySource, Source
from .addresses import seconds, shown_name
from .fetchers import Fetcher, FileSystemFetcher, RangesAreIgnored, StoreFetcher, whole_of
from .stores import is_file_system, located

# Short reads take so many bytes along: tables and headers stand close to each other.
READ_AHEAD = 1 << 16
MOST_KEPT, KEPT = 1 << 20, 16
# Extents that are no further apart are one request.
GAP = 1 << 18
MOST_IN_ONE = 16 << 20
REQUESTS = 8
TRIES = 5
Result = TypeVar("Result")


@cache
def requests() -> ThreadPoolExecutor:
    return ThreadPoolExecutor(REQUESTS, "graphcodable-requests")


if hasattr(os, "register_at_fork"):  # A forked process has none of the threads.
    os.register_at_fork(after_in_child=requests.cache_clear)


def tried(request: Callable[[], Result]) -> Result:
    """Makes a request, and again where it fails, as long as that is within the time for a server."""
    latest = time.monotonic() + seconds()
    for number in range(TRIES):
        try:
            return request()
        except (FileNotFoundError, IsADirectoryError, NotADirectoryError, PermissionError, RangesAreIgnored):
            raise
        except OSError as failed:
            error = failed
        if number + 1 == TRIES or time.monotonic() > latest:
            break
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
                name = shown_name(getattr(self.fetcher, "name", "")) or "the object"
                raise OSError(f"{name}: the server has sent {len(data)} bytes of {min(end, self.size) - start}")
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


def remote_source(address: str, store: Any = None, options: Mapping[str, Any] | None = None) -> Source:
    """The object at an address, or at a path in a store of `obstore` or a file system of `fsspec`."""
    return source_in(*located(address, store, options), address)


def source_in(store: Any, path: str, name: str = "") -> Source:
    """An object in a store, which is called `name` in messages."""
    make = FileSystemFetcher if is_file_system(store) else StoreFetcher
    fetcher: FileSystemFetcher | StoreFetcher | None = None
    try:
        fetcher = make(store, path, name)
        return RemoteSource(fetcher)
    except RangesAreIgnored:
        if fetcher is None:  # The server does not say how large the file is.
            return MemorySource(memoryview(tried(lambda: whole_of(store, path, name or path))))
        return MemorySource(memoryview(tried(fetcher.whole)))
