"""What decoding gives: the page as UTF-8, and how its encoding was known."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

How = Literal["text", "bom", "transport", "meta", "xml", "utf-8", "detected"]
"""How an encoding was known: `text` there was none to find, the input was a `str`; `bom` a byte-order mark; `transport`
the `charset` argument; `meta` or `xml` the page's own label; `utf-8` no label, or a wrong one, but the bytes are UTF-8;
`detected` the bytes look like it."""


@dataclass(frozen=True, slots=True)
class Decoded:
    """A page as UTF-8, and how its encoding was known."""

    utf8: bytes  # valid UTF-8 without a byte-order mark; the input itself where it is that already
    encoding: str  # WHATWG name in lower case; gb18030 for all of GB2312 and GBK; "binary" where it is no text
    how: How
    errors: int = 0  # replacement characters that decoding put in
    binary: bool = False  # an image, a PDF, an archive …: not a page, and `utf8` is empty
    holds: int = field(default=-1, repr=False, compare=False)  # what `utf8.held_by` says of `utf8`; -1: not asked
