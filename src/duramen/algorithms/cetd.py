"""CETD: content extraction via text density (Sun, Song & Liao, SIGIR 2011).

Content is long, simply formatted and poor in links: its elements have many characters a tag. The element whose
children's densities add up to the highest sum (DensitySum) is content as a whole; the lowest density on the way from
it up to the body is the threshold from which further sections are searched for.

Every array has one entry a row of the page. [A] marks what follows the authors' later program where the paper is
silent.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass, field
from typing import Any, ClassVar, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from duramen.blocks import blocks
from duramen.measure import holds, nearest, subtree_sum, unseen, within
from duramen.page import HIDDEN, BoolArray, FlagArray, FloatArray, Page, Part, Reason, Selection
from duramen.tags import INLINE, TAG_NAMES, tag_mask

Variant = Literal["CETD-DS", "CECTD-S", "CECTD-DS"]
DensitySum = Literal["runs", "literal"]
LinkTag = Literal["pure", "plain"]
Numerator = Literal["zero", "one"]
NoLinkPolicy = Literal["all", "td"]
Rows = NDArray[np.intp]
Counted = NDArray[np.int64]

CONTENT, ANCESTOR = 1, 2  # marks of Algorithm 2; 0 is noise
THRESHOLD_SLACK = 1e-9  # a density that equals the threshold but for rounding reaches it
TIE_DECIMALS = 6  # DensitySums that agree so far are equal: the first in the document wins
PORTAL_LINK_SHARE = 0.6  # a page with more of its characters in links is a portal
FEW_CHARS = 200  # less content than this is hardly an article
# `spatial` measures stated sizes against this screen, and calls half of it what stands aside without a stated width.
SCREEN_WIDTH, SCREEN_HEIGHT, ASIDE = 1000.0, 600.0, 0.5

_REMOVED = tag_mask(("head", "script", "style", "noscript", "template"))
_LINKS = tag_mask(("a", "button", "select"))  # §4.3: buttons and drop-down lists are treated as hyperlinks
_INLINE = tag_mask(INLINE)
_MEDIA = tag_mask(("img", "video", "audio", "iframe", "embed", "object", "applet", "canvas"))
_COMMENT_TOKEN = re.compile(
    r"(?:user|reader|post|blog)?comments?(?:list|area|body|text|thread|section|container|wrap|wrapper|block|box)?"
    r"|disqus|discussions?|repl(?:y|ies)"
)
_LENGTH = re.compile(r"(?<![\w-])(width|height)\s*:\s*(\d+(?:\.\d+)?)\s*(%|px)", re.IGNORECASE)
_LEGACY_WIDTH = re.compile(r"(\d+(?:\.\d+)?)(%?)")
_STANDS_ASIDE = re.compile(r"float\s*:\s*(?:left|right)|position\s*:\s*(?:absolute|fixed)", re.IGNORECASE)
_SIDES = ("left", "right")


@dataclass(frozen=True, slots=True)
class Cetd:
    """Text density: the sections whose children's densities sum highest (CETD-DS, CECTD-DS), or smoothing (CECTD-S)."""

    paper: ClassVar[str] = "Sun, Song & Liao, DOM Based Content Extraction via Text Density, SIGIR 2011"

    variant: Variant = "CECTD-DS"
    lambda_: float = 1.0  # coefficient of the threshold; 0 keeps everything
    remove_hidden: bool = False  # take out `hidden`, display:none and visibility:hidden before counting
    densitysum: DensitySum = "runs"  # own text counts like a child [A]; or definition 3 to the letter
    link_tag: LinkTag = "pure"  # an element of nothing but links is a link tag [A]; or links only
    lc_numerator: Numerator = "zero"  # "one": a node without links has LC = 1 in the base of the logarithm [A]
    smooth_weights: tuple[float, float, float] = (1.0, 2.0, 1.0)  # CECTD-S: previous sibling, itself, next sibling
    keep_ancestor_text: bool = True  # keep text that stands directly in an ancestor of content
    no_link_policy: NoLinkPolicy = "all"  # page without link text: keep all of it, or go by plain text density
    spatial: float = 0.0  # weight of the estimated position and size of an element (the paper's future work)

    def __post_init__(self) -> None:
        for name, kind in (
            ("variant", Variant),
            ("densitysum", DensitySum),
            ("link_tag", LinkTag),
            ("lc_numerator", Numerator),
            ("no_link_policy", NoLinkPolicy),
        ):
            if getattr(self, name) not in get_args(kind):
                raise ValueError(f"{name} is one of {', '.join(get_args(kind))}; not {getattr(self, name)!r}")
        if not (math.isfinite(self.lambda_) and self.lambda_ >= 0):
            raise ValueError(f"lambda is a number from 0 (keep everything) to about 1; not {self.lambda_}")
        if not (math.isfinite(self.spatial) and self.spatial >= 0):
            raise ValueError(f"spatial is a number from 0 (off); not {self.spatial}")
        weights: tuple[float, ...] = self.smooth_weights
        if len(weights) != 3 or not all(math.isfinite(weight) and weight >= 0 for weight in weights):
            raise ValueError(f"smooth_weights are three numbers from 0: previous, own, next; not {weights}")
        if not any(weights):
            raise ValueError("smooth_weights are all zero; at least one has to count")

    def select(self, page: Page) -> Selection:
        """The rows of the content sections, and every element's counts and densities."""
        if not len(page):
            return Selection(kept=np.zeros(0, dtype=np.bool_), reason=Reason.NO_TEXT)
        tree = _clean(page, self.remove_hidden)
        counts = _count(tree, self.link_tag)
        density, density_sum = self._weigh(tree, counts)
        if not counts.chars[tree.body]:
            found = _Found(np.zeros(len(page), dtype=np.uint8))
        elif self.variant != "CETD-DS" and self.no_link_policy == "all" and not counts.link_share:
            # §3.3: without links all composite densities are infinite: such a page holds no noise.
            found = _Found(tree.scope.astype(np.uint8), sections=np.array([tree.body]))
        elif self.variant == "CECTD-S":
            found = _smooth(tree, density, self.lambda_, self.smooth_weights)
        else:
            found = _search(tree, density, density_sum, self.lambda_)
        return self._report(tree, counts, density, density_sum, found)

    def _weigh(self, tree: _Tree, counts: _Counts) -> tuple[FloatArray, FloatArray]:
        """Density and DensitySum of every element."""
        first, run_chars = _text_runs(tree)
        if self.variant == "CETD-DS" or not counts.link_share:
            density = counts.chars / np.maximum(counts.tags, 1)
            runs = run_chars.astype(np.float64)
        else:
            share, nothing = counts.link_share, np.zeros_like(run_chars)
            one = self.lc_numerator == "one"
            density = _composite_density(counts.chars, counts.tags, counts.link_chars, counts.link_tags, share, one)
            runs = _composite_density(run_chars, nothing, nothing, nothing, share)
        if self.spatial:
            size, total = _stated_size(tree), int(counts.chars[tree.body])
            density *= _spatial_factor(self.spatial, total, counts.before, counts.chars, size)
            runs *= _spatial_factor(self.spatial, total, counts.before[first], run_chars, size[first])

        page, n = tree.page, len(tree.page)
        inner = np.flatnonzero(tree.element)[1:]  # all but the body
        density_sum = np.bincount(page.parent[inner], density[inner], n).astype(np.float64)  # definition 3
        if self.densitysum == "runs":
            density_sum += np.bincount(page.parent[first], runs, n)
            density_sum = np.where(counts.tags == 0, density, density_sum)
        return density, density_sum

    def _report(
        self, tree: _Tree, counts: _Counts, density: FloatArray, density_sum: FloatArray, found: _Found
    ) -> Selection:
        page, body = tree.page, tree.body
        kept = (found.mark == CONTENT) & (tree.element | tree.text)
        if self.keep_ancestor_text:
            kept |= (found.mark == ANCESTOR) & tree.text
        chars = int(page.chars[kept & tree.text].sum())
        reason, doubts = None, []
        if chars:
            doubts = _doubts(tree, counts, kept, chars)
        else:
            kept[:] = False
            reason = Reason.NO_CONTENT if counts.chars[body] else Reason.NO_TEXT
        flags = ["low_confidence", *doubts] if doubts else []
        if counts.chars[body] and not counts.link_share:
            flags.append("no_links")
        trace: dict[str, Any] = {
            "variant": self.variant,
            "lambda": self.lambda_,
            "link_share": counts.link_share,
            "body_density": float(density[body]),
            "threshold": None,
            **found.trace,
            "sections": len(found.sections),
            "section_rows": found.sections.tolist(),
            "content_chars": chars,
            "low_confidence": doubts,
        }
        if reason is Reason.NO_CONTENT:
            trace["lambda_too_large"] = self.lambda_ > 1  # up to 1 the body itself reaches the threshold

        def judged(values: FloatArray) -> FloatArray:
            return np.where(tree.element, values, np.nan)

        columns: dict[str, NDArray[Any]] = {
            "chars": counts.chars,
            "tags": counts.tags,
            "link_chars": counts.link_chars,
            "link_tags": counts.link_tags,
            "density": judged(density),
            "density_sum": judged(density_sum),
            "mark": found.mark,
        }
        score = columns["density"]
        if found.smoothed is not None:
            columns["smoothed"] = score = judged(found.smoothed)
        return Selection(
            kept=kept,
            score=score,
            columns=columns,
            trace=trace,
            parts=_comments(page, found.sections, found.main),
            flags=tuple(flags),
            reason=reason,
        )


