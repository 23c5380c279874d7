"""Where comment sections may be: names and headings with a word that tells of comments, in two passes.

Most pages have none; what is found is for `comments` to judge.

This file compiles to C, with the types in `sections.pxd`, and runs as Python where it is not compiled.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from duramen.algorithms.learned.needles import Needles
from duramen.measure.reading import fill_unseen
from duramen.page import Page
from duramen.tags import TAG_NAMES

try:
    import cython
except ImportError:
    from duramen.parse import uncompiled as cython

if not cython.compiled:
    from duramen.algorithms.learned.kinds import (
        CLASS,
        COMPONENT,
        ID,
        ITEMPROP,
        ITEMTYPE,
        TESTID,
        check_attributes,
        kind_of,
    )
    from duramen.measure.buffers import ints, new_ints, octets

    IS_HEADING = 1

_KINDS = bytes(1 * (name in ("h2", "h3", "h4", "h5", "h6", "legend")) for name in (*TAG_NAMES, "?"))

# Any name of a comment section has one of these words in it …
_NAMES = Needles(
    dict.fromkeys(
        (
            *(b"comment", b"disqus", b"respond", b"komment", b"coment", b"reactie", b"pinglun"),
            *("评论".encode(), "評論".encode(), b"guestbook", b"komentar", b"yorum", b"discuss", b"livefyre"),
            *(b"viafoura", b"coral", b"spotim", b"openweb", b"hyvor", b"utteranc", b"giscus"),
        ),
        1,
    )
)
_SCHEMA = Needles({b"comment": 1})
# … and any heading of one has one of these. Small and capital letters beyond ASCII are for `comments` to tell apart: of
# Cyrillic headings only those without т are left out, and four characters are i, s and k in another case.
_HEADED = Needles(
    dict.fromkeys(
        (
            *(b"comment", b"respon", b"repl", b"reacti", b"thought", b"komment", b"antwort", b"ponse", b"coment"),
            *(b"respuesta", b"resposta", b"commento", b"rispost", b"koment", b"yorum", b"conversation", b"discussion"),
            *(word.encode() for word in "т Т 评论 評論 留言 コメント 댓글 \u0130 \u0131 \u017f \u212a".split()),
        ),
        1,
    )
)


def named_sections(page: Page) -> list[tuple[int, int, int, bool]]:
    """Names with a word of comment sections in them: row, begin and end, and whether it is one of schema.org's."""
    rows, count = len(page), len(page.attr_value_at)
    attr_at, names = ints(page.attr_at, rows + 1), ints(page.attr_name_at, count + 1)
    values = ints(page.attr_value_at, count)
    check_attributes(attr_at, rows, count)
    source = page.attrs
    attrs, length = source, len(source)
    found: list[tuple[int, int, int, bool]] = []
    for row in range(rows):
        for at in range(attr_at[row], attr_at[row + 1]):
            kind = kind_of(attrs, length, names[at], values[at], names[at + 1])
            if kind in (CLASS, ID, COMPONENT, TESTID):
                if _NAMES.found(attrs, values[at], names[at + 1]):
                    found.append((row, values[at], names[at + 1], False))
            elif kind in (ITEMPROP, ITEMTYPE) and _SCHEMA.found(attrs, values[at], names[at + 1]):
                found.append((row, values[at], names[at + 1], True))
    return found


def headed_sections(page: Page, sections: Any, running: Any, most: int, heading_words: int) -> list[int]:
    """Headings outside of the sections known, of few words and one that tells of comments: of the last `most` headings.

    `running`, with one entry more than there are rows, gets the running sum of words that are seen.
    """
    rows, other, total, left = len(page), len(_KINDS) - 1, 0, most
    never_of = np.empty(rows, dtype=np.uint8)
    fill_unseen(page, never_of)
    tag, end, words, text_at = (
        ints(page.tag, rows),
        ints(page.end, rows),
        ints(page.words, rows),
        ints(page.text_at, rows + 1),
    )
    inside, never, seen = octets(sections, rows), octets(never_of, rows), new_ints(running, rows + 1)
    source = page.text
    text, length = source, len(source)
    found: list[int] = []
    for row in range(rows):
        seen[row] = total
        if words[row] and not never[row]:
            total += words[row]
    seen[rows] = total
    for row in range(rows - 1, -1, -1):
        if not _KINDS[tag[row] if tag[row] < other else other] & IS_HEADING or inside[row]:
            continue
        below = seen[end[row]] - seen[row]
        if below == 0 or below > heading_words:
            continue
        if left == 0:
            break
        left -= 1
        if not 0 <= text_at[row] <= text_at[end[row]] <= length:
            raise IndexError("a text outside of the page")
        if _HEADED.found(text, text_at[row], text_at[end[row]]):
            found.append(row)
    found.reverse()
    return found
