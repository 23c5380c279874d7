"""The counts, scores and sets of every node, in a few passes over the rows. Section numbers are the paper's.

This file compiles to C, with the types in `tally.pxd`, and runs as Python where it is not compiled.
"""

from __future__ import annotations

from typing import Any

from duramen.page import Page
from duramen.tags import TAG_IDS, TAG_NAMES

try:
    import cython
except ImportError:
    from duramen.parse import uncompiled as cython

if not cython.compiled:
    # Bits of what an element is to the method.
    UNREAD, FIELD, MEDIA, BREAKS = 1, 2, 4, 8
    # Bits of what a row is.
    EXCLUDED, LINKED, OUTERMOST, FILLED, MOSTLY_TEXT, IN_FORM = 1, 2, 4, 8, 16, 32
    # Rows of the array of counts.
    WORDS, LINKS, SET_WORDS, SET_LINKS = range(4)
    NAN = float("nan")

_KINDS = bytes(
    # Never text: an HTML5 tree holds the source of a style sheet or frame as one text node.
    1 * (name in ("head", "style", "iframe", "noembed", "noframes"))
    + 2 * (name in ("select", "input", "textarea", "option"))
    + 4 * (name in ("img", "picture", "svg", "video", "audio", "object", "embed", "canvas"))
    + 8 * (name in ("br", "wbr", "hr"))
    for name in (*TAG_NAMES, "?")
)
_A, _FORM, _SCRIPT, _NOSCRIPT = (TAG_IDS[name] for name in ("a", "form", "script", "noscript"))
_SAME = SAME = 1e-12  # scores closer than this are equal, so that a parent ties with an only child


def exclude(
    page: Page,
    without_forms: int,
    without_scripts: int,
    at_once: int,
    dropped: memoryview,
    solid: memoryview,
    place: memoryview,
) -> tuple[int, int]:
    """Fill in the rows that count for nothing; returns how many words there are else, and how many of them in forms.

    Forms are only marked, unless they are to be left out `at_once`. `dropped` marks further elements to leave out; it
    may be empty. `solid` has one entry more than the page has rows. Scripts go together with `<noscript>` elements that
    hold nothing else (§3.1: the test data wraps its scripts so).
    """
    tag, end, chars, words = page.tag.data, page.end.data, page.chars.data, page.words.data
    rows, other = len(tag), len(_KINDS) - 1
    until = form_until = script_until = count = total = in_forms = 0
    skipped = UNREAD | (FIELD if without_forms else 0)
    with cython.nogil:
        if without_scripts:
            # What is neither a script, nor in one, nor blank: a running count.
            for row in range(rows):
                solid[row] = count
                if tag[row] == _SCRIPT and end[row] > script_until:
                    script_until = end[row]
                if tag[row] != _NOSCRIPT and row >= script_until and (tag[row] != 0 or chars[row] > 0):
                    count += 1
            solid[rows] = count
        for row in range(rows):
            number = tag[row] if tag[row] < other else other
            if (
                _KINDS[number] & skipped
                or (len(dropped) and dropped[row])
                or (without_scripts and number == _SCRIPT)
                or (without_scripts and number == _NOSCRIPT and solid[end[row]] == solid[row])
            ) and end[row] > until:
                until = end[row]
            if without_forms and number == _FORM and end[row] > form_until:
                form_until = end[row]
                if at_once and form_until > until:
                    until = form_until
            place[row] = (EXCLUDED if row < until else 0) | (IN_FORM if row < form_until else 0)
            if row >= until:
                total += words[row]
                if row < form_until:
                    in_forms += words[row]
    return total, in_forms


