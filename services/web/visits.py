"""Fetch the pages of a site as its owner wants: by its robots.txt, slowly, and with pauses while it is busy."""

import threading
import time
from collections.abc import Callable
from datetime import datetime
from email.utils import parsedate_to_datetime
from http.client import responses

from services.core import clock
from services.core.errors import Cancelled, FetchRefused
from services.web.fetch import Fetched, Fetcher
from services.web.robots import Robots, robots_of
from services.web.urls import Url

PAUSE = 0.5
"""Seconds between two requests to one host that names none itself."""
_ROBOTS_STAY = 600.0
"""So many seconds a robots.txt is taken as read."""
_BUSY = (429, 503)
_TRIES = 3
_WAIT, _LONGEST_WAIT = 5.0, 60.0
"""Seconds until a busy site is asked again that does not say when, and the most it may ask us to wait."""
_PAGES = "text/html,application/xhtml+xml,application/pdf;q=0.9,text/plain;q=0.9,*/*;q=0.5"


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
            raise FetchRefused(
                f"The robots.txt of {url.host} does not allow this page.", "Ask the site's owner for permission."
            )
        found = self._asked(url, rules.delay, follow=False, accept=_PAGES, wanted=wanted)
        if not wanted(found.content_type) and found.moved_to() is None:
            raise FetchRefused(f"Asof cannot read content of type “{found.content_type}”.")
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
        raise Cancelled("The request stopped early.")
