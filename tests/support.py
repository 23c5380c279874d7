"""Small tools that the tests share."""

from __future__ import annotations

from duramen.page import Page, Selection
from duramen.parse import parse_html5


def page_of(html: str | bytes) -> Page:
    """The page of some HTML."""
    return parse_html5(html.encode() if isinstance(html, str) else html)


def words(count: int, letter: str) -> str:
    """`count` different words: a1 a2 a3 …"""
    return " ".join(f"{letter}{number}" for number in range(1, count + 1))


def find(page: Page, selector: str) -> int:
    """The first row for `tag`, `#id` or `tag#id`, or a text node for `"some text"` (in quotes)."""
    for row in range(len(page)):
        if selector.startswith('"'):
            if page.tag[row] == 0 and page.text_of(row).strip() == selector.strip('"'):
                return row
            continue
        name, _, identity = selector.partition("#")
        if page.tag[row] and name in ("", page.tag_name(row)) and identity in ("", page.attribute(row, "id") or ""):
            return row
    raise AssertionError(f"no {selector} in the page")


def kept_text(page: Page, selection: Selection) -> str:
    """The kept text nodes, white space collapsed, joined by blanks."""
    rows = (row for row in range(len(page)) if selection.kept[row] and page.tag[row] == 0)
    return " ".join(piece for row in rows if (piece := " ".join(page.text_of(row).split())))
