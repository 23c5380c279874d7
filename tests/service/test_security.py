"""Who may ask, what a browser may do with the answers, and what of a page survives in them."""

from __future__ import annotations

import base64
import json
import logging
import re
import time
from collections.abc import Iterator
from hashlib import sha256
from html.parser import HTMLParser
from io import StringIO
from ipaddress import ip_network

import pytest

from duramen.service.front import host_name
from duramen.service.logs import LOG, JsonLines
from tests.service.server import ARTICLE, Client, running

KEY = "a-key-of-some-length"


@pytest.fixture(scope="module")
def client() -> Iterator[Client]:
    with running() as client:
        yield client


@pytest.fixture(scope="module")
def keyed() -> Iterator[Client]:
    with running(api_keys=("another-key-of-some-length", KEY)) as client:
        yield client


# Keys


@pytest.mark.parametrize("headers", [{"X-API-Key": KEY}, {"Authorization": f"Bearer {KEY}"}, {"x-api-key": KEY}])
def test_key_opens(keyed: Client, headers: dict[str, str]) -> None:
    assert keyed.post("/extract", json={"html": ARTICLE}, headers=headers).status_code == 200


@pytest.mark.parametrize(
    "headers",
    [{}, {"X-API-Key": KEY[:-1]}, {"X-API-Key": KEY + "x"}, {"Authorization": f"Basic {KEY}"}, {"X-API-Key": ""}],
)
@pytest.mark.parametrize("path", ["/extract", "/explain", "/compare"])
def test_nothing_else_does(keyed: Client, path: str, headers: dict[str, str]) -> None:
    answer = keyed.post(path, json={"html": ARTICLE}, headers=headers)
    assert (answer.status_code, answer.json()["error"]["code"]) == (401, "key_required")
    assert answer.headers["WWW-Authenticate"].startswith("Bearer")


def test_the_page_and_health_need_no_key(keyed: Client) -> None:
    assert keyed.get("/").status_code == 200
    assert keyed.get("/algorithms").status_code == 200
    assert keyed.get("/health").json()["limits"]["key_required"] is True
    assert keyed.get("/metrics").status_code == 401


# Hosts and proxies


def test_loopback_service_answers_to_its_own_names_only(client: Client) -> None:
    """A page whose own name suddenly leads to 127.0.0.1 (DNS rebinding) gets nothing out of a local service."""
    answer = client.get("/health", headers={"Host": "evil.example.org"})
    assert (answer.status_code, answer.json()["error"]["code"]) == (400, "unknown_host")
    assert client.get("/health", headers={"Host": "localhost:8000"}).status_code == 200


@pytest.mark.parametrize(
    ("header", "name"),
    [("a.example:80", "a.example"), ("[::1]:80", "::1"), ("[::1]", "::1"), ("A.Example.", "a.example"), ("", "")],
)
def test_name_in_a_host_header(header: str, name: str) -> None:
    assert host_name(header) == name


def test_forwarded_addresses_count_only_from_trusted_proxies() -> None:
    forged = {"X-Forwarded-For": "203.0.113.1"}
    with running(rate=0.001, burst=1) as client:
        assert client.get("/algorithms", headers=forged).status_code == 200
        assert client.get("/algorithms", headers={"X-Forwarded-For": "203.0.113.2"}).status_code == 429
    with running(rate=0.001, burst=1, trusted_proxies=(ip_network("127.0.0.0/8"),)) as client:
        assert client.get("/algorithms", headers=forged).status_code == 200
        assert client.get("/algorithms", headers={"X-Forwarded-For": "203.0.113.2"}).status_code == 200
        # What the client itself wrote stands further out, and is not believed.
        assert client.get("/algorithms", headers={"X-Forwarded-For": "198.51.100.9, 203.0.113.2"}).status_code == 429


# Headers


@pytest.mark.parametrize("path", ["/", "/health", "/algorithms", "/nonsense", "/extract", "/openapi.json"])
def test_headers_of_every_answer(client: Client, path: str) -> None:
    headers = client.get(path).headers
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["X-Frame-Options"] == "DENY"
    assert headers["Referrer-Policy"] == "no-referrer"
    assert "frame-ancestors 'none'" in headers["Content-Security-Policy"]
    assert "default-src 'none'" in headers["Content-Security-Policy"]
    assert re.fullmatch("[0-9a-f]{32}", headers["X-Request-ID"])
    assert "server" not in headers
    assert "access-control-allow-origin" not in headers


def test_policy_of_the_page(client: Client) -> None:
    policy = client.get("/").headers["Content-Security-Policy"]
    assert "script-src 'self';" in policy
    assert "unsafe" not in policy
    assert "*" not in policy
    assert "http:" not in policy


def test_api_answers_are_not_cached(client: Client) -> None:
    assert client.ask("/extract", html=ARTICLE).headers["Cache-Control"] == "no-store"


@pytest.mark.parametrize(
    "path", ["/page/../schema.py", "/page/%2e%2e/schema.py", "/page/..%2fschema.py", "/page//etc/passwd", "/page/"]
)
def test_only_the_page_s_own_files_are_served(client: Client, path: str) -> None:
    assert client.get(path).status_code == 404


@pytest.mark.parametrize(("given", "kept"), [("my-request.1", True), ("a b", False), ("x" * 65, False), ("é", False)])
def test_request_id_of_the_caller(client: Client, given: str, kept: bool) -> None:
    answer = client.get("/health", headers=[(b"X-Request-ID", given.encode())])
    assert (answer.headers["X-Request-ID"] == given) is kept


