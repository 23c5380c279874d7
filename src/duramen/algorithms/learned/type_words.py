"""What a page says by its names, its words and its statements about itself, as hashes.

This file compiles to C, with the types in `type_words.pxd`, and runs as Python where it is not compiled.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from duramen.algorithms.learned.needles import Needles
from duramen.page import Page
from duramen.tags import TAG_IDS, TAG_NAMES

try:
    import cython
except ImportError:
    from duramen.parse import uncompiled as cython

if TYPE_CHECKING:
    from duramen.models.page_type import HashIndex

if not cython.compiled:
    from duramen.algorithms.learned.kinds import (
        CLASS,
        CONTENT,
        ID,
        ITEMPROP,
        ITEMTYPE,
        NAME,
        PROPERTY,
        REL,
        ROLE,
        SRC,
        TYPE,
        check_attributes,
        kind_of,
        says,
    )
    from duramen.measure.buffers import ints

    OTHER_BYTE, BLANK, SMALL_LETTER, CAPITAL = 0, 1, 2, 3
    IS_FRAME, IS_HEADING, IS_TITLE, IS_LABEL = 1, 2, 4, 8
    # What is told of: a word of a heading is another signal than the same word of a link.
    NAMED, FRAMED, HEADED, TITLED, LABELLED, META, OG_TYPE, GENERATOR, SCRIPT, LINKED_TYPE, FIRST_TYPE = range(1, 12)
    PATH, FIRST_PART, HOST = 12, 13, 14

    def low(value: int) -> int:
        """The lower 64 bits."""
        return value & 0xFFFFFFFFFFFFFFFF

    def value_hash(data: bytes, start: int, stop: int) -> int:
        """A hash of some bytes, taken eight at a time."""
        value = stop - start
        for at in range(start, stop, 8):
            value = low((value ^ int.from_bytes(data[at : min(at + 8, stop)], "little")) * _MIX)
            value ^= value >> 32
        return value

    def lowest(value: int) -> int:
        """The lower 32 bits."""
        return value & 0xFFFFFFFF


_BASE = 0x9E3779B97F4A7C15
_MIX = 0xD6E8FEB86659FD93
_INVERSE = pow(_BASE, -1, 1 << 64)
_SALT = 0x9E3779B1
_LONGEST = LONGEST_NAME = 256  # bytes of a name that count
_POWERS = np.array([pow(_BASE, exponent, 1 << 64) for exponent in range(LONGEST_NAME)], dtype=np.uint64).data
_INVERSES = np.array([pow(_INVERSE, exponent, 1 << 64) for exponent in range(LONGEST_NAME)], dtype=np.uint64).data


def _sorts() -> tuple[bytes, bytes, bytes]:
    """Of each byte: what it is in a name, how it counts there, and how in a word (0: not at all)."""
    sorts, names, words = bytearray(256), bytearray(range(256)), bytearray(256)
    for code in (9, 10, 12, 13, 32):
        sorts[code] = BLANK
    for code in range(65, 91):
        sorts[code], sorts[code + 32] = CAPITAL, SMALL_LETTER
        names[code] = words[code] = words[code + 32] = code + 32
    for code in range(48, 58):
        names[code], words[code] = 48, code  # post-17 and post-18 are one name
    return bytes(sorts), bytes(names), bytes(words)


_SORTS, _NAME_CODES, _WORD_CODES = _sorts()
_KINDS = bytes(
    1 * (name in ("html", "body", "main"))
    + 2 * (name in ("h1", "h2", "h3", "h4"))
    + 4 * (name == "title")
    + 8 * (name in ("a", "button", "label"))
    for name in (*TAG_NAMES, "?")
)
_META_TAG, _SCRIPT_TAG, _LINK_TAG = (TAG_IDS[name] for name in ("meta", "script", "link"))
_LINKED_DATA = Needles({b"ld+json": 1})
_TYPE_KEY = Needles({b'"@type"': 1})
_OG_TYPE_KEY, _GENERATOR_KEY, _CANONICAL = b"og:type", b"generator", b"canonical"


class Told:
    """Signals as hashes: given an index of those that a model knows, these are marked; else all are collected."""

    def __init__(self, index: HashIndex | None, marks: Any = None) -> None:
        self.every: set[int] = set()
        self.collects = index is None
        if index is not None:
            self.hashes, self.starts, self.likely = index.hashes.data, index.starts.data, index.likely.data
            self.marks = marks

    def tell(self, value: int, salt: int) -> int:
        """Mark or collect one signal."""
        value = low((value ^ (value >> 32)) * _MIX) >> 32
        hashed = lowest(value * _SALT + salt)
        if self.collects:
            self.every.add(hashed)
        elif self.likely[hashed >> 19] >> ((hashed >> 16) & 7) & 1:
            at, stop = self.starts[hashed >> 20], self.starts[(hashed >> 20) + 1]
            while at < stop:
                if self.hashes[at] == hashed:
                    self.marks[at] = 1
                    break
                at += 1
        return 0

    def tell_names(self, data: bytes, start: int, stop: int, framed: int) -> int:
        """Tell the names in an attribute's value, and the words in these: `entry-content` is three names.

        A capital after a small letter begins a word; digits are no part of words.
        """
        at = start
        while at < stop:
            while at < stop and _SORTS[data[at]] == BLANK:
                at += 1
            name, size, before, part, part_at = 0, 0, OTHER_BYTE, 0, -1
            while at < stop:
                sort = _SORTS[data[at]]
                if sort != before:
                    # A word ends where no letter follows, or a capital a small one.
                    if part_at >= 0 and (sort < SMALL_LETTER or sort == CAPITAL):
                        self.tell_name(low((name - part) * _INVERSES[part_at]), framed)
                        part_at = -1
                    if sort == BLANK:
                        break
                    if sort >= SMALL_LETTER and part_at < 0:
                        part, part_at = name, size
                    before = sort
                if size < _LONGEST - 1:
                    name = low(name + _NAME_CODES[data[at]] * _POWERS[size])
                    size += 1
                at += 1
            if part_at > 0:
                self.tell_name(low((name - part) * _INVERSES[part_at]), framed)
            if size:
                self.tell_name(name, framed)
        return 0

    def tell_name(self, value: int, framed: int) -> int:
        """Tell a name, twice if it is one of the page's frame."""
        if framed:
            self.tell(value, FRAMED)
        return self.tell(value, NAMED)

    def tell_words(self, data: bytes, start: int, stop: int, salt: int) -> int:
        """Tell the words of UTF-8 text, in lower case as far as ASCII goes; of Han and kana, pairs of neighbours."""
        inside, word, power, at = False, 0, 1, start
        while at < stop:
            code, cut = data[at], 0
            if code < 0x80:
                code = _WORD_CODES[code]
                cut = 0 if code else 1
            elif code == 0xC2:
                cut = 2
            elif code >= 0xE2 and at + 2 < stop:
                second = data[at + 1]
                if code == 0xE2:
                    cut = 3 if second <= 0x81 else 0
                elif code == 0xEF:
                    cut = 3 if second >= 0xBC else 0
                elif code <= 0xE9:
                    cut = 3
            if cut == 0:
                if not inside:
                    inside, word, power = True, 0, 1
                word = low(word + code * power)
                power = low(power * _BASE)
                at += 1
                continue
            if inside:
                self.tell(word, salt)
                inside = False
            if cut == 3 and _ideograph(data, at, stop):
                word, power = 0, 1
                for size in range(6 if _ideograph(data, at + 3, stop) else 3):
                    word = low(word + data[at + size] * power)
                    power = low(power * _BASE)
                self.tell(word, salt)
            at += cut
        if inside:
            self.tell(word, salt)
        return 0

    def tell_letters(self, data: bytes, start: int, stop: int, salt: int, most: int) -> int:
        """Tell runs of two to twenty letters, at most so many; returns how many there were."""
        letters, told, word, power = 0, 0, 0, 1
        for at in range(start, stop):
            code = data[at]
            if 65 <= code <= 90:
                code += 32
            if 97 <= code <= 122:
                word = low(word + code * power)
                power = low(power * _BASE)
                letters += 1
            if letters == 20 or not 97 <= code <= 122:
                if letters >= 2:
                    self.tell(word, salt)
                    told += 1
                    if told == most:
                        return told
                letters, word, power = 0, 0, 1
        if letters >= 2:
            self.tell(word, salt)
            told += 1
        return told

    def tell_lowered(self, data: bytes, start: int, stop: int, salt: int) -> int:
        """Tell some bytes as one word."""
        word, power = 0, 1
        for at in range(start, stop):
            code = data[at]
            if 65 <= code <= 90:
                code += 32
            word = low(word + code * power)
            power = low(power * _BASE)
        return self.tell(word, salt)

    def tell_types(self, data: bytes, start: int, stop: int) -> int:
        """Tell the types that linked data names, and the first of them once more."""
        first, at = True, _TYPE_KEY.place(data, start, stop)
        while at < stop:
            at += 7
            while at < stop and (data[at] == 32 or 9 <= data[at] <= 13 or data[at] == 58 or data[at] == 91):  # : [
                at += 1
            if at < stop and data[at] == 34:
                begin = at + 1
                at = begin
                while at < stop and (65 <= data[at] <= 90 or 97 <= data[at] <= 122):
                    at += 1
                if at < stop and data[at] == 34 and 2 <= at - begin <= 40:
                    self.tell_lowered(data, begin, at, LINKED_TYPE)
                    if first:
                        self.tell_lowered(data, begin, at, FIRST_TYPE)
                        first = False
            at = _TYPE_KEY.place(data, at, stop)
        return 0


