"""Pages that lost the end of their title: a browser takes all that follows for the title and shows nothing.

Archives have such pages, where a piece of the file is missing.
"""

from __future__ import annotations

import re

from duramen.page import Page
from duramen.tags import TAG_IDS

MOST_ROWS = 200  # that a page whose title has no end can have: what comes before it; all the rest is in it

_TITLE = re.compile(rb"<title(?:\s[^>]*)?>", re.IGNORECASE)
_END = re.compile(rb"</title[\s/>]", re.IGNORECASE)
_TAG = re.compile(rb"<[a-z/!]", re.IGNORECASE)


def mended(page: Page, utf8: bytes) -> bytes | None:
    """The page, of at most MOST_ROWS, with its title closed before the next tag.

    None where the title has an end, or there is none.
    """
    if TAG_IDS["title"] not in page.tag:
        return None
    title = _TITLE.search(utf8)
    if title is None or _END.search(utf8, title.end()):
        return None
    tag = _TAG.search(utf8, title.end())
    return None if tag is None else utf8[: tag.start()] + b"</title>" + utf8[tag.start() :]
