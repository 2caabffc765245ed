"""Which addresses may be connected to. Nothing here is connected to: addresses are judged."""

import ipaddress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.core.errors import BadInput, FetchRefused
from services.web.allowed_addresses import Intranet, read_intranet, refusal
from services.web.fetch import judged
from services.web.urls import read_url

NOTHING = Intranet()
METADATA = ["169.254.169.254", "169.254.170.2", "100.100.100.200", "168.63.129.16", "fd00:ec2::254", "fe80::a9fe:a9fe"]


def judge(address: str, intranet: Intranet = NOTHING, host: str = "example.org", port: int = 80) -> str | None:
    return refusal(host, port, ipaddress.ip_address(address), intranet)


@pytest.mark.parametrize("address", ["93.184.216.34", "8.8.8.8", "2606:4700::1111", "2a00:1450:4001:80b::200e"])
def test_a_public_address_may_be_connected_to(address: str) -> None:
    assert judge(address) is None


@pytest.mark.parametrize(
    "address",
    [
        "127.0.0.1",
        "127.8.8.8",
        "10.0.0.1",
        "172.16.0.1",
        "172.31.255.255",
        "192.168.1.1",
        "169.254.1.1",
        "100.64.0.1",
        "0.0.0.0",
        "0.1.2.3",
        "192.0.0.1",
        "192.0.2.1",
        "198.18.0.1",
        "203.0.113.9",
        "224.0.0.1",
        "239.1.1.1",
        "240.0.0.1",
        "255.255.255.255",
        "::",
        "::1",
        "fe80::1",
        "fc00::1",
        "fdff::1",
        "fec0::1",
        "ff02::1",
        "2001:db8::1",
        "3fff::1",
        "100::1",
        "4000::1",
        "5f00::1",
    ],
)
def test_an_address_that_is_not_public_is_refused(address: str) -> None:
    assert judge(address)


@pytest.mark.parametrize(
    "address",
    [
        "::ffff:127.0.0.1",
        "::ffff:10.0.0.1",
        "::ffff:a9fe:101",
        "::127.0.0.1",
        "::10.0.0.1",
        "64:ff9b::7f00:1",
        "64:ff9b::a00:1",
        "64:ff9b:1::a00:1",
        "2002:7f00:1::",
        "2002:a00:1::1",
        "2001:0:a00:1::1",
        "2001::f5ff:fffe",
    ],
)
def test_a_private_address_is_refused_in_each_ipv6_spelling(address: str) -> None:
    assert judge(address)


def test_a_public_address_behind_a_translator_may_be_connected_to() -> None:
    assert judge("64:ff9b::808:808") is None


@given(st.ip_addresses(v=4, network="10.0.0.0/8") | st.ip_addresses(v=4, network="169.254.0.0/16"))
def test_no_way_of_carrying_a_private_address_is_let_through(address: ipaddress.IPv4Address) -> None:
    inner = int(address)
    carried = [
        0xFFFF << 32 | inner,
        inner,
        0x64FF9B << 96 | inner,
        0x2002 << 112 | inner << 80,
        0x20010000 << 96 | inner << 64,
        0x20010000 << 96 | (inner ^ 0xFFFFFFFF),
    ]
    assert all(refusal("h", 80, ipaddress.IPv6Address(one), NOTHING) for one in carried)


@pytest.mark.parametrize("address", METADATA)
def test_a_cloud_s_metadata_is_refused_whatever_the_settings_open(address: str) -> None:
    every = read_intranet(f"0.0.0.0/0, ::/0, meta.internal:80, {address}")
    assert "cloud" in (judge(address, every, "meta.internal") or "")


@pytest.mark.parametrize("address", ["::ffff:169.254.169.254", "64:ff9b::a9fe:a9fe", "2002:a9fe:a9fe::", "::a9fe:a9fe"])
def test_metadata_is_refused_in_each_spelling_whatever_the_settings_open(address: str) -> None:
    assert "cloud" in (judge(address, read_intranet("0.0.0.0/0, ::/0")) or "")


