"""Which hosts and addresses a page may be fetched from: public ones only.

A URL given by a stranger must not reach what only this machine can reach: its own services, the local network, the
address where a cloud keeps its credentials. Both tables list what is refused by what it is, so that the error can
say so, and neither depends on how a Python version draws the line of `is_private`.
"""

from __future__ import annotations

import re
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address

_NOT_PUBLIC_4 = tuple(
    (IPv4Network(network), kind)
    for network, kind in (
        ("0.0.0.0/8", "unspecified"),
        ("10.0.0.0/8", "private"),
        ("100.64.0.0/10", "shared (carrier-grade NAT)"),
        ("127.0.0.0/8", "loopback"),
        ("168.63.129.16/32", "cloud-internal"),  # looks public, yet only a cloud's own machines reach it
        ("169.254.0.0/16", "link-local"),
        ("172.16.0.0/12", "private"),
        ("192.0.0.0/24", "reserved"),
        ("192.0.2.0/24", "documentation"),
        ("192.88.99.0/24", "reserved"),  # 6to4 relays
        ("192.168.0.0/16", "private"),
        ("198.18.0.0/15", "benchmarking"),
        ("198.51.100.0/24", "documentation"),
        ("203.0.113.0/24", "documentation"),
        ("224.0.0.0/4", "multicast"),
        ("240.0.0.0/4", "reserved"),
    )
)

# IPv6 the other way round: global unicast is 2000::/3, and these are the holes in it.
_GLOBAL_6 = IPv6Network("2000::/3")
_NOT_PUBLIC_6 = tuple(
    (IPv6Network(network), kind)
    for network, kind in (
        ("::/128", "unspecified"),
        ("::1/128", "loopback"),
        ("::/96", "IPv4-compatible"),
        ("64:ff9b:1::/48", "private (local NAT64)"),
        ("100::/64", "discard-only"),
        ("2001::/32", "tunnelled (Teredo)"),
        ("2001::/23", "reserved"),
        ("2001:db8::/32", "documentation"),
        ("2002::/16", "tunnelled (6to4)"),
        ("3fff::/20", "documentation"),
        ("fc00::/7", "private"),
        ("fe80::/10", "link-local"),
        ("fec0::/10", "private (site-local)"),
        ("ff00::/8", "multicast"),
    )
)
_NAT64 = IPv6Network("64:ff9b::/96")  # where a network without IPv4 maps the IPv4 internet

_LOCAL_NAMES = ("localhost", "local", "localdomain", "internal", "home.arpa")
_NAME = re.compile(r"(?=.{1,253}$)[a-z0-9_](?:[a-z0-9_-]{0,62})(?:\.[a-z0-9_][a-z0-9_-]{0,62})*")
_ENDS_IN_NUMBER = re.compile(r"(?:.*\.)?(?:[0-9]+|0x[0-9a-f]*)")


def not_public(address: str) -> str | None:
    """What kind of non-public address this is ("private", "loopback" …); None for a public one."""
    try:
        parsed = ip_address(address)
    except ValueError:
        return "unreadable"
    if isinstance(parsed, IPv6Address):
        if parsed.scope_id is not None:
            return "link-local"
        embedded = _embedded(parsed)
        if embedded is None:
            kinds = (kind for network, kind in _NOT_PUBLIC_6 if parsed in network)
            return next(kinds, None if parsed in _GLOBAL_6 else "reserved")
        parsed = embedded
    return next((kind for network, kind in _NOT_PUBLIC_4 if parsed in network), None)


def is_address(text: str) -> bool:
    """Whether this is an address and not a name."""
    try:
        ip_address(text)
    except ValueError:
        return False
    return True


def host_problem(host: str, allow_private: bool = False) -> str | None:
    """Why no connection to a URL's host may even be tried; None when its addresses are to decide.

    `host` is in its ASCII form, IPv6 without brackets. Numbers that some systems read as an address (`2130706433`,
    `0x7f.1`, `0177.0.0.1`, `127.1`) are refused outright: nobody writes them but to slip past a check.
    """
    name = host.lower()
    if not name:
        return "it names no host"
    if ":" in name:
        return None if is_address(name) else f"{host} is no IPv6 address"
    name = name[:-1] if name.endswith(".") else name
    if is_address(name):
        return None
    if _ENDS_IN_NUMBER.fullmatch(name):
        return f"{host} is an unusual way to write an address; write it as four decimal numbers"
    if not _NAME.fullmatch(name):
        return f"{host!r} is no host name"
    if not allow_private and any(name == local or name.endswith(f".{local}") for local in _LOCAL_NAMES):
        return f"{host} is a name of the local machine or network"
    return None


def _embedded(address: IPv6Address) -> IPv4Address | None:
    """The IPv4 address that an IPv4-mapped or NAT64 address leads to."""
    if address.ipv4_mapped is not None:
        return address.ipv4_mapped
    return IPv4Address(int(address) & 0xFFFFFFFF) if address in _NAT64 else None
