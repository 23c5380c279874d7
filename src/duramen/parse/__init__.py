"""UTF-8 HTML → Page: by our own scanner where it is compiled and models the page, else by the reference parser."""

from __future__ import annotations

from importlib.util import find_spec

from duramen.page import Page
from duramen.parse.html5 import parse_html5
from duramen.parse.marks import tags_among
from duramen.parse.mend import MOST_ROWS, frames_closed, title_closed
from duramen.parse.raw_text import with_raw_text
from duramen.parse.streamed import put_in_place
from duramen.tags import TAG_IDS

__all__ = ["KERNEL", "parse_html5", "parse_page", "with_raw_text"]

KERNEL: str = "compiled" if find_spec("duramen.parse.kernel") else "pure"
"""Which scanner is installed. The pure one is slower than the reference parser and its walk, so it is not used."""
if KERNEL == "compiled":
    from duramen.parse.scan import scan

_FRAME, _TEMPLATE = TAG_IDS["iframe"], TAG_IDS["template"]


def parse_page(utf8: bytes, holds: int = -1) -> Page:
    """The page that a browser with scripts off would build of these bytes, but for what hides the text of whole pages.

    A title or frame without an end is closed, and pieces that a server sent late stand where their script would put
    them. `holds` is what decoding saw in the bytes (`Decoded.holds`), to not look a second time.
    """
    page = _parsed(utf8, holds)
    if len(page) <= MOST_ROWS:
        closed = title_closed(page, utf8)
        if closed is not None:
            utf8, page = closed, _parsed(closed)
    odd = tags_among(page.tag.data, _FRAME, _TEMPLATE)
    if odd & 1:
        closed = frames_closed(page, utf8)
        if closed is not None:
            utf8, page, odd = closed, _parsed(closed), 2  # templates may have been in the frame
    if odd & 2:
        joined = put_in_place(page, utf8)
        if joined is not None:
            whole = _parsed(joined.utf8)
            # A piece that breaks off within a tag takes what follows with it: then the page stays as it was sent.
            if len(whole.text) + joined.text >= len(page.text) and len(whole) + joined.rows >= len(page):
                page = whole
    return page


def _parsed(utf8: bytes, holds: int = -1) -> Page:
    page = scan(utf8, holds) if KERNEL == "compiled" else None
    return parse_html5(utf8) if page is None else page
