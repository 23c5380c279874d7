"""What there is to read on a page, its big-nodes and the text-node-sets they make, in a few passes over the rows.

This file compiles to C, with the types in `units.pxd`, and runs as Python where it is not compiled.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from duramen.page import FlagArray, FloatArray, IntArray, Page
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
    from duramen.measure.buffers import check_tree, ints, new_doubles, new_ints, new_octets, octets
    from duramen.measure.reading import mark_unseen

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

Sums = NDArray[np.integer[Any]]

_TITLE, _BODY, _OTHER = TAG_IDS["title"], TAG_IDS["body"], len(TAG_NAMES)
_KIND_OF_TAG = bytes(
    1 * (name in BIG)
    + 2 * (name in BLOCK)
    + 4 * (name in UNREAD)
    + 8 * (name in ("script", "style", "template"))
    + 16 * (name in HEADINGS)
    + 32 * (name in PIECES)
    + 64 * (name == "br")
    for name in (*TAG_NAMES, "?")
)
_KINDS = octets(_KIND_OF_TAG, _OTHER + 1)


def survey(page: Page, puncts: IntArray, place: FlagArray, sums: Sums, below: Sums, score: FloatArray) -> int:
    """Fill in what each row is, the running sums (one entry more than there are rows), and node-punc-num.

    The `score` is that of the rows that are seen, and NaN for others. Returns where the tree starts: the body.
    """
    rows = len(page)
    tag, parent, end = ints(page.tag, rows), ints(page.parent, rows), ints(page.end, rows)
    chars, words, marks = ints(page.chars, rows), ints(page.words, rows), ints(puncts, rows)
    what, totals = new_octets(place, rows), new_ints(sums, 3 * rows + 3)
    under, scores = new_ints(below, rows), new_doubles(score, rows)
    check_tree(tag, parent, end, rows)
    with cython.nogil:
        mark_unseen(tag, end, words, what, rows)
        root = _find_root(tag, rows)
        _add_up(tag, parent, end, chars, marks, what, totals, root, rows)
        _sum_below(tag, parent, end, what, totals, under, scores, rows)
    return root


def _find_root(tag: memoryview, rows: int) -> int:
    """The row of the `<body>`, or of the root element where there is none."""
    for row in range(rows):
        if tag[row] == _BODY:
            return row
    return 0


def _add_up(
    tag: memoryview,
    parent: memoryview,
    end: memoryview,
    chars: memoryview,
    marks: memoryview,
    place: memoryview,
    sums: memoryview,
    root: int,
    rows: int,
) -> int:
    """What each row is, and the running sums; `place` says which rows nobody sees."""
    stop, kinds, other = end[root] if rows else 0, _KINDS, _OTHER
    at_chars, at_marks = CHARS * (rows + 1), PUNCTS * (rows + 1)
    solid = characters = punctuation = 0
    dropped_until = unread_until = 0
    for row in range(rows):
        sums[row], sums[at_chars + row], sums[at_marks + row] = solid, characters, punctuation
        unseen = place[row]
        place[row] = 0
        kind = kinds[tag[row] if tag[row] < other else other]
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
        if chars[row] > 0 and row > 0:
            place[row] |= TEXT
            characters += chars[row]
            punctuation += marks[row]
            place[parent[row]] |= HAS_TEXT
    sums[rows], sums[at_chars + rows], sums[at_marks + rows] = solid, characters, punctuation
    return 0


def _sum_below(
    tag: memoryview,
    parent: memoryview,
    end: memoryview,
    place: memoryview,
    sums: memoryview,
    below: memoryview,
    score: Any,
    rows: int,
) -> int:
    """Node-punc-num, and what holds a block."""
    kinds, other, at_marks = _KINDS, _OTHER, PUNCTS * (rows + 1)
    for row in range(rows - 1, -1, -1):
        below[row] = sums[at_marks + end[row]] - sums[at_marks + row]
        score[row] = below[row] if place[row] & SEEN else NAN
        if row > 0:
            block = place[row] & SEEN and kinds[tag[row] if tag[row] < other else other] & IS_BLOCK
            if block or place[row] & CONTAINER:
                place[parent[row]] |= CONTAINER
    return 0


def find_units(page: Page, root: int, place: FlagArray, sums: Sums, pieces: Sums, units: Sums) -> tuple[int, int]:
    """Big-nodes without a block inside, and in containers that hold text of their own the runs between other units.

    The outermost of these are the units; nothing inside one is looked at again. `pieces` are their topmost rows and
    the number of their unit, -1 for a run without text, which is none: a run of images is no big-node. Returns how many
    pieces and units there are.
    """
    rows = len(page)
    tag, parent, end = ints(page.tag, rows), ints(page.parent, rows), ints(page.end, rows)
    what, totals = octets(place, rows), ints(sums, 3 * rows + 3)
    piece, unit = new_ints(pieces, 2 * rows), new_ints(units, 5 * rows)
    check_tree(tag, parent, end, rows)
    kinds, other = _KINDS, _OTHER
    count = found = first = 0  # pieces, units, and the first piece of the unit that is being made
    row, stop, was_run = root + 1, end[root] if rows else 0, 0
    with cython.nogil:
        while row < stop:
            up, is_a = parent[row], what[row]
            kind = kinds[tag[row] if tag[row] < other else other]
            whole = runs = 0
            mixed = what[up] & HAS_TEXT and (what[up] & CONTAINER or up == root)
            if not is_a & INSIDE:
                pass
            elif tag[row] == 0:
                runs = mixed and is_a & TEXT
            elif not is_a & CONTAINER:
                whole = is_a & SEEN and (kind & IS_BIG or is_a & HAS_TEXT)
                runs = mixed and not kind & IS_BIG and not (kind & IS_BLOCK and is_a & SEEN)
            if not whole and not runs:
                row += 1
                continue
            if count > first:
                last = piece[count - 1]
                goes_on = runs and was_run and parent[last] == up and totals[row] == totals[end[last]]
                if not goes_on:
                    found = _close_unit(parent, end, totals, piece, unit, rows, first, count, was_run, found)
                    first = count
            piece[count] = row
            count += 1
            was_run = 1 if runs else 0
            row = end[row]
        if count > first:
            found = _close_unit(parent, end, totals, piece, unit, rows, first, count, was_run, found)
    return count, found


def _close_unit(
    parent: memoryview,
    end: memoryview,
    sums: memoryview,
    pieces: memoryview,
    units: memoryview,
    rows: int,
    first: int,
    stop: int,
    is_run: int,
    found: int,
) -> int:
    """Make a unit of pieces `first` .. `stop`-1, if it is one; returns how many there are now."""
    row, after, chars = pieces[first], end[pieces[stop - 1]], CHARS * (rows + 1)
    real = not is_run or sums[chars + after] > sums[chars + row]
    for k in range(first, stop):
        pieces[rows + k] = found if real else -1
    if not real:
        return found
    units[FIRST * rows + found], units[END * rows + found], units[PARENT * rows + found] = row, after, parent[row]
    units[ANONYMOUS * rows + found], units[NODE * rows + found] = is_run, parent[row] if is_run else row
    return found + 1


def join_units(units: Sums, count: int, sums: Sums, sets: Sums, fate: FlagArray) -> tuple[int, int]:
    """Joint-para: maximal runs of adjacent siblings among `count` units. Returns how many there are, and the longest.

    Whatever stands between two units ends a run, so adjacent ones follow each other in the document too. `fate`, which
    is zero, is filled in with what became of the rows of each set. The longest set is the first of those that have
    punctuation; -1 where none has.
    """
    rows = len(fate)
    unit, totals = ints(units, 5 * rows), ints(sums, 3 * rows + 3)
    found_set, became = new_ints(sets, 7 * count), new_octets(fate, rows)
    at_first, at_end, parent = FIRST * rows, END * rows, PARENT * rows
    set_first, set_end, set_parent, set_at = SET_FIRST * count, SET_END * count, SET_PARENT * count, SET_AT * count
    set_size, set_chars, set_puncts = SET_SIZE * count, SET_CHARS * count, SET_PUNCTS * count
    chars, puncts, found, longest = CHARS * (rows + 1), PUNCTS * (rows + 1), 0, -1
    with cython.nogil:
        for k in range(count):
            last = found - 1
            if (
                found
                and unit[parent + k] == found_set[set_parent + last]
                and totals[unit[at_first + k]] == totals[found_set[set_end + last]]
            ):
                found_set[set_end + last] = unit[at_end + k]
                found_set[set_size + last] += 1
            else:
                found_set[set_first + found], found_set[set_end + found] = unit[at_first + k], unit[at_end + k]
                found_set[set_parent + found], found_set[set_at + found] = unit[parent + k], k
                found_set[set_size + found] = 1
                found += 1
        for k in range(found):
            first, end = found_set[set_first + k], found_set[set_end + k]
            found_set[set_chars + k] = totals[chars + end] - totals[chars + first]
            found_set[set_puncts + k] = totals[puncts + end] - totals[puncts + first]
            if found_set[set_puncts + k] and (longest < 0 or found_set[set_chars + k] > found_set[set_chars + longest]):
                longest = k
            for row in range(first, end):
                became[row] = IN_PARA if found_set[set_puncts + k] else PRUNED
    return found, longest


def climb(page: Page, below: Sums, row: int, root: int) -> int:
    """Extract-news, the second half: from a row upwards until no punctuation is added, never out of `root`."""
    rows = len(page)
    parent, under = ints(page.parent, rows), ints(below, rows)
    while 0 <= parent[row] < row:
        above = parent[row]
        if under[above] == under[row] or row == root:
            break
        row = above
    return row


def cjk_in(page: Page, place: FlagArray, first: int, end: int) -> int:
    """The CJK characters of the text rows from `first` to before `end`."""
    rows, total = len(page), 0
    cjk, what = ints(page.cjk, rows), octets(place, rows)
    for row in range(max(first, 0), min(end, rows)):
        if what[row] & TEXT:
            total += cjk[row]
    return total


def plain_sentences(page: Page, place: FlagArray, first: int, end: int, fewest: int) -> tuple[int, int]:
    """Look for the ends of `fewest` sentences from row `first` to before `end`, as far as they are plain ASCII.

    Returns the row where somebody else has to go on, and how many are missing there.
    """
    rows, size = len(page), len(page.text)
    text_at, text, what = ints(page.text_at, rows + 1), octets(page.text, size), octets(place, rows)
    row, end = max(first, 0), min(end, rows)
    while row < end:
        at, stop = text_at[row], text_at[row + 1]
        if what[row] & TEXT and 0 <= at < stop <= size:
            while stop > at and _is_space(text[stop - 1]):
                stop -= 1
            missing = fewest
            while at < stop and text[at] < 0x80 and missing > 0:
                if text[at] == 0x2E or text[at] == 0x21 or text[at] == 0x3F:
                    if at + 1 == stop or _ends_sentence(text[at + 1]):
                        missing -= 1
                    elif text[at + 1] >= 0x80:
                        break
                at += 1
            if missing <= 0:
                return row, 0
            if at < stop:
                return row, fewest
            fewest = missing
        row += 1
    return row, fewest


def _is_space(byte: int) -> int:
    return byte == 0x20 or 0x09 <= byte <= 0x0D or 0x1C <= byte <= 0x1F


def _ends_sentence(byte: int) -> int:
    """Whether a full stop before this ends a sentence: white space, a quotation mark or a bracket does."""
    return _is_space(byte) or byte == 0x22 or byte == 0x27 or byte == 0x29 or byte == 0x5D


def keep(page: Page, first: int, stop: int, place: FlagArray, fate: FlagArray, kept: FlagArray) -> tuple[int, int]:
    """Take from the kept rows what is not seen or pruned, and lists or boxes that pruning has left without anything.

    The kept rows are among `first` .. `stop`-1.
    Returns how often links, fonts and the like break up the text of text-paras that is kept, and its characters.
    """
    rows, kinds, other = len(page), _KINDS, _OTHER
    tag, parent, end = ints(page.tag, rows), ints(page.parent, rows), ints(page.end, rows)
    chars, what = ints(page.chars, rows), octets(place, rows)
    became, stays = new_octets(fate, rows), new_octets(kept, rows)
    check_tree(tag, parent, end, rows)
    first, stop = max(first, 0), min(stop, rows)
    breaks = characters = 0
    with cython.nogil:
        for row in range(stop - 1, first - 1, -1):
            if became[row] & PRUNED:
                became[row] |= HOLDS_PRUNED
                stays[row] = 0
            elif stays[row] and not what[row] & SEEN:
                stays[row] = 0
            if stays[row] and end[row] == row + 1 and (tag[row] != 0 or what[row] & TEXT):
                became[row] |= HOLDS_LEAF
            if row > 0:
                became[parent[row]] |= became[row] & (HOLDS_LEAF | HOLDS_PRUNED)
            if not stays[row]:
                continue
            if became[row] & HOLDS_PRUNED and not became[row] & HOLDS_LEAF:
                stays[row] = 0
            elif became[row] & IN_PARA:
                # An inline element breaks the text where it starts and where it ends, a line break once.
                kind = kinds[tag[row] if tag[row] < other else other]
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


def headings(
    page: Page, root: int, place: FlagArray, sums: Sums, longest: int, first_bytes: bytes, lengths: bytes
) -> list[int]:
    """The headings that are seen and have text, at most `longest` characters, beginning with one of `first_bytes`.

    A single text of plain ASCII has to have one of the `lengths`, as far as these go.
    """
    rows, size, kinds, other = len(page), len(page.text), _KINDS, _OTHER
    tag, end, text_at = ints(page.tag, rows), ints(page.end, rows), ints(page.text_at, rows + 1)
    text, allowed = octets(page.text, size), octets(first_bytes, 256)
    known, lengths_known, chars_of = len(lengths), octets(lengths, len(lengths)), ints(page.chars, rows)
    what, totals, chars = octets(place, rows), ints(sums, 3 * rows + 3), CHARS * (rows + 1)
    found: list[int] = []
    for row in range(root, rows):
        if not what[row] & SEEN or not kinds[tag[row] if tag[row] < other else other] & IS_HEADING:
            continue
        stop = end[row]
        if not row < stop <= rows or not 0 < totals[chars + stop] - totals[chars + row] <= longest:
            continue
        at, stop = text_at[row], text_at[stop]
        if not 0 <= at <= stop <= size:
            continue
        while at < stop and text[at] <= 0x20:
            at += 1
        if at == stop or not allowed[text[at]]:
            continue
        length = chars_of[row + 1] if end[row] == row + 2 else -1
        if 0 <= length < known and not lengths_known[length]:
            while at < stop and text[at] < 0x80:
                at += 1
            if at == stop:
                continue
        found.append(row)
    return found
