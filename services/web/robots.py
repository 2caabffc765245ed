"""The rules that a site sets for those who read it by machine: its robots.txt."""

import re
import threading
from dataclasses import dataclass

from protego import Protego

from services.core.errors import FetchRefused, HostRefused
from services.web.fetch import AGENT, Fetcher
from services.web.urls import Url, read_url

LONGEST_DELAY = 30.0
"""A longer `Crawl-delay` counts as this one."""
_MOST_BYTES = 512_000
_TOO_MANY = 429
_OTHERS = re.compile(rf"(?im)^([ \t]*user[- ]?agent[ \t]*+:?+)(?![ \t]*\*)(?![^\n\r]*{AGENT})[^\n\r]*")


@dataclass(frozen=True, slots=True)
class Robots:
    """The rules of one site. `refused` says why nothing may be asked for, when nothing may."""

    rules: Protego
    refused: FetchRefused | None = None

    def allows(self, url: Url) -> bool:
        """True when the page may be asked for."""
        return self.refused is None and self.rules.can_fetch(str(url), AGENT)

    def forbids(self, url: Url) -> bool:
        """True when the site says that the page may not be asked for; False where it said nothing that could be had."""
        return self.refused is None and not self.allows(url)

    @property
    def delay(self) -> float | None:
        """Seconds between two requests, where the site says so."""
        delay = self.rules.crawl_delay(AGENT)
        return None if delay is None else min(delay, LONGEST_DELAY)

    @property
    def sitemaps(self) -> tuple[str, ...]:
        """The sitemaps that it names, as they are written."""
        return tuple(self.rules.sitemaps)


def read_robots(content: bytes) -> Robots:
    """The rules in a robots.txt, of which the first 512 kB count; a line that says nothing is passed over.

    Rules for other agents are not told apart: a file with thousands of them costs no more than one.
    """
    text = content[:_MOST_BYTES].decode("utf-8", "replace").removeprefix("\ufeff")
    return Robots(Protego.parse(_OTHERS.sub(r"\1 other", text)))


def robots_of(fetcher: Fetcher, site: str, cancel: threading.Event) -> Robots:
    """The rules of a site such as `https://example.org`.

    A site without a robots.txt allows everything; one whose robots.txt cannot be had allows nothing. Raises
    `Cancelled` once `cancel` is set.
    """
    try:
        found = fetcher.fetch(read_url(f"{site}/robots.txt"), accept="text/plain", cancel=cancel)
    except HostRefused as error:
        return Robots(Protego(), error)
    except FetchRefused as error:
        return _without(site, error.message)
    if found.status == _TOO_MANY or found.status >= 500:
        return _without(site, f"{found.url} answered {found.status}.")
    return read_robots(found.content) if found.status < 300 else Robots(Protego())


def _without(site: str, reason: str) -> Robots:
    host = read_url(site).host
    return Robots(Protego(), FetchRefused(f"Asof cannot read the robots.txt of {host}: {reason}", "Try again later."))
