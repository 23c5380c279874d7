"""White space and invisible characters in UTF-8, for the uncompiled renderers; `words.pxd` holds the same in C types.

The compiled versions check their ranges once and then read and write them freely.
"""

from __future__ import annotations

import re

# What a line has so far: something that is written, and white space that waits for what follows it.
BEGUN, WAITS = 1, 2

# Invisible, and in the way of whoever searches the text. Joiners (U+200C, U+200D) stay: they shape letters and emoji.
ZERO_WIDTH = "\u00ad\u200b\u200e\u200f\u2060\ufeff"

_INVISIBLE = re.compile("|".join(ZERO_WIDTH).encode())
# White space in the sense of `str.isspace`.
_BLANK = rb"[\t-\r\x1c- ]|\xc2[\x85\xa0]|\xe1\x9a\x80|\xe2\x80[\x80-\x8a\xa8\xa9\xaf]|\xe2\x81\x9f|\xe3\x80\x80"
_SPACE = re.compile(_BLANK)
_SPACES = re.compile(rb"(?:\x00|" + _BLANK + rb")+")  # NUL counts as such


def collapse(
    target: memoryview, room: int, at: int, source: memoryview, size: int, start: int, stop: int, state: int
) -> int:
    """Write source[start:stop] to target[at:], white space collapsed, without invisible characters.

    `room` and `size` are the lengths of both. It takes at most one byte more there. Returns the end of it << 2 | what
    the line has now.
    """
    if start < stop and (start < 0 or stop > size or at < 0 or at + (stop - start) >= room):
        raise IndexError("copy outside a buffer")
    text = _INVISIBLE.sub(b"", bytes(source[start:stop]))
    for k, word in enumerate(_SPACES.split(text)):
        if k and state & BEGUN:
            state |= WAITS
        if word:
            word = b" " + word if state & WAITS else word
            target[at : at + len(word)] = word
            at += len(word)
            state = BEGUN
    return at << 2 | state


def decoded(text: memoryview, size: int) -> str:
    """The first `size` bytes as a text; what is no UTF-8 is replaced."""
    return str(text[:size], "utf-8", "replace")


def holds_space(text: memoryview, size: int, start: int, stop: int) -> int:
    """Whether there is white space in text[start:stop]; the text has `size` bytes."""
    return 1 if _SPACE.search(bytes(text[start:stop])) else 0


def zero_width_at(text: memoryview, size: int, at: int, stop: int) -> int:
    """How many bytes the invisible character at `text[at]` takes, as far as it ends before `stop`; 0 for others."""
    found = _INVISIBLE.match(bytes(text[at : min(at + 3, stop)]))
    return found.end() if found else 0
