"""CoreEx: the node, or the set of nodes, with the most text for its links (Prasad & Paepcke 2008).

The counts, scores and sets of all nodes are arrays (see `tally.py`). Section numbers are the paper's.
"""

from __future__ import annotations

import random
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from types import MappingProxyType
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from duramen.algorithms.coreex.tally import COUNTS, EXCLUDED, IN_FORM, LINKS, SET_LINKS, SET_WORDS, WORDS, Tally
from duramen.measure import Deferred, seen_text, subtree_sum, within
from duramen.page import BoolArray, FloatArray, Page, Reason, Selection
from duramen.tags import HEADINGS, TEXT, tag_mask

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

RESCUE_SHARE = 0.8  # of all words inside forms: more, and the form is the page
TITLE_BREAKS = re.compile(r"\s[-|–—]\s|\s::\s|[_»«]")  # between a page's title and its site's name
MOST_TITLE_PARTS = 16  # of a <title> that are looked for

_HEADINGS = tag_mask(HEADINGS)
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
    remove_scripts: bool | None = None  # else their source counts as text: `extract` sees to that, not `select`
    xhtml: bool | None = None  # tidy the page and parse it again first: likewise
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

    @property
    def reads_scripts(self) -> bool:
        """Whether the source of scripts and style sheets is to be text."""
        return not self.remove_scripts

    def select(self, page: Page) -> Selection:
        rows = Tally(page)
        rescued = self._exclude(page, rows)
        rows.count(self.threshold)
        page_text, page_links = rows.page_text, rows.page_links
        subset = bool(self.subset)
        best = rows.score(subset, self.weight_ratio, self.weight_text, page_text if self.weighted else 0)
        columns = Deferred(partial(_columns, rows.count_store, rows.basic_store))
        told: dict[str, Any] = {"form_rescue": rescued, "page_text": page_text, "page_links": page_links}
        kept: BoolArray = rows.kept_store
        score: FloatArray = rows.final_store
        if best < 0:
            verdict = self._classify(page_text, page_links, 0)
            reason = Reason.NO_CONTENT if seen_text(page).any() else Reason.NO_TEXT
            trace: Mapping[str, Any] = self._settings() | told | {"winner": None, "set": []} | verdict
            return Selection(kept, score, columns, trace, flags=self._flags(page_text, page_links, 0), reason=reason)

        tied = rows.highest(best)
        winner = tied[0] if self.tie == "higher" else random.Random(self.seed).choice(tied)
        members = rows.keep(winner, subset)
        title, rule, added = None, None, False
        if self.title_recovery != "off":
            excluded = (np.frombuffer(rows.place_store, np.uint8) & EXCLUDED) != 0
            title, rule = self._find_title(page, winner, kept, excluded)
            if title is not None:
                added = not kept[title]
                kept[title : page.end[title]] |= ~excluded[title : page.end[title]]
        words = rows.words_of(winner, subset)
        told |= {"tied": tied, "set": members, "title": title, "title_rule": rule, "title_added": added}
        trace = Deferred(partial(_tell, self, page, winner, words, score, told))
        flags = self._flags(page_text, page_links, words)
        return Selection(kept, score, columns, trace, title=title, flags=flags)

    def _settings(self) -> dict[str, Any]:
        """What a trace says of the settings."""
        names = ("configuration", *SWITCHES, "weight_ratio", "weight_text", "threshold", "tie")
        return {name: getattr(self, name) for name in names}

    def _exclude(self, page: Page, rows: Tally) -> bool:
        """Mark the rows that count for nothing; whether forms were read after all."""
        dropped = None
        if self.drop_captions and len(page):
            captions = _captions(page)
            captions[: page.body() + 1] = False
            dropped = captions.view(np.uint8)
        forms, scripts = bool(self.ignore_forms), bool(self.remove_scripts)
        rows.exclude(forms, scripts, not self.form_rescue, dropped)
        rescued = self.form_rescue and rows.words_in_forms > RESCUE_SHARE * rows.words_read
        if forms and self.form_rescue and not rescued:
            place = np.frombuffer(rows.place_store, np.uint8)
            place[(place & IN_FORM) != 0] = EXCLUDED
        return rescued

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
        return {
            "page_class": "article" if self._is_article(coverage, ratio, words) else "index",
            "coverage": coverage,
            "page_ratio": ratio,
            "words": words,
            "class_confidence": abs(margin),
        }

    def _is_article(self, coverage: float, ratio: float, words: int) -> bool:
        return coverage >= self.article_coverage and ratio >= self.article_ratio and words >= self.article_words

    def _flags(self, page_text: int, page_links: int, words: int) -> tuple[str, ...]:
        if not page_text or self._is_article(words / page_text, (page_text - page_links) / page_text, words):
            return ()
        return ("index_page",)


def _columns(count_store: bytearray, basic_store: bytearray) -> dict[str, NDArray[Any]]:
    """Every row's figures. A text is its words without anchor text, and one for each link."""
    counts = np.frombuffer(count_store, np.int32).reshape(-1, COUNTS)
    return {
        "text_cnt": counts[:, WORDS].astype(np.int64),
        "link_cnt": counts[:, LINKS].astype(np.int64),
        # The same over the children that are mostly text; a terminal node's own.
        "set_text_cnt": counts[:, SET_WORDS].astype(np.int64),
        "set_link_cnt": counts[:, SET_LINKS].astype(np.int64),
        "basic": np.frombuffer(basic_store),
    }


def _tell(
    settings: CoreEx, page: Page, winner: int, words: int, score: FloatArray, told: dict[str, Any]
) -> dict[str, Any]:
    """Every decision, ready for JSON."""
    first = ("form_rescue", "page_text", "page_links")
    tied = told["tied"]
    return {
        **settings._settings(),
        **{name: told[name] for name in first},
        "winner": winner,
        "path": page.path(winner),
        "score": float(score[winner]),
        **told,
        **settings._classify(told["page_text"], told["page_links"], words),
        "tied": tied if len(tied) > 1 else [],
    }


def _margin(value: float, limit: float, most: float) -> float:
    """How far a value is above (to 1) or below (to -1) a limit, of the way there is."""
    if value < limit:
        return (value - limit) / limit
    return min((value - limit) / (most - limit), 1.0) if most > limit else 1.0


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
