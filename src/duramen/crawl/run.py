"""A crawl from start to end."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from pathlib import Path

from duramen.crawl.config import Config
from duramen.crawl.frontier import Frontier
from duramen.crawl.gallery import write_gallery
from duramen.crawl.hosts import Hosts
from duramen.crawl.lists import read_list
from duramen.crawl.store import SUMMARY, Record, Store, write_json
from duramen.crawl.summary import Summary
from duramen.crawl.writer import Writer
from duramen.errors import MissingExtra, OptionError

logger = logging.getLogger(__name__)
Said = Callable[[str], None]


class Run:
    """What the parts of a running crawl share."""

    def __init__(self, config: Config, store: Store, frontier: Frontier, said: Said | None = None) -> None:
        self.config = config
        self.store = store
        self.frontier = frontier
        self.hosts = Hosts(config.max_host_failures)
        self.summary = Summary(earlier=frontier.finished)
        self.writer = Writer(store, self.unsaved)
        self._said = said

    def note(self, record: Record) -> None:
        """Count a finished page, and log why it failed."""
        self.summary.note(record)
        if record["status"] == "failed":
            self.say(f"{record['url']}: {record['reason']}: {record['detail'] or ''}".rstrip(": "))
        elif record["status"] == "empty":
            logger.info("%s: no content (%s)", record["url"], record["reason"])

    def unsaved(self, record: Record, problem: Exception) -> None:
        """Log a page that could not be finished; the next run fetches it again."""
        self.summary.not_saved += 1
        self.say(f"{record['url']}: not_saved: {getattr(problem, 'strerror', None) or problem}")

    def say(self, line: str) -> None:
        """Log a line, and tell whoever wants to know."""
        logger.warning("%s", line)
        if self._said is not None:
            self._said(line)


def crawl(config: Config, said: Said | None = None) -> Summary:
    """Run a crawl to its end, or continue the one whose results are in `config.output_dir`.

    `said` is told of every failure, in one line. Once in a process: Twisted's reactor cannot be started again.
    """
    if not config.url_list:
        raise OptionError("url_list is missing: name a file with a URL on each line")
    listed = list(read_list(config.url_list, config.types))
    try:
        import scrapy  # noqa: F401
    except ModuleNotFoundError as error:
        raise MissingExtra(f'crawling needs {error.name}: pip install "duramen[crawl]"') from None
    store = Store(config.output_dir, config.output_format)
    try:
        if config.retry_failed:
            store.forget_failed()
        run = Run(config, store, Frontier(config, store, listed), said)
        started = time.monotonic()
        try:
            run.summary.interrupted = not _crawled(run)
        finally:
            run.writer.close()
        run.summary.seconds = time.monotonic() - started
        _finish(run)
    finally:
        store.close()
    return run.summary


def _crawled(run: Run) -> bool:
    """Let Scrapy do it; whether it came to the end."""
    from scrapy.crawler import CrawlerProcess

    from duramen.crawl.engine import scrapy_settings
    from duramen.crawl.spider import PageSpider

    logging.raiseExceptions = False  # a full disk takes no log either
    process = CrawlerProcess(scrapy_settings(run.config))
    crawler = process.create_crawler(PageSpider)
    process.crawl(crawler, run=run)
    process.start()
    return bool(crawler.stats.get_value("finish_reason") == "finished")


def _finish(run: Run) -> None:
    """Summary and gallery; neither is worth failing for once all pages are written."""
    folder = Path(run.config.output_dir)
    try:
        write_json(folder / SUMMARY, run.summary.to_dict())
        if run.config.gallery:
            write_gallery(folder)
    except OSError as problem:
        run.say(f"{folder}: cannot write the summary or the gallery: {problem.strerror or problem}")
