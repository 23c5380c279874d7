"""Bounds: bodies, time, memory, places, rates. Too much of anything is refused at once, and the next one is served."""

from __future__ import annotations

import gzip
import json
import os
import signal
import socket
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import httpx
import pytest

from duramen.pool import Fault
from duramen.service import protocol
from duramen.service.errors import Refusal, failed
from duramen.service.gates import Buffer, Rates, client_of
from tests.service.server import ARTICLE, Client, running

# A regular expression that needs exponential time, on a page made for it: real work that does not end.
ENDLESS: dict[str, Any] = {
    "html": f"<title>t</title><body><h1>t</h1><p>{'a' * 60}!</p><p>b</p></body>",
    "algorithm": "forum-zh",
    "options": {"noise_patterns": ["(a|a)*c"], "max_noise_length": 1000},
}
LIMIT = 200_000


@pytest.fixture(scope="module")
def client() -> Iterator[Client]:
    with running(workers=2, seconds=1.0, body_bytes=LIMIT, body_seconds=1.0, buffer_bytes=3 * LIMIT) as client:
        yield client


def worker_pids() -> set[int]:
    """The worker processes of the services in this process."""
    found = set()
    for listed in Path("/proc/self/task").glob("*/children"):
        for pid in listed.read_text().split():
            command = Path(f"/proc/{pid}/cmdline")
            if command.exists() and b"duramen.service.work" in command.read_bytes():
                found.add(int(pid))
    return found


def ticks(pid: int) -> int:
    """How long a process has computed, in the system's unit (10 ms)."""
    return int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[11])


def served(client: Client) -> bool:
    return client.ask("/extract", html=ARTICLE).status_code == 200


# Bodies


def test_body_of_a_stated_length(client: Client) -> None:
    assert client.code("/extract", html="x" * LIMIT) == (413, "too_large")
    assert served(client)


def test_body_that_never_says_how_long_it_is(client: Client) -> None:
    """It is cut off while it streams: the whole was never in memory."""

    def endless() -> Iterator[bytes]:
        for _ in range(40):
            yield b"x" * 65536

    answer = client.post("/extract", content=endless(), headers={"Content-Type": "text/html"})
    assert (answer.status_code, answer.headers["Connection"]) == (413, "close")
    assert client.service.buffer.held == 0
    assert served(client)


@pytest.mark.parametrize("size", [LIMIT, LIMIT + 1])
def test_body_at_the_limit(client: Client, size: int) -> None:
    answer = client.post("/extract", content=b"x" * size, headers={"Content-Type": "text/html"})
    assert answer.status_code == (200 if size == LIMIT else 413)


@pytest.mark.parametrize("kind", ["gzip", "br", "deflate"])
def test_compressed_bodies_are_refused(client: Client, kind: str) -> None:
    """Nothing is inflated, so there is no bomb."""
    bomb = gzip.compress(bytes(1_000_000))
    headers = {"Content-Type": "text/html", "Content-Encoding": kind}
    answer = client.post("/extract", content=bomb, headers=headers)
    assert (answer.status_code, answer.json()["error"]["code"]) == (415, "compressed")


@pytest.mark.parametrize(
    "kind", ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data", "image/png"]
)
def test_what_other_sites_could_send_without_asking_is_refused(client: Client, kind: str) -> None:
    """These are the types that a form on any page can send: none of them does anything here."""
    answer = client.post("/extract", content=b'{"html":"x"}', headers={"Content-Type": kind})
    assert (answer.status_code, answer.json()["error"]["code"]) == (415, "unsupported_type")


def test_body_that_drips(client: Client) -> None:
    """Bytes that come too slowly are not waited for."""
    host, port = client.base_url.host, client.base_url.port
    assert port is not None
    with socket.create_connection((host, port), timeout=10) as line:
        line.sendall(
            b"POST /extract HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: text/html\r\nContent-Length: 1000\r\n\r\n<p>"
        )
        answer = b"".join(iter(lambda: line.recv(65536), b""))
    assert answer.startswith(b"HTTP/1.1 408 ")
    assert b'"too_slow"' in answer
    assert served(client)


