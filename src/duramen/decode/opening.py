"""What the first bytes of most pages say at once. Where they do not, the rules in `first_bytes.py` and `labels.py` do.

This file compiles to C, with the types in `opening.pxd`, and runs as Python where it is not compiled.
"""

from __future__ import annotations

from dataclasses import fields

from duramen.decode.decoded import Decoded

try:
    import cython
except ImportError:
    from duramen.decode import uncompiled as cython

if not cython.compiled:
    from duramen.decode.utf8 import NOT_ASCII, held_by

    put = object.__setattr__
    SEE_LABELS, SAYS_UTF8, SAYS_NOTHING = range(3)

_FIELDS = tuple(field.name for field in fields(Decoded))
_META, _CHARSET, _UTF8, _XML, _MP4 = b"<meta", b"charset", b"utf-8", b"<?xml", b"ftyp"


def plain_utf8(data: bytes, head: int, prescan: int) -> Decoded | None:
    """A page that begins plainly, says that it is UTF-8, and is; None for any other."""
    if not begins_plainly(data, head) or stated_in(data, prescan) != SAYS_UTF8:
        return None
    held = held_by(data)
    if held < 0 or (not held & NOT_ASCII and b"\x1b" in data):  # ASCII may be ISO-2022-JP
        return None
    decoded = object.__new__(Decoded)
    # One by one: the constructor of a frozen class takes longer than all else here.
    for name, value in zip(_FIELDS, (data, "utf-8", "meta", 0, False, held)):
        put(decoded, name, value)
    return decoded


def begins_plainly(data: bytes, stop: int) -> int:
    """Whether data[:stop] is that of a text for certain: no byte-order mark, no NUL, no other control byte."""
    text, size = data, min(stop, len(data))
    if size == 0 or not (text[0] == 0x3C or _is_blank(text[0])):
        return 0
    for at in range(size):
        byte = text[at]
        if byte < 0x20 and not (0x09 <= byte <= 0x0D or byte == 0x1B):
            return 0
    return not _reads(text, 4, size, _MP4)


def stated_in(data: bytes, stop: int) -> int:
    """What the labels in data[:stop] say: SAYS_UTF8 (in a plain `<meta charset>`), SAYS_NOTHING, or SEE_LABELS."""
    text, size, at = data, min(stop, len(data)), 0
    while at < size and _is_blank(text[at]):
        at += 1
    if _reads(text, at, size, _XML):
        return SEE_LABELS
    while at < size:
        if text[at] != 0x3C:
            at += 1
        elif at + 3 < size and text[at + 1] == 0x21 and text[at + 2] == 0x2D and text[at + 3] == 0x2D:
            at += 4
            while at + 2 < size and not (text[at] == 0x2D and text[at + 1] == 0x2D and text[at + 2] == 0x3E):
                at += 1
            if at + 2 >= size:
                return SAYS_NOTHING
            at += 3
        elif _reads(text, at, size, _META) and at + 5 < size and (_is_blank(text[at + 5]) or text[at + 5] == 0x2F):
            at += 6
            end = at
            while end < size and text[end] != 0x3C and text[end] != 0x3E:
                end += 1
            said = _said_by_meta(text, at, end)
            if said != SAYS_NOTHING:
                return said
            at = end
        else:
            at += 1
    return SAYS_NOTHING


def _said_by_meta(text: bytes, at: int, end: int) -> int:
    """The same of the inside of a `<meta>`: whether it reads charset="utf-8", first and only once."""
    mentions = 0
    for place in range(at, end):
        if _reads(text, place, end, _CHARSET):
            mentions += 1
    if mentions == 0:
        return SAYS_NOTHING
    while at < end and _is_blank(text[at]):
        at += 1
    if mentions > 1 or not _reads(text, at, end, _CHARSET) or at + 8 >= end or text[at + 7] != 0x3D:
        return SEE_LABELS
    at += 8
    quote = text[at] if text[at] == 0x22 or text[at] == 0x27 else 0
    if quote:
        at += 1
    if not _reads(text, at, end, _UTF8):
        return SEE_LABELS
    at += 5
    if quote:
        return SAYS_UTF8 if at < end and text[at] == quote else SEE_LABELS
    return SAYS_UTF8 if at == end or _is_blank(text[at]) else SEE_LABELS


def _is_blank(byte: int) -> int:
    """White space, as regular expressions on bytes have it."""
    return byte == 0x20 or 0x09 <= byte <= 0x0D


def _reads(text: bytes, at: int, stop: int, word: bytes) -> int:
    """Whether text[at:stop] begins with a word, its letters in whatever case."""
    letters, size = word, len(word)
    if at < 0 or stop - at < size:
        return 0
    for k in range(size):
        byte = text[at + k]
        if byte != letters[k] and not (0x41 <= byte <= 0x5A and byte | 0x20 == letters[k]):
            return 0
    return 1
