"""What there is to read on a page, its big-nodes and the text-node-sets they make, in a few passes over the rows.

This file compiles to C, with the types in `units.pxd`, and runs as Python where it is not compiled.
"""

from __future__ import annotations

from typing import Any

from duramen.page import Page
from duramen.tags import HEADINGS, TAG_IDS, TAG_NAMES

try:
    import cython
except ImportError:
    from duramen.parse import uncompiled as cython

# §III-B, condition 2 of a big-node.
BIG: tuple[str, ...] = ("p", "br", *HEADINGS, "strong", "em", "b", "i", "tt", "font")
# Elements that make what holds them a container rather than a piece of text. Ours: the paper leaves nesting open.
BLOCK: tuple[str, ...] = (
    "address", "article", "aside", "blockquote", "body", "center", "dd", "div", "dl", "dt", "fieldset", "figure",
    "footer", "form", "header", "hr", "li", "main", "menu", "nav", "ol", "pre", "section", "table", "tbody", "td",
    "tfoot", "th", "thead", "tr", "ul",
)  # fmt: skip
# Text that is no part of the page's text. Ours: a list to choose from is long, and a name or two in it has a period.
UNREAD: tuple[str, ...] = ("select", "textarea")
PIECES: tuple[str, ...] = ("a", "b", "strong", "font", "em", "i", "span")

if not cython.compiled:
    from duramen.measure.reading import body_of, mark_unseen

    NAN = float("nan")
    # Bits of what an element is to the method.
    IS_BIG, IS_BLOCK, IS_UNREAD, IS_DROPPED, IS_HEADING, IS_PIECE, IS_BREAK = 1, 2, 4, 8, 16, 32, 64
    # Bits of what a row is.
    INSIDE, SEEN, TEXT, HAS_TEXT, CONTAINER = 1, 2, 4, 8, 16
    # Bits of what text-node-sets make of a row.
    PRUNED, IN_PARA, HOLDS_PRUNED, HOLDS_LEAF = 1, 2, 4, 8
    # Rows of the array of running sums: what ends a run of adjacent nodes (elements and text that is not blank),
    # characters of text, punc-num of text.
    SOLID, CHARS, PUNCTS = range(3)
    # Rows of the array of units, and of that of sets.
    FIRST, END, PARENT, ANONYMOUS, NODE = range(5)
    SET_FIRST, SET_END, SET_PARENT, SET_AT, SET_SIZE, SET_CHARS, SET_PUNCTS = range(7)

_TITLE = TAG_IDS["title"]
_KINDS = bytes(
    1 * (name in BIG)
    + 2 * (name in BLOCK)
    + 4 * (name in UNREAD)
    + 8 * (name in ("script", "style", "template"))
    + 16 * (name in HEADINGS)
    + 32 * (name in PIECES)
    + 64 * (name == "br")
    for name in (*TAG_NAMES, "?")
)


def survey(page: Page, puncts: memoryview, place: memoryview, sums: memoryview, below: memoryview, score: Any) -> int:
    """Fill in what each row is, the running sums (one entry more than there are rows), and node-punc-num.

    The `score` is that of the rows that are seen, and NaN for others. Returns where the tree starts: the body.
    """
    tag, parent, end, chars = page.tag.data, page.parent.data, page.end.data, page.chars.data
    words = page.words.data
    root = body_of(tag)
    rows, stop, other = len(tag), end[root], len(_KINDS) - 1
    solid = characters = marks = 0
    dropped_until = unread_until = 0
    with cython.nogil:
        mark_unseen(tag, end, words, place)
        for row in range(rows):
            sums[SOLID, row], sums[CHARS, row], sums[PUNCTS, row] = solid, characters, marks
            unseen = place[row]
            place[row] = 0
            kind = _KINDS[tag[row] if tag[row] < other else other]
            if kind & IS_DROPPED and end[row] > dropped_until:
                dropped_until = end[row]
            if kind & IS_UNREAD and end[row] > unread_until:
                unread_until = end[row]
            if row < root or row >= stop or row < dropped_until:
                continue
            place[row] = INSIDE
            if tag[row] != 0 or chars[row] > 0:
                solid += 1
            if unseen or row < unread_until:
                continue
            place[row] |= SEEN
            if chars[row] > 0:
                place[row] |= TEXT
                characters += chars[row]
                marks += puncts[row]
                place[parent[row]] |= HAS_TEXT
        sums[SOLID, rows], sums[CHARS, rows], sums[PUNCTS, rows] = solid, characters, marks
        for row in range(rows - 1, -1, -1):
            below[row] = sums[PUNCTS, end[row]] - sums[PUNCTS, row]
            score[row] = below[row] if place[row] & SEEN else NAN
            if parent[row] >= 0:
                block = place[row] & SEEN and _KINDS[tag[row] if tag[row] < other else other] & IS_BLOCK
                if block or place[row] & CONTAINER:
                    place[parent[row]] |= CONTAINER
    return root


