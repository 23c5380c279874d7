"""What a rendering shows."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class RenderOptions:
    """Switches of the renderings; `url` resolves relative links and images."""

    links: bool = True  # keep link targets (Markdown, HTML); the text of a link always stays
    images: bool = True  # keep images (Markdown, HTML)
    tables: bool = True  # keep tables of data and their text; a table that only lays the page out is none
    formatting: bool = True  # keep emphasis, inline code and the like (Markdown, HTML); headings and lists stay
    url: str | None = None


EVERYTHING_SHOWN = RenderOptions()
