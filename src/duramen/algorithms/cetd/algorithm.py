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
from bisect import bisect_left
from dataclasses import dataclass
from functools import partial
from typing import Any, ClassVar, Literal, NamedTuple, get_args

import numpy as np
from numpy.typing import NDArray

from duramen.algorithms.cetd.comments import named_for_comments
from duramen.algorithms.cetd.densities import (
    ANCESTOR,
    CHARS,
    CONTENT,
    COUNTS,
    ELEMENT,
    LINK_CHARS,
    LINK_TAGS,
    MARK,
    PLACE,
    RUN,
    SCOPE,
    SUM,
    TAGS,
    TEXT,
    THRESHOLD_SLACK,
    Densities,
)
from duramen.measure import Deferred, holds, nearest
from duramen.page import HIDDEN, BoolArray, FloatArray, Page, Part, Reason, Selection
from duramen.tags import INLINE, TAG_NAMES, tag_mask

Variant = Literal["CETD-DS", "CECTD-S", "CECTD-DS"]
DensitySum = Literal["runs", "literal"]
LinkTag = Literal["pure", "plain"]
Numerator = Literal["zero", "one"]
NoLinkPolicy = Literal["all", "td"]
Counted = NDArray[np.integer[Any]]

PORTAL_LINK_SHARE = 0.6  # a page with more of its characters in links is a portal
FEW_CHARS = 200  # less content than this is hardly an article
# `spatial` measures stated sizes against this screen, and calls half of it what stands aside without a stated width.
SCREEN_WIDTH, SCREEN_HEIGHT, ASIDE = 1000.0, 600.0, 0.5

_INLINE = tag_mask(INLINE)
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
        rows = Densities(page)
        chars = rows.count(HIDDEN if self.remove_hidden else 0, self.link_tag == "pure")
        rows.weigh(self.variant != "CETD-DS" and rows.link_share > 0, self.lc_numerator == "one")
        if self.spatial:
            _weigh_by_place(page, rows, self.spatial, chars)
        rows.add_up(self.densitysum == "runs")
        found = _Found([])
        if not chars:
            pass
        elif self.variant != "CETD-DS" and self.no_link_policy == "all" and not rows.link_share:
            # §3.3: without links all composite densities are infinite: such a page holds no noise.
            place, mark = _places(rows)
            mark[:] = place & SCOPE
            found = _Found(sections=[rows.body])
        elif self.variant == "CECTD-S":
            found = _smooth(page, rows, self.lambda_, self.smooth_weights)
        else:
            rows.search(self.lambda_)
            found = _Found(rows.found_sections(), rows.best, rows.lowest, rows.threshold)
        return self._report(page, rows, chars, found)

    def _report(self, page: Page, rows: Densities, chars: int, found: _Found) -> Selection:
        reason, doubts = None, []
        kept: BoolArray = rows.kept_store
        if rows.keep(self.keep_ancestor_text):
            doubts = _doubts(rows)
        else:
            kept[:] = False
            reason = Reason.NO_CONTENT if chars else Reason.NO_TEXT
        flags = ["low_confidence", *doubts] if doubts else []
        if chars and not rows.link_share:
            flags.append("no_links")
        figures = rows.count_store, rows.density_store, rows.sum_store, rows.byte_store
        told = {"link_share": rows.link_share, "content_chars": rows.kept_chars, "low_confidence": doubts}
        return Selection(
            kept=kept,
            score=rows.density_store if found.smoothed is None else found.smoothed,
            columns=Deferred(partial(_columns, *figures, found.smoothed)),
            trace=Deferred(partial(_trace, self, page, rows.body_density(), rows.sum_store, found, told, reason)),
            parts=_comments(page, found),
            flags=tuple(flags),
            reason=reason,
        )


class _Found(NamedTuple):
    """The sections that were marked, and the steps to them."""

    sections: list[int]  # outermost content elements
    main: int | None = None  # the one with the highest DensitySum
    low: int | None = None  # where the threshold was taken
    threshold: float | None = None
    smoothed: FloatArray | None = None


def _places(rows: Densities) -> NDArray[np.uint8]:
    """What each row is and how it is marked, to be read and written."""
    return _table(rows.byte_store, np.uint8, MARK + 1)


def _table(store: bytearray, kind: type, rows: int) -> NDArray[Any]:
    return np.frombuffer(store, kind).reshape(rows, -1)


def _smooth(page: Page, rows: Densities, lambda_: float, weights: tuple[float, float, float]) -> _Found:
    """CECTD-S: a text is content when its element's density, averaged with its siblings', reaches the body's."""
    (place, mark), density = _places(rows), rows.density_store
    body, element, text = rows.body, (place & ELEMENT) != 0, (place & TEXT) != 0
    smoothed = _average_with_siblings(page, element, density, weights)
    threshold = lambda_ * float(density[body])
    inline = page.has_tag(_INLINE) | (page.tag >= len(TAG_NAMES))  # unknown elements are inline, as in CSS
    inline[body] = False
    # The nearest element that is not inline decides: links by themselves have density 0.
    decider = nearest(page, element & ~inline)
    decided = text | (element & inline)
    mark[decided] = CONTENT * (smoothed[decider[decided]] >= threshold - THRESHOLD_SLACK)
    content = (mark == CONTENT) & text & (page.chars > 0)
    mark[element & ~inline & holds(page, content)] = ANCESTOR
    return _Found(np.unique(decider[content]).tolist(), low=body, threshold=threshold, smoothed=smoothed)


