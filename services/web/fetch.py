"""The one way in which Asof asks other hosts for anything that a reader or an agent named.

A host is resolved once, all its addresses are judged (`allowed_addresses.py`), and the connection goes to an address
that was judged, so that a name cannot stand for another one in between (DNS rebinding). A redirect is a new address and
judged like the first. No proxy of the environment is used. Size, time and redirects have limits; a compressed answer
counts as large as it unpacks.
"""

import ipaddress
import socket
import ssl
import threading
import time
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from concurrent.futures import TimeoutError as TooLong
from dataclasses import dataclass
from functools import cache
from typing import Any

import certifi
import httpcore

from services.core.config import Settings
from services.core.errors import Cancelled, FetchRefused, HostRefused
from services.web.allowed_addresses import Address, Intranet, read_intranet, refusal
from services.web.urls import Url, read_url

AGENT = "Asof"
"""What robots.txt may call us."""
MOST_REDIRECTS = 5
SECONDS = 30.0
"""The longest that an answer may take, redirects included."""
_CONNECT_SECONDS = 10.0
_LOOK_SECONDS = 0.25
"""So often it looks whether the answer is still wanted."""
_MOVED = (301, 302, 303, 307, 308)
_PACKED = {"gzip": 31, "x-gzip": 31, "deflate": 15}
"""Encodings that we can unpack, as zlib's window sizes."""
_SAVE_INSTEAD = "Save the page in a browser and ingest the file."
_LISTS = ("x-robots-tag", "content-encoding")
_PIECE = 65_536
_resolving = ThreadPoolExecutor(4, thread_name_prefix="asof-resolve")


@dataclass(frozen=True, slots=True)
class Fetched:
    """What came back. `url` is where it came from in the end, after redirects.

    `headers` are in lower case. A status of 400 and above is no error here.
    """

    url: Url
    status: int
    headers: Mapping[str, str]
    content: bytes

    @property
    def content_type(self) -> str:
        """What the answer says that it is, without parameters: "text/html"."""
        return _media_type(self.headers)

    def moved_to(self) -> Url | None:
        """Where a redirect leads; None for any other answer. Raises `FetchRefused` where that is no address."""
        return self.url.join(self.headers["location"]) if _is_moved(self.status, self.headers) else None


@dataclass(frozen=True, slots=True)
class Limits:
    """How much an answer may take: bytes as unpacked, seconds in all, redirects."""

    size: int
    seconds: float = SECONDS
    redirects: int = MOST_REDIRECTS


