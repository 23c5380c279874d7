"""ECON: periods and commas tell content from noise (Guo et al. 2010). Section numbers are the paper's.

Adjacent pieces of text are joined into text-paras; those without a period or comma are pruned. From a node of the
longest text-para the algorithm climbs until the next ancestor adds no period or comma: that node wraps the content.
"""

from __future__ import annotations

import math
import random
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, ClassVar, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from duramen.measure import holds, nearest, subtree_sum, within
from duramen.page import HREF, BoolArray, FloatArray, IntArray, Page, Part, Reason, Selection
from duramen.parse.characters import PERIODS_AND_COMMAS, code_points
from duramen.tags import HEADINGS, UNSEEN, tag_mask

Rows = NDArray[np.integer[Any]]  # row numbers, or numbers of units or sets
Sums = NDArray[np.int64]

# §III-B, condition 2 of a big-node.
BIG: tuple[str, ...] = ("p", "br", *HEADINGS, "strong", "em", "b", "i", "tt", "font")
# Elements that make what holds them a container rather than a piece of text. Ours: the paper leaves nesting open.
BLOCK: tuple[str, ...] = (
    "address", "article", "aside", "blockquote", "body", "center", "dd", "div", "dl", "dt", "fieldset", "figure",
    "footer", "form", "header", "hr", "li", "main", "menu", "nav", "ol", "pre", "section", "table", "tbody", "td",
    "tfoot", "th", "thead", "tr", "ul",
)  # fmt: skip
# Text that is no part of the page's text. Ours: a list to choose from is long, and a name or two in it has a period.
UNREAD: frozenset[str] = UNSEEN | {"select", "textarea"}
# The paper's period and comma (§IV-D); the extended set adds the Japanese comma and the Arabic comma and full stop.
MARKS: Mapping[str, str] = MappingProxyType(
    {"default": PERIODS_AND_COMMAS, "extended": PERIODS_AND_COMMAS + "、､،۔"},
)
FEWEST_SENTENCES = 2  # sentence ends below which a page is short
FEWEST_POSTS = 3  # siblings that make a repeated post container
TRACED = 200  # entries of a list in the trace; its full length is told beside it
DEEPEST_PATH = 200  # levels that a path in the trace spells out

_BIG, _BLOCK, _HEADINGS, _UNREAD = tag_mask(BIG), tag_mask(BLOCK), tag_mask(HEADINGS), tag_mask(UNREAD)
_DROPPED = tag_mask(("script", "style", "template"))
_PIECES = tag_mask(("a", "b", "strong", "font", "em", "i", "span"))
# The last of several marks; a full stop inside a word or number ends nothing.
_SENTENCE_END = re.compile(r"[.!?…؟۔](?=[\s\"'”’»)\]]|$)|[。！？｡．](?![。！？｡．])")
_TITLE_BREAKS = re.compile(r"\s+[-:·•/«]\s+|\s*[|_–—»｜]\s*|\s*::\s*")
_ALNUM = np.array([chr(point).isalnum() for point in range(128)], dtype=np.bool_)


