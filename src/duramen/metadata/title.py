"""The title of a page: the heading that agrees with what the page is called elsewhere."""

from __future__ import annotations

from duramen.metadata.addresses import join_url, split_url
from duramen.metadata.site import SEPARATOR, site_keys, without_site
from duramen.metadata.statements import Statements
from duramen.metadata.text import first_rows, key_of, one_line, shown_text, words_of
from duramen.page import HREF, Page

META = ("og:title", "twitter:title", "dc.title", "dcterms.title", "citation_title", "headline", "parsely-title")
HEADINGS = 20  # that are read, of the first level and of those below
SEGMENTS = 12  # of a title, to compare with headings
AGREEMENT = 0.5  # of a heading's words must be in the page's other titles; swept 0.3-0.9 on wcxb and trafilatura
_PERMALINKS = ("¶", "#", "§")


def find_title(said: Statements, site: str | None, url: str | None) -> str | None:
    """The heading that agrees with what the page is called elsewhere, else that name without the name of the site."""
    keys = site_keys(site, url)
    stated = (said.first(META), said.linked_data.text("headline"), _title_element(said))
    outside = [text for title in stated if (text := one_line(title))]
    runs = {key for title in outside for key in _runs(title)}
    headings = _headings(said.page, said.rows["h1"], keys, url)
    same = [text for text in headings if key_of(text) in runs]
    if not same:
        lower = sorted(said.rows["h2"] + said.rows["h3"])
        same = _headings(said.page, lower, keys, url, among=runs)
    if same:
        return max(same, key=len)
    called = {word for title in outside for word in words_of(title)}
    best = max(headings, key=lambda heading: _agreement(heading, called), default=None)
    if outside and (best is None or _agreement(best, called) < AGREEMENT):
        return without_site(outside[0], keys)
    return best


def _title_element(said: Statements) -> str | None:
    """The text of `<title>`, which drawings have too."""
    page = said.page
    rows = (row for row in said.rows["title"] if page.tag_name(int(page.parent[row])) in ("head", "body"))
    return next(map(page.text_of, rows), None)


def _headings(
    page: Page, rows: list[int], site: frozenset[str], url: str | None, among: set[str] | None = None
) -> list[str]:
    """The texts of headings that are neither the name of the site nor its logo; those with these keys only."""
    texts = ((row, one_line(_without_permalink(shown_text(page, row)))) for row in rows[:HEADINGS])
    keyed = ((row, text, key_of(text)) for row, text in texts if text)
    wanted = ((row, text) for row, text, key in keyed if key not in site and (among is None or key in among))
    return [text for row, text in wanted if not _links_home(page, row, url)]  # asked last: it takes longest


def _without_permalink(heading: str) -> str:
    """A heading without the sign at its end that is a link to itself."""
    text = heading.rstrip()
    return text[:-1].rstrip() if text.endswith(_PERMALINKS) else heading


def _links_home(page: Page, row: int, url: str | None) -> bool:
    """A heading around a link to the site's first page is its logo."""
    rows = first_rows(page, row)
    links = page.flags[rows.start : rows.stop] & HREF
    first = int(links.argmax())
    href = (page.attribute(row + first, "href") or "#").strip() if links[first] else "#"
    if href.startswith("#"):
        return False
    _, _, path, query = split_url(join_url(url or "", href))
    return path in ("", "/") and not query


def _runs(title: str) -> set[str]:
    """The keys of all runs of segments of a title."""
    segments = [key_of(segment) for segment in SEPARATOR.split(title)][:SEGMENTS]
    if len(segments) == 1:
        return set(filter(None, segments))
    return {"".join(segments[i:j]) for i in range(len(segments)) for j in range(i + 1, len(segments) + 1)} - {""}


def _agreement(heading: str, called: set[str]) -> float:
    """Share of a heading's words that the page is called by elsewhere."""
    words = words_of(heading)
    return sum(word in called for word in words) / max(len(words), 1)
