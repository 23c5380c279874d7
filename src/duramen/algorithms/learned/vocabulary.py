"""Words of blocks and names of elements as hashes, read in one pass over a page's bytes.

This file compiles to C, with the types in `vocabulary.pxd`, and runs as Python where it is not compiled. Where a text
or a value begins and ends is checked once, and not at every byte.
"""

from __future__ import annotations

from array import array
from typing import Any

import numpy as np

from duramen.page import Page

try:
    import cython
except ImportError:
    from duramen.parse import uncompiled as cython

if not cython.compiled:
    from duramen.measure.buffers import further, ints, new_ints, octets, room

    # The hash of some bytes is the sum of each times a power of the base: it is the same wherever they stand.
    BASE, MIX, MASK = 0x9E3779B97F4A7C15, 0xD6E8FEB86659FD93, (1 << 64) - 1
    # Bits of what a byte is in text: part of a word, a sign, … or the first of several that take a closer look.
    WORD, SIGN, QUESTION, WIDE = 1, 8, 16, 32
    # Bits of what a byte is in a name.
    BLANK, LETTER, UPPER = 1, 2, 4
    # What is known of a byte of a name: how it is spelt, and from which bit on what it is.
    SPELT, KIND = 255, 8
    # Rows of the array of marks: bytes of a kind in a block, all its bytes, its first byte and its last.
    DIGITS, CAPITALS, SIGNS, QUESTIONS, SIZE, FIRST, LAST = range(7)
    POWERS = 32  # of the base that are known
    HALF = 32  # bits of a tally: capitals are counted in its lower half, digits in the upper one

    def new_hashes(array: Any, size: int) -> Any:
        """The buffer of an array of hashes."""
        return array.reshape(size).data

    new_sums = new_hashes

    def sums_of(numbers: memoryview) -> memoryview:
        """The buffer of some large numbers."""
        return numbers

    def mixed(value: int) -> int:
        """32 well-mixed bits of 64."""
        value = value ^ (value >> 32)
        return ((value * MIX) & MASK) >> 32


_DIGITS, _UPPER, _LOWER = range(48, 58), range(65, 91), range(97, 123)
_BYTES = bytes(
    1 * (code in _DIGITS or code in _UPPER or code in _LOWER or code >= 0x80)
    + 8 * (code in b"|>/:#@$%*+=<[]{}")
    + 16 * (code in b"?!")
    + 32 * (code in (0xC2, 0xE2, 0xEF) or 0xE3 <= code <= 0xE9)
    for code in range(256)
)
# In words capitals are small letters.
_LOWER_CASE = bytes(code + 32 if code in _UPPER else code for code in range(256))
_TALLY = memoryview(array("Q", [int(code in _UPPER) + 2**32 * int(code in _DIGITS) for code in range(256)]))
_POWERS = memoryview(array("Q", [pow(0x9E3779B97F4A7C15, number, 2**64) for number in range(32)]))
_LETTERS = bytes(
    1 * (code in b"\t\n\f\r ") + 2 * (code in _UPPER or code in _LOWER) + 4 * (code in _UPPER) for code in range(256)
)
# In names capitals are small letters, and all digits are the same: post-17 and post-18 are one name.
_SPELLED = bytes(48 if code in _DIGITS else code + 32 if code in _UPPER else code for code in range(256))
_NAME_BYTES = memoryview(array("Q", [_SPELLED[code] + (_LETTERS[code] << 8) for code in range(256)]))


def read_words(page: Page, at_of: Any, rows_of: Any, hashes: Any, begins: Any, sums: Any, counts: Any) -> int:
    """The words of each block, whose text rows are given as in `Blocks`; returns how many there are.

    Words are runs of letters and digits, in lower case as far as ASCII goes; of Han and kana every pair of neighbours
    is one. `hashes` gets those of all words, `begins` where the words of each block begin, `sums` a hash of a block's
    words, whatever their order; `counts` are of kinds of bytes.
    """
    blocks, texts, most = len(at_of) - 1, len(rows_of), len(hashes)
    at, rows, word_at = ints(at_of, blocks + 1), ints(rows_of, texts), new_ints(begins, blocks + 1)
    word_hash, said, marks = new_hashes(hashes, most), new_sums(sums, blocks), new_ints(counts, (LAST + 1) * blocks)
    return read_blocks(page, at, rows, blocks, texts, word_hash, most, word_at, said, marks)


