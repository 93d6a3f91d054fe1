"""Single requests for ranges of an object: to stores of `obstore`, and to file systems of `fsspec`."""

from __future__ import annotations

import errno
from http.client import HTTPException
from typing import TYPE_CHECKING, Any, Protocol
from urllib.request import Request, urlopen

from ..format.errors import GraphCodableError
from .addresses import failure, is_of_server, seconds, shown_name

if TYPE_CHECKING:
    from obstore import GetOptions

# Of a server without ranges, files of up to so many bytes are read as a whole.
MOST_WHOLE = 8 << 20
# What `obstore` says of an answer that comes in chunks.
NO_LENGTH = "Content-Length Header missing"


class Fetcher(Protocol):
    """Makes one request for a range. `size` is known after the first one; a change of the object is an error."""

    size: int

    def fetch(self, start: int, end: int) -> bytes: ...


class RangesAreIgnored(OSError):
    """A server sends the whole file, whatever is asked for."""

    def __init__(self, name: str) -> None:
        super().__init__(f"{shown_name(name)}: the server does not send ranges")


def changed() -> GraphCodableError:
    return GraphCodableError(None, "the object has changed since it was opened", 0, "archive")


def too_large(name: str) -> OSError:
    message = "the server does not send ranges, and the file is too large to be read as a whole: download it"
    return OSError(f"{shown_name(name)}: {message}")


def whole_of(system: Any, path: str, name: str) -> bytes:
    """All bytes of a file in a file system of `fsspec` whose size is not known."""
    try:
        with system.open(path, "rb") as file:
            # A file that is streamed gives what has come, and not as much as it is asked for.
            data = bytearray()
            while len(data) <= MOST_WHOLE and (part := file.read(MOST_WHOLE + 1 - len(data))):
                data += part
    except Exception as error:
        raise failure(error, name) from None
    if len(data) > MOST_WHOLE:
        raise too_large(name)
    return bytes(data)


def whole_of_server(address: str) -> bytes:
    """The same of a file at an address, which `obstore` does not read."""
    try:
        request = Request(address, headers={"Accept-Encoding": "identity"})
        with urlopen(request, timeout=seconds()) as answer:
            if answer.headers.get("Content-Encoding", "identity") != "identity":
                raise OSError("the server sends the file compressed, in which there are no ranges")
            data = bytes(answer.read(MOST_WHOLE + 1))
    except (OSError, HTTPException) as error:
        raise failure(error, address) from None
    if len(data) > MOST_WHOLE:
        raise too_large(address)
    return data


class StoreFetcher:
    """An object in a store of `obstore`: each request demands the entity tag of the first one. `name` is for messages."""

    def __init__(self, store: Any, path: str, name: str = "") -> None:
        self.store, self.path, self.name = store, path, name or path
        self.size = 0
        self.tag: str | None = None
        self.version: str | None = None
        self.opened = False

    def fetch(self, start: int, end: int) -> bytes:
        import obstore
        from obstore.exceptions import BaseError, NotSupportedError, PreconditionError

        options: GetOptions = {"range": (start, end)}
        if self.tag is not None:
            options["if_match"] = self.tag
        try:
            result = obstore.get(self.store, self.path, options=options)
            meta, data = result.meta, bytes(result.bytes())
        except NotSupportedError:
            raise RangesAreIgnored(self.name) from None
        except PreconditionError:
            raise changed() from None
        except (BaseError, OSError) as error:
            if not self.opened and NO_LENGTH in str(error) and is_of_server(self.name):
                raise RangesAreIgnored(self.name) from None
            if not self.opened and self.is_empty(str(error)):
                return b""
            raise failure(error, self.name) from None
        if not self.opened:
            self.size, self.tag, self.opened = meta["size"], meta.get("e_tag"), True
        elif (meta["size"], meta.get("e_tag")) != (self.size, self.tag):
            raise changed()
        return data

    def is_empty(self, text: str) -> bool:
        """Whether a request was refused because an object of no bytes has no ranges. Stores without a server have to be asked."""
        import obstore
        from obstore.exceptions import BaseError

        if "RetryError" in text or "status code" in text:
            return "status code: 416" in text
        try:
            return obstore.head(self.store, self.path)["size"] == 0
        except (BaseError, OSError):
            return False

    def whole(self) -> bytes:
        """All bytes, in one request without a range."""
        import obstore
        from obstore.exceptions import BaseError

        try:
            result = obstore.get(self.store, self.path)
            if result.meta["size"] > MOST_WHOLE:
                raise too_large(self.name)
            return bytes(result.bytes())
        except BaseError as error:
            if NO_LENGTH in str(error) and is_of_server(self.name):
                return whole_of_server(self.name)
            raise failure(error, self.name) from None


class FileSystemFetcher:
    """A file in a file system of `fsspec`: size and entity tag are asked for before and behind each request."""

    def __init__(self, system: Any, path: str, name: str = "") -> None:
        self.system, self.path, self.name = system, path, name or path
        self.state = self.information()
        if self.state.get("size") is None:
            raise RangesAreIgnored(self.name)
        self.size = int(self.state["size"])

    def information(self) -> dict[str, Any]:
        self.system.invalidate_cache()
        try:
            about = self.system.info(self.path)
        except Exception as error:  # Of whatever package the file system is made with.
            raise failure(error, self.name) from None
        if about.get("type") == "directory":
            raise IsADirectoryError(errno.EISDIR, "a folder", shown_name(self.name))
        names = ("size", "ETag", "etag", "mtime", "LastModified", "created")
        return {name: about[name] for name in names if about.get(name) is not None}

    def fetch(self, start: int, end: int) -> bytes:
        end = min(end, self.size)
        try:
            data = bytes(self.system.cat_file(self.path, start=start, end=end))
        except Exception as error:
            raise failure(error, self.name) from None
        if len(data) == self.size != end - start:
            raise RangesAreIgnored(self.name)
        if self.information() != self.state:
            raise changed()
        return data

    def whole(self) -> bytes:
        if self.size > MOST_WHOLE:
            raise too_large(self.name)
        try:
            return bytes(self.system.cat_file(self.path))
        except Exception as error:
            raise failure(error, self.name) from None
