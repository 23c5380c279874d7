"""The control: keep all visible text, whatever it is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from duramen.measure import seen_text, unseen, within
from duramen.page import HIDDEN, Page, Reason, Selection


@dataclass(frozen=True, slots=True)
class Everything:
    """Every text a reader sees: the floor that any extractor has to beat."""

    paper: ClassVar[str] = "control, as boilerpipe's KeepEverythingExtractor"

    remove_hidden: bool = False  # drop elements with `hidden`, display:none or visibility:hidden

    def select(self, page: Page) -> Selection:
        kept = ~unseen(page)
        if self.remove_hidden:
            kept &= ~within(page, (page.flags & HIDDEN) != 0)
        if not (kept & seen_text(page)).any():
            kept[:] = False
            return Selection(kept=kept, reason=Reason.NO_TEXT)
        return Selection(kept=kept)
