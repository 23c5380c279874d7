"""Which hosts fail all the time, and are left alone."""

from __future__ import annotations

from collections import Counter

from duramen.crawl.urls import host_of

HOST_FAILURES = frozenset({"timeout", "dns", "refused", "connection", "tls", "http_500", "http_502", "http_503"})
"""Failures that speak against the host rather than the page."""


class Hosts:
    """Counts the failures of each host since it last answered."""

    def __init__(self, limit: int) -> None:
        self._limit = limit  # failures in a row; 0: none is ever given up
        self._failures: Counter[str] = Counter()
        self._last: dict[str, str] = {}

    def given_up(self, url: str) -> str | None:
        """Why the host of a URL is not to be asked any more; None where it is."""
        host = host_of(url)
        if not self._limit or self._failures[host] < self._limit:
            return None
        return f"{host} failed {self._limit} times in a row (max_host_failures), last: {self._last[host]}"

    def note(self, url: str, reason: str | None) -> None:
        """Remember how an attempt at a host ended."""
        host = host_of(url)
        if reason in HOST_FAILURES:
            self._failures[host] += 1
            self._last[host] = str(reason)
        else:
            self._failures.pop(host, None)
