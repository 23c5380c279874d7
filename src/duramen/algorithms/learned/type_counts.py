"""What is counted of a page to tell its type: words, links, blocks, lists of like elements.

This file compiles to C, with the types in `type_counts.pxd`, and runs as Python where it is not compiled.
"""

from __future__ import annotations

from typing import Any

from duramen.blocks import BOUNDARIES
from duramen.page import Page
from duramen.tags import TAG_NAMES

try:
    import cython
except ImportError:
    from duramen.parse import uncompiled as cython

COUNTED_TAGS = (
    "p h1 h2 h3 h4 li table tr td img form input button select textarea pre code time article section nav aside footer "
    "header main svg video iframe script dl dt blockquote figure details label option a ul strong"
).split()

if not cython.compiled:
    from duramen.measure.buffers import check_tree, ints, octets

    IS_BOUNDARY, IS_PARAGRAPH, IS_ARTICLE, IS_IMAGE = 1, 2, 4, 8
    ROWS, WORDS, CHARS, LINKS, LINK_WORDS, P_WORDS, LONG_P, LONG_P_WORDS, PRICES, DATES, QUESTIONS = range(11)
    BLOCKS, LONG_BLOCKS, LONG_WORDS, SHORT_BLOCKS, LONGEST_BLOCK = range(11, 16)
    SEEN, DEPTH, PUNCTS, CJK, ARTICLE_WORDS, TEXT_SIZE = range(16, 22)
    REPEATED_COUNT, REPEATED_WORDS, REPEATED_LINKS, REPEATED_IMAGES, FIGURES = range(22, 27)
    # How far is looked for a group: no page can make this slow with names that fall on one place.
    PROBES = 16

    def low(value: int) -> int:
        """The lower 64 bits."""
        return value & 0xFFFFFFFFFFFFFFFF

    def copy(text: bytes, start: int, size: int, joined: Any, at: int) -> int:
        """Copy a text to a place, if there is room."""
        if size <= len(joined) - at:
            joined[at : at + size] = text[start : start + size]
        return 0


_LONG_WORDS = LONG_BLOCK_WORDS = 20  # a block of so many words is a paragraph …
_LONG_LINKS = LONG_LINKS = 0.5  # … unless more than this share of them is in links
_REPEATED = REPEATED = 4  # siblings of the same kind that make a list …
_LEAST_WORDS = LEAST_WORDS = 3  # … each of so many words

_MIX = 0xD6E8FEB86659FD93
_KINDS = bytes(
    1 * (name in BOUNDARIES) + 2 * (name == "p") + 4 * (name == "article") + 8 * (name == "img")
    for name in (*TAG_NAMES, "?")
)
_COLUMNS = bytes(COUNTED_TAGS.index(name) if name in COUNTED_TAGS else len(COUNTED_TAGS) for name in (*TAG_NAMES, "?"))


def count_rows(page: Page, never: memoryview, running: Any, figures: Any, tags: Any) -> int:
    """Fill in most figures, and how many elements there are of each counted name; both are zero.

    `running` gets the running sums of words, links and images, and the nearest boundary of each row.
    """
    rows, other = len(page), len(_KINDS) - 1
    tag, parent, end = ints(page.tag, rows), ints(page.parent, rows), ints(page.end, rows)
    check_tree(tag, parent, end, rows)
    depth, flags, chars = ints(page.depth, rows), octets(page.flags, rows), ints(page.chars, rows)
    words, puncts, cjk = ints(page.words, rows), ints(page.puncts, rows), ints(page.cjk, rows)
    text_at = ints(page.text_at, rows + 1)
    link_until = p_until = started = own = links = images = 0
    was_started = was_holder = -2
    block = block_links = 0
    opened = False
    figures[ROWS] = rows
    for row in range(rows):
        running[0, row], running[1, row], running[2, row] = own, links, images
        number = tag[row]
        if number:
            number = number if number < other else other
            kind = _KINDS[number]
            tags[_COLUMNS[number]] += 1
            if flags[row] & 1:
                links += 1
                if end[row] > link_until:
                    link_until = end[row]
            if kind & IS_PARAGRAPH and end[row] > p_until:
                p_until = end[row]
            if kind & IS_IMAGE:
                images += 1
            if kind & IS_BOUNDARY:
                started += 1
                running[3, row] = row
            else:
                running[3, row] = running[3, parent[row]] if parent[row] >= 0 else -1
            continue
        running[3, row] = running[3, parent[row]] if parent[row] >= 0 else -1
        if chars[row] == 0 or never[row]:
            continue
        linked = row < link_until
        if not opened or started != was_started or running[3, row] != was_holder:
            if opened:
                _close_block(figures, block, block_links)
            opened, was_started, was_holder, block, block_links = True, started, running[3, row], 0, 0
        own += words[row]
        block += words[row]
        if linked:
            block_links += words[row]
            figures[LINK_WORDS] += words[row]
        if row < p_until:
            figures[P_WORDS] += words[row]
        figures[SEEN] += 1
        figures[CHARS] += chars[row]
        figures[DEPTH] += depth[row]
        figures[PUNCTS] += puncts[row]
        figures[CJK] += cjk[row]
        figures[TEXT_SIZE] += text_at[row + 1] - text_at[row] + 1
    if opened:
        _close_block(figures, block, block_links)
    running[0, rows], running[1, rows], running[2, rows] = own, links, images
    figures[WORDS], figures[LINKS] = own, links
    for row in range(rows):
        kind = _KINDS[tag[row] if tag[row] < other else other]
        if kind & (IS_PARAGRAPH | IS_ARTICLE):
            below = running[0, end[row]] - running[0, row]
            if kind & IS_PARAGRAPH and below >= _LONG_WORDS:
                figures[LONG_P] += 1
                figures[LONG_P_WORDS] += below
            elif kind & IS_ARTICLE and below > figures[ARTICLE_WORDS]:
                figures[ARTICLE_WORDS] = below
    return 0