@dataclass(frozen=True, slots=True, eq=False)
class _Tree:
    """The body without what nobody reads."""

    page: Page
    body: int
    scope: BoolArray  # rows that take part
    element: BoolArray  # … elements
    text: BoolArray  # … text nodes that a reader sees, blank ones too


@dataclass(frozen=True, slots=True, eq=False)
class _Counts:
    """Characters and tags below every element; zero elsewhere."""

    chars: Counted
    tags: Counted  # without the element itself
    link_chars: Counted
    link_tags: Counted
    before: Counted  # characters before the row
    link_share: float  # of the body's characters


@dataclass(frozen=True, slots=True, eq=False)
class _Found:
    """What was marked, and the steps to it."""

    mark: FlagArray  # a text node has its element's mark
    sections: Rows = field(default_factory=lambda: np.zeros(0, dtype=np.intp))  # outermost content elements
    main: int | None = None  # the section with the highest DensitySum
    smoothed: FloatArray | None = None
    trace: dict[str, Any] = field(default_factory=dict)


def _clean(page: Page, remove_hidden: bool) -> _Tree:
    body = page.body()
    unread = unseen(page)
    out = page.has_tag(_REMOVED) & unread
    if remove_hidden:
        out |= (page.flags & HIDDEN) != 0
    out[: body + 1] = False  # a hidden body is shown by a script: taking it out would leave nothing
    scope = ~within(page, out)
    scope[:body] = False
    scope[page.end[body] :] = False
    is_text = page.is_text()
    return _Tree(page, body, scope, scope & ~is_text, scope & is_text & ~unread)


