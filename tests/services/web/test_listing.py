"""A site that lists no pages says what was in the way."""

import threading

import pytest

from services.core.errors import FetchRefused, HostRefused
from services.web.allowed_addresses import read_intranet
from services.web.fetch import Fetcher, Limits
from services.web.listing import listed_pages
from services.web.urls import read_url
from services.web.visits import Politeness, Visits
from tests.fakes.site import Site, page
from tests.services.web.conftest import fetcher_for


def _visits(fetcher: Fetcher) -> Visits:
    return Visits(fetcher, Politeness(0), threading.Event())


def test_a_host_that_may_not_be_asked_is_named() -> None:
    visits = _visits(Fetcher(read_intranet(""), Limits(1000)))
    with pytest.raises(HostRefused, match=r"Asof does not fetch 127\.0\.0\.1") as refused:
        list(listed_pages(visits, read_url("http://127.0.0.1/")))
    assert "ASOF_INTRANET" in refused.value.hint


def test_the_first_reason_why_a_sitemap_cannot_be_had_is_shown() -> None:
    with Site({"/robots.txt": page("Sitemap: /maps.xml", "text/plain"), "/maps.xml": page("", status=500)}) as site:
        with pytest.raises(
            FetchRefused, match=r"^No sitemap of 127.0.0.1 lists any of its pages\. 127.0.0.1 answered 500"
        ):
            list(listed_pages(_visits(fetcher_for(site)), read_url(site.url("/"))))
        assert site.asked == ["/robots.txt", "/maps.xml", "/sitemap.xml"]


def test_no_sitemap_is_asked_for_while_robots_txt_cannot_be_had() -> None:
    sitemap = page("http://127.0.0.1/a", "text/plain")
    with Site({"/robots.txt": page("", status=503), "/sitemap.xml": sitemap}) as site:
        with pytest.raises(FetchRefused, match=r"Asof cannot read the robots\.txt of 127\.0\.0\.1"):
            list(listed_pages(_visits(fetcher_for(site)), read_url(site.url("/"))))
        assert site.asked == ["/robots.txt"]
