"""How a site is asked: by its rules, at its pace, and later when it is busy."""

import socket
import threading
from datetime import UTC, datetime
from typing import Any

import pytest

from services.core.errors import Cancelled, FetchRefused
from services.web.allowed_addresses import read_intranet
from services.web.fetch import Fetched, Fetcher, Limits
from services.web.urls import read_url
from services.web.visits import Politeness, Visits, http_date, later
from tests.fakes.site import PageSource, Site, article, moved, page, script
from tests.services.web.conftest import fetcher_for

NOW = datetime(2026, 1, 1, tzinfo=UTC)


class Clock(threading.Event):
    """An event that nobody sets and nobody waits for: it only keeps how long it was to be waited for."""

    def __init__(self) -> None:
        super().__init__()
        self.waits: list[float] = []

    def wait(self, timeout: float | None = None) -> bool:
        """Not at all."""
        self.waits.append(round(timeout or 0.0))
        return False


def visit(site: Site, path: str, *, pause: float = 0, clock: threading.Event | None = None) -> Fetched:
    visits = Visits(fetcher_for(site), Politeness(pause), clock or threading.Event())
    return visits.page(read_url(site.url(path)), lambda kind: kind == "text/html")


def test_a_page_that_robots_txt_keeps_from_us_is_not_asked_for() -> None:
    with Site({"/robots.txt": page("User-agent: *\nDisallow: /a", "text/plain"), "/a": article("A")}) as site:
        with pytest.raises(FetchRefused, match="does not allow this page"):
            visit(site, "/a")
        assert site.asked == ["/robots.txt"]


def test_no_page_is_asked_for_while_robots_txt_cannot_be_had() -> None:
    with Site({"/robots.txt": page("", status=500), "/a": article("A")}) as site:
        with pytest.raises(FetchRefused, match=r"Asof cannot read the robots.txt of .*: .*500"):
            visit(site, "/a")
        assert site.asked == ["/robots.txt"]


@pytest.mark.parametrize(
    ("address", "message"),
    [
        ("http://127.0.0.1/a", "Asof does not fetch 127.0.0.1: .* Add the host to ASOF_INTRANET"),
        ("http://nowhere.example/a", "There is no host nowhere.example"),
    ],
)
def test_a_host_that_may_not_be_asked_or_is_none_is_named(
    address: str, message: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    look_up = socket.getaddrinfo

    def known(host: str, *more: Any, **named: Any) -> Any:
        if host == "nowhere.example":
            raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")
        return look_up(host, *more, **named)

    monkeypatch.setattr(socket, "getaddrinfo", known)
    visits = Visits(Fetcher(read_intranet(""), Limits(1000)), Politeness(0), threading.Event())
    with pytest.raises(FetchRefused, match=f"^{message}") as refused:
        visits.page(read_url(address), bool)
    assert "later" not in str(refused.value)


def test_robots_txt_is_read_once_for_a_site_and_anew_where_it_could_not_be_had() -> None:
    pages: dict[str, PageSource] = {"/robots.txt": script(page("", status=503), page("")), "/a": article("A")}
    with Site(pages) as site:
        visits = Visits(fetcher_for(site), Politeness(0), threading.Event())
        with pytest.raises(FetchRefused):
            visits.page(read_url(site.url("/a")), bool)
        for _ in range(3):
            visits.page(read_url(site.url("/a")), bool)
        assert site.times("/robots.txt") == 2


def test_a_redirect_is_reported_and_not_followed() -> None:
    with Site({"/a": moved("/b")}) as site:
        assert visit(site, "/a").moved_to() == read_url(site.url("/b"))
        assert site.times("/b") == 0


def test_what_is_no_page_is_not_read() -> None:
    with Site({"/a": page(b"x" * 500_000, "video/mp4")}) as site, pytest.raises(FetchRefused, match="video/mp4"):
        visit(site, "/a")


@pytest.mark.parametrize(("status", "words"), [(404, r"404 \(Not Found\)"), (410, r"410"), (599, "599"), (500, "500")])
def test_a_page_that_is_not_there_is_reported(status: int, words: str) -> None:
    with Site({"/a": page("", status=status)}) as site, pytest.raises(FetchRefused, match=words):
        visit(site, "/a")


def test_a_busy_site_is_asked_again_when_it_says() -> None:
    clock = Clock()
    busy = page("", status=429, Retry_After="7")
    with Site({"/a": script(busy, page("", status=503), article("A"))}) as site:
        assert visit(site, "/a", clock=clock).status == 200
        assert site.times("/a") == 3
    assert clock.waits == [7, 5]


def test_a_site_that_stays_busy_is_left_after_three_tries() -> None:
    with Site({"/a": page("", status=503, Retry_After="0")}) as site:
        with pytest.raises(FetchRefused, match="busy"):
            visit(site, "/a", clock=Clock())
        assert site.times("/a") == 3


def test_a_site_that_asks_to_wait_for_long_is_left() -> None:
    with Site({"/a": page("", status=429, Retry_After="3600")}) as site:
        with pytest.raises(FetchRefused, match="busy"):
            visit(site, "/a", clock=Clock())
        assert site.times("/a") == 1


def test_requests_to_one_host_are_apart() -> None:
    clock, politeness = Clock(), Politeness(2)
    for _ in range(3):
        politeness.wait("a.example", None, clock)
    politeness.wait("b.example", None, clock)
    assert clock.waits == [2, 4]


def test_a_longer_delay_of_the_site_s_own_is_kept_to() -> None:
    clock = Clock()
    robots = page("User-agent: *\nCrawl-delay: 20", "text/plain")
    with Site({"/robots.txt": robots, "/a": article("A"), "/b": article("B")}) as site:
        visits = Visits(fetcher_for(site), Politeness(0.5), clock)
        for path in ("/a", "/b"):
            visits.page(read_url(site.url(path)), bool)
    assert clock.waits == [20]


def test_waiting_ends_when_it_is_stopped() -> None:
    stop, politeness = threading.Event(), Politeness(1000)
    politeness.wait("a.example", None, stop)
    threading.Timer(0.05, stop.set).start()
    with pytest.raises(Cancelled):
        politeness.wait("a.example", None, stop)


def test_a_time_to_come_back_is_a_number_or_a_date() -> None:
    assert later("30", NOW) == 30
    assert later("Thu, 01 Jan 2026 00:02:00 GMT", NOW) == 120
    assert later("Thu, 01 Jan 2020 00:00:00 GMT", NOW) == 0
    assert later("soon", NOW) == later("", NOW) == 5
    assert later("9" * 40, NOW) > 60


def test_a_date_is_read_as_http_spells_it() -> None:
    assert http_date("Sun, 06 Nov 1994 08:49:37 GMT") == datetime(1994, 11, 6, 8, 49, 37, tzinfo=UTC)
    assert http_date("yesterday") is None
    assert http_date("Sun, 99 Nov 1994 08:49:37 GMT") is None
