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

    from duramen.measure.reading import mark_unseen

    # Bits of what a row is: to the method …
    SCOPE, ELEMENT, TEXT, IN_LINK = 1, 2, 4, 8
    # … and while sections are searched for.
    DENSE, ROOT, COVERED, HOLDS = 16, 32, 64, 128
    # Bits of what an element is.
    REMOVED, LINK, MEDIA, BOUNDARY = 1, 2, 4, 8
    # Marks of Algorithm 2; 0 is noise.
    CONTENT, ANCESTOR = 1, 2
    # Rows of the array of counts.
    CHARS, TAGS, LINK_CHARS, LINK_TAGS, BARE = range(5)
    # Rows of the array of densities, and of that of bytes.
    DENSITY, SUM, RANKED = range(3)
    PLACE, MARK, KEPT = range(3)

    def rint(value: float) -> float:
        return float(round(value))


THRESHOLD_SLACK = 1e-9  # a density that equals the threshold but for rounding reaches it
TIE_DECIMALS = 6  # DensitySums that agree so far are equal: the first in the document wins

_SLACK, _TIE, _E, _NAN = THRESHOLD_SLACK, 10.0**TIE_DECIMALS, np.e, np.nan
_BODY = TAG_IDS["body"]
_KINDS = bytes(
    1 * (name in ("head", "script", "style", "noscript", "template"))
    + 2 * (name in ("a", "button", "select"))  # §4.3: buttons and drop-down lists are treated as hyperlinks
    + 4 * (name in ("img", "video", "audio", "iframe", "embed", "object", "applet", "canvas"))
    + 8 * (name in BOUNDARIES)
    for name in (*TAG_NAMES, "?")
)


