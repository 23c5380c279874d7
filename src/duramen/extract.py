"""The one place where the stages are joined: decode → parse → select → render."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from functools import cached_property
from types import MappingProxyType
from typing import Any, Literal

import numpy as np

from duramen import render
from duramen.algorithms import Algorithm, algorithm_name
from duramen.algorithms import algorithm as configured
from duramen.algorithms.learned.comments import Comment, comment_rows, comments_of
from duramen.algorithms.learned.hidden import hidden_rows
from duramen.algorithms.learned.hydration import recovered
from duramen.algorithms.learned.page_type import SHELL, page_types
from duramen.decode import Decoded, decode
from duramen.errors import OptionError
from duramen.measure import within
from duramen.metadata import Metadata, metadata
from duramen.page import BoolArray, Page, Part, Reason, Selection
from duramen.parse import parse_page, with_raw_text
from duramen.render import RenderOptions
from duramen.shell import empty_reason, needs_scripts
from duramen.version import VERSION

HiddenMode = Literal["drop", "flag", "keep"]

# Where what readers write is the content, or part of it.
DISCUSSED = frozenset(("forum", "documentation", "product"))
# Without comments this share of the words must be left: else the comments are what the page is for.
LEFT_WITHOUT_COMMENTS = 0.1
# With fewer words kept than this, the page's scripts are searched for its text …
NEARLY_EMPTY_WORDS = 50
# … which must have at least this many, and several times as many as were kept.
RECOVERED_WORDS = 60
RECOVERED_RATIO = 3


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
    def page_types(self) -> Mapping[str, float]:
        """What kind of page it is, with probabilities, most likely first (see docs/page-types.md)."""
        if self.reason in (Reason.NOT_HTML, Reason.EMPTY_INPUT):
            return MappingProxyType({})
        if needs_scripts(self.page):
            return MappingProxyType({SHELL: 1.0})
        return page_types(self.page, self.options.url)

    @property
    def page_type(self) -> str | None:
        """The most likely type: article, documentation, service, forum, collection, listing, product, index, shell."""
        return next(iter(self.page_types), None)

    @cached_property
    def comments(self) -> tuple[Comment, ...]:
        """Readers' comments on the content, in order. The posts of a forum are content and no comments."""
        rows = comment_rows(self.page)
        return comments_of(self.page, rows) if rows.any() and not _is_discussion(self.page_types) else ()

    @cached_property
    def hidden_text(self) -> tuple[str, ...]:
        """Invisible text among what was kept, element by element: nothing unless `hidden` is "flag" or "keep"."""
        lost = _lost_text(self.page, self.selection)
        texts = (" ".join(self.page.text_of(row).split()) for row in np.flatnonzero(lost).tolist())
        return tuple(filter(None, texts))

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
            "comments": [asdict(comment) for comment in self.comments],
            "hidden_text": list(self.hidden_text),
            "page_type": self.page_type,
            "page_types": {name: round(share, 4) for name, share in self.page_types.items()},
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
    comments: bool | None = None,
    hidden: HiddenMode | None = None,
    links: bool = True,
    images: bool = True,
    tables: bool = True,
    formatting: bool = True,
) -> Extraction:
    """The main content of a web page.

    `source` is the page, as bytes (best: its encoding is then found by the rules of browsers) or text. `url` is where
    it came from and resolves relative links; `charset` is what the transport said of its encoding. `algorithm` is a
    name from `duramen.ALGORITHMS` or a configured algorithm object, `options` are that algorithm's settings.
    `comments` says whether readers' comments on an article stay in the text (they are in `Extraction.comments` either
    way), `hidden` whether invisible text is dropped, kept and flagged, or kept; None leaves both to the algorithm. The
    other switches say what the renderings show.

    A page without content gives an empty text and a `reason`; only unusable arguments raise (see `duramen.errors`).
    """
    chosen = configured(algorithm, options)
    decoded = decode(source, charset=charset)
    page, selection = select(decoded, chosen, url=url, comments=comments, hidden=hidden)
    reason = empty_reason(decoded, page, selection)
    shown = RenderOptions(links, images, tables, formatting, url)
    return Extraction(page, selection, decoded, algorithm_name(chosen), shown, reason)