def _ideograph(data: bytes, at: int, stop: int) -> bool:
    """Whether a Han or kana character begins there."""
    if at + 2 >= stop:
        return False
    return 0xE4 <= data[at] <= 0xE9 or (data[at] == 0xE3 and data[at + 1] > 0x80)


def tell_attributes(page: Page, told: Told, classes: Any, known: Any) -> int:
    """Tell classes, ids, roles and microdata, of the page's frame twice. Fills in a hash of each element's classes.

    `known`, of zeros, is as long as a power of two: what was told before is not told again as long as it is there.
    """
    rows, count = len(page), len(page.attr_value_at)
    attr_at, names = ints(page.attr_at, rows + 1), ints(page.attr_name_at, count + 1)
    values = ints(page.attr_value_at, count)
    check_attributes(attr_at, rows, count)
    tag, source = ints(page.tag, rows), page.attrs
    attrs, length, other, mask = source, len(source), len(_KINDS) - 1, len(known) - 1
    for row in range(rows):
        classes[row] = 0
        framed = _KINDS[tag[row] if 0 <= tag[row] < other else other] & IS_FRAME
        for at in range(attr_at[row], attr_at[row + 1]):
            kind = kind_of(attrs, length, names[at], values[at], names[at + 1])
            if kind in (CLASS, ID, ROLE, ITEMPROP, ITEMTYPE):
                value = value_hash(attrs, values[at], names[at + 1])
                if kind == CLASS:
                    classes[row] = value
                if known[value & mask] != value or framed:
                    known[value & mask] = value
                    told.tell_names(attrs, values[at], names[at + 1], framed)
    return 0


