"""The one place where the stages are joined: decode → parse → select → render."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from duramen import render
from duramen.algorithms import Algorithm, algorithm_name
from duramen.algorithms import algorithm as configured
from duramen.decode import Decoded, decode
from duramen.measure import within
from duramen.metadata import Metadata, metadata
from duramen.page import Page, Part, Reason, Selection
from duramen.parse import parse_page
from duramen.render import RenderOptions
from duramen.shell import empty_reason
from duramen.version import VERSION


@dataclass(frozen=True)
class Extraction:
    """What was taken from a page. Renderings are made when they are asked for, once."""

    page: Page
    selection: Selection
    decoded: Decoded
    algorithm: str
    """Name of the algorithm that made it."""
    options: RenderOptions
    reason: Reason | None
    """Why the text is empty; None when there is text."""
    version: str = VERSION
    """Version of duramen that made it."""

    @cached_property
    def text(self) -> str:
        """Plain text: paragraphs, headings, list items and table rows on lines of their own."""
        return render.to_text(self.page, self.selection, self.options)

    @cached_property
    def markdown(self) -> str:
        """Markdown with headings, lists, tables, code, links and images."""
        return render.to_markdown(self.page, self.selection, self.options)

    @cached_property
    def html(self) -> str:
        """Cleaned HTML with the page's own structure and nothing that runs."""
        return render.to_html(self.page, self.selection, self.options)

    @cached_property
    def standard(self) -> str:
        """Standardised paragraphs: each on a line of its own, indented by two ideographic spaces."""
        return render.to_standard(self.page, self.selection, self.options)

    @cached_property
    def parts(self) -> tuple[tuple[str, str], ...]:
        """Label and text of the pieces that the algorithm told apart: posts, replies, comments."""
        return tuple((part.label, self._text_of(part)) for part in self.selection.parts)

    def _text_of(self, part: Part) -> str:
        marked = np.zeros(len(self.page), dtype=np.bool_)
        marked[list(part.rows)] = True
        kept = within(self.page, marked) & self.selection.kept
        return render.to_text(self.page, Selection(kept=kept), self.options)

    @cached_property
    def metadata(self) -> Metadata:
        """Title, author, date and the like, as the page states them."""
        return metadata(self.page, title_row=self.selection.title, url=self.options.url)

    @property
    def title(self) -> str | None:
        """The page's title, without the name of the site where that can be told."""
        return self.metadata.title

    @property
    def language(self) -> str | None:
        """The page's language as a BCP 47 tag, where it is stated or evident."""
        return self.metadata.language

    @property
    def confidence(self) -> float | None:
        """How sure the algorithm is, from 0 to 1; None where it cannot tell."""
        return self.selection.confidence

    @property
    def encoding(self) -> str:
        """The encoding that the page was read in."""
        return self.decoded.encoding

    def to_dict(self) -> dict[str, Any]:
        """Everything but the page itself, ready for JSON."""
        return {
            "url": self.options.url,
            "title": self.title,
            "language": self.language,
            "text": self.text,
            "markdown": self.markdown,
            "html": self.html,
            "parts": [{"label": label, "text": text} for label, text in self.parts],
            "metadata": self.metadata.to_dict(),
            "algorithm": self.algorithm,
            "version": self.version,
            "encoding": self.decoded.encoding,
            "encoding_source": self.decoded.how,
            "confidence": self.confidence,
            "flags": list(self.selection.flags),
            "reason": None if self.reason is None else self.reason.value,
        }


def extract(
    source: str | bytes,
    *,
    url: str | None = None,
    charset: str | None = None,
    algorithm: str | Algorithm = "default",
    options: Mapping[str, object] | None = None,
    links: bool = True,
    images: bool = True,
    tables: bool = True,
    formatting: bool = True,
) -> Extraction:
    """The main content of a web page.

    `source` is the page, as bytes (best: its encoding is then found by the rules of browsers) or text. `url` is where
    it came from and resolves relative links; `charset` is what the transport said of its encoding. `algorithm` is a
    name from `duramen.ALGORITHMS` or a configured algorithm object, `options` are that algorithm's settings. The
    switches say what the renderings show.

    A page without content gives an empty text and a `reason`; only unusable arguments raise (see `duramen.errors`).
    """
    chosen = configured(algorithm, options)
    decoded = decode(source, charset=charset)
    page, selection = select(decoded, chosen)
    reason = empty_reason(decoded, page, selection)
    shown = RenderOptions(links=links, images=images, tables=tables, formatting=formatting, url=url)
    return Extraction(page, selection, decoded, algorithm_name(chosen), shown, reason)


def select(decoded: Decoded, chosen: Algorithm) -> tuple[Page, Selection]:
    """Parse a page and run an algorithm on it; one that asks for XHTML gets the page tidied and parsed again."""
    page = parse_page(decoded.utf8)
    if getattr(chosen, "xhtml", False):
        page = parse_page(render.to_xhtml(page).encode())
    return page, chosen.select(page)


def parse(source: str | bytes, *, charset: str | None = None) -> Page:
    """A page as flat arrays (see `duramen.Page`)."""
    return parse_page(decode(source, charset=charset).utf8)