@dataclass(frozen=True, slots=True)
class Econ:
    """Longest run of punctuated text, climbed from until no punctuation is added (Guo et al. 2010)."""

    paper: ClassVar[str] = (
        "Y. Guo, H. Tang, L. Song, Y. Wang, G. Ding: ECON: An Approach to Extract Content from Web News Page (2010)"
    )

    punct: Literal["default", "extended"] = "default"  # which marks count; extended adds 、 ، ۔
    marks: str = ""  # the marks themselves, instead of either set
    skip_inword: bool = False  # leave out . and , between two ASCII letters or digits (URLs, 1,234.5)
    pick: Literal["first", "random"] = "first"  # which node of the longest set to start from; the paper: random
    seed: int = 0  # of the random pick
    nesting: Literal["units", "literal"] = "units"  # literal: every big-node counts, also inside another
    collapse_start: bool = False  # start from the box around a lone start node
    short_fallback: Literal["off", "heading", "density"] = "off"  # how a short page finds another start
    split_posts: bool = False  # run on each of a page's repeated post containers
    short_chars: int = 80  # a short page's longest text-para has fewer characters …
    short_chars_cjk: int = 40  # … or fewer than this where half of them are CJK
    pieces_per_100: float = 3.0  # a pieces page has this many inline boundaries and line breaks a 100 characters

    def __post_init__(self) -> None:
        _check(self)

    def select(self, page: Page) -> Selection:
        read = self._read(page)
        title = _title(read)
        columns, score = _figures(read)
        if not len(read.paras):
            kept = np.zeros(len(page), dtype=np.bool_)
            reason = Reason.NO_CONTENT if read.ground.text.any() else Reason.NO_TEXT
            trace = _trace(read, kept, ("no_content",))
            return Selection(kept, score, columns, trace, title=title, flags=("no_content",), reason=reason)

        longest = int(read.paras[np.argmax(read.sets.chars[read.paras])])
        short = self._is_short(read, longest)
        posts = _posts(read, longest) if self.split_posts else []
        chance = random.Random(self.seed)
        fallback = None
        if posts:
            starts = _longest_in(read, posts)
            climbs = [self._climb(read, start, post, chance) for start, post in zip(starts, posts)]
        else:
            climb = self._climb(read, longest, read.ground.root, chance)
            if short and self.short_fallback != "off":
                climb, fallback = self._fall_back(read, climb, title, chance)
            climbs = [climb]
        kept = _kept(read, climbs)
        flags = ("short_page",) * short + ("pieces_page",) * self._is_in_pieces(read, kept)
        trace = _trace(read, kept, flags, climbs, posts, fallback, longest)
        readable = kept & read.ground.text
        parts = tuple(Part("post", tuple((np.flatnonzero(readable[r : page.end[r]]) + r).tolist())) for r in posts)
        return Selection(kept, score, columns, trace, parts=parts, title=title, flags=flags)

    def _read(self, page: Page) -> _Reading:
        """Joint-para over the whole tree."""
        ground = _survey(page, self._count_marks(page))
        units = _units(page, ground) if self.nesting == "units" else _big_nodes(page, ground)
        sets = _join(units, ground)
        noise = sets.puncts == 0
        pruned = _spans(len(page), sets.first[noise], sets.end[noise])
        return _Reading(page, ground, units, sets, np.flatnonzero(~noise), pruned)

    def _count_marks(self, page: Page) -> IntArray:
        """punc-num of every text node."""
        marks = self.marks or MARKS[self.punct]
        if set(marks) == set(PERIODS_AND_COMMAS) and not self.skip_inword:
            return page.puncts
        points, at = code_points(page.text, page.text_at)
        counted = np.isin(points, np.array([ord(mark) for mark in marks], dtype=np.uint32))
        if self.skip_inword:
            word = (points < 128) & _ALNUM[points & 127]
            inside = np.zeros(len(points), dtype=np.bool_)
            inside[1:-1] = word[:-2] & word[2:]
            inside[at[at < len(points)]] = False  # a text node's first and last character …
            inside[at[at > 0] - 1] = False  # … have no neighbour in it
            counted &= ~(inside & ((points == ord(".")) | (points == ord(","))))
        running = _running(counted)
        found: IntArray = (running[at[1:]] - running[at[:-1]]).astype(np.int32)
        return found

    def _climb(self, read: _Reading, start: int, root: int, chance: random.Random) -> _Climb:
        """Extract-news, the second half: from a node of the set upwards, never out of `root`."""
        page, below, sets = read.page, read.ground.below, read.sets
        size = int(sets.size[start])
        unit = int(sets.units[sets.at[start] + (chance.randrange(size) if self.pick == "random" else 0)])
        row = snippet = int(read.units.node[unit])
        if self.collapse_start and size == 1 and not read.units.anonymous[unit]:
            row = snippet = _alone(read, row, root)
        steps = []
        while (above := int(page.parent[row])) >= 0:
            distance = int(below[above] - below[row])
            steps.append(_Step(above, distance))
            if distance == 0 or row == root:
                break
            row = above
        return _Climb(snippet, row, steps)

    def _fall_back(
        self, read: _Reading, climb: _Climb, title: int | None, chance: random.Random
    ) -> tuple[_Climb, str | None]:
        """Another start for a short page, where the longest text-para is likely noise (an outlook of §V)."""
        start = None if title is None else _below(read, title)
        if start is not None:
            return self._climb(read, start, read.ground.root, chance), "heading"
        if self.short_fallback == "density":
            dense = climb._replace(summary=_densest(read))
            chars = read.page.chars
            if chars[_kept(read, [dense])].sum() > chars[_kept(read, [climb])].sum():
                return dense, "density"
        return climb, None

    def _is_short(self, read: _Reading, longest: int) -> bool:
        """Too little text to tell content from noise (§IV-A); the thresholds are ours."""
        first, end = int(read.sets.first[longest]), int(read.sets.end[longest])
        rows = np.flatnonzero(read.ground.text[first:end]) + first
        characters = int(read.sets.chars[longest])
        enough = self.short_chars_cjk if 2 * int(read.page.cjk[rows].sum()) >= characters else self.short_chars
        return characters < enough or not _has_sentences(read.page, rows, FEWEST_SENTENCES)

    def _is_in_pieces(self, read: _Reading, kept: BoolArray) -> bool:
        """Content broken up by links, fonts and the like (§IV-A); the threshold is ours."""
        page, sets, paras = read.page, read.sets, read.paras
        content = kept & _spans(len(page), sets.first[paras], sets.end[paras])
        # An inline element breaks the text where it starts and where it ends, a line break once.
        breaks = 2 * int(page.has_tag(_PIECES)[content].sum()) + int(page.named("br")[content].sum())
        return breaks * 100 >= self.pieces_per_100 * int(page.chars[content].sum())


