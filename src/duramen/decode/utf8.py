"""Whether bytes are UTF-8, what of note they hold, and how much of them UTF-8 cannot be.

This file compiles to C, with what it then calls in `utf8.pxd`, and runs as Python where it is not compiled.
"""

from __future__ import annotations

import codecs
import re

try:
    import cython
except ImportError:
    from duramen.decode import uncompiled as cython

PIECE_BYTES = 1 << 12  # that Python checks validity in; swept 1-64 KB on wcxb
NOT_UTF8, HAS_NUL, HAS_RETURN, NOT_ASCII = -1, 1, 2, 4  # what `held_by` says, as the parser has it too

# Signs of the wrong encoding: nothing there, controls that no page uses, characters for private use.
_FAULT = re.compile("[\x80-\x84\x86-\x9f\ue000-\uf8ff\ufffd]")


def held_by(data: bytes) -> int:
    """NOT_UTF8 unless all of `data` is valid UTF-8, else HAS_NUL, HAS_RETURN and NOT_ASCII for such bytes in it."""
    if cython.compiled:
        return int(found_in(data))  # type: ignore[name-defined]  # noqa: F821
    held = (HAS_NUL if 0 in data else 0) | (HAS_RETURN if 0x0D in data else 0)
    if data.isascii():
        return held
    # In pieces that stay in the cache, most of them ASCII: `data.decode()` takes up to twice as long.
    at, size = 0, len(data)
    while at < size:
        piece = data[at : at + PIECE_BYTES]
        if piece.isascii():
            at += PIECE_BYTES
            continue
        try:
            # A character that the piece cuts off is left to the next one, unless this is the last.
            at += codecs.utf_8_decode(piece, "strict", at + PIECE_BYTES >= size)[1]
        except UnicodeDecodeError:
            return NOT_UTF8
    return held | NOT_ASCII


def share_of_faults(data: bytes) -> float:
    """Share of the non-ASCII characters that should not be there, were this UTF-8."""
    if cython.compiled:
        return float(found_faults(data))  # type: ignore[name-defined]  # noqa: F821
    text = data.decode("utf-8", "replace")
    beyond_ascii = len(text) - len(text.encode("ascii", "ignore"))
    return len(_FAULT.findall(text)) / beyond_ascii if beyond_ascii else 0.0
