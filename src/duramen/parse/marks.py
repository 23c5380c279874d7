"""What a page may have to be put right for: elements by their tags, and the pieces of streamed pages, in one pass each.

This file compiles to C, with the types in `marks.pxd`, and runs as Python where it is not compiled.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

try:
    import cython
except ImportError:
    from duramen.parse import uncompiled as cython

if not cython.compiled:
    from duramen.parse.bulk import find

    LETTER = 32  # the bit that makes a capital a small letter

PLACE, PIECE, END, CUT, BOUNDARY = range(5)  # kinds of marks
PIECE_TAG = re.compile(rb'<div hidden(?:="")? id="([^"<>]{0,40})S:([0-9a-f]{1,8})">')
_RAW_TAG = re.compile(rb"<(script|style)[\s>]", re.IGNORECASE)
_RAW_ENDS = {b"sc": re.compile(rb"</script", re.IGNORECASE), b"st": re.compile(rb"</style", re.IGNORECASE)}


def tags_among(tags: Sequence[int], one: int, other: int) -> int:
    """Which of two tags some rows have: 1 for the first, 2 for the second, 3 for both."""
    first = second = 0
    for row in range(len(tags)):
        first |= tags[row] == one
        second |= tags[row] == other
    return first + 2 * second


def marks(utf8: bytes, begins: Sequence[int], ends: Sequence[int]) -> list[tuple[int, int]]:
    """Kind and place of what matters to a streamed page in `utf8[begins[k]:ends[k]]`, in order.

    A `PLACE` or a `BOUNDARY` may be one, by its first letters, a `PIECE` is one; the next `END` is where its end tag
    begins. Where there is none before the next piece or the end of the page, `CUT` is where the last end tag of a `div`
    begins, if there is one. What comments hold is passed over, and what scripts and style sheets do as well.
    """
    page, found = utf8, list[tuple[int, int]]()
    depth, last = 0, -1  # how many `div` are open in a piece
    for number in range(len(begins)):
        at, stop = begins[number], ends[number]
        if at < 0 or stop > len(utf8):
            raise IndexError("a part outside of the page")
        while True:
            at = find(page, 60, at, stop)
            if at + 5 > stop:
                break
            code = page[at + 1]
            if code == 33:  # !
                if page[at + 2] != 45 or page[at + 3] != 45:
                    at += 1
                else:
                    if page[at + 4] == 36 or page[at + 4] == 47:  # $ /
                        found.append((BOUNDARY, at))
                    at = utf8.find(b"-->", at + 2, stop)
                    if at < 0:
                        break
            elif code == 47:  # /
                at += 2
                if depth > 0 and at + 3 < stop and is_div(page, at):
                    depth, last = depth - 1, at - 2
                    if depth == 0:
                        found.append((END, last))
            elif code | LETTER == 100:  # d
                at += 1
                if at + 3 < stop and is_div(page, at):
                    if page[at + 3] == 32 and PIECE_TAG.match(utf8, at - 1, stop):
                        if depth > 0 and last >= 0:
                            found.append((CUT, last))
                        found.append((PIECE, at - 1))
                        depth, last = 1, -1
                    elif depth > 0:
                        depth += 1
            elif code == 116:  # t
                if page[at + 2] == 101 and page[at + 3] == 109 and page[at + 4] == 112:  # emp
                    found.append((PLACE, at))
                at += 1
            elif code | LETTER == 115 and stop == len(utf8) and number == 0 and _RAW_TAG.match(utf8, at):  # s
                # The page as one part: nobody said where its scripts are, or there are none.
                closed = _RAW_ENDS[utf8[at + 1 : at + 3].lower()].search(utf8, at, stop)
                if closed is None:
                    break
                at = closed.end()
            else:
                at += 1
    if depth > 0 and last >= 0:
        found.append((CUT, last))
    return found


def is_div(page: bytes, at: int) -> bool:
    """Whether the name of a tag that begins there, four bytes or more before the end, is `div`."""
    return (
        page[at] | LETTER == 100
        and page[at + 1] | LETTER == 105
        and page[at + 2] | LETTER == 118
        and (page[at + 3] == 62 or page[at + 3] == 47 or page[at + 3] == 32 or 9 <= page[at + 3] <= 13)
    )
