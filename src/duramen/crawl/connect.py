"""Connections that go only where they may, within one time limit.

httpcore asks a network backend for a connection to a host name. Ours looks the name up once, checks every address
that came back, and connects to one of those very addresses: a name server that answers differently a moment later
(DNS rebinding) changes nothing. TLS still verifies the certificate against the host name.
"""

from __future__ import annotations

import socket
import ssl
import time
from collections.abc import Callable, Iterable, Sequence
from queue import Empty, SimpleQueue
from threading import Thread
from typing import Any

import httpcore

from duramen.crawl.addresses import host_problem, is_address, not_public
from duramen.errors import FetchError

Resolve = Callable[[str, int], Sequence[str]]
"""Looks up a host name: all its addresses, best first."""


def system_resolve(host: str, port: int) -> list[str]:
    """The addresses that the system's resolver knows for a host."""
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return list(dict.fromkeys(str(entry[4][0]) for entry in found))


_A_DAY = 86_400.0  # sockets take no endless limit


class Deadline:
    """One time limit over everything that a fetch does, however slowly the bytes drip."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self._ends = time.monotonic() + min(seconds, _A_DAY)

    def left(self) -> float:
        """Seconds that are left; raises `FetchError` when none are."""
        left = self._ends - time.monotonic()
        if left <= 0:
            raise self.passed()
        return left

    def passed(self) -> FetchError:
        """The error that says so."""
        return FetchError(f"it took longer than {self.seconds:g} s (the limit is timeout, --timeout)")


class CheckedBackend(httpcore.NetworkBackend):
    """Connects to checked addresses only. `through` opens the connections once the address is known to be fine."""

    def __init__(
        self,
        deadline: Deadline,
        *,
        allow_private: bool = False,
        resolve: Resolve = system_resolve,
        through: httpcore.NetworkBackend | None = None,
    ) -> None:
        self._deadline = deadline
        self._allow_private = allow_private
        self._resolve = resolve
        self._through = through or httpcore.SyncBackend()

    def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[httpcore.SOCKET_OPTION] | None = None,
    ) -> httpcore.NetworkStream:
        """A connection to one of the host's addresses, after all of them were checked."""
        addresses = self._checked(host, port)
        for tried, address in enumerate(addresses, 1):
            # Each address gets its share of the time, so that a dead first one does not use it all up.
            share = self._deadline.left() / (len(addresses) - tried + 1)
            try:
                stream = self._through.connect_tcp(address, port, share, local_address, socket_options)
            except (httpcore.ConnectError, httpcore.ConnectTimeout):
                if tried == len(addresses):
                    raise
            else:
                return _TimedStream(stream, self._deadline)
        raise FetchError(f"{host} has no address")

    def connect_unix_socket(self, *args: Any, **kwargs: Any) -> httpcore.NetworkStream:
        """Never: pages come over the network."""
        raise FetchError("no page is fetched from a local socket")

    def _checked(self, host: str, port: int) -> Sequence[str]:
        problem = host_problem(host, self._allow_private)
        if problem:
            raise FetchError(problem)
        literal = host.removesuffix(".")
        addresses = [literal] if is_address(literal) else self._look_up(host, port)
        if not self._allow_private:
            for address in addresses:
                kind = not_public(address)
                if kind:
                    named = host if literal == address else f"{host} ({address})"
                    raise FetchError(f"{named} is a {kind} address (only allow_private, --allow-private, permits it)")
        return addresses

    def _look_up(self, host: str, port: int) -> Sequence[str]:
        """The host's addresses. The look-up itself knows no time limit: it runs in a thread that may be left behind."""
        answers: SimpleQueue[Sequence[str] | Exception] = SimpleQueue()

        def ask() -> None:
            try:
                answers.put(self._resolve(host, port))
            except (OSError, UnicodeError) as error:
                answers.put(error)

        Thread(target=ask, daemon=True, name="duramen-resolve").start()
        try:
            answer = answers.get(timeout=self._deadline.left())
        except Empty:
            raise self._deadline.passed() from None
        if isinstance(answer, Exception):
            raise FetchError(f"there is no host {host} (or no name server to ask)") from None
        return answer


class _TimedStream(httpcore.NetworkStream):
    """A connection whose every step ends with the deadline."""

    def __init__(self, stream: httpcore.NetworkStream, deadline: Deadline) -> None:
        self._stream = stream
        self._deadline = deadline

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        return self._stream.read(max_bytes, self._deadline.left())

    def write(self, buffer: bytes, timeout: float | None = None) -> None:
        self._stream.write(buffer, self._deadline.left())

    def close(self) -> None:
        self._stream.close()

    def start_tls(
        self, ssl_context: ssl.SSLContext, server_hostname: str | None = None, timeout: float | None = None
    ) -> httpcore.NetworkStream:
        return _TimedStream(self._stream.start_tls(ssl_context, server_hostname, self._deadline.left()), self._deadline)

    def get_extra_info(self, info: str) -> Any:
        return self._stream.get_extra_info(info)
