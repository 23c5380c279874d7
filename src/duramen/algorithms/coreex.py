"""CoreEx: the node, or the set of nodes, with the most text for its links (Prasad & Paepcke 2008).

The counts, scores and sets of all nodes are arrays; nothing walks the tree. Section numbers are the paper's.
"""

from __future__ import annotations

import random
import re
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from duramen.measure import seen_text, subtree_sum, within
from duramen.page import HREF, BoolArray, FloatArray, Page, Reason, Selection
from duramen.tags import HEADINGS, TAG_IDS, TEXT, tag_mask

Configuration = Literal["R1", "R2", "R3", "R4", "R5", "R6"]
SWITCHES = ("weighted", "subset", "ignore_forms", "remove_scripts", "xhtml")
CONFIGURATIONS: Mapping[str, tuple[bool, ...]] = MappingProxyType(
    {
        "R1": (False, False, False, False, False),
        "R2": (True, False, False, False, False),
        "R3": (True, True, False, False, False),
        "R4": (True, True, True, False, False),
        "R5": (True, True, True, True, False),
        "R6": (True, True, True, True, True),
    }
)
"""Table 1: each configuration's setting of SWITCHES, added one by one."""

SAME = 1e-12  # scores closer than this are equal, so that a parent ties with an only child
RESCUE_SHARE = 0.8  # of all words inside forms: more, and the form is the page
TITLE_BREAKS = re.compile(r"\s[-|–—]\s|\s::\s|[_»«]")  # between a page's title and its site's name
MOST_TITLE_PARTS = 16  # of a <title> that are looked for

_A, _FORM, _SCRIPT, _NOSCRIPT = (TAG_IDS[name] for name in ("a", "form", "script", "noscript"))
# Never text: an HTML5 tree holds the source of a style sheet or frame as one text node.
_UNREAD = tag_mask(("head", "style", "iframe", "noembed", "noframes"))
_FIELDS = tag_mask(("select", "input", "textarea", "option"))
_MEDIA = tag_mask(("img", "picture", "svg", "video", "audio", "object", "embed", "canvas"))
_HEADINGS = tag_mask(HEADINGS)
_BREAKS = [TAG_IDS[name] for name in ("br", "wbr", "hr")]
_CJK = re.compile("[\u3005-\u3007\u3041-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]")


