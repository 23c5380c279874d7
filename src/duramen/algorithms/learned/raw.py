"""Page → what the features and lexicons are made of: blocks, the names of elements, the words of blocks."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from duramen.algorithms.learned.hashing import Bytes, Hashes, Offsets, mixed, names_of, words_of
from duramen.blocks import BOUNDARIES, blocks
from duramen.measure import nearest
from duramen.page import Blocks, IntArray, Page
from duramen.tags import tag_mask

MOST_BLOCKS = 20_000  # of a page that are judged one by one; what follows them is left out
NAMED = (b"class", b"id", b"role", b"itemprop")  # attributes whose names tell what an element is for

_BOUNDARY = tag_mask(BOUNDARIES - {"br"})


@dataclass(frozen=True, slots=True, eq=False)
class Raw:
    """A page cut into blocks, with hashes for names and words."""

    page: Page
    blocks: Blocks
    first: IntArray  # block → its first text row
    holder: IntArray  # block → the element around its first text
    box: IntArray  # block → the nearest element around it that is not inline
    name_row: IntArray  # name → its element, in document order
    name_hash: Hashes
    kind: NDArray[np.uint64]  # row → hash of the element's tag and names
    word_at: Offsets  # block k has the words word_at[k] .. word_at[k+1]-1
    word_hash: Hashes
    said: NDArray[np.uint64]  # block → hash of its words, whatever their order
    text: Bytes  # the text of all blocks, a space between rows
    text_at: Offsets  # where the text of each block begins, and the end of the last

    def __len__(self) -> int:
        return len(self.first)


def read(page: Page) -> Raw:
    """The blocks of a page and what they are made of."""
    found = blocks(page)
    if len(found) > MOST_BLOCKS:
        at = found.at[: MOST_BLOCKS + 1]
        found = Blocks(at=at, rows=found.rows[: at[-1]])
    first = found.rows[found.at[:-1]]
    text, row_at = _text(page, found.rows)
    words = words_of(text)
    word_at = np.searchsorted(words.start, row_at)[found.at]
    name_row, name_hash = _names(page)
    return Raw(
        page=page,
        blocks=found,
        first=first,
        holder=page.parent[first],
        box=nearest(page, page.has_tag(_BOUNDARY))[first],
        name_row=name_row,
        name_hash=name_hash,
        kind=_kinds(page, name_row, name_hash),
        word_at=word_at,
        word_hash=words.hash,
        said=_said(words.hash, word_at),
        text=text,
        text_at=row_at[found.at],
    )


def _text(page: Page, rows: IntArray) -> tuple[Bytes, Offsets]:
    begins, ends = page.text_at[rows], page.text_at[rows + 1]
    joined = b" ".join([page.text[begin:end] for begin, end in zip(begins.tolist(), ends.tolist())])
    at = np.zeros(len(rows) + 1, dtype=np.int64)
    np.cumsum(ends - begins + 1, out=at[1:])
    return np.frombuffer(joined, dtype=np.uint8), at


def _said(words: Hashes, at: Offsets) -> NDArray[np.uint64]:
    running = np.zeros(len(words) + 1, dtype=np.uint64)
    np.cumsum(mixed(words.astype(np.uint64)), out=running[1:], dtype=np.uint64)
    total: NDArray[np.uint64] = running[at[1:]] - running[at[:-1]]
    return total


def _names(page: Page) -> tuple[IntArray, Hashes]:
    """The names that elements have by class, id and role: row and hash of each."""
    starts, middles = page.attr_name_at[:-1], page.attr_value_at
    buffer = np.frombuffer(page.attrs, dtype=np.uint8)
    sizes = middles - starts
    chosen: list[NDArray[np.intp]] = []
    for name in NAMED:
        found = np.flatnonzero(sizes == len(name))
        for place in range(len(name)):
            found = found[buffer[starts[found] + place] == name[place]]
        chosen.append(found)
    attributes = np.sort(np.concatenate(chosen))
    begins, ends = middles[attributes], page.attr_name_at[attributes + 1]
    lengths = ends - begins
    at = np.zeros(len(lengths) + 1, dtype=np.int64)
    np.cumsum(lengths, out=at[1:])
    values = buffer[np.repeat(begins - at[:-1], lengths) + np.arange(at[-1])]
    fresh = np.zeros(len(values) + 1, dtype=np.bool_)
    fresh[at[:-1]] = True
    names = names_of(values, fresh[:-1])
    owner = np.searchsorted(page.attr_at, attributes, side="right").astype(np.int32) - 1
    per_value = np.diff(np.searchsorted(names.start, at))
    return np.repeat(owner, per_value).astype(np.int32), names.hash


def _kinds(page: Page, name_row: IntArray, name_hash: Hashes) -> NDArray[np.uint64]:
    """One number for the tag and the names of each element: alike elements have the same."""
    names = np.bincount(name_row, name_hash >> np.uint32(8), len(page)).astype(np.uint64)
    return mixed(names * np.uint64(256) + page.tag.astype(np.uint64)).astype(np.uint64)
