"""UTF-8 HTML → Page in one pass over the bytes, by our own scanner: the fast path.

The scanner is a chain of classes, each in its own file: Lexicon → Rows → Stack → Adoption → Insertion → StartTags →
EndTags → Foster → Tree → Decoding → Attributes → Tokens. The same files run as Python and, joined to one class
`kernel.Tokens`, compile to C, with the types in the .pxd files beside them.
"""

from __future__ import annotations

from threading import local

from duramen.page import Page
from duramen.parse.names import FLAG_CROWDED, FLAG_NAMES

try:
    from duramen.parse.kernel import Tokens  # type: ignore[import-not-found]
except ImportError:
    from duramen.parse.tokens import Tokens

SIZE_LIMIT = 1 << 29  # bytes: offsets into decoded text, at most 6/5 of the page, are 31 bits wide
KEPT_SIZE = 1 << 24  # a reader that grew for a larger page than this is not kept

__all__ = ["Tokens", "scan", "why_not"]

_thread = local()


def scan(utf8: bytes, holds: int = -1) -> Page | None:
    """The page, or None where it needs what the scanner does not model (see `why_not`).

    `holds` is what `bulk.check` says of the bytes, if that is known.
    """
    reader, flag = _read(utf8, holds)
    return None if flag else reader.to_page(utf8)


def why_not(utf8: bytes) -> str | None:
    """What of a page the scanner does not model; None if it models all."""
    flag = _read(utf8)[1]
    return FLAG_NAMES[flag] if flag else None


def _read(utf8: bytes, holds: int = -1) -> tuple[Tokens, int]:
    """This thread's reader after it read a page, and the flag it raised. Its buffers serve page after page."""
    reader: Tokens | None = getattr(_thread, "reader", None)
    if reader is None:
        reader = _thread.reader = Tokens()
    if len(utf8) > SIZE_LIMIT:
        return reader, FLAG_CROWDED
    if len(utf8) > KEPT_SIZE:
        del _thread.reader
    return reader, reader.read(utf8, holds)