def _average_with_siblings(
    page: Page, element: BoolArray, density: FloatArray, weights: tuple[float, float, float]
) -> FloatArray:
    rows = np.flatnonzero(element)
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


def _doubts(rows: Densities) -> list[str]:
    """Which of the page kinds that the method is weak on (§5.5) this one looks like."""
    doubts = []
    if rows.link_share > PORTAL_LINK_SHARE:
        doubts.append("portal")
    if rows.kept_media > rows.kept_blocks:
        doubts.append("media_page")
    if rows.kept_chars < FEW_CHARS:
        doubts.append("few_chars")
    return doubts


def _columns(
    count_store: bytearray,
    density: FloatArray,
    sum_store: bytearray,
    byte_store: bytearray,
    smoothed: FloatArray | None,
) -> dict[str, NDArray[Any]]:
    """Every row's figures."""
    counts, sums = np.frombuffer(count_store, np.int32).reshape(-1, COUNTS), _table(sum_store, np.float64, RUN + 1)
    place, mark = _table(byte_store, np.uint8, MARK + 1)
    columns: dict[str, NDArray[Any]] = {
        "chars": counts[:, CHARS].astype(np.int64),
        "tags": counts[:, TAGS].astype(np.int64),
        "link_chars": counts[:, LINK_CHARS].astype(np.int64),
        "link_tags": counts[:, LINK_TAGS].astype(np.int64),
        "density": density,
        "density_sum": np.where(place & ELEMENT, sums[SUM], np.nan),
        "mark": mark,
    }
    return columns if smoothed is None else {**columns, "smoothed": smoothed}


def _trace(
    settings: Cetd,
    page: Page,
    body_density: float,
    sum_store: bytearray,
    found: _Found,
    told: dict[str, Any],
    reason: Reason | None,
) -> dict[str, Any]:
    """Every decision, ready for JSON."""
    trace: dict[str, Any] = {
        "variant": settings.variant,
        "lambda": settings.lambda_,
        "link_share": told["link_share"],
        "body_density": body_density,
        "threshold": found.threshold,
    }
    if found.low is not None:
        trace["threshold_row"] = found.low
    if found.low is not None and found.main is not None:
        trace |= {
            "threshold_path": page.path(found.low),
            "max_row": found.main,
            "max_path": page.path(found.main),
            "max_density_sum": float(_table(sum_store, np.float64, RUN + 1)[SUM, found.main]),
        }
    trace |= {"sections": len(found.sections), "section_rows": found.sections, **told}
    if reason is Reason.NO_CONTENT:
        trace["lambda_too_large"] = settings.lambda_ > 1  # up to 1 the body itself reaches the threshold
    return trace


def _comments(page: Page, found: _Found) -> tuple[Part, ...]:
    """Content sections after the main one in a container that is named for comments, one part a container."""
    main = found.main
    end = 0 if main is None else page.end.item(main)
    if main is None or not found.sections or found.sections[-1] < end:
        return ()
    later = found.sections[bisect_left(found.sections, end) :]
    parts, covered_until = [], 0
    for row in named_for_comments(page, main + 1, later):  # what starts before the main section holds that too
        if row >= covered_until:
            covered_until = page.end.item(row)
            held = later[bisect_left(later, row) : bisect_left(later, covered_until)]
            parts.append(Part("comments", tuple(held)))
    return tuple(parts)


def _weigh_by_place(page: Page, rows: Densities, weight: float, total: int) -> None:
    """Let the estimated position and size of elements and runs of text weigh in on their densities."""
    place = _places(rows)[PLACE]
    own, stated = np.where(place & TEXT, page.chars, 0), _stated_size(page, (place & ELEMENT) != 0)
    before = np.cumsum(own, dtype=np.int64) - own
    chars = np.frombuffer(rows.count_store, np.int32).reshape(-1, COUNTS)[:, CHARS]
    first, run_chars = _table(rows.work_store, np.int32, 5)[:2, : rows.run_count]
    run_density = _table(rows.sum_store, np.float64, RUN + 1)[RUN, : rows.run_count]
    density: FloatArray = rows.density_store
    density *= _spatial_factor(weight, total, before, chars, stated)
    run_density *= _spatial_factor(weight, total, before[first], run_chars, stated[first])


def _spatial_factor(weight: float, total: int, before: Counted, chars: Counted, size: FloatArray) -> FloatArray:
    """1 + κ·(1 − |2·centre − 1|)·share: what stands in the middle of the page and takes much of it weighs more."""
    centre = (before + chars / 2) / max(total, 1)
    factor: FloatArray = 1 + weight * (1 - np.abs(2 * centre - 1)) * (chars / max(total, 1)) * size
    return factor


def _stated_size(page: Page, elements: BoolArray) -> FloatArray:
    """The share of the screen that each row's nearest sized element states; 1 where none does."""
    size = np.ones(len(page))
    stated = np.zeros(len(page), dtype=np.bool_)
    for row in np.flatnonzero(elements & (np.diff(page.attr_at) > 0)).tolist():
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
