"""UTF-8 HTML → Page in one pass over the bytes, by our own scanner: the fast path.

The scanner is a chain of classes, each in its own file: Lexicon → Rows → Stack → Adoption → Insertion → StartTags →
EndTags → Foster → Tree → Decoding → Attributes → Tokens. The same files run as Python and, joined to one class
`kernel.Tokens`, compile to C, with the types in the .pxd files beside them.
"""

from __future__ import annotations

from duramen.page import Page
from duramen.parse.names import FLAG_CROWDED, FLAG_NAMES

try:
    from duramen.parse.kernel import Tokens  # type: ignore[import-not-found]
except ImportError:
    from duramen.parse.tokens import Tokens

SIZE_LIMIT = 1 << 29  # bytes: offsets into decoded text, at most 6/5 of the page, are 31 bits wide
KEPT_SIZE = 1 << 24  # a reader that grew for a larger page than this is not kept
KEPT_READERS = 16  # nor are more than this, when many threads have ended

__all__ = ["Tokens", "scan", "why_not"]

_idle: list[Tokens] = []  # taken out and put back in one step each, so that no two threads have the same


def scan(utf8: bytes, holds: int = -1) -> Page | None:
    """The page, or None where it needs what the scanner does not model (see `why_not`).

    `holds` is what `bulk.check` says of the bytes, if that is known.
    """
    if len(utf8) > SIZE_LIMIT:
        return None
    reader = _reader()
    page: Page | None = reader.read_page(utf8, holds)
    if len(utf8) <= KEPT_SIZE and len(_idle) < KEPT_READERS:
        _idle.append(reader)
    return page


def why_not(utf8: bytes) -> str | None:
    """What of a page the scanner does not model; None if it models all."""
    flag = FLAG_CROWDED if len(utf8) > SIZE_LIMIT else _reader().read(utf8, -1)
    return FLAG_NAMES[flag] if flag else None


def _reader() -> Tokens:
    """A reader that nobody uses: its buffers serve page after page."""
    try:
        return _idle.pop()
    except IndexError:
        return Tokens()
