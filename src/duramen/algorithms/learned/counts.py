# cython: boundscheck=False
"""Blocks → what was counted in them: the arrays that features are made of.

This file compiles to C, with the types in `counts.pxd`, and runs as Python where it is not compiled. Passes over these
arrays do not check every index: `check_blocks` sees to it first that none tells of a row, block or word that is not
there.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from duramen.tags import HEADINGS, TAG_IDS, TAG_NAMES

try:
    import cython
except ImportError:
    from duramen.parse import uncompiled as cython

if TYPE_CHECKING:
    from duramen.algorithms.learned.raw import Raw

if not cython.compiled:
    from duramen.algorithms.learned.outline import IN_LINK
    from duramen.algorithms.learned.vocabulary import LAST, mixed
    from duramen.measure.buffers import (
        check_tree,
        further,
        further_doubles,
        ints,
        new_doubles,
        new_ints,
        new_octets,
        octets,
        room,
    )

    # Bits of what an element is.
    IS_P, IS_ITEM, IS_CELL, IS_PRE, IS_DIV, IS_HEADING, IS_IMAGE = 1, 2, 4, 8, 16, 32, 64
    PARAGRAPH_WORDS = 12  # of a block of running text, at least
    ALIKE_LEVELS = 4  # elements on the way up that make two blocks alike
    COPY_WORDS = 6  # a block of so many words that stood on the page before is not taken twice
    SHORT_WORDS = 6  # cells and items of fewer words say little by themselves
    whole = int

    def sums_of(array: Any, size: int) -> Any:
        """The buffer of an array of large numbers."""
        return array.reshape(size).data

    hashes_of = sums_of

    def new_sums(store: bytearray, size: int) -> Any:
        """The buffer of so many large numbers to come."""
        return memoryview(store).cast("Q")


ELEMENT_KINDS = bytes(
    1 * (name == "p")
    + 2 * (name in ("li", "dd", "dt"))
    + 4 * (name in ("td", "th"))
    + 8 * (name in ("pre", "code"))
    + 16 * (name in ("div", "section", "article", "main", "body", "center"))
    + 32 * (name in HEADINGS)
    + 64 * (name in ("img", "picture", "video", "iframe", "svg"))
    for name in (*TAG_NAMES, "?")
)
PARAGRAPH_LINKS = 0.4  # share of words in links that running text has at most
_KINDS = ELEMENT_KINDS
_BASE, _MASK = 0x9E3779B97F4A7C15, (1 << 64) - 1
_INPUT, _TABLE, _TD, _TH = (TAG_IDS[name] for name in ("input", "table", "td", "th"))


class Counts:
    """The blocks of a page, and what was counted in them.

    Counts are kept in the arrays given: `figures` has a row each for words, words in links and words of running text,
    `numbers` one each for punctuation, characters, the group of alike blocks and the heading before (-1 for none).
    """

    def __init__(self, raw: Raw, figures: Any, numbers: Any) -> None:
        page, blocks, length, count = raw.page, raw.blocks, len(raw.page), len(raw)
        self.length, self.count, self.texts, self.spoken = length, count, len(blocks.rows), len(raw.word_hash)
        self.places, self.names, self.hashes = raw.named.shape[1], len(raw.name_at) - 1, len(raw.name_hash)
        self.tag, self.parent, self.end = ints(page.tag, length), ints(page.parent, length), ints(page.end, length)
        check_tree(self.tag, self.parent, self.end, length)
        self.depth, self.page_words = ints(page.depth, length), ints(page.words, length)
        self.page_chars, self.page_puncts = ints(page.chars, length), ints(page.puncts, length)
        self.page_cjk, self.box = ints(page.cjk, length), ints(raw.boxes, length)
        self.kind, self.around = sums_of(raw.kind, length), hashes_of(raw.around, length)
        self.at, self.rows = ints(blocks.at, count + 1), ints(blocks.rows, self.texts)
        self.said, self.marks = sums_of(raw.said, count), ints(raw.marks, (LAST + 1) * count)
        self.word_at, self.word_hash = ints(raw.word_at, count + 1), hashes_of(raw.word_hash, self.spoken)
        self.named, self.name_at = ints(raw.named, 2 * self.places), ints(raw.name_at, self.names + 1)
        self.name_hash, self.title = hashes_of(raw.name_hash, self.hashes), hashes_of(raw.title, len(raw.title))
        self.titled = len(raw.title)
        self.words, self.puncts = new_doubles(figures, 3 * count), new_ints(numbers, 4 * count)
        self.links, self.text = further_doubles(self.words, count), further_doubles(self.words, 2 * count)
        self.chars, self.group = further(self.puncts, count), further(self.puncts, 2 * count)
        self.section = further(self.puncts, 3 * count)
        same, values = room(4 * count), room(8 * count)
        self.same, self.values = new_ints(same, count), new_doubles(values, count)
        by_row, by_block = room(8 * (length + 1)), room(12 * (count + 1))
        self.blocks_before = new_ints(by_row, 2 * (length + 1))
        self.tags_before = further(self.blocks_before, length + 1)
        self.words_before = new_ints(by_block, 3 * (count + 1))
        self.links_before = further(self.words_before, count + 1)
        self.text_before = further(self.words_before, 2 * (count + 1))
        self.held = (raw, figures, numbers, same, values, by_row, by_block)  # whose buffers these are
        self.total = self.running = 0.0
        self.groups = self.inputs = 0
        self.check_blocks()
        self.count_blocks()
        self.count_before()

    def check_blocks(self) -> int:
        """Raise where a block is no run of rows and of words, or a name none of the page's."""
        length, count = self.length, self.count
        odd = self.at[0] < 0 or self.at[count] > self.texts
        odd = odd or self.word_at[0] < 0 or self.word_at[count] > self.spoken
        odd = odd or self.name_at[0] < 0 or self.name_at[self.names] > self.hashes
        if odd:
            raise IndexError("a block outside of the page")
        with cython.nogil:
            for k in range(self.texts):
                odd |= self.rows[k] < 1 or self.rows[k] >= length  # the first row is no text
            for k in range(count):
                odd |= self.at[k] >= self.at[k + 1] or self.word_at[k] > self.word_at[k + 1]
            for k in range(self.names):
                odd |= self.name_at[k] > self.name_at[k + 1]
            for k in range(self.places):
                odd |= self.named[k] < 0 or self.named[k] >= length
                odd |= self.named[self.places + k] < 0 or self.named[self.places + k] >= self.names
            if not odd:
                for k in range(count):
                    box = self.box[self.rows[self.at[k]]]
                    odd |= box < 0 or box >= length
        if odd:
            raise IndexError("a block outside of the page")
        return 0

    def count_blocks(self) -> int:
        """Fill in the counts of each block."""
        other, heading = len(_KINDS) - 1, -1
        store = room(8 * self.count)
        keys = new_sums(store, self.count)
        with cython.nogil:
            for k in range(self.count):
                words = links = puncts = chars = 0
                for j in range(self.at[k], self.at[k + 1]):
                    row = self.rows[j]
                    words += self.page_words[row]
                    chars += self.page_chars[row]
                    puncts += self.page_puncts[row]
                    if self.around[row] & IN_LINK:
                        links += self.page_words[row]
                self.words[k], self.links[k], self.puncts[k], self.chars[k] = words, links, puncts, chars
                self.text[k] = words if words >= PARAGRAPH_WORDS and links <= PARAGRAPH_LINKS * words else 0
                self.total += words
                self.running += self.text[k]
                self.section[k] = heading
                first = self.rows[self.at[k]]
                number = self.tag[self.box[first]]
                if _KINDS[number if number < other else other] & IS_HEADING:
                    heading = k
                key = 0
                up = self.parent[first]
                for _ in range(ALIKE_LEVELS):
                    key = (key * _BASE + (self.kind[up] if up >= 0 else 0)) & _MASK
                    if up > 0:
                        up = self.parent[up]
                keys[k] = key
            if self.total < 1:
                self.total = 1
        self.groups = number_keys(keys, self.count, self.group)
        number_keys(self.said, self.count, self.same)
        return 0

    def count_before(self) -> int:
        """Fill in how many blocks and elements begin before each row, and how many words come before each block.

        What is below an element is then the difference of two entries.
        """
        words = links = text = tags = inputs = k = 0
        first = self.rows[self.at[0]] if self.count > 0 else -1
        with cython.nogil:
            for row in range(self.length):
                self.blocks_before[row], self.tags_before[row] = k, tags
                if self.tag[row] != 0:
                    tags += 1
                    inputs += self.tag[row] == _INPUT
                if row == first:
                    k += 1
                    first = self.rows[self.at[k]] if k < self.count else -1
            self.blocks_before[self.length], self.tags_before[self.length] = k, tags
            for k in range(self.count):
                self.words_before[k], self.links_before[k], self.text_before[k] = words, links, text
                words += whole(self.words[k])
                links += whole(self.links[k])
                text += whole(self.text[k])
            k = self.count
            self.words_before[k], self.links_before[k], self.text_before[k] = words, links, text
        self.inputs = inputs
        return 0

    def level(self, probabilities: Any) -> int:
        """Make short cells and items of a group as likely as they are on average: a table is kept as a whole.

        And cells are at least as likely as those that head their table. Returns how many short ones there are.
        """
        if len(probabilities) != self.count:
            raise IndexError("the probabilities do not fit the blocks")
        probability, store = new_doubles(probabilities, self.count), bytearray(16 * self.groups)
        number = new_doubles(store, 2 * self.groups)
        total, found, headers = further_doubles(number, self.groups), 0, 0
        with cython.nogil:
            for k in range(self.count):
                if self.is_short(k):
                    number[self.group[k]] += 1
                    total[self.group[k]] += probability[k]
                    found += 1
                    headers += self.tag[self.box[self.rows[self.at[k]]]] == _TH
            if found:
                for k in range(self.count):
                    if self.is_short(k):
                        probability[k] = total[self.group[k]] / number[self.group[k]]
        if headers:
            self.level_tables(probability)
        return found

    def level_tables(self, probability: Any) -> int:
        """Make short cells at least as likely as the short header cells of their table are on average."""
        stores = room(4 * self.length), bytearray(16 * self.length)
        table, number = new_ints(stores[0], self.length), new_doubles(stores[1], 2 * self.length)
        total = further_doubles(number, self.length)
        with cython.nogil:
            for row in range(self.length):  # the nearest table around each row, 0 for none
                up = self.parent[row]
                table[row] = row if self.tag[row] == _TABLE else table[up] if up >= 0 else 0
            for k in range(self.count):
                box = self.box[self.rows[self.at[k]]]
                if self.tag[box] == _TH and self.is_short(k):
                    number[table[box]] += 1
                    total[table[box]] += probability[k]
            for k in range(self.count):
                box = self.box[self.rows[self.at[k]]]
                row = table[box]
                if row > 0 and number[row] > 0 and self.tag[box] == _TD and self.is_short(k):
                    probability[k] = max(probability[k], total[row] / number[row])
        return 0

    def is_short(self, k: int) -> bool:
        """Whether a block is a cell or an item of few words."""
        number = self.tag[self.box[self.rows[self.at[k]]]]
        kind = _KINDS[number if number < len(_KINDS) - 1 else len(_KINDS) - 1]
        return self.words[k] < SHORT_WORDS and kind & (IS_ITEM | IS_CELL) != 0

    def drop_repeated(self, taken: Any) -> int:
        """Unmark the blocks that say again, elsewhere, what an earlier one that is taken says; returns how many.

        Copies among alike blocks stay: a page may say the same in every row of a table, but a second rendering of it
        for small screens has other elements around it.
        """
        if len(taken) != self.count:
            raise IndexError("the marks do not fit the blocks")
        marked, store = new_octets(taken, self.count), room(4 * self.count)
        first, found = new_ints(store, self.count), 0
        with cython.nogil:
            for k in range(self.count):
                first[k] = -1
            for k in range(self.count):
                if marked[k] and self.words[k] >= COPY_WORDS:
                    number = first[self.same[k]]
                    if number < 0:
                        first[self.same[k]] = k
                    elif self.group[number] != self.group[k]:
                        marked[k] = 0
                        found += 1
        return found


