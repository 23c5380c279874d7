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

_FRAME = TAG_IDS["iframe"]
_TITLE = re.compile(rb"<title(?:\s[^<>]*)?>", re.IGNORECASE)
_END = re.compile(rb"</title[\s/>]", re.IGNORECASE)
_TAG = re.compile(rb"<[a-z/!]", re.IGNORECASE)
# Letters in both cases, instead of a flag, leave a first character to search for, which is ten times as fast.
_UNSCRIPTED = re.compile(rb"<(/?)([Nn][Oo][Ss][Cc][Rr][Ii][Pp][Tt]|[Ii][Ff][Rr][Aa][Mm][Ee])[\s/>]")
_SWALLOWED = re.compile(rb"</noscript[\s/>]", re.IGNORECASE)


def title_closed(page: Page, utf8: bytes) -> bytes | None:
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


def frames_closed(page: Page, utf8: bytes) -> bytes | None:
    """The page with frames in `<noscript>` closed at its end; None where no frame has taken that end with it."""
    frames = np.flatnonzero(page.tag == _FRAME)
    begins, ends = page.text_at[frames].tolist(), page.text_at[page.end[frames]].tolist()
    if not any(begin < end and _SWALLOWED.search(page.text, begin, end) for begin, end in zip(begins, ends)):
        return None
    parts: list[bytes] = []
    at, inside, framed = 0, False, False
    for tag in _UNSCRIPTED.finditer(utf8):
        end, frame = bool(tag[1]), tag[2][:1] in b"iI"
        if end and not frame:
            if framed:
                parts += [utf8[at : tag.start()], b"</iframe>"]
                at = tag.start()
            inside = framed = False
        elif frame:
            framed = inside and not end
        else:
            inside = True
    return b"".join((*parts, utf8[at:])) if parts else None
