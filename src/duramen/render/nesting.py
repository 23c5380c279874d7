"""What HTML elements may hold: whether a tag, written where we are, would be read back where we wrote it.

A cleaned page leaves elements out, and what they kept apart may not nest: `<li><form><li>` is fine, `<li><li>` is not.
Broken pages nest what cannot be written at all, `<p><p>` for one. HTML parsers close or move elements then; these rules
say it beforehand.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from duramen.measure import nearest
from duramen.page import BoolArray, Page
from duramen.tags import HEADINGS, TAG_IDS, tag_mask

CLOSES_PARAGRAPH: frozenset[str] = frozenset(
    """
    address article aside blockquote center details dialog dir div dl fieldset figcaption figure footer header hgroup
    main menu nav ol p search section summary ul pre listing form li dd dt plaintext hr table xmp
    h1 h2 h3 h4 h5 h6
    """.split()
)
"""Elements that end an open paragraph where they start."""

_DEFINITIONS = frozenset({"dd", "dt"})
_HEADINGS = frozenset(HEADINGS)
_OPTIONS = frozenset({"option", "optgroup"})
_RUBY_TEXT = frozenset({"rt", "rp"})
_IMPLIED_ENDS = frozenset({"rt", "rp", "rb", "rtc", "p", "li", "dd", "dt", "option", "optgroup"})
# What is open outside of these does not matter inside.
_FENCES = frozenset({"td", "th", "caption", "applet", "object", "marquee"})
# Never one in another of the same name, unless a fence is between them; the last two not even then.
_ONCE = {"a": 1, "nobr": 2, "button": 4, "form": 8, "select": 16}
_ONCE_AND_FOR_ALL = _ONCE["form"] | _ONCE["select"]
# An item looks for the item that it ends through any element that is not special, and through these.
_TRANSPARENT = frozenset({"address", "div", "p"})
_SPECIAL: frozenset[str] = (
    CLOSES_PARAGRAPH
    | _FENCES
    | frozenset(
        """
        area base basefont bgsound body br button col colgroup embed frame frameset head html iframe img input keygen
        link meta noembed noframes noscript param script select source style tbody template textarea tfoot thead title
        tr track wbr
        """.split()
    )
) - {"dialog"}


class Nesting:
    """The elements that are open, innermost last."""

    def __init__(self, root: str) -> None:
        # Of each: its name, the kind of item ("li", "dd" or none) that a new item would end, and bits of _ONCE.
        self._open: list[tuple[str, str, int]] = [(root, "", 0)]

    def fitting(self, name: str) -> str | None:
        """The name under which an element fits here; None where only its content does."""
        top, item, once = self._open[-1]
        if _ONCE.get(name, 0) & once:
            return None
        if (name in _RUBY_TEXT and top in _IMPLIED_ENDS) or (name in _OPTIONS and top == "option"):
            return None
        if name in _HEADINGS and top in _HEADINGS:
            return "div"
        if (name == "li" and item == "li") or (name in _DEFINITIONS and item == "dd"):
            return "div"
        return name

    def open(self, name: str) -> None:
        """An element was opened."""
        _, item, once = self._open[-1]
        if name == "li":
            item = "li"
        elif name in _DEFINITIONS:
            item = "dd"
        elif name in _SPECIAL and name not in _TRANSPARENT:
            item = ""
        if name in _FENCES:
            once &= _ONCE_AND_FOR_ALL
        self._open.append((name, item, once | _ONCE.get(name, 0)))

    def close(self) -> str:
        """The innermost element was closed; its name."""
        return self._open.pop()[0]


def divided_paragraphs(page: Page, closers: Iterable[str], fences: Iterable[str]) -> BoolArray:
    """Which rows are paragraphs that hold an element that would end them; none does through one of `fences`."""
    divided = np.zeros(len(page), dtype=np.bool_)
    paragraphs = page.tag == TAG_IDS["p"]
    if paragraphs.any():
        around = nearest(page, paragraphs | page.has_tag(tag_mask(fences)))
        holders = around[page.parent[page.has_tag(tag_mask(closers)) & (page.parent >= 0)]]
        divided[holders[holders >= 0]] = True
    divided &= paragraphs
    return divided
