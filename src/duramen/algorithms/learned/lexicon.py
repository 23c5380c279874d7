"""What names of elements and words of blocks say about content: tables of weights by hash."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from duramen.algorithms.learned.hashing import Hashes, mixed
from duramen.algorithms.learned.raw import Raw
from duramen.page import FloatArray, IntArray

Table = NDArray[np.float32]  # 2^k weights
NEAR_LEVELS = 3  # elements that count as near: the one around the text and two above it


def slots(hashes: Hashes, table: int) -> Hashes:
    """Where in a table of that size each hash has its weight."""
    found: Hashes = hashes & np.uint32(table - 1)
    return found


def tag_hashes(raw: Raw) -> Hashes:
    """The hash that stands for the tag of each row."""
    return mixed(raw.page.tag.astype(np.uint64) + np.uint64(0x5D0000))


def path_scores(raw: Raw, path: Table, near: Table) -> tuple[FloatArray, FloatArray]:
    """For every block: the weights of all names and tags around it, and those of the nearest elements."""
    page = raw.page
    n = len(page)
    tags = tag_hashes(raw)
    own = np.bincount(raw.name_row, path[slots(raw.name_hash, len(path))], n) + path[slots(tags, len(path))]
    own[page.tag == 0] = 0
    # Down the tree each element adds its weight and takes it back where it ends.
    steps = np.zeros(n + 1)
    steps[:n] = own
    steps -= np.bincount(page.end, own, n + 1)
    far = np.cumsum(steps)[raw.holder]
    close = np.bincount(raw.name_row, near[slots(raw.name_hash, len(near))], n) + near[slots(tags, len(near))]
    total = np.zeros(len(raw))
    row: IntArray = raw.holder
    for _ in range(NEAR_LEVELS):
        total += np.where(row >= 0, close[row], 0)
        row = np.where(row >= 0, page.parent[row], row)
    return far, total


def word_scores(raw: Raw, table: Table) -> FloatArray:
    """For every block the weights of its words, by the root of their number."""
    running = np.zeros(len(raw.word_hash) + 1)
    np.cumsum(table[slots(raw.word_hash, len(table))], out=running[1:])
    at = raw.word_at
    total: FloatArray = (running[at[1:]] - running[at[:-1]]) / np.sqrt(np.maximum(np.diff(at), 1))
    return total
