"""What tests of several files share."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count
from typing import TYPE_CHECKING

import hypothesis
import pytest
import servers

from graphcodable.format import native

if TYPE_CHECKING:
    from servers import Bucket, Proxy

# Where other work takes the processors, a case takes as long as it likes.
hypothesis.settings.register_profile("without deadlines", deadline=None)
hypothesis.settings.load_profile("without deadlines")
NUMBERS = count()


@pytest.fixture(scope="session", params=servers.NAMES)
def server(request: pytest.FixtureRequest) -> Iterator[tuple[str, str]]:
    """Each S3 server in turn: its name and its address."""
    pytest.importorskip("obstore")
    with servers.started(request.param) as address:
        yield request.param, address


@pytest.fixture(scope="session")
def proxy(server: tuple[str, str]) -> Iterator[Proxy]:
    running = servers.Proxy(server[1])
    yield running
    running.close()


@pytest.fixture
def bucket(server: tuple[str, str], proxy: Proxy) -> Bucket:
    """An empty bucket of a server, with no requests."""
    made = servers.Bucket(*server, proxy, f"bucket-{next(NUMBERS)}")
    made.forget()
    return made


@pytest.fixture(params=["native", "fallback"])
def kind(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Files by the module in C and without it, also in processes that a test starts."""
    if request.param == "fallback":
        monkeypatch.setattr(native, "module", None)
        monkeypatch.setenv("GRAPHCODABLE_NATIVE", "0")
    elif native.module is None:
        pytest.skip("without the module in C")
    return str(request.param)
