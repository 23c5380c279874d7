"""Fetching pages from the web, safely: one (`fetch`), or a list and what it leads to (`crawl`).

`config` → `frontier` (what to fetch) → Scrapy (`engine`, `safety`, `bounds`, `spider`) → `work` (in worker processes)
→ `store` (on disk) → `gallery`, `summary`. `DuramenPipeline` is the extraction for Scrapy projects of your own.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from duramen.crawl.fetch import Fetched, fetch

if TYPE_CHECKING:
    from duramen.crawl.config import Config, load
    from duramen.crawl.pipeline import DuramenPipeline
    from duramen.crawl.run import crawl
    from duramen.crawl.summary import Summary

__all__ = ["Config", "DuramenPipeline", "Fetched", "Summary", "crawl", "fetch", "load"]

# Scrapy is an extra and slow to import: these come when they are asked for.
_LATER = {"Config": "config", "load": "config", "crawl": "run", "Summary": "summary", "DuramenPipeline": "pipeline"}


def __getattr__(name: str) -> Any:
    if name not in _LATER:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(f"{__name__}.{_LATER[name]}"), name)
