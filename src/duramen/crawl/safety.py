"""Scrapy connects only where it may: every name is looked up once, checked, and connected to at that very address."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from scrapy.core.downloader.handlers.http11 import HTTP11DownloadHandler
from scrapy.resolver import CachingHostnameResolver, HostResolution
from scrapy.utils.httpobj import urlparse_cached

from duramen.crawl.addresses import host_problem, is_address, not_public
from duramen.crawl.reasons import Refused, explain

if TYPE_CHECKING:
    from scrapy.crawler import Crawler
    from scrapy.http import Request, Response
    from twisted.internet.base import ReactorBase
    from twisted.internet.interfaces import IAddress

    from duramen.crawl.hosts import Hosts

ALLOW_PRIVATE = "DURAMEN_ALLOW_PRIVATE"
_CACHED_HOSTS = 10_000


class CheckedResolver(CachingHostnameResolver):
    """Looks up names and addresses; a host of which any address is not public has none at all.

    Twisted connects to the addresses that this returns and asks nobody else, so that a name server which answers
    differently a moment later changes nothing.
    """

    def __init__(self, reactor: ReactorBase, cache_size: int, allow_private: bool = False) -> None:
        super().__init__(reactor, cache_size)
        self.allow_private = allow_private
        self.refused: dict[str, str] = {}  # why, by host

    @classmethod
    def from_crawler(cls, crawler: Crawler, reactor: ReactorBase) -> CheckedResolver:
        return cls(reactor, _CACHED_HOSTS, crawler.settings.getbool(ALLOW_PRIVATE))

    def resolveHostName(  # noqa: N802
        self,
        resolutionReceiver: Any,  # noqa: N803
        hostName: str,  # noqa: N803
        portNumber: int = 0,  # noqa: N803
        addressTypes: Sequence[type[IAddress]] | None = None,  # noqa: N803
        transportSemantics: str = "TCP",  # noqa: N803
    ) -> Any:
        """Every address of a host, or none. (Twisted's interfaces are not made for type checkers.)"""
        problem = host_problem(hostName, self.allow_private)
        if problem:
            self.refused[hostName] = problem
            none: Any = HostResolution(hostName)
            resolutionReceiver.resolutionBegan(none)
            resolutionReceiver.resolutionComplete()
            return none
        receiver = _Checking(resolutionReceiver, hostName, self)
        system: Any = self.original_resolver
        return system.resolveHostName(receiver, hostName, portNumber, addressTypes, transportSemantics)

    def judge(self, host: str, addresses: Sequence[str]) -> bool:
        """Whether all addresses of a host may be connected to."""
        kinds = ((address, not_public(address)) for address in addresses)
        bad = None if self.allow_private else next(((a, kind) for a, kind in kinds if kind), None)
        if bad is None:
            self.refused.pop(host, None)
            return True
        named = host if is_address(host) else f"{host} ({bad[0]})"
        self.refused[host] = f"{named} is a {bad[1]} address (only allow_private permits it)"
        return False


class _Checking:
    """Collects the addresses of one look-up and passes them on when all are known to be fine."""

    def __init__(self, receiver: Any, host: str, resolver: CheckedResolver) -> None:
        self._receiver = receiver
        self._host = host
        self._resolver = resolver
        self._addresses: list[Any] = []

    def resolutionBegan(self, resolution: Any) -> None:  # noqa: N802
        self._receiver.resolutionBegan(resolution)

    def addressResolved(self, address: IAddress) -> None:  # noqa: N802
        self._addresses.append(address)

    def resolutionComplete(self) -> None:  # noqa: N802
        if self._resolver.judge(self._host, [address.host for address in self._addresses]):
            for address in self._addresses:
                self._receiver.addressResolved(address)
        self._receiver.resolutionComplete()


class CheckedHandler(HTTP11DownloadHandler):
    """Downloads only where the checked resolver is in place, and says why a host was refused."""

    async def download_request(self, request: Request) -> Response:
        """The response, from an address that was checked."""
        from twisted.internet import reactor

        resolver = getattr(reactor, "nameResolver", None)
        if not isinstance(resolver, CheckedResolver) or request.meta.get("proxy"):
            raise Refused("unchecked", "nothing checks where this connection would lead")
        host = urlparse_cached(request).hostname or ""
        problem = host_problem(host, resolver.allow_private)
        if problem:
            raise Refused("private_address", problem)
        # Here and not in a middleware: requests may wait long between that and this.
        hosts: Hosts | None = getattr(getattr(self._crawler.spider, "run", None), "hosts", None)
        given_up = hosts.given_up(request.url) if hosts is not None else None
        if given_up:
            raise Refused("host_given_up", given_up)
        try:
            response = await super().download_request(request)
        except Exception as failure:
            if host in resolver.refused:
                raise Refused("private_address", resolver.refused[host]) from None
            if hosts is not None:
                hosts.note(request.url, explain(failure)[0])
            raise
        if hosts is not None:
            hosts.note(request.url, f"http_{response.status}")
        return response