def _count(tree: _Tree, link_tag: LinkTag) -> _Counts:
    page, element = tree.page, tree.element
    own = np.where(tree.text, page.chars, 0)
    in_link = within(page, element & page.has_tag(_LINKS))
    chars = np.where(element, subtree_sum(page, own), 0)
    tags = np.where(element, subtree_sum(page, element) - 1, 0)
    link_chars = np.where(element, subtree_sum(page, np.where(in_link, own, 0)), 0)
    link = element & in_link
    if link_tag == "pure":
        # An element outside links is a link tag when its subtree has LT = T > 0 and LC = C. By induction that is: all
        # its characters are in links, and neither it nor anything below it is a bare leaf outside of links.
        bare = element & ~in_link & (tags == 0)
        link |= element & (chars == link_chars) & ~holds(page, bare)
    link_tags = np.where(element, subtree_sum(page, link) - link, 0)
    link_share = float(link_chars[tree.body] / max(chars[tree.body], 1))
    return _Counts(chars, tags, link_chars, link_tags, np.cumsum(own, dtype=np.int64) - own, link_share)


def _composite_density(
    chars: Counted, tags: Counted, link_chars: Counted, link_tags: Counted, link_share: float, one: bool = False
) -> FloatArray:
    """Definition 2: C/T · log_B(C/LC · T/LT) with B = ln(C/¬LC · LC + LCb/Cb · C + e), zero denominators being 1."""
    some = np.maximum(tags, 1)
    x = (chars / np.maximum(link_chars, 1)) * (some / np.maximum(link_tags, 1))
    numerator = np.maximum(link_chars, 1) if one else link_chars
    beyond_e = chars / np.maximum(chars - link_chars, 1) * numerator + link_share * chars
    # ln(B) = ln(ln(e + u)) = log1p(log1p(u / e)), exact even where a huge page has a single link.
    log_base = np.log1p(np.log1p(beyond_e / math.e))
    # x >= 1 wherever there are characters.
    result: FloatArray = np.zeros(len(chars))
    np.divide(chars / some * np.log(np.maximum(x, 1.0)), log_base, out=result, where=chars > 0)
    return result