class Fetcher:
    """Asks hosts for pages. Any thread may call it."""

    def __init__(self, intranet: Intranet, limits: Limits) -> None:
        self.intranet = intranet
        self.limits = limits

    def fetch(
        self,
        url: str | Url,
        *,
        accept: str = "*/*",
        cancel: threading.Event | None = None,
        follow: bool = True,
        wanted: Callable[[str], bool] | None = None,
    ) -> Fetched:
        """What is at an address, after redirects; with `follow` off a redirect is what is there.

        The content of an answer whose type (`content_type`) is not `wanted` is not read.

        Raises `FetchRefused` for an address that may not be asked, and for an answer that does not come, is too large,
        or takes too long; `Cancelled` once `cancel` is set.
        """
        asked = read_url(url) if isinstance(url, str) else url
        deadline = _Deadline(self.limits.seconds, cancel)
        passed: list[Url] = []
        while True:
            answer = self._ask(asked, accept, deadline, wanted)
            to = answer.moved_to() if follow else None
            if to is None:
                return answer
            passed.append(asked)
            if len(passed) > self.limits.redirects:
                raise FetchRefused(
                    f"{passed[0]} redirects more than {self.limits.redirects} times.", "Check the address in a browser."
                )
            if to in passed:
                raise FetchRefused(f"{passed[0]} redirects to itself.", "Check the address in a browser.")
            asked = to

    def _ask(self, url: Url, accept: str, deadline: "_Deadline", wanted: Callable[[str], bool] | None) -> Fetched:
        """One request. Bodies of redirects are not read."""
        backend = _JudgedBackend(self.intranet, deadline)
        headers = [
            ("Host", url.site.partition("://")[2]),
            ("User-Agent", f"{AGENT}/1"),
            ("Accept", accept),
            ("Accept-Encoding", "gzip"),
        ]
        target = httpcore.URL(
            scheme=url.scheme.encode(), host=url.host.encode(), port=url.port, target=url.target.encode()
        )
        try:
            with (
                httpcore.ConnectionPool(ssl_context=_certificates(), network_backend=backend) as pool,
                pool.stream("GET", target, headers=headers) as response,
            ):
                known = _headers(response.headers)
                unread = _is_moved(response.status, known) or (wanted and not wanted(_media_type(known)))
                content = b"" if unread else self._body(url, known, response.iter_stream(), deadline)
                return Fetched(url, response.status, known, content)
        except httpcore.TimeoutException as error:
            raise FetchRefused(
                f"{url.host} did not respond within {self.limits.seconds:g} seconds.", "Try again later."
            ) from error
        except (httpcore.NetworkError, httpcore.ProtocolError, httpcore.UnsupportedProtocol, OSError) as error:
            untrusted = error.args[0] if error.args else None
            if isinstance(untrusted, ssl.SSLCertVerificationError):
                why = untrusted.verify_message.strip(" .")
                raise FetchRefused(
                    f"Asof cannot trust the certificate of {url.host}: {why}.", "Check the site's certificate."
                ) from error
            reason = str(error).strip(" .") or type(error).__name__
            raise FetchRefused(f"Asof could not reach {url.host}: {reason}.", "Check the address.") from error

    def _body(self, url: Url, headers: Mapping[str, str], pieces: Iterable[bytes], deadline: "_Deadline") -> bytes:
        """The answer's body, unpacked."""
        length = headers.get("content-length", "")
        if length.isdecimal() and int(length) > self.limits.size:
            raise self._too_large(url)
        body = bytearray()
        for piece in _unpacked(headers.get("content-encoding", ""), pieces, deadline):
            body += piece
            if len(body) > self.limits.size:
                raise self._too_large(url)
        return bytes(body)

    def _too_large(self, url: Url) -> FetchRefused:
        most = self.limits.size / 1_000_000
        return FetchRefused(f"{url} is larger than {most:g} MB.", "To allow larger files, raise ASOF_MAX_FILE_MB.")


def fetcher(settings: Settings) -> Fetcher:
    """A fetcher as the settings have it. Raises `BadInput` for an intranet that cannot be read."""
    return Fetcher(read_intranet(settings.intranet), Limits(settings.max_file_mb * 1_000_000))


def _headers(raw: Iterable[tuple[bytes, bytes]]) -> dict[str, str]:
    """The headers by name. Lists may come in several parts; of any other that is repeated the last counts."""
    known = dict[str, str]()
    for name, value in ((name.decode("latin-1").lower(), value.decode("latin-1")) for name, value in raw):
        known[name] = f"{known[name]}, {value}" if name in known and name in _LISTS else value
    return known


def _media_type(headers: Mapping[str, str]) -> str:
    return headers.get("content-type", "").partition(";")[0].strip().lower()


def _is_moved(status: int, headers: Mapping[str, str]) -> bool:
    return status in _MOVED and "location" in headers


def _unpacked(encoding: str, pieces: Iterable[bytes], deadline: "_Deadline") -> Iterator[bytes]:
    """The body's pieces without their encoding, never many times as large as what came.

    What stands behind the end of what is packed is not read.
    """
    name = encoding.strip().lower()
    if name in ("", "identity"):
        for piece in pieces:
            deadline.check()
            yield piece
        return
    if name not in _PACKED:
        raise FetchRefused(f"The response uses the encoding “{encoding[:40]}”, but Asof requested gzip.", _SAVE_INSTEAD)
    unpacker, came = zlib.decompressobj(_PACKED[name]), False
    try:
        for piece in pieces:
            came, out = True, b""
            while piece or len(out) == _PIECE:
                deadline.check()
                yield (out := unpacker.decompress(piece, _PIECE))
                piece = unpacker.unconsumed_tail
            if unpacker.eof:
                return
    except zlib.error as error:
        raise FetchRefused("Asof cannot unpack the response.", _SAVE_INSTEAD) from error
    if came:
        raise FetchRefused("The response is incomplete.", "Try again later.")