@pytest.mark.parametrize("answered", [False, True])
def test_headers_that_drip(client: Client, monkeypatch: pytest.MonkeyPatch, answered: bool) -> None:
    """Neither the first request of a connection nor a later one can hold it open with half a head."""
    monkeypatch.setattr(protocol, "HEADER_SECONDS", 0.5)
    host, port = client.base_url.host, client.base_url.port
    assert port is not None
    with socket.create_connection((host, port), timeout=10) as line:
        if answered:
            line.sendall(b"GET /health HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
            assert line.recv(65536).startswith(b"HTTP/1.1 200 ")
        line.sendall(b"POST /extract HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Slow:")
        while line.recv(65536):  # the rest of the first answer; then the end, not a time-out
            pass


def test_client_that_leaves_in_the_middle(client: Client) -> None:
    host, port = client.base_url.host, client.base_url.port
    assert port is not None
    with socket.create_connection((host, port), timeout=10) as line:
        line.sendall(
            b"POST /extract HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: text/html\r\nContent-Length: 1000\r\n\r\n<p>"
        )
    assert served(client)
    deadline = time.monotonic() + 5
    while client.service.buffer.held and time.monotonic() < deadline:
        time.sleep(0.01)
    assert client.service.buffer.held == 0


def test_huge_headers_are_refused(client: Client) -> None:
    answer = client.get("/health", headers={"X-Long": "x" * 100_000})
    assert answer.status_code in (400, 431)


def test_all_bodies_together_are_bounded() -> None:
    buffer = Buffer(100)
    buffer.take(60)
    with pytest.raises(Refusal) as refused:
        buffer.take(41)
    assert (refused.value.status, refused.value.headers["Retry-After"]) == (503, "1")
    buffer.give_back(60)
    buffer.take(100)


# Time and memory


def test_page_that_takes_too_long(client: Client) -> None:
    started = time.monotonic()
    answer = client.ask("/extract", **ENDLESS)
    assert (answer.status_code, answer.json()["error"]["code"]) == (504, "time_limit")
    assert time.monotonic() - started < 20
    assert served(client)
    assert 'duramen_worker_faults_total{reason="timeout"}' in client.get("/metrics").text


def test_slow_page_fails_alone(client: Client) -> None:
    with ThreadPoolExecutor() as threads:
        slow = threads.submit(client.ask, "/extract", **ENDLESS)
        others = [client.ask("/extract", html=ARTICLE).status_code for _ in range(5)]
    assert others == [200] * 5
    assert slow.result().status_code == 504


def test_page_that_takes_too_much_memory() -> None:
    page = "<p>word " * 300_000  # two nodes each, and all the arrays that go with them
    with running(seconds=30, memory=128 << 20) as client:
        answer = client.ask("/explain", html=page)
        assert (answer.status_code, answer.json()["error"]["code"]) == (422, "memory_limit"), answer.text[:300]
        assert served(client)


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="workers are found in /proc")
def test_worker_that_dies_is_replaced() -> None:
    with running(workers=1, seconds=30) as client:
        before = worker_pids()
        assert before
        for pid in before:
            os.kill(pid, signal.SIGKILL)
        assert served(client)
        assert not before & worker_pids()


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="workers are found in /proc")
def test_worker_that_dies_in_the_middle_harms_no_other_page() -> None:
    """The page that it was at is tried again, here to run into its time limit; the others never notice."""
    with running(workers=2, seconds=5) as client, ThreadPoolExecutor() as threads:
        idle = {pid: ticks(pid) for pid in worker_pids()}
        slow = threads.submit(client.ask, "/extract", **ENDLESS)
        killed = None
        while killed is None and not slow.done():
            killed = next((pid for pid, before in idle.items() if ticks(pid) - before > 20), None)
        assert killed is not None
        os.kill(killed, signal.SIGKILL)
        assert all(served(client) for _ in range(5))
        assert slow.result().status_code == 504
        assert served(client)
        assert killed not in worker_pids()


def test_page_that_kills_every_worker() -> None:
    refusal = failed(Fault.CRASH, 10)
    assert (refusal.status, refusal.code) == (500, "crashed")


# Places


