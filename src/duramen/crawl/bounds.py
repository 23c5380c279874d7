"""The bounds of a crawl, checked before every request, whoever asks for it: list, links, redirects, robots.txt."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit
from urllib.request import url2pathname

from duramen.crawl.frontier import Todo
from duramen.crawl.pace import Pace
from duramen.crawl.reasons import Refused
from duramen.crawl.urls import canonical, host_of

if TYPE_CHECKING:
    from scrapy.crawler import Crawler
    from scrapy.http import Request

    from duramen.crawl.run import Run


class Bounds:
    """Scrapy's downloader middleware that lets only those requests through which the configuration allows."""

    def __init__(self, run: Run) -> None:
        self._run = run
        self._pace = Pace(run.config.rate)

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Bounds:
        assert crawler.spider is not None
        return cls(crawler.spider.run)  # type: ignore[attr-defined]

    async def process_request(self, request: Request, spider: object = None) -> None:
        """Refuse what is out of bounds; hold back what is too soon."""
        todo: Todo | None = request.meta.get("todo")
        if request.url.startswith("file:"):
            self._check_file(request, todo)
            return
        if todo is not None and request.meta.get("redirect_urls"):
            self._check_redirect(request, todo)
        seconds = self._pace.wait()
        if seconds:
            await asyncio.sleep(seconds)

    def _check_file(self, request: Request, todo: Todo | None) -> None:
        """Files come from the list alone, and no larger than a page may be."""
        if todo is None or not todo.listed or request.meta.get("redirect_urls"):
            raise Refused("scheme", "files are read only where the list names them")
        path = Path(url2pathname(urlsplit(request.url).path))
        try:
            size = path.stat().st_size if path.is_file() else -1
        except OSError as problem:
            raise Refused("no_file", f"cannot read {path}: {problem.strerror or problem}") from None
        if size < 0:
            raise Refused("no_file", f"there is no file {path}")
        if size > self._run.config.max_bytes:
            raise Refused("too_large", f"it is larger than {self._run.config.max_bytes:,} bytes (max_bytes)")

    def _check_redirect(self, request: Request, todo: Todo) -> None:
        target = canonical(request.url) or request.url
        if not todo.listed and self._run.config.same_host and host_of(target) != host_of(todo.url):
            raise Refused("other_host", f"it redirects to {target}, another host (same_host)")
        path = {canonical(url) for url in request.meta["redirect_urls"]}
        if target in path or request.meta.get("claimed") == target:
            return  # its own way round: the number of redirects is bounded
        if not self._run.frontier.claim(target):
            raise Refused("duplicate", f"it redirects to {target}, which is a page of its own")
        request.meta["claimed"] = target
