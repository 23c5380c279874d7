"""Joint-para: the pieces of text of a page, joined into text-paras (§III-B of the ECON paper)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from duramen.measure import subtree_sum, unseen, within
from duramen.page import BoolArray, IntArray, Page
from duramen.tags import HEADINGS, tag_mask

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
UNREAD: tuple[str, ...] = ("select", "textarea")
_BIG, _BLOCK, _UNREAD = tag_mask(BIG), tag_mask(BLOCK), tag_mask(UNREAD)
_DROPPED = tag_mask(("script", "style", "template"))


@dataclass(frozen=True, slots=True, eq=False)
class Ground:
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
class Units:
    """The big-nodes, in document order, and the runs of text and inline elements that count as such."""

    first: Rows  # unit k is the rows first[k] .. end[k]-1
    end: Rows
    parent: Rows
    anonymous: BoolArray  # a run in a container, not an element
    node: Rows  # the element that a climb starts from: the unit, or an anonymous unit's parent
    piece: Rows  # the topmost rows of all units, in document order …
    unit_of_piece: Rows  # … and their unit; -1 for a run without text, which is none


@dataclass(frozen=True, slots=True, eq=False)
class Sets:
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
class Reading:
    """A page after Joint-para."""

    page: Page
    ground: Ground
    units: Units
    sets: Sets
    paras: Rows  # the sets that have punctuation
    pruned: BoolArray  # the rows of those that have none


def joint_para(page: Page, puncts: IntArray, *, literal: bool) -> Reading:
    """Joint-para over the whole tree; `puncts` is the punc-num of every text node."""
    ground = _survey(page, puncts)
    units = _big_nodes(page, ground) if literal else _units(page, ground)
    sets = _join(units, ground)
    noise = sets.puncts == 0
    pruned = spans(len(page), sets.first[noise], sets.end[noise])
    return Reading(page, ground, units, sets, np.flatnonzero(~noise), pruned)


def _survey(page: Page, puncts: IntArray) -> Ground:
    """What there is to read below the body, and how much."""
    root = page.body()
    inside = ~within(page, page.has_tag(_DROPPED))
    inside[:root] = False
    inside[page.end[root] :] = False
    seen = inside & ~(unseen(page) | within(page, page.has_tag(_UNREAD)))
    blank = page.is_text() & (page.chars == 0)
    text = seen & (page.chars > 0)
    running = running_sum(np.where(text, puncts, 0))
    return Ground(
        root=root,
        inside=inside,
        seen=seen,
        text=text,
        solid=running_sum(inside & ~blank),
        chars=running_sum(np.where(text, page.chars, 0)),
        puncts=running,
        below=running[page.end] - running[:-1],
    )


def _units(page: Page, ground: Ground) -> Units:
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
    return Units(
        first=first,
        end=end,
        parent=parent,
        anonymous=running,
        node=np.where(running, parent, first),
        piece=piece,
        unit_of_piece=np.repeat(number, stop - at),
    )


def _big_nodes(page: Page, ground: Ground) -> Units:
    """Every big-node as the paper words it, whatever it lies in or holds; only the body is none."""
    big = ground.seen & ~page.is_text() & (page.has_tag(_BIG) | _text_parents(page, ground))
    big[ground.root] = False
    rows = np.flatnonzero(big)
    return Units(
        first=rows,
        end=page.end[rows],
        parent=page.parent[rows],
        anonymous=np.zeros(len(rows), dtype=np.bool_),
        node=rows,
        piece=rows,
        unit_of_piece=np.arange(len(rows)),
    )


def _join(units: Units, ground: Ground) -> Sets:
    """Joint-para: maximal runs of adjacent siblings among the units."""
    order = np.argsort(units.parent, kind="stable")  # siblings side by side, in document order
    first, end, parent = units.first[order], units.end[order], units.parent[order]
    at, stop = _runs(_adjacent(first, end, parent, ground), len(order))
    by_row = np.argsort(first[at], kind="stable")
    at, stop = at[by_row], stop[by_row]
    first, end, parent = first[at], end[stop - 1], parent[at]
    return Sets(
        first=first,
        end=end,
        parent=parent,
        at=at,
        size=stop - at,
        units=order,
        chars=ground.chars[end] - ground.chars[first],
        puncts=ground.puncts[end] - ground.puncts[first],
    )


def _adjacent(first: Rows, end: Rows, parent: Rows, ground: Ground) -> BoolArray:
    """Whether each span but the first is the next sibling of the one before, with only blanks between them."""
    between = ground.solid[first[1:]] - ground.solid[end[:-1]]
    siblings: BoolArray = (parent[1:] == parent[:-1]) & (between == 0)
    return siblings


def _runs(goes_on: BoolArray, length: int) -> tuple[Rows, Rows]:
    """Where runs start and stop among `length` entries, each but the first of which goes on from the last or not."""
    breaks = np.flatnonzero(~goes_on) + 1
    return np.concatenate(([0], breaks))[:length], np.concatenate((breaks, [length]))[:length]


def _text_parents(page: Page, ground: Ground) -> BoolArray:
    """Condition 1 of a big-node: the father of a text node. Blank ones do not count."""
    parents = np.zeros(len(page), dtype=np.bool_)
    parents[page.parent[ground.text]] = True
    return parents


def _outermost(page: Page, marked: BoolArray) -> Rows:
    """The marked rows that lie in no other marked row."""
    rows = np.flatnonzero(marked)
    reach = np.maximum.accumulate(page.end[rows])
    return rows[rows >= np.concatenate(([0], reach))[: len(rows)]]


def spans(rows: int, first: Rows, end: Rows) -> BoolArray:
    """Which rows lie in one of the spans."""
    steps = np.zeros(rows + 1, dtype=np.int32)
    steps[first] = 1
    np.subtract.at(steps, end, 1)
    inside: BoolArray = np.cumsum(steps[:-1]) > 0
    return inside


def running_sum(own: NDArray[Any]) -> Sums:
    """Running sums: entry i is the total before row i."""
    running = np.zeros(len(own) + 1, dtype=np.int64)
    np.cumsum(own, out=running[1:])
    return running
