"""Asking a site for one page after the other as its owner wants it done: by its robots.txt, slowly, and not again and
again while it is busy."""

import re
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from email.utils import parsedate_to_datetime
from http.client import responses

from protego import Protego

from services.core import clock
from services.core.errors import Cancelled, FetchRefused, HostRefused
from services.web.fetch import AGENT, Fetched, Fetcher
from services.web.urls import Url, read_url

PAUSE = 0.5
"""Seconds between two requests to one host that names none itself."""
LONGEST_DELAY = 30.0
"""A longer `Crawl-delay` counts as this one."""
_MOST_BYTES = 512_000
_TOO_MANY = 429
_OTHERS = re.compile(rf"(?im)^([ \t]*user[- ]?agent[ \t]*+:?+)(?![ \t]*\*)(?![^\n\r]*{AGENT})[^\n\r]*")
_ROBOTS_STAY = 600.0
"""So many seconds a robots.txt is taken as read."""
_BUSY = (429, 503)
_TRIES = 3
_WAIT, _LONGEST_WAIT = 5.0, 60.0
"""Seconds until a busy site is asked again that does not say when, and the most it may ask us to wait."""
_PAGES = "text/html,application/xhtml+xml,application/pdf;q=0.9,text/plain;q=0.9,*/*;q=0.5"


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


class Politeness:
    """What is known of sites while the process runs: their rules, and when each may be asked again. Any thread may
    use it; crawls of one host share its pace."""

    def __init__(self, pause: float = PAUSE) -> None:
        self._pause = pause
        self._lock = threading.Lock()
        self._rules: dict[str, tuple[Robots, float]] = {}
        self._next: dict[str, float] = {}

    def rules(self, site: str, read: Callable[[], Robots]) -> Robots:
        """The rules of a site, read where they are not known; what could not be had is tried again each time."""
        now = time.monotonic()
        with self._lock:
            self._rules = {one: known for one, known in self._rules.items() if now < known[1]}
            known = self._rules.get(site)
        if known is not None:
            return known[0]
        rules = read()
        if rules.refused is None:
            with self._lock:
                self._rules[site] = rules, now + _ROBOTS_STAY
        return rules

    def wait(self, host: str, delay: float | None, cancel: threading.Event) -> None:
        """Wait until the host may be asked. Raises `Cancelled` once `cancel` is set."""
        now = time.monotonic()
        with self._lock:
            self._next = {one: then for one, then in self._next.items() if then > now}
            turn = self._next.get(host, now)
            self._next[host] = turn + max(self._pause, delay or 0.0)
        _wait(turn - now, cancel)


class Visits:
    """The requests of one crawl. Every method raises `FetchRefused` for what cannot be had, and `Cancelled` once
    `cancel` is set."""

    def __init__(self, fetcher: Fetcher, politeness: Politeness, cancel: threading.Event) -> None:
        self._fetcher = fetcher
        self._politeness = politeness
        self._cancel = cancel

    def robots(self, url: Url) -> Robots:
        """The rules of the site that the address is of."""
        return self._politeness.rules(url.site, lambda: robots_of(self._fetcher, url.site, self._cancel))

    def page(self, url: Url, wanted: Callable[[str], bool]) -> Fetched:
        """What is at an address, or the redirect that is there, where the site's rules allow to ask."""
        rules = self.rules(url)
        if not rules.allows(url):
            raise FetchRefused(f"The robots.txt of {url.host} does not allow this page.", "Ask who runs the site.")
        found = self._asked(url, rules.delay, follow=False, accept=_PAGES, wanted=wanted)
        if not wanted(found.content_type) and found.moved_to() is None:
            raise FetchRefused(f"This is {found.content_type}, which is not read.")
        return found

    def file(self, url: Url) -> Fetched:
        """What is at an address that sites publish for crawlers, such as a sitemap's; redirects are followed."""
        return self._asked(url, self.rules(url).delay, follow=True, accept="*/*", wanted=None)

    def rules(self, url: Url) -> Robots:
        """The same, of a site that may be asked."""
        rules = self.robots(url)
        if (refused := rules.refused) is not None:
            raise type(refused)(refused.message, refused.hint) from refused
        return rules

    def _asked(
        self, url: Url, delay: float | None, *, follow: bool, accept: str, wanted: Callable[[str], bool] | None
    ) -> Fetched:
        for tries in range(1, _TRIES + 1):
            self._politeness.wait(url.host, delay, self._cancel)
            found = self._fetcher.fetch(url, accept=accept, cancel=self._cancel, follow=follow, wanted=wanted)
            seconds = later(found.headers.get("retry-after", ""), clock.now())
            if found.status not in _BUSY or seconds > _LONGEST_WAIT or tries == _TRIES:
                break
            _wait(seconds, self._cancel)
        if found.status in _BUSY:
            raise FetchRefused(f"{url.host} is busy.", "Try this page again later.")
        if found.status >= 400:
            phrase = f" ({responses[found.status]})" if found.status in responses else ""
            raise FetchRefused(f"{url.host} answered {found.status}{phrase}.")
        return found


def later(header: str, now: datetime) -> float:
    """The seconds that a `Retry-After` asks to wait, which is a number or a date."""
    header = header.strip()
    if header.isdecimal():
        return float(header[:9])
    when = http_date(header)
    return _WAIT if when is None else max(0.0, (when - now).total_seconds())


def http_date(header: str) -> datetime | None:
    """A date as HTTP spells it, in UTC; None for anything else."""
    try:
        when = parsedate_to_datetime(header)
    except (ValueError, TypeError, OverflowError, IndexError):
        return None
    return clock.instant(when)


def _wait(seconds: float, cancel: threading.Event) -> None:
    if (seconds > 0 and cancel.wait(seconds)) or cancel.is_set():
        raise Cancelled("It was stopped.")


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
    return Robots(Protego(), FetchRefused(f"The robots.txt of {host} cannot be had: {reason}", "Try again later."))
