# cython: boundscheck=False
"""Which attribute is which: those that are read for what they say of an element.

This file compiles to C, with the types in `kinds.pxd`, and runs as Python where it is not compiled. Indices into
its own tables are in bounds by the way these are made, and not checked.
"""

from __future__ import annotations

from array import array
from typing import TYPE_CHECKING, Any

try:
    import cython
except ImportError:
    from duramen.parse import uncompiled as cython

if TYPE_CHECKING:
    from duramen.page import Page

if not cython.compiled:
    from duramen.measure.buffers import ints, new_octets

    OTHER, CLASS, ID, STYLE, ROLE, ARIA_HIDDEN, ITEMPROP, ITEMTYPE, OPEN, COMPONENT, TESTID, TARGET = range(12)
    PROPERTY, NAME, CONTENT, TYPE, SRC, REL = range(12, 18)
    LONGEST = 14  # name

    def same_letters(attrs: bytes, start: int, letters: bytes, begin: int, size: int) -> bool:
        """Whether so many letters are the same."""
        return attrs[start : start + size] == letters[begin : begin + size]

    def check_attributes(attr_at: memoryview, rows: int, count: int) -> int:
        """Raise where the rows have other attributes than the `count` that there are."""
        if any(attr_at[row + 1] < attr_at[row] for row in range(rows)) or attr_at[0] < 0 or attr_at[rows] > count:
            raise IndexError("an attribute outside of the page")
        return 0


NAMES = {
    b"class": CLASS,
    b"id": ID,
    b"style": STYLE,
    b"role": ROLE,
    b"aria-hidden": ARIA_HIDDEN,
    b"itemprop": ITEMPROP,
    b"itemtype": ITEMTYPE,
    b"open": OPEN,
    b"data-component": COMPONENT,
    b"data-testid": TESTID,
    b"aria-controls": TARGET,
    b"data-target": TARGET,
    b"data-bs-target": TARGET,
    b"property": PROPERTY,
    b"name": NAME,
    b"content": CONTENT,
    b"type": TYPE,
    b"src": SRC,
    b"rel": REL,
}


def _table() -> tuple[bytes, bytes, memoryview]:
    """A place for each name, by its length and last letters: no two have the same."""
    kind, begins, letters = bytearray(64), array("i", [0]) * 64, b""
    for name, number in NAMES.items():
        place = (sum(name[len(name) - 2 :]) + 11 * len(name)) & 63
        kind[place], begins[place] = number, len(letters)
        letters += name + b"\0"
    return bytes(kind), letters + bytes(LONGEST), memoryview(begins)


_KIND, _LETTERS, _BEGINS = _table()


def kind_of(attrs: bytes, length: int, start: int, middle: int, stop: int) -> int:
    """The kind of the attribute whose name is `attrs[start:middle]`; OTHER where it is not read.

    Raises where the name or the value, `attrs[middle:stop]`, is not inside of the `length` bytes.
    """
    if not 0 <= start <= middle <= stop <= length:
        raise IndexError("an attribute outside of the page")
    size = middle - start
    if size < 2 or size > LONGEST:
        return OTHER
    place = (attrs[middle - 1] + attrs[middle - 2] + 11 * size) & 63
    if _KIND[place] == OTHER:
        return OTHER
    begin = _BEGINS[place]
    if _LETTERS[begin + size] != 0:
        return OTHER
    return _KIND[place] if same_letters(attrs, start, _LETTERS, begin, size) else OTHER


def fill_kinds(page: Page, kinds: Any) -> int:
    """Fill in the kinds of all attributes; returns how many of them name an element: classes, ids, roles
    and properties with a value."""
    count = len(page.attr_value_at)
    names, values, found = ints(page.attr_name_at, count + 1), ints(page.attr_value_at, count), new_octets(kinds, count)
    source = page.attrs
    attrs, length = source, len(source)
    named = 0
    for at in range(count):
        kind = kind_of(attrs, length, names[at], values[at], names[at + 1])
        found[at] = kind
        if kind in (CLASS, ID, ROLE, ITEMPROP) and names[at + 1] > values[at]:
            named += 1
    return named


def says(attrs: bytes, start: int, stop: int, word: bytes, size: int) -> bool:
    """Whether `attrs[start:stop]` is the word of that size, small or capital, but for white space around it."""
    while start < stop and (attrs[start] == 32 or 9 <= attrs[start] <= 13):
        start += 1
    while start < stop and (attrs[stop - 1] == 32 or 9 <= attrs[stop - 1] <= 13):
        stop -= 1
    if stop - start != size:
        return False
    for at in range(size):
        code = attrs[start + at]
        if 65 <= code <= 90:
            code += 32
        if code != word[at]:
            return False
    return True
