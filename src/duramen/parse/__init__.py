"""UTF-8 HTML → Page: by our own scanner where it is compiled and models the page, else by the reference parser."""

from __future__ import annotations

from importlib.util import find_spec

from duramen.page import Page
from duramen.parse.html5 import parse_html5
from duramen.parse.mend import MOST_ROWS, mended
from duramen.parse.raw_text import with_raw_text

__all__ = ["KERNEL", "parse_html5", "parse_page", "with_raw_text"]

KERNEL: str = "compiled" if find_spec("duramen.parse.kernel") else "pure"
"""Which scanner is installed. The pure one is slower than the reference parser and its walk, so it is not used."""
if KERNEL == "compiled":
    from duramen.parse.scan import scan


def parse_page(utf8: bytes, holds: int = -1) -> Page:
    """The page that a browser with scripts off would build of these bytes; a title without an end is closed.

    `holds` is what decoding saw in them (`Decoded.holds`), to not look a second time.
    """
    page = scan(utf8, holds) if KERNEL == "compiled" else None
    if page is None:
        page = parse_html5(utf8)
    if len(page.tag) > MOST_ROWS:
        return page
    whole = mended(page, utf8)
    return page if whole is None else parse_page(whole)
