"""Which elements may be named for comments.

This file compiles to C, with the types in `comments.pxd`, and runs as Python where it is not compiled.
"""

from __future__ import annotations

import numpy as np

from duramen.page import FlagArray, Page

try:
    import cython
except ImportError:
    from duramen.parse import uncompiled as cython

if not cython.compiled:
    from duramen.measure.buffers import ints, new_octets, octets

_WORDS = (b"comment", b"disqus", b"discussion", b"reply", b"replies")
_JOINED, _ENDS = b"".join(_WORDS), np.cumsum([0, *map(len, _WORDS)], dtype=np.int32).data
_LETTERS = octets(_JOINED, len(_JOINED))


def named_for_comments(page: Page, first: int, marked: FlagArray) -> list[int]:
    """The rows from `first` on that hold a marked one and may be named for comments, by their `id` or `class`.

    `marked` is used up.
    """
    rows, attributes, size = len(page), len(page.attr_value_at), len(page.attrs)
    parent, attr_at = ints(page.parent, rows), ints(page.attr_at, rows + 1)
    names, values = ints(page.attr_name_at, attributes + 1), ints(page.attr_value_at, attributes)
    attrs, holds, found = octets(page.attrs, size), new_octets(marked, rows), []
    for row in range(rows - 1, max(first, 1) - 1, -1):
        if not holds[row]:
            continue
        if 0 <= parent[row] < row:
            holds[parent[row]] = 1
        for k in range(max(attr_at[row], 0), min(attr_at[row + 1], attributes)):
            name, value, end = names[k], values[k], names[k + 1]
            if not 0 <= name < value <= end <= size:
                continue
            is_id = value - name == 2 and attrs[name] == 0x69
            is_class = value - name == 5 and attrs[name] == 0x63
            if (is_id or is_class) and _speaks(attrs, value, end):
                found.append(row)
                break
    found.reverse()
    return found


def _speaks(attrs: memoryview, start: int, stop: int) -> int:
    """Whether one of `_WORDS` stands in attrs[start:stop], in whatever case."""
    for at in range(start, stop):
        letter = attrs[at] | 0x20
        if letter == 0x63 or letter == 0x64 or letter == 0x72:  # c, d, r
            for k in range(len(_ENDS) - 1):
                if _reads(attrs, at, stop, _ENDS[k], _ENDS[k + 1]):
                    return 1
    return 0


def _reads(attrs: memoryview, at: int, stop: int, first: int, end: int) -> int:
    """Whether attrs[at:stop] begins with the letters `first` .. `end`-1 of the words, in whatever case."""
    if stop - at < end - first:
        return 0
    for k in range(end - first):
        if attrs[at + k] | 0x20 != _LETTERS[first + k]:
            return 0
    return 1
