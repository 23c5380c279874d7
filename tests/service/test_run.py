"""`duramen serve` as a process: it starts, tells where it listens, and ends gracefully."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any, cast

import httpx
import pytest

from tests.cli.run import duramen
from tests.service.test_limits import ENDLESS

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="signals")


@contextmanager
def process(*flags: str, **environ: str) -> Iterator[tuple[subprocess.Popen[str], str]]:
    command = [sys.executable, "-m", "duramen", "serve", "--port", "0", "--workers", "1", *flags]
    started = subprocess.Popen(command, stderr=subprocess.PIPE, text=True, env={**os.environ, **environ})
    try:
        line = json.loads(cast(IO[str], started.stderr).readline())
        assert line["event"] == "listening"
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline:
            try:
                if httpx.get(line["url"] + "health", trust_env=False).status_code == 200:
                    break
            except httpx.TransportError:
                time.sleep(0.1)
        yield started, line["url"]
    finally:
        started.kill()
        started.communicate()


def ask(url: str, **body: Any) -> httpx.Response:
    return httpx.post(url, json=body, timeout=30, trust_env=False)


def children(pid: int) -> set[int]:
    return {
        int(child) for listed in Path(f"/proc/{pid}/task").glob("*/children") for child in listed.read_text().split()
    }


def test_sigterm_lets_requests_finish() -> None:
    with process("--seconds", "1.5") as (service, url), ThreadPoolExecutor() as threads:
        workers = children(service.pid)
        slow = threads.submit(ask, f"{url}extract", **ENDLESS)
        deadline = time.monotonic() + 10
        while httpx.get(f"{url}health", trust_env=False).json()["busy"] == 0:
            assert time.monotonic() < deadline
        service.send_signal(signal.SIGTERM)
        answer = slow.result()
        assert (answer.status_code, answer.json()["error"]["code"]) == (504, "time_limit")  # its own end, not ours
        service.wait(20)
        assert json.loads(cast(IO[str], service.stderr).read().splitlines()[-1])["event"] == "stopped"
        assert not [pid for pid in workers if Path(f"/proc/{pid}").exists()]


def test_drain_does_not_last_for_ever() -> None:
    with process("--seconds", "60", DURAMEN_DRAIN_SECONDS="1") as (service, url), ThreadPoolExecutor() as threads:
        stuck = threads.submit(ask, f"{url}extract", **ENDLESS)
        deadline = time.monotonic() + 10
        while httpx.get(f"{url}health", trust_env=False).json()["busy"] == 0:
            assert time.monotonic() < deadline
        service.send_signal(signal.SIGTERM)
        service.wait(20)
        assert isinstance(stuck.exception(), httpx.TransportError) or stuck.result().status_code >= 500


def test_killed_service_leaves_no_workers_behind() -> None:
    with process() as (service, _):
        workers = children(service.pid)
        assert workers
        service.kill()
        service.wait()
        deadline = time.monotonic() + 10
        while [pid for pid in workers if Path(f"/proc/{pid}").exists()]:
            assert time.monotonic() < deadline
            time.sleep(0.05)


@pytest.mark.parametrize(
    ("flags", "said"),
    [
        (["--seconds", "0"], "seconds must be"),
        (["--allow-networks", "nonsense"], "nonsense"),
        (["--host", "192.0.2.123"], "cannot listen"),
        (["--log-level", "loud"], "log_level"),
    ],
)
def test_mistakes_end_it_with_one_line(flags: list[str], said: str) -> None:
    ended = duramen("serve", "--port", "0", *flags)
    assert ended.code in (1, 2)
    assert said in ended.err
    assert len(ended.err.splitlines()) == 1
