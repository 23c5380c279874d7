"""Page → lines: the body as it would be written out, with a line break where a text node has one.

Line breaks and white space inside tags are not in the page any more; those between tags and in the text are.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from duramen.algorithms.baselines.tokens import WORDS, Tokens, run_chars
from duramen.page import BoolArray, FloatArray, IntArray, Page
from duramen.parse.characters import CLASSES, NOTHING, SPACE, code_points

Counted = NDArray[np.int64]

LONG_LINES = 10  # a page whose mean line is so many times the wrap is written in long lines …
FEW_LINES = 10  # … and so is one of fewer lines than this
_NEWLINE = 0x0A


@dataclass(frozen=True, slots=True, eq=False)
class Lines:
    """The lines of a page that are not blank. Characters that are not white space are numbered through."""

    tags: Counted  # per line: tags that start in it
    chars: Counted  # per line: characters outside of tags, white space collapsed and stripped
    at: Counted  # lines + 1: the numbers of its characters that are not white space
    run_at: Counted  # runs of tokens + 1: likewise
    wrapped: bool

    def __len__(self) -> int:
        return len(self.tags)

    def mean(self, values: FloatArray | BoolArray) -> FloatArray:
        """The mean of a figure of the lines over the characters of each run of tokens; NaN for tags and blanks."""
        before = np.concatenate(([0.0], np.cumsum(values * np.diff(self.at))))
        line = np.clip(np.searchsorted(self.at, self.run_at, side="right") - 1, 0, len(self) - 1)
        total = np.diff(before[line] + values[line] * (self.run_at - self.at[line]))
        size = np.diff(self.run_at)
        means: FloatArray = np.where(size > 0, total / np.maximum(size, 1), np.nan)
        return means


def lines(page: Page, tokens: Tokens, wrap: int) -> Lines:
    """The lines of a page. Very long ones are broken after each `wrap` characters, but never inside a tag."""
    source = _write(page, tokens)
    starts = source.line_starts
    found = _count(source, starts, wrapped=False)
    size = int(found.chars.sum() + source.tag_size.sum())
    if not len(found) or (len(found) >= FEW_LINES and size <= LONG_LINES * wrap * len(found)):
        return found
    pieces = np.maximum(-(-np.diff(np.append(starts, source.size)) // wrap), 1)
    piece = np.arange(pieces.sum()) - np.repeat(np.cumsum(pieces) - pieces, pieces)
    return _count(source, np.repeat(starts, pieces) + wrap * piece, wrapped=True)


@dataclass(frozen=True, slots=True, eq=False)
class _Source:
    """A page as it would be written out. Places are characters of it, tags included."""

    size: int  # places in all
    line_starts: Counted  # places where a line starts
    run_place: Counted  # per run of tokens: where it starts
    run_char: Counted  # runs + 1: where its text starts among the characters of all text
    tag_place: Counted  # per tag: where it starts
    tag_size: Counted
    visible: IntArray  # characters of text + 1: how many before it are not white space
    word_starts: IntArray  # … and how many of those come after white space
    follows_space: BoolArray  # per character that is not white space: it comes after white space


def _write(page: Page, tokens: Tokens) -> _Source:
    text = tokens.kind == WORDS
    rows = tokens.row[text]
    points, row_at = code_points(page.text, page.text_at)
    # The text of the runs alone, without characters that take no room.
    read = np.zeros(len(page), dtype=np.bool_)
    read[rows] = True
    kind = CLASSES[points]
    taken = np.repeat(read, np.diff(row_at)) & ((kind & NOTHING) == 0)
    before = _running(taken)[row_at]
    points, kind = points[taken], kind[taken]
    chars = np.zeros(len(text), dtype=np.int64)
    chars[text] = before[rows + 1] - before[rows]
    run_char = np.concatenate(([0], np.cumsum(chars)))
    tag_size = np.where(text, 0, run_chars(page, tokens))
    run_place = run_char[:-1] + np.cumsum(tag_size) - tag_size

    space = (kind & SPACE) != 0
    fresh = ~space
    fresh[1:] &= space[:-1]
    newline = np.flatnonzero(points == _NEWLINE)
    run = np.searchsorted(run_char, newline, side="right") - 1
    return _Source(
        size=len(points) + int(tag_size.sum()),
        line_starts=np.concatenate(([0], run_place[run] + newline - run_char[run] + 1)),
        run_place=run_place,
        run_char=run_char,
        tag_place=run_place[~text],
        tag_size=tag_size[~text],
        visible=_running(~space),
        word_starts=_running(fresh),
        follows_space=fresh[~space],
    )


def _count(source: _Source, starts: Counted, *, wrapped: bool) -> Lines:
    """The lines that start at these places."""
    run = np.maximum(np.searchsorted(source.run_place, starts, side="right") - 1, 0)
    if not len(source.run_place):
        char = np.zeros_like(starts)
    else:
        char = np.minimum(source.run_char[run] + starts - source.run_place[run], source.run_char[run + 1])
    at = np.append(source.visible[char], source.visible[-1]).astype(np.int64)
    words = np.diff(np.append(source.word_starts[char], source.word_starts[-1]))
    shown = np.diff(at)
    # White space counts as one character between two words, and for nothing before the first.
    leading = np.append(source.follows_space, False)[at[:-1]]
    chars = np.where(shown > 0, shown + words - leading, 0)
    tags = np.bincount(np.searchsorted(starts, source.tag_place, side="right") - 1, minlength=len(starts))
    filled = (chars > 0) | (tags > 0)
    return Lines(
        tags=tags[filled],
        chars=chars[filled],
        at=np.append(at[:-1][filled], at[-1]),
        run_at=source.visible[source.run_char].astype(np.int64),
        wrapped=wrapped,
    )


def _running(marks: BoolArray) -> IntArray:
    totals = np.zeros(len(marks) + 1, dtype=np.int32)
    np.cumsum(marks, out=totals[1:])
    return totals
