"""A URL given by a stranger: which forms are tried, and what comes of each. docs/service.md shows the same table."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from ipaddress import ip_network
from pathlib import Path

import httpcore
import pytest

from tests.service.server import ARTICLE, Client, running
from tests.web import Answer, Site, serve

PUBLIC = "93.184.215.14"
NAMES = {
    "inside.example.org": ["10.0.0.7"],
    "loopback.example.org": ["127.0.0.1"],
    "six.example.org": ["::1"],
    "mapped.example.org": ["::ffff:127.0.0.1"],
    "metadata.example.org": ["169.254.169.254"],
    "mixed.example.org": [PUBLIC, "192.168.1.1"],
}
REFUSED = {
    "loopback": ["http://127.0.0.1/", "http://127.9.9.9/", "http://[::1]/", "http://127.0.0.1./"],
    "decimal, octal, hexadecimal and short IPv4": [
        "http://2130706433/",
        "http://017700000001/",
        "http://0x7f000001/",
        "http://0x7f.0.0.1/",
        "http://0177.0.0.1/",
        "http://127.1/",
        "http://0/",
    ],
    "unspecified": ["http://0.0.0.0/", "http://[::]/"],
    "private": ["http://10.0.0.1/", "http://172.16.0.1/", "http://192.168.1.1/", "http://[fd00::1]/"],
    "carrier-grade NAT": ["http://100.64.0.1/", "http://100.100.100.200/"],
    "link-local and cloud metadata": [
        "http://169.254.169.254/latest/meta-data/",
        "http://[fe80::1]/",
        "http://[fe80::1%25eth0]/",
        "http://[fd00:ec2::254]/",
        "http://168.63.129.16/",
    ],
    "multicast, broadcast, reserved": [
        "http://224.0.0.1/",
        "http://255.255.255.255/",
        "http://240.0.0.1/",
        "http://[ff02::1]/",
        "http://192.0.2.1/",
        "http://198.18.0.1/",
        "http://[2001:db8::1]/",
    ],
    "IPv4 inside IPv6": [
        "http://[::ffff:127.0.0.1]/",
        "http://[::ffff:7f00:1]/",
        "http://[::127.0.0.1]/",
        "http://[64:ff9b::7f00:1]/",
        "http://[2002:7f00:1::]/",
    ],
    "local names": [
        "http://localhost/",
        "http://LOCALHOST./",
        "http://a.localhost/",
        "http://printer.local/",
        "http://metadata.google.internal/",
    ],
    "escapes and other digits": ["http://%31%32%37.0.0.1/", "http://１２７.0.0.1/", "http://127.0.0.1%00.example.org/"],
    "user names": ["http://example.org@127.0.0.1/", "http://me:secret@example.org/", "http://example.org\\@127.0.0.1/"],
    "other schemes": [
        "file:///etc/passwd",
        "gopher://127.0.0.1:6379/_INFO",
        "ftp://example.org/",
        "dict://127.0.0.1:11211/",
        "javascript:alert(1)",
        "data:text/html,hello",
        "//example.org/",
    ],
    "names that lead inside": [f"http://{name}/" for name in NAMES],
    "no host, odd ports": ["http:///page", "http://example.org:0/", "http://example.org:70000/"],
}


def resolve(host: str, port: int) -> Sequence[str]:
    """A name server of our own: what is not in the table is public."""
    return NAMES.get(host, [PUBLIC])


class Internet(httpcore.NetworkBackend):
    """Stands for the internet: notes the address that was asked for, and connects to the test's own site."""

    def __init__(self, site: Site) -> None:
        self.site, self.sockets = site, httpcore.SyncBackend()
        self.connected: list[str] = []

    def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[httpcore.SOCKET_OPTION] | None = None,
    ) -> httpcore.NetworkStream:
        self.connected.append(host)
        return self.sockets.connect_tcp("127.0.0.1", self.site.port, timeout)


@pytest.fixture(scope="module")
def site() -> Iterator[Site]:
    answers = {
        "/page": Answer(ARTICLE.encode()),
        "/to-page": Answer(status=302, headers={"Location": "/page"}),
        "/gone": Answer(b"gone", 410),
        "/pdf": Answer(b"%PDF", content_type="application/pdf"),
        "/big": Answer(b"x" * 300_000),
        "/drip": Answer(b"x" * 1000, drip=0.05),
        "/loop": Answer(status=301, headers={"Location": "/loop"}),
    }
    targets = (
        "http://127.0.0.1/ http://10.0.0.1/ http://[::1]/ http://2130706433/ http://localhost/ file:///etc/passwd "
        "gopher://127.0.0.1/ http://inside.example.org/ http://a@example.org/ //169.254.169.254/"
    )
    for number, target in enumerate(targets.split()):
        answers[f"/redirect/{number}"] = Answer(status=302, headers={"Location": target})
    with serve(answers) as site:
        yield site


@pytest.fixture(scope="module")
def client() -> Iterator[Client]:
    with running(resolve=resolve, fetch_seconds=2, fetch_bytes=200_000) as client:
        yield client


@pytest.fixture
def internet(site: Site, monkeypatch: pytest.MonkeyPatch) -> Internet:
    internet = Internet(site)
    monkeypatch.setattr(httpcore, "SyncBackend", lambda: internet)
    return internet


@pytest.mark.parametrize("url", [url for urls in REFUSED.values() for url in urls])
def test_refused(client: Client, internet: Internet, url: str) -> None:
    answer = client.ask("/extract", url=url)
    assert (answer.status_code, answer.json()["error"]["code"]) == (422, "url_refused"), answer.text
    assert internet.connected == []


