"""Asking other hosts: what is refused before any connection, and what is done with answers that are not as they should
be. All on loopback."""

import gzip
import ipaddress
import socket
import threading
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any

import pytest

from services.core.errors import Cancelled, FetchRefused
from services.web.allowed_addresses import Intranet, read_intranet
from services.web.fetch import Fetcher, Limits
from tests.fakes.site import Answer, Site, moved, page
from tests.services.web.conftest import fetcher_for, resolve, two_addresses

BLIND = Fetcher(Intranet(), Limits(1_000_000))
"""It may ask public hosts only."""


# -- refused before any connection


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "[::ffff:127.0.0.1]", "2130706433", "0x7f.1", "0.0.0.0"])
def test_this_machine_is_not_connected_to_in_any_spelling(host: str) -> None:
    with Site({"/": page("secret")}) as site:
        with pytest.raises(FetchRefused, match=r"Asof does not fetch|no host"):
            BLIND.fetch(f"http://{host}:{site.port}/")
        assert site.connections == 0


def test_another_port_than_the_one_allowed_is_not_connected_to() -> None:
    with Site({"/": page("a")}) as allowed, Site({"/": page("b")}) as other:
        with pytest.raises(FetchRefused, match="Asof does not fetch"):
            fetcher_for(allowed).fetch(other.url())
        assert other.connections == 0


def test_a_name_and_a_password_in_an_address_are_refused_before_anything_is_asked() -> None:
    with Site({"/": page("a")}) as site:
        with pytest.raises(FetchRefused, match="password"):
            fetcher_for(site).fetch(f"http://me:secret@127.0.0.1:{site.port}/")
        assert site.connections == 0


@pytest.mark.parametrize("url", ["file:///etc/passwd", "gopher://127.0.0.1/", "ftp://127.0.0.1/", "//127.0.0.1/"])
def test_nothing_but_web_addresses_is_asked_for(url: str) -> None:
    with pytest.raises(FetchRefused, match="not a valid web address"):
        BLIND.fetch(url)


@pytest.mark.parametrize("to", ["file:///etc/passwd", "gopher://127.0.0.1/", "http://me:x@127.0.0.1/", "http://:80/"])
def test_a_redirect_to_what_is_no_web_address_is_refused(to: str) -> None:
    with Site({"/": moved(to)}) as site, pytest.raises(FetchRefused, match=r"not a valid web address|password"):
        fetcher_for(site).fetch(site.url())


def test_a_redirect_to_a_private_address_is_refused_before_it_is_connected_to() -> None:
    with Site({"/": page("secret")}) as private, Site({"/": moved(private.url())}) as site:
        with pytest.raises(FetchRefused, match="Asof does not fetch"):
            fetcher_for(site).fetch(site.url())
        assert private.connections == 0
        assert site.asked == ["/"]


def test_a_redirect_to_the_metadata_of_a_cloud_is_refused() -> None:
    with Site({"/": moved("http://169.254.169.254/latest/meta-data/")}) as site:
        hosts = frozenset[tuple[str, int | None]]({("127.0.0.1", site.port), ("169.254.169.254", 80)})
        fetcher = Fetcher(Intranet(hosts, read_intranet("0.0.0.0/0").networks), Limits(1_000))
        with pytest.raises(FetchRefused, match="cloud"):
            fetcher.fetch(site.url())


def test_a_public_host_is_not_connected_to_at_an_unusual_port(monkeypatch: pytest.MonkeyPatch) -> None:
    resolve(monkeypatch, "93.184.216.34")
    with pytest.raises(FetchRefused, match=r"port 6379 is not usual for a web server.*ASOF_INTRANET"):
        BLIND.fetch("http://news.example:6379/")


def test_a_host_that_stands_for_a_public_and_a_private_address_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    with Site({"/": page("a")}) as site:
        resolve(monkeypatch, "93.184.216.34", "127.0.0.1")
        with pytest.raises(FetchRefused, match="private network"):
            Fetcher(read_intranet("93.184.216.34"), Limits(1_000)).fetch(f"http://both.example:{site.port}/")
        assert site.connections == 0


