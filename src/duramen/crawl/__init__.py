"""Fetching pages from the web, safely: see `duramen.crawl.fetch`."""

from __future__ import annotations

from duramen.crawl.fetch import Fetched, fetch

__all__ = ["Fetched", "fetch"]