def tell_texts(page: Page, never: memoryview, told: Told, text_bytes: int, label_words: int) -> int:
    """Tell the words of headings, of the title, and of links and buttons; at most so many bytes of each."""
    source = page.text
    text, length, rows, other = source, len(source), len(page), len(_KINDS) - 1
    tag, end, chars = ints(page.tag, rows), ints(page.end, rows), ints(page.chars, rows)
    words, text_at = ints(page.words, rows), ints(page.text_at, rows + 1)
    heading_until = title_until = label_until = 0
    heading_left = title_left = label_left = text_bytes
    for row in range(rows):
        if tag[row]:
            kind = _KINDS[tag[row] if 0 <= tag[row] < other else other]
            if kind & IS_HEADING and end[row] > heading_until:
                heading_until = end[row]
            if kind & IS_TITLE and end[row] > title_until:
                title_until = end[row]
            if kind & IS_LABEL and end[row] > label_until:
                label_until = end[row]
            continue
        if chars[row] == 0 or not (row < heading_until or row < title_until or row < label_until):
            continue
        start, size = text_at[row], text_at[row + 1] - text_at[row]
        if start < 0 or size < 0 or start + size > length:
            raise IndexError("a text outside of the page")
        if row < title_until and title_left > 0:
            told.tell_words(text, start, start + (size if size < title_left else title_left), TITLED)
            title_left -= size + 1
        if never[row]:
            continue
        if row < heading_until and heading_left > 0:
            told.tell_words(text, start, start + (size if size < heading_left else heading_left), HEADED)
            heading_left -= size + 1
        if row < label_until and words[row] <= label_words and label_left > 0:
            told.tell_words(text, start, start + (size if size < label_left else label_left), LABELLED)
            label_left -= size + 1
    return 0


