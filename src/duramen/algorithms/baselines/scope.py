"""Page → what of it can be read: the body without comments, scripts, style sheets and the like."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from duramen.measure import unseen, within
from duramen.page import BoolArray, Page
from duramen.tags import tag_mask

# Taken out with everything below. The text of other unseen elements (video, iframe, svg …) is not read, but their
# tags stand in the page.
REMOVED: frozenset[str] = frozenset({"head", "script", "style", "noscript", "template"})
_REMOVED = tag_mask(REMOVED)


@dataclass(frozen=True, slots=True, eq=False)
class Scope:
    """The inside of the body."""

    body: int  # its row, which is not part of the scope
    rows: BoolArray  # rows that take part
    text: BoolArray  # text rows that a reader sees, blank ones too


def scope(page: Page) -> Scope:
    """What is inside the body, or inside the root element of a page without one."""
    if not len(page):
        nothing = np.zeros(0, dtype=np.bool_)
        return Scope(0, nothing, nothing)
    body = page.body()
    unread = unseen(page)
    rows = ~within(page, page.has_tag(_REMOVED) & unread)
    rows[: body + 1] = False
    rows[page.end[body] :] = False
    return Scope(body, rows, rows & page.is_text() & ~unread)