@dataclass(frozen=True, slots=True)
class CoreEx:
    """Text-to-link ratio, weighted by the share of the page's text, with subset selection.

    A switch that is not given is as the configuration says. Afterwards the switches hold what is in force, and
    `configuration` names what they amount to: None where the paper has no such combination.
    """

    paper: ClassVar[str] = (
        "Jyotika Prasad, Andreas Paepcke: CoreEx: Content Extraction from Online News Articles. CIKM 2008"
    )

    configuration: Configuration | None = "R5"
    weighted: bool | None = None  # add the share of the page's text to the score
    subset: bool | None = None  # keep only the children that are mostly text
    ignore_forms: bool | None = None  # skip select, form, input, textarea and option with all below
    remove_scripts: bool | None = None  # else their source counts as text
    xhtml: bool | None = None  # tidy the page and parse it again first; `extract` does that, not `select`
    weight_ratio: float = 0.99  # §2.2.1, tuned by the authors on 500 news pages
    weight_text: float = 0.01
    threshold: float = 0.9  # a child's ratio has to exceed it; tuned likewise
    tie: Literal["higher", "random"] = "higher"  # among equals at one depth: the first, or a random one
    seed: int = 0  # of the random choice
    title_recovery: Literal["off", "header", "pagetitle", "both"] = "off"
    title_depth: Literal["sibling", "subtree"] = "sibling"  # headers beside the content's parent, or also inside those
    form_rescue: bool = False  # read forms after all when they hold more than 80 % of the words
    drop_captions: bool = False  # leave out figure and table captions
    article_coverage: float = 0.4  # least share of the page's text in the content of an article page
    article_ratio: float = 0.6  # least basic score of an article page as a whole
    article_words: int = 80  # least words in the content of an article page

    def __post_init__(self) -> None:
        _check(self)
        preset = CONFIGURATIONS[self.configuration or "R5"]
        given = [getattr(self, name) for name in SWITCHES]
        settled = tuple(default if value is None else bool(value) for value, default in zip(given, preset))
        for name, value in zip(SWITCHES, settled):
            object.__setattr__(self, name, value)
        named = next((name for name, values in CONFIGURATIONS.items() if values == settled), None)
        object.__setattr__(self, "configuration", named)

    def select(self, page: Page) -> Selection:
        body = page.body()
        excluded, rescued = self._exclude(page, body)
        tally = _count(page, excluded, self.threshold)
        page_text, page_links = int(tally.text[body]), int(tally.link[body])
        basic, score = self._score(tally, body, page_text)
        columns: dict[str, NDArray[Any]] = {
            "text_cnt": tally.text,
            "link_cnt": tally.link,
            "set_text_cnt": tally.set_text,
            "set_link_cnt": tally.set_link,
            "basic": basic,
        }
        trace = self._settings() | {"form_rescue": rescued, "page_text": page_text, "page_links": page_links}
        # A page of links alone has small positive weighted scores; content needs text of its own.
        best = np.flatnonzero(basic > 0)
        if not len(best):
            trace |= {"winner": None, "set": []} | self._classify(page_text, page_links, 0)
            reason = Reason.NO_CONTENT if seen_text(page).any() else Reason.NO_TEXT
            nothing = np.zeros(len(page), dtype=np.bool_)
            return Selection(nothing, score, columns, trace, flags=_flags(trace), reason=reason)

        best = best[score[best] >= score[best].max() - SAME]
        best = best[page.depth[best] == page.depth[best].min()]
        winner = int(best[0] if self.tie == "higher" else random.Random(self.seed).choice(best.tolist()))
        members = self._members(page, tally, winner)
        kept = _subtrees(page, members) & ~excluded
        title, rule = self._find_title(page, winner, kept, excluded)
        words = int((tally.set_text if self.subset else tally.text)[winner])
        trace |= {
            "winner": winner,
            "path": page.path(winner),
            "score": float(score[winner]),
            "tied": best.tolist() if len(best) > 1 else [],
            "set": members.tolist(),
            "title": title,
            "title_rule": rule,
            "title_added": title is not None and not kept[title],
        } | self._classify(page_text, page_links, words)
        kept |= _separators(page, winner, members)
        if title is not None:
            kept[title : page.end[title]] |= ~excluded[title : page.end[title]]
        return Selection(kept, score, columns, trace, title=title, flags=_flags(trace))

    def _settings(self) -> dict[str, Any]:
        """What a trace says of the settings."""
        names = ("configuration", *SWITCHES, "weight_ratio", "weight_text", "threshold", "tie")
        return {name: getattr(self, name) for name in names}

    def _exclude(self, page: Page, body: int) -> tuple[BoolArray, bool]:
        """The rows that count for nothing, and whether forms were read after all."""
        skipped = page.has_tag(_UNREAD | _FIELDS if self.ignore_forms else _UNREAD)
        if self.remove_scripts:
            skipped |= _scripts(page)
        if self.drop_captions:
            captions = _captions(page)
            captions[: body + 1] = False
            skipped |= captions
        excluded = within(page, skipped)
        forms = page.tag == _FORM
        if not self.ignore_forms or not forms.any():
            return excluded, False
        in_forms = within(page, forms)
        words = np.where(excluded, 0, page.words)
        if self.form_rescue and words[in_forms].sum() > RESCUE_SHARE * words.sum():
            return excluded, True
        return excluded | in_forms, False

    def _score(self, tally: _Tally, body: int, page_text: int) -> tuple[FloatArray, FloatArray]:
        """Basic and final score of every row (§2.1.1, §2.2.1); NaN for those that are no candidates."""
        text, link = (tally.set_text, tally.set_link) if self.subset else (tally.text, tally.link)
        basic = _ratio(text, link)
        basic[text == 0] = np.nan
        basic[:body] = np.nan
        if not self.weighted or not page_text:
            return basic, basic.copy()
        return basic, self.weight_ratio * basic + self.weight_text * text / page_text

    def _members(self, page: Page, tally: _Tally, winner: int) -> NDArray[np.intp]:
        """S: the rows whose subtrees are the content."""
        if not self.subset or page.tag[winner] == TEXT:
            return np.array([winner])
        first, stop = winner + 1, int(page.end[winner])
        children = tally.mostly_text[first:stop] & (page.parent[first:stop] == winner)
        return np.flatnonzero(children) + first

    def _find_title(
        self, page: Page, winner: int, kept: BoolArray, excluded: BoolArray
    ) -> tuple[int | None, str | None]:
        """The title's row and the rule that found it (§6.1)."""
        if self.title_recovery in ("header", "both"):
            parent = winner if page.tag[winner] != TEXT else int(page.parent[winner])
            row = _header_before(page, parent, excluded, inside=self.title_depth == "subtree")
            if row is not None:
                return row, "header"
        if self.title_recovery in ("pagetitle", "both"):
            row = _page_title(page, kept, excluded)
            if row is not None:
                return row, "pagetitle"
        return None, None

    def _classify(self, page_text: int, page_links: int, words: int) -> dict[str, Any]:
        """Article or index page, told from the scored tree (an outlook of §8; the rule is ours)."""
        if not page_text:
            return {"page_class": None, "coverage": 0.0, "page_ratio": 0.0, "words": 0, "class_confidence": 0.0}
        coverage, ratio = words / page_text, (page_text - page_links) / page_text
        # The weakest of three conditions, all of which an article has to meet: from -1 to 1, negative when missed.
        margin = min(
            _margin(coverage, self.article_coverage, 1.0),
            _margin(ratio, self.article_ratio, 1.0),
            _margin(words, self.article_words, 2.0 * self.article_words),
        )
        met = coverage >= self.article_coverage and ratio >= self.article_ratio and words >= self.article_words
        return {
            "page_class": "article" if met else "index",
            "coverage": coverage,
            "page_ratio": ratio,
            "words": words,
            "class_confidence": abs(margin),
        }