@two_addresses
def test_the_connection_goes_to_the_address_that_was_judged_though_the_name_moves(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    real, looked = socket.getaddrinfo, list[str]()

    def rebinding(host: Any, *args: Any, **kwargs: Any) -> Any:
        if host != "moves.example":
            return real(host, *args, **kwargs)
        looked.append(host)
        return real("127.0.0.1" if len(looked) == 1 else "127.0.0.2", *args, **kwargs)

    with Site({"/": page("judged")}) as site, Site({"/": page("secret")}, host="127.0.0.2", port=site.port) as other:
        monkeypatch.setattr(socket, "getaddrinfo", rebinding)
        only = Intranet(networks=(ipaddress.ip_network("127.0.0.1/32"),))
        fetcher = Fetcher(only, Limits(1_000))
        assert fetcher.fetch(f"http://moves.example:{site.port}/").content == b"judged"
        assert (len(looked), other.connections) == (1, 0)
        with pytest.raises(FetchRefused, match="Asof does not fetch"):
            fetcher.fetch(f"http://moves.example:{site.port}/")
        assert other.connections == 0


@two_addresses
def test_a_redirect_to_a_name_that_has_moved_to_a_private_address_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    real, addresses = socket.getaddrinfo, iter(["127.0.0.1", "127.0.0.2"])

    def rebinding(host: Any, *args: Any, **more: Any) -> Any:
        return real(next(addresses) if host == "moves.example" else host, *args, **more)

    with Site() as site, Site({"/2": page("secret")}, host="127.0.0.2", port=site.port) as private:
        site.pages["/1"] = moved(f"http://moves.example:{site.port}/2")
        monkeypatch.setattr(socket, "getaddrinfo", rebinding)
        with pytest.raises(FetchRefused, match="Asof does not fetch"):
            Fetcher(read_intranet("127.0.0.1/32"), Limits(1_000)).fetch(f"http://moves.example:{site.port}/1")
        assert (site.asked, private.connections) == (["/1"], 0)


@pytest.mark.parametrize("variable", ["HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy", "HTTPS_PROXY"])
def test_a_proxy_of_the_environment_is_not_used(variable: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with Site({"/": page("a")}) as site, Site() as proxy:
        monkeypatch.setenv(variable, proxy.url())
        assert fetcher_for(site).fetch(site.url()).status == 200
        assert proxy.connections == 0


def test_a_name_that_nobody_has_is_refused_by_name(monkeypatch: pytest.MonkeyPatch) -> None:
    def unknown(*_: Any, **__: Any) -> Any:
        raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")

    monkeypatch.setattr(socket, "getaddrinfo", unknown)
    with pytest.raises(FetchRefused, match=r"no host nowhere\.example"):
        BLIND.fetch("http://nowhere.example/")


def test_a_name_that_is_looked_up_for_ever_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    waits = threading.Event()
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_, **__: waits.wait(20))
    try:
        with pytest.raises(FetchRefused, match="could not look up"):
            Fetcher(Intranet(), Limits(1_000, seconds=0.2)).fetch("http://slow.example/")
    finally:
        waits.set()


# -- redirects


def test_redirects_are_followed() -> None:
    pages = {"/": moved("/b", 302), "/b": moved("c?x=1#top", 307), "/c?x=1": page("here")}
    with Site(pages) as site:
        found = fetcher_for(site).fetch(site.url())
    assert (str(found.url), found.content, found.content_type) == (site.url("/c?x=1"), b"here", "text/html")


def test_a_redirect_loop_is_left() -> None:
    with Site({"/a": moved("/b"), "/b": moved("/a")}) as site:
        with pytest.raises(FetchRefused, match="redirects to itself"):
            fetcher_for(site).fetch(site.url("/a"))
        assert site.asked == ["/a", "/b"]


def test_too_many_redirects_are_not_followed() -> None:
    with Site({f"/{n}": moved(f"/{n + 1}") for n in range(20)}) as site:
        with pytest.raises(FetchRefused, match="redirects more than 5 times"):
            fetcher_for(site).fetch(site.url("/0"))
        assert len(site.asked) == 6


def test_the_body_of_a_redirect_is_not_read() -> None:
    head = b"HTTP/1.1 301 Moved\r\nLocation: /here\r\nContent-Length: 999999999\r\n\r\n"
    with Site({"/": Answer(raw=head, then="drip"), "/here": page("here")}) as site:
        assert fetcher_for(site).fetch(site.url()).content == b"here"


def test_a_redirect_without_an_address_is_an_answer() -> None:
    with Site({"/": page("where", status=301)}) as site:
        assert fetcher_for(site).fetch(site.url()).status == 301


# -- sizes


def test_an_answer_that_says_it_is_too_large_is_not_read() -> None:
    head = b"HTTP/1.1 200 OK\r\nContent-Length: 5000001\r\n\r\n"
    with Site({"/": Answer(raw=head, then="stall")}) as site, pytest.raises(FetchRefused, match="larger than 5 MB"):
        fetcher_for(site, size=5_000_000).fetch(site.url())


def test_an_answer_that_goes_on_and_on_is_left_at_the_limit() -> None:
    endless = Answer(raw=b"HTTP/1.1 200 OK\r\n\r\n" + b"x" * 300_000, then="stall")
    with Site({"/": endless}) as site, pytest.raises(FetchRefused, match=r"larger than 0\.2 MB"):
        fetcher_for(site, size=200_000).fetch(site.url())


def test_an_answer_as_large_as_the_limit_comes_whole() -> None:
    with Site({"/": page(b"x" * 200_000)}) as site:
        assert len(fetcher_for(site, size=200_000).fetch(site.url()).content) == 200_000


def test_a_packed_answer_counts_as_large_as_it_unpacks() -> None:
    bomb = gzip.compress(b"\0" * 5_000_000, mtime=0)
    with (
        Site({"/": page(bomb, Content_Encoding="gzip")}) as site,
        pytest.raises(FetchRefused, match="larger than 1 MB"),
    ):
        fetcher_for(site, size=1_000_000).fetch(site.url())


@pytest.mark.parametrize("size", [0, 1, 65_535, 65_536, 65_537, 196_608, 900_000])
def test_a_packed_answer_is_unpacked_to_the_last_byte(size: int) -> None:
    with Site({"/": page(gzip.compress(b"\0" * size, mtime=0), Content_Encoding="GZIP")}) as site:
        assert fetcher_for(site).fetch(site.url()).content == b"\0" * size


def test_what_stands_behind_a_packed_answer_is_not_read() -> None:
    trailing = gzip.compress(b"here", mtime=0) + b"x" * 500_000
    with Site({"/": page(trailing, Content_Encoding="gzip")}) as site:
        assert fetcher_for(site, size=1_000_000).fetch(site.url()).content == b"here"


@pytest.mark.parametrize("body", [b"not packed at all", gzip.compress(b"whole" * 500, mtime=0)[:-20]])
def test_an_answer_that_cannot_be_unpacked_is_refused(body: bytes) -> None:
    with (
        Site({"/": page(body, Content_Encoding="gzip")}) as site,
        pytest.raises(FetchRefused, match=r"(the|The) response"),
    ):
        fetcher_for(site).fetch(site.url())


def test_an_answer_in_an_encoding_that_was_not_asked_for_is_refused() -> None:
    with (
        Site({"/": page("x", Content_Encoding="br")}) as site,
        pytest.raises(FetchRefused, match="“br”, but Asof requested gzip"),
    ):
        fetcher_for(site).fetch(site.url())


# -- time


@pytest.mark.parametrize(
    "answer",
    [
        Answer(raw=b"", then="stall"),
        Answer(raw=b"HTTP/1.1 200 OK\r\nX-Slow: ", then="drip"),
        Answer(raw=b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf", then="stall"),
        Answer(raw=b"HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n", then="drip"),
        Answer(raw=b"HTTP/1.1 100 Continue\r\n\r\n" * 50, then="stall"),
    ],
    ids=["silent", "slow headers", "stalled body", "slow body", "only interim answers"],
)
def test_an_answer_that_takes_too_long_is_left(answer: Answer) -> None:
    with Site({"/": answer}) as site, pytest.raises(FetchRefused, match=r"0\.4 seconds"):
        fetcher_for(site, seconds=0.4).fetch(site.url())


def test_the_time_of_redirects_counts_together() -> None:
    with Site() as site:

        def slowly(to: str) -> Answer:
            site.closing.wait(0.25)
            return moved(to)

        site.pages |= {f"/{n}": partial(slowly, f"/{n + 1}") for n in range(5)}
        with pytest.raises(FetchRefused, match=r"0\.6 seconds"):
            fetcher_for(site, seconds=0.6).fetch(site.url("/0"))
        assert "/5" not in site.asked


@pytest.mark.parametrize("raw", [b"", b"HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\nhalf"])
def test_a_request_that_is_not_wanted_any_more_ends_in_the_middle(raw: bytes) -> None:
    cancel = threading.Event()
    with Site({"/": Answer(raw=raw, then="stall")}) as site, ThreadPoolExecutor(1) as threads:
        asking = threads.submit(fetcher_for(site, seconds=120).fetch, site.url(), cancel=cancel)
        assert site.stalled.wait(20)
        cancel.set()
        with pytest.raises(Cancelled):
            asking.result(20)


def test_nothing_is_asked_once_it_is_cancelled() -> None:
    cancel = threading.Event()
    cancel.set()
    with Site({"/": page("a")}) as site:
        with pytest.raises(Cancelled):
            fetcher_for(site).fetch(site.url(), cancel=cancel)
        assert site.connections == 0


# -- odd answers


@pytest.mark.parametrize(
    "raw",
    [
        b"HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\nhalf",
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n",
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\nhello\r\n",
        b"\x16\x03\x01\x02\x00garbage\r\n\r\n",
        b"SSH-2.0-OpenSSH_9.6\r\n",
        b"",
        b"HTTP/1.1 200 OK\r\nBroken header\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nhello",
        b"HTTP/1.1 200 OK\r\n" + b"X-Long: " + b"a" * 300_000 + b"\r\n\r\n",
        b"HTTP/1.1 100 Continue\r\n\r\n",
        b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\n\r\n",
    ],
    ids=[
        "half",
        "cut chunks",
        "bad chunks",
        "garbage",
        "another protocol",
        "nothing",
        "bad header",
        "two lengths",
        "huge header",
        "interim only",
        "another protocol after all",
    ],
)
def test_what_is_no_answer_is_refused_in_words(raw: bytes) -> None:
    with Site({"/": Answer(raw=raw)}) as site, pytest.raises(FetchRefused, match=r"Asof could not reach 127\.0\.0\.1"):
        fetcher_for(site).fetch(site.url())


def test_a_closed_port_is_named() -> None:
    with Site() as site:
        pass
    with pytest.raises(FetchRefused, match="Asof could not reach"):
        fetcher_for(site).fetch(site.url())


def test_interim_answers_are_passed_over() -> None:
    raw = b"HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"
    with Site({"/": Answer(raw=raw)}) as site:
        assert fetcher_for(site).fetch(site.url()).content == b"ok"


@pytest.mark.parametrize("status", [204, 304])
def test_an_answer_without_content_is_one(status: int) -> None:
    with Site({"/": Answer(raw=f"HTTP/1.1 {status} Odd\r\n\r\n".encode())}) as site:
        found = fetcher_for(site).fetch(site.url())
    assert (found.status, found.content) == (status, b"")


def test_of_a_repeated_header_that_is_no_list_the_last_counts() -> None:
    raw = b"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Type: text/html\r\nX-Robots-Tag: noindex\r\n"
    with Site({"/": Answer(raw=raw + b"x-robots-tag: nofollow\r\n\r\nWords")}) as site:
        headers = fetcher_for(site).fetch(site.url()).headers
    assert (headers["content-type"], headers["x-robots-tag"]) == ("text/html", "noindex, nofollow")


def test_a_status_of_failure_is_no_error_here() -> None:
    with Site() as site:
        assert fetcher_for(site).fetch(site.url("/nowhere")).status == 404


def test_it_says_who_asks_and_no_cookie_goes_on() -> None:
    heads = list[str]()

    class Listening(Site):
        def answer(self, head: str) -> Answer:
            heads.append(head)
            return super().answer(head)

    with Listening({"/": moved("/b"), "/b": page("x", Set_Cookie="a=b")}) as site:
        fetcher_for(site).fetch(site.url())
    assert site.agents == ["Asof/1", "Asof/1"]
    assert not any(word in head.lower() for head in heads for word in ("cookie", "referer", "authorization"))
