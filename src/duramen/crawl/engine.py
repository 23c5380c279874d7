"""A crawl's configuration as settings of Scrapy."""

from __future__ import annotations

import pickle
from pathlib import Path
from typing import TYPE_CHECKING, Any

from scrapy.extensions.httpcache import FilesystemCacheStorage
from scrapy.settings import default_settings

from duramen.crawl.config import Config
from duramen.crawl.safety import ALLOW_PRIVATE
from duramen.crawl.store import LOG

if TYPE_CHECKING:
    from scrapy import Spider
    from scrapy.http import Request, Response

# Names of settings, the newest first: others may be deprecated, or not there yet.
_RESOLVERS = ("TWISTED_DNS_RESOLVER", "DNS_RESOLVER")

_JITTERS = ("DOWNLOAD_DELAY_JITTER", "RANDOMIZE_DOWNLOAD_DELAY")


def scrapy_settings(config: Config) -> dict[str, Any]:
    """The settings of Scrapy for a crawl: polite, bounded, and with nothing that listens or asks elsewhere."""
    resolver = next(name for name in _RESOLVERS if hasattr(default_settings, name))
    jitter = next(name for name in _JITTERS if hasattr(default_settings, name))
    checked = "duramen.crawl.safety.CheckedHandler"
    return {
        "BOT_NAME": "duramen",
        "USER_AGENT": config.user_agent,
        # Where it may connect to
        resolver: "duramen.crawl.safety.CheckedResolver",
        ALLOW_PRIVATE: config.allow_private,
        "DOWNLOAD_HANDLERS": {"http": checked, "https": checked, "data": None, "ftp": None, "s3": None},
        "DOWNLOADER_MIDDLEWARES": {"duramen.crawl.bounds.Bounds": 40},
        "HTTPPROXY_ENABLED": False,  # a proxy would look names up itself
        "DOWNLOAD_VERIFY_CERTIFICATES": True,
        "COOKIES_ENABLED": False,
        "METAREFRESH_ENABLED": False,  # pages are read by workers alone
        "TELNETCONSOLE_ENABLED": False,
        "REMOTE_CONTROL_ENABLED": False,
        # How fast
        "CONCURRENT_REQUESTS": config.concurrency,
        "CONCURRENT_REQUESTS_PER_DOMAIN": config.host_concurrency,
        "DOWNLOAD_DELAY": 1 / config.host_rate if config.host_rate else 0,
        jitter: 0,
        "AUTOTHROTTLE_ENABLED": config.autothrottle,
        "AUTOTHROTTLE_START_DELAY": 0.5,
        "CONCURRENT_ITEMS": 1,  # of one response, which has but one; Scrapy starts so many tasks for each
        "SCRAPER_SLOT_MAX_ACTIVE_SIZE": 4 * config.max_bytes,
        "REACTOR_THREADPOOL_MAXSIZE": 20,
        # How much and how long
        "DOWNLOAD_TIMEOUT": config.timeout,
        "DOWNLOAD_MAXSIZE": config.max_bytes,
        "DOWNLOAD_WARNSIZE": 0,
        "RETRY_TIMES": config.retries,
        "RETRY_ENABLED": config.retries > 0,
        "REDIRECT_MAX_TIMES": config.max_redirects,
        "REDIRECT_ENABLED": config.max_redirects > 0,
        "ROBOTSTXT_OBEY": config.robots,
        "ROBOTSTXT_USER_AGENT": None,
        # What becomes of pages
        "ITEM_PIPELINES": {"duramen.crawl.spider.Saving": 300},
        "SCHEDULER_MEMORY_QUEUE": "scrapy.squeues.FifoMemoryQueue",  # breadth first
        "HTTPCACHE_ENABLED": bool(config.http_cache),
        "HTTPCACHE_DIR": str(Path(config.http_cache).absolute()) if config.http_cache else "",
        "HTTPCACHE_STORAGE": "duramen.crawl.engine.CacheStorage",
        "HTTPCACHE_IGNORE_HTTP_CODES": list(range(400, 600)),
        # What is said
        "LOG_FILE": str(Path(config.output_dir, LOG)),
        "LOG_LEVEL": "INFO",
        "STATS_DUMP": True,
        "MEMUSAGE_ENABLED": False,
    }


class CacheStorage(FilesystemCacheStorage):
    """Scrapy's cache on disk, for which an entry that a killed run left half written is none."""

    def retrieve_response(self, spider: Spider, request: Request) -> Response | None:
        """A response that is there whole."""
        try:
            return super().retrieve_response(spider, request)
        except (OSError, EOFError, ValueError, KeyError, pickle.UnpicklingError):
            return None
