"""Where comment sections may be: names and headings with a word that tells of comments, in two passes.

Most pages have none; what is found is for `comments` to judge.

This file compiles to C, with the types in `sections.pxd`, and runs as Python where it is not compiled.
"""

from __future__ import annotations

from typing import Any

from duramen.algorithms.learned.needles import Needles
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
    )
    from duramen.algorithms.learned.sight import COMMENT_TYPE, COMMENT_WORD, KIND
    from duramen.measure.buffers import check_tree, ints, octets

    IS_HEADING = 1

_KINDS = bytes(1 * (name in ("h2", "h3", "h4", "h5", "h6", "legend")) for name in (*TAG_NAMES, "?"))

# Any heading of a comment section has one of these. Small and capital letters beyond ASCII are for `comments` to tell
# apart: of Cyrillic headings only those without т are left out, and four characters are i, s and k in another case.
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


def named_sections(page: Page, attribute_kinds: Any) -> list[tuple[int, int, int, bool]]:
    """Names with a word of comment sections in them: row, begin and end, and whether it is one of schema.org's.

    Which attributes have such a word is told by their kinds: see `sight`.
    """
    rows, count = len(page), len(page.attr_value_at)
    attr_at, names = ints(page.attr_at, rows + 1), ints(page.attr_name_at, count + 1)
    values, kinds = ints(page.attr_value_at, count), octets(attribute_kinds, count)
    check_attributes(attr_at, rows, count)
    found: list[tuple[int, int, int, bool]] = []
    for row in range(rows):
        for at in range(attr_at[row], attr_at[row + 1]):
            if not kinds[at] & (COMMENT_WORD | COMMENT_TYPE):
                continue
            kind = kinds[at] & KIND
            if kind in (CLASS, ID, COMPONENT, TESTID):
                found.append((row, values[at], names[at + 1], False))
            elif kind in (ITEMPROP, ITEMTYPE) and kinds[at] & COMMENT_TYPE:
                found.append((row, values[at], names[at + 1], True))
    return found


def headed_sections(page: Page, sections: Any, running: Any, most: int, heading_words: int) -> list[int]:
    """Headings outside of the sections known, of few words and one that tells of comments: of the last `most` headings.

    `running`, with one entry more than there are rows, is the running sum of words that are seen.
    """
    rows, other, left = len(page), len(_KINDS) - 1, most
    tag, parent, end, text_at = (
        ints(page.tag, rows),
        ints(page.parent, rows),
        ints(page.end, rows),
        ints(page.text_at, rows + 1),
    )
    check_tree(tag, parent, end, rows)
    inside, seen = octets(sections, rows), ints(running, rows + 1)
    source = page.text
    text, length = source, len(source)
    found: list[int] = []
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
