"""Whether bytes are UTF-8.

This file compiles to C, with what it then calls in `utf8.pxd`, and runs as Python where it is not compiled.
"""

from __future__ import annotations

import codecs

try:
    import cython
except ImportError:
    from duramen.decode import uncompiled as cython

PIECE_BYTES = 1 << 12  # that Python checks validity in; swept 1-64 KB on wcxb


def is_utf8(data: bytes) -> bool:
    """Whether all of `data` is valid UTF-8."""
    if cython.compiled:
        return bool(is_valid(data))  # type: ignore[name-defined]  # noqa: F821
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
            return False
    return True
