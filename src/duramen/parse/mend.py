"""Pages of which an element without an end takes all that follows with it.

A title that lost its end, where a piece of the file is missing, as in archives: browsers show nothing of such a page.
And `<noscript><iframe src="…" /></noscript>`, as tag managers are built in where elements may close themselves:
browsers with scripts never look inside of it, all others lose the rest of the page to the frame.
"""

from __future__ import annotations

import re

import numpy as np

from duramen.page import Page
from duramen.tags import TAG_IDS

MOST_ROWS = 200  # that a page whose title has no end can have: what comes before it; all the rest is in it

_TITLE = re.compile(rb"<title(?:\s[^>]*)?>", re.IGNORECASE)
_END = re.compile(rb"</title[\s/>]", re.IGNORECASE)
_TAG = re.compile(rb"<[a-z/!]", re.IGNORECASE)
_UNSCRIPTED = re.compile(rb"<noscript[\s>]|(</noscript[\s/>])|<iframe[\s>]|(</iframe[\s/>])", re.IGNORECASE)
_SWALLOWED = re.compile(rb"</noscript[\s/>]", re.IGNORECASE)


def mended(page: Page, utf8: bytes) -> bytes | None:
    """The page with what has no end closed; None where nothing is to do."""
    return title_closed(page, utf8) or frames_closed(page, utf8)


def title_closed(page: Page, utf8: bytes) -> bytes | None:
    """The page with its title closed before the next tag; None where the title has an end, or there is none."""
    if len(page) > MOST_ROWS or TAG_IDS["title"] not in page.tag:
        return None
    title = _TITLE.search(utf8)
    if title is None or _END.search(utf8, title.end()):
        return None
    tag = _TAG.search(utf8, title.end())
    return None if tag is None else utf8[: tag.start()] + b"</title>" + utf8[tag.start() :]


def frames_closed(page: Page, utf8: bytes) -> bytes | None:
    """The page with frames in `<noscript>` closed at its end; None where no frame has taken that end with it."""
    frames = np.flatnonzero(page.tag == TAG_IDS["iframe"]).tolist()
    if not any(_SWALLOWED.search(page.utf8_of(row)) for row in frames):
        return None
    parts: list[bytes] = []
    at, inside, framed = 0, False, False
    for tag in _UNSCRIPTED.finditer(utf8):
        if tag[1]:
            if inside and framed:
                parts += [utf8[at : tag.start()], b"</iframe>"]
                at = tag.start()
            inside = framed = False
        elif tag[2]:
            framed = False
        elif inside:
            framed = tag[0][1:2] in b"iI" or framed
        else:
            inside = tag[0][1:2] in b"nN"
    return b"".join((*parts, utf8[at:])) if parts else None