class Densities:
    """A page under the eyes of the method. The body without what nobody reads is its scope."""

    def __init__(self, page: Page) -> None:
        self.body = self.run_count = self.section_count = 0
        self.best = self.lowest = -1
        self.threshold = self.link_share = 0.0
        self.kept_chars = self.kept_media = self.kept_blocks = 0
        self.view(page)

    def view(self, page: Page) -> int:
        """The arrays of the page and those that are filled in."""
        size = len(page)
        self.tag, self.parent, self.end = page.tag.data, page.parent.data, page.end.data
        self.flags, self.chars, self.words = page.flags.data, page.chars.data, page.words.data
        self.count_store = np.zeros((5, size), dtype=np.int32)
        self.run_store, self.run_density_store = np.empty((2, size), dtype=np.int32), np.empty(size)
        self.density_store, self.byte_store = np.zeros((3, size)), np.zeros((3, size), dtype=np.uint8)
        self.work_store, self.section_store = np.empty(size, dtype=np.int32), np.empty(size, dtype=np.int64)
        self.counts, self.runs, self.work = self.count_store.data, self.run_store.data, self.work_store.data
        self.run_density, self.sections = self.run_density_store.data, self.section_store.data
        floats, flags = self.density_store, self.byte_store
        if cython.compiled:  # slices of views cost nothing, and Python has none of more than one dimension
            self.density, self.sum, self.ranked = floats[DENSITY], floats[SUM], floats[RANKED]
            self.place, self.mark, self.kept = flags[PLACE], flags[MARK], flags[KEPT]
        else:
            self.density, self.sum, self.ranked = (row.data for row in floats)
            self.place, self.mark, self.kept = (row.data for row in flags)
        return 0

    def count(self, hidden: int, pure: int) -> int:
        """What each row is, the counts of every element, and the runs of text; returns the characters of the body.

        Elements with one of the flags `hidden` are taken out. A run is the text between two child elements: its first
        row and its characters.
        """
        with cython.nogil:
            mark_unseen(self.tag, self.end, self.words, self.kept)
            self.find_scope(hidden)
            self.add_counts(pure)
        chars, links = self.counts[CHARS, self.body], self.counts[LINK_CHARS, self.body]
        self.link_share = links / (chars if chars > 1 else 1)
        return self.counts[CHARS, self.body]

    def find_scope(self, hidden: int) -> int:
        """Fill in what each row is, and the runs of text."""
        tag, end, place, unread, other = self.tag, self.end, self.place, self.kept, len(_KINDS) - 1
        rows, body, found = len(tag), 0, 0
        while body < rows and tag[body] != _BODY:
            body += 1
        self.body = body = body if body < rows else 0  # a frameset has none
        out_until = link_until = opened = last_opened = 0
        last_parent = -1
        for row in range(body, end[body]):
            kind = _KINDS[tag[row] if tag[row] < other else other]
            if row > body and ((kind & REMOVED and unread[row]) or self.flags[row] & hidden) and end[row] > out_until:
                out_until = end[row]
            if row < out_until:
                continue
            if tag[row] == 0:
                if unread[row]:
                    place[row] = SCOPE
                    continue
                place[row] = SCOPE | TEXT | (IN_LINK if row < link_until else 0)
                if self.chars[row] > 0:
                    if self.parent[row] == last_parent and opened == last_opened:
                        self.runs[1, found - 1] += self.chars[row]
                    else:
                        self.runs[0, found], self.runs[1, found] = row, self.chars[row]
                        found += 1
                        last_parent, last_opened = self.parent[row], opened
                continue
            opened += 1
            if kind & LINK and end[row] > link_until:
                link_until = end[row]
            place[row] = SCOPE | ELEMENT | (IN_LINK if row < link_until else 0)
        self.run_count = found
        return 0

    def add_counts(self, pure: int) -> int:
        """Add up characters and tags below every element."""
        counts, place, body = self.counts, self.place, self.body
        for row in range(self.end[body] - 1, body - 1, -1):
            up = self.parent[row]
            if place[row] & ELEMENT:
                # An element outside links is a link tag when its subtree has LT = T > 0 and LC = C. By induction that
                # is: all its characters are in links, and neither it nor anything below it is a bare leaf outside of
                # links.
                bare = counts[BARE, row]
                if not place[row] & IN_LINK and counts[TAGS, row] == 0:
                    bare += 1
                link = 1 if place[row] & IN_LINK else 0
                if pure and bare == 0 and counts[CHARS, row] == counts[LINK_CHARS, row]:
                    link = 1
                if row > body:
                    counts[CHARS, up] += counts[CHARS, row]
                    counts[TAGS, up] += counts[TAGS, row] + 1
                    counts[LINK_CHARS, up] += counts[LINK_CHARS, row]
                    counts[LINK_TAGS, up] += counts[LINK_TAGS, row] + link
                    counts[BARE, up] += bare
            elif place[row] & TEXT:
                counts[CHARS, up] += self.chars[row]
                if place[row] & IN_LINK:
                    counts[LINK_CHARS, up] += self.chars[row]
        return 0

    def weigh(self, composite: int, one: int) -> int:
        """The density of every element and run: definition 1 or, `composite`, definition 2; NaN for other rows."""
        with cython.nogil:
            for row in range(len(self.tag)):
                if not self.place[row] & ELEMENT:
                    self.density[row] = _NAN
                elif composite:
                    self.density[row] = self.composite_density(
                        self.counts[CHARS, row],
                        self.counts[TAGS, row],
                        self.counts[LINK_CHARS, row],
                        self.counts[LINK_TAGS, row],
                        one,
                    )
                else:
                    tags = self.counts[TAGS, row]
                    self.density[row] = self.counts[CHARS, row] / (tags if tags > 1 else 1)
            for k in range(self.run_count):
                chars = self.runs[1, k]
                self.run_density[k] = self.composite_density(chars, 0, 0, 0, 0) if composite else chars  # type: ignore[assignment]
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
        plain = chars - link_chars
        beyond_e = chars / (plain if plain > 1 else 1) * (links if one else link_chars) + self.link_share * chars
        # ln(B) = ln(ln(e + u)) = log1p(log1p(u / e)), exact even where a huge page has a single link.
        return chars / tags * log(ratio) / log1p(log1p(beyond_e / _E))

    def add_up(self, with_runs: int) -> int:
        """DensitySum of every element: definition 3, and what the runs of text in it add to that."""
        density, sums, ranked, place, body = self.density, self.sum, self.ranked, self.place, self.body
        with cython.nogil:
            for row in range(body + 1, self.end[body]):
                if place[row] & ELEMENT:
                    sums[self.parent[row]] += density[row]
            if with_runs:
                for k in range(self.run_count):
                    ranked[self.parent[self.runs[0, k]]] += self.run_density[k]
            for row in range(body, self.end[body]):
                if place[row] & ELEMENT:
                    if with_runs:
                        sums[row] = density[row] if self.counts[TAGS, row] == 0 else sums[row] + ranked[row]
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
        best_below, ranked, place, body = self.work, self.ranked, self.place, self.body
        density = self.density
        stop = self.end[body]
        for row in range(body, stop):
            best_below[row] = row
        for row in range(stop - 1, body, -1):
            if place[row] & ELEMENT:
                up, mine = self.parent[row], best_below[row]
                theirs = best_below[up]
                if ranked[mine] > ranked[theirs] or (ranked[mine] == ranked[theirs] and mine < theirs):
                    best_below[up] = mine
        row = lowest = self.best = best_below[body]
        while row > body:
            row = self.parent[row]
            if density[row] <= density[lowest]:
                lowest = row
        self.lowest = lowest
        return 0

    def find_roots(self, floor: float) -> int:
        """The best elements below those that are as dense as all that is above them."""
        best_below, place, density, body = self.work, self.place, self.density, self.body
        for row in range(body, self.end[body]):
            if place[row] & ELEMENT and density[row] >= floor and (row == body or place[self.parent[row]] & DENSE):
                place[row] |= DENSE
                place[best_below[row]] |= ROOT
        for row in range(self.end[body] - 1, body, -1):
            if place[row] & (ROOT | HOLDS):
                place[self.parent[row]] |= HOLDS
        return 0

    def mark_sections(self) -> int:
        """Mark what the roots cover and what holds them; the outermost roots are the sections."""
        place, mark, body, found = self.place, self.mark, self.body, 0
        for row in range(body, self.end[body]):
            if row > body and place[self.parent[row]] & COVERED:
                place[row] |= COVERED
            elif place[row] & ROOT:
                place[row] |= COVERED
                self.sections[found] = row
                found += 1
            if place[row] & TEXT:
                mark[row] = mark[self.parent[row]]
            elif place[row] & SCOPE:
                mark[row] = CONTENT if place[row] & COVERED else ANCESTOR if place[row] & HOLDS else 0
        self.section_count = found
        return 0

    def keep(self, with_ancestors: int) -> int:
        """Fill in the rows that are content; counts their characters, their pictures and players, and their blocks."""
        with cython.nogil:
            self.keep_rows(with_ancestors)
        return self.kept_chars

    def keep_rows(self, with_ancestors: int) -> int:
        """The same."""
        tag, place, mark, kept, holder = (
            self.tag,
            self.place,
            self.mark,
            self.kept,
            self.work,
        )
        other, started, last_started, last_holder = len(_KINDS) - 1, 0, 0, -2
        characters = media = blocks = 0
        for row in range(len(tag)):
            kind = _KINDS[tag[row] if tag[row] < other else other]
            holder[row] = holder[self.parent[row]] if self.parent[row] >= 0 else -1
            if kind & BOUNDARY:
                holder[row] = row
                started += 1
            is_content = mark[row] == CONTENT and place[row] & (ELEMENT | TEXT)
            if not is_content and not (with_ancestors and mark[row] == ANCESTOR and place[row] & TEXT):
                kept[row] = 0
                continue
            kept[row] = 1
            if kind & MEDIA:
                media += 1
            if place[row] & TEXT and self.chars[row] > 0:
                characters += self.chars[row]
                if holder[row] != last_holder or started != last_started:
                    blocks += 1
                    last_holder, last_started = holder[row], started
        self.kept_chars, self.kept_media, self.kept_blocks = characters, media, blocks
        return 0