@pytest.mark.parametrize("name", NAMES)
def test_what_a_name_leads_to_inside_is_not_told(client: Client, name: str) -> None:
    said = client.ask("/extract", url=f"http://{name}/").text
    assert not [address for address in NAMES[name] if address in said]


@pytest.mark.parametrize("number", range(10))
@pytest.mark.parametrize("path", ["/extract", "/explain"])
def test_redirects_are_checked_too(client: Client, internet: Internet, path: str, number: int) -> None:
    assert client.code(path, url=f"http://example.org/redirect/{number}") == (422, "url_refused")
    assert internet.connected == [PUBLIC]  # the first hop, and nothing after it


def test_name_that_changes_its_mind(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    """DNS rebinding: the connection goes to the address that was checked, and a redirect is looked up and checked."""
    internet, asked = Internet(site), list[str]()
    monkeypatch.setattr(httpcore, "SyncBackend", lambda: internet)

    def rebinding(host: str, port: int) -> Sequence[str]:
        asked.append(host)
        return [PUBLIC] if len(asked) == 1 else ["127.0.0.1"]

    with running(resolve=rebinding) as client:
        assert client.ask("/extract", url="http://rebound.example.org/page").status_code == 200
        assert (internet.connected, asked) == ([PUBLIC], ["rebound.example.org"])
        asked.clear()
        assert client.code("/extract", url="http://rebound.example.org/to-page") == (422, "url_refused")
        assert internet.connected == [PUBLIC, PUBLIC]


def test_public_page_is_fetched(client: Client, internet: Internet) -> None:
    answer = client.ask("/extract", url="http://example.org/to-page")
    assert answer.status_code == 200
    assert answer.json()["url"] == "http://example.org/page"
    assert "walks out to the staff" in answer.json()["text"]
    assert answer.json()["timing"]["fetch"] > 0
    assert "fetch;dur=" in answer.headers["Server-Timing"]
    # Pictures, styles and scripts of the page are not fetched.
    assert internet.connected == [PUBLIC, PUBLIC]


@pytest.mark.parametrize(
    ("path", "status", "code"),
    [
        ("/gone", 502, "fetch_failed"),
        ("/pdf", 502, "fetch_failed"),
        ("/loop", 502, "fetch_failed"),
        ("/big", 502, "fetch_too_large"),
        ("/drip", 504, "fetch_timeout"),
    ],
)
def test_pages_that_cannot_be_had(client: Client, internet: Internet, path: str, status: int, code: str) -> None:
    assert client.code("/extract", url=f"http://example.org{path}") == (status, code)


def test_subresources_are_never_fetched(client: Client, site: Site) -> None:
    page = (
        f'<link rel="stylesheet" href="{site.url("/style")}"><script src="{site.url("/script")}"></script>'
        f'<base href="{site.url("/")}"><p>A paragraph, with a picture. <img src="{site.url("/picture")}"></p>'
        f'<iframe src="{site.url("/frame")}"></iframe><object data="{site.url("/object")}"></object>'
    )
    before = len(site.requests)
    for path in ("/extract", "/explain"):
        assert client.ask(path, html=page, base_url=site.url("/")).status_code == 200
    assert len(site.requests) == before


# What an operator allows


ALLOWED = (ip_network("127.0.0.0/8"),)


@pytest.fixture(scope="module")
def lenient() -> Iterator[Client]:
    with running(resolve=resolve, allow_networks=ALLOWED, fetch_seconds=5) as client:
        yield client


@pytest.mark.parametrize("host", ["127.0.0.1", "127.0.0.1.", "loopback.example.org", "LOOPBACK.example.org"])
def test_allowed_range_is_fetched_from(lenient: Client, site: Site, host: str) -> None:
    answer = lenient.ask("/extract", url=f"http://{host}:{site.port}/page")
    assert answer.status_code == 200, answer.text
    assert "walks out to the staff" in answer.json()["text"]


@pytest.mark.parametrize(
    "url",
    [
        "http://10.0.0.1/",
        "http://[::1]/",
        "http://2130706433/",
        "http://inside.example.org/",
        "http://mixed.example.org/",
        "http://me@127.0.0.1/",
        "http://127.0.0.1\\@10.0.0.1/",
        "http://[::ffff:127.0.0.1]/",
    ],
)
def test_the_rest_stays_refused(lenient: Client, url: str) -> None:
    assert lenient.code("/extract", url=url) == (422, "url_refused")


@pytest.mark.parametrize("number", range(10))
def test_allowed_host_leads_nowhere_else(lenient: Client, site: Site, number: int) -> None:
    """Redirects of an allowed host are not followed: they might lead to what is not allowed."""
    answer = lenient.ask("/extract", url=site.url(f"/redirect/{number}"))
    assert answer.status_code in (422, 502)


def test_public_page_cannot_redirect_into_an_allowed_range(lenient: Client, internet: Internet) -> None:
    """Allowed is what a client asks for, not what any site on the internet makes of it."""
    assert lenient.code("/extract", url="http://example.org/redirect/0") == (422, "url_refused")


def test_fetching_can_be_switched_off() -> None:
    with running(fetching=False) as client:
        assert client.code("/extract", url="http://example.org/") == (422, "fetching_off")
        assert client.ask("/extract", html=ARTICLE).status_code == 200
        assert client.get("/health").json()["limits"]["fetching"] is False


def test_the_table_is_in_the_docs() -> None:
    text = (Path(__file__).parents[2] / "docs" / "service.md").read_text("utf-8")
    for kind, urls in REFUSED.items():
        assert f"| {kind} |" in text
        for url in urls:
            assert f"`{url}`" in text, f"docs/service.md does not list {url}"
