"""Which elements are named for comments.

This file compiles to C, with the types in `comments.pxd`, and runs as Python where it is not compiled.
"""

from __future__ import annotations

import re

import numpy as np

from duramen.page import Page

try:
    import cython
except ImportError:
    from duramen.parse import uncompiled as cython

if not cython.compiled:
    from duramen.measure.buffers import ints, new_octets, octets

# Words of `id` and `class` that stand for comments by themselves; what may stand before "comment" or "comments" …
_ALONE = (b"disqus", b"discussion", b"discussions", b"reply", b"replies")
_BEFORE = (b"user", b"reader", b"post", b"blog")
# … and what may stand behind.
_BEHIND = (
    *(b"list", b"area", b"body", b"text", b"thread", b"section"),
    *(b"container", b"wrap", b"wrapper", b"block", b"box"),
)
_WORDS = (*_ALONE, *_BEFORE, b"comment", *_BEHIND)
_FIRST_BEFORE, _COMMENT, _FIRST_BEHIND = len(_ALONE), len(_ALONE + _BEFORE), len(_ALONE + _BEFORE) + 1
_JOINED, _ENDS = b"".join(_WORDS), np.cumsum([0, *map(len, _WORDS)], dtype=np.int32).data
_LETTERS = octets(_JOINED, len(_JOINED))


def _either(words: tuple[bytes, ...]) -> str:
    return b"|".join(words).decode()


_NAME = re.compile(f"(?:{_either(_BEFORE)})?comments?(?:{_either(_BEHIND)})?|{_either(_ALONE)}")


def named_for_comments(page: Page, first: int, sections: list[int]) -> list[int]:
    """The rows from `first` on that are or hold one of `sections` and are named for comments, by `id` or `class`."""
    rows, attributes, size = len(page), len(page.attr_value_at), len(page.attrs)
    parent, attr_at = ints(page.parent, rows), ints(page.attr_at, rows + 1)
    names, values = ints(page.attr_name_at, attributes + 1), ints(page.attr_value_at, attributes)
    attrs, seen_store, found = octets(page.attrs, size), bytearray(rows), []
    seen = new_octets(seen_store, rows)
    for section in sections:
        row = section
        while max(first, 1) <= row < rows and not seen[row]:
            seen[row] = 1
            for k in range(max(attr_at[row], 0), min(attr_at[row + 1], attributes)):
                name, value, end = names[k], values[k], names[k + 1]
                if 0 <= name < value <= end <= size and _is_name(attrs, name, value):
                    verdict = _speaks(attrs, value, end)
                    if verdict > 0 or (verdict < 0 and _speaks_in_other_letters(page.attrs[value:end])):
                        found.append(row)
                        break
            row = parent[row]
    found.sort()
    return found


def _is_name(attrs: memoryview, at: int, stop: int) -> int:
    """Whether attrs[at:stop] is `id` or `class`."""
    if stop - at == 2:
        return attrs[at] == 0x69 and attrs[at + 1] == 0x64
    if stop - at != 5 or attrs[at] != 0x63 or attrs[at + 1] != 0x6C:
        return 0
    return attrs[at + 2] == 0x61 and attrs[at + 3] == 0x73 and attrs[at + 4] == 0x73


def _speaks(attrs: memoryview, at: int, stop: int) -> int:
    """Whether a word of attrs[at:stop] stands for comments, in whatever case; -1 where not all of it is ASCII."""
    found = 0
    while at < stop:
        if attrs[at] >= 0x80:
            return -1
        start = at
        while at < stop and 0x61 <= attrs[at] | 0x20 <= 0x7A:
            at += 1
        if at - start >= 5 and _is_comments(attrs, start, at):
            found = 1
        if at == start:
            at += 1
    return found


def _is_comments(attrs: memoryview, at: int, stop: int) -> int:
    """Whether the letters attrs[at:stop] stand for comments."""
    for k in range(_FIRST_BEFORE):
        if stop - at == _ENDS[k + 1] - _ENDS[k] and _reads(attrs, at, stop, k):
            return 1
    for k in range(_FIRST_BEFORE, _COMMENT):
        if _reads(attrs, at, stop, k):
            at += _ENDS[k + 1] - _ENDS[k]
            break
    if not _reads(attrs, at, stop, _COMMENT):
        return 0
    at += _ENDS[_COMMENT + 1] - _ENDS[_COMMENT]
    return _may_end(attrs, at, stop) or (at < stop and attrs[at] | 0x20 == 0x73 and _may_end(attrs, at + 1, stop))


def _may_end(attrs: memoryview, at: int, stop: int) -> int:
    """Whether attrs[at:stop] may stand behind "comment": nothing, or one of the words."""
    if at == stop:
        return 1
    for k in range(_FIRST_BEHIND, len(_ENDS) - 1):
        if stop - at == _ENDS[k + 1] - _ENDS[k] and _reads(attrs, at, stop, k):
            return 1
    return 0


def _reads(attrs: memoryview, at: int, stop: int, word: int) -> int:
    """Whether attrs[at:stop] begins with one of the words, in whatever case."""
    first, length = _ENDS[word], _ENDS[word + 1] - _ENDS[word]
    if stop - at < length:
        return 0
    for k in range(length):
        if attrs[at + k] | 0x20 != _LETTERS[first + k]:
            return 0
    return 1


def _speaks_in_other_letters(value: bytes) -> bool:
    """The same of a value with letters that are not ASCII: of some, those in lower case are."""
    words = re.split(r"[^a-z]+", value.decode("utf-8", "replace").lower())
    return any(_NAME.fullmatch(word) for word in words)
