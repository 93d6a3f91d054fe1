"""Addresses of files in object stores and on servers, in messages without what is secret, and what is said when a request fails."""

from __future__ import annotations

import os
import re

SCHEME = re.compile(r"(?P<scheme>[A-Za-z][A-Za-z0-9+.-]*)://")
OWNER = re.compile(r"(?<=://)[^/?#\s]*@")
QUERY = re.compile(r"\?[^\s\"'<>)\]},]*")
STATUS = re.compile(r"status(?: code)?[:=] ?(\d{3})\b|^(\d{3}), message|\((\d{3})\)")
NO_CONNECTION = re.compile(r"kind: Connect\b|Cannot connect|[Cc]onnection refused|ClientConnector")
NO_ANSWER = re.compile(r"timed out|TimedOut|kind: Timeout")
DEFAULT_SECONDS = 15.0


def is_address(file: object) -> bool:
    return isinstance(file, str) and "://" in file


def is_of_server(address: str) -> bool:
    """Whether it is read as it is given, which is not so for the names of objects in stores."""
    return address.lower().startswith(("http://", "https://"))


def shown_name(name: str) -> str:
    """What messages call a file: an address without user and password, and without the query, which may be a signature."""
    if SCHEME.match(name) is None:
        return name
    path = OWNER.sub("", name, count=1)
    return re.split(r"[?#]", path, maxsplit=1)[0] + "?…" if is_of_server(name) and re.search(r"[?#]", path) else path


def seconds() -> float:
    """How long a server may say nothing, and for how long a request that has failed is sent again."""
    try:
        return min(max(float(os.environ.get("GRAPHCODABLE_TIMEOUT", DEFAULT_SECONDS)), 1.0), 86_400.0)
    except ValueError:
        return DEFAULT_SECONDS


def failure(error: Exception, name: str) -> OSError:
    """A failed request in one line; errors that another request would give again are no plain `OSError`s."""
    text = f"{error!s}\n{error!r}"
    name = shown_name(name)
    match = STATUS.search(text)
    status = int(next(filter(None, match.groups()))) if match else 0
    if status in (404, 410) or isinstance(error, FileNotFoundError):
        return FileNotFoundError(f"{name}: not found")
    if isinstance(error, (IsADirectoryError, NotADirectoryError)):
        return error
    if status in (401, 403) or isinstance(error, PermissionError) or type(error).__name__ in DENIED:
        return PermissionError(f"{name}: access is denied{f' ({status})' if status else ''}")
    if status == 429:
        return OSError(f"{name}: the server has too many requests (429)")
    if status:
        return OSError(f"{name}: the server answers with an error ({status})")
    if NO_CONNECTION.search(text):
        return OSError(f"{name}: there is no connection to the server")
    if isinstance(error, TimeoutError) or NO_ANSWER.search(text):
        return OSError(f"{name}: the server does not answer in time")
    line = str(error).strip().split("\n")[0] or type(error).__name__
    return OSError(f"{name}: {QUERY.sub('?…', OWNER.sub('', line))}")


DENIED = ("PermissionDeniedError", "UnauthenticatedError")