def _text_runs(tree: _Tree) -> tuple[Rows, Counted]:
    """Each run of text between two child elements: its first row, and its characters."""
    page = tree.page
    rows = np.flatnonzero(tree.text & (page.chars > 0))
    if not len(rows):
        return rows, np.zeros(0, dtype=np.int64)
    # Text rows of one parent with no element between them are neighbours in this list.
    parent, opened = page.parent[rows], np.cumsum(tree.element)[rows]
    starts = np.concatenate(([True], (parent[1:] != parent[:-1]) | (opened[1:] != opened[:-1])))
    return rows[starts], np.add.reduceat(page.chars[rows].astype(np.int64), np.flatnonzero(starts))


def _search(tree: _Tree, density: FloatArray, density_sum: FloatArray, lambda_: float) -> _Found:
    """Algorithm 2: mark the element of the highest DensitySum below every element that reaches the threshold.

    An element is visited when it and all its ancestors reach the threshold and no mark covers it. Those that a mark
    covers may be visited all the same: their best element lies in the marked subtree. So there is no order to keep.
    """
    page, element = tree.page, tree.element
    order = np.argsort(np.where(element, -density_sum.round(TIE_DECIMALS), np.inf), kind="stable")
    best = int(order[0])
    path = np.flatnonzero(element[: best + 1] & (page.end[: best + 1] > best))
    lowest = int(path[np.argmin(density[path])])
    threshold = lambda_ * float(density[lowest])
    dense = element & ~within(page, element & (density < threshold - THRESHOLD_SLACK))

    roots = np.zeros(len(page), dtype=np.bool_)
    roots[_first_below(page, order, np.flatnonzero(dense))] = True
    covered = within(page, roots)
    mark = np.where(covered, CONTENT, np.where(holds(page, roots), ANCESTOR, 0)).astype(np.uint8)
    mark[tree.text] = mark[page.parent[tree.text]]
    mark[~tree.scope] = 0
    trace: dict[str, Any] = {
        "threshold": threshold,
        "threshold_row": lowest,
        "threshold_path": page.path(lowest),
        "max_row": best,
        "max_path": page.path(best),
        "max_density_sum": float(density_sum[best]),
    }
    return _Found(mark, _outermost(page, np.flatnonzero(roots)), main=best, trace=trace)


def _first_below(page: Page, order: Rows, rows: Rows) -> Rows:
    """For each of `rows` the row of its subtree that comes first in `order`.

    A sparse table of minimum ranks over windows of 1, 2, 4 … rows, of which only the present one is in memory: two
    windows of the largest size that fits cover a subtree.
    """
    table = np.empty(len(order), dtype=np.int32)
    table[order] = np.arange(len(order), dtype=np.int32)
    ends = page.end[rows]
    level = np.frexp(ends - rows)[1] - 1  # floor(log2(size))
    first = np.empty(len(rows), dtype=np.int32)
    for k in range(int(level.max(initial=-1)) + 1):
        width = 1 << k
        if k:
            table = np.minimum(table[: -(width >> 1)], table[width >> 1 :])
        at = np.flatnonzero(level == k)
        first[at] = np.minimum(table[rows[at]], table[ends[at] - width])
    return order[first]


def _outermost(page: Page, rows: Rows) -> Rows:
    """Those of `rows` (in document order) that lie in no other's subtree."""
    if not len(rows):
        return rows
    reach = np.maximum.accumulate(page.end[rows])
    return rows[np.concatenate(([True], rows[1:] >= reach[:-1]))]


def _smooth(tree: _Tree, density: FloatArray, lambda_: float, weights: tuple[float, float, float]) -> _Found:
    """CECTD-S: a text is content when its element's density, averaged with its siblings', reaches the body's."""
    page, body, element = tree.page, tree.body, tree.element
    smoothed = _average_with_siblings(tree, density, weights)
    threshold = lambda_ * float(density[body])
    inline = page.has_tag(_INLINE) | (page.tag >= len(TAG_NAMES))  # unknown elements are inline, as in CSS
    inline[body] = False
    # The nearest element that is not inline decides: links by themselves have density 0.
    decider = nearest(page, element & ~inline)
    decided = tree.text | (element & inline)
    mark = np.zeros(len(page), dtype=np.uint8)
    mark[decided] = CONTENT * (smoothed[decider[decided]] >= threshold - THRESHOLD_SLACK)
    content = (mark == CONTENT) & tree.text & (page.chars > 0)
    mark[element & ~inline & holds(page, content)] = ANCESTOR
    sections = np.unique(decider[content])
    return _Found(mark, sections, smoothed=smoothed, trace={"threshold": threshold, "threshold_row": body})


