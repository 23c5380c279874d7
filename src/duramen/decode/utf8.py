"""Whether bytes are UTF-8."""

from __future__ import annotations

import codecs

PIECE_BYTES = 1 << 12  # that validity is checked in; swept 1-64 KB on wcxb


def is_utf8(data: bytes) -> bool:
    """Whether all of `data` is valid UTF-8."""
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
