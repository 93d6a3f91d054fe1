"""Files on servers: addresses are asked for as they are given, and whatever a server does ends in time with one line."""

from __future__ import annotations

import contextlib
import re
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import numpy as np
import pytest

import graphcodable as gc
from graphcodable.files import fetchers, stores
from graphcodable.files.addresses import failure, shown_name

SMALL = gc.encode({"a": 1})
LARGE = gc.encode({"a": np.random.default_rng(1).random(60_000)})
SECONDS = 2


class Server:
    """Serves one file at all addresses, in some manner."""

    def __init__(self) -> None:
        self.data, self.manner = SMALL, "ranges"
        self.asked: list[tuple[str, str]] = []
        self.ending = threading.Event()
        server = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def answer(self) -> None:
                server.asked.append((self.command, self.path))
                server.answer(self)

            do_GET = do_HEAD = do_PROPFIND = answer

            def log_message(self, format: str, *arguments: Any) -> None:
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        self.address = f"http://127.0.0.1:{self.server.server_address[1]}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def answer(self, asked: BaseHTTPRequestHandler) -> None:
        status, headers, data = 200, {"ETag": '"a"', "Last-Modified": "Wed, 21 Oct 2015 07:28:00 GMT"}, self.data
        if asked.command == "PROPFIND":
            status, data = 501, b""
        elif self.manner == "get alone" and asked.command == "HEAD":
            status, data = 403, b""  # As for an address that is signed for reading.
        elif self.manner == "redirect" and not asked.path.startswith("/real"):
            status, data = 302, b""
            headers["Location"] = "/real?Signature=other"
        elif self.manner == "chunks":
            return self.in_chunks(asked)
        elif self.manner == "wrong range" and asked.command == "GET":
            status, data = 206, data[5:10]
            headers["Content-Range"] = f"bytes 5-9/{len(self.data)}"
        elif self.manner.isdigit():
            status, data = int(self.manner), b""
            headers["WWW-Authenticate"] = 'Basic realm="a"'
        elif self.manner != "whole" and (match := re.fullmatch(r"bytes=(\d+)-(\d+)", asked.headers.get("Range", ""))):
            first, last = int(match[1]), min(int(match[2]), len(data) - 1)
            headers["Content-Range"] = f"bytes {first}-{last}/{len(data)}"
            status, data = 206, data[first : last + 1]
        asked.send_response_only(status)
        for name, value in headers.items():
            asked.send_header(name, value)
        asked.send_header("Content-Length", str(len(data)))
        asked.end_headers()
        if asked.command == "HEAD":
            return
        if self.manner in ("stall", "reset"):
            asked.wfile.write(data[: len(data) // 2])
            asked.wfile.flush()
            if self.manner == "stall":
                self.ending.wait(60)
            asked.connection.close()
            return
        asked.wfile.write(data)

    def in_chunks(self, asked: BaseHTTPRequestHandler) -> None:
        """All of the file, without its length."""
        asked.send_response_only(200)
        asked.send_header("Transfer-Encoding", "chunked")
        asked.end_headers()
        if asked.command == "GET":
            with contextlib.suppress(OSError):  # Who wants ranges ends the connection.
                for start in range(0, len(self.data), 10_000):
                    chunk = self.data[start : start + 10_000]
                    asked.wfile.write(b"%x\r\n%b\r\n" % (len(chunk), chunk))
                asked.wfile.write(b"0\r\n\r\n")

    def close(self) -> None:
        self.ending.set()
        self.server.shutdown()
        self.server.server_close()


@pytest.fixture
def server() -> Iterator[Server]:
    running = Server()
    yield running
    running.close()


@pytest.fixture(params=["obstore", "fsspec"], autouse=True)
def package(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """What asks the server."""
    pytest.importorskip(request.param)
    if request.param == "fsspec":
        pytest.importorskip("aiohttp")
        monkeypatch.setattr(stores, "OF_OBSTORE", ())
    monkeypatch.setenv("GRAPHCODABLE_TIMEOUT", str(SECONDS))
    return str(request.param)


def opened(address: str) -> gc.Archive:
    archive = gc.open(address)
    assert isinstance(archive, gc.Archive)
    return archive


PATHS = ["/a%20b.g", "/a%20b%2Fc.g", "/s.g?Signature=a%2Fb", "/s.g?X-Amz=1&Signature=a%2Bb%3D", "/%C3%A4.g"]


@pytest.mark.parametrize("path", PATHS)
def test_addresses_are_asked_for_as_they_are_given(server: Server, path: str) -> None:
    server.data = LARGE
    archive = opened(server.address + path)
    assert len(archive.root.a[:]) == 60_000
    assert {asked for _, asked in server.asked} == {path}


@pytest.mark.parametrize("manner", ["401", "403", "404", "410", "429", "500", "503", "stall", "reset", "down"])
def test_failures_end_in_time_with_one_line_without_secrets(server: Server, manner: str) -> None:
    server.manner = manner
    host = "127.0.0.1:1" if manner == "down" else server.address.removeprefix("http://")
    address = f"http://{host}/folder/s.g?Signature=secret"
    start = time.monotonic()
    with pytest.raises(OSError) as caught:
        gc.open(address)
    assert time.monotonic() - start < 8 * SECONDS
    text = str(caught.value)
    assert "secret" not in text and "\n" not in text and text.startswith(f"http://{host}/folder/s.g?…: ")
    kinds = {"401": PermissionError, "403": PermissionError, "404": FileNotFoundError, "410": FileNotFoundError}
    assert type(caught.value) is kinds.get(manner, OSError)
    if manner.isdigit() and manner not in ("404", "410"):
        assert manner in text
    elif manner in ("stall", "down"):
        assert {"stall": "does not answer in time", "down": "no connection"}[manner] in text


def test_what_is_refused_for_good_is_not_asked_for_again(server: Server) -> None:
    for manner in ("401", "404"):
        server.manner = manner
        server.asked.clear()
        with pytest.raises(OSError):
            gc.open(f"{server.address}/s.g?Signature=secret")
        assert len(server.asked) <= 6


def test_small_files_are_read_whole_where_ranges_are_ignored(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    server.manner = "whole"
    for data in (SMALL, LARGE):
        server.data = data
        archive = opened(f"{server.address}/a.g")
        archive.verify()
    monkeypatch.setattr(fetchers, "MOST_WHOLE", len(LARGE) - 1)
    with pytest.raises(OSError, match="too large to be read as a whole: download it"):
        gc.open(f"{server.address}/a.g?Signature=secret")


@pytest.mark.parametrize("manner", ["get alone", "redirect", "chunks"])
def test_servers_that_do_as_they_like_are_read(server: Server, manner: str) -> None:
    server.manner, server.data = manner, LARGE
    opened(f"{server.address}/s.g?Signature=secret").verify()


def test_a_file_in_chunks_is_read_up_to_a_size(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    server.manner, server.data = "chunks", LARGE
    monkeypatch.setattr(fetchers, "MOST_WHOLE", len(LARGE) - 1)
    with pytest.raises(OSError, match="too large to be read as a whole: download it") as caught:
        gc.open(f"{server.address}/a.g?Signature=secret")
    assert "secret" not in str(caught.value)


def test_other_ranges_than_those_asked_for_are_an_error_that_names_the_file(server: Server) -> None:
    server.manner, server.data = "wrong range", LARGE
    with pytest.raises(OSError, match=f"^{server.address}/s.g\\?…: ") as caught:
        gc.open(f"{server.address}/s.g?Signature=secret")
    assert "secret" not in str(caught.value)


@pytest.mark.parametrize("package", ["obstore"], indirect=True)
def test_nothing_is_written_to_an_address() -> None:
    address = "https://me:word@host/s.g?Signature=secret"
    for action in (lambda: gc.save(1, address), lambda: gc.SeriesWriter(address), lambda: gc.repair(address)):
        with pytest.raises(gc.GraphCodableError, match="^https://host/s.g\\?… is an address.*upload") as caught:
            action()
        assert "secret" not in str(caught.value)


@pytest.mark.parametrize("package", ["obstore"], indirect=True)
@pytest.mark.parametrize("manner", ["401", "404", "down", "500"])
def test_the_command_says_it_in_one_line(server: Server, manner: str) -> None:
    server.manner = manner
    host = "http://127.0.0.1:1" if manner == "down" else server.address
    for command in ("info", "verify"):
        start = time.monotonic()
        arguments = [sys.executable, "-m", "graphcodable", command, f"{host}/s.g?Signature=secret"]
        done = subprocess.run(arguments, capture_output=True, text=True, timeout=60)
        assert time.monotonic() - start < 60 and done.returncode == 66 and not done.stdout
        assert done.stderr.count("\n") == 1 and done.stderr.startswith(f"graphcodable: {host}/s.g?…: ") and "secret" not in done.stderr


def test_names_in_messages_have_no_secrets() -> None:
    assert shown_name("https://me:word@host/a%20b?Signature=x#y") == "https://host/a%20b?…"
    assert shown_name("s3://bucket/a?b#c") == "s3://bucket/a?b#c"
    assert shown_name("/folder/a@b?c") == "/folder/a@b?c"
    given = ValueError("no such thing as https://me:word@host/x?Signature=s, said (https://host/y?sig=t)\nmore")
    error = failure(given, "https://host/x?s")
    assert str(error) == "https://host/x?…: no such thing as https://host/x?…, said (https://host/y?…)"
