"""Stores of `obstore` and file systems of `fsspec` for addresses."""

from __future__ import annotations

import datetime
from collections.abc import Mapping
from typing import Any

from .addresses import SCHEME, is_of_server, seconds

OF_OBSTORE = ("s3", "s3a", "gs", "az", "abfs", "http", "https")
RETRIES = 3


def is_file_system(store: Any) -> bool:
    """Whether a store is a file system of `fsspec`."""
    return hasattr(store, "cat_file")


def located(address: str, store: Any = None, options: Mapping[str, Any] | None = None, is_folder: bool = False) -> tuple[Any, str]:
    """A store of `obstore` or a file system of `fsspec`, and a path there. Folders on servers are asked for without repeating."""
    if store is not None:
        return store, address
    match = SCHEME.match(address)
    scheme = match["scheme"].lower() if match else ""
    try:
        from obstore.store import from_url
    except ImportError:
        from_url = None  # type: ignore[assignment]
    if from_url is not None and scheme in OF_OBSTORE:
        given = configured(options, is_plain=scheme == "http", repeats=not (is_folder and is_of_server(address)))
        if is_of_server(address):
            # The whole address is the store, since names of objects would be encoded once more.
            return from_url(address, **given), ""
        bucket, _, path = address.partition("://")[2].partition("/")
        return from_url(f"{scheme}://{bucket}", **given), path.lstrip("/")
    try:
        from fsspec.core import url_to_fs
    except ImportError:
        raise ImportError("addresses need the packages obstore or fsspec: pip install 'graphcodable[remote]'") from None
    given = dict(options or {})
    if is_of_server(address):
        given = {"encoded": True, "client_kwargs": {"timeout": aiohttp_timeout()}} | given
    system, path = url_to_fs(address, **given)
    return system, path


def aiohttp_timeout() -> Any:
    """That of the package with which `fsspec` asks servers."""
    from aiohttp import ClientTimeout

    return ClientTimeout(total=10 * seconds(), sock_connect=seconds() / 3, sock_read=seconds())


def configured(options: Mapping[str, Any] | None, is_plain: bool, repeats: bool) -> dict[str, Any]:
    """Options of a store, in which requests end in the time that is stated unless the options say another one."""
    given = dict(options or {})
    silence = datetime.timedelta(seconds=seconds())
    client: dict[str, Any] = {"connect_timeout": silence / 3, "read_timeout": silence, "timeout": 10 * silence}
    if is_plain:
        client["allow_http"] = True
    given["client_options"] = client | dict(given.get("client_options") or {})
    given.setdefault("retry_config", {"max_retries": RETRIES if repeats else 0, "retry_timeout": silence})
    return given
