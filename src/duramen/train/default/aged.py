"""The same page in the markup of another time, so that the default does not lean on the names and tags of today.

Labelled pages are of the last years; most pages of an archive are older: tables for layout, lines parted by <br>, bold
lines instead of headings, no names to speak of. A page's labels hold whatever its markup, so each copy teaches how
content looks without it.
"""

from __future__ import annotations

import re
from random import Random
from typing import NamedTuple


class Change(NamedTuple):
    """Something that older pages do in another way, and how often a copy does it so."""

    often: float
    edits: tuple[tuple[re.Pattern[bytes], bytes], ...]


def _edits(*pairs: tuple[bytes, bytes]) -> tuple[tuple[re.Pattern[bytes], bytes], ...]:
    return tuple((re.compile(pattern, re.IGNORECASE), text) for pattern, text in pairs)


_NAMES = (
    rb"\s(?:class|id|role|itemprop|itemtype|itemscope|aria-label|data-[\w-]+)"
    rb"\s*=\s*(?:\"[^\"]*\"|'[^']*'|[^\s\"'>]+)"
)
_PARTS = rb"<(/?)(?:header|nav|footer|main|article|section|aside|figure|figcaption|details|summary|hgroup)\b"

CHANGES = (
    Change(0.8, _edits((_NAMES, b""))),
    Change(1.0, _edits((_PARTS, rb"<\1div"))),
    Change(0.5, _edits((rb"<(/?)[uo]l\b", rb"<\1div"), (rb"<li\b[^>]*>", b""), (rb"</li\b[^>]*>", b"<br>"))),
    Change(0.4, _edits((rb"<p\b[^>]*>", b"<br><br>"), (rb"</p\b[^>]*>", b""))),
    Change(0.4, _edits((rb"<h[1-6]\b[^>]*>", b"<br><b>"), (rb"</h[1-6]\b[^>]*>", b"</b><br>"))),
    Change(0.7, _edits((rb"<div\b([^>]*)>", rb"<table\1><tr><td>"), (rb"</div\b[^>]*>", b"</td></tr></table>"))),
)


def aged(html: bytes, seed: str) -> bytes:
    """A copy of a page as it might have been written twenty years ago; the same for the same seed."""
    chance = Random(seed)
    for change in CHANGES:
        if chance.random() < change.often:
            for pattern, text in change.edits:
                html = pattern.sub(text, html)
    return html
