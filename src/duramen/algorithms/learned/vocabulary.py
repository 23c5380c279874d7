"""Words of blocks and names of elements as hashes, read in one pass over a page's bytes.

This file compiles to C, with the types in `vocabulary.pxd`, and runs as Python where it is not compiled.
"""

from __future__ import annotations

from typing import Any

from duramen.page import Page

try:
    import cython
except ImportError:
    from duramen.parse import uncompiled as cython

if not cython.compiled:
    # The hash of some bytes is the sum of each times a power of the base: it is the same wherever they stand.
    BASE, MIX, MASK = 0x9E3779B97F4A7C15, 0xD6E8FEB86659FD93, (1 << 64) - 1
    # Bits of what a byte is in text: part of a word, a capital, … or the first of several that take a closer look.
    WORD, CAPITAL, DIGIT, SIGN, QUESTION, WIDE = 1, 2, 4, 8, 16, 32
    # Bits of what a byte is in a name.
    BLANK, LETTER, UPPER = 1, 2, 4
    # Rows of the array of marks: bytes of a kind in a block, all its bytes, its first byte and its last.
    DIGITS, CAPITALS, SIGNS, QUESTIONS, SIZE, FIRST, LAST = range(7)

_DIGITS, _UPPER, _LOWER = range(48, 58), range(65, 91), range(97, 123)
_BYTES = bytes(
    1 * (code in _DIGITS or code in _UPPER or code in _LOWER or code >= 0x80)
    + 2 * (code in _UPPER)
    + 4 * (code in _DIGITS)
    + 8 * (code in b"|>/:#@$%*+=<[]{}")
    + 16 * (code in b"?!")
    + 32 * (code in (0xC2, 0xE2, 0xEF) or 0xE3 <= code <= 0xE9)
    for code in range(256)
)
_LETTERS = bytes(
    1 * (code in b"\t\n\f\r ") + 2 * (code in _UPPER or code in _LOWER) + 4 * (code in _UPPER) for code in range(256)
)
# In names capitals are small letters, and all digits are the same: post-17 and post-18 are one name.
_SPELLED = bytes(48 if code in _DIGITS else code + 32 if code in _UPPER else code for code in range(256))


def mixed(value: int) -> int:
    """32 well-mixed bits of 64."""
    value = value ^ (value >> 32)
    return ((value * MIX) & MASK) >> 32


def read_words(page: Page, at: Any, rows: Any, word_hash: Any, word_at: Any, said: Any, marks: Any) -> int:
    """The words of each block, whose text rows are given as in `Blocks`; returns how many there are.

    Words are runs of letters and digits, in lower case as far as ASCII goes; of Han and kana every pair of neighbours
    is one. `said` gets a hash of each block's words, whatever their order; `marks` counts kinds of bytes.
    """
    text, text_at, kinds = page.text, page.text_at.data, _BYTES
    count = 0
    with cython.nogil:
        for k in range(len(at) - 1):
            word_at[k] = count
            total = 0
            digits = capitals = signs = questions = size = 0
            for j in range(at[k], at[k + 1]):
                place, stop = text_at[rows[j]], text_at[rows[j] + 1]
                size += stop - place + 1
                begun, value, power = 0, 0, 1
                while place < stop:
                    code = text[place]
                    kind = kinds[code]
                    width = 0  # bytes that are no part of a word; negative those of an ideograph
                    if kind & WIDE:
                        width = script_at(text, place, stop)
                    elif not kind & WORD:
                        width = 1
                    if width == 0:
                        value = (value + power * (code + ((kind & CAPITAL) << 4))) & MASK
                        power = (power * BASE) & MASK
                        begun = 1
                        capitals += (kind & CAPITAL) >> 1
                        digits += (kind & DIGIT) >> 2
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
            marks[DIGITS, k], marks[CAPITALS, k], marks[SIGNS, k], marks[QUESTIONS, k] = (
                digits,
                capitals,
                signs,
                questions,
            )
            marks[SIZE, k] = size
            marks[FIRST, k] = text[text_at[rows[at[k]]]]
            marks[LAST, k] = text[text_at[rows[at[k + 1] - 1] + 1] - 1]
        word_at[len(at) - 1] = count
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
        value = (value + power * (code + ((_BYTES[code] & CAPITAL) << 4))) & MASK
        power = (power * BASE) & MASK
    return value


def read_names(page: Page, values: Any, count: int, name_at: Any, name_hash: Any) -> int:
    """The names in each of `count` values, and the words in these: `entry-content` is three names.

    A capital after a small letter begins a word; digits are no part of words. Returns how many names there are.
    """
    attrs, letters, spelled = page.attrs, _LETTERS, _SPELLED
    found = 0
    with cython.nogil:
        for number in range(count):
            name_at[number] = found
            place, stop = values[0, number], values[1, number]
            while place < stop:
                if letters[attrs[place]] & BLANK:
                    place += 1
                    continue
                end, value, power = place, 0, 1
                while end < stop and not letters[attrs[end]] & BLANK:
                    value = (value + power * spelled[attrs[end]]) & MASK
                    power = (power * BASE) & MASK
                    end += 1
                name_hash[found] = mixed(value)
                found += 1
                first = place
                while place < end:
                    if not letters[attrs[place]] & LETTER:
                        place += 1
                        continue
                    start, value, power = place, 0, 1
                    while place < end and letters[attrs[place]] & LETTER:
                        if place > start and letters[attrs[place]] & UPPER and not letters[attrs[place - 1]] & UPPER:
                            break
                        value = (value + power * spelled[attrs[place]]) & MASK
                        power = (power * BASE) & MASK
                        place += 1
                    if start != first or place != end:  # a name of one word is listed once
                        name_hash[found] = mixed(value)
                        found += 1
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