def mark_rows(begins: Any, text_rows: Any, blocks: Any, rows_marked: Any) -> int:
    """Mark the text rows of the blocks that are marked; `rows_marked` is zero."""
    count, texts, length = len(blocks), len(text_rows), len(rows_marked)
    at, rows = ints(begins, count + 1), ints(text_rows, texts)
    chosen, marked = octets(blocks, count), new_octets(rows_marked, length)
    with cython.nogil:
        for k in range(count):
            if chosen[k]:
                if at[k] < 0 or at[k + 1] > texts:
                    raise IndexError("a block outside of the page")
                for j in range(at[k], at[k + 1]):
                    if rows[j] < 0 or rows[j] >= length:
                        raise IndexError("a block outside of the page")
                    marked[rows[j]] = 1
    return 0


def number_keys(keys: Any, count: int, numbers: Any) -> int:
    """Number equal keys alike, from 0 on in the order in which they are met; returns how many there are."""
    size = 16
    while size < 2 * count:
        size *= 2
    places, keys_seen = bytearray(4 * size), room(8 * count)
    table, seen = new_ints(places, size), new_sums(keys_seen, count)
    found = 0
    with cython.nogil:
        for k in range(count):
            slot = mixed(keys[k]) & (size - 1)
            while table[slot] and seen[table[slot] - 1] != keys[k]:
                slot = (slot + 1) & (size - 1)
            if not table[slot]:
                seen[found] = keys[k]
                found += 1
                table[slot] = found
            numbers[k] = table[slot] - 1
    return found
