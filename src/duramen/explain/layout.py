"""What of a page is drawn, and how its elements look: all on whole arrays."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from duramen.explain.nodes import Nodes
from duramen.measure import holds, nearest, seen_text, subtree_sum, unseen, within
from duramen.page import BoolArray, IntArray, Page
from duramen.tags import INLINE, tag_mask

SHOWN_LEAVES = 2000  # texts and pictures drawn; the middle of longer stretches of one verdict is folded
SHOWN_ELEMENTS = 1500  # elements drawn around them
SHOWN_TEXT = 1_000_000  # bytes of text drawn; longer texts are cut first
SHOWN_DEPTH = 200  # levels drawn: browsers stop nesting at 512

_INLINE = tag_mask(INLINE)
_MEDIA = tag_mask(("img", "iframe", "video", "audio", "object", "embed", "applet", "canvas", "svg", "input"))
_PREFORMATTED = tag_mask(("pre", "listing", "xmp", "textarea"))
_TABLE_PARTS = tag_mask(("table", "thead", "tbody", "tfoot", "tr"))
_ROW_GROUPS = tag_mask(("thead", "tbody", "tfoot"))


class Leaves(NamedTuple):
    """What a reader sees: text rows and boxes for pictures and the like."""

    leaf: BoolArray
    shown: BoolArray
    folds: Mapping[int, tuple[int, str]]  # at a row: how many leaves are left out, and with which verdict


class Look(NamedTuple):
    """How the elements of a page are drawn."""

    drawn: BoolArray
    tight: BoolArray  # block-level elements that hold nothing but one stretch of inline text: what focus stops at
    holder: IntArray  # the block-level element around each row
    region: list[str]  # "kept" or "dropped" for the outermost elements of one verdict, "mixed" for split stretches
    shaded: BoolArray  # rows in a region of one verdict, which need no shade of their own
    phrasal: BoolArray  # nothing below is block-level
    inline: BoolArray
    real_table: BoolArray  # a table, or a part of one, that can be written as such


def water_level(sizes: NDArray[np.integer], budget: int) -> int:
    """The highest level at which sizes, cut to it, add up to no more than the budget; 0 where 1 is too high."""
    low, high = 0, int(sizes.max(initial=0))
    while low < high:
        middle = (low + high + 1) // 2
        if int(np.minimum(sizes, middle).sum(dtype=np.int64)) <= budget:
            low = middle
        else:
            high = middle - 1
    return low


def find_leaves(nodes: Nodes, marks: Mapping[int, str]) -> Leaves:
    """What a reader sees of a page; on a long one, the middles of long stretches of one verdict are folded."""
    page, kept = nodes.page, nodes.selection.kept
    media = page.has_tag(_MEDIA)
    closed = within(page, media) | unseen(page)
    text = seen_text(page) | (kept & (page.chars > 0))
    text |= page.is_text() & within(page, page.has_tag(_PREFORMATTED)) & ~closed
    # A picture or frame is a box, unless an algorithm kept text inside it, which then is drawn.
    boxes = media & ~(closed[page.parent] & (page.parent >= 0)) & ~holds(page, text)
    leaf = text | boxes
    rows = np.flatnonzero(leaf)
    shown = leaf.copy()
    folds: dict[int, tuple[int, str]] = {}
    if len(rows) > SHOWN_LEAVES:
        shown[rows] = False
        shown[rows[_unfolded(kept[rows])]] = True
        shown[[row for row in marks if leaf[row]]] = True
        hidden = np.flatnonzero(leaf & ~shown)
        # Folded leaves that follow each other are told with one mark; each verdict has its own, unless they are many.
        apart = np.diff(np.cumsum(leaf)[hidden], prepend=-1) > 1
        turns = apart | (np.diff(kept[hidden], prepend=False) != 0)
        mixed = int(turns.sum()) > SHOWN_LEAVES
        first = np.flatnonzero(apart if mixed else turns)
        for at, stop in zip(first.tolist(), [*first[1:].tolist(), len(hidden)]):
            kind = "" if mixed else "kept" if kept[hidden[at]] else "dropped"
            folds[int(hidden[at])] = (stop - at, kind)
    return Leaves(leaf, shown, folds)


def _unfolded(kept: BoolArray) -> BoolArray:
    """Which leaves stay when the middles of long stretches of one verdict go."""
    starts = np.flatnonzero(np.concatenate(([True], kept[1:] != kept[:-1])))
    lengths = np.diff(np.append(starts, len(kept)))
    level = water_level(lengths, SHOWN_LEAVES)
    if level == 0:
        return np.arange(len(kept)) < SHOWN_LEAVES
    position = np.arange(len(kept)) - np.repeat(starts, lengths)
    rest = np.repeat(lengths, lengths) - position
    shown: BoolArray = (position < level - level // 2) | (rest <= level // 2)
    return shown


def find_look(page: Page, kept: BoolArray, leaves: Leaves, marks: Mapping[int, str]) -> Look:
    """Which elements are drawn, and how."""
    leaf = leaves.leaf
    element = ~page.is_text()
    wanted = holds(page, leaves.shown) & element & ~leaf
    depths = np.cumsum(np.bincount(page.depth[wanted], minlength=1))
    levels = min(SHOWN_DEPTH, int(np.searchsorted(depths, SHOWN_ELEMENTS, side="right")))
    drawn = wanted & (page.depth < levels)
    drawn[[row for row in marks if element[row] and not leaf[row]]] = True

    # Elements that no table names are inline, as in CSS.
    block_level = element & ~page.has_tag(_INLINE) & (page.tag < len(_INLINE) - 1)
    holder = nearest(page, block_level)
    held = holder[leaf]
    own = np.bincount(held[held >= 0], minlength=len(page))
    every = subtree_sum(page, leaf)
    tight = block_level & (own > 0) & (own == every) & ~leaf
    # A picture takes the verdict of the text around it, where there is any.
    words = leaf & page.is_text()
    total, good = subtree_sum(page, words), subtree_sum(page, words & kept)
    total, good = np.where(total > 0, total, every), np.where(total > 0, good, subtree_sum(page, leaf & kept))
    uniform = block_level & drawn & (total > 0) & ((good == 0) | (good == total))
    outermost = uniform & ~(uniform[page.parent] & (page.parent >= 0))
    names = np.where(good == 0, "dropped", np.where(good == total, "kept", "mixed"))
    return Look(
        drawn=drawn,
        tight=tight,
        holder=holder,
        region=np.where(outermost | (tight & ~uniform), names, "").tolist(),
        shaded=within(page, uniform),
        phrasal=subtree_sum(page, block_level) - block_level == 0,
        inline=~block_level,
        real_table=_real_tables(page, leaf, page.depth + 4 <= levels),
    )


def _real_tables(page: Page, leaf: BoolArray, shallow: BoolArray) -> BoolArray:
    """Tables and their parts that are nested as they should be, so that a parser leaves them as they are."""
    above = np.maximum(page.parent, 0)
    table, group, line = page.named("table"), page.has_tag(_ROW_GROUPS), page.named("tr")
    proper = (
        (page.named("caption", "thead", "tbody", "tfoot", "tr") & table[above])
        | (line & group[above])
        | (page.named("td", "th") & line[above])
    )
    stray = page.has_tag(_TABLE_PARTS)[above] & ~proper & holds(page, leaf) & (page.parent >= 0)
    owner = nearest(page, table)
    spoilt = np.zeros(len(page) + 1, dtype=np.bool_)  # the last entry stands for "no table"
    spoilt[owner[above[stray]]] = True
    spoilt[np.flatnonzero(table & ~shallow)] = True
    spoilt[-1] = True
    real: BoolArray = (table | proper) & ~spoilt[owner]
    return real


def find_breaks(page: Page, leaves: Leaves) -> BoolArray:
    """Line breaks and rules between leaves that are drawn; no more than two in a row, and none among table rows."""
    leaf, shown = leaves.leaf, leaves.shown
    rows = np.flatnonzero(page.named("br", "hr") & ~page.has_tag(_TABLE_PARTS)[np.maximum(page.parent, 0)])
    found = np.zeros(len(page), dtype=np.bool_)
    leaf_rows = np.flatnonzero(leaf)
    if not len(leaf_rows):
        return found
    after = np.searchsorted(leaf_rows, rows)
    fine = (after > 0) & (after < len(leaf_rows))
    rows, after = rows[fine], after[fine]
    fine = shown[leaf_rows[after]] & shown[leaf_rows[after - 1]]
    fine[2:] &= after[2:] != after[:-2]
    found[rows[fine]] = True
    return found
