"""Page → tokens: the body as one sequence of tags and words, as the algorithms before the DOM read a page.

The sequence is that of the parsed tree: an end tag for every element that can have one, whatever the source wrote.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import compress, islice

import numpy as np
from numpy.typing import NDArray

from duramen.algorithms.baselines.scope import scope
from duramen.page import BoolArray, FlagArray, FloatArray, IntArray, Page
from duramen.parse.characters import CJK_PUNCTUATION, CJK_RANGES, SPACES, ZERO_WIDTH
from duramen.tags import TAG_IDS, TAG_NAMES, VOID, tag_mask

Counted = NDArray[np.int64]

START, END, WORDS = range(3)  # a void tag is a start tag without an end

_VOID = tag_mask(VOID & TAG_IDS.keys())
_NAME_CHARS = np.array([len(name) for name in TAG_NAMES])


def _class(points: tuple[int, ...] = (), ranges: tuple[tuple[int, int], ...] = ()) -> str:
    singles = "".join(re.escape(chr(point)) for point in points)
    return singles + "".join(f"{chr(first)}-{chr(stop - 1)}" for first, stop in ranges)


# A word as `Page.words` counts it.
_CJK = _class(ranges=CJK_RANGES)
_WORD = re.compile(f"[{_CJK}]|[^{_CJK}{_class(SPACES, CJK_PUNCTUATION)}]+")
_NOTHING = re.compile(f"[{_class(ZERO_WIDTH)}]")


@dataclass(frozen=True, slots=True, eq=False)
class Tokens:
    """Runs of tokens in document order: a tag is a run of one, a text node the run of all its words."""

    kind: FlagArray  # START, END or WORDS
    row: IntArray  # the page's row: of the element, or of the text node
    at: Counted  # runs + 1: run k is the tokens at[k] .. at[k+1]-1; blank text is an empty run

    def __len__(self) -> int:
        return int(self.at[-1])

    def tag(self) -> BoolArray:
        """Which runs are tags."""
        tag: BoolArray = self.kind != WORDS
        return tag

    def tags(self) -> int:
        """How many tags there are."""
        return int(np.count_nonzero(self.tag()))


def tokenise(page: Page) -> Tokens:
    """The tags and words inside the body, without scripts, style sheets and the like."""
    read = scope(page)
    is_text = page.is_text()
    starts = read.rows & (~is_text | read.text)
    # An element of SVG may have the name of a void one, and children all the same.
    leaf = page.end == np.arange(1, len(page) + 1)
    closable = read.rows & ~is_text & ~(page.has_tag(_VOID) & leaf)
    # A tag stands behind all runs that start before it, and all that end before it: every element that can end and
    # started before, but for those still open, which are its ancestors inside the body.
    started, ending = _running(starts), _running(closable)
    still_open = page.depth - (page.depth[read.body] + 1) if len(page) else page.depth
    first, closed = np.flatnonzero(starts), np.flatnonzero(closable)
    at_start = (started[:-1] + ending[:-1] - still_open)[first]
    stop = page.end[closed]
    at_end = started[stop] + ending[stop] - still_open[closed] - 1

    kind = np.full(len(first) + len(closed), END, dtype=np.uint8)
    row = np.empty(len(kind), dtype=np.int32)
    kind[at_start] = np.where(is_text[first], WORDS, START)
    row[at_start] = first
    row[at_end] = closed
    return Tokens(kind, row, _running(np.where(kind == WORDS, page.words[row], 1)))


def run_chars(page: Page, tokens: Tokens) -> Counted:
    """Characters of each run: of a text node, white space collapsed; of a tag as it would be written out.

    That is `<name attribute="value">` and `</name>`, with nothing escaped.
    """
    name_chars = np.concatenate((_NAME_CHARS, [len(name) for name in page.other_tags])).astype(np.int64)[page.tag]
    # The names and values of an element's attributes, and for each of them a blank, an equals sign and two quotes.
    size = _running(np.diff(_characters(page.attrs, page.attr_name_at)) + 4)
    attribute_chars = size[page.attr_at[1:]] - size[page.attr_at[:-1]]
    by_kind = (name_chars + attribute_chars + 2, name_chars + 3, page.chars)
    chars: Counted = np.choose(tokens.kind, [own[tokens.row] for own in by_kind]).astype(np.int64)
    return chars


def share_inside(inside: BoolArray, at: Counted) -> FloatArray:
    """Which share of each run is inside; `inside` has one entry a token or character, run k is at[k] .. at[k+1]-1.

    An empty run shares the fate of what it stands before.
    """
    running = _running(inside)
    size = np.diff(at)
    follower = np.append(inside, False)[at[:-1]]
    share: FloatArray = np.where(size > 0, (running[at[1:]] - running[at[:-1]]) / np.maximum(size, 1), follower)
    return share


def rows_inside(page: Page, tokens: Tokens, share: FloatArray) -> BoolArray:
    """The text rows of which at least half is inside, given the share of each run; white space between two stays."""
    text = tokens.kind == WORDS
    rows = tokens.row[text]
    kept = np.zeros(len(page), dtype=np.bool_)
    filled = np.flatnonzero(page.chars[rows])
    inside = share[text][filled] >= 0.5
    kept[rows[filled[inside]]] = True
    blank = np.flatnonzero(page.chars[rows] == 0)
    before = np.searchsorted(filled, blank)  # how many texts come before each blank
    around = np.concatenate(([False], inside, [False]))
    kept[rows[blank[around[before] & around[before + 1]]]] = True
    return kept


def row_values(page: Page, tokens: Tokens, values: FloatArray) -> FloatArray:
    """A figure of each run as one of the text rows; NaN elsewhere."""
    found = np.full(len(page), np.nan)
    texts = (tokens.kind == WORDS) & (page.chars[tokens.row] > 0)
    found[tokens.row[texts]] = values[texts]
    return found


def words_inside(page: Page, tokens: Tokens, inside: BoolArray, most: int) -> list[str]:
    """The first `most` words among the tokens that are `inside`."""
    found: list[str] = []
    running = _running(inside)
    filled = (tokens.kind == WORDS) & (running[tokens.at[1:]] > running[tokens.at[:-1]])
    for run in np.flatnonzero(filled)[:most].tolist():
        marks = inside[tokens.at[run] : tokens.at[run + 1]]
        words = compress(spell(page, int(tokens.row[run])), marks)
        found += islice(words, most - len(found))
        if len(found) == most:
            break
    return found


def spell(page: Page, row: int) -> Iterator[str]:
    """The words of a text node, as `Page.words` counts them."""
    return (match[0] for match in _WORD.finditer(_NOTHING.sub("", page.text_of(row))))


def _running(counts: NDArray[np.number] | BoolArray) -> Counted:
    """The totals before each entry, and the total of all."""
    totals = np.zeros(len(counts) + 1, dtype=np.int64)
    np.cumsum(counts, out=totals[1:])
    return totals


def _characters(utf8: bytes, at: IntArray) -> Counted:
    """Offsets into UTF-8 bytes as offsets into its characters."""
    if utf8.isascii():
        return at.astype(np.int64)
    return _running((np.frombuffer(utf8, dtype=np.uint8) & 0xC0) != 0x80)[at]
