"""The service under load, on the loopback interface: `python -m benchmarks.service_load` (Linux).

Starts `duramen serve` on a free port, and sends it one page again and again over connections that stay open. Told are
requests a second and latencies at 1, 8 and 64 clients, what happens at twice the capacity, and the memory of the server
and its workers while many requests go through. The clients run in this process, on the same machine.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

PAGE = Path(__file__).parent.parent / "examples" / "news.html"
CLIENTS = (1, 8, 64)
PATIENCE = 60.0  # seconds until an answer counts as never given
MOST_OPEN = 2000  # requests under way at twice the capacity
PAGE_BYTES = os.sysconf("SC_PAGE_SIZE")


@dataclass
class Tally:
    """What came back."""

    seconds: float = 0.0
    took: list[float] = field(default_factory=list)  # of those answered 200
    refused: list[float] = field(default_factory=list)  # of those answered 503 or 429
    statuses: Counter[str] = field(default_factory=Counter)

    def add(self, status: str, seconds: float) -> None:
        self.statuses[status] += 1
        if status == "200":
            self.took.append(seconds)
        elif status in ("503", "429"):
            self.refused.append(seconds)

    def line(self) -> str:
        rate = len(self.took) / self.seconds
        told = ", ".join(f"{count:,} × {status}" for status, count in sorted(self.statuses.items()))
        return f"{rate:8.1f} | {ms(self.took, 0.5)} | {ms(self.took, 0.99)} | {ms(self.took, 1.0)} | {told}"


def ms(values: list[float], share: float) -> str:
    """A quantile in milliseconds."""
    if not values:
        return "–"
    return f"{sorted(values)[min(int(share * len(values)), len(values) - 1)] * 1000:,.1f}"


class Line:
    """One connection that stays open, and as little of HTTP as is needed: the clients share the server's processors."""

    def __init__(self, port: int, request: bytes) -> None:
        self.port, self.request = port, request
        self._streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def ask(self) -> str:
        """The status of an answer; what went wrong where there was none."""
        try:
            return await asyncio.wait_for(self._ask(), PATIENCE)
        except asyncio.TimeoutError:
            self.close()
            return "no answer"
        except (OSError, asyncio.IncompleteReadError, ValueError) as problem:
            self.close()
            return type(problem).__name__

    async def _ask(self) -> str:
        if self._streams is None:
            self._streams = await asyncio.open_connection("127.0.0.1", self.port)
        reader, writer = self._streams
        writer.write(self.request)
        head = await reader.readuntil(b"\r\n\r\n")
        length = int(head.lower().partition(b"content-length:")[2].split(b"\r\n", 1)[0])
        await reader.readexactly(length)
        if b"connection: close" in head.lower():
            self.close()
        return head[9:12].decode()

    def close(self) -> None:
        if self._streams is not None:
            self._streams[1].close()
            self._streams = None


async def closed(port: int, request: bytes, clients: int, *, seconds: float = 0.0, count: int = 0) -> Tally:
    """So many clients, each with one request at a time, for so long or until so many requests are answered."""
    tally, started = Tally(), time.perf_counter()
    left = count

    async def client() -> None:
        nonlocal left
        line = Line(port, request)
        while (left > 0) if count else (time.perf_counter() - started < seconds):
            left -= 1
            begun = time.perf_counter()
            tally.add(await line.ask(), time.perf_counter() - begun)
        line.close()

    await asyncio.gather(*(client() for _ in range(clients)))
    tally.seconds = time.perf_counter() - started
    return tally


async def opened(port: int, request: bytes, rate: float, seconds: float) -> Tally:
    """Requests that come at a rate, whether the earlier ones are answered or not."""
    tally, idle, under_way = Tally(), list[Line](), set[asyncio.Task[None]]()
    spacing, started = random.Random(1), time.perf_counter()

    async def one() -> None:
        line = idle.pop() if idle else Line(port, request)
        begun = time.perf_counter()
        tally.add(await line.ask(), time.perf_counter() - begun)
        idle.append(line)

    due = started
    while due - started < seconds:
        await asyncio.sleep(max(0.0, due - time.perf_counter()))
        if len(under_way) < MOST_OPEN:
            task = asyncio.create_task(one())
            under_way.add(task)
            task.add_done_callback(under_way.discard)
        else:
            tally.add("not sent", 0.0)
        due += spacing.expovariate(rate)
    tally.seconds = time.perf_counter() - started
    await asyncio.gather(*under_way)
    for line in idle:
        line.close()
    return tally


