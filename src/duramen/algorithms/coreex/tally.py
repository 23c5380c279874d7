"""The counts, scores and sets of every node, in a few passes over the rows. Section numbers are the paper's.

This file compiles to C, with the types in `tally.pxd`, and runs as Python where it is not compiled.
"""

from __future__ import annotations

import numpy as np

from duramen.page import FlagArray, Page
from duramen.tags import TAG_IDS, TAG_NAMES

try:
    import cython
except ImportError:
    from duramen.parse import uncompiled as cython

if not cython.compiled:
    from duramen.measure.buffers import check_tree, ints, new_doubles, new_ints, new_octets, octets, room

    # Bits of what an element is to the method.
    UNREAD, FIELD, MEDIA, BREAKS = 1, 2, 4, 8
    # Bits of what a row is.
    EXCLUDED, LINKED, OUTERMOST, FILLED, MOSTLY_TEXT, IN_FORM = 1, 2, 4, 8, 16, 32
    # Counts of a row, side by side.
    WORDS, LINKS, SET_WORDS, SET_LINKS, COUNTS = range(5)
    NAN = float("nan")

_KIND_OF_TAG = bytes(
    # Never text: an HTML5 tree holds the source of a style sheet or frame as one text node.
    1 * (name in ("head", "style", "iframe", "noembed", "noframes"))
    + 2 * (name in ("select", "input", "textarea", "option"))
    + 4 * (name in ("img", "picture", "svg", "video", "audio", "object", "embed", "canvas"))
    + 8 * (name in ("br", "wbr", "hr"))
    for name in (*TAG_NAMES, "?")
)
_OTHER = len(TAG_NAMES)  # stands for elements that have no name there
_KINDS = octets(_KIND_OF_TAG, _OTHER + 1)
_A, _BODY, _FORM, _SCRIPT, _NOSCRIPT = (TAG_IDS[name] for name in ("a", "body", "form", "script", "noscript"))
_SAME = SAME = 1e-12  # scores closer than this are equal, so that a parent ties with an only child


