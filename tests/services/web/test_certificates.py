"""The certificate of a host is checked by its name, whatever address the connection goes to."""

import ssl
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from cryptography.x509.oid import NameOID

from services.core.errors import FetchRefused
from services.web import fetch as fetching
from services.web.addresses import read_intranet
from services.web.fetch import Fetcher, Limits
from tests.fakes.site import Site, page
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
        with pytest.raises(FetchRefused, match=r"certificate of other\.example cannot be trusted"):
            fetcher.fetch(f"https://other.example:{site.port}/")
        assert site.asked == ["/"]


def test_a_certificate_that_nobody_vouches_for_is_refused(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    server, _ = certified("site.example", tmp_path)
    resolve(monkeypatch, "127.0.0.1")
    with Site({"/": page("a")}, secured=server) as site:
        with pytest.raises(FetchRefused, match="cannot be trusted"):
            Fetcher(read_intranet("127.0.0.1"), Limits(1_000)).fetch(f"https://site.example:{site.port}/")
        assert site.asked == []


def certified(host: str, folder: Path) -> tuple[ssl.SSLContext, ssl.SSLContext]:
    """A server's side with a certificate that it gave itself for `host`, and a client's that trusts it."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, host)])
    now = datetime.now(UTC)
    certificate = (
        x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName(host)]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    spelled = certificate.public_bytes(Encoding.PEM)
    own = folder / "site.pem"
    own.write_bytes(key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()) + spelled)
    server = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    server.load_cert_chain(own)
    return server, ssl.create_default_context(cadata=spelled.decode())
