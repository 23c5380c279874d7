"""Which rows of a page a reader never sees as text.

This file compiles to C, with the types in `reading.pxd`, and runs as Python where it is not compiled.
"""

from __future__ import annotations

import numpy as np

from duramen.page import BoolArray, Page
from duramen.tags import TAG_IDS, TAG_NAMES, UNSEEN

# Servers of script-built pages (forums above all) put the whole page into <noscript> for readers without scripts. A
# notice to switch scripts on is shorter: on wcxb the notices have up to 40 words, the pages 300 and more.
NOSCRIPT_PAGE_WORDS = 50
_PAGE_WORDS = NOSCRIPT_PAGE_WORDS

_NOSCRIPT, _BODY = TAG_IDS["noscript"], TAG_IDS["body"]
_UNSEEN = bytes(name in UNSEEN and name != "noscript" for name in (*TAG_NAMES, "?"))


def unseen(page: Page) -> BoolArray:
    """Rows that a reader never sees as text: in scripts, styles, the head and the like.

    `<noscript>` is among these, unless it holds the page: more words than all the rest.
    """
    never = np.empty(len(page), dtype=np.uint8)
    mark_unseen(page.tag.data, page.end.data, page.words.data, never.data)
    marked: BoolArray = never.view(np.bool_)
    return marked


def mark_unseen(tag: memoryview, end: memoryview, words: memoryview, never: memoryview) -> int:
    """Fill in `never`, one entry a row."""
    rows, other = len(tag), len(_UNSEEN) - 1
    never_until = noscript_until = spare = rest = 0
    for row in range(rows):
        if _UNSEEN[tag[row] if tag[row] < other else other]:
            if end[row] > never_until:
                never_until = end[row]
        elif tag[row] == _NOSCRIPT and end[row] > noscript_until:
            noscript_until = end[row]
        if row < never_until:
            never[row] = 1
        elif row < noscript_until:
            never[row] = 2
            spare += words[row]
        else:
            never[row] = 0
            rest += words[row]
    if spare or noscript_until:
        holds_page = spare >= _PAGE_WORDS and spare > rest
        for row in range(rows):
            if never[row] == 2:
                never[row] = 0 if holds_page else 1
    return 0


def body_of(tag: memoryview) -> int:
    """The row of the `<body>`, or of the root element where there is none (a frameset)."""
    for row in range(len(tag)):
        if tag[row] == _BODY:
            return row
    return 0


def any_text(chars: memoryview, kept: memoryview) -> bool:
    """Whether one of the rows that are kept is a text node that is not blank."""
    for row in range(len(chars)):  # noqa: SIM110 (compiled to a loop in C)
        if kept[row] and chars[row] > 0:
            return True
    return False