def tell_statements(page: Page, told: Told, most: int, linked_bytes: int) -> int:
    """Tell what the page says of itself: meta elements, types of linked data, where its scripts come from."""
    rows, count = len(page), len(page.attr_value_at)
    attr_at, names = ints(page.attr_at, rows + 1), ints(page.attr_name_at, count + 1)
    values = ints(page.attr_value_at, count)
    check_attributes(attr_at, rows, count)
    tag, end, text_at, source, held = page.tag.data, page.end.data, page.text_at.data, page.text, page.attrs
    raw_rows, starts, stops, raw_source = page.raw.rows.data, page.raw.starts.data, page.raw.stops.data, page.raw.source
    text, length, attrs, size = source, len(source), held, len(held)
    raw_text, raw_length, raws, k = raw_source, len(raw_source), len(raw_rows), 0
    metas = scripts = most
    for row in range(rows):
        if not ((tag[row] == _META_TAG and metas) or (tag[row] == _SCRIPT_TAG and scripts)):
            continue
        key = content = src = -1
        linked = False
        for at in range(attr_at[row], attr_at[row + 1]):
            kind = kind_of(attrs, size, names[at], values[at], names[at + 1])
            if kind in (PROPERTY, NAME) and names[at + 1] > values[at] and (key < 0 or kind == PROPERTY):
                key = at
            elif kind == CONTENT:
                content = at
            elif kind == SRC:
                src = at
            elif kind == TYPE:
                linked = _LINKED_DATA.found(attrs, values[at], names[at + 1]) != 0
        if tag[row] == _META_TAG:
            metas -= 1
            if key >= 0:
                start, stop = values[key], names[key + 1]
                told.tell_lowered(attrs, start, stop if stop < start + 40 else start + 40, META)
                if says(attrs, start, stop, _OG_TYPE_KEY, 7) and content >= 0:
                    told.tell_letters(attrs, values[content], names[content + 1], OG_TYPE, 1)
                elif says(attrs, start, stop, _GENERATOR_KEY, 9) and content >= 0:
                    told.tell_letters(attrs, values[content], names[content + 1], GENERATOR, 1)
            continue
        scripts -= 1
        if linked:
            while k < raws and raw_rows[k] <= row:
                k += 1
            raw = k < raws and raw_rows[k] == row + 1
            start = starts[k] if raw else text_at[row]
            stop = stops[k] if raw else text_at[end[row]]
            if not 0 <= start <= stop <= (raw_length if raw else length):
                raise IndexError("a text outside of the page")
            stop = stop if stop < start + linked_bytes else start + linked_bytes
            told.tell_types(raw_text if raw else text, start, stop)
        elif src >= 0:
            _tell_host(told, attrs, values[src], names[src + 1])
    return 0


def _tell_host(told: Told, attrs: bytes, start: int, stop: int) -> int:
    """Tell the words of an address's host."""
    slashes, begin, near = 0, -1, False
    for at in range(start, stop):
        if attrs[at] != 47:
            continue
        slashes += 1
        if slashes == 2:
            begin, near = at + 1, attrs[at - 1] == 47 and at < start + 8
        elif slashes == 3:
            stop = at
            break
    if begin >= 0 and near:
        told.tell_letters(attrs, begin, stop, SCRIPT, -1)
    return 0


def canonical_row(page: Page, most: int) -> int:
    """The first of so many `<link>` elements that states the page's own address; -1 where none does."""
    rows, count = len(page), len(page.attr_value_at)
    attr_at, names = ints(page.attr_at, rows + 1), ints(page.attr_name_at, count + 1)
    values = ints(page.attr_value_at, count)
    check_attributes(attr_at, rows, count)
    tag, source = ints(page.tag, rows), page.attrs
    attrs, length, left = source, len(source), most
    for row in range(rows):
        if tag[row] != _LINK_TAG:
            continue
        if left == 0:
            break
        left -= 1
        for at in range(attr_at[row], attr_at[row + 1]):
            kind = kind_of(attrs, length, names[at], values[at], names[at + 1])
            if kind == REL and says(attrs, values[at], names[at + 1], _CANONICAL, 9):
                return row
    return -1


def tell_address(told: Told, path: bytes, first: bytes, host: bytes) -> int:
    """Tell the words of an address, and the first part of its path."""
    told.tell_letters(path, 0, len(path), PATH, -1)
    if len(first):
        told.tell_lowered(first, 0, len(first), FIRST_PART)
    return told.tell_letters(host, 0, len(host), HOST, -1)
