"""Page → what the features and lexicons are made of: blocks, the names of elements, the words of blocks."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from duramen.algorithms.learned.outline import outline, sum_values
from duramen.algorithms.learned.sight import Sight, look
from duramen.algorithms.learned.vocabulary import read_names, read_title, read_words
from duramen.page import Blocks, IntArray, Page

MOST_BLOCKS = 20_000  # of a page that are judged one by one; what follows them is left out
MARKS = 7

Hashes = NDArray[np.uint32]

_NOTHING: Hashes = np.empty(0, dtype=np.uint32)


@dataclass(frozen=True, slots=True, eq=False)
class Raw:
    """A page cut into blocks, with hashes for names and words."""

    page: Page
    sight: Sight
    blocks: Blocks
    boxes: IntArray  # row → the nearest element around it that is not inline
    around: NDArray[np.uint32]  # row → bits of what stands around it, see `outline`
    kind: NDArray[np.uint64]  # row → hash of the element's tag and names
    named: IntArray  # two rows: the row of each attribute with names, and the number of its value
    name_at: IntArray  # value v has the names name_at[v] .. name_at[v+1]-1
    name_hash: Hashes
    word_at: IntArray  # block k has the words word_at[k] .. word_at[k+1]-1
    word_hash: Hashes
    said: NDArray[np.uint64]  # block → hash of its words, whatever their order
    marks: IntArray  # counts of kinds of bytes in each block, see `vocabulary`
    title: Hashes  # of the words of the page's title, sorted

    def __len__(self) -> int:
        return len(self.blocks)

    @property
    def first(self) -> IntArray:
        """The first text row of each block."""
        return self.blocks.rows[self.blocks.at[:-1]]

    @property
    def holder(self) -> IntArray:
        """The element around the first text of each block."""
        return self.page.parent[self.first]

    def names(self) -> tuple[IntArray, Hashes]:
        """Row and hash of each name of an element, in document order."""
        begins, sizes = self.name_at[self.named[1]], np.diff(self.name_at)[self.named[1]]
        ends = np.cumsum(sizes)
        places = np.repeat(begins - (ends - sizes), sizes) + np.arange(int(sizes.sum()))
        return np.repeat(self.named[0], sizes), self.name_hash[places]


def read(page: Page) -> Raw:
    """The blocks of a page and what they are made of."""
    sight = look(page)
    name_at, name_hash = _names(page, sight)
    values = len(name_at) - 1
    sums, bits = np.empty(values, dtype=np.uint64), np.empty(values, dtype=np.uint32)
    sum_values(name_at, name_hash, sums, bits)
    length = len(page)
    kind, around = np.empty(length, dtype=np.uint64), np.empty(length, dtype=np.uint32)
    boxes, rows, at = np.empty(length, dtype=np.int32), np.empty(length, dtype=np.int32), np.empty(length + 1, np.int32)
    texts, count, size, title = outline(page, sight, sums, bits, MOST_BLOCKS, kind, boxes, around, rows, at)
    at, rows = at[: count + 1], rows[:texts]
    word_at, word_hash, said, marks = _words(page, at, rows, size)
    return Raw(
        page,
        sight,
        Blocks(at, rows),
        boxes,
        around,
        kind,
        sight.named,
        name_at,
        name_hash,
        word_at,
        word_hash,
        said,
        marks,
        _title_words(page, title),
    )


def _title_words(page: Page, title: int) -> Hashes:
    """The hashes of the words of the title, sorted."""
    return read_title(page, title) if title >= 0 else _NOTHING


def _names(page: Page, sight: Sight) -> tuple[IntArray, Hashes]:
    """The names in each distinct value of the attributes that name elements: where they begin, and their hashes."""
    distinct = sight.values.shape[1]
    name_at, name_hash = np.empty(distinct + 1, dtype=np.int32), np.empty(2 * sight.size, dtype=np.uint32)
    found = read_names(page, sight.values, name_at, name_hash)
    return name_at, name_hash[:found].copy()


def _words(
    page: Page, at: IntArray, rows: IntArray, size: int
) -> tuple[IntArray, Hashes, NDArray[np.uint64], IntArray]:
    """The words of blocks, whose texts have so many bytes.

    Where those of each begin, their hashes, a hash of all words of a block, and what marks its bytes.
    """
    count = len(at) - 1
    word_hash = np.empty(size // 2 + len(rows) + 1, dtype=np.uint32)
    word_at, said = np.empty(count + 1, dtype=np.int32), np.empty(count, dtype=np.uint64)
    marks = np.empty((MARKS, count), dtype=np.int32)
    found = read_words(page, at, rows, word_hash, word_at, said, marks)
    return word_at, word_hash[:found].copy(), said, marks
