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
    from duramen.algorithms.learned.outline import IN_COMMENTS, IN_HIDDEN
    from duramen.algorithms.learned.vocabulary import CAPITALS, DIGITS, FIRST, LAST, QUESTIONS, SIGNS, SIZE, mixed
    from duramen.measure.buffers import new_doubles

    LEVELS = 4  # containers around a block that are measured
    WINDOW = 5  # blocks to either side
    FAR_BEFORE, FAR_HEADING = 99, 50  # blocks to what is not there
    MOST_COPIES = 20
    MOST_DEPTH = 60
    MOST_WORD_CHARS = 30
    POINT_WORDS, POINT_MOST = 6, 3  # Readability gives points from so many words on, and so many for length
    BUCKETS = 32768  # for like siblings, which are counted by hash
    KNOWN_LOGS = 1024
    AROUND_KINDS = 12
    PAGE_KINDS, LEXICAL_KINDS = 10, 35
    TEXT_AT, PLACE_AT, NAMED_AT, CONTAINERS_AT, GROUPS_AT, PAGE_AT = 0, 15, 55, 67, 94, 100  # the first row of each
    whole = int

_KINDS = ELEMENT_KINDS
_MASK = (1 << 64) - 1
_H1, _INPUT = TAG_IDS["h1"], TAG_IDS["input"]
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
        if scores.shape[0] < 4 or scores.shape[1] != self.count:
            raise IndexError("the scores do not fit the blocks")
        room = np.empty(self.count)
        both, values = new_doubles(room, self.count), self.values
        with cython.nogil:
            for k in range(self.count):
                values[k], both[k] = scores[0, k], scores[0, k] + scores[1, k]
        self.measure_scores(out, at, values)
        with cython.nogil:
            for k in range(self.count):
                values[k] = scores[1, k]
        self.measure_scores(out, at + 6, values)
        mean = self.measure_scores(out, at + 12, both)
        with cython.nogil:
            for k in range(self.count):
                values[k] = scores[2, k]
        self.measure_scores(out, at + 18, values)
        self.measure_headed(out, at + 24, both, scores, mean)
        self.measure_boxes(out, at + 29, both, values)
        return 0

    def measure_text(self, out: Any, at: int) -> int:
        """TEXT: what a block says."""
        title = self.title
        same = self.same
        copies: Any = np.zeros(self.count, dtype=np.int32).data
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

    def sum_rows(self, inside: Any) -> int:
        """Fill in, for all rows, running sums of words, words in links, running text, blocks and elements."""
        words = links = text = tags = inputs = k = 0
        with cython.nogil:
            for row in range(self.length):
                inside[row, 0], inside[row, 1], inside[row, 2], inside[row, 3] = words, links, text, k
                inside[row, 4] = tags
                if self.tag[row] != 0:
                    tags += 1
                    if self.tag[row] == _INPUT:
                        inputs += 1
                if k < self.count and self.rows[self.at[k]] == row:
                    words += whole(self.words[k])
                    links += whole(self.links[k])
                    text += whole(self.text[k])
                    k += 1
            row = self.length
            inside[row, 0], inside[row, 1], inside[row, 2], inside[row, 3], inside[row, 4] = words, links, text, k, tags
            self.inputs = inputs
        return 0

    def measure_containers(self, out: Any, at: int) -> int:
        """CONTAINERS: the elements around a block that hold more than it does, level by level."""
        top: Any = np.empty(self.length, dtype=np.int32).data
        alike: Any = np.zeros(BUCKETS, dtype=np.int32).data
        inside: Any = np.empty((self.length + 1, 5), dtype=np.int32).data
        score, end, parent = self.score, self.end, self.parent
        self.sum_rows(inside)
        densest = best = 0
        with cython.nogil:
            # Row 0 of the scores is the density of each element, row 1 the sum of those below it: CETD's.
            for row in range(self.length):
                up = parent[row]
                top[row] = row
                score[0, row] = score[1, row] = score[2, row] = 0
                if self.tag[row] != 0:
                    words, tags = inside[end[row], 0] - inside[row, 0], inside[end[row], 4] - inside[row, 4]
                    score[0, row] = (words - (inside[end[row], 1] - inside[row, 1])) / tags
                    alike[sibling_key(self.kind[row], up)] += 1
                if up >= 0:
                    score[1, up] += score[0, row]
                    if inside[end[up], 3] - inside[up, 3] <= inside[end[row], 3] - inside[row, 3]:
                        top[row] = top[up]
            for k in range(self.count):
                if self.words[k] < POINT_WORDS:
                    continue
                points = self.words[k] / 20 if self.words[k] < POINT_MOST * 20 else POINT_MOST
                points = (1 + self.puncts[k] + points) * (1 - self.links[k] / self.words[k])
                row = max(parent[self.box[self.rows[self.at[k]]]], 0)
                score[2, row] += points
                score[2, max(parent[row], 0)] += points / 2
            for row in range(self.length):
                words = inside[end[row], 0] - inside[row, 0]
                if score[2, row] > 0:
                    score[2, row] *= 1 - (inside[end[row], 1] - inside[row, 1]) / (words if words > 1 else 1)
                if score[1, row] > score[1, densest]:
                    densest = row
                if score[2, row] > score[2, best]:
                    best = row
            most = score[2, best] if score[2, best] > 1e-9 else 1e-9
            for k in range(self.count):
                first = self.rows[self.at[k]]
                box = self.box[first]
                row = max(parent[box], 0)
                out[at, k] = densest <= first < end[densest]
                out[at + 1, k] = best <= first < end[best]
                out[at + 2, k] = score[2, row] / most
                out[at + 3, k] = log1p(score[2, row])
                row, number = top[box], at + 4
                for level in range(LEVELS):
                    words = inside[end[row], 0] - inside[row, 0]
                    words = words if words > 1 else 1
                    out[number, k] = words / self.total
                    out[number + 1, k] = (inside[end[row], 1] - inside[row, 1]) / words
                    out[number + 2, k] = (inside[end[row], 2] - inside[row, 2]) / words
                    number += 3
                    if level > 0:
                        out[number, k] = log_of(inside[end[row], 3] - inside[row, 3])
                        number += 1
                    out[number, k] = log1p(score[0, row]) if score[0, row] > 0 else 0
                    found = alike[sibling_key(self.kind[row], parent[row])]
                    out[number + 1, k] = log_of(found - 1) if found > 0 else 0
                    number += 2
                    row = top[max(parent[row], 0)]
        return 0

    def measure_groups(self, out: Any, at: int) -> int:
        """GROUPS: the blocks that stand in elements of the same tags and names."""
        held: Any = np.zeros((6, self.groups)).data
        with cython.nogil:
            for k in range(self.count):
                group = self.group[k]
                if held[0, group] == 0:
                    held[4, group] = k
                held[0, group] += 1
                held[1, group] += self.words[k]
                held[2, group] += self.links[k]
                held[3, group] += 1 if self.text[k] > 0 else 0
                held[5, group] = k
            for k in range(self.count):
                group = self.group[k]
                size, words = held[0, group], held[1, group]
                out[at, k] = log_of(size - 1)
                out[at + 1, k] = words / self.total
                out[at + 2, k] = log1p(words / size)
                out[at + 3, k] = held[2, group] / (words if words > 1 else 1)
                out[at + 4, k] = (held[5, group] - held[4, group]) / self.count
                out[at + 5, k] = held[3, group] / size
        return 0

    def measure_page(self, out: Any, at: int) -> int:
        """PAGE: what the whole page is like, the same for every block. Some of it is made of other rows."""
        links = most = items = largest = share = 0.0
        headings = cjk = 0
        with cython.nogil:
            for k in range(self.count):
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
            for row in range(at, at + PAGE_KINDS):
                for k in range(1, self.count):
                    out[row, k] = out[row, 0]
        return 0

    def measure_scores(self, out: Any, at: int, values: Any) -> float:
        """Six rows for a lexicon's scores: they, their mean in the group, how far above the page they are, neighbours.

        Returns the mean of the page.
        """
        held: Any = np.zeros((2, self.groups)).data
        weights = total = 0.0
        with cython.nogil:
            for k in range(self.count):
                weight = self.words[k] if self.words[k] > 1 else 1
                held[0, self.group[k]] += weight
                held[1, self.group[k]] += weight * values[k]
                weights += weight
                total += weight * values[k]
            for k in range(self.count):
                out[at, k] = values[k]
                out[at + 1, k] = held[1, self.group[k]] / held[0, self.group[k]]
                out[at + 2, k] = values[k] - total / weights
        self.measure_neighbours(out, at + 3, values)
        return total / weights

    def measure_headed(self, out: Any, at: int, both: Any, scores: Any, mean: float) -> int:
        """The five rows of LEXICAL on headings and the page."""
        best = both[0]
        with cython.nogil:
            for k in range(self.count):
                best = max(best, both[k])
            for k in range(self.count):
                section = self.section[k]
                out[at, k] = mean
                out[at + 1, k] = both[k] - best
                out[at + 2, k] = scores[3, section] if section >= 0 else 0
                out[at + 3, k] = both[section] if section >= 0 else 0
                out[at + 4, k] = scores[3, k]
        return 0

    def measure_boxes(self, out: Any, at: int, both: Any, said: Any) -> int:
        """The last rows of LEXICAL: the means of scores in the elements around a block."""
        sums, end, k = self.score, self.end, 0
        with cython.nogil:
            sums[0, 0] = sums[1, 0] = sums[2, 0] = 0
            for row in range(self.length):
                for what in range(3):
                    sums[what, row + 1] = sums[what, row]
                if k < self.count and self.rows[self.at[k]] == row:
                    weight = self.words[k] if self.words[k] > 1 else 1
                    sums[0, row + 1] += weight
                    sums[1, row + 1] += weight * both[k]
                    sums[2, row + 1] += weight * said[k]
                    k += 1
            for k in range(self.count):
                row = self.box[self.rows[self.at[k]]]
                for level in range(3):
                    row = max(self.parent[row], 0)
                    weight = sums[0, end[row]] - sums[0, row]
                    weight = weight if weight > 1 else 1
                    out[at + 2 * level, k] = (sums[1, end[row]] - sums[1, row]) / weight
                    out[at + 2 * level + 1, k] = (sums[2, end[row]] - sums[2, row]) / weight
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
