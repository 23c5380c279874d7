"""Where the style sheets of a page hide text: candidates, in a few passes, for `rules` to look at more closely.

This file compiles to C, with the types in `sheets.pxd`, and runs as Python where it is not compiled.
"""

from __future__ import annotations

from typing import Any

from duramen.page import Page
from duramen.tags import TAG_IDS

try:
    import cython
except ImportError:
    from duramen.parse import uncompiled as cython

if not cython.compiled:
    from duramen.algorithms.learned.hiding import SMALL
    from duramen.algorithms.learned.kinds import CLASS, ID, check_attributes, kind_of
    from duramen.algorithms.learned.needles import Needles
    from duramen.algorithms.learned.sight import KIND
    from duramen.measure.buffers import check_tree, ints, new_octets, octets

    def sheet_brace(sheet: bytes, at: int, stop: int) -> int:
        """The place of the first brace or slash; `stop`, or where it began, where there is none before that."""
        while at < stop and sheet[at] not in b"{}/":
            at += 1
        return at

    _HIDING_WORDS = Needles({b"display": 1, b"visibility": 1})

    def sheet_word(sheet: bytes, at: int, stop: int) -> int:
        """The place of the next `display` or `visibility`, in small letters or capitals; `stop` where there is none."""
        return _HIDING_WORDS.place(sheet, at, stop)

    def low(value: int) -> int:
        """The lower 32 bits."""
        return value & 0xFFFFFFFF


_NONE, _HIDDEN = b"none", b"hidden"
_STYLE_TAG = TAG_IDS["style"]
# What names in style sheets are made of.
_NAME_BYTES = bytes(code in b"-_" or (code < 128 and chr(code).isalnum()) for code in range(256))


def style_sheet(page: Page, most: int) -> bytes:
    """The text of the page's style elements, at most so many bytes of it."""
    rows, written = len(page), page.raw
    tag, parent, end = ints(page.tag, rows), ints(page.parent, rows), ints(page.end, rows)
    check_tree(tag, parent, end, rows)
    text_at, text, count = ints(page.text_at, rows + 1), page.text, len(written.rows)
    raw_rows, source = ints(written.rows, count), written.source
    starts, stops = ints(written.starts, count), ints(written.stops, count)
    parts: list[bytes] = []
    k = 0
    for row in range(rows):
        if tag[row] == _STYLE_TAG and most > 0:
            while k < count and raw_rows[k] <= row:
                k += 1
            raw = k < count and raw_rows[k] == row + 1
            start = starts[k] if raw else text_at[row]
            stop = stops[k] if raw else text_at[end[row]]
            if stop > start + most:
                stop = start + most
            most -= stop - start
            parts.append(source[start:stop] if raw else text[start:stop])
    return parts[0] if len(parts) == 1 else b"\n".join(parts)


def mark_called(page: Page, marked: Any, attribute_kinds: Any, bits: Any) -> int:
    """Mark the hashes of the classes and ids of elements with few words: a bit for each of 65536."""
    rows, count = len(page), len(page.attr_value_at)
    attr_at, names = ints(page.attr_at, rows + 1), ints(page.attr_name_at, count + 1)
    values, kinds = ints(page.attr_value_at, count), octets(attribute_kinds, count)
    check_attributes(attr_at, rows, count)
    marks, called = octets(marked, rows), new_octets(bits, 8192)
    source = page.attrs
    attrs, length = source, len(source)
    for row in range(rows):
        if not marks[row] & SMALL:
            continue
        for at in range(attr_at[row], attr_at[row + 1]):
            kind = kinds[at] & KIND
            if kind not in (CLASS, ID):
                continue
            start, stop = values[at], names[at + 1]
            if not 0 <= start <= stop <= length:
                raise IndexError("an attribute outside of the page")
            while start < stop:
                while start < stop and not _NAME_BYTES[attrs[start]]:
                    start += 1
                hashed = 0
                while start < stop and _NAME_BYTES[attrs[start]]:
                    hashed = low(hashed * 31 + attrs[start])
                    start += 1
                hashed = (hashed ^ hashed >> 16) & 0xFFFF
                called[hashed >> 3] |= 1 << (hashed & 7)
    return 0


def may_hide(source: bytes, bits: Any) -> bool:
    """Whether a rule that hides something stands behind one of the names that elements have."""
    sheet, size, last, called = source, len(source), 0, octets(bits, 8192)
    hit = _next_hiding(sheet, 0, size)
    while hit < size:
        # What stands before the rule, if it is not that of the last place.
        opened = hit
        while opened >= last and sheet[opened] != 123:
            opened -= 1
        begin = opened
        while begin > last and sheet[begin - 1] not in (59, 62, 123, 125):  # ; > { }
            begin -= 1
        begin = _past_comment(sheet, begin, opened)
        while begin < opened:
            begin = _past_blanks(sheet, begin, opened)
            while begin < opened and sheet[begin] not in (35, 46, 44) and _NAME_BYTES[sheet[begin]]:
                begin += 1
            if begin < opened and sheet[begin] in (35, 46):  # # .
                begin += 1
                hashed = 0
                while begin < opened and _NAME_BYTES[sheet[begin]]:
                    hashed = low(hashed * 31 + sheet[begin])
                    begin += 1
                hashed = (hashed ^ hashed >> 16) & 0xFFFF
                begin = _past_blanks(sheet, begin, opened)
                alone = begin >= opened or sheet[begin] == 44
                if alone and called[hashed >> 3] >> (hashed & 7) & 1:
                    return True
            while begin < opened and sheet[begin] != 44:  # ,
                begin += 1
            begin += 1
        last = hit
        hit = _next_hiding(sheet, hit + 1, size)
    return False