def workers_of(pid: int) -> list[int]:
    """The server's worker processes."""
    listed = Path(f"/proc/{pid}/task").glob("*/children")
    return [int(child) for file in listed for child in file.read_text().split()]


def resident(pid: int) -> float:
    """Megabytes of a process."""
    return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * PAGE_BYTES / 1e6


def cpu(pid: int) -> float:
    """Seconds that a process has computed so far."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


@contextmanager
def service(workers: int, queue: int) -> Iterator[tuple[int, int]]:
    """A running service: its port and its process."""
    flags = ["--port", "0", "--workers", str(workers), "--queue", str(queue), "--rate", "0", "--log-level", "info"]
    process = subprocess.Popen([sys.executable, "-m", "duramen", "serve", *flags], stderr=subprocess.PIPE, text=True)
    assert process.stderr is not None
    try:
        port = int(json.loads(process.stderr.readline())["url"].rstrip("/").rpartition(":")[2])
        # Log lines are written as in earnest, and thrown away here.
        drain = subprocess.Popen(["cat"], stdin=process.stderr, stdout=subprocess.DEVNULL)
        for _ in range(600):
            with_answer = asyncio.run(Line(port, b"GET /health HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n").ask())
            if with_answer == "200":
                break
            time.sleep(0.1)
        yield port, process.pid
    finally:
        process.terminate()
        process.wait(30)
        drain.wait(5)


def main() -> None:
    """Measure and tell."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--workers", type=int, default=os.cpu_count() or 1)
    options.add_argument("--queue", type=int, default=64)
    options.add_argument("--seconds", type=float, default=10.0, help="for each number of clients")
    options.add_argument("--count", type=int, default=50_000, help="requests of the memory measurement; 0: none")
    options.add_argument("--page", type=Path, default=PAGE)
    options.add_argument("--path", default="/extract?formats=text")
    chosen = options.parse_args()
    body = chosen.page.read_bytes()
    request = (
        f"POST {chosen.path} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: text/html\r\n"
        f"Content-Length: {len(body)}\r\n\r\n"
    ).encode() + body
    say(f"{chosen.workers} workers, queue {chosen.queue}, page of {len(body):,} bytes, {os.cpu_count()} processors")
    say(f"load average before: {os.getloadavg()[0]:.1f}")
    with service(chosen.workers, chosen.queue) as (port, pid):
        asyncio.run(closed(port, request, 8, count=400))  # warm
        say("\nclients | requests/s | median ms | p99 ms | longest ms | answers\n---|---|---|---|---|---")
        best = 0.0
        for clients in CLIENTS:
            tally = asyncio.run(closed(port, request, clients, seconds=chosen.seconds))
            best = max(best, len(tally.took) / tally.seconds)
            say(f"{clients} | {tally.line()}")
        tally = asyncio.run(opened(port, request, 2 * best, chosen.seconds))
        say(f"2 × {best:.0f}/s | {tally.line()}")
        say(f"\nrefusals at twice the capacity: median {ms(tally.refused, 0.5)} ms, p99 {ms(tally.refused, 0.99)} ms")
        after = asyncio.run(closed(port, request, 8, seconds=3))
        say(f"right after it, 8 clients: {after.line()}")
        if chosen.count:
            say("\nrequests | server MB | workers MB\n---|---|---")
            before = cpu(pid), sum(map(cpu, workers_of(pid)))
            done, step = 0, max(chosen.count // 20, 1)
            while done < chosen.count:
                tally = asyncio.run(closed(port, request, 8, count=step))
                done += tally.statuses.total()
                sizes = ", ".join(f"{resident(worker):.1f}" for worker in workers_of(pid))
                say(f"{done:,} | {resident(pid):.1f} | {sizes}")
            spent = cpu(pid) - before[0], sum(map(cpu, workers_of(pid))) - before[1]
            server, work = (seconds * 1000 / done for seconds in spent)
            say(f"\nprocessor time a request: {server:.2f} ms in the server, {work:.2f} ms in the workers")
    say(f"\nload average after: {os.getloadavg()[0]:.1f}")


def say(line: str) -> None:
    """A line that is seen at once."""
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
