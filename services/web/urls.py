"""Addresses of pages: checked, and in the one spelling by which two are the same."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from urllib.parse import quote, urljoin, urlsplit

from services.core.errors import FetchRefused

MOST_CHARACTERS = 2_000
_PORTS = {"http": 80, "https": 443}
_SAFE = "/:@!$&'()*+,;=-._~%?"
_ESCAPE = re.compile(r"%([0-9a-fA-F]{2})")
_BREAKS = re.compile(r"[\t\r\n]")
_OPEN = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~")
"""Characters that mean the same escaped or not (RFC 3986, section 2.3)."""


@dataclass(frozen=True, slots=True)
class Url:
    """An address that may be asked for; `host` is in lower case and in ASCII, `target` the path with its query."""

    scheme: str
    host: str
    port: int
    target: str

    def __str__(self) -> str:
        return f"{self.site}{self.target}"

    @property
    def path(self) -> str:
        """The target without its query."""
        return self.target.partition("?")[0]

    @property
    def query(self) -> str:
        """What stands behind the question mark."""
        return self.target.partition("?")[2]

    @property
    def site(self) -> str:
        """Scheme, host and port, as the first part of the address."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"{self.scheme}://{host}" if self.port == _PORTS[self.scheme] else f"{self.scheme}://{host}:{self.port}"

    def join(self, reference: str) -> "Url":
        """The address that a link on this page leads to, blanks in it read as browsers do. Raises `FetchRefused`."""
        plain = _BREAKS.sub("", reference.strip()).replace(" ", "%20")
        try:
            return read_url(urljoin(str(self), plain))
        except ValueError as error:
            raise FetchRefused(f"“{reference[:80]}” is not a valid address.") from error


def read_url(text: str) -> Url:
    """The address in `text`, without its fragment. Raises `FetchRefused` that says why it cannot be asked for."""
    text = text.strip()
    if not text or len(text) > MOST_CHARACTERS or any(c.isspace() or not c.isprintable() for c in text):
        raise _no_address(text)
    try:
        parts = urlsplit(text)
        port = parts.port
        host = ascii_host(parts.hostname or "")
    except (ValueError, UnicodeError) as error:
        raise _no_address(text) from error
    scheme = parts.scheme.lower()
    if scheme not in _PORTS or not host:
        raise _no_address(text, "Start the address with https:// or http://.")
    if parts.username is not None or parts.password is not None:
        raise FetchRefused("The address contains a user name or password.", "Remove the part before the @.")
    target = _without_dots(_spelled(parts.path)) + (f"?{_spelled(parts.query)}" if parts.query else "")
    url = Url(scheme, host.lower(), _PORTS[scheme] if port is None else port, target)
    if port == 0 or len(str(url)) > MOST_CHARACTERS:
        raise _no_address(text)
    return url


def ascii_host(host: str) -> str:
    """The host in the letters in which it is asked for. Raises `UnicodeError` for what cannot be a host's name."""
    return (host if host.isascii() else host.encode("idna").decode()).rstrip(".")


def joined(base: Url, references: Iterable[str]) -> Iterator[Url]:
    """The addresses that links of a page lead to, without those that are none."""
    for reference in references:
        try:
            yield base.join(reference)
        except FetchRefused:
            continue


def _no_address(text: str, hint: str = "Enter the full address: https://host/page.") -> FetchRefused:
    return FetchRefused(f"“{text[:80]}” is not a valid web address.", hint)


def _spelled(text: str) -> str:
    """A path or query with everything escaped that has to be, and nothing that need not."""
    return _ESCAPE.sub(_one_escape, quote(text, safe=_SAFE))


def _one_escape(found: re.Match[str]) -> str:
    meant = chr(int(found[1], 16))
    return meant if meant in _OPEN else found[0].upper()


def _without_dots(path: str) -> str:
    """A path from the root without `.` and `..` (RFC 3986, section 5.2.4)."""
    steps: list[str] = []
    segments = path.removeprefix("/").split("/")
    for step in segments:
        if step == "..":
            del steps[-1:]
        elif step != ".":
            steps.append(step)
    if segments[-1] in (".", "..") and steps:
        steps.append("")
    return "/" + "/".join(steps)