def _average_with_siblings(tree: _Tree, density: FloatArray, weights: tuple[float, float, float]) -> FloatArray:
    page = tree.page
    rows = np.flatnonzero(tree.element)
    # The element that starts first after a subtree is the next sibling when it has the same parent.
    following = np.searchsorted(rows, page.end[rows])
    at = np.flatnonzero(following < len(rows))
    at = at[page.parent[rows[following[at]]] == page.parent[rows[at]]]
    left, right = rows[at], rows[following[at]]
    total, weight = weights[1] * density, np.full(len(page), weights[1], dtype=np.float64)
    total[right] += weights[0] * density[left]
    weight[right] += weights[0]
    total[left] += weights[2] * density[right]
    weight[left] += weights[2]
    averaged: FloatArray = np.divide(total, weight, out=density.copy(), where=weight > 0)
    return averaged


def _doubts(tree: _Tree, counts: _Counts, kept: BoolArray, chars: int) -> list[str]:
    """Which of the page kinds that the method is weak on (§5.5) this one looks like."""
    page, doubts = tree.page, []
    if counts.link_share > PORTAL_LINK_SHARE:
        doubts.append("portal")
    media = int(np.count_nonzero(kept & page.has_tag(_MEDIA)))
    if media and media > len(blocks(page, kept & tree.text & (page.chars > 0))):
        doubts.append("media_page")
    if chars < FEW_CHARS:
        doubts.append("few_chars")
    return doubts


def _comments(page: Page, sections: Rows, main: int | None) -> tuple[Part, ...]:
    """Content sections after the main one in a container that is named for comments, one part a container."""
    if main is None:
        return ()
    later = np.zeros(len(page), dtype=np.bool_)
    later[sections[sections >= page.end[main]]] = True
    around = holds(page, later) & (np.diff(page.attr_at) > 0)
    around[: main + 1] = False  # what starts before the main section holds that too
    named = [row for row in np.flatnonzero(around).tolist() if _speaks_of_comments(page, row)]
    containers = _outermost(page, np.array(named, dtype=np.intp))
    return tuple(
        Part("comments", tuple((row + np.flatnonzero(later[row : page.end[row]])).tolist()))
        for row in containers.tolist()
    )


def _speaks_of_comments(page: Page, row: int) -> bool:
    names = f"{page.attribute(row, 'id') or ''} {page.attribute(row, 'class') or ''}"
    return any(_COMMENT_TOKEN.fullmatch(token) for token in re.split(r"[^a-z]+", names.lower()))


def _spatial_factor(weight: float, total: int, before: Counted, chars: Counted, size: FloatArray) -> FloatArray:
    """1 + κ·(1 − |2·centre − 1|)·share: what stands in the middle of the page and takes much of it weighs more."""
    centre = (before + chars / 2) / max(total, 1)
    factor: FloatArray = 1 + weight * (1 - np.abs(2 * centre - 1)) * (chars / max(total, 1)) * size
    return factor


def _stated_size(tree: _Tree) -> FloatArray:
    """The share of the screen that each row's nearest sized element states; 1 where none does."""
    page, size = tree.page, np.ones(len(tree.page))
    stated = np.zeros(len(page), dtype=np.bool_)
    for row in np.flatnonzero(tree.element & (np.diff(page.attr_at) > 0)).tolist():
        share = _size_of(page.attributes(row))
        if share is not None:
            size[row], stated[row] = share, True
    holder = nearest(page, stated)
    size[:] = np.where(holder >= 0, size[holder], 1.0)
    return size


def _size_of(attributes: dict[str, str]) -> float | None:
    """Width × height as shares of the screen, by the inline style or by the attributes of old pages."""
    style = attributes.get("style", "")
    sides = {side.lower(): (float(number), unit) for side, number, unit in _LENGTH.findall(style)}
    if "width" not in sides and (legacy := _LEGACY_WIDTH.fullmatch(attributes.get("width", "").strip())):
        sides["width"] = float(legacy[1]), legacy[2]
    if "width" not in sides and (_STANDS_ASIDE.search(style) or attributes.get("align", "").lower() in _SIDES):
        sides["width"] = 100 * ASIDE, "%"
    if not sides:
        return None
    screen = {"width": SCREEN_WIDTH, "height": SCREEN_HEIGHT}
    return math.prod(
        min(number / (100 if unit == "%" else screen[side]), 1.0) for side, (number, unit) in sides.items()
    )