class _Deadline:
    """When a request has to be over, and whether it still is wanted."""

    def __init__(self, seconds: float, cancel: threading.Event | None) -> None:
        self._seconds = seconds
        self._end = time.monotonic() + seconds
        self._cancel = cancel

    def left(self, most: float | None = None) -> float:
        """Seconds until then, at most `most`."""
        self.check()
        left = max(self._end - time.monotonic(), 0.001)
        return left if most is None else min(left, most)

    def check(self) -> None:
        """Raise what ends the request, where something does."""
        if self._cancel is not None and self._cancel.is_set():
            raise Cancelled("The request stopped early.")
        if time.monotonic() >= self._end:
            raise FetchRefused(f"The response took longer than {self._seconds:g} seconds.", "Try again later.")


class _JudgedBackend(httpcore.NetworkBackend):
    """Connects to judged addresses only, and lets no read outlast the deadline."""

    def __init__(self, intranet: Intranet, deadline: _Deadline) -> None:
        self._intranet = intranet
        self._deadline = deadline
        self._network = httpcore.SyncBackend()

    def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,  # noqa: ARG002
        local_address: str | None = None,  # noqa: ARG002
        socket_options: Iterable[Any] | None = None,
    ) -> httpcore.NetworkStream:
        """A connection to the first address of the host that answers."""
        addresses = judged(host, port, self._intranet, self._deadline.left(_CONNECT_SECONDS))
        fault: Exception | None = None
        for address in addresses:
            try:
                seconds = self._deadline.left(_CONNECT_SECONDS)
                stream = self._network.connect_tcp(str(address), port, seconds, None, socket_options)
                return _TimedStream(stream, self._deadline)
            except (httpcore.ConnectError, httpcore.ConnectTimeout) as error:
                fault = error
        raise fault or httpcore.ConnectError("the host has no address")


class _TimedStream(httpcore.NetworkStream):
    """A connection whose reads and writes end with the deadline, however slowly the other side drips."""

    def __init__(self, stream: httpcore.NetworkStream, deadline: _Deadline) -> None:
        self._stream = stream
        self._deadline = deadline

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:  # noqa: ARG002
        """What came."""
        while True:
            try:
                return self._stream.read(max_bytes, self._deadline.left(_LOOK_SECONDS))
            except httpcore.ReadTimeout:
                self._deadline.check()

    def write(self, buffer: bytes, timeout: float | None = None) -> None:
        """Send."""
        self._stream.write(buffer, self._deadline.left(timeout))

    def close(self) -> None:
        """Let go."""
        self._stream.close()

    def start_tls(
        self,
        ssl_context: ssl.SSLContext,
        server_hostname: str | None = None,
        timeout: float | None = None,  # noqa: ARG002
    ) -> httpcore.NetworkStream:
        """The same connection under TLS; the certificate has to be the host's, whatever address was taken."""
        secured = self._stream.start_tls(ssl_context, server_hostname, self._deadline.left(_CONNECT_SECONDS))
        return _TimedStream(secured, self._deadline)

    def get_extra_info(self, info: str) -> Any:
        """What the connection knows of itself."""
        return self._stream.get_extra_info(info)


def judged(host: str, port: int, intranet: Intranet, seconds: float) -> Sequence[Address]:
    """The addresses of a host, each of which may be connected to.

    Raises `HostRefused` when one of them may not: a name that stands for a public and a private address is a trick.
    """
    addresses = _resolved(host, port, seconds)
    for address in addresses:
        if (reason := refusal(host, port, address, intranet)) is not None:
            raise HostRefused(f"Asof does not fetch {host}: {reason}.", "Add the host to ASOF_INTRANET to allow it.")
    return addresses


def _resolved(host: str, port: int, seconds: float) -> Sequence[Address]:
    looking = _resolving.submit(socket.getaddrinfo, host, port, type=socket.SOCK_STREAM)
    try:
        found = looking.result(seconds)
    except TooLong as error:
        raise FetchRefused(f"Asof could not look up {host} in time.", "Try again later.") from error
    except (OSError, UnicodeError) as error:
        raise HostRefused(f"There is no host {host}.", "Check the address.") from error
    addresses = dict.fromkeys(str(entry[4][0]).partition("%")[0] for entry in found)
    return [ipaddress.ip_address(address) for address in addresses]


@cache
def _certificates() -> ssl.SSLContext:
    """The machine's own authorities, where an intranet's may be, and the public ones."""
    context = ssl.create_default_context()
    context.load_verify_locations(certifi.where())
    return context