@dataclass(frozen=True, slots=True, eq=False)
class _Ground:
    """What is counted of a page. The figures of a span of rows are differences of running sums."""

    root: int  # the body: where the tree starts
    inside: BoolArray  # rows of the tree: in the body, not in a script or style
    seen: BoolArray  # of these, what a reader sees
    text: BoolArray  # of these, text that is not blank
    solid: Sums  # running: what ends a run of adjacent nodes, elements and text that is not blank
    chars: Sums  # running: characters of text
    puncts: Sums  # running: punc-num of text
    below: Sums  # node-punc-num of every row


@dataclass(frozen=True, slots=True, eq=False)
class _Units:
    """The big-nodes, in document order, and the runs of text and inline elements that count as such."""

    first: Rows  # unit k is the rows first[k] .. end[k]-1
    end: Rows
    parent: Rows
    anonymous: BoolArray  # a run in a container, not an element
    node: Rows  # the element that a climb starts from: the unit, or an anonymous unit's parent
    piece: Rows  # the topmost rows of all units, in document order …
    unit_of_piece: Rows  # … and their unit; -1 for a run without text, which is none


@dataclass(frozen=True, slots=True, eq=False)
class _Sets:
    """The text-node-sets, in document order."""

    first: Rows
    end: Rows
    parent: Rows
    at: Rows  # its units are units[at[k]] .. units[at[k]+size[k]-1]
    size: Rows
    units: Rows
    chars: Sums  # characters of the text-para
    puncts: Sums  # its punc-num


@dataclass(frozen=True, slots=True, eq=False)
class _Reading:
    """A page after Joint-para."""

    page: Page
    ground: _Ground
    units: _Units
    sets: _Sets
    paras: Rows  # the sets that have punctuation
    pruned: BoolArray  # the rows of those that have none


class _Step(NamedTuple):
    """One comparison with the next ancestor."""

    row: int
    distance: int


