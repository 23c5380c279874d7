"""Page → merged text blocks, by pruning and removing elements (Ziegler & Skubacz 2007, §3.1).

Pruned elements go with everything below them. Of removed elements only the tags go, some leaving a blank, and where
they stood is recorded. What is left separates: all text between two tags of other elements is one block.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from duramen.algorithms.pso.linguistic import Offsets, Words, words
from duramen.measure import within
from duramen.page import HREF, Blocks, BoolArray, IntArray, Page
from duramen.parse.characters import CLASSES, SPACE, ZERO_WIDTH
from duramen.tags import tag_mask

# The paper's Figure 2 is not legible: it names script, img, br, b, i, strike, and the classes of its features.
# The last line of each list has what came into use after it.
PRUNE: tuple[str, ...] = tuple(
    """
    head title meta link base script style noscript img map area object embed applet param iframe frame frameset
    select option optgroup textarea input button
    template svg math canvas video audio source track picture datalist noframes noembed
    """.split()
)
REMOVE_WITH_BLANK: tuple[str, ...] = tuple(
    """
    br p h1 h2 h3 h4 h5 h6 ul ol li dl dt dd menu dir center left right blockquote pre address hr
    hgroup
    """.split()
)
REMOVE: tuple[str, ...] = tuple(
    """
    a b i u s em strong strike small big font span tt sub sup abbr acronym cite code q dfn kbd samp var ins del bdo
    nobr label
    mark time data bdi wbr ruby rb rt rp rtc
    """.split()
)

_ZERO_WIDTH = re.compile(f"[{''.join(map(chr, ZERO_WIDTH))}]")
_GLUE = ("", " ", "\n")  # before a text row: it goes on, a blank stands there, a new block begins


@dataclass(frozen=True, slots=True, eq=False)
class TextBlocks:
    """The blocks of a page that hold a word, and all that is counted in them."""

    page: Page
    blocks: Blocks  # the text rows of each, without blank ones
    owner: IntArray  # for each row of the page the block that its text or its removed tag belongs to; -1: none
    text: str  # the normalised text of all blocks, and of what between them holds no word
    at: Offsets  # where the text of each block starts …
    end: Offsets  # … and where it ends
    words: Words  # of `text`
    block: NDArray[np.int64]  # each word's block
    linked: BoolArray  # whether a word starts inside a link

    def __len__(self) -> int:
        return len(self.blocks)

    def texts(self) -> list[str]:
        """The text of each block, white space collapsed."""
        return [" ".join(self.text[a:b].split()) for a, b in zip(self.at.tolist(), self.end.tolist())]

    def elements(self, names: Iterable[str]) -> NDArray[np.int64]:
        """How many of the named elements were removed from each block."""
        rows = self.page.named(*names) & (self.owner >= 0)
        return np.bincount(self.owner[rows], minlength=len(self))

    def count_words(self) -> NDArray[np.int64]:
        """The words of each block."""
        return np.bincount(self.block, minlength=len(self))

    def count_linked(self) -> NDArray[np.int64]:
        """The words of each block inside links."""
        return np.bincount(self.block[self.linked], minlength=len(self))

    def count_visible(self) -> NDArray[np.int64]:
        """The characters of each block that are not white space."""
        points = np.frombuffer(self.text.encode("utf-32-le"), dtype=np.uint32)
        visible = np.zeros(len(points) + 1, dtype=np.int64)
        np.cumsum((CLASSES[points] & SPACE) == 0, out=visible[1:])
        counts: NDArray[np.int64] = visible[self.end] - visible[self.at]
        return counts


def text_blocks(
    page: Page,
    prune: Iterable[str] = PRUNE,
    remove_with_blank: Iterable[str] = REMOVE_WITH_BLANK,
    remove: Iterable[str] = REMOVE,
) -> TextBlocks:
    """The blocks of a page. All elements that are in none of the lists separate them."""
    is_text = page.is_text()
    pruned = within(page, page.has_tag(tag_mask(prune)))
    blank = page.has_tag(tag_mask(remove_with_blank)) & ~pruned
    removed = page.has_tag(tag_mask(remove)) & ~pruned | blank
    run = _tags_before(page, ~(is_text | pruned | removed))  # rows of one run have no separator between them
    rows = np.flatnonzero(is_text & ~pruned)
    return _merge(page, rows, run, _tags_before(page, blank), np.flatnonzero(removed))


def text_nodes(page: Page) -> TextBlocks:
    """Every text node of the page as a block of its own."""
    rows = np.flatnonzero(page.is_text())
    each = np.arange(len(page))
    return _merge(page, rows, each, each, np.zeros(0, dtype=np.intp))


def _tags_before(page: Page, marked: BoolArray) -> NDArray[np.int64]:
    """For each row how many start and end tags of marked elements stand before what is inside it."""
    steps = np.bincount(page.end[marked], minlength=len(page) + 1)[: len(page)] + marked
    return np.cumsum(steps)


def _merge(
    page: Page,
    rows: NDArray[np.intp],
    run: NDArray[np.int64],
    gap: NDArray[np.int64],
    removed: NDArray[np.intp],
) -> TextBlocks:
    """Blocks of the text `rows`: one where `run` does not change, with a blank where `gap` does."""
    starts_run = np.diff(run[rows], prepend=-1) != 0
    starts_word = np.diff(gap[rows], prepend=-1) != 0
    glue = np.where(starts_run, 2, np.where(starts_word, 1, 0))
    pieces = [_GLUE[code] + piece for code, piece in zip(glue.tolist(), _row_texts(page, rows))]
    text = "".join(pieces)
    at = np.zeros(len(pieces) + 1, dtype=np.int64)
    np.cumsum(np.fromiter(map(len, pieces), np.int64, len(pieces)), out=at[1:])
    found = words(text)
    word_row = np.searchsorted(at[1:], found.at, side="right")  # an index into `rows`, as are `first` and `stop`

    # A run is a block when a word starts in it; -1 stands for "in no block".
    first = np.flatnonzero(starts_run)
    stop = np.append(first, len(rows))[1:]
    row_run = np.cumsum(starts_run) - 1
    has_word = np.bincount(row_run[word_row], minlength=len(first)) > 0
    number = np.where(has_word, np.cumsum(has_word) - 1, -1)
    row_block = number[row_run]

    owner = np.full(len(page), -1, dtype=np.int32)
    owner[rows] = row_block
    filled = rows[(page.chars[rows] > 0) & (row_block >= 0)].astype(np.int32)
    filled_at = np.searchsorted(owner[filled], np.arange(int(has_word.sum()) + 1))
    # A removed element is recorded where its first text is; without any, in the run that its tag stands in.
    runs = run[rows[first]]
    known = np.flatnonzero(np.isin(run[removed], runs))
    owner[removed[known]] = number[np.searchsorted(runs, run[removed[known]])]
    following = np.append(filled, len(page))[np.searchsorted(filled, removed)]
    known = np.flatnonzero(following < page.end[removed])
    owner[removed[known]] = owner[following[known]]
    return TextBlocks(
        page=page,
        blocks=Blocks(at=filled_at.astype(np.int32), rows=filled),
        owner=owner,
        text=text,
        at=at[first[has_word]],
        end=at[stop[has_word]],
        words=found,
        block=row_block[word_row],
        linked=_in_links(page)[rows[word_row]],
    )


def _in_links(page: Page) -> BoolArray:
    return within(page, page.named("a") & ((page.flags & HREF) != 0))


def _row_texts(page: Page, rows: NDArray[np.intp]) -> list[str]:
    """The text of each row: composed characters (NFC), nothing of zero width."""
    at, text = page.text_at, page.text
    pieces = [
        text[start:stop].decode("utf-8", "replace") for start, stop in zip(at[rows].tolist(), at[rows + 1].tolist())
    ]
    whole = "".join(pieces)
    if _ZERO_WIDTH.search(whole):
        pieces = [_ZERO_WIDTH.sub("", piece) for piece in pieces]
    if not unicodedata.is_normalized("NFC", whole):
        pieces = [unicodedata.normalize("NFC", piece) for piece in pieces]
    return pieces