def select(
    decoded: Decoded,
    chosen: Algorithm,
    *,
    url: str | None = None,
    comments: bool | None = None,
    hidden: HiddenMode | None = None,
) -> tuple[Page, Selection]:
    """Parse a page and run an algorithm on it, as it asks for it (see `suited`).

    An algorithm with settings of these names sees to comments and invisible text itself. One that has `hydrate` set
    gets the text of an empty page from the page's scripts.
    """
    if comments is None and hidden is None:
        return _selected(decoded, chosen)
    if hidden not in (None, "drop", "flag", "keep"):
        raise OptionError(f'hidden is "drop", "flag" or "keep", not {hidden!r}')
    given = {name: value for name, value in (("comments", comments), ("hidden", hidden)) if value is not None}
    own = {name: given.pop(name) for name in _setting_names(chosen) & set(given)}
    page, selection = _selected(decoded, configured(chosen, own) if own else chosen)
    if given.get("hidden") in ("drop", "flag"):
        selection = _without_hidden(page, selection, flag=hidden == "flag")
    if given.get("comments") is False:
        selection = _without_comments(page, selection, url)
    return page, selection


def _selected(decoded: Decoded, chosen: Algorithm) -> tuple[Page, Selection]:
    """The page and what the algorithm takes of it by its own settings."""
    page = suited(parse_page(decoded.utf8, decoded.holds), chosen)
    selection = chosen.select(page)
    if getattr(chosen, "hydrate", False):
        page, selection = _hydrated(decoded, chosen, page, selection)
    return page, selection


def suited(page: Page, chosen: Algorithm) -> Page:
    """The page as an algorithm asks for it: tidied where `xhtml` is set, scripts as text where `reads_scripts` is."""
    if getattr(chosen, "xhtml", False):
        page = parse_page(render.to_xhtml(page).encode())
    return with_raw_text(page) if getattr(chosen, "reads_scripts", False) else page


def _setting_names(chosen: Algorithm) -> set[str]:
    return set(getattr(chosen, "__dataclass_fields__", ()))


def _lost_text(page: Page, selection: Selection) -> BoolArray:
    """Kept text that no reader gets to see."""
    kept: BoolArray = selection.kept & (page.chars > 0)
    return kept & hidden_rows(page, kept).lost() if kept.any() else kept


def _without_hidden(page: Page, selection: Selection, *, flag: bool) -> Selection:
    lost = _lost_text(page, selection)
    if not lost.any():
        return selection
    if flag:
        return replace(selection, flags=(*selection.flags, "hidden_text"))
    return replace(selection, kept=selection.kept & ~lost)


def _without_comments(page: Page, selection: Selection, url: str | None) -> Selection:
    """The selection without readers' comments, on pages where these are not what the page is for."""
    rows = comment_rows(page) & selection.kept
    commented, words = int(page.words[rows].sum()), int(page.words[selection.kept].sum())
    if not commented or words - commented < LEFT_WITHOUT_COMMENTS * words:
        return selection
    if _is_discussion(page_types(page, url)):
        return selection
    return replace(selection, kept=selection.kept & ~rows)


def _is_discussion(types: Mapping[str, float]) -> bool:
    """Whether the page is more likely than not of a type whose comments are content."""
    return sum(types.get(name, 0.0) for name in DISCUSSED) >= 0.5


def _hydrated(decoded: Decoded, chosen: Algorithm, page: Page, selection: Selection) -> tuple[Page, Selection]:
    """The page with the text that its scripts carry put at its end, where next to nothing was found without."""
    words = int(page.words[selection.kept].sum())
    found = recovered(page) if words < NEARLY_EMPTY_WORDS else None
    if found is None or found.words < max(RECOVERED_WORDS, RECOVERED_RATIO * words):
        return page, selection
    whole = decoded.utf8 + f"<main><article>{found.html}</article></main>".encode("utf-8", "replace")
    fuller = suited(parse_page(whole), chosen)
    again = chosen.select(fuller)
    if int(fuller.words[again.kept].sum()) <= words:
        return page, selection
    return fuller, replace(again, flags=(*again.flags, "hydrated"))


def parse(source: str | bytes, *, charset: str | None = None) -> Page:
    """A page as flat arrays (see `duramen.Page`)."""
    decoded = decode(source, charset=charset)
    return parse_page(decoded.utf8, decoded.holds)
