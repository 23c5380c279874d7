"""What keeps the service from taking more than it can carry: places, bytes in memory, and each client's rate."""

from __future__ import annotations

import asyncio
import time
from collections import OrderedDict
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from ipaddress import IPv6Address, ip_address, ip_network

from duramen.service.errors import Refusal, overloaded, too_many


class Gate:
    """So many at a time, so many in the queue, so long: whoever finds no place is told when to come back."""

    def __init__(self, name: str, places: int, queue: int, seconds: float) -> None:
        self.name, self.places, self.queue, self.seconds = name, places, queue, seconds
        self.busy = self.waiting = self.turned_away = 0
        self._free = asyncio.Semaphore(places)
        self._usual = 0.05  # seconds that a turn takes, of late

    @asynccontextmanager
    async def turn(self) -> AsyncIterator[None]:
        """A place, once it is this one's turn."""
        self.check()
        self.waiting += 1
        try:
            await asyncio.wait_for(self._free.acquire(), self.seconds)
        except (asyncio.TimeoutError, TimeoutError):
            raise self._full() from None
        finally:
            self.waiting -= 1
        self.busy += 1
        started = time.monotonic()
        try:
            yield
        finally:
            self.busy -= 1
            self._usual += 0.1 * (time.monotonic() - started - self._usual)
            self._free.release()

    def check(self) -> None:
        """`Refusal` when there is neither a place nor room in the queue."""
        if self._free.locked() and self.waiting >= self.queue:
            raise self._full()

    def _full(self) -> Refusal:
        self.turned_away += 1
        return overloaded((self.waiting + 1) * self._usual / self.places, self.name)


class Buffer:
    """Bytes of requests in memory, all together: slow senders hold little, and many large ones are turned away."""

    def __init__(self, limit: int) -> None:
        self.limit, self.held = limit, 0

    def take(self, size: int) -> None:
        """Account for bytes that came in."""
        if self.held + size > self.limit:
            raise overloaded(1.0, "buffers")
        self.held += size

    def give_back(self, size: int) -> None:
        """… and have been dealt with."""
        self.held -= size


class Rates:
    """A bucket of tokens for each client; those not seen for longest are forgotten first."""

    def __init__(self, rate: float, burst: int, clients: int, clock: Callable[[], float] = time.monotonic) -> None:
        self.rate, self.burst, self.clients = rate, burst, clients
        self._clock = clock
        self._buckets: OrderedDict[str, tuple[float, float]] = OrderedDict()  # tokens, and when they were counted

    def spend(self, client: str) -> None:
        """One token of a client's; `Refusal` when it has none."""
        if not self.rate:
            return
        now = self._clock()
        tokens, counted = self._buckets.pop(client, (float(self.burst), now))
        tokens = min(float(self.burst), tokens + (now - counted) * self.rate)
        enough = tokens >= 1
        self._buckets[client] = (tokens - 1 if enough else tokens, now)
        if len(self._buckets) > self.clients:
            self._buckets.popitem(last=False)
        if not enough:
            raise too_many((1 - tokens) / self.rate)

    def __len__(self) -> int:
        return len(self._buckets)


def client_of(address: str) -> str:
    """Whose rate an address counts to: a home or an office has a whole /64 of IPv6."""
    try:
        parsed = ip_address(address)
    except ValueError:
        return address
    if isinstance(parsed, IPv6Address):
        mapped = parsed.ipv4_mapped
        return str(mapped) if mapped else str(ip_network(f"{parsed.compressed.partition('%')[0]}/64", strict=False))
    return str(parsed)