@dataclass(frozen=True, slots=True, eq=False)
class _Tally:
    """The counts of every row."""

    text: NDArray[np.int64]  # words without anchor text, and one for each link
    link: NDArray[np.int64]
    set_text: NDArray[np.int64]  # the same over the children that are mostly text; a terminal node's own
    set_link: NDArray[np.int64]
    mostly_text: BoolArray  # ratio above the threshold


def _count(page: Page, excluded: BoolArray, threshold: float) -> _Tally:
    """§2.1 and §2.2.2. A link with everything below it is one terminal node of one word and one link."""
    link = (page.tag == _A) & ((page.flags & HREF) != 0) & ~excluded
    linked = within(page, link)
    # The root is no link, so that its parent of -1 does no harm here.
    outermost = link & ~linked[page.parent]
    filled = subtree_sum(page, ~excluded & ((page.chars > 0) | page.has_tag(_MEDIA))) > 0
    own_link = outermost & filled
    text = subtree_sum(page, np.where(linked | excluded, own_link, page.words))
    links = subtree_sum(page, own_link)

    mostly_text: BoolArray = _ratio(text, links) > threshold
    mostly_text[0] = False  # the root is nobody's child
    rows = np.flatnonzero(mostly_text)
    terminal = page.is_text() | outermost
    set_text, set_link = (
        np.where(terminal, count, np.bincount(page.parent[rows], count[rows], len(page)).astype(np.int64))
        for count in (text, links)
    )
    return _Tally(text, links, set_text, set_link, mostly_text)


def _ratio(text: NDArray[np.int64], link: NDArray[np.int64]) -> FloatArray:
    """The basic score (§2.1.1): (text - link) / text, 0 where there is no text."""
    ratio: FloatArray = (text - link) / np.maximum(text, 1)
    return ratio


def _margin(value: float, limit: float, most: float) -> float:
    """How far a value is above (to 1) or below (to -1) a limit, of the way there is."""
    if value < limit:
        return (value - limit) / limit
    return min((value - limit) / (most - limit), 1.0) if most > limit else 1.0


def _flags(trace: Mapping[str, Any]) -> tuple[str, ...]:
    return ("index_page",) if trace["page_class"] == "index" else ()


def _subtrees(page: Page, roots: NDArray[np.intp]) -> BoolArray:
    marked = np.zeros(len(page), dtype=np.bool_)
    marked[roots] = True
    return within(page, marked)


def _separators(page: Page, winner: int, members: NDArray[np.intp]) -> BoolArray:
    """White space and line breaks between the nodes of S: they count for nothing, but keep words apart."""
    first, last = int(members[0]), int(members[-1])
    between = np.zeros(len(page), dtype=np.bool_)
    children = np.flatnonzero(page.parent[first:last] == winner) + first
    blank = (page.tag[children] == TEXT) & (page.chars[children] == 0)
    between[children] = blank | np.isin(page.tag[children], _BREAKS)
    return between


def _scripts(page: Page) -> BoolArray:
    """Scripts, and `<noscript>` elements that hold nothing else (§3.1: the test data wraps its scripts so)."""
    scripts: BoolArray = page.tag == _SCRIPT
    noscripts: BoolArray = page.tag == _NOSCRIPT
    if noscripts.any():
        other = ~(within(page, scripts) | noscripts | (page.is_text() & (page.chars == 0)))
        scripts |= noscripts & (subtree_sum(page, other) == 0)
    return scripts