def _close_block(figures: Any, words: int, in_links: int) -> int:
    figures[BLOCKS] += 1
    if words >= _LONG_WORDS and in_links < _LONG_LINKS * words:
        figures[LONG_BLOCKS] += 1
        figures[LONG_WORDS] += words
    if words <= 3:
        figures[SHORT_BLOCKS] += 1
    if words > figures[LONGEST_BLOCK]:
        figures[LONGEST_BLOCK] = words
    return 0


def count_repeated(page: Page, running: Any, classes: Any, table: Any, keys: Any, groups: Any, figures: Any) -> int:
    """Fill in the figures of the largest list of like siblings.

    `table` is filled with -1, and its length a power of two; `keys` and `groups` have an entry for each row.
    """
    rows, mask, count, best = len(page), len(table) - 1, 0, -1
    tag, parent, end = ints(page.tag, rows), ints(page.parent, rows), ints(page.end, rows)
    for row in range(rows):
        below = running[0, end[row]] - running[0, row]
        if tag[row] == 0 or below < _LEAST_WORDS:
            continue
        key = low(low(classes[row] + parent[row] + 1) * _MIX + tag[row])
        key = low((key ^ (key >> 29)) * _MIX)
        place = (key >> 20) & mask
        for probe in range(PROBES):  # noqa: B007 (how often, not which)
            group = table[place]
            if group < 0:
                group = table[place] = count
                keys[group] = key
                groups[0, group] = groups[1, group] = groups[2, group] = groups[3, group] = 0
                count += 1
            if keys[group] == key:
                groups[0, group] += 1
                groups[1, group] += below
                groups[2, group] += running[1, end[row]] - running[1, row]
                groups[3, group] += running[2, end[row]] - running[2, row]
                break
            place = (place + 1) & mask
    for group in range(count):
        if groups[0, group] >= _REPEATED and (best < 0 or groups[1, group] > groups[1, best]):
            best = group
    if best >= 0:
        figures[REPEATED_COUNT], figures[REPEATED_WORDS] = groups[0, best], groups[1, best]
        figures[REPEATED_LINKS], figures[REPEATED_IMAGES] = groups[2, best], groups[3, best]
    return 0


def join_texts(page: Page, never: memoryview, joined: Any) -> int:
    """Fill in the texts that are seen, with a space after each, as far as there is room; returns how much it is."""
    source, rows = page.text, len(page)
    tag, chars, text_at = ints(page.tag, rows), ints(page.chars, rows), ints(page.text_at, rows + 1)
    text, length, room, at = source, len(source), len(joined), 0
    for row in range(rows):
        if chars[row] == 0 or never[row] or tag[row] != 0:
            continue
        start, size = text_at[row], text_at[row + 1] - text_at[row]
        if start < 0 or size < 0 or start + size > length:
            raise IndexError("a text outside of the page")
        if size > room - at:
            size = room - at
        copy(text, start, size, joined, at)
        at += size
        if at >= room:
            break
        joined[at] = 32
        at += 1
    return at
