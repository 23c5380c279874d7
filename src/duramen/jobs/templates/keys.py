"""Page → one number for each block: what it says, and under which elements.

The same words elsewhere in the tree are another block: a teaser's headline in a list of links is not the headline of
the article.
"""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import blake2b

import numpy as np
from numpy.typing import NDArray

from duramen.blocks import BOUNDARIES, blocks
from duramen.measure import nearest
from duramen.page import Blocks, IntArray, Page
from duramen.tags import TAG_NAMES, tag_mask

KeyArray = NDArray[np.uint64]

# Elements above a block that are part of its key: enough to tell a menu from a paragraph, few enough that one more
# wrapper around the whole page does not make every block a new one.
LEVELS = 4
_DOUBLINGS = 2  # 2 ** _DOUBLINGS == LEVELS
_BASE = 0x100000001B3  # odd, so that products keep all bits
_BOUNDARY = tag_mask(BOUNDARIES - {"br"})


def holders(page: Page, found: Blocks) -> IntArray:
    """For each block the nearest element above it that is not inline; row 0 where there is none."""
    rows: IntArray = np.maximum(nearest(page, page.has_tag(_BOUNDARY))[found.rows[found.at[:-1]]], 0)
    return rows


def block_keys(page: Page, found: Blocks | None = None, held: IntArray | None = None) -> KeyArray:
    """The key of each block of a page (of `found`, in `held`, where these are known already)."""
    found = blocks(page) if found is None else found
    if not len(found):
        return np.zeros(0, dtype=np.uint64)
    held = holders(page, found) if held is None else held
    return _texts(page, found) ^ _paths(page)[held]


def _texts(page: Page, found: Blocks) -> KeyArray:
    """A hash of each block's words."""
    first, last = found.rows[found.at[:-1]], found.rows[found.at[1:] - 1]
    begins, ends = page.text_at[first].tolist(), page.text_at[last + 1].tolist()
    text = page.text
    pieces = (b" ".join(text[begin:end].split()) for begin, end in zip(begins, ends))
    hashes = b"".join([blake2b(piece, digest_size=8).digest() for piece in pieces])
    return np.frombuffer(hashes, dtype="<u8").astype(np.uint64)


def _paths(page: Page) -> KeyArray:
    """A hash of the names of each element and those above it, `LEVELS` in all."""
    names = _names(page.other_tags)
    path = names[page.tag]
    above = np.where(page.parent < 0, 0, page.parent)  # above the root is the root again
    base = _BASE
    for _ in range(_DOUBLINGS):
        path = path * np.uint64(base) + path[above]
        above = above[above]
        base = base * base % 2**64
    return path


def _names(others: Sequence[str]) -> KeyArray:
    """A hash for each tag id: ids of names outside the table differ from page to page, their hashes do not."""
    hashes = b"".join(blake2b(name.encode(), digest_size=8).digest() for name in (*TAG_NAMES, *others))
    return np.frombuffer(hashes, dtype="<u8").astype(np.uint64)
