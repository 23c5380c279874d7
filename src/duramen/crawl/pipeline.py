"""Extraction as an item pipeline, for any Scrapy project.

    ITEM_PIPELINES = {"duramen.crawl.DuramenPipeline": 300}

An item with a `response` (or with a page in `body` or `html`, and its `url`) leaves the pipeline with the page's title
and text in its place. Extraction runs in processes of its own, each page with a limit of time and memory.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping
from concurrent.futures import Future
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

from itemadapter import ItemAdapter
from scrapy.http import Response
from scrapy.utils.asyncio import is_asyncio_available
from scrapy.utils.defer import maybe_deferred_to_future

from duramen.algorithms import algorithm
from duramen.errors import OptionError
from duramen.extract import extract
from duramen.pool import Budget, Outcome, Pool

if TYPE_CHECKING:
    from scrapy.crawler import Crawler

T = TypeVar("T")
FIELDS = ("url", "title", "text", "language", "encoding", "algorithm", "confidence", "reason")
"""What is added to an item unless DURAMEN_FIELDS says otherwise."""
_SOURCES = ("response", "body", "html")
_KNOWN = ("url", "title", "language", "text", "markdown", "html", "standard", "parts", "metadata", "algorithm",
          "version", "encoding", "encoding_source", "confidence", "flags", "reason")  # fmt: skip


@dataclass(frozen=True, slots=True)
class Source:
    """A page of an item."""

    body: bytes | str
    url: str | None
    charset: str | None
    algorithm: str
    options: str  # JSON
    fields: tuple[str, ...]


def fields_of(source: Source) -> dict[str, Any]:
    """The wanted fields of a page; what a worker process does."""
    result = extract(
        source.body,
        url=source.url,
        charset=source.charset,
        algorithm=source.algorithm,
        options=json.loads(source.options),
    )
    cheap = {"title", "text", "markdown", "html", "standard", "language", "encoding", "algorithm", "confidence"}
    if cheap.issuperset(set(source.fields) - {"url", "reason"}):
        found = {name: getattr(result, name) for name in source.fields if name in cheap}
        return {**found, "url": source.url, "reason": None if result.reason is None else result.reason.value}
    return {**result.to_dict(), "standard": result.standard}


class DuramenPipeline:
    """Puts a page's content in the place of its source.

    Settings: DURAMEN_ALGORITHM ("default"), DURAMEN_OPTIONS (its settings), DURAMEN_FIELDS (what is added: any key of
    `Extraction.to_dict()`, and "standard"), DURAMEN_KEEP_SOURCE (False), DURAMEN_WORKERS (one a processor),
    DURAMEN_SECONDS (10) and DURAMEN_MEMORY (1024, megabytes): the limits for a page. A page over a limit has an empty
    text, and the reason says which: extract_timeout, extract_memory, extract_crash, extract_error.
    """

    def __init__(
        self,
        chosen: str = "default",
        options: Mapping[str, Any] | None = None,
        *,
        fields: tuple[str, ...] = FIELDS,
        keep_source: bool = False,
        workers: int | None = None,
        seconds: float = 10.0,
        megabytes: int = 1024,
    ) -> None:
        algorithm(chosen, options)  # bad settings are to be told before the crawl
        for name in fields:
            if name not in _KNOWN:
                raise OptionError(f"DURAMEN_FIELDS: there is no field {name!r}: there are {', '.join(_KNOWN)}")
        self._algorithm = chosen
        self._options = json.dumps(options or {})
        self._fields = fields
        self._keep_source = keep_source
        self._workers = workers
        self._budget = Budget(seconds, megabytes << 20)
        self._pool: Pool[Source, dict[str, Any]] | None = None

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> DuramenPipeline:
        settings = crawler.settings
        return cls(
            settings.get("DURAMEN_ALGORITHM", "default"),
            settings.getdict("DURAMEN_OPTIONS"),
            fields=tuple(settings.getlist("DURAMEN_FIELDS", list(FIELDS))),
            keep_source=settings.getbool("DURAMEN_KEEP_SOURCE"),
            workers=settings.getint("DURAMEN_WORKERS") or None,
            seconds=settings.getfloat("DURAMEN_SECONDS", 10.0),
            megabytes=settings.getint("DURAMEN_MEMORY", 1024),
        )

    def open_spider(self, spider: object = None) -> None:
        """Start the workers."""
        self._pool = Pool(fields_of, workers=self._workers, budget=self._budget)

    def close_spider(self, spider: object = None) -> None:
        """End the workers."""
        if self._pool is not None:
            self._pool.close()

    async def process_item(self, item: Any, spider: object = None) -> Any:
        """The item with the page's content; one without a page is passed on as it is."""
        adapter = ItemAdapter(item)
        name = next((name for name in _SOURCES if adapter.get(name) is not None), None)
        if name is None or self._pool is None:
            return item
        body, url, charset = _page(adapter[name], adapter)
        source = Source(body, url, charset, self._algorithm, self._options, self._fields)
        outcome = await arrived(self._pool.submit(source))
        if not self._keep_source:
            del adapter[name]
        found = outcome.value or {"url": url, "text": "", "reason": f"extract_{outcome.reason}"}
        for key in self._fields:
            if key not in _holding(adapter) or (key == "url" and adapter.get("url")):
                continue
            adapter[key] = found.get(key)
        return item


class _Anything:
    def __contains__(self, name: str) -> bool:
        return True


def _holding(adapter: ItemAdapter) -> Any:
    """The fields that an item can take: a dictionary any, an Item or a dataclass those that it declares."""
    return _Anything() if isinstance(adapter.item, dict) else adapter.field_names()


def _page(source: object, adapter: ItemAdapter) -> tuple[bytes | str, str | None, str | None]:
    """A page with where it came from and what the server said of its encoding."""
    if isinstance(source, Response):
        return source.body, source.url, content_type(source)
    if not isinstance(source, (bytes, str)):
        raise OptionError(f"an item's page is a response, bytes or text, not {type(source).__name__}")
    return source, adapter.get("url"), adapter.get("charset")


def content_type(response: Response) -> str:
    """The Content-Type of a response."""
    return (response.headers.get("Content-Type") or b"").decode("latin-1")


async def arrived(future: Future[Outcome[T]]) -> Outcome[T]:
    """What a pool's future gives, waited for without holding anything up, whichever reactor runs."""
    if is_asyncio_available():
        return await asyncio.wrap_future(future)
    from twisted.internet import reactor
    from twisted.internet.defer import Deferred

    waiting: Deferred[Future[Outcome[T]]] = Deferred()
    future.add_done_callback(lambda done: reactor.callFromThread(waiting.callback, done))
    return (await maybe_deferred_to_future(waiting)).result()