def test_a_host_of_the_intranet_is_open_at_its_port_only() -> None:
    intranet = read_intranet("wiki.intern:8080, docs.intern")
    assert judge("10.0.0.1", intranet, "wiki.intern", 8080) is None
    assert judge("10.0.0.1", intranet, "wiki.intern", 80)
    assert judge("10.0.0.1", intranet, "other.intern", 8080)
    assert judge("10.0.0.1", intranet, "docs.intern", 443) is None
    assert judge("10.0.0.1", intranet, "docs.intern", 6379)


def test_a_network_of_the_intranet_is_open_and_its_neighbour_is_not() -> None:
    intranet = read_intranet("10.1.0.0/16, fd12::/32")
    assert judge("10.1.2.3", intranet) is None
    assert judge("::ffff:10.1.2.3", intranet) is None
    assert judge("fd12::5", intranet) is None
    assert judge("10.2.2.3", intranet)
    assert judge("fd13::5", intranet)


def test_this_machine_can_be_opened_by_its_address_of_either_kind() -> None:
    assert judge("::1", read_intranet("::1")) is None
    assert judge("::1", read_intranet("[::1]:8080"), "::1", 8080) is None
    assert judge("127.0.0.1", read_intranet("127.0.0.1:8080"), "127.0.0.1", 8080) is None


def test_no_network_opens_what_is_no_address_of_one_machine() -> None:
    assert judge("0.0.0.0", read_intranet("0.0.0.0/0"))
    assert judge("ff02::1", read_intranet("::/0"))


@pytest.mark.parametrize("entry", ["http://wiki", "a b", "wiki:port", "wiki:0", "wiki:99999", "me@wiki", ":80"])
def test_an_entry_of_the_setting_that_says_nothing_is_named(entry: str) -> None:
    with pytest.raises(BadInput, match="ASOF_INTRANET"):
        read_intranet(f"10.0.0.0/8, {entry}")


@pytest.mark.parametrize(
    "host",
    [
        "2130706433",
        "0x7f000001",
        "0x7f.1",
        "0177.0.0.1",
        "017700000001",
        "127.1",
        "0",
        "0.0.0.0",
        "::",
        "::1",
        "::ffff:127.0.0.1",
        "0:0:0:0:0:ffff:7f00:1",
        "localhost",
    ],
)
def test_no_spelling_of_this_machine_s_own_address_is_let_through(host: str) -> None:
    with pytest.raises(FetchRefused):
        judged(host, 80, NOTHING, 10)


def test_a_host_in_other_letters_than_ascii_is_opened() -> None:
    asked = read_url("http://é.example/")
    assert read_intranet("É.example").opens(asked.host, asked.port, ipaddress.ip_address("10.0.0.1"))


def test_a_name_that_no_host_can_have_is_refused() -> None:
    with pytest.raises(BadInput, match="is not a valid host"):
        read_intranet(f"{'é' * 64}.example")


@pytest.mark.parametrize("port", [80, 443, 8080, 8443])
def test_a_public_host_is_asked_at_the_usual_ports(port: int) -> None:
    assert judge("93.184.216.34", Intranet(), "news.example", port) is None


@pytest.mark.parametrize("port", [21, 22, 25, 3306, 5432, 6379, 7687, 8501, 9200, 11211, 65535])
def test_a_public_host_is_asked_at_another_port_only_where_the_setting_names_it(port: int) -> None:
    assert "not usual for a web server" in (judge("93.184.216.34", Intranet(), "news.example", port) or "")
    assert "not usual for a web server" in (
        judge("93.184.216.34", read_intranet("news.example"), "news.example", port) or ""
    )
    assert judge("93.184.216.34", read_intranet(f"news.example:{port}"), "news.example", port) is None
    assert judge("93.184.216.34", read_intranet("93.184.216.0/24"), "news.example", port) is None
