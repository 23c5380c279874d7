"""A labelled page."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class GoldPage:
    """A page and what a person takes for its content: a text, snippets, or labelled parts."""

    id: str
    dataset: str
    html: bytes
    text: str | None  # None where there are only snippets
    url: str | None = None
    kind: str = ""  # article, forum …; empty where nobody said
    source: str = ""  # the site, or the folder it lies in
    required: tuple[str, ...] = ()  # snippets that an extraction has to contain …
    forbidden: tuple[str, ...] = ()  # … and must not contain
    parts: tuple[tuple[str, str], ...] = ()  # labelled texts in the order they stand in the page
    title: str | None = None

    def has_gold(self) -> bool:
        """Whether there is anything to score against."""
        return self.text is not None or bool(self.required or self.forbidden)


@dataclass(frozen=True, slots=True)
class Damaged:
    """A row that could not be read."""

    number: int  # from 1, in the order of the data set
    id: str
    why: str