class _Climb(NamedTuple):
    """A way up from a snippet-node to its summary-node."""

    snippet: int
    summary: int
    steps: list[_Step]


def _survey(page: Page, puncts: IntArray) -> _Ground:
    """What there is to read below the body, and how much."""
    root = page.body()
    inside = ~within(page, page.has_tag(_DROPPED))
    inside[:root] = False
    inside[page.end[root] :] = False
    seen = inside & ~within(page, page.has_tag(_UNREAD))
    blank = page.is_text() & (page.chars == 0)
    text = seen & (page.chars > 0)
    running = _running(np.where(text, puncts, 0))
    return _Ground(
        root=root,
        inside=inside,
        seen=seen,
        text=text,
        solid=_running(inside & ~blank),
        chars=_running(np.where(text, page.chars, 0)),
        puncts=running,
        below=running[page.end] - running[:-1],
    )


def _units(page: Page, ground: _Ground) -> _Units:
    """Big-nodes without a block inside, and in containers that hold text of their own the runs between other units.

    The outermost of these are the units; nothing inside one is looked at again.
    """
    element = ground.inside & ~page.is_text()
    block = page.has_tag(_BLOCK) & ground.seen
    container = subtree_sum(page, block) > block
    big = page.has_tag(_BIG)
    has_text = _text_parents(page, ground)
    whole = element & ground.seen & ~container & (big | has_text)
    whole[ground.root] = False
    mixed = has_text & container
    mixed[ground.root] = has_text[ground.root]
    # Row 0 has no parent: -1 reads the last row, which holds nothing.
    in_run = (ground.text | (element & ~block & ~container & ~big)) & mixed[page.parent]
    piece = _outermost(page, whole | in_run)

    first, end, parent, running = piece, page.end[piece], page.parent[piece], in_run[piece]
    goes_on = running[1:] & running[:-1] & _adjacent(first, end, parent, ground)
    at, stop = _runs(goes_on, len(piece))
    first, end, parent, running = first[at], end[stop - 1], parent[at], running[at]
    # A run of images is no text, so no big-node.
    real = ~running | (ground.chars[end] > ground.chars[first])
    number = np.where(real, np.cumsum(real) - 1, -1)
    first, end, parent, running = first[real], end[real], parent[real], running[real]
    return _Units(
        first=first,
        end=end,
        parent=parent,
        anonymous=running,
        node=np.where(running, parent, first),
        piece=piece,
        unit_of_piece=np.repeat(number, stop - at),
    )


def _big_nodes(page: Page, ground: _Ground) -> _Units:
    """Every big-node as the paper words it, whatever it lies in or holds; only the body is none."""
    big = ground.seen & ~page.is_text() & (page.has_tag(_BIG) | _text_parents(page, ground))
    big[ground.root] = False
    rows = np.flatnonzero(big)
    return _Units(
        first=rows,
        end=page.end[rows],
        parent=page.parent[rows],
        anonymous=np.zeros(len(rows), dtype=np.bool_),
        node=rows,
        piece=rows,
        unit_of_piece=np.arange(len(rows)),
    )


def _join(units: _Units, ground: _Ground) -> _Sets:
    """Joint-para: maximal runs of adjacent siblings among the units."""
    order = np.argsort(units.parent, kind="stable")  # siblings side by side, in document order
    first, end, parent = units.first[order], units.end[order], units.parent[order]
    at, stop = _runs(_adjacent(first, end, parent, ground), len(order))
    by_row = np.argsort(first[at], kind="stable")
    at, stop = at[by_row], stop[by_row]
    first, end, parent = first[at], end[stop - 1], parent[at]
    return _Sets(
        first=first,
        end=end,
        parent=parent,
        at=at,
        size=stop - at,
        units=order,
        chars=ground.chars[end] - ground.chars[first],
        puncts=ground.puncts[end] - ground.puncts[first],
    )


