"""Which addresses may be connected to: public ones, and inside the analyst's network those that the settings name."""

import ipaddress
from collections.abc import Iterator
from dataclasses import dataclass

from services.core.errors import BadInput
from services.web.urls import ascii_host

Address = ipaddress.IPv4Address | ipaddress.IPv6Address
Network = ipaddress.IPv4Network | ipaddress.IPv6Network

_USUAL_PORTS = (80, 443)
_PUBLIC_PORTS = (*_USUAL_PORTS, 8080, 8443)
"""Where public hosts serve pages; at any other port somebody else's machines could be probed through this one."""
_METADATA = frozenset(
    map(
        ipaddress.ip_address,
        (
            "169.254.169.254",
            "169.254.170.2",
            "169.254.170.23",
            "100.100.100.200",
            "168.63.129.16",
            "192.0.0.192",
            "fd00:ec2::254",
            "fd00:ec2::23",
            "fd20:ce::254",
            "fe80::a9fe:a9fe",
        ),
    )
)
"""Where clouds hand keys to the machines that run in them; no setting opens these."""
_TRANSLATED = ipaddress.ip_network("64:ff9b::/96")
"""IPv4 addresses as IPv6 ones (RFC 6052)."""
_COMPATIBLE = ipaddress.ip_network("::/96")
"""The same, as it was spelled once (RFC 4291)."""
_GIVEN_OUT = ipaddress.ip_network("2000::/3")
_EXAMPLES = ipaddress.ip_network("3fff::/20")
"""Of all IPv6 addresses only the first are given out to hosts, and of those the second are for books (RFC 9637)."""


@dataclass(frozen=True, slots=True)
class Intranet:
    """What the settings open: hosts by name, with a port or on the usual ones, and networks."""

    hosts: frozenset[tuple[str, int | None]] = frozenset()
    networks: tuple[Network, ...] = ()

    def opens(self, host: str, port: int, address: Address) -> bool:
        """True when `host` may be reached at `port`, though `address` is no public one or the port unusual."""
        if (host, port) in self.hosts or ((host, None) in self.hosts and port in _USUAL_PORTS):
            return True
        return any(address.version == network.version and address in network for network in self.networks)


def read_intranet(text: str) -> Intranet:
    """What a list like `wiki.intern:8080, 10.1.0.0/16` opens. Raises `BadInput` for an entry that says nothing."""
    hosts, networks = set[tuple[str, int | None]](), list[Network]()
    for entry in filter(None, (part.strip().lower() for part in text.split(","))):
        if (network := _network(entry)) is not None:
            networks.append(network)
            continue
        host, colon, port = entry.rpartition(":") if not entry.endswith("]") else (entry, "", "")
        name = _ascii((host if colon else entry).strip("[]"))
        if not name or set(name) & set("/@?# ") or (colon and not (port.isdecimal() and 0 < int(port) < 65536)):
            raise BadInput(
                f"ASOF_INTRANET: “{entry}” is not a valid host.", "Write a name, a name with a port, or a network."
            )
        hosts.add((name, int(port) if colon else None))
    return Intranet(frozenset(hosts), tuple(networks))


def refusal(host: str, port: int, address: Address, intranet: Intranet) -> str | None:
    """Why `address`, which `host` stands for, may not be connected to; None when it may.

    An address that carries another (IPv4 in IPv6, 6to4, Teredo, NAT64) is judged by both.
    """
    for one in _carried(address):
        if one in _METADATA:
            return f"{address} is a cloud metadata address"
        if one.is_multicast or one.is_unspecified:
            return f"{address} is not the address of a single computer"
        if intranet.opens(host, port, one):
            continue
        if not _is_public(one):
            return f"{address} is on a private network"
        if port not in _PUBLIC_PORTS:
            return f"port {port} is not usual for a web server"
    return None


def _carried(address: Address) -> Iterator[Address]:
    """The address itself, unless it only spells another, and those that it carries."""
    if isinstance(address, ipaddress.IPv4Address):
        yield address
        return
    if (mapped := address.ipv4_mapped) is not None:
        yield mapped
        return
    yield address
    if (inner := address.sixtofour) is not None:
        yield inner
    if address.teredo is not None:
        yield from address.teredo
    if address in _TRANSLATED or (address in _COMPATIBLE and not address.is_loopback):
        yield ipaddress.IPv4Address(int(address) & 0xFFFFFFFF)


def _is_public(address: Address) -> bool:
    if isinstance(address, ipaddress.IPv4Address) or address in _TRANSLATED:
        return address.is_global
    return address.is_global and address in _GIVEN_OUT and address not in _EXAMPLES


def _ascii(name: str) -> str:
    """The name as `Url.host` has it; nothing for one that no host can have."""
    try:
        return ascii_host(name)
    except UnicodeError:
        return ""


def _network(entry: str) -> Network | None:
    try:
        return ipaddress.ip_network(entry, strict=False)
    except ValueError:
        return None
