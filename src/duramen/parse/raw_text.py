"""A page in which the source of scripts and style sheets is text like any other, for algorithms that count it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from duramen.page import NO_RAW_TEXT, Page
from duramen.parse.characters import count


def with_raw_text(page: Page) -> Page:
    """The same rows, with what `page.raw` holds in their text and in their counts."""
    raw = page.raw
    if not len(raw.rows):
        return page
    pieces, done = [], 0
    sizes = np.diff(page.text_at)
    for k, row in enumerate(raw.rows.tolist()):
        at = int(page.text_at[row])
        pieces += [page.text[done:at], raw.at(k)]
        done, sizes[row] = at, len(pieces[-1])
    text = b"".join((*pieces, page.text[done:]))
    text_at = np.concatenate(([0], np.cumsum(sizes))).astype(np.int32)
    counts = count(text, text_at, page.is_text())
    for array in (text_at, *counts):
        array.flags.writeable = False
    return replace(page, text=text, text_at=text_at, raw=NO_RAW_TEXT, **counts._asdict())
