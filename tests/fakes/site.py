"""A site on loopback that answers as a test wrote down, well or badly, and remembers who came.

with Site({"/": page("<h1>Hello</h1>"), "/old": moved("/")}) as site:
    ...
assert site.asked == ["/"]
"""

import gzip
import socket
import socketserver
import ssl
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Literal, Self

_BLINK = 0.02
_REASONS = {200: "OK", 204: "No Content", 301: "Moved", 404: "Not Found", 429: "Slow Down", 503: "Unavailable"}


@dataclass(frozen=True, slots=True)
class Answer:
    """What the site says to one request.

    `raw` is sent in the place of all the rest. `then` is what comes behind it: the end; nothing, with the connection
    left open ("stall"); or one byte after the other without an end ("drip").
    """

    body: bytes = b""
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    raw: bytes | None = None
    then: Literal["close", "stall", "drip"] = "close"

    def spelled(self) -> bytes:
        """As it is sent."""
        if self.raw is not None:
            return self.raw
        headers = {"Content-Length": str(len(self.body)), **self.headers} if self.then == "close" else self.headers
        lines = [f"HTTP/1.1 {self.status} {_REASONS.get(self.status, 'Thus')}"]
        lines += [f"{name}: {value}" for name, value in headers.items() if value]
        return "\r\n".join([*lines, "", ""]).encode("latin-1") + self.body


PageSource = Answer | Callable[[], Answer]
"""An answer, or what makes a new one at each request."""


def page(body: str | bytes, kind: str = "text/html; charset=utf-8", *, status: int = 200, **headers: str) -> Answer:
    """A page; `headers` are spelled `Last_Modified="…"`."""
    content = body.encode() if isinstance(body, str) else body
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return Answer(content, status, {"Content-Type": kind, **named})


def article(title: str, *links: str, head: str = "", words: str = "") -> Answer:
    """A page with a title, a paragraph of its own and links."""
    paragraph = (
        words or f"{title} is described here in a paragraph that no other page of this site has, as {title} needs it."
    )
    listed = "".join(f'<li><a href="{link}">{link}</a></li>' for link in links)
    return page(
        f"<!doctype html><html><head><title>{title}</title>{head}</head>"
        f"<body><main><h1>{title}</h1><p>{paragraph}</p><ul>{listed}</ul></main></body></html>"
    )


def moved(to: str, status: int = 301) -> Answer:
    """A redirect."""
    return Answer(b"", status, {"Location": to})


def packed(content: bytes, kind: str = "application/gzip") -> Answer:
    """A file that is packed by itself, such as sitemap.xml.gz."""
    return page(gzip.compress(content), kind)


def script(*answers: Answer) -> Callable[[], Answer]:
    """One answer after the other; the last is given for ever."""
    left = list(answers)
    return lambda: left.pop(0) if len(left) > 1 else left[0]


class Site:
    """The site. `asked` are the targets of all requests in order, `agents` the names that they gave, `connections`
    how often anybody connected; `stalled` is set once an answer with `then` was begun."""

    def __init__(
        self,
        pages: Mapping[str, PageSource] | None = None,
        *,
        host: str = "127.0.0.1",
        port: int = 0,
        secured: ssl.SSLContext | None = None,
    ) -> None:
        self.pages: dict[str, PageSource] = dict(pages or {})
        self.asked: list[str] = []
        self.agents: list[str] = []
        self.connections = 0
        self.stalled = threading.Event()
        self.closing = threading.Event()
        self.secured = secured
        self._lock = threading.Lock()
        handler = type("Handler", (_Handler,), {"site": self})
        self._server = _Server((host, port), handler)
        self.host = host
        self.port = int(self._server.server_address[1])

    def __enter__(self) -> Self:
        threading.Thread(target=self._server.serve_forever, args=(_BLINK,), daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self.closing.set()
        self._server.shutdown()
        self._server.server_close()

    def url(self, target: str = "/") -> str:
        """The whole address of a target."""
        return f"http://{self.host}:{self.port}{target}"

    def came(self) -> None:
        """Somebody connected."""
        with self._lock:
            self.connections += 1

    def answer(self, head: str) -> Answer:
        """What is said to a request, whose head is given."""
        first, *rest = head.split("\r\n")
        target = first.partition(" ")[2].partition(" ")[0]
        named = dict(line.partition(": ")[::2] for line in rest)
        with self._lock:
            self.asked.append(target)
            self.agents.append(named.get("User-Agent", ""))
            found = self.pages.get(target, page("Not here.", "text/plain", status=404))
            return found() if callable(found) else found

    def times(self, target: str) -> int:
        """How often a target was asked for."""
        return self.asked.count(target)


class _Server(socketserver.ThreadingTCPServer):
    allow_reuse_address = True
    daemon_threads = True
    block_on_close = False


class _Handler(socketserver.BaseRequestHandler):
    site: Site
    request: socket.socket

    def handle(self) -> None:
        """Answer one request; the client's going away is no news here."""
        self.site.came()
        try:
            if self.site.secured is not None:
                self.request = self.site.secured.wrap_socket(self.request, server_side=True)
            head = b""
            while b"\r\n\r\n" not in head:
                piece = self.request.recv(65_536)
                if not piece:
                    return
                head += piece
            answer = self.site.answer(head.partition(b"\r\n\r\n")[0].decode("latin-1"))
            self.request.sendall(answer.spelled())
            if answer.then != "close":
                self._go_on(answer.then == "drip")
        except OSError:
            return
        finally:
            self.request.close()

    def _go_on(self, drip: bool) -> None:
        """Keep the connection until the other side lets go of it, or the site closes."""
        self.request.settimeout(_BLINK)
        self.site.stalled.set()
        while not self.site.closing.is_set():
            if drip:
                self.request.sendall(b"a")
            try:
                if not self.request.recv(1):
                    return
            except TimeoutError:
                continue
