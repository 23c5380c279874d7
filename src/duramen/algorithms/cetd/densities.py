"""The counts, densities and marks of every row, in passes over the rows. Numbers of definitions are the paper's.

This file compiles to C, with the types in `densities.pxd`, and runs as Python where it is not compiled.
"""

from __future__ import annotations

import numpy as np

from duramen.blocks import BOUNDARIES
from duramen.page import Page
from duramen.tags import TAG_IDS, TAG_NAMES

try:
    import cython
except ImportError:
    from duramen.parse import uncompiled as cython

if not cython.compiled:
    from math import log, log1p

    from duramen.measure.buffers import (
        check_tree,
        further,
        further_doubles,
        further_octets,
        ints,
        new_doubles,
        new_ints,
        new_octets,
        octets,
        room,
    )
    from duramen.measure.reading import mark_unseen

    # Bits of what a row is: to the method …
    SCOPE, ELEMENT, TEXT, IN_LINK = 1, 2, 4, 8
    # … and while sections are searched for.
    ROOT, HOLDS = 16, 32
    # Bits of what an element is.
    REMOVED, LINK, MEDIA, BOUNDARY = 1, 2, 4, 8
    # Marks of Algorithm 2; 0 is noise.
    CONTENT, ANCESTOR = 1, 2
    # Counts of a row, side by side.
    CHARS, TAGS, LINK_CHARS, LINK_TAGS, BARE, COUNTS = range(6)
    # Rows of the array of sums, and of that of bytes.
    SUM, RANKED, RUN = range(3)
    PLACE, MARK = range(2)
    KNOWN_BASES = 1024

    def rint(value: float) -> float:
        return float(round(value))


THRESHOLD_SLACK = 1e-9  # a density that equals the threshold but for rounding reaches it
TIE_DECIMALS = 6  # DensitySums that agree so far are equal: the first in the document wins

_SLACK, _TIE, _E, _NAN = THRESHOLD_SLACK, 10.0**TIE_DECIMALS, np.e, np.nan
_BODY, _OTHER = TAG_IDS["body"], len(TAG_NAMES)
_KIND_OF_TAG = bytes(
    1 * (name in ("head", "script", "style", "noscript", "template"))
    + 2 * (name in ("a", "button", "select"))  # §4.3: buttons and drop-down lists are treated as hyperlinks
    + 4 * (name in ("img", "video", "audio", "iframe", "embed", "object", "applet", "canvas"))
    + 8 * (name in BOUNDARIES)
    for name in (*TAG_NAMES, "?")
)
_KINDS = octets(_KIND_OF_TAG, _OTHER + 1)