def _adjacent(first: Rows, end: Rows, parent: Rows, ground: _Ground) -> BoolArray:
    """Whether each span but the first is the next sibling of the one before, with only blanks between them."""
    between = ground.solid[first[1:]] - ground.solid[end[:-1]]
    siblings: BoolArray = (parent[1:] == parent[:-1]) & (between == 0)
    return siblings


def _runs(goes_on: BoolArray, length: int) -> tuple[Rows, Rows]:
    """Where runs start and stop among `length` entries, each but the first of which goes on from the last or not."""
    breaks = np.flatnonzero(~goes_on) + 1
    return np.concatenate(([0], breaks))[:length], np.concatenate((breaks, [length]))[:length]


def _text_parents(page: Page, ground: _Ground) -> BoolArray:
    """Condition 1 of a big-node: the father of a text node. Blank ones do not count."""
    parents = np.zeros(len(page), dtype=np.bool_)
    parents[page.parent[ground.text]] = True
    return parents


def _outermost(page: Page, marked: BoolArray) -> Rows:
    """The marked rows that lie in no other marked row."""
    rows = np.flatnonzero(marked)
    reach = np.maximum.accumulate(page.end[rows])
    return rows[rows >= np.concatenate(([0], reach))[: len(rows)]]


def _alone(read: _Reading, row: int, root: int) -> int:
    """The outermost box that holds `row` and nothing else."""
    page, solid = read.page, read.ground.solid
    held = solid[page.end[row]] - solid[row]
    while row != root:
        above = int(page.parent[row])
        if solid[page.end[above]] - solid[above + 1] != held:
            break
        row, held = above, held + 1
    return row


def _below(read: _Reading, heading: int) -> int | None:
    """The text-para that a heading is part of, or else the next one after it."""
    first, end = read.sets.first[read.paras], read.sets.end[read.paras]
    around, after = read.paras[(first <= heading) & (heading < end)], read.paras[first > heading]
    if len(around):
        return int(around[-1])
    return int(after[0]) if len(after) else None


def _densest(read: _Reading) -> int:
    """The element whose children have, all told, most characters outside links an element."""
    page, ground = read.page, read.ground
    element = ground.seen & ~page.is_text()
    unlinked = ground.text & ~within(page, (page.flags & HREF) != 0)
    density = subtree_sum(page, np.where(unlinked, page.chars, 0)) / np.maximum(subtree_sum(page, element), 1)
    element[: ground.root + 1] = False
    rows = np.flatnonzero(element)
    return int(np.argmax(np.bincount(page.parent[rows], density[rows], len(page))))


def _posts(read: _Reading, longest: int) -> list[int]:
    """The repeated containers around the longest text-para: siblings of one tag and first class, with a text-para each.

    Where such containers nest, the ones repeated most often; an empty list where nothing is repeated.
    """
    page, sets, root = read.page, read.sets, read.ground.root
    holders = np.zeros(len(page), dtype=np.bool_)
    holders[sets.parent[read.paras]] = True
    rows = np.flatnonzero(holds(page, holders))
    rows = rows[rows > root]
    rows = rows[np.argsort(page.parent[rows], kind="stable")]
    parents = page.parent[rows]
    best: list[int] = []
    row = int(sets.parent[longest])
    while row != root:
        above = int(page.parent[row])
        siblings = rows[np.searchsorted(parents, above) : np.searchsorted(parents, above, side="right")]
        fewest = max(FEWEST_POSTS, len(best))
        if len(siblings) >= fewest:
            name = _first_class(page, row)
            alike = siblings[page.tag[siblings] == page.tag[row]].tolist()
            group = [other for other in alike if _first_class(page, other) == name]
            best = group if len(group) >= fewest else best
        row = above
    return best


def _first_class(page: Page, row: int) -> str:
    """The first name in `class`: the ones after it tell odd posts from even ones, and the like."""
    return next(iter((page.attribute(row, "class") or "").split()), "")


