"""No test here reaches a host that is not this machine."""

import importlib
import ipaddress
import socket
from collections.abc import Mapping, Sequence
from typing import Any

import httpcore
import pytest

from services.documents import read_file as files
from services.web import fetch as fetching
from services.web.allowed_addresses import Address, Intranet
from services.web.fetch import Fetcher, Limits
from tests.fakes.site import Site


def _is_here(address: str) -> bool:
    with socket.socket() as probe:
        try:
            probe.bind((address, 0))
        except OSError:
            return False
        return True


two_addresses = pytest.mark.skipif(not _is_here("127.0.0.2"), reason="This machine has one loopback address.")


_connect = httpcore.SyncBackend.connect_tcp


@pytest.fixture(autouse=True)
def loopback_only(monkeypatch: pytest.MonkeyPatch) -> None:
    """A connection to any other address fails the test before a packet is sent."""

    def connect(self: httpcore.SyncBackend, host: str, *args: Any, **kwargs: Any) -> httpcore.NetworkStream:
        assert ipaddress.ip_address(host).is_loopback, f"a connection to {host}"
        return _connect(self, host, *args, **kwargs)

    monkeypatch.setattr(httpcore.SyncBackend, "connect_tcp", connect)


def fetcher_for(*sites: Site, size: int = 1_000_000, seconds: float = 20, redirects: int = 5) -> Fetcher:
    """A fetcher that may ask these sites, each at its own port, and nothing else on this machine."""
    hosts = frozenset[tuple[str, int | None]]((site.host, site.port) for site in sites)
    return Fetcher(Intranet(hosts), Limits(size, seconds, redirects))


@pytest.fixture
def quick_reading(monkeypatch: pytest.MonkeyPatch) -> None:
    """Pages are parsed here instead of in a process of their own, which takes long to start."""

    def read(module: str, task: Mapping[str, Any], content: bytes, limits: object, **_: object) -> Any:
        return importlib.import_module(module).read(task, content)

    monkeypatch.setattr(files, "run_sandboxed", read)


def resolve(monkeypatch: pytest.MonkeyPatch, *addresses: str) -> None:
    """Let every name stand for these addresses."""
    found: Sequence[Address] = [ipaddress.ip_address(address) for address in addresses]
    monkeypatch.setattr(fetching, "_resolved", lambda *_: found)