def test_overload_is_told_at_once() -> None:
    with running(workers=1, seconds=2, queue=1, queue_seconds=5) as client, ThreadPoolExecutor(8) as threads:
        first = threads.submit(client.ask, "/extract", **ENDLESS)
        _until(lambda: client.service.gate.busy == 1)
        waiting = threads.submit(client.ask, "/extract", html=ARTICLE)
        _until(lambda: client.service.gate.waiting == 1)
        started = time.monotonic()
        refused = client.ask("/extract", html=ARTICLE)
        assert time.monotonic() - started < 1.5
        assert (refused.status_code, refused.json()["error"]["code"]) == (503, "overloaded")
        assert int(refused.headers["Retry-After"]) >= 1
        assert client.get("/health").json()["busy"] == 1  # still answering
        assert (first.result().status_code, waiting.result().status_code) == (504, 200)
        assert served(client)


def test_nobody_waits_longer_than_the_queue_allows() -> None:
    with running(workers=1, seconds=3, queue=5, queue_seconds=0.2) as client, ThreadPoolExecutor(8) as threads:
        first = threads.submit(client.ask, "/extract", **ENDLESS)
        _until(lambda: client.service.gate.busy == 1)
        assert client.code("/extract", html=ARTICLE) == (503, "overloaded")
        assert first.result().status_code == 504
        assert client.service.gate.waiting == 0


def _until(condition: Any) -> None:
    deadline = time.monotonic() + 10
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.01)


# Rates


def test_client_over_its_rate() -> None:
    with running(rate=0.5, burst=3) as client:
        statuses = [client.ask("/extract", html="<p>x").status_code for _ in range(4)]
        assert statuses == [200, 200, 200, 429]
        answer = client.ask("/extract", html="<p>x")
        assert answer.json()["error"]["code"] == "too_many_requests"
        assert int(answer.headers["Retry-After"]) >= 1
        assert client.get("/health").status_code == 200  # what machines ask is not counted


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


def test_tokens_come_back_with_time() -> None:
    clock = Clock()
    rates = Rates(2.0, 2, 10, clock)
    rates.spend("a")
    rates.spend("a")
    with pytest.raises(Refusal) as refused:
        rates.spend("a")
    assert refused.value.headers["Retry-After"] == "1"
    rates.spend("b")  # another client has its own
    clock.now = 0.5
    rates.spend("a")
    with pytest.raises(Refusal):
        rates.spend("a")
    clock.now = 100.0
    rates.spend("a")
    rates.spend("a")
    with pytest.raises(Refusal):  # never more than a burst
        rates.spend("a")


def test_table_of_clients_is_bounded() -> None:
    rates = Rates(1.0, 1, 100)
    for number in range(1000):
        rates.spend(str(number))
    assert len(rates) == 100


@pytest.mark.parametrize(
    ("address", "client"),
    [
        ("192.0.2.1", "192.0.2.1"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("2001:db8:1:2::9", "2001:db8:1:2::/64"),
        ("::ffff:192.0.2.1", "192.0.2.1"),
        ("fe80::1%eth0", "fe80::/64"),
        ("unknown", "unknown"),
    ],
)
def test_who_counts_as_one_client(address: str, client: str) -> None:
    assert client_of(address) == client


# Large and hostile pages


@pytest.fixture(scope="module")
def patient() -> Iterator[Client]:
    with running(seconds=60) as client:
        yield client


@pytest.mark.parametrize(
    "page",
    [
        "<div>" * 20_000,
        "<p>word " * 50_000,
        "<table>" * 5_000 + "x",
        "&amp;" * 100_000,
        "<!--" + "x" * 100_000,
        "<a href='" + "x" * 100_000 + "'>y</a>",
    ],
    ids=["deep", "wide", "tables", "references", "comment", "attribute"],
)
def test_hostile_pages(patient: Client, page: str) -> None:
    for path in ("/extract", "/explain"):
        answer = patient.ask(path, html=page)
        assert answer.status_code == 200, answer.text[:200]
        assert len(answer.content) < 8_000_000


def test_answers_hold_no_lone_surrogates(client: Client) -> None:
    answer = client.post(
        "/extract", content=json.dumps({"html": "<p>\ud800</p>"}), headers={"Content-Type": "application/json"}
    )
    assert answer.status_code in (200, 400, 422)
    assert isinstance(answer, httpx.Response)
    answer.content.decode("utf-8")