class Tally:
    """A page under the eyes of the method: what each row is, its counts and its scores."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.size = len(page)
        self.body = 0
        self.words_read = self.words_in_forms = self.page_text = self.page_links = 0
        self.view()

    def view(self) -> int:
        """The buffers of the page and of what is filled in, checked."""
        page, size = self.page, self.size
        self.tag, self.parent, self.end = ints(page.tag, size), ints(page.parent, size), ints(page.end, size)
        check_tree(self.tag, self.parent, self.end, size)
        self.chars, self.words, self.flags = ints(page.chars, size), ints(page.words, size), octets(page.flags, size)
        self.depth = ints(page.depth, size)
        self.place_store, self.count_store, self.basic_store = room(size), bytearray(4 * COUNTS * size), room(8 * size)
        self.kept_store, self.final_store = np.zeros(size, dtype=np.bool_), np.empty(size)
        self.place, self.kept = new_octets(self.place_store, size), new_octets(self.kept_store, size)
        self.counts = new_ints(self.count_store, COUNTS * size)
        self.basic, self.final = new_doubles(self.basic_store, size), new_doubles(self.final_store, size)
        return 0

    def exclude(self, without_forms: int, without_scripts: int, at_once: int, dropped: FlagArray | None) -> int:
        """Fill in the rows that count for nothing; counts the words else, and those of them in forms.

        Forms are only marked, unless they are to be left out `at_once`. `dropped` marks further elements to leave out.
        Scripts go together with `<noscript>` elements that hold nothing else (§3.1: the test data wraps scripts so).
        """
        self.with_dropped = dropped is not None
        self.dropped = self.flags if dropped is None else octets(dropped, self.size)
        with cython.nogil:
            self.exclude_rows(without_forms, without_scripts, at_once)
        return 0

    def next_solid(self, row: int) -> int:
        """The first row from `row` on, which is in no script, that is neither a script, nor in one, nor blank."""
        tag, end, chars = self.tag, self.end, self.chars
        while row < self.size:
            if tag[row] == _SCRIPT:
                row = end[row]
            elif tag[row] == _NOSCRIPT or (tag[row] == 0 and chars[row] <= 0):
                row += 1
            else:
                break
        return row

    def exclude_rows(self, without_forms: int, without_scripts: int, at_once: int) -> int:
        """The same as `exclude`, and find the body."""
        tag, end, words, place = self.tag, self.end, self.words, self.place
        kinds, other, dropped, with_dropped = _KINDS, _OTHER, self.dropped, self.with_dropped
        until = form_until = total = in_forms = solid = 0
        body = -1
        skipped = UNREAD | (FIELD if without_forms else 0)
        for row in range(self.size):
            number = tag[row] if tag[row] < other else other
            if number == _BODY and body < 0:
                body = row
            if (
                kinds[number] & skipped or (with_dropped and dropped[row]) or (without_scripts and number == _SCRIPT)
            ) and end[row] > until:
                until = end[row]
            if without_scripts and number == _NOSCRIPT and end[row] > until:
                solid = self.next_solid(solid if solid > row else row)
                if solid >= end[row]:
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
        self.body = body if body >= 0 else 0  # a frameset has none
        self.words_read, self.words_in_forms = total, in_forms
        return 0

    def count(self, threshold: float) -> int:
        """Fill in the counts of every row (§2.1 and §2.2.2).

        A link with everything below it is one terminal node of one word and one link.
        """
        with cython.nogil:
            self.find_links()
            self.add_up(threshold)
        if self.size:
            self.page_text = self.counts[COUNTS * self.body + WORDS]
            self.page_links = self.counts[COUNTS * self.body + LINKS]
        return 0

    def find_links(self) -> int:
        """Mark links, and what has something to see."""
        tag, end, chars, flags, place = self.tag, self.end, self.chars, self.flags, self.place
        kinds, other, until = _KINDS, _OTHER, 0
        for row in range(self.size):
            if place[row] & EXCLUDED:
                continue
            number = tag[row] if tag[row] < other else other
            if number == _A and flags[row] & 1 and row >= until:
                until = end[row]
                place[row] |= OUTERMOST
            if row < until:
                place[row] |= LINKED
            if chars[row] > 0 or kinds[number] & MEDIA:
                place[row] |= FILLED
        return 0

    def add_up(self, threshold: float) -> int:
        """The counts, from the last row to the first."""
        tag, parent, words, place, counts = self.tag, self.parent, self.words, self.place, self.counts
        for row in range(self.size - 1, -1, -1):
            what, own = place[row], COUNTS * row
            if what & OUTERMOST:
                if what & FILLED:
                    counts[own + WORDS] += 1
                    counts[own + LINKS] += 1
            elif not what & (EXCLUDED | LINKED):
                counts[own + WORDS] += words[row]
            text, link = counts[own + WORDS], counts[own + LINKS]
            if what & OUTERMOST or tag[row] == 0:  # a terminal node
                counts[own + SET_WORDS], counts[own + SET_LINKS] = text, link
            if row == 0:
                continue
            up = COUNTS * parent[row]
            counts[up + WORDS] += text
            counts[up + LINKS] += link
            if ratio(text, link) > threshold:
                place[row] |= MOSTLY_TEXT
                counts[up + SET_WORDS] += text
                counts[up + SET_LINKS] += link
            if what & FILLED:
                place[parent[row]] |= FILLED
        return 0

    def score(self, subset: int, weight_ratio: float, weight_text: float, page_text: int) -> float:
        """Fill in the basic and final score of every row (§2.1.1, §2.2.1); returns the highest final one.

        Rows that are no candidates have NaN. Without a `page_text` scores are not weighted. A page of links alone has
        small positive weighted scores; content needs text of its own, so only rows with a positive basic score compete.
        """
        counts, basic, final = self.counts, self.basic, self.final
        words, links = SET_WORDS if subset else WORDS, SET_LINKS if subset else LINKS
        best = -1.0
        with cython.nogil:
            for row in range(self.size):
                text = counts[COUNTS * row + words]
                if row < self.body or text == 0:
                    basic[row] = final[row] = NAN
                    continue
                share = ratio(text, counts[COUNTS * row + links])
                total = weight_ratio * share + weight_text * text / page_text if page_text else share
                basic[row], final[row] = share, total
                if share > 0 and total > best:
                    best = total
        return best

    def highest(self, best: float) -> list[int]:
        """The rows with the best score, of these the ones nearest to the root, in document order."""
        found: list[int] = []
        basic, final, depth, lowest = self.basic, self.final, self.depth, -1
        for row in range(self.size):
            if final[row] >= best - _SAME and basic[row] > 0:
                if lowest < 0 or depth[row] < lowest:
                    found, lowest = [], depth[row]
                if depth[row] == lowest:
                    found.append(row)
        return found

    def words_of(self, row: int, subset: int) -> int:
        """The words of a row, or of its set."""
        if not 0 <= row < self.size:
            raise IndexError("there is no such row")
        return self.counts[COUNTS * row + (SET_WORDS if subset else WORDS)]

    def keep(self, winner: int, subset: int) -> list[int]:
        """Fill in the rows of S, the nodes that are the content (those that count for nothing left out); returns S.

        White space and line breaks between the nodes of S count for nothing, but keep words apart.
        """
        tag, end, chars, place, kept = self.tag, self.end, self.chars, self.place, self.kept
        members, other, between = [], _OTHER, -1
        if not 0 <= winner < self.size:
            raise IndexError("the winner is a row")
        if not subset or tag[winner] == 0:
            members.append(winner)
            self.take(winner)
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
                self.take(row)
                between = row
            row = end[row]
        return members

    def take(self, row: int) -> int:
        """Keep a subtree."""
        for at in range(row, self.end[row]):
            if not self.place[at] & EXCLUDED:
                self.kept[at] = 1
        return 0


def ratio(text: int, link: int) -> float:
    """The basic score (§2.1.1): (text - link) / text, 0 where there is no text."""
    return (text - link) / (text if text > 1 else 1)