def tally(page: Page, threshold: float, place: memoryview, counts: memoryview) -> int:
    """Fill in the counts of every row (§2.1 and §2.2.2); `counts` are zero.

    A link with everything below it is one terminal node of one word and one link.
    """
    tag, parent, end, flags = page.tag.data, page.parent.data, page.end.data, page.flags.data
    chars, words = page.chars.data, page.words.data
    rows, other, until = len(tag), len(_KINDS) - 1, 0
    with cython.nogil:
        for row in range(rows):
            if place[row] & EXCLUDED:
                continue
            number = tag[row] if tag[row] < other else other
            if number == _A and flags[row] & 1 and row >= until:
                until = end[row]
                place[row] |= OUTERMOST
            if row < until:
                place[row] |= LINKED
            if chars[row] > 0 or _KINDS[number] & MEDIA:
                place[row] |= FILLED
        for row in range(rows - 1, -1, -1):
            up = parent[row]
            if place[row] & OUTERMOST:
                if place[row] & FILLED:
                    counts[WORDS, row] += 1
                    counts[LINKS, row] += 1
            elif not place[row] & (EXCLUDED | LINKED):
                counts[WORDS, row] += words[row]
            text, link = counts[WORDS, row], counts[LINKS, row]
            if place[row] & OUTERMOST or tag[row] == 0:  # a terminal node
                counts[SET_WORDS, row], counts[SET_LINKS, row] = text, link
            if up < 0:
                continue
            counts[WORDS, up] += text
            counts[LINKS, up] += link
            if ratio(text, link) > threshold:
                place[row] |= MOSTLY_TEXT
                counts[SET_WORDS, up] += text
                counts[SET_LINKS, up] += link
            if place[row] & FILLED:
                place[up] |= FILLED
    return 0


def ratio(text: int, link: int) -> float:
    """The basic score (§2.1.1): (text - link) / text, 0 where there is no text."""
    return (text - link) / (text if text > 1 else 1)


def score_rows(
    counts: Any,
    subset: int,
    body: int,
    weight_ratio: float,
    weight_text: float,
    page_text: int,
    scores: Any,
) -> float:
    """Fill in the basic and final score of every row (§2.1.1, §2.2.1); returns the highest final one.

    Rows that are no candidates have NaN. Without a `page_text` scores are not weighted. A page of links alone has small
    positive weighted scores; content needs text of its own, so only rows with a positive basic score compete.
    """
    rows, words, links = counts.shape[1], SET_WORDS if subset else WORDS, SET_LINKS if subset else LINKS
    best = -1.0
    with cython.nogil:
        for row in range(rows):
            text = counts[words, row]
            if row < body or text == 0:
                scores[0, row] = scores[1, row] = NAN
                continue
            basic = ratio(text, counts[links, row])
            final = weight_ratio * basic + weight_text * text / page_text if page_text else basic
            scores[0, row], scores[1, row] = basic, final
            if basic > 0 and final > best:
                best = final
    return best


def highest(scores: Any, depth: memoryview, best: float) -> list[int]:
    """The rows with the best score, of these the ones nearest to the root, in document order."""
    found: list[int] = []
    rows, lowest = len(depth), len(depth)
    for row in range(rows):
        if scores[0, row] > 0 and scores[1, row] >= best - _SAME:
            if depth[row] < lowest:
                found, lowest = [], depth[row]
            if depth[row] == lowest:
                found.append(row)
    return found


def keep(page: Page, winner: int, subset: int, place: memoryview, kept: memoryview) -> list[int]:
    """Fill in the rows of S, the nodes that are the content (those that count for nothing left out); returns S.

    White space and line breaks between the nodes of S count for nothing, but keep words apart. `kept` is zero.
    """
    tag, end, chars = page.tag.data, page.end.data, page.chars.data
    members, other, between = [], len(_KINDS) - 1, -1
    if not subset or tag[winner] == 0:
        members.append(winner)
        _take(winner, end[winner], place, kept)
        return members
    row, stop = winner + 1, end[winner]
    while row < stop:
        if place[row] & MOSTLY_TEXT:
            if members:
                # What stands between this one and the last.
                while between < row:
                    number = tag[between] if tag[between] < other else other
                    if (number == 0 and chars[between] == 0) or _KINDS[number] & BREAKS:
                        kept[between] = 1
                    between = end[between]
            members.append(row)
            _take(row, end[row], place, kept)
            between = row
        row = end[row]
    return members


def _take(row: int, stop: int, place: memoryview, kept: memoryview) -> int:
    for at in range(row, stop):
        if not place[at] & EXCLUDED:
            kept[at] = 1
    return 0