def _longest_in(read: _Reading, posts: list[int]) -> list[int]:
    """The longest text-para of each post, which has at least one."""
    first, chars = read.sets.first[read.paras], read.sets.chars[read.paras]
    at, stop = np.searchsorted(first, posts, side="right"), np.searchsorted(first, read.page.end[posts])
    return [int(read.paras[a + np.argmax(chars[a:z])]) for a, z in zip(at.tolist(), stop.tolist())]


def _kept(read: _Reading, climbs: list[_Climb]) -> BoolArray:
    """The rows of the summary-nodes on the pruned tree."""
    page, ground = read.page, read.ground
    kept = np.zeros(len(page), dtype=np.bool_)
    for climb in climbs:
        kept[climb.summary : page.end[climb.summary]] = True
    kept &= ground.seen & ~read.pruned
    # A list or box that pruning has left without anything goes too.
    leaf = kept & (page.end == np.arange(1, len(page) + 1)) & (ground.text | ~page.is_text())
    kept &= holds(page, leaf) | ~holds(page, read.pruned)
    return kept


def _has_sentences(page: Page, rows: Rows, fewest: int) -> bool:
    """Whether the text of these rows has at least so many sentence ends."""
    for row in rows.tolist():
        fewest -= len(_SENTENCE_END.findall(page.text_of(row).rstrip()))
        if fewest <= 0:
            return True
    return False


def _title(read: _Reading) -> int | None:
    """The heading that says the same as `<title>`, or as the longest of its parts that a heading has."""
    page, ground = read.page, read.ground
    row = page.first("title")
    if row is None or row >= ground.root:
        return None
    whole = " ".join(page.text_of(row).split()).casefold()
    wanted = {part for part in (whole, *_TITLE_BREAKS.split(whole)) if part}
    headings = np.flatnonzero(page.has_tag(_HEADINGS) & ground.seen)
    chars = ground.chars[page.end[headings]] - ground.chars[headings]
    best, length = None, 0
    for heading in headings[(chars > 0) & (chars <= len(whole))].tolist():
        text = " ".join(page.text_of(heading).split()).casefold()
        if text in wanted and len(text) > length:
            best, length = heading, len(text)
    return best


def _spans(rows: int, first: Rows, end: Rows) -> BoolArray:
    """Which rows lie in one of the spans."""
    steps = np.zeros(rows + 1, dtype=np.int32)
    steps[first] = 1
    np.subtract.at(steps, end, 1)
    inside: BoolArray = np.cumsum(steps[:-1]) > 0
    return inside


def _running(own: NDArray[Any]) -> Sums:
    """Running sums: entry i is the total before row i."""
    running = np.zeros(len(own) + 1, dtype=np.int64)
    np.cumsum(own, out=running[1:])
    return running


def _figures(read: _Reading) -> tuple[dict[str, NDArray[Any]], FloatArray]:
    """The columns and the score of a selection."""
    page, ground, units, sets = read.page, read.ground, read.units, read.sets
    pieces = np.zeros(len(page), dtype=np.bool_)
    pieces[units.piece] = True
    # One entry more than there are rows or units, so that -1 ("in none") reads -1.
    unit_of_row = np.full(len(page) + 1, -1, dtype=np.int32)
    unit_of_row[units.piece] = units.unit_of_piece
    set_of_unit = np.full(len(units.first) + 1, -1, dtype=np.int32)
    skipped = np.repeat(sets.at - (np.cumsum(sets.size) - sets.size), sets.size)
    set_of_unit[sets.units[skipped + np.arange(len(skipped))]] = np.repeat(np.arange(len(sets.at)), sets.size)
    unit = unit_of_row[nearest(page, pieces)]
    columns: dict[str, NDArray[Any]] = {
        "puncts": ground.below,
        "unit": unit,
        "set": set_of_unit[unit],
        "pruned": read.pruned,
    }
    return columns, np.where(ground.seen, ground.below, np.nan)