def find_units(
    page: Page, root: int, place: memoryview, sums: memoryview, pieces: memoryview, units: memoryview
) -> tuple[int, int]:
    """Big-nodes without a block inside, and in containers that hold text of their own the runs between other units.

    The outermost of these are the units; nothing inside one is looked at again. `pieces` are their topmost rows and
    the number of their unit, -1 for a run without text, which is none: a run of images is no big-node. Returns how many
    pieces and units there are.
    """
    tag, parent, end = page.tag.data, page.parent.data, page.end.data
    stop, other = end[root], len(_KINDS) - 1
    count = found = first = 0  # pieces, units, and the first piece of the unit that is being made
    until, was_run = root, 0
    with cython.nogil:
        for row in range(root + 1, stop):
            if row < until or not place[row] & INSIDE:
                continue
            up, what = parent[row], place[row]
            kind = _KINDS[tag[row] if tag[row] < other else other]
            whole = runs = 0
            mixed = place[up] & HAS_TEXT and (place[up] & CONTAINER or up == root)
            if tag[row] == 0:
                runs = mixed and what & TEXT
            elif not what & CONTAINER:
                whole = what & SEEN and (kind & IS_BIG or what & HAS_TEXT)
                runs = mixed and not kind & IS_BIG and not (kind & IS_BLOCK and what & SEEN)
            if not whole and not runs:
                continue
            until = end[row]
            if count > first:
                last = pieces[0, count - 1]
                goes_on = runs and was_run and parent[last] == up and sums[SOLID, row] == sums[SOLID, end[last]]
                if not goes_on:
                    found = _close_unit(parent, end, sums, pieces, units, first, count, was_run, found)
                    first = count
            pieces[0, count] = row
            count += 1
            was_run = 1 if runs else 0
        if count > first:
            found = _close_unit(parent, end, sums, pieces, units, first, count, was_run, found)
    return count, found


def _close_unit(
    parent: memoryview,
    end: memoryview,
    sums: memoryview,
    pieces: memoryview,
    units: memoryview,
    first: int,
    stop: int,
    is_run: int,
    found: int,
) -> int:
    """Make a unit of pieces `first` .. `stop`-1, if it is one; returns how many there are now."""
    row, after = pieces[0, first], end[pieces[0, stop - 1]]
    real = not is_run or sums[CHARS, after] > sums[CHARS, row]
    for k in range(first, stop):
        pieces[1, k] = found if real else -1
    if not real:
        return found
    units[FIRST, found], units[END, found], units[PARENT, found] = row, after, parent[row]
    units[ANONYMOUS, found], units[NODE, found] = is_run, parent[row] if is_run else row
    return found + 1


def join_units(units: memoryview, count: int, sums: memoryview, sets: memoryview) -> int:
    """Joint-para: maximal runs of adjacent siblings among `count` units; returns how many there are.

    Whatever stands between two units ends a run, so adjacent ones follow each other in the document too.
    """
    found = 0
    with cython.nogil:
        for k in range(count):
            if (
                found
                and units[PARENT, k] == sets[SET_PARENT, found - 1]
                and sums[SOLID, units[FIRST, k]] == sums[SOLID, sets[SET_END, found - 1]]
            ):
                sets[SET_END, found - 1] = units[END, k]
                sets[SET_SIZE, found - 1] += 1
            else:
                sets[SET_FIRST, found], sets[SET_END, found] = units[FIRST, k], units[END, k]
                sets[SET_PARENT, found], sets[SET_AT, found], sets[SET_SIZE, found] = units[PARENT, k], k, 1
                found += 1
        for k in range(found):
            first, end = sets[SET_FIRST, k], sets[SET_END, k]
            sets[SET_CHARS, k] = sums[CHARS, end] - sums[CHARS, first]
            sets[SET_PUNCTS, k] = sums[PUNCTS, end] - sums[PUNCTS, first]
    return found