def read_title(page: Page, title: int) -> Any:
    """The hashes of the words of the title, which is the row given, in their order as numbers."""
    length = len(page)
    end, text_at = ints(page.end, length), ints(page.text_at, length + 1)
    if not 0 <= title < length or not title < end[title] <= length:
        raise IndexError("a title outside of the page")
    size, texts = text_at[end[title]] - text_at[title], end[title] - title - 1
    most = size // 2 + texts + 1 if size > 0 else 0
    hashes, sums = np.empty(most, dtype=np.uint32), np.empty(1, dtype=np.uint64)
    if most == 0:
        return hashes
    stores = room(8), room(4 * texts), room(8), room(4 * (LAST + 1))
    at, rows = new_ints(stores[0], 2), new_ints(stores[1], texts)
    word_hash, word_at, marks = new_hashes(hashes, most), new_ints(stores[2], 2), new_ints(stores[3], LAST + 1)
    at[0], at[1] = 0, texts
    for k in range(texts):
        rows[k] = title + 1 + k
    count = read_blocks(page, at, rows, 1, texts, word_hash, most, word_at, new_sums(sums, 1), marks)
    found = hashes[:count]
    found.sort()
    return found


def read_blocks(
    page: Page,
    at: Any,
    rows: Any,
    blocks: int,
    texts: int,
    word_hash: Any,
    most: int,
    word_at: Any,
    said: Any,
    marks: Any,
) -> int:
    """The same as `read_words` with the buffers of its arrays; there is room for so many hashes at most."""
    length = len(page)
    text_at = ints(page.text_at, length + 1)
    kinds, lower, counted, powers = octets(_BYTES, 256), octets(_LOWER_CASE, 256), sums_of(_TALLY), sums_of(_POWERS)
    source = page.text
    text, bytes_of_text = source, len(source)
    if blocks > 0 and (at[0] < 0 or at[blocks] > texts):
        raise IndexError("a block outside of the page")
    count = 0
    with cython.nogil:
        for k in range(blocks):
            if at[k] >= at[k + 1]:
                raise IndexError("a block without text")
            word_at[k] = count
            total = tally = 0
            signs = questions = size = 0
            for j in range(at[k], at[k + 1]):
                if rows[j] < 0 or rows[j] >= length:
                    raise IndexError("a row outside of the page")
                place, stop = text_at[rows[j]], text_at[rows[j] + 1]
                if place < 0 or place > stop or stop > bytes_of_text or count + (stop - place) // 2 >= most:
                    raise IndexError("a text outside of the page")
                size += stop - place + 1
                begun, value, power = 0, 0, 1  # how many bytes of a word were read, their hash, the power of the last
                while place < stop:
                    code = text[place]
                    kind = kinds[code]
                    if kind & (WORD | WIDE) == WORD:
                        while kind & (WORD | WIDE) == WORD:
                            power = powers[begun] if begun < POWERS else (power * BASE) & MASK
                            value = (value + power * lower[code]) & MASK
                            begun += 1
                            tally += counted[code]
                            place += 1
                            if place == stop:
                                break
                            code = text[place]
                            kind = kinds[code]
                        continue
                    width = 1  # bytes that are no part of a word; negative those of an ideograph
                    if kind & WIDE:
                        width = script_at(text, place, stop)
                        if width == 0:
                            power = powers[begun] if begun < POWERS else (power * BASE) & MASK
                            value = (value + power * code) & MASK
                            begun += 1
                            place += 1
                            continue
                    if begun:
                        word_hash[count] = mixed(value)
                        total = (total + mixed(mixed(value))) & MASK
                        count += 1
                        begun, value, power = 0, 0, 1
                    if width < 0:
                        width = -width
                        last = place + width
                        if last + 2 < stop and script_at(text, last, stop) < 0:
                            last += 3
                        value = hash_bytes(text, place, last)
                        word_hash[count] = mixed(value)
                        total = (total + mixed(mixed(value))) & MASK
                        count += 1
                        value = 0
                    else:
                        signs += (kind & SIGN) >> 3
                        questions += (kind & QUESTION) >> 4
                    place += width
                if begun:
                    word_hash[count] = mixed(value)
                    total = (total + mixed(mixed(value))) & MASK
                    count += 1
            said[k] = total
            digits = tally >> HALF
            marks[DIGITS * blocks + k], marks[CAPITALS * blocks + k] = digits, tally - (digits << HALF)
            marks[SIGNS * blocks + k], marks[QUESTIONS * blocks + k], marks[SIZE * blocks + k] = signs, questions, size
            place, last = text_at[rows[at[k]]], text_at[rows[at[k + 1] - 1] + 1] - 1
            if place >= bytes_of_text or last < 0:
                raise IndexError("a text outside of the page")
            marks[FIRST * blocks + k], marks[LAST * blocks + k] = text[place], text[last]
        word_at[blocks] = count
    return count