def _trace(
    read: _Reading,
    kept: BoolArray,
    flags: tuple[str, ...],
    climbs: Sequence[_Climb] = (),
    posts: Sequence[int] = (),
    fallback: str | None = None,
    longest: int = 0,
) -> dict[str, Any]:
    """Every decision, ready for JSON; of several posts, the climb of the one with the longest text-para is told."""
    sets = read.sets
    told = next((k for k, post in enumerate(posts) if post < sets.first[longest] < read.page.end[post]), 0)
    climb = climbs[told] if climbs else None
    places = _places(
        read, [climb.summary, climb.snippet, *(step.row for step in climb.steps[:TRACED])] if climb else []
    )
    return {
        "snippet": places[climb.snippet] if climb else None,
        "summary": places[climb.summary] if climb else None,
        "backtracking": [
            {**places[step.row], "distance": step.distance} for step in (climb.steps[:TRACED] if climb else ())
        ],
        "steps": len(climb.steps) if climb else 0,
        "text_paras": _text_paras(read, kept),
        "text_para_count": int(np.count_nonzero(sets.chars)),
        "posts": [
            {"row": post, "snippet": each.snippet, "summary": each.summary, "steps": len(each.steps)}
            for post, each in zip(posts[:TRACED], climbs)
        ],
        "post_count": len(posts),
        "fallback": fallback,
        "flags": list(flags),
    }


def _text_paras(read: _Reading, kept: BoolArray) -> list[dict[str, Any]]:
    """The first text-paras, with and without punctuation, and what became of them."""
    sets, readable = read.sets, _running(kept & read.ground.text)
    which = np.flatnonzero(sets.chars)[:TRACED]
    first, end, puncts = sets.first[which], sets.end[which], sets.puncts[which]
    state = np.where(puncts == 0, "pruned", np.where(readable[end] > readable[first], "kept", "outside"))
    names = ("set", "first", "end", "units", "characters", "punc", "state")
    columns = (which, first, end, sets.size[which], sets.chars[which], puncts, state)
    return [dict(zip(names, values)) for values in zip(*(column.tolist() for column in columns))]


def _places(read: _Reading, rows: list[int]) -> dict[int, dict[str, Any]]:
    """Row, path and node-punc-num of nodes on one way up; that they share it spares walking it for each."""
    page, depth = read.page, read.page.depth
    lowest = max(rows, key=lambda row: int(depth[row]), default=0)
    deep = depth[lowest] > DEEPEST_PATH
    steps = [] if deep else page.path(lowest).split(" > ")

    def path(row: int) -> str:
        if deep:
            return f"… > {page.tag_name(row)}"
        shared = len(steps) == depth[lowest] + 1 and row <= lowest < page.end[row]
        return " > ".join(steps[: depth[row] + 1]) if shared else page.path(row)

    return {row: {"row": row, "path": path(row), "punc": int(read.ground.below[row])} for row in rows}


def _check(settings: Econ) -> None:
    """Raise ValueError for a setting that makes no sense."""
    choices = {
        "punct": tuple(MARKS),
        "pick": ("first", "random"),
        "nesting": ("units", "literal"),
        "short_fallback": ("off", "heading", "density"),
    }
    for name, allowed in choices.items():
        if getattr(settings, name) not in allowed:
            raise ValueError(f"{name} is one of {', '.join(allowed)}, not {getattr(settings, name)!r}")
    if any(mark.isspace() or mark.isalnum() for mark in settings.marks):
        raise ValueError(f"marks are punctuation characters, without blanks between them, not {settings.marks!r}")
    for name in ("short_chars", "short_chars_cjk"):
        if getattr(settings, name) < 0:
            raise ValueError(f"{name} is 0 or more characters, not {getattr(settings, name)}")
    if not (settings.pieces_per_100 > 0 and math.isfinite(settings.pieces_per_100)):
        raise ValueError(f"pieces_per_100 is a number above 0, not {settings.pieces_per_100}")