def prune(sets: Any, fate: memoryview) -> int:
    """Fill in what became of the rows of each set; sets do not overlap, and `fate` is zero."""
    with cython.nogil:
        for k in range(sets.shape[1]):
            for row in range(sets[SET_FIRST, k], sets[SET_END, k]):
                fate[row] = IN_PARA if sets[SET_PUNCTS, k] else PRUNED
    return 0


def longest_para(sets: Any) -> int:
    """The first of the longest sets that have punctuation; -1 where none has."""
    longest = -1
    for k in range(sets.shape[1]):
        if sets[SET_PUNCTS, k] and (longest < 0 or sets[SET_CHARS, k] > sets[SET_CHARS, longest]):
            longest = k
    return longest


def texts_in(page: Page, place: memoryview, first: int, end: int) -> tuple[list[int], int]:
    """The text rows from `first` to before `end`, and their CJK characters."""
    cjk, found, total = page.cjk.data, [], 0
    for row in range(first, end):
        if place[row] & TEXT:
            found.append(row)
            total += cjk[row]
    return found, total


def keep(page: Page, place: memoryview, fate: memoryview, kept: memoryview) -> tuple[int, int]:
    """Take from the kept rows what is not seen or pruned, and lists or boxes that pruning has left without anything.

    Returns how often links, fonts and the like break up the text of text-paras that is kept, and its characters.
    """
    tag, parent, end, chars = page.tag.data, page.parent.data, page.end.data, page.chars.data
    rows, other = len(tag), len(_KINDS) - 1
    breaks = characters = 0
    with cython.nogil:
        for row in range(rows - 1, -1, -1):
            if kept[row] and (not place[row] & SEEN or fate[row] & PRUNED):
                kept[row] = 0
            if kept[row] and end[row] == row + 1 and (tag[row] != 0 or place[row] & TEXT):
                fate[row] |= HOLDS_LEAF
            if fate[row] & PRUNED:
                fate[row] |= HOLDS_PRUNED
            if parent[row] >= 0:
                fate[parent[row]] |= fate[row] & (HOLDS_LEAF | HOLDS_PRUNED)
            if kept[row] and fate[row] & HOLDS_PRUNED and not fate[row] & HOLDS_LEAF:
                kept[row] = 0
            if kept[row] and fate[row] & IN_PARA:
                # An inline element breaks the text where it starts and where it ends, a line break once.
                kind = _KINDS[tag[row] if tag[row] < other else other]
                breaks += 2 if kind & IS_PIECE else 1 if kind & IS_BREAK else 0
                characters += chars[row]
    return breaks, characters


def title_row(page: Page, root: int) -> int:
    """The first `<title>`, if it stands before the tree; else -1."""
    tag = page.tag.data
    for row in range(root):
        if tag[row] == _TITLE:
            return row
    return -1


def headings(page: Page, root: int, place: memoryview, sums: memoryview, longest: int, first_bytes: bytes) -> list[int]:
    """The headings that are seen and have text, at most `longest` characters, beginning with one of `first_bytes`."""
    tag, end, text_at, text = page.tag.data, page.end.data, page.text_at.data, memoryview(page.text)
    allowed, found, other = memoryview(first_bytes), [], len(_KINDS) - 1
    for row in range(root, end[root]):
        if _KINDS[tag[row] if tag[row] < other else other] & IS_HEADING and place[row] & SEEN:
            length = sums[CHARS, end[row]] - sums[CHARS, row]
            if 0 < length <= longest:
                at, stop = text_at[row], text_at[end[row]]
                while at < stop and text[at] <= 0x20:
                    at += 1
                if at < stop and allowed[text[at]]:
                    found.append(row)
    return found
