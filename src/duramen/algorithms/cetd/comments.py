"""Which elements may be named for comments.

This file compiles to C, with the types in `comments.pxd`, and runs as Python where it is not compiled.
"""

from __future__ import annotations

from duramen.page import Page

_WORDS = (b"comment", b"disqus", b"discussion", b"reply", b"replies")


def named_for_comments(page: Page, first: int, marked: memoryview) -> list[int]:
    """The rows from `first` on that hold a marked one and may be named for comments, by their `id` or `class`.

    `marked` is used up.
    """
    parent, attr_at = page.parent.data, page.attr_at.data
    names, values, attrs = page.attr_name_at.data, page.attr_value_at.data, memoryview(page.attrs)
    found = []
    for row in range(len(parent) - 1, first - 1, -1):
        if not marked[row]:
            continue
        if parent[row] >= 0:
            marked[parent[row]] = 1
        for k in range(attr_at[row], attr_at[row + 1]):
            length = values[k] - names[k]
            is_id = length == 2 and attrs[names[k]] == 0x69
            is_class = length == 5 and attrs[names[k]] == 0x63
            if (is_id or is_class) and _speaks(attrs, values[k], names[k + 1]):
                found.append(row)
                break
    found.reverse()
    return found


def _speaks(attrs: memoryview, start: int, stop: int) -> int:
    """Whether one of `_WORDS` stands in attrs[start:stop], in whatever case."""
    for at in range(start, stop):
        letter = attrs[at] | 0x20
        if letter == 0x63 or letter == 0x64 or letter == 0x72:  # c, d, r
            for word in _WORDS:
                if _reads(attrs, at, stop, word):
                    return 1
    return 0


def _reads(attrs: memoryview, at: int, stop: int, word: bytes) -> int:
    """Whether attrs[at:stop] begins with a word, in whatever case."""
    if stop - at < len(word):
        return 0
    for k in range(len(word)):
        if attrs[at + k] | 0x20 != word[k]:
            return 0
    return 1