# What of a page survives


HOSTILE = """<html><head><title><script>alert(1)</script></title><base href="http://evil.example/">
<meta http-equiv="refresh" content="0;url=http://evil.example/"><style>*{background:url(http://evil.example/)}</style>
<link rel="stylesheet" href="http://evil.example/"></head><body onload="alert(2)">
<p onclick="alert(3)" style="background:url(http://evil.example/)" id="x" class="k">Long enough a text, with commas,
so that it counts as content. <a href="javascript:alert(4)">A link</a>, <img src=x onerror=alert(5)> and more of it.</p>
<svg onload=alert(6)><script>alert(7)</script><a xlink:href="javascript:alert(8)"><text>svg</text></a></svg>
<math><mtext></p><img src onerror=alert(9)></mtext></math><iframe srcdoc="<script>alert(10)</script>"></iframe>
<form action="http://evil.example/"><input autofocus onfocus=alert(11)><button formaction="javascript:alert(12)">go
</button></form><object data="data:text/html,<script>alert(13)</script>"></object><noscript><p title="</noscript><img
src=x onerror=alert(14)>"></noscript><template><script>alert(15)</script></template><p data-n="1" data-why="forged"
tabindex="1">&lt;span data-n="7" onmouseover=alert(16)&gt; written out, as text, with a comma. &lt;/main&gt;</p>
<textarea></textarea><img src=x onerror=alert(17)></textarea></body></html>"""

TAGS = frozenset(
    (
        "html head meta title style body main div span p h3 h4 h5 h6 ul ol li dl dt dd table caption thead tbody tfoot "
        "tr td th blockquote pre figure figcaption b strong i em code kbd samp var sub sup u s del ins mark small q "
        "cite br wbr hr"
    ).split()
)
ATTRIBUTES = frozenset("class id data-n data-why data-run tabindex colspan rowspan lang".split())


class Reader(HTMLParser):
    """Every tag and attribute of a document."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.seen: list[tuple[str, dict[str, str | None]]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.append((tag, dict(attrs)))


@pytest.mark.parametrize("name", ["cetd", "everything", "pso", "coreex"])
def test_shaded_page_holds_nothing_that_acts(client: Client, name: str) -> None:
    document = client.ask("/explain", html=HOSTILE, algorithm=name).json()["document"]
    reader = Reader()
    reader.feed(document)
    body = next(at for at, (tag, _) in enumerate(reader.seen) if tag == "body")
    assert {tag for tag, _ in reader.seen} <= TAGS
    assert {key for _, attributes in reader.seen[body:] for key in attributes} <= ATTRIBUTES
    # The number of a node is ours, whatever the page wrote.
    assert not [attributes for _, attributes in reader.seen[body:] if attributes.get("data-why") == "forged"]
    assert "default-src 'none'" in document[: document.index("</head>")]


def test_style_of_the_shaded_page_is_the_only_one_that_both_policies_let_in(client: Client) -> None:
    document = client.ask("/explain", html=ARTICLE).json()["document"]
    style = document.split("<style>")[1].split("</style>")[0]
    source = f"'sha256-{base64.b64encode(sha256(style.encode()).digest()).decode()}'"
    assert source in document
    assert source in client.get("/").headers["Content-Security-Policy"]


def test_extracted_html_holds_nothing_that_acts(client: Client) -> None:
    shown = client.ask("/extract", html=HOSTILE, formats=["html"], algorithm="everything").json()["html"].lower()
    reader = Reader()
    reader.feed(shown)
    assert not {tag for tag, _ in reader.seen} & {"script", "style", "iframe", "object", "embed", "form", "svg", "base"}
    assert not [key for _, attributes in reader.seen for key in attributes if key.startswith("on")]
    assert not [
        value for _, attributes in reader.seen for value in attributes.values() if "javascript:" in (value or "")
    ]


# Logs


def test_log_line_of_a_request(client: Client) -> None:
    stream = StringIO()
    handler = logging.StreamHandler(stream)
    handler.setFormatter(JsonLines())
    before = LOG.level
    LOG.addHandler(handler)
    LOG.setLevel("INFO")
    try:
        client.post("/extract?secret=1", json={"html": ARTICLE}, headers={"X-Request-ID": "request-1"})
        client.post(
            "/extract", json={"url": "http://me:password@10.0.0.1/token"}, headers={"X-Request-ID": "request-2"}
        )
        deadline = time.monotonic() + 10
        while "request-2" not in stream.getvalue() and time.monotonic() < deadline:  # it is written after the answer
            time.sleep(0.01)
    finally:
        LOG.removeHandler(handler)
        LOG.setLevel(before)
    lines = map(json.loads, stream.getvalue().splitlines())
    # Those of tests before this one may still come.
    first, second = (line for line in lines if line["request_id"] in ("request-1", "request-2"))
    assert (first["event"], first["request_id"], first["status"]) == ("request", "request-1", 200)
    assert {"time", "level", "route", "ms", "client", "bytes_in", "bytes_out", "algorithm", "work_ms"} <= set(first)
    assert (second["status"], second["code"], second["host"]) == (422, "url_refused", "10.0.0.1")
    assert "password" not in stream.getvalue()
    assert "token" not in stream.getvalue()
