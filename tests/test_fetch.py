"""Fetching, against a real server on the loopback interface."""

from __future__ import annotations

import gzip
import socket
import ssl
import subprocess
import time
import tracemalloc
import zlib
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from shutil import which
from threading import Thread
from typing import Any

import httpcore
import pytest

from duramen.crawl import fetch
from duramen.crawl.addresses import host_problem, not_public
from duramen.crawl.connect import CheckedBackend, Deadline
from duramen.crawl.inflate import Inflater, TooMuchError
from duramen.errors import FetchError
from tests.web import Answer, Site, serve

PAGE = "<title>Füchse</title><p>Der Fuchs schläft.".encode()
BOMB_BYTES = 50_000_000


def _raw_deflate(data: bytes) -> bytes:
    packer = zlib.compressobj(wbits=-15)
    return packer.compress(data) + packer.flush()


@pytest.fixture(scope="module")
def site() -> Iterator[Site]:
    bomb = gzip.compress(bytes(BOMB_BYTES))
    packed = gzip.compress(PAGE)
    with serve(
        {
            "/page": Answer(PAGE, content_type='text/HTML; Charset="ISO-8859-1" ; x=y'),
            "/untyped": Answer(PAGE, content_type=None),
            "/pdf": Answer(b"%PDF-1.7", content_type="application/pdf"),
            "/gone": Answer(b"gone", 410),
            "/odd": Answer(b"", 799),
            "/empty": Answer(b"", 204),
            "/to-page": Answer(status=302, headers={"Location": "/deeper/../page"}),
            "/loop": Answer(status=301, headers={"Location": "/loop"}),
            "/nowhere": Answer(status=307),
            "/to-file": Answer(status=302, headers={"Location": "file:///etc/hosts"}),
            "/to-user": Answer(status=302, headers={"Location": "http://me:secret@127.0.0.1/"}),
            "/to-private": Answer(status=302, headers={"Location": "http://192.168.7.7/admin"}),
            "/gzip": Answer(packed, headers={"Content-Encoding": "gzip"}),
            "/two-members": Answer(packed + packed, headers={"Content-Encoding": "x-gzip"}),
            "/padded": Answer(packed + b"\0\0\0", headers={"Content-Encoding": "gzip"}),
            "/zlib": Answer(zlib.compress(PAGE), headers={"Content-Encoding": "deflate"}),
            "/raw": Answer(_raw_deflate(PAGE), headers={"Content-Encoding": "deflate"}),
            "/cut": Answer(packed[:-9], headers={"Content-Encoding": "gzip"}),
            "/not-gzip": Answer(PAGE, headers={"Content-Encoding": "gzip"}),
            "/brotli": Answer(PAGE, headers={"Content-Encoding": "br"}),
            "/bomb": Answer(bomb, headers={"Content-Encoding": "gzip"}),
            "/big": Answer(b"x" * 30_000),
            "/short": Answer(PAGE, headers={"Content-Length": str(len(PAGE) + 9)}),
            "/drip": Answer(b"x" * 1000, drip=0.05),
        }
    ) as running:
        yield running


def get(site: Site, path: str, **options: Any) -> Any:
    return fetch(site.url(path), allow_private=True, **{"timeout": 10.0, **options})


def test_page_with_type_and_charset(site: Site) -> None:
    page = get(site, "/page")
    assert (page.status, page.content_type, page.charset, page.body) == (200, "text/html", "ISO-8859-1", PAGE)
    assert page.url == site.url("/page")


def test_untyped_page_is_accepted(site: Site) -> None:
    page = get(site, "/untyped")
    assert (page.content_type, page.charset, page.body) == ("", None, PAGE)


def test_no_body(site: Site) -> None:
    assert get(site, "/empty").body == b""


def test_redirect_gives_the_final_url(site: Site) -> None:
    page = get(site, "/to-page")
    assert (page.url, page.body) == (site.url("/page"), PAGE)


@pytest.mark.parametrize("path", ["/gzip", "/padded", "/zlib", "/raw"])
def test_compressed_page(site: Site, path: str) -> None:
    assert get(site, path).body == PAGE


def test_gzip_of_several_members(site: Site) -> None:
    assert get(site, "/two-members").body == PAGE + PAGE