def _past_comment(sheet: bytes, start: int, stop: int) -> int:
    """The place after a comment that began before `start`; `start` where none ends before the next begins."""
    for at in range(start, stop - 1):
        if sheet[at] == 42 and sheet[at + 1] == 47:
            return at + 2
        if sheet[at] == 47 and sheet[at + 1] == 42:
            break
    return start


def _past_blanks(sheet: bytes, at: int, stop: int) -> int:
    """The place after white space and comments."""
    while at < stop:
        if sheet[at] == 32 or 9 <= sheet[at] <= 13:
            at += 1
        elif sheet[at] == 47 and at + 1 < stop and sheet[at + 1] == 42:
            at = _end_of_comment(sheet, at + 2, stop)
            if at == 0:
                return stop
        else:
            break
    return at


def names_like(page: Page, marks: memoryview, likely: bytes) -> list[tuple[int, int, int]]:
    """Classes and ids of elements with few words: row, begin and end of those whose ends and length are likely.

    Ids come as the negative of their row, less one.
    """
    attr_at, names, values = page.attr_at.data, page.attr_name_at.data, page.attr_value_at.data
    source = page.attrs
    attrs, length = source, len(source)
    rows = len(marks)
    found: list[tuple[int, int, int]] = []
    for row in range(rows):
        if not marks[row] & SMALL:
            continue
        for at in range(attr_at[row], attr_at[row + 1]):
            kind = kind_of(attrs, length, names[at], values[at], names[at + 1])
            if kind != CLASS and kind != ID:
                continue
            start, stop = values[at], names[at + 1]
            while start < stop:
                while start < stop and (attrs[start] == 32 or 9 <= attrs[start] <= 13):
                    start += 1
                begin = start
                if kind == ID:  # one name, whatever is in it
                    start = stop
                    while start > begin and (attrs[start - 1] == 32 or 9 <= attrs[start - 1] <= 13):
                        start -= 1
                    stop = start
                while start < stop and not (attrs[start] == 32 or 9 <= attrs[start] <= 13):
                    start += 1
                if start > begin and likely[(attrs[begin] + 3 * attrs[start - 1] + 7 * (start - begin)) & 255]:
                    found.append((row if kind == CLASS else -row - 1, begin, start))
    return found


def hiding_rules(source: bytes, most: int) -> list[tuple[int, int]]:
    """Where what stands before a rule that hides something begins and ends, for rules outside of conditions."""
    found: list[tuple[int, int]] = []
    sheet, size, at, depth, closed, begin, opened, last, commented = source, len(source), 0, 0, 0, 0, -1, -1, True
    hit = _next_hiding(sheet, 0, size)
    while hit < size and len(found) < most:
        at = sheet_brace(sheet, at, hit)
        while at < hit:
            if sheet[at] == 123:  # {
                begin, opened = closed, at
                depth += 1
            elif sheet[at] == 125:  # }
                closed = at + 1
                depth -= 1
            elif sheet[at] == 47 and sheet[at + 1] == 42 and commented:
                end = _end_of_comment(sheet, at + 2, size)
                commented = end > 0  # one that never ends is none, and so are those after it
                if commented:
                    at = end - 1
            at = sheet_brace(sheet, at + 1, hit)
        if at == hit:
            if depth == 1 and opened != last:
                last = opened
                found.append((begin, opened))
            hit += 1
        hit = _next_hiding(sheet, hit if hit > at else at, size)
    return found


def _next_hiding(sheet: bytes, start: int, size: int) -> int:
    """The next place of a declaration that hides something; the sheet's size where there is none."""
    at = sheet_word(sheet, start, size)
    while at < size:
        if sheet[at] | 32 == 100:  # d: display, else visibility
            hides = _declares(sheet, at + 7, size, _NONE, 4)
        else:
            hides = _declares(sheet, at + 10, size, _HIDDEN, 6)
        if hides:
            break
        at = sheet_word(sheet, at + 1, size)
    return at


def _end_of_comment(sheet: bytes, start: int, size: int) -> int:
    """The place after the next end of a comment; 0 where there is none."""
    for at in range(start, size - 1):
        if sheet[at] == 42 and sheet[at + 1] == 47:
            return at + 2
    return 0


def _declares(sheet: bytes, at: int, size: int, value: bytes, letters: int) -> bool:
    """Whether a colon and a value of so many letters, small or capital, stand there."""
    while at < size and (sheet[at] == 32 or 9 <= sheet[at] <= 13):
        at += 1
    if at >= size or sheet[at] != 58:
        return False
    at += 1
    while at < size and (sheet[at] == 32 or 9 <= sheet[at] <= 13):
        at += 1
    if letters > size - at:
        return False
    for k in range(letters):  # noqa: SIM110 (compiled to a loop in C)
        if sheet[at + k] | 32 != value[k]:
            return False
    return True
