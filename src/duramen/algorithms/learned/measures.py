# cython: boundscheck=False
"""Blocks → features: one row a feature, one column a block, filled in by passes over blocks and rows.

This file compiles to C, with the types in `measures.pxd`, and runs as Python where it is not compiled. Its passes do
not check every index: `Counts` has seen to it that no array tells of a row, block or word that is not there.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from duramen.algorithms.learned.counts import ELEMENT_KINDS, Counts
from duramen.tags import TAG_IDS

try:
    import cython
except ImportError:
    from duramen.parse import uncompiled as cython

if not cython.compiled:
    from math import log1p

    from duramen.algorithms.learned.counts import IS_CELL, IS_DIV, IS_HEADING, IS_IMAGE, IS_ITEM, IS_P, IS_PRE
    from duramen.algorithms.learned.outline import IN_COMMENTS, IN_HIDDEN, IN_PARTS, IN_TABLE
    from duramen.algorithms.learned.vocabulary import CAPITALS, DIGITS, FIRST, LAST, QUESTIONS, SIGNS, SIZE, mixed
    from duramen.measure.buffers import further_doubles, new_doubles, new_ints, room

    LEVELS, LEVEL_KINDS = 4, 6  # containers around a block that are measured, and rows for each but the first
    WINDOW = 5  # blocks to either side
    FAR_BEFORE, FAR_HEADING = 99, 50  # blocks to what is not there
    MOST_COPIES = 20
    MOST_DEPTH = 60
    MOST_WORD_CHARS = 30
    POINT_WORDS, POINT_MOST = 6, 3  # Readability gives points from so many words on, and so many for length
    BUCKETS = 32768  # for like siblings, which are counted by hash
    KNOWN_LOGS = 1024
    AROUND_KINDS = 12
    PAGE_KINDS, LEXICAL_KINDS = 13, 35
    TEXT_AT, PLACE_AT, NAMED_AT, CONTAINERS_AT, GROUPS_AT, PAGE_AT = 0, 15, 55, 67, 94, 100  # the first row of each

_KINDS = ELEMENT_KINDS
_MASK = (1 << 64) - 1
_H1 = TAG_IDS["h1"]
_ENDS = bytes(code in (*map(ord, ".!?:;"), 0x81, 0x82, 0x9D, 0x9F) for code in range(256))  # last bytes of 。！？” too
_LOGS = np.log1p(np.arange(1024.0))


class Measures(Counts):
    """The passes that measure the blocks of a page."""

    def fill_base(self, out: Any) -> int:
        """Fill in the rows of BASE."""
        values = self.values
        if out.shape[0] < PAGE_AT + PAGE_KINDS or out.shape[1] != self.count:
            raise IndexError("the table does not fit the blocks")
        self.measure_text(out, TEXT_AT)
        self.measure_place(out, PLACE_AT)
        with cython.nogil:
            for k in range(self.count):
                values[k] = out[TEXT_AT, k]
        self.measure_neighbours(out, PLACE_AT + 31, values)
        with cython.nogil:
            for k in range(self.count):
                values[k] = out[TEXT_AT + 1, k]
        self.measure_neighbours(out, PLACE_AT + 34, values)
        with cython.nogil:
            for k in range(self.count):
                values[k] = out[TEXT_AT, k] if self.text[k] > 0 else 0
        self.measure_neighbours(out, PLACE_AT + 37, values)
        self.measure_named(out, NAMED_AT)
        self.measure_containers(out, CONTAINERS_AT)
        self.measure_groups(out, GROUPS_AT)
        self.measure_page(out, PAGE_AT)
        return 0

    def fill_lexical(self, out: Any, at: int, scores: Any) -> int:
        """Fill in the rows of LEXICAL, from number `at` on, by the scores of the four lexicons."""
        if at < 0 or out.shape[0] < at + LEXICAL_KINDS or out.shape[1] != self.count:
            raise IndexError("the table does not fit the blocks")
        both, path = self.values, new_doubles(scores, 4 * self.count)
        near, said = further_doubles(path, self.count), further_doubles(path, 2 * self.count)
        heading = further_doubles(path, 3 * self.count)
        with cython.nogil:
            for k in range(self.count):
                both[k] = path[k] + near[k]
        self.measure_scores(out, at, path)
        self.measure_scores(out, at + 6, near)
        mean = self.measure_scores(out, at + 12, both)
        self.measure_scores(out, at + 18, said)
        self.measure_headed(out, at + 24, both, heading, mean)
        self.measure_boxes(out, at + 29, both, said)
        return 0

    def measure_text(self, out: Any, at: int) -> int:
        """TEXT: what a block says."""
        title = self.title
        same = self.same
        store = bytearray(4 * self.count)
        copies = new_ints(store, self.count)
        sieve, one = 0, 1  # a bit for each word of the title: most others are told from them by it
        with cython.nogil:
            for j in range(self.titled):
                sieve |= one << (title[j] & 63)
            for k in range(self.count):
                copies[same[k]] += 1
            for k in range(self.count):
                words = self.words[k] if self.words[k] > 1 else 1
                size = self.marks[SIZE * self.count + k] if self.marks[SIZE * self.count + k] > 1 else 1
                out[at, k] = log_of(self.words[k])
                out[at + 1, k] = self.links[k] / words
                out[at + 2, k] = self.chars[k] / words if self.chars[k] < MOST_WORD_CHARS * words else MOST_WORD_CHARS
                out[at + 3, k] = self.puncts[k] / words
                out[at + 4, k] = log_of(self.puncts[k])
                out[at + 5, k] = log_of(self.at[k + 1] - self.at[k])
                out[at + 6, k] = self.marks[DIGITS * self.count + k] / size
                out[at + 7, k] = self.marks[CAPITALS * self.count + k] / size
                out[at + 8, k] = self.marks[SIGNS * self.count + k] / size
                out[at + 9, k] = self.marks[QUESTIONS * self.count + k] / size
                out[at + 10, k] = _ENDS[self.marks[LAST * self.count + k] & 255]
                out[at + 11, k] = 65 <= self.marks[FIRST * self.count + k] <= 90
                number = copies[same[k]]
                if number > 0:  # the first of its kind: from now on the count is negative
                    copies[same[k]] = -number
                out[at + 12, k] = min(abs(number), MOST_COPIES)
                out[at + 13, k] = number < 0
                found = 0
                for j in range(self.word_at[k], self.word_at[k + 1]):
                    if sieve & (one << (self.word_hash[j] & 63)):
                        found += is_among(title, self.titled, self.word_hash[j])
                number = self.word_at[k + 1] - self.word_at[k]
                out[at + 14, k] = found / number if number > 0 else 0
        return 0

    def measure_place(self, out: Any, at: int) -> int:
        """PLACE: what a block stands in, where on the page, and between which others."""
        other, row, last, h1 = len(_KINDS) - 1, 0, -FAR_BEFORE, -1
        before = text_before = 0.0
        whole = self.running if self.running > 1 else 1
        with cython.nogil:
            for k in range(self.count):
                first = self.rows[self.at[k]]
                box = self.box[first]
                number = self.tag[box] if self.tag[box] < other else other
                what, around = _KINDS[number], self.around[first]
                out[at, k] = what & IS_P
                out[at + 1, k] = (what & IS_ITEM) >> 1
                out[at + 2, k] = (what & IS_CELL) >> 2
                out[at + 3, k] = (what & IS_PRE) >> 3
                out[at + 4, k] = (what & IS_DIV) >> 4
                out[at + 5, k] = 7 - (number - _H1) if what & IS_HEADING else 0
                out[at + 6, k] = self.parent[first] != box
                out[at + 7, k] = min(self.depth[box], MOST_DEPTH)
                for bit in range(AROUND_KINDS):
                    out[at + 8 + bit, k] = (around >> bit) & 1
                out[at + 20, k] = 1 if around & IN_HIDDEN else 0
                out[at + 21, k] = (k + 0.0) / self.count
                out[at + 22, k] = before / self.total
                out[at + 23, k] = text_before / whole
                before += self.words[k]
                text_before += self.text[k]
                out[at + 24, k] = (whole - text_before) / whole
                if self.text[k] > 0:
                    last = k
                out[at + 25, k] = log_of(k - last)
                if number == _H1 and (h1 < 0 or self.words[k] > self.words[h1]):
                    h1 = k
                heading = self.section[k]
                out[at + 28, k] = log_of(k - heading if heading >= 0 else k + FAR_HEADING)
                out[at + 29, k] = out[at + 5, heading] if heading >= 0 else 0
                images = 0
                while row < first:
                    number = self.tag[row] if self.tag[row] < other else other
                    if _KINDS[number] & IS_IMAGE:
                        images += 1
                    row += 1
                out[at + 30, k] = images
            last = self.count + FAR_BEFORE
            for k in range(self.count - 1, -1, -1):
                if self.text[k] > 0:
                    last = k
                out[at + 26, k] = log_of(last - k)
                out[at + 27, k] = 0 if h1 < 0 else log_of(k - h1) if k >= h1 else -log_of(h1 - k)
        return 0

    def measure_neighbours(self, out: Any, at: int, values: Any) -> int:
        """Three rows from `at` on: the value of the block before, of the block after, and the mean of a window."""
        total = 0.0
        with cython.nogil:
            for k in range(min(WINDOW, self.count)):
                total += values[k]
            for k in range(self.count):
                if k + WINDOW < self.count:
                    total += values[k + WINDOW]
                if k > WINDOW:
                    total -= values[k - WINDOW - 1]
                out[at, k] = values[k - 1] if k > 0 else 0
                out[at + 1, k] = values[k + 1] if k + 1 < self.count else 0
                out[at + 2, k] = total / (2 * WINDOW + 1)
        return 0

    def measure_named(self, out: Any, at: int) -> int:
        """NAMED: blocks in what is called comments, reviews or related, and how much text is in and before these."""
        whole = self.running if self.running > 1 else 1
        with cython.nogil:
            for which in range(3):
                bit = IN_COMMENTS << which
                inside = before = 0.0
                begun = 0
                for k in range(self.count):
                    if self.around[self.rows[self.at[k]]] & bit:
                        begun = 1
                        inside += self.text[k]
                        out[at + 4 * which, k] = 1
                    else:
                        out[at + 4 * which, k] = 0
                        if not begun:
                            before += self.text[k]
                inside, logged = inside / whole, log1p(before)
                before /= whole
                for k in range(self.count):
                    out[at + 4 * which + 1, k] = inside
                    out[at + 4 * which + 2, k] = before
                    out[at + 4 * which + 3, k] = logged
        return 0

    def measure_containers(self, out: Any, at: int) -> int:
        """CONTAINERS: the elements around a block that hold more than it does, level by level."""
        stores = room(4 * self.length), bytearray(4 * BUCKETS), bytearray(24 * self.length)
        top, alike = new_ints(stores[0], self.length), new_ints(stores[1], BUCKETS)
        density = new_doubles(stores[2], 3 * self.length)
        nested, points = further_doubles(density, self.length), further_doubles(density, 2 * self.length)
        with cython.nogil:
            self.find_containers(top, alike, density, nested)
            self.give_points(points)
            self.fill_best(out, at, nested, points)
            self.fill_levels(out, at + 4, top, alike, density)
        return 0

    def find_containers(self, top: Any, alike: Any, density: Any, nested: Any) -> int:
        """Fill in for each row the outermost element that holds the same blocks, and how dense text is in it.

        Density is CETD's, words that are not in links by elements, and `nested` the sum of those of its children.
        `alike` counts children of the same parent, tag and names. All but `top` are zero.
        """
        end, parent, before = self.end, self.parent, self.blocks_before
        for row in range(self.length):
            top[row] = row
            if self.tag[row] != 0:
                alike[sibling_key(self.kind[row], parent[row])] += 1
        row = 0
        while row < self.length:
            first, stop, up = before[row], before[end[row]], parent[row]
            if first == stop:  # nothing in it is measured
                row = end[row]
                continue
            if self.tag[row] != 0:
                words = self.words_before[stop] - self.words_before[first]
                words -= self.links_before[stop] - self.links_before[first]
                density[row] = words / (self.tags_before[end[row]] - self.tags_before[row])
            if up >= 0:
                nested[up] += density[row]
                if before[end[up]] - before[up] <= stop - first:
                    top[row] = top[up]
            row += 1
        return 0

    def give_points(self, points: Any) -> int:
        """Add up Readability's points for blocks in the elements above them; `points` is zero."""
        end, parent, before = self.end, self.parent, self.blocks_before
        for k in range(self.count):
            if self.words[k] < POINT_WORDS:
                continue
            given = self.words[k] / 20 if self.words[k] < POINT_MOST * 20 else POINT_MOST
            given = (1 + self.puncts[k] + given) * (1 - self.links[k] / self.words[k])
            row = max(parent[self.box[self.rows[self.at[k]]]], 0)
            points[row] += given
            points[max(parent[row], 0)] += given / 2
        for row in range(self.length):
            if points[row] > 0:
                words = self.words_before[before[end[row]]] - self.words_before[before[row]]
                links = self.links_before[before[end[row]]] - self.links_before[before[row]]
                points[row] *= 1 - links / (words if words > 1 else 1)
        return 0

    def fill_best(self, out: Any, at: int, nested: Any, points: Any) -> int:
        """Four rows: whether a block is in the densest element, in that of most points, and what is above it."""
        end, densest, best, last = self.end, 0, 0, -1
        for row in range(self.length):
            if nested[row] > nested[densest]:
                densest = row
            if points[row] > points[best]:
                best = row
        most = points[best] if points[best] > 1e-9 else 1e-9
        for k in range(self.count):
            first = self.rows[self.at[k]]
            out[at, k] = densest <= first < end[densest]
            out[at + 1, k] = best <= first < end[best]
            row = max(self.parent[self.box[first]], 0)
            if row == last:  # as for the block before
                out[at + 2, k], out[at + 3, k] = out[at + 2, k - 1], out[at + 3, k - 1]
            else:
                out[at + 2, k] = points[row] / most
                out[at + 3, k] = log1p(points[row])
                last = row
        return 0

    def fill_levels(self, out: Any, at: int, top: Any, alike: Any, density: Any) -> int:
        """Rows for each of four levels: what part of the page it is, of links and of text, its blocks, and its like."""
        end, parent, before = self.end, self.parent, self.blocks_before
        for k in range(self.count):
            row, number = top[self.box[self.rows[self.at[k]]]], at
            last = top[self.box[self.rows[self.at[k - 1]]]] if k > 0 else -1
            for level in range(LEVELS):
                size = LEVEL_KINDS if level > 0 else LEVEL_KINDS - 1
                if row == last:  # as for the block before
                    for what in range(number, number + size):
                        out[what, k] = out[what, k - 1]
                else:
                    first, stop = before[row], before[end[row]]
                    words = self.words_before[stop] - self.words_before[first]
                    words = words if words > 1 else 1
                    out[number, k] = words / self.total
                    out[number + 1, k] = (self.links_before[stop] - self.links_before[first]) / words
                    out[number + 2, k] = (self.text_before[stop] - self.text_before[first]) / words
                    if level > 0:
                        out[number + 3, k] = log_of(stop - first)
                    out[number + size - 2, k] = log1p(density[row]) if density[row] > 0 else 0
                    found = alike[sibling_key(self.kind[row], parent[row])]
                    out[number + size - 1, k] = log_of(found - 1) if found > 0 else 0
                number += size
                row = top[max(parent[row], 0)]
                last = top[max(parent[last], 0)] if last >= 0 else -1
        return 0

    def measure_groups(self, out: Any, at: int) -> int:
        """GROUPS: the blocks that stand in elements of the same tags and names."""
        store = bytearray(48 * self.groups)
        held = new_doubles(store, 6 * self.groups)
        with cython.nogil:
            for k in range(self.count):
                group = 6 * self.group[k]
                if held[group] == 0:
                    held[group + 4] = k
                held[group] += 1
                held[group + 1] += self.words[k]
                held[group + 2] += self.links[k]
                held[group + 3] += 1 if self.text[k] > 0 else 0
                held[group + 5] = k
            for k in range(self.count):
                group = 6 * self.group[k]
                if k > 0 and self.group[k] == self.group[k - 1]:
                    for what in range(at, at + 6):
                        out[what, k] = out[what, k - 1]
                    continue
                size, words = held[group], held[group + 1]
                out[at, k] = log_of(size - 1)
                out[at + 1, k] = words / self.total
                out[at + 2, k] = log1p(words / size)
                out[at + 3, k] = held[group + 2] / (words if words > 1 else 1)
                out[at + 4, k] = (held[group + 5] - held[group + 4]) / self.count
                out[at + 5, k] = held[group + 3] / size
        return 0

    def measure_page(self, out: Any, at: int) -> int:
        """PAGE: what the whole page is like, the same for every block. Some of it is made of other rows."""
        links = most = items = largest = share = 0.0
        headings = cjk = tables = parts = 0
        with cython.nogil:
            for k in range(self.count):
                around = self.around[self.rows[self.at[k]]]
                tables += 1 if around & IN_TABLE else 0
                parts += 1 if around & IN_PARTS else 0
                links += self.links[k]
                most = max(most, self.words[k])
                headings += 1 if out[PLACE_AT + 5, k] > 0 else 0
                items += self.words[k] * out[PLACE_AT + 1, k]
                share = out[GROUPS_AT + 1, k]
                largest = share if share > largest else largest
            for j in range(self.at[self.count]):
                cjk += self.page_cjk[self.rows[j]]
            out[at, 0] = log1p(self.total)
            out[at + 1, 0] = log_of(self.count)
            out[at + 2, 0] = links / self.total
            out[at + 3, 0] = self.running / self.total
            out[at + 4, 0] = cjk / self.total
            out[at + 5, 0] = log_of(most)
            out[at + 6, 0] = log_of(headings)
            out[at + 7, 0] = items / self.total
            out[at + 8, 0] = largest
            out[at + 9, 0] = log_of(self.inputs)
            # Pages of old have tables for layout, hardly any names, and no elements for their parts.
            out[at + 10, 0] = log1p((self.places + 0.0) / self.count)
            out[at + 11, 0] = (tables + 0.0) / self.count
            out[at + 12, 0] = (parts + 0.0) / self.count
            for row in range(at, at + PAGE_KINDS):
                for k in range(1, self.count):
                    out[row, k] = out[row, 0]
        return 0

    def measure_scores(self, out: Any, at: int, values: Any) -> float:
        """Six rows for a lexicon's scores: they, their mean in the group, how far above the page they are, neighbours.

        Returns the mean of the page.
        """
        store = bytearray(16 * self.groups)
        held = new_doubles(store, 2 * self.groups)
        scored = further_doubles(held, self.groups)
        weights = total = mean = 0.0
        with cython.nogil:
            for k in range(self.count):
                weight = self.words[k] if self.words[k] > 1 else 1
                held[self.group[k]] += weight
                scored[self.group[k]] += weight * values[k]
                weights += weight
                total += weight * values[k]
            mean = total / weights
            for k in range(self.count):
                out[at, k] = values[k]
                out[at + 1, k] = scored[self.group[k]] / held[self.group[k]]
                out[at + 2, k] = values[k] - mean
        self.measure_neighbours(out, at + 3, values)
        return mean

    def measure_headed(self, out: Any, at: int, both: Any, heading: Any, mean: float) -> int:
        """The five rows of LEXICAL on headings and the page."""
        best = both[0]
        with cython.nogil:
            for k in range(self.count):
                best = max(best, both[k])
            for k in range(self.count):
                section = self.section[k]
                out[at, k] = mean
                out[at + 1, k] = both[k] - best
                out[at + 2, k] = heading[section] if section >= 0 else 0
                out[at + 3, k] = both[section] if section >= 0 else 0
                out[at + 4, k] = heading[k]
        return 0

    def measure_boxes(self, out: Any, at: int, both: Any, said: Any) -> int:
        """The last rows of LEXICAL: the means of scores in the elements around a block."""
        store = room(24 * (self.count + 1))
        weights = new_doubles(store, 3 * (self.count + 1))
        named, spoken = further_doubles(weights, self.count + 1), further_doubles(weights, 2 * (self.count + 1))
        end, before = self.end, self.blocks_before
        with cython.nogil:
            weights[0] = named[0] = spoken[0] = 0
            for k in range(self.count):
                weight = self.words[k] if self.words[k] > 1 else 1
                weights[k + 1] = weights[k] + weight
                named[k + 1] = named[k] + weight * both[k]
                spoken[k + 1] = spoken[k] + weight * said[k]
            for k in range(self.count):
                row = self.box[self.rows[self.at[k]]]
                for level in range(3):
                    row = max(self.parent[row], 0)
                    first, stop = before[row], before[end[row]]
                    weight = weights[stop] - weights[first]
                    weight = weight if weight > 1 else 1
                    out[at + 2 * level, k] = (named[stop] - named[first]) / weight
                    out[at + 2 * level + 1, k] = (spoken[stop] - spoken[first]) / weight
        return 0


def sibling_key(kind: int, parent: int) -> int:
    """The bucket in which children of the same parent, tag and names are counted."""
    return mixed((kind * 31 + parent) & _MASK) & (BUCKETS - 1)


def log_of(number: float) -> float:
    """log(1 + n) of a whole number, most of which are small."""
    return _LOGS[int(number)] if 0 <= number < KNOWN_LOGS else log1p(number)


def is_among(values: Any, count: int, wanted: int) -> bool:
    """Whether a number is among sorted ones."""
    low, high = 0, count
    while low < high:
        middle = (low + high) >> 1
        if values[middle] < wanted:
            low = middle + 1
        else:
            high = middle
    return low < count and values[low] == wanted