def script_at(text: Any, place: int, stop: int) -> int:
    """What begins at a byte beyond ASCII: 0 part of a word, 2 or 3 the bytes of punctuation, -3 an ideograph."""
    code = text[place]
    if place + 2 >= stop:
        return 2 if code == 0xC2 and place + 1 < stop else 0
    after = text[place + 1]
    if code == 0xC2:
        return 2
    if code == 0xE2:
        return 3 if after <= 0x81 else 0
    if code == 0xE3:
        return 3 if after == 0x80 else -3
    if code == 0xEF:
        return 3 if after >= 0xBC else 0
    return -3 if 0xE4 <= code <= 0xE9 else 0


def hash_bytes(text: Any, start: int, stop: int) -> int:
    """The hash of a stretch of text before it is mixed."""
    value, power = 0, 1
    for place in range(start, stop):
        code = text[place]
        value = (value + power * _LOWER_CASE[code]) & MASK
        power = (power * BASE) & MASK
    return value


def read_names(page: Page, values: Any, begins: Any, hashes: Any) -> int:
    """The names in each of the values, and the words in these: `entry-content` is three names.

    A capital after a small letter begins a word; digits are no part of words. Returns how many names there are.
    """
    count, most = values.shape[1], len(hashes)
    starts, name_at, name_hash = ints(values, 2 * count), new_ints(begins, count + 1), new_hashes(hashes, most)
    stops = further(starts, count)
    known = sums_of(_NAME_BYTES)
    source = page.attrs
    attrs, length = source, len(source)
    found = 0
    with cython.nogil:
        for number in range(count):
            name_at[number] = found
            place, stop = starts[number], stops[number]
            if place < 0 or place > stop or stop > length or found + 2 * (stop - place) > most:
                raise IndexError("a value outside of the attributes")
            while place < stop:
                fact = known[attrs[place]]
                if fact >> KIND & BLANK:
                    place += 1
                    continue
                first, name, whole, rise = place, found, 0, 1
                found += 1
                while not fact >> KIND & BLANK:
                    start, before, value, power = place, UPPER, 0, 1
                    while fact >> KIND & LETTER and (before & UPPER or not fact >> KIND & UPPER):  # one word
                        whole = (whole + rise * (fact & SPELT)) & MASK
                        value = (value + power * (fact & SPELT)) & MASK
                        rise, power = (rise * BASE) & MASK, (power * BASE) & MASK
                        before = fact >> KIND
                        place += 1
                        fact = known[attrs[place]] if place < stop else BLANK << KIND
                    # A name of one word is listed once.
                    if place > start and (start > first or not fact >> KIND & BLANK):
                        name_hash[found] = mixed(value)
                        found += 1
                    while not fact >> KIND & (LETTER | BLANK):
                        whole = (whole + rise * (fact & SPELT)) & MASK
                        rise = (rise * BASE) & MASK
                        place += 1
                        fact = known[attrs[place]] if place < stop else BLANK << KIND
                name_hash[name] = mixed(whole)
        name_at[count] = found
    return found


def hash_names(text: str) -> list[int]:
    """The hashes of names given in one string."""
    found: list[int] = []
    for name in text.encode().split():
        value, power = 0, 1
        for code in name:
            value = (value + power * _SPELLED[code]) & MASK
            power = (power * BASE) & MASK
        found.append(mixed(value))
    return found
