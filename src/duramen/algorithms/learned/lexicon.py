"""What names of elements and words of blocks say about content: tables of small whole numbers by hash.

This file compiles to C, with the types in `lexicon.pxd`, and runs as Python where it is not compiled.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

try:
    import cython
except ImportError:
    from duramen.parse import uncompiled as cython

if TYPE_CHECKING:
    from duramen.algorithms.learned.raw import Raw

if not cython.compiled:
    from math import sqrt

    from duramen.algorithms.learned.vocabulary import mixed

    TAGS = 0x5D0000  # added to the number of a tag to hash it
    KNOWN_TAGS = 160  # that are looked up once
    NEAR = 3  # elements that count as near: the one around the text and two above it
    PATH_SCORE, NEAR_SCORE, WORD_SCORE, HEADING_SCORE = range(4)

NEAR_LEVELS = 3


def slots(hashes: NDArray[np.uint32], table: int) -> NDArray[np.uint32]:
    """Where in a table of that size each hash has its weight."""
    found: NDArray[np.uint32] = hashes & np.uint32(table - 1)
    return found


def tag_hashes(raw: Raw) -> NDArray[np.uint32]:
    """The hash that stands for the tag of each row."""
    tags, number = np.unique(raw.page.tag, return_inverse=True)
    return np.array([mixed(0x5D0000 + tag) for tag in tags.tolist()], dtype=np.uint32)[number.reshape(-1)]


def score_names(raw: Raw, path: Any, near: Any, scores: Any) -> int:
    """For every block the sum of the weights of all names and tags around it, and of those of the nearest elements."""
    tag, parent = raw.page.tag.data, raw.page.parent.data
    named: Any = raw.named.data
    name_at, name_hash = raw.name_at.data, raw.name_hash.data
    at, rows = raw.blocks.at.data, raw.blocks.rows.data
    weights: Any = np.empty((2, max(len(name_at) - 1, 1)), dtype=np.int32).data
    far: Any = np.zeros(len(tag), dtype=np.int32).data
    close: Any = np.zeros(len(tag), dtype=np.int32).data
    paths, nears = len(path) - 1, len(near) - 1
    name = 0
    known: Any = np.empty((2, KNOWN_TAGS), dtype=np.int32).data
    with cython.nogil:
        for number in range(KNOWN_TAGS):
            key = mixed(TAGS + number)
            known[0, number], known[1, number] = path[key & paths], near[key & nears]
        for value in range(len(name_at) - 1):
            one = two = 0
            for k in range(name_at[value], name_at[value + 1]):
                one += path[name_hash[k] & paths]
                two += near[name_hash[k] & nears]
            weights[0, value], weights[1, value] = one, two
        for row in range(len(tag)):
            up = parent[row]
            if up >= 0:
                far[row] = far[up]
            if tag[row] == 0:
                continue
            if tag[row] < KNOWN_TAGS:
                far[row] += known[0, tag[row]]
                close[row] = known[1, tag[row]]
            else:
                key = mixed(TAGS + tag[row])
                far[row] += path[key & paths]
                close[row] = near[key & nears]
            while name < named.shape[1] and named[0, name] == row:
                far[row] += weights[0, named[1, name]]
                close[row] += weights[1, named[1, name]]
                name += 1
        for k in range(len(at) - 1):
            row = parent[rows[at[k]]]
            scores[PATH_SCORE, k] = far[row]
            total = 0
            for _ in range(NEAR):
                if row >= 0:
                    total += close[row]
                    row = parent[row]
            scores[NEAR_SCORE, k] = total
    return 0


def score_words(raw: Raw, words: Any, heading: Any, scores: Any) -> int:
    """For every block the sums of the weights of its words, as text and as a heading, by the root of their number."""
    at, hashes = raw.word_at.data, raw.word_hash.data
    mask, heading_mask = len(words) - 1, len(heading) - 1
    with cython.nogil:
        for k in range(len(at) - 1):
            one = two = 0
            for j in range(at[k], at[k + 1]):
                one += words[hashes[j] & mask]
                two += heading[hashes[j] & heading_mask]
            root = sqrt(at[k + 1] - at[k]) if at[k + 1] > at[k] else 1.0
            scores[WORD_SCORE, k], scores[HEADING_SCORE, k] = one / root, two / root
    return 0