@pytest.mark.parametrize(
    ("path", "said"),
    [
        ("/missing", "answered 404 Not Found"),
        ("/gone", "answered 410 Gone"),
        ("/odd", "answered 799"),
        ("/pdf", "it is 'application/pdf', not a web page"),
        ("/loop", "more than 5 redirects"),
        ("/nowhere", "a redirect, without saying where to"),
        ("/to-file", "redirected to file:///etc/hosts: only http and https URLs are fetched, not file"),
        ("/to-user", "redirected to http://…@127.0.0.1/: a URL with a user name or password is not fetched"),
        ("/cut", "damaged or incomplete"),
        ("/not-gzip", "damaged or incomplete"),
        ("/brotli", "compressed as 'br'"),
        ("/short", "the connection broke"),
    ],
)
def test_error_says_what_happened_in_one_line(site: Site, path: str, said: str) -> None:
    with pytest.raises(FetchError) as raised:
        get(site, path)
    message = str(raised.value)
    assert message.startswith(f"cannot fetch {site.url(path)}")
    assert said in message
    assert "\n" not in message


def test_request_asks_for_what_can_be_read(site: Site) -> None:
    get(site, "/page", user_agent="a-reader/1.0")
    path, headers = site.requests[-1]
    assert path == "/page"
    assert headers["user-agent"] == "a-reader/1.0"
    assert headers["accept-encoding"] == "gzip, deflate"
    assert headers["host"] == f"127.0.0.1:{site.port}"


