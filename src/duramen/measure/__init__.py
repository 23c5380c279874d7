"""Sums and densities over the page's rows, all on whole arrays."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from duramen.measure.deferred import Deferred
from duramen.measure.reading import NOSCRIPT_PAGE_WORDS, any_text, body_of, unseen
from duramen.page import BoolArray, IntArray, Page

__all__ = [
    "NOSCRIPT_PAGE_WORDS",
    "Deferred",
    "any_text",
    "body_of",
    "holds",
    "nearest",
    "seen_text",
    "subtree_sum",
    "unseen",
    "within",
]


def subtree_sum(page: Page, own: NDArray[np.number] | BoolArray) -> NDArray[np.int64]:
    """Total of `own` over each node and everything below it."""
    running = np.zeros(len(page) + 1, dtype=np.int64)
    np.cumsum(own, out=running[1:])
    total: NDArray[np.int64] = running[page.end] - running[:-1]
    return total


def within(page: Page, roots: BoolArray) -> BoolArray:
    """Which rows are one of `roots` or below one."""
    rows = np.flatnonzero(roots)
    steps = -np.bincount(page.end[rows], minlength=len(page) + 1)
    steps[rows] += 1
    inside: BoolArray = np.cumsum(steps[:-1]) > 0
    return inside


def holds(page: Page, marked: BoolArray) -> BoolArray:
    """Which rows are `marked` or have a marked row below them."""
    some: BoolArray = subtree_sum(page, marked) > 0
    return some


def nearest(page: Page, marked: BoolArray) -> IntArray:
    """For each row the nearest marked row on the way up, itself included; -1 where there is none."""
    n = len(page)
    # One extra slot stands for "none"; jumping twice as far each time takes log2(depth) rounds.
    jump = np.full(n + 1, n, dtype=np.int32)
    jump[:n] = np.where(marked, np.arange(n, dtype=np.int32), np.where(page.parent < 0, n, page.parent))
    while True:
        further = jump[jump]
        if np.array_equal(further, jump):
            break
        jump = further
    found = jump[:n]
    return np.where(found == n, np.int32(-1), found)


def seen_text(page: Page) -> BoolArray:
    """Text rows that a reader sees as text, and that are not blank."""
    seen: BoolArray = (page.chars > 0) & ~unseen(page)
    return seen
