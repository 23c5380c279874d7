"""Joint-para: the pieces of text of a page, joined into text-paras (§III-B of the ECON paper)."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from duramen.algorithms.econ.units import (
    ANONYMOUS,
    BIG,
    IN_PARA,
    NODE,
    PARENT,
    PRUNED,
    SEEN,
    SET_AT,
    SET_CHARS,
    SET_END,
    SET_FIRST,
    SET_PARENT,
    SET_PUNCTS,
    SET_SIZE,
    TEXT,
    find_units,
    join_units,
    survey,
)
from duramen.page import BoolArray, FlagArray, FloatArray, IntArray, Page
from duramen.tags import tag_mask

Rows = NDArray[np.integer[Any]]  # row numbers, or numbers of units or sets
Sums = NDArray[np.integer[Any]]

_BIG = tag_mask(BIG)


class Ground(NamedTuple):
    """What is counted of a page. The figures of a span of rows are differences of running sums."""

    root: int  # the body: where the tree starts
    place: FlagArray  # what each row is: bits of `units`
    sums: Sums  # running: what ends a run of adjacent nodes, characters, punc-num
    below: Sums  # node-punc-num of every row
    score: FloatArray  # the same of the rows that are seen; NaN for others

    def seen(self) -> BoolArray:
        """The rows of the tree that a reader sees."""
        seen: BoolArray = (self.place & SEEN) != 0
        return seen

    def text(self) -> BoolArray:
        """Of these, text that is not blank."""
        text: BoolArray = (self.place & TEXT) != 0
        return text


class Units(NamedTuple):
    """The big-nodes, in document order, and the runs of text and inline elements that count as such."""

    figures: Sums  # of each: first row, end, parent, whether it is a run in a container, and where a climb starts
    pieces: Sums  # the topmost rows of all units, in document order, and their unit; -1 where they are part of none

    def node(self, unit: int) -> int:
        """The element that a climb starts from: the unit, or the parent of a run."""
        return int(self.figures[NODE, unit])

    def is_run(self, unit: int) -> bool:
        """Whether it is a run in a container, not an element."""
        return bool(self.figures[ANONYMOUS, unit])


class Sets(NamedTuple):
    """The text-node-sets, in document order."""

    figures: Sums
    units: Sums | None = None  # the numbers of the units, set after set, where that is not their own order

    @property
    def first(self) -> Sums:
        """The first row of each set."""
        return self._figure(SET_FIRST)

    @property
    def end(self) -> Sums:
        """The row after the last."""
        return self._figure(SET_END)

    @property
    def parent(self) -> Sums:
        """The parent of its units."""
        return self._figure(SET_PARENT)

    @property
    def at(self) -> Sums:
        """Where its units start …"""
        return self._figure(SET_AT)

    @property
    def size(self) -> Sums:
        """… and how many they are."""
        return self._figure(SET_SIZE)

    @property
    def chars(self) -> Sums:
        """The characters of the text-para."""
        return self._figure(SET_CHARS)

    @property
    def puncts(self) -> Sums:
        """Its punc-num."""
        return self._figure(SET_PUNCTS)

    def _figure(self, number: int) -> Sums:
        figure: Sums = self.figures[number]
        return figure

    def unit(self, entry: int) -> int:
        """The unit at that place, set after set."""
        return entry if self.units is None else int(self.units[entry])


class Reading(NamedTuple):
    """A page after Joint-para."""

    page: Page
    ground: Ground
    units: Units
    sets: Sets
    fate: FlagArray  # the rows of the sets that have punctuation (IN_PARA), and of those that have none (PRUNED)
    longest: int  # the longest set that has punctuation; -1 where none has

    def paras(self) -> Sums:
        """The sets that have punctuation."""
        return np.flatnonzero(self.sets.puncts)


def joint_para(page: Page, puncts: IntArray, *, literal: bool) -> Reading:
    """Joint-para over the whole tree; `puncts` is the punc-num of every text node."""
    size = len(page)
    place, sums = np.empty(size, dtype=np.uint8), np.empty((3, size + 1), dtype=np.int32)
    below, score = np.empty(size, dtype=np.int32), np.empty(size)
    root = survey(page, puncts, place, sums, below, score)
    ground = Ground(root, place, sums, below, score)
    if literal:
        units = _big_nodes(page, ground)
        sets = _join(units, ground)
        noise = sets.puncts == 0
        fate = PRUNED * spans(size, sets.first[noise], sets.end[noise]).astype(np.uint8)
        fate |= IN_PARA * spans(size, sets.first[~noise], sets.end[~noise]).astype(np.uint8)
        return Reading(page, ground, units, sets, fate, _longest_para(sets))
    pieces, rows = np.empty((2, size), dtype=np.int32), np.empty((5, size), dtype=np.int32)
    piece_count, count = find_units(page, root, place, sums, pieces, rows)
    figures, fate = np.empty((7, count), dtype=np.int32), np.zeros(size, dtype=np.uint8)
    found, longest = join_units(rows, count, sums, figures, fate)
    units = Units(rows[:, :count], pieces[:, :piece_count])
    return Reading(page, ground, units, Sets(figures[:, :found]), fate, longest)


def _big_nodes(page: Page, ground: Ground) -> Units:
    """Every big-node as the paper words it, whatever it lies in or holds; only the body is none."""
    parents = np.zeros(len(page), dtype=np.bool_)
    parents[page.parent[ground.text()]] = True  # condition 1: the father of a text node. Blank ones do not count
    big = ground.seen() & ~page.is_text() & (page.has_tag(_BIG) | parents)
    big[ground.root] = False
    rows = np.flatnonzero(big)
    figures: Sums = np.stack((rows, page.end[rows], page.parent[rows], np.zeros_like(rows), rows)).astype(np.int64)
    return Units(figures, np.stack((rows, np.arange(len(rows)))))


def _join(units: Units, ground: Ground) -> Sets:
    """Joint-para: maximal runs of adjacent siblings among units that may nest."""
    solid, chars, puncts = ground.sums
    order = np.argsort(units.figures[PARENT], kind="stable")  # siblings side by side, in document order
    first, end, parent = units.figures[: PARENT + 1, order]
    goes_on = (parent[1:] == parent[:-1]) & (solid[first[1:]] == solid[end[:-1]])  # with only blanks between them
    breaks = np.flatnonzero(~goes_on) + 1
    at, stop = np.concatenate(([0], breaks))[: len(order)], np.concatenate((breaks, [len(order)]))[: len(order)]
    by_row = np.argsort(first[at], kind="stable")
    at, stop = at[by_row], stop[by_row]
    first, end, parent = first[at], end[stop - 1], parent[at]
    figures = np.stack((first, end, parent, at, stop - at, chars[end] - chars[first], puncts[end] - puncts[first]))
    return Sets(figures, order)


def _longest_para(sets: Sets) -> int:
    """The first of the longest sets that have punctuation; -1 where none has."""
    paras = np.flatnonzero(sets.puncts)
    return int(paras[np.argmax(sets.chars[paras])]) if len(paras) else -1


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
