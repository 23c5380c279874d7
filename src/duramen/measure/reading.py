"""Which rows of a page a reader never sees as text.

This file compiles to C, with the types in `reading.pxd`, and runs as Python where it is not compiled.
"""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np

from duramen.page import BoolArray, Page
from duramen.tags import TAG_IDS, TAG_NAMES, UNSEEN

try:
    import cython
except ImportError:
    cython = SimpleNamespace(compiled=False)

if not cython.compiled:
    from duramen.measure.buffers import check_tree, ints, new_octets, octets

# Servers of script-built pages (forums above all) put the whole page into <noscript> for readers without scripts. A
# notice to switch scripts on is shorter: on wcxb the notices have up to 40 words, the pages 300 and more.
NOSCRIPT_PAGE_WORDS = 50
_PAGE_WORDS = NOSCRIPT_PAGE_WORDS

_NOSCRIPT, _BODY = TAG_IDS["noscript"], TAG_IDS["body"]
_KINDS = bytes(name in UNSEEN and name != "noscript" for name in (*TAG_NAMES, "?"))
_OTHER = len(TAG_NAMES)  # stands for elements that have no name there
_UNSEEN = octets(_KINDS, _OTHER + 1)


def unseen(page: Page) -> BoolArray:
    """Rows that a reader never sees as text: in scripts, styles, the head and the like.

    `<noscript>` is among these, unless it holds the page: more words than all the rest.
    """
    never = np.empty(len(page), dtype=np.uint8)
    fill_unseen(page, never)
    marked: BoolArray = never.view(np.bool_)
    return marked


def fill_unseen(page: Page, never: Any) -> int:
    """Fill in `never`, an array of bytes or a view of one: 1 for the rows that a reader never sees as text."""
    size = len(page)
    tag, parent, end = ints(page.tag, size), ints(page.parent, size), ints(page.end, size)
    check_tree(tag, parent, end, size)
    return mark_unseen(tag, end, ints(page.words, size), new_octets(np.asarray(never), size), size)


def mark_unseen(tag: memoryview, end: memoryview, words: memoryview, never: memoryview, rows: int) -> int:
    """Fill in `never`, one entry a row of a tree."""
    kinds, other, noscript = _UNSEEN, _OTHER, _NOSCRIPT
    never_until = noscript_until = first = spare = rest = 0
    for row in range(rows):
        if kinds[tag[row] if tag[row] < other else other]:
            if end[row] > never_until:
                never_until = end[row]
        elif tag[row] == noscript and end[row] > noscript_until:
            first = first if noscript_until else row
            noscript_until = end[row]
        if row < never_until:
            never[row] = 1
        elif row < noscript_until:
            never[row] = 2
            spare += words[row]
        else:
            never[row] = 0
            rest += words[row]
    holds_page = spare >= _PAGE_WORDS and spare > rest
    for row in range(first, noscript_until):
        if never[row] == 2:
            never[row] = 0 if holds_page else 1
    return 0


def body_of(tag: memoryview) -> int:
    """The row of the `<body>`, or of the root element where there is none (a frameset)."""
    for row in range(len(tag)):
        if tag[row] == _BODY:
            return row
    return 0


def any_text(page: Page, kept: Any) -> bool:
    """Whether one of the rows that are kept, by an array of one byte a row, is a text node that is not blank."""
    size = len(page)
    chars, marked = ints(page.chars, size), octets(kept, size)
    for row in range(size):  # noqa: SIM110 (compiled to a loop in C)
        if marked[row] and chars[row] > 0:
            return True
    return False
