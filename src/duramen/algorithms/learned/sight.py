"""What several searches of a page share: which rows are read, which attribute is which, and which values say the same.

This file compiles to C, with the types in `sight.pxd`, and runs as Python where it is not compiled.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from duramen.algorithms.learned.kinds import fill_kinds
from duramen.algorithms.learned.needles import Needles
from duramen.measure.reading import fill_unseen
from duramen.page import FlagArray, IntArray, Page

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
        OTHER,
        ROLE,
        TESTID,
        check_attributes,
    )
    from duramen.measure.buffers import further, ints, new_ints, new_longs, new_octets, octets, room

    # A value that was read before is found again within so many steps, or read once more: no page can make this slow.
    PROBES = 16
    KIND = 31  # the bits of an attribute's kind, see `kinds` …
    UNSEEN_WORD, COMMENT_WORD, COMMENT_TYPE = 32, 64, 128  # … and of what its value has in it

    def digest(attrs: bytes, start: int, stop: int) -> int:
        """A hash to find equal values by; compiled code has another one."""
        return hash(attrs[start:stop])

    def equal(attrs: bytes, one: int, other: int, size: int) -> bool:
        """Whether two stretches of bytes are the same."""
        return attrs[one : one + size] == attrs[other : other + size]

    def slot_of(key: int, mask: int) -> int:
        """Where in a table a hash has its place."""
        return key & mask


# Any class of what only screen readers read has one of the first words in it, any name of a comment section one of the
# others; `hidden` and `comments` take a closer look at both.
_WORDS = Needles(
    {
        **dict.fromkeys((b"sr-only", b"reader", b"visually", b"assistive", b"a11y"), UNSEEN_WORD),
        **dict.fromkeys(
            (
                *(b"disqus", b"respond", b"komment", b"coment", b"reactie", b"pinglun", b"guestbook", b"komentar"),
                *("评论".encode(), "評論".encode(), b"yorum", b"discuss", b"livefyre", b"viafoura", b"coral"),
                *(b"spotim", b"openweb", b"hyvor", b"utteranc", b"giscus"),
            ),
            COMMENT_WORD,
        ),
        b"comment": COMMENT_WORD | COMMENT_TYPE,
    }
)


class Sight(NamedTuple):
    """What is known of a page before anything is searched in it."""

    never: FlagArray  # row → 1 where a reader never sees its text
    seen: IntArray  # one more than there are rows: how many words that a reader sees come before each
    kinds: FlagArray  # attribute → its kind, and bits of what is in its value
    told: int  # all such bits that there are
    named: IntArray  # two rows: the row of each attribute that names an element, and the number of its value
    values: IntArray  # two rows: where each distinct value of these starts and stops
    size: int  # bytes in these values


def look(page: Page) -> Sight:
    """A first look at a page."""
    rows, most = len(page), len(page.attr_value_at)
    never, seen = np.empty(rows, dtype=np.uint8), np.empty(rows + 1, dtype=np.int32)
    fill_unseen(page, never)
    count_seen(page, never, seen)
    kinds = np.empty(most, dtype=np.uint8)
    naming = fill_kinds(page, kinds)
    places, values = np.empty((2, naming), dtype=np.int32), np.empty((2, naming), dtype=np.int32)
    named, distinct, size, told = survey(page, kinds, places, values, naming)
    places = places if named == naming else places[:, :named].copy()
    return Sight(never, seen, kinds, told, places, values[:, :distinct].copy(), size)


def count_seen(page: Page, unseen: Any, running: Any) -> int:
    """Fill in the running sum of the words that a reader sees."""
    rows = len(page)
    words, never, seen = ints(page.words, rows), octets(unseen, rows), new_ints(running, rows + 1)
    total = 0
    for row in range(rows):
        seen[row] = total
        if words[row] and not never[row]:
            total += words[row]
    seen[rows] = total
    return 0


def survey(page: Page, kinds: Any, places: Any, values: Any, naming: int) -> tuple[int, int, int, int]:
    """Number the distinct values of the attributes that name elements: class, id, role, itemprop.

    There are `naming` of them. To the `kinds` of attributes is added what is in their values. `places` gets the row and
    the number of the value of those that name something, `values` where each distinct one starts and stops. Returns how
    many names and distinct values there are, the bytes of the latter, and all bits of what was found in values.
    """
    rows, count = len(page), len(page.attr_value_at)
    attr_at, names = ints(page.attr_at, rows + 1), ints(page.attr_name_at, count + 1)
    ends = ints(page.attr_value_at, count)
    check_attributes(attr_at, rows, count)
    source = page.attrs
    attrs, length = source, len(source)
    kind_at, row_of, start_at = new_octets(kinds, count), new_ints(places, 2 * naming), new_ints(values, 2 * naming)
    value_of, stop_at = further(row_of, naming), further(start_at, naming)
    mask = 15
    while mask < 2 * naming:
        mask = 2 * mask + 1
    stores = room(16 * naming), bytearray(4 * (mask + 1))
    digests, slots = new_longs(stores[0], 2 * naming), new_ints(stores[1], mask + 1)
    named = distinct = size = every = 0
    for row in range(rows):
        for at in range(attr_at[row], attr_at[row + 1]):
            kind = kind_at[at]
            if kind == OTHER:
                continue
            start, stop = ends[at], names[at + 1]
            if not 0 <= start <= stop <= length:
                raise IndexError("an attribute outside of the page")
            if kind in (CLASS, ID, ROLE, ITEMPROP):
                if start == stop:
                    continue
                key = digest(attrs, start, stop)
                slot = slot_of(key, mask)
                number = -1
                for _ in range(PROBES):
                    if slots[slot] == 0:
                        slots[slot] = distinct + 1
                        break
                    known = slots[slot] - 1
                    if (
                        digests[2 * known] == key
                        and stop_at[known] - start_at[known] == stop - start
                        and equal(attrs, start_at[known], start, stop - start)
                    ):
                        number = known
                        break
                    slot = slot_of(slot + 1, mask)
                if number < 0:
                    number = distinct
                    digests[2 * number], digests[2 * number + 1] = key, _WORDS.found(attrs, start, stop)
                    start_at[number], stop_at[number] = start, stop
                    size += stop - start
                    distinct += 1
                row_of[named], value_of[named] = row, number
                named += 1
                kind |= digests[2 * number + 1]
            elif kind in (COMPONENT, TESTID, ITEMTYPE):
                kind |= _WORDS.found(attrs, start, stop)
            kind_at[at] = kind
            every |= kind
    return named, distinct, size, every & ~KIND
