"""The certificate of a host is checked by its name, whatever address the connection goes to."""

import ssl
from pathlib import Path

import pytest

from services.core.errors import FetchRefused
from services.web import fetch as fetching
from services.web.allowed_addresses import read_intranet
from services.web.fetch import Fetcher, Limits
from tests.fakes.site import Site, page
from tests.files.certificates import self_signed
from tests.services.web.conftest import resolve


def test_the_certificate_has_to_be_the_host_s_whatever_address_was_taken(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    server, trusting = certified("site.example", tmp_path)
    resolve(monkeypatch, "127.0.0.1")
    monkeypatch.setattr(fetching, "_certificates", lambda: trusting)
    with Site({"/": page("safe")}, secured=server) as site:
        fetcher = Fetcher(read_intranet("127.0.0.1"), Limits(1_000))
        assert fetcher.fetch(f"https://site.example:{site.port}/").content == b"safe"
        with pytest.raises(FetchRefused, match=r"Asof cannot trust the certificate of other\.example"):
            fetcher.fetch(f"https://other.example:{site.port}/")
        assert site.asked == ["/"]


def test_a_certificate_that_nobody_vouches_for_is_refused(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    server, _ = certified("site.example", tmp_path)
    resolve(monkeypatch, "127.0.0.1")
    with Site({"/": page("a")}, secured=server) as site:
        with pytest.raises(FetchRefused, match="Asof cannot trust"):
            Fetcher(read_intranet("127.0.0.1"), Limits(1_000)).fetch(f"https://site.example:{site.port}/")
        assert site.asked == []


def certified(host: str, folder: Path) -> tuple[ssl.SSLContext, ssl.SSLContext]:
    """A server's side with a certificate that it gave itself for `host`, and a client's that trusts it."""
    own = self_signed(host, folder)
    server = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    server.load_cert_chain(own)
    return server, ssl.create_default_context(cafile=str(own))
