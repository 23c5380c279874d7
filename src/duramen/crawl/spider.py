"""The spider and the pipeline of `duramen crawl`: pages in, records out, links back into the queue."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass, field
from datetime import datetime, timezone
from typing import TYPE_CHECKING, Any

import scrapy
from scrapy.http import Request, Response
from twisted.python.failure import Failure

from duramen.crawl.frontier import Todo
from duramen.crawl.pipeline import arrived, content_type
from duramen.crawl.reasons import explain
from duramen.crawl.store import Record
from duramen.crawl.urls import canonical
from duramen.crawl.work import Job, Made, process
from duramen.pool import Budget, Pool, WorkerError

if TYPE_CHECKING:
    from scrapy.crawler import Crawler

    from duramen.crawl.run import Run


@dataclass
class Visit:
    """What came of a page's request."""

    todo: Todo
    response: Response | None = None
    reason: str | None = None  # why there is no page
    detail: str | None = None
    final_url: str | None = None
    http_status: int | None = None
    time: str = field(default_factory=lambda: datetime.now(timezone.utc).isoformat(timespec="seconds"))


class PageSpider(scrapy.Spider):
    """Fetches what the frontier hands out."""

    name = "duramen"

    def __init__(self, run: Run, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.run = run

    async def start(self) -> AsyncIterator[Any]:
        """Everything that is pending when the crawl starts."""
        for todo in self.run.frontier.pending():
            request = self.request(todo) if todo.problem is None else None
            yield request or Visit(todo, reason="bad_url", detail=todo.problem or "it is no URL")

    def request(self, todo: Todo) -> Request | None:
        """The request for a page; None where Scrapy takes its URL for none."""
        # The frontier knows what is a duplicate, Scrapy need not.
        how: dict[str, Any] = {"errback": self.failed, "dont_filter": True, "meta": {"todo": todo}}
        try:
            return Request(todo.url, self.page, priority=-todo.depth, **how)
        except ValueError:
            return None

    def page(self, response: Response) -> Iterator[Visit]:
        """A page that came back."""
        visit = Visit(response.meta["todo"], response, None, None, _final(response.url), response.status)
        stated = content_type(response).partition(";")[0].strip().lower()
        if stated and stated not in self.run.config.content_types and not response.url.startswith("file:"):
            visit.response, visit.reason, visit.detail = None, "content_type", f"it is {stated[:100]!r}, not a web page"
        elif response.headers.get("Content-Encoding"):
            unknown = (response.headers.get("Content-Encoding") or b"").decode("latin-1")
            visit.response, visit.reason = None, "damaged"
            visit.detail = f"it is compressed as {unknown[:100]!r}, which was not asked for"
        yield visit

    def failed(self, failure: Failure) -> Iterator[Visit]:
        """A page that did not."""
        request: Request = failure.request  # type: ignore[attr-defined]
        assert failure.value is not None
        reason, detail = explain(failure.value)
        response = getattr(failure.value, "response", None)
        yield Visit(request.meta["todo"], None, reason, detail, _final(request.url), getattr(response, "status", None))


class Saving:
    """Scrapy's item pipeline of the crawl: extract, write, and follow."""

    def __init__(self, crawler: Crawler, run: Run) -> None:
        self._crawler = crawler
        self._run = run
        config = run.config
        self._algorithms = {kind: config.algorithm(kind) for kind in config.types}
        budget = Budget(config.page_seconds, config.page_memory << 20)
        self._pool: Pool[Job, Made] = Pool(process, workers=config.workers, budget=budget)

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Saving:
        assert crawler.spider is not None
        return cls(crawler, crawler.spider.run)  # type: ignore[attr-defined]

    def close_spider(self, spider: object = None) -> None:
        """End the workers."""
        self._pool.close()

    async def process_item(self, item: Visit, spider: object = None) -> dict[str, str]:
        """Make a record of a visit, write it, and queue what it links to."""
        try:
            record, file = await self._record(item)
        except WorkerError as problem:  # not the page's fault: the next run fetches it again
            self._run.unsaved({"url": item.todo.url}, problem)
            return {"url": item.todo.url}
        saved = await asyncio.wrap_future(self._run.writer.write(record, file))
        if saved:
            self._run.note(record)
        engine = self._crawler.engine
        if saved and engine.running and engine.spider is not None:
            requests = map(engine.spider.request, self._run.frontier.following(record))  # type: ignore[attr-defined]
            for request in filter(None, requests):
                engine.crawl(request)
        return {"url": item.todo.url}

    async def _record(self, visit: Visit) -> tuple[Record, bytes | None]:
        todo, config = visit.todo, self._run.config
        url = visit.final_url or todo.url
        kind = todo.type or config.type_of(url)
        record: Record = {
            "url": todo.url,
            "final_url": visit.final_url,
            "time": visit.time,
            "type": kind,
            "depth": todo.depth,
            "http_status": visit.http_status,
            "status": "failed",
            "reason": visit.reason,
            "detail": visit.detail,
            "algorithm": None,
            "encoding": None,
            "encoding_source": None,
            "language": None,
            "title": None,
            "text": "",
            "parts": 0,
            "flags": [],
            "replaced": 0,
            "file": None,
            "frameset": False,
            "links": [],
            "dropped": {},
        }
        if visit.reason == "duplicate":
            record["status"] = "duplicate"
        if visit.response is None:
            return record, None
        outcome = await arrived(self._pool.submit(self._job(visit.response, url, kind)))
        made = outcome.value
        if made is None:
            return record | {"reason": f"extract_{outcome.reason}", "detail": outcome.detail or None}, None
        record |= {
            "status": "ok" if made.reason is None else "empty",
            "reason": made.reason,
            "algorithm": made.algorithm,
            "encoding": made.encoding,
            "encoding_source": made.encoding_source,
            "language": made.language,
            "title": made.title,
            "text": made.text,
            "parts": len(made.parts),
            "flags": list(made.flags),
            "replaced": made.replaced,
            "file": self._run.store.place(url, kind),
            "frameset": made.frameset,
            "links": list(made.links),
            "dropped": dict(made.dropped),
        }
        return record, made.file

    def _job(self, response: Response, url: str, kind: str) -> Job:
        config = self._run.config
        name, settings = self._algorithms[kind]
        return Job(
            body=response.body,
            url=url,
            charset=content_type(response) or None,
            algorithm=name,
            settings=json.dumps(settings, sort_keys=True),
            charset_default=config.charset_default,
            output=config.output_format,
            encoding=config.output_encoding,
            unmappable=config.unmappable,
            line_end=config.line_end,
            indent_headings=config.indent_headings,
            links=config.link_filter,
            dropped_links=config.dropped_links,
        )


def _final(url: str) -> str:
    return canonical(url) or url
