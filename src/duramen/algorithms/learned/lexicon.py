# cython: boundscheck=False
"""What names of elements and words of blocks say about content: tables of small whole numbers by hash.

This file compiles to C, with the types in `lexicon.pxd`, and runs as Python where it is not compiled. What is
read is checked once, and not at every index: blocks, rows, names and words by `Counts`, the rest here.
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
    from duramen.algorithms.learned.counts import Counts
    from duramen.algorithms.learned.raw import Raw

if not cython.compiled:
    from math import sqrt

    from duramen.algorithms.learned.vocabulary import mixed
    from duramen.measure.buffers import doubles, ints, new_doubles, new_ints, room

    TAGS = 0x5D0000  # added to the number of a tag to hash it
    KNOWN_TAGS = 160  # that are looked up once
    NEAR = 3  # elements that count as near: the one around the text and two above it
    PATH_SCORE, NEAR_SCORE, WORD_SCORE, HEADING_SCORE, PAIR_SCORE = range(5)

    def weights_of(table: NDArray[np.int8], size: int) -> Any:
        """The buffer of a table, pair after pair."""
        return table.reshape(size).data


NEAR_LEVELS = 3


def slots(hashes: NDArray[np.uint32], table: int) -> NDArray[np.uint32]:
    """Where in a table of that size each hash has its weight."""
    found: NDArray[np.uint32] = hashes & np.uint32(table - 1)
    return found


def pair_slots(first: NDArray[np.uint32], second: NDArray[np.uint32], table: int) -> NDArray[np.uint32]:
    """Where in a table of that size each pair of words has its weight; 0 stands for the end of a block."""
    hashed = first * np.uint32(0x3C6EF373) + second * np.uint32(0x45D9F3B7)
    found: NDArray[np.uint32] = hashed >> np.uint32(7) & np.uint32(table - 1)
    return found


def tag_hashes(raw: Raw) -> NDArray[np.uint32]:
    """The hash that stands for the tag of each row."""
    tags, number = np.unique(raw.page.tag, return_inverse=True)
    return np.array([mixed(0x5D0000 + tag) for tag in tags.tolist()], dtype=np.uint32)[number.reshape(-1)]


def paired(one: NDArray[np.int8], other: NDArray[np.int8]) -> NDArray[np.int8]:
    """Two tables as one of pairs: both weights of a hash stand together. The smaller one is repeated."""
    size = max(len(one), len(other))
    return np.stack([np.tile(table, size // len(table)) for table in (one, other)], axis=1)


def tag_weights(table: NDArray[np.int8]) -> NDArray[np.int32]:
    """The pairs of weights of the tags of small numbers, which most elements have."""
    keys = [mixed(0x5D0000 + number) & (len(table) - 1) for number in range(KNOWN_TAGS)]
    return table[keys].astype(np.int32)


def score_names(counts: Counts, table: Any, tags: Any, steps: Any, scores: Any) -> int:
    """For every block the sum of the weights of all names and tags around it, and of those of the nearest elements.

    `table` has both weights of each hash, `tags` those of the tags of small numbers; `steps` are what one in a weight
    of each lexicon counts.
    """
    tag, parent, at, rows = counts.tag, counts.parent, counts.at, counts.rows
    name_at, name_hash, named = counts.name_at, counts.name_hash, counts.named
    values, places, length, count = counts.names, counts.places, counts.length, counts.count
    mask, name = len(table) - 1, 0
    if len(table) & mask or len(tags) < KNOWN_TAGS:
        raise IndexError("the tables do not fit the page")
    weights, known = weights_of(table, 2 * len(table)), ints(tags, 2 * len(tags))
    step, found = doubles(steps, 5), new_doubles(scores, 4 * count)
    stores = room(8 * values), room(8 * length)
    sums, above = new_ints(stores[0], 2 * values), new_ints(stores[1], 2 * length)
    with cython.nogil:
        for value in range(values):
            one = two = 0
            for k in range(name_at[value], name_at[value + 1]):
                key = name_hash[k] & mask
                one += weights[2 * key]
                two += weights[2 * key + 1]
            sums[2 * value], sums[2 * value + 1] = one, two
        for row in range(length):
            number, up = tag[row], parent[row]
            if number == 0:
                continue
            if number < KNOWN_TAGS:
                one, two = known[2 * number], known[2 * number + 1]
            else:
                key = mixed(TAGS + number) & mask
                one, two = weights[2 * key], weights[2 * key + 1]
            while name < places and named[name] == row:
                one += sums[2 * named[places + name]]
                two += sums[2 * named[places + name] + 1]
                name += 1
            above[2 * row] = one + above[2 * up] if up >= 0 else one
            above[2 * row + 1] = two
        for k in range(count):
            row = parent[rows[at[k]]]
            found[PATH_SCORE * count + k] = above[2 * row] * step[PATH_SCORE]
            total = 0
            for _ in range(NEAR):
                if row >= 0:
                    total += above[2 * row + 1]
                    row = parent[row]
            found[NEAR_SCORE * count + k] = total * step[NEAR_SCORE]
    return 0


def score_words(counts: Counts, table: Any, pairs: Any, steps: Any, scores: Any) -> int:
    """For every block the sums of the weights of its words, as text and as a heading, by the root of their number.

    To those as text come those of its pairs of neighbours, the first word and the last with the end of the block.
    """
    at, hashes, count = counts.word_at, counts.word_hash, counts.count
    mask, pair_mask = len(table) - 1, len(pairs) - 1
    if len(table) & mask or len(pairs) & pair_mask:
        raise IndexError("the tables do not fit the page")
    weights, step, found = weights_of(table, 2 * len(table)), doubles(steps, 5), new_doubles(scores, 4 * count)
    pair_weights = weights_of(pairs, len(pairs))
    with cython.nogil:
        for k in range(count):
            one = two = both = before = 0
            for j in range(at[k], at[k + 1]):
                word = hashes[j]
                key = word & mask
                one += weights[2 * key]
                two += weights[2 * key + 1]
                both += pair_weights[pair_key(before, word) & pair_mask]
                before = word
            size = at[k + 1] - at[k]
            if size > 0:
                both += pair_weights[pair_key(before, 0) & pair_mask]
            root = sqrt(size) if size > 0 else 1.0
            found[WORD_SCORE * count + k] = one / root * step[WORD_SCORE] + both / sqrt(size + 1) * step[PAIR_SCORE]
            found[HEADING_SCORE * count + k] = two / root * step[HEADING_SCORE]
    return 0


def pair_key(first: int, second: int) -> int:
    """The hash of two neighbouring words, of which the last 25 bits count; see `pair_slots`."""
    return (first * 0x3C6EF373 + second * 0x45D9F3B7) >> 7
