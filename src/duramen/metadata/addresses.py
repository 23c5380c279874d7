"""Absolute http(s) addresses of what a page refers to, and the parts of an address."""

from __future__ import annotations

from collections.abc import Iterable
from urllib.parse import urljoin, urlsplit

from duramen.metadata.statements import Statements
from duramen.metadata.text import NOT_SHOWN

URL_CHARS = 2048


def base_address(said: Statements, url: str | None) -> str:
    """What relative addresses are relative to: `<base href>`, else where the page came from."""
    hrefs = (said.page.attribute(row, "href") for row in said.rows["base"])
    return next((join_url(url or "", href) for href in hrefs if href), url or "")


def first_address(base: str, candidates: Iterable[str | None]) -> str | None:
    """The first candidate that is an absolute http(s) address."""
    for candidate in candidates:
        if not candidate or len(candidate) > URL_CHARS:
            continue
        address = join_url(base, NOT_SHOWN.sub("", candidate).strip().replace(" ", "%20"))
        scheme, host, *_ = split_url(address)
        if scheme in ("http", "https") and host and len(address) <= URL_CHARS:
            return address
    return None


def join_url(base: str, address: str) -> str:
    """An address as seen from another; empty for what is no URL."""
    try:
        return urljoin(base, address)
    except ValueError:
        return ""


def split_url(url: str) -> tuple[str, str, str, str]:
    """Scheme, host with port, path and query; empty for what is no URL."""
    try:
        return urlsplit(url)[:4]
    except ValueError:
        return "", "", "", ""
