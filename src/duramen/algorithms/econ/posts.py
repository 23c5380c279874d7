"""A page's repeated post containers, for blogs and forums (an outlook of the ECON paper's §V)."""

from __future__ import annotations

import numpy as np

from duramen.algorithms.econ.joint_para import Reading
from duramen.measure import holds
from duramen.page import Page

FEWEST_POSTS = 3  # siblings that make a repeated post container


def find_posts(read: Reading, longest: int) -> list[int]:
    """The repeated containers around the longest text-para: siblings of one tag and first class, with a text-para each.

    Where such containers nest, the ones repeated most often; an empty list where nothing is repeated.
    """
    page, sets, root = read.page, read.sets, read.ground.root
    holders = np.zeros(len(page), dtype=np.bool_)
    holders[sets.parent[read.paras()]] = True
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


def longest_in(read: Reading, posts: list[int]) -> list[int]:
    """The longest text-para of each post, which has at least one."""
    paras = read.paras()
    first, chars = read.sets.first[paras], read.sets.chars[paras]
    at, stop = np.searchsorted(first, posts, side="right"), np.searchsorted(first, read.page.end[posts])
    return [int(paras[a + np.argmax(chars[a:z])]) for a, z in zip(at.tolist(), stop.tolist())]
