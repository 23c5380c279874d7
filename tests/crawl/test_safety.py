"""Where Scrapy may connect to: what a name server says is checked, whatever it says and whenever."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest
from twisted.internet.address import IPv4Address, IPv6Address

from duramen.crawl.hosts import Hosts
from duramen.crawl.pace import Pace
from duramen.crawl.reasons import Refused, explain
from duramen.crawl.safety import CheckedResolver


class NameServer:
    """Answers a look-up with addresses of our choice, which change from one to the next."""

    def __init__(self, *answers: tuple[str, ...]) -> None:
        self.answers = list(answers)

    def resolveHostName(self, receiver: Any, host: str, port: int = 0, *rest: Any) -> None:
        receiver.resolutionBegan(None)
        for address in self.answers.pop(0):
            kind = IPv6Address if ":" in address else IPv4Address
            receiver.addressResolved(kind("TCP", address, port))
        receiver.resolutionComplete()


class Receiver:
    """What Twisted would connect to."""

    def __init__(self) -> None:
        self.addresses: list[str] = []
        self.complete = False

    def resolutionBegan(self, resolution: object) -> None:
        pass

    def addressResolved(self, address: Any) -> None:
        self.addresses.append(address.host)

    def resolutionComplete(self) -> None:
        self.complete = True


def resolver(*answers: tuple[str, ...], allow_private: bool = False) -> CheckedResolver:
    reactor: Any = SimpleNamespace(nameResolver=NameServer(*answers))
    return CheckedResolver(reactor, 0, allow_private)


def resolved(checked: CheckedResolver, host: str) -> list[str]:
    receiver = Receiver()
    checked.resolveHostName(receiver, host, 80)
    assert receiver.complete
    return receiver.addresses


def test_public_addresses_are_passed_on() -> None:
    assert resolved(resolver(("93.184.216.34", "2606:2800:220:1::1")), "example.org") == [
        "93.184.216.34",
        "2606:2800:220:1::1",
    ]


@pytest.mark.parametrize("address", ["127.0.0.1", "10.1.2.3", "169.254.169.254", "::1", "fd00::1", "::ffff:127.0.0.1"])
def test_one_private_address_refuses_the_host(address: str) -> None:
    checked = resolver(("93.184.216.34", address))
    assert resolved(checked, "example.org") == []
    assert address in checked.refused["example.org"]


def test_a_name_that_changes_its_address_is_checked_every_time() -> None:
    checked = resolver(("93.184.216.34",), ("127.0.0.1",), ("93.184.216.34",))
    assert [bool(resolved(checked, "example.org")) for _ in range(3)] == [True, False, True]
    assert checked.refused == {}


@pytest.mark.parametrize("host", ["localhost", "printer.local", "2130706433", "127.1", "0x7f.1"])
def test_names_of_this_machine_are_not_even_looked_up(host: str) -> None:
    checked = resolver()
    assert resolved(checked, host) == []
    assert host in checked.refused[host]


def test_private_addresses_where_they_are_allowed() -> None:
    assert resolved(resolver(("127.0.0.1",), allow_private=True), "localhost") == ["127.0.0.1"]


def test_a_host_is_given_up_after_failures_in_a_row_and_not_before() -> None:
    hosts = Hosts(2)
    hosts.note("http://a.example/1", "timeout")
    hosts.note("http://a.example/2", "http_404")  # it answers
    hosts.note("http://a.example/3", "timeout")
    assert hosts.given_up("http://a.example/4") is None
    hosts.note("http://a.example/4", "dns")
    assert "last: dns" in (hosts.given_up("http://a.example/5") or "")
    assert hosts.given_up("http://b.example/") is None
    never = Hosts(0)
    for _ in range(100):
        never.note("http://a.example/", "timeout")
    assert never.given_up("http://a.example/") is None


def test_pace() -> None:
    pace = Pace(10)
    assert [round(pace.wait(now), 3) for now in (5.0, 5.0, 5.05, 9.0)] == [0.0, 0.1, 0.15, 0.0]
    assert [Pace(0).wait(now) for now in (1.0, 1.0)] == [0.0, 0.0]


def test_reasons() -> None:
    assert explain(Refused("other_host", "it leads away")) == ("other_host", "it leads away")
    assert explain(ZeroDivisionError("x")) == ("error", "x")
    assert explain(TimeoutError()) == ("timeout", "TimeoutError")
