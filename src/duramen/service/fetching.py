"""Pages by URL, for strangers: `duramen.crawl.fetch` in threads, and its errors as answers.

`fetch` refuses every address that is not public, on every redirect, and connects to the very address it checked. What
the operator allows besides is decided here, before it is called: a URL of a plain form whose host leads to allowed (or
public) addresses only is fetched from those addresses. Its redirects are not followed: where they lead is not known to
be allowed.
"""

from __future__ import annotations

import asyncio
import re
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from ipaddress import ip_address

from duramen.crawl import Fetched, fetch
from duramen.crawl.addresses import host_problem, is_address, not_public
from duramen.crawl.connect import Resolve, system_resolve
from duramen.errors import FetchError
from duramen.service.config import Config
from duramen.service.errors import Refusal
from duramen.service.gates import Gate

_SLACK = 5.0  # seconds beyond the limit that `fetch` keeps by itself
# Nothing that two readers of URLs could read differently: no user, no backslash, no escapes before the path.
_PLAIN = re.compile(r"https?://([A-Za-z0-9._-]+|\[[0-9A-Fa-f:.]+\])(?::[0-9]{1,5})?(?:[/?#][!-~]*)?", re.IGNORECASE)

_NOT_PUBLIC = re.compile(r"is an? [\w() -]+ address \(only")
_REFUSED = (  # how `fetch` begins, or ends, when it refuses by itself
    "is an unusual way to write an address",
    "is a name of the local machine",
    "only http and https URLs",
    "with a user name or password",
    "is no usable URL",
    "is no host name",
    "is no IPv6 address",
    "names no host",
    "there is no port",
)


class Fetcher:
    """Fetches within the operator's limits."""

    def __init__(self, config: Config, resolve: Resolve = system_resolve) -> None:
        self._config, self._resolve = config, resolve
        self.gate = Gate("fetchers", config.fetches, config.queue, config.queue_seconds)
        self._threads = ThreadPoolExecutor(config.fetches, "duramen-fetch")

    async def fetch(self, url: str) -> tuple[Fetched, float]:
        """The page at a URL, and the milliseconds it took; `Refusal` says why there is none."""
        if not self._config.fetching:
            raise Refusal(422, "fetching_off", "this service does not fetch pages", "Send the page as html.")
        async with self.gate.turn():
            started = time.perf_counter()
            thread = asyncio.get_running_loop().run_in_executor(self._threads, partial(self._get, url))
            try:
                found = await asyncio.wait_for(thread, self._config.fetch_seconds + _SLACK)
            except (asyncio.TimeoutError, TimeoutError):
                raise _late(self._config.fetch_seconds) from None
            except FetchError as problem:
                raise _told(str(problem), self._config.fetch_seconds) from None
            return found, round((time.perf_counter() - started) * 1000, 3)

    def close(self) -> None:
        """No more fetches; those under way end by themselves."""
        self._threads.shutdown(wait=False, cancel_futures=True)

    def _get(self, url: str) -> Fetched:
        config, allowed = self._config, self._allowed(url)
        limits = {"timeout": config.fetch_seconds, "max_bytes": config.fetch_bytes}
        if allowed is None:
            return fetch(url, **limits, max_redirects=config.fetch_redirects, resolve=self._resolve)  # type: ignore[arg-type]
        return fetch(url, **limits, max_redirects=0, allow_private=True, resolve=lambda *_: allowed)  # type: ignore[arg-type]

    def _allowed(self, url: str) -> Sequence[str] | None:
        """The addresses of a host that only the operator's list lets through; None where the usual rules decide."""
        plain = _PLAIN.fullmatch(url) if self._config.allow_networks else None
        if plain is None:
            return None
        host = plain[1].strip("[]").lower().removesuffix(".")
        try:
            if host_problem(host, allow_private=True):
                return None
            addresses = [host] if is_address(host) else list(self._resolve(host, 80))
            listed = [self._is_listed(address) for address in addresses]
        except (OSError, UnicodeError, ValueError):
            return None  # the usual way reports it
        fine = all(ok or not_public(address) is None for ok, address in zip(listed, addresses))
        return addresses if fine and any(listed) else None

    def _is_listed(self, address: str) -> bool:
        parsed = ip_address(address)
        return any(parsed in network for network in self._config.allow_networks if network.version == parsed.version)


def _late(seconds: float) -> Refusal:
    return Refusal(
        504, "fetch_timeout", f"the page did not arrive within {seconds:g} s", "Try again, or send it as html."
    )


def _told(problem: str, seconds: float) -> Refusal:
    """A failed fetch as an answer. What a private name resolves to, and whether anything listens there, is not told."""
    if _NOT_PUBLIC.search(problem):
        return Refusal(
            422,
            "url_refused",
            "the URL leads to an address that is not public",
            "Only public addresses are fetched; an operator can allow a private range.",
        )
    if any(phrase in problem for phrase in _REFUSED):
        return Refusal(422, "url_refused", problem, "Give an ordinary http or https URL of a public site.")
    if "it took longer than" in problem:
        return _late(seconds)
    if "is larger than" in problem:
        return Refusal(502, "fetch_too_large", problem.partition(" (the limit")[0], "Send the part you need as html.")
    hint = "Check the address, or send the page as html."
    if problem.endswith("more than 0 redirects"):
        hint = "Redirects of addresses that the operator allowed are not followed; ask for where it leads."
    return Refusal(502, "fetch_failed", problem, hint)