def _captions(page: Page) -> BoolArray:
    """Figure and table captions, and elements with the word "caption" in their class or id."""
    captions = page.named("figcaption", "caption")
    names, values, attrs = page.attr_name_at, page.attr_value_at, page.attrs
    hits = [match.start() for match in re.finditer(rb"caption", attrs, re.IGNORECASE)]
    calling = [
        k
        for k in np.unique(np.searchsorted(names, hits, side="right") - 1).tolist()
        if attrs[names[k] : values[k]] in (b"class", b"id")
        and b"caption" in re.split(rb"[^0-9a-z]+", attrs[values[k] : names[k + 1]].lower())
    ]
    captions[np.searchsorted(page.attr_at, calling, side="right") - 1] = True
    return captions


def _header_before(page: Page, parent: int, excluded: BoolArray, *, inside: bool) -> int | None:
    """The header nearest before `parent` among its siblings, or the first inside the nearest sibling that has one."""
    siblings = np.flatnonzero(page.parent[:parent] == page.parent[parent])
    if not len(siblings):
        return None
    titled = page.has_tag(_HEADINGS) & ~excluded & (subtree_sum(page, np.where(excluded, 0, page.words)) > 0)
    if not inside:
        headers = siblings[titled[siblings]]
        return int(headers[-1]) if len(headers) else None
    headers = np.flatnonzero(titled[siblings[0] : parent]) + siblings[0]
    if not len(headers):
        return None
    nearest = siblings[np.searchsorted(siblings, headers[-1], side="right") - 1]
    return int(headers[np.searchsorted(headers, nearest)])


def _page_title(page: Page, kept: BoolArray, excluded: BoolArray) -> int | None:
    """The row with the text of `<title>` or of a part of it; preferably one that is kept already."""
    titles = np.flatnonzero(page.named("title") & ~within(page, page.named("svg")))
    if not len(titles):
        return None
    # White space is left out rather than collapsed: a title may be broken by <br> where <title> has a blank.
    rows = np.flatnonzero((page.chars > 0) & ~excluded)
    texts = ["".join(page.text_of(row).lower().split()) for row in rows.tolist()]
    size = np.zeros(len(page) + 1, dtype=np.int64)
    size[rows + 1] = [len(text) for text in texts]
    at = np.cumsum(size)
    length = at[page.end] - at[:-1]
    squeezed = "".join(texts)
    found = []
    for wanted in _title_parts(page.text_of(int(titles[0]))):
        likely = np.flatnonzero(length == len(wanted))
        # Nested rows share their text: each stretch is compared once, so that depth costs nothing.
        equal = [start for start in np.unique(at[likely]).tolist() if squeezed.startswith(wanted, start)]
        found.append(likely[np.isin(at[likely], equal)])
    matches = np.unique(np.concatenate(found)) if found else np.zeros(0, dtype=np.intp)
    matches = matches[~excluded[matches]]
    present = matches[kept[matches]]
    if len(present):
        return int(present[0])
    apart = matches[subtree_sum(page, kept)[matches] == 0]  # not around the content
    return int(apart[0]) if len(apart) else None


def _title_parts(title: str) -> list[str]:
    """The title and its parts of at least two words or four CJK characters, lower case, without white space."""
    parts = [part for part in TITLE_BREAKS.split(title) if len(part.split()) >= 2 or len(_CJK.findall(part)) >= 4]
    squeezed = ("".join(part.lower().split()) for part in (title, *parts[:MOST_TITLE_PARTS]))
    return list(dict.fromkeys(part for part in squeezed if part))


def _check(settings: CoreEx) -> None:
    """Raise ValueError for a setting that makes no sense."""
    if settings.configuration is not None and settings.configuration not in CONFIGURATIONS:
        raise ValueError(f"configuration is one of {', '.join(CONFIGURATIONS)}, not {settings.configuration!r}")
    choices = {
        "tie": ("higher", "random"),
        "title_recovery": ("off", "header", "pagetitle", "both"),
        "title_depth": ("sibling", "subtree"),
    }
    for name, allowed in choices.items():
        if getattr(settings, name) not in allowed:
            raise ValueError(f"{name} is one of {', '.join(allowed)}, not {getattr(settings, name)!r}")
    for name in ("weight_ratio", "weight_text", "threshold", "article_coverage", "article_ratio"):
        if not 0.0 <= getattr(settings, name) <= 1.0:
            raise ValueError(f"{name} lies between 0 and 1, not {getattr(settings, name)!r}")
    total = settings.weight_ratio + settings.weight_text
    if abs(total - 1.0) > 1e-9:
        raise ValueError(
            f"weight_ratio and weight_text have to add up to 1, not {total:g}: "
            f"with weight_text={settings.weight_text:g} set weight_ratio={1.0 - settings.weight_text:g}"
        )
    if settings.article_words < 0:
        raise ValueError(f"article_words is 0 or more, not {settings.article_words}")
