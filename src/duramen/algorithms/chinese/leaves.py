"""Page → leaf blocks: the inline text of each block-level element, wherever child blocks or line breaks cut it.

That is what is judged for a full stop: a single text node of a paragraph rarely holds one.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from duramen.algorithms.chinese.text import joined_text, read_rows
from duramen.blocks import BOUNDARIES
from duramen.measure import nearest
from duramen.page import BoolArray, IntArray, Page
from duramen.tags import tag_mask

BLOCK_LEVEL = tag_mask(BOUNDARIES - {"br"})


@dataclass(frozen=True, slots=True, eq=False)
class LeafBlocks:
    """The leaf blocks that have text, in the order of their elements."""

    read: BoolArray  # per row of the page: whether its text is read
    holder: IntArray  # … the nearest block-level element, itself included
    rows: IntArray  # one a block: its element
    texts: tuple[str, ...]  # … its text without any white space, in lower case
    chars: NDArray[np.int64]  # … its characters, white space collapsed
    first: IntArray  # … its first text row
    nodes: NDArray[np.int64]  # … and how many it has

    def __len__(self) -> int:
        return len(self.rows)

    def find(self, words: Sequence[str]) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
        """Every place where a word occurs: the numbers of the block and of the word, word by word."""
        text = "\0".join(("", *self.texts))
        at = np.cumsum([0, *(len(block) + 1 for block in self.texts)])
        places = [[found.start() for found in re.finditer(re.escape(word), text)] for word in squeezed(words)]
        block = np.searchsorted(at, [place for found in places for place in found], side="right") - 1
        return block, np.repeat(np.arange(len(places)), [len(found) for found in places])


def leaf_blocks(page: Page) -> LeafBlocks:
    """The leaf blocks of a page's body."""
    read = read_rows(page)
    holder = nearest(page, page.has_tag(BLOCK_LEVEL))
    rows = np.flatnonzero(read & (page.chars > 0))
    rows = rows[np.argsort(holder[rows], kind="stable")]
    elements, at, nodes = np.unique(holder[rows], return_index=True, return_counts=True)
    starts = np.zeros(len(rows), dtype=np.bool_)
    starts[at] = True
    # One string for all, since most blocks are a few characters long.
    text = joined_text(page, rows, [b"\0" if start else b"" for start in starts.tolist()])
    return LeafBlocks(
        read=read,
        holder=holder,
        rows=elements.astype(np.int32),
        texts=tuple("".join(text.split()).lower().split("\0")[1:]),
        chars=np.add.reduceat(page.chars[rows], at, dtype=np.int64) if len(rows) else np.zeros(0, dtype=np.int64),
        first=rows[at].astype(np.int32),
        nodes=nodes.astype(np.int64),
    )


def squeezed(words: Iterable[str]) -> tuple[str, ...]:
    """Words as they stand in the text of leaf blocks: without white space, in lower case."""
    return tuple("".join(word.split()).lower() for word in words)