def test_proxy_variables_are_ignored(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("http_proxy", "HTTP_PROXY", "ALL_PROXY"):
        monkeypatch.setenv(name, "http://127.0.0.1:1")
    assert get(site, "/page").body == PAGE


# Limits


def test_body_of_exactly_the_limit(site: Site) -> None:
    assert len(get(site, "/big", max_bytes=30_000).body) == 30_000


@pytest.mark.parametrize("path", ["/big", "/bomb"])
def test_too_large(site: Site, path: str) -> None:
    with pytest.raises(FetchError, match="larger than 29,999 bytes"):
        get(site, path, max_bytes=29_999)


def test_endless_body_without_a_length() -> None:
    """The limit holds while reading, not only by what the server announces."""

    def flood(listener: socket.socket) -> None:
        connection, _ = listener.accept()
        with connection:
            connection.recv(65536)
            connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n")
            try:
                while True:
                    connection.sendall(b"x" * 65536)
            except OSError:
                return

    with socket.create_server(("127.0.0.1", 0)) as listener:
        server = Thread(target=flood, args=(listener,), daemon=True)
        server.start()
        with pytest.raises(FetchError, match="larger than 500,000 bytes"):
            fetch(f"http://127.0.0.1:{listener.getsockname()[1]}/", allow_private=True, max_bytes=500_000)
        server.join(5)
        assert not server.is_alive()


def test_bomb_is_never_inflated() -> None:
    """What was kept, and what Python held at most, show that the bomb's 50 MB never existed."""
    bomb = gzip.compress(bytes(BOMB_BYTES))
    inflater = Inflater("gzip", 1_000_000)
    tracemalloc.start()
    try:
        with pytest.raises(TooMuchError):
            inflater.feed(bomb)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < 4_000_000


def test_inflating_byte_by_byte() -> None:
    inflater = Inflater("deflate", 1000)
    for byte in zlib.compress(PAGE):
        inflater.feed(bytes([byte]))
    assert inflater.finish() == PAGE


def test_slow_drip_ends_with_the_time_limit(site: Site) -> None:
    with pytest.raises(FetchError, match=r"longer than 0\.4 s"):
        get(site, "/drip", timeout=0.4)


def test_server_that_never_answers() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener, pytest.raises(FetchError, match=r"longer than 0\.3 s"):
        fetch(f"http://127.0.0.1:{listener.getsockname()[1]}/", allow_private=True, timeout=0.3)


def test_name_server_that_never_answers() -> None:
    def slow(host: str, port: int) -> list[str]:
        time.sleep(1)
        return []

    with pytest.raises(FetchError, match=r"longer than 0\.2 s"):
        fetch("http://slow.example.org/", timeout=0.2, resolve=slow)


def test_connection_refused() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
    with pytest.raises(FetchError, match="refuses the connection"):
        fetch(f"http://127.0.0.1:{port}/", allow_private=True)


def test_unknown_host() -> None:
    def unknown(host: str, port: int) -> list[str]:
        raise socket.gaierror(-2, "Name or service not known")

    with pytest.raises(FetchError, match=r"there is no host nobody\.example\.org"):
        fetch("http://nobody.example.org/", resolve=unknown)


@pytest.mark.parametrize("limits", [{"timeout": 0}, {"timeout": float("nan")}, {"max_bytes": 0}])
def test_limits_are_above_zero(limits: dict[str, Any]) -> None:
    with pytest.raises(FetchError, match="above zero"):
        fetch("http://example.org/", **limits)


def test_limits_may_be_endless(site: Site) -> None:
    assert get(site, "/page", timeout=float("inf")).body == PAGE


# Where a fetch may go


@pytest.mark.parametrize(
    "url",
    [
        "http://127.0.0.1/",
        "http://127.0.0.1./",
        "http://localhost/",
        "http://LOCALHOST./",
        "http://api.localhost:8080/",
        "http://printer.local/",
        "http://metadata.google.internal/",
        "http://2130706433/",
        "http://0x7f.1/",
        "http://0x7f000001/",
        "http://0177.0.0.1/",
        "http://127.1/",
        "http://0/",
        "http://10.0.0.1/",
        "http://169.254.169.254/latest/meta-data/",
        "http://100.100.100.200/",
        "http://[::1]/",
        "http://[::]/",
        "http://[::ffff:10.0.0.1]/",
        "http://[::ffff:a00:1]/",
        "http://[fe80::1%25eth0]/",
        "http://[fd00:ec2::254]/",
        "http://1.2.3.4%00.example.org/",
        "http://%31%32%37.0.0.1/",
        "http://１２７.0.0.1/",
        "http://me@example.org/",
        "http://me:secret@example.org/",
        "http://example.org\\@127.0.0.1/",
        "http://example.org:0/",
        "http://example.org:70000/",
        "http://a..example.org/",
        "http:///page",
        "https:page",
        "ftp://example.org/",
        "file:///etc/hosts",
        "javascript:alert(1)",
        "example.org/page",
        "http://exa\nmple.org/",
        "",
    ],
)
def test_refused_before_anything_is_asked(url: str) -> None:
    asked: list[str] = []

    def note(host: str, port: int) -> list[str]:
        asked.append(host)
        return ["93.184.215.14"]

    with pytest.raises(FetchError) as raised:
        fetch(url, resolve=note)
    assert asked == []
    assert "\n" not in str(raised.value)
    assert "secret" not in str(raised.value)


@pytest.mark.parametrize(
    ("address", "kind"),
    [
        ("0.0.0.0", "unspecified"),
        ("10.255.255.255", "private"),
        ("100.64.0.1", "shared (carrier-grade NAT)"),
        ("127.9.9.9", "loopback"),
        ("168.63.129.16", "cloud-internal"),
        ("169.254.169.254", "link-local"),
        ("172.31.255.255", "private"),
        ("192.168.0.1", "private"),
        ("198.19.0.1", "benchmarking"),
        ("203.0.113.5", "documentation"),
        ("224.0.0.1", "multicast"),
        ("255.255.255.255", "reserved"),
        ("::", "unspecified"),
        ("::1", "loopback"),
        ("::127.0.0.1", "IPv4-compatible"),
        ("::ffff:127.0.0.1", "loopback"),
        ("64:ff9b::10.0.0.1", "private"),
        ("64:ff9b:1::1", "private (local NAT64)"),
        ("2002:7f00:1::", "tunnelled (6to4)"),
        ("2001:0:4136:e378:8000:63bf:3fff:fdd2", "tunnelled (Teredo)"),
        ("2001:db8::1", "documentation"),
        ("fc00::1", "private"),
        ("fe80::1", "link-local"),
        ("fe80::1%eth0", "link-local"),
        ("2606:4700::1%eth0", "link-local"),
        ("fec0::1", "private (site-local)"),
        ("ff02::1", "multicast"),
        ("4000::1", "reserved"),
        ("nonsense", "unreadable"),
        ("8.8.8.8", None),
        ("100.128.0.1", None),
        ("172.32.0.1", None),
        ("2606:4700:4700::1111", None),
        ("::ffff:8.8.8.8", None),
        ("64:ff9b::8.8.8.8", None),
    ],
)
def test_kind_of_address(address: str, kind: str | None) -> None:
    assert not_public(address) == kind


@pytest.mark.parametrize("host", ["example.org", "example.org.", "xn--bcher-kva.example", "a_b-c.example", "8.8.8.8"])
def test_ordinary_hosts(host: str) -> None:
    assert host_problem(host) is None


def test_one_private_address_among_public_ones_is_enough() -> None:
    with pytest.raises(FetchError, match=r"mixed\.example\.org \(10\.0\.0\.1\) is a private address"):
        fetch("http://mixed.example.org/", resolve=lambda host, port: ["93.184.215.14", "10.0.0.1"])


# DNS rebinding: what the name server says later must not matter


class Detour(httpcore.NetworkBackend):
    """Stands for the internet: notes which address was asked for, and connects to the test server instead."""

    def __init__(self, site: Site) -> None:
        self.site = site
        self.sockets = httpcore.SyncBackend()
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
        if host == "93.184.215.99":
            raise httpcore.ConnectError("this one is down")
        return self.sockets.connect_tcp("127.0.0.1", self.site.port, timeout)


class Rebinding:
    """A name server that gives a public address at first and a private one ever after."""

    def __init__(self) -> None:
        self.asked = 0

    def __call__(self, host: str, port: int) -> Sequence[str]:
        self.asked += 1
        return ["93.184.215.14"] if self.asked == 1 else ["127.0.0.1"]


def visit(backend: CheckedBackend, host: str) -> int:
    with httpcore.ConnectionPool(network_backend=backend) as pool:
        return pool.request("GET", f"http://{host}/page").status


def test_connection_goes_to_the_checked_address(site: Site) -> None:
    internet, names = Detour(site), Rebinding()
    backend = CheckedBackend(Deadline(5), resolve=names, through=internet)
    assert visit(backend, "rebound.example.org") == 200
    assert (internet.connected, names.asked) == (["93.184.215.14"], 1)
    with pytest.raises(FetchError, match=r"rebound\.example\.org \(127\.0\.0\.1\) is a loopback address"):
        visit(backend, "rebound.example.org")
    assert internet.connected == ["93.184.215.14"]


@pytest.mark.parametrize(
    ("path", "said"),
    [
        ("/to-private", r"redirected to http://192\.168\.7\.7/admin: 192\.168\.7\.7 is a private address"),
        # The same host again, after the name server changed its mind.
        ("/to-page", r"redirected to /deeper/\.\./page: rebound\.example\.org \(127\.0\.0\.1\) is a loopback address"),
    ],
)
def test_every_redirect_is_checked_anew(site: Site, monkeypatch: pytest.MonkeyPatch, path: str, said: str) -> None:
    internet = Detour(site)
    monkeypatch.setattr(httpcore, "SyncBackend", lambda: internet)
    with pytest.raises(FetchError, match=said):
        fetch(f"http://rebound.example.org{path}", resolve=Rebinding())
    assert internet.connected == ["93.184.215.14"]


def test_next_address_when_the_first_is_down(site: Site) -> None:
    internet = Detour(site)
    addresses = ["93.184.215.99", "93.184.215.14"]
    assert (
        visit(CheckedBackend(Deadline(5), resolve=lambda h, p: addresses, through=internet), "two.example.org") == 200
    )
    assert internet.connected == addresses


# TLS: the connection goes to an address, the certificate is still checked against the name


@pytest.fixture(scope="module")
def secure(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Path, int, list[str | None]]]:
    """A TLS server with a certificate for secure.example.org; the names that clients asked for."""
    openssl = which("openssl")
    if openssl is None:
        pytest.skip("no openssl to make a certificate with")
    folder = tmp_path_factory.mktemp("tls")
    made = [openssl, "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=secure.example.org"]
    made += ["-addext", "subjectAltName=DNS:secure.example.org", "-keyout", "key.pem", "-out", "cert.pem"]
    subprocess.run(made, cwd=folder, check=True, capture_output=True)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(folder / "cert.pem", folder / "key.pem")
    names: list[str | None] = []

    def named(connection: ssl.SSLObject, name: str | None, context: ssl.SSLContext) -> None:
        names.append(name)

    context.sni_callback = named

    def answer(listener: socket.socket) -> None:
        while True:
            try:
                connection, _ = listener.accept()
            except OSError:
                return
            try:
                with context.wrap_socket(connection, server_side=True) as stream:
                    stream.recv(65536)
                    stream.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi")
            except OSError:  # a client that does not trust us hangs up
                connection.close()

    with socket.create_server(("127.0.0.1", 0)) as listener:
        server = Thread(target=answer, args=(listener,), daemon=True)
        server.start()
        yield folder / "cert.pem", listener.getsockname()[1], names
        listener.shutdown(socket.SHUT_RDWR)
        server.join(5)


def test_certificate_is_checked_against_the_name(
    secure: tuple[Path, int, list[str | None]], monkeypatch: pytest.MonkeyPatch
) -> None:
    certificate, port, names = secure
    monkeypatch.setenv("SSL_CERT_FILE", str(certificate))

    def ask(name: str) -> bytes:
        return fetch(f"https://{name}:{port}/", allow_private=True, resolve=lambda host, port: ["127.0.0.1"]).body

    assert ask("secure.example.org") == b"hi"
    assert names == ["secure.example.org"]
    with pytest.raises(FetchError, match="certificate is not trusted"):
        ask("other.example.org")


def test_certificate_of_nobody(secure: tuple[Path, int, list[str | None]], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("SSL_CERT_FILE", raising=False)
    url = f"https://secure.example.org:{secure[1]}/"
    with pytest.raises(FetchError, match="certificate is not trusted"):
        fetch(url, allow_private=True, resolve=lambda host, port: ["127.0.0.1"])
