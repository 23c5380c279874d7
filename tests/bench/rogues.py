"""Extractors that misbehave, for the runner to survive."""

from __future__ import annotations

import os
import time


def words_of(html: bytes, url: str | None) -> str:
    """The page without its tags, more or less."""
    import re

    return re.sub(r"<[^>]*>", " ", html.decode())


def sleeps(html: bytes, url: str | None) -> str:
    """Never comes back from a page that says so."""
    if b"slumber" in html:
        time.sleep(600)
    return words_of(html, url)


def dies(html: bytes, url: str | None) -> str:
    """Takes its process along."""
    if b"die<" in html:
        os._exit(9)
    return words_of(html, url)


def raises(html: bytes, url: str | None) -> str:
    """Fails on every page."""
    print("noise on stdout")  # noqa: T201  (the runner has to keep it away)
    raise RuntimeError("no such luck")