class Densities:
    """A page under the eyes of the method. The body without what nobody reads is its scope."""

    def __init__(self, page: Page) -> None:
        self.body = self.run_count = self.element_count = self.section_count = 0
        self.best = self.lowest = -1
        self.threshold = self.link_share = 0.0
        self.kept_chars = self.kept_media = self.kept_blocks = 0
        self.view(page)

    def view(self, page: Page) -> int:
        """The arrays of the page and those that are filled in."""
        self.page = page  # whose arrays are read as long as this lasts
        self.size = size = len(page)
        self.tag, self.parent, self.end = ints(page.tag, size), ints(page.parent, size), ints(page.end, size)
        self.flags, self.chars, self.words = octets(page.flags, size), ints(page.chars, size), ints(page.words, size)
        check_tree(self.tag, self.parent, self.end, size)
        self.density_store, self.kept_store = np.empty(size), np.empty(size, dtype=np.bool_)
        self.count_store, self.byte_store = bytearray(4 * COUNTS * size), bytearray(2 * size)
        self.sum_store, self.work_store, self.base_store = room(24 * size), room(20 * size), bytearray(8 * KNOWN_BASES)
        self.counts, self.run_first = new_ints(self.count_store, COUNTS * size), new_ints(self.work_store, 5 * size)
        self.run_chars, self.elements = further(self.run_first, size), further(self.run_first, 2 * size)
        self.sections, self.work = further(self.run_first, 3 * size), further(self.run_first, 4 * size)
        self.density, self.sum = new_doubles(self.density_store, size), new_doubles(self.sum_store, 3 * size)
        self.ranked, self.run_density = further_doubles(self.sum, size), further_doubles(self.sum, 2 * size)
        self.place, self.kept = new_octets(self.byte_store, 2 * size), new_octets(self.kept_store, size)
        self.mark = further_octets(self.place, size)
        self.bases = new_doubles(self.base_store, KNOWN_BASES)
        return 0

    def count(self, hidden: int, pure: int) -> int:
        """What each row is, the counts of every element, and the runs of text; returns the characters of the body.

        Elements with one of the flags `hidden` are taken out. A run is the text between two child elements: its first
        row and its characters.
        """
        with cython.nogil:
            mark_unseen(self.tag, self.end, self.words, self.kept, self.size)
            self.find_scope(hidden)
            self.add_counts(pure)
        chars, links = self.counts[COUNTS * self.body + CHARS], self.counts[COUNTS * self.body + LINK_CHARS]
        self.link_share = links / (chars if chars > 1 else 1)
        return self.counts[COUNTS * self.body + CHARS]

    def find_scope(self, hidden: int) -> int:
        """Fill in what each row is, the elements, the runs of text, and the characters right in each element."""
        tag, end, place, unread, other = self.tag, self.end, self.place, self.kept, _OTHER
        chars, parent, flags, counts = self.chars, self.parent, self.flags, self.counts
        kinds, run_first, run_chars, elements = _KINDS, self.run_first, self.run_chars, self.elements
        rows, body, found, listed = self.size, 0, 0, 0
        while body < rows and tag[body] != _BODY:
            body += 1
        self.body = body = body if body < rows else 0  # a frameset has none
        out_until = link_until = opened = last_opened = 0
        last_parent = -1
        for row in range(body, end[body]):
            kind = kinds[tag[row] if tag[row] < other else other]
            if row > body and ((kind & REMOVED and unread[row]) or flags[row] & hidden) and end[row] > out_until:
                out_until = end[row]
            if row < out_until:
                continue
            if tag[row] == 0:
                if unread[row]:
                    place[row] = SCOPE
                    continue
                place[row] = SCOPE | TEXT | (IN_LINK if row < link_until else 0)
                if chars[row] > 0:
                    up = COUNTS * parent[row]
                    counts[up + CHARS] += chars[row]
                    if row < link_until:
                        counts[up + LINK_CHARS] += chars[row]
                    if parent[row] == last_parent and opened == last_opened:
                        run_chars[found - 1] += chars[row]
                    else:
                        run_first[found], run_chars[found] = row, chars[row]
                        found += 1
                        last_parent, last_opened = parent[row], opened
                continue
            opened += 1
            if kind & LINK and end[row] > link_until:
                link_until = end[row]
            place[row] = SCOPE | ELEMENT | (IN_LINK if row < link_until else 0)
            elements[listed] = row
            listed += 1
        self.run_count, self.element_count = found, listed
        return 0

    def add_counts(self, pure: int) -> int:
        """Add up characters and tags below every element."""
        counts, place, parent, elements = self.counts, self.place, self.parent, self.elements
        for k in range(self.element_count - 1, -1, -1):
            row = elements[k]
            own = COUNTS * row
            # An element outside links is a link tag when its subtree has LT = T > 0 and LC = C. By induction that is:
            # all its characters are in links, and neither it nor anything below it is a bare leaf outside of links.
            bare, link = counts[own + BARE], 1 if place[row] & IN_LINK else 0
            if not link and counts[own + TAGS] == 0:
                bare += 1
            if pure and bare == 0 and counts[own + CHARS] == counts[own + LINK_CHARS]:
                link = 1
            if k > 0:  # the first is the body
                up = COUNTS * parent[row]
                counts[up + CHARS] += counts[own + CHARS]
                counts[up + TAGS] += counts[own + TAGS] + 1
                counts[up + LINK_CHARS] += counts[own + LINK_CHARS]
                counts[up + LINK_TAGS] += counts[own + LINK_TAGS] + link
                counts[up + BARE] += bare
        return 0

    def weigh(self, composite: int, one: int) -> int:
        """The density of every element and run: definition 1 or, `composite`, definition 2; NaN for other rows."""
        density, counts, elements = self.density, self.counts, self.elements
        sums, ranked = self.sum, self.ranked
        with cython.nogil:
            for row in range(self.size):
                density[row] = _NAN
            for k in range(self.element_count):
                row = elements[k]
                own = COUNTS * row
                sums[row] = ranked[row] = 0.0
                if composite:
                    density[row] = self.composite_density(
                        counts[own + CHARS], counts[own + TAGS], counts[own + LINK_CHARS], counts[own + LINK_TAGS], one
                    )
                else:
                    tags = counts[own + TAGS]
                    density[row] = counts[own + CHARS] / (tags if tags > 1 else 1)
            for k in range(self.run_count):
                chars = self.run_chars[k]
                self.run_density[k] = self.composite_density(chars, 0, 0, 0, 0) if composite else chars
        return 0

    def composite_density(self, chars: float, tags: float, link_chars: float, link_tags: float, one: int) -> float:
        """C/T · log_B(C/LC · T/LT) with B = ln(C/¬LC · LC + LCb/Cb · C + e), zero denominators being 1."""
        if chars == 0:
            return 0.0
        tags = tags if tags > 1 else 1
        links = link_chars if link_chars > 1 else 1
        ratio = (chars / links) * (tags / (link_tags if link_tags > 1 else 1))
        if ratio <= 1.0:
            return 0.0
        # Without links the base goes by the characters alone: that of short texts is remembered.
        known = link_chars == 0 and not one and chars < KNOWN_BASES
        base = self.bases[int(chars)] if known else 0.0
        if base == 0.0:
            plain = chars - link_chars
            beyond_e = chars / (plain if plain > 1 else 1) * (links if one else link_chars) + self.link_share * chars
            # ln(B) = ln(ln(e + u)) = log1p(log1p(u / e)), exact even where a huge page has a single link.
            base = log1p(log1p(beyond_e / _E))
            if known:
                self.bases[int(chars)] = base
        return chars / tags * log(ratio) / base

    def add_up(self, with_runs: int) -> int:
        """DensitySum of every element: definition 3, and what the runs of text in it add to that."""
        density, sums, ranked, elements = self.density, self.sum, self.ranked, self.elements
        parent, counts = self.parent, self.counts
        with cython.nogil:
            for k in range(1, self.element_count):  # without the body
                row = elements[k]
                sums[parent[row]] += density[row]
            if with_runs:
                for k in range(self.run_count):
                    ranked[parent[self.run_first[k]]] += self.run_density[k]
            for k in range(self.element_count):
                row = elements[k]
                if with_runs:
                    sums[row] = density[row] if counts[COUNTS * row + TAGS] == 0 else sums[row] + ranked[row]
                ranked[row] = rint(sums[row] * _TIE) / _TIE
        return 0

    def search(self, lambda_: float) -> int:
        """Algorithm 2: mark the element of the highest DensitySum below every element that reaches the threshold.

        An element is visited when it and all its ancestors reach the threshold and no mark covers it. Those that a mark
        covers may be visited all the same: their best element lies in the marked subtree. So there is no order to keep.
        """
        with cython.nogil:
            self.find_best()
            self.threshold = lambda_ * self.density[self.lowest]
            self.find_roots(self.threshold - _SLACK)
            self.mark_sections()
        return 0

    def find_best(self) -> int:
        """The best element below every element; that of the body, and the lowest density on the way up from it."""
        best_below, ranked, elements, parent, body = self.work, self.ranked, self.elements, self.parent, self.body
        density = self.density
        for k in range(self.element_count):
            best_below[elements[k]] = elements[k]
        for k in range(self.element_count - 1, 0, -1):
            up, mine = parent[elements[k]], best_below[elements[k]]
            theirs = best_below[up]
            if ranked[mine] > ranked[theirs] or (ranked[mine] == ranked[theirs] and mine < theirs):
                best_below[up] = mine
        row = lowest = self.best = best_below[body]
        while row > body:
            row = parent[row]
            if density[row] <= density[lowest]:
                lowest = row
        self.lowest = lowest
        return 0

    def find_roots(self, floor: float) -> int:
        """The best elements below those that are as dense as all that is above them, and what holds them."""
        best_below, place, density, parent, body = self.work, self.place, self.density, self.parent, self.body
        row = body
        while row < self.end[body]:
            if not (place[row] & ELEMENT and density[row] >= floor):
                row = self.end[row]  # nothing below it is visited either
                continue
            root = best_below[row]
            row = self.end[row] if root == row else row + 1  # a root covers all that is below it
            if place[root] & ROOT:
                continue
            place[root] |= ROOT
            while root > body and not place[parent[root]] & HOLDS:
                root = parent[root]
                place[root] |= HOLDS
        return 0

    def mark_sections(self) -> int:
        """Mark what the roots cover and what holds them; the outermost roots are the sections."""
        place, mark, parent, end, body = self.place, self.mark, self.parent, self.end, self.body
        found = covered_until = 0
        for row in range(body, end[body]):
            if place[row] & ROOT and row >= covered_until:
                covered_until = end[row]
                self.sections[found] = row
                found += 1
            if place[row] & TEXT:
                mark[row] = mark[parent[row]]
            elif place[row] & SCOPE:
                mark[row] = CONTENT if row < covered_until else ANCESTOR if place[row] & HOLDS else 0
        self.section_count = found
        return 0

    def body_density(self) -> float:
        """The density of the body."""
        density: float = self.density[self.body]
        return density

    def found_sections(self) -> list[int]:
        """The outermost content elements, in document order."""
        return [self.sections[k] for k in range(self.section_count)]

    def keep(self, with_ancestors: int) -> int:
        """Fill in the rows that are content; counts their characters, their pictures and players, and their blocks."""
        with cython.nogil:
            self.keep_rows(with_ancestors)
        return self.kept_chars

    def keep_rows(self, with_ancestors: int) -> int:
        """The same."""
        tag, place, mark, kept, holder = self.tag, self.place, self.mark, self.kept, self.work
        parent, chars, kinds, other = self.parent, self.chars, _KINDS, _OTHER
        started, last_started, last_holder = 0, 0, -2
        characters = media = blocks = 0
        for row in range(self.size):
            kind = kinds[tag[row] if tag[row] < other else other]
            if kind & BOUNDARY:
                holder[row] = row
                started += 1
            else:
                holder[row] = holder[parent[row]] if row > 0 else -1
            kept[row] = 0
            if not place[row] & (ELEMENT | TEXT) or not mark[row]:
                continue
            if mark[row] != CONTENT and not (with_ancestors and place[row] & TEXT):
                continue
            kept[row] = 1
            if kind & MEDIA:
                media += 1
            if place[row] & TEXT and chars[row] > 0:
                characters += chars[row]
                if holder[row] != last_holder or started != last_started:
                    blocks += 1
                    last_holder, last_started = holder[row], started
        self.kept_chars, self.kept_media, self.kept_blocks = characters, media, blocks
        return 0
