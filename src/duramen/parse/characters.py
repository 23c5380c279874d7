"""Counts of characters, words, punctuation and CJK characters for every text node, in one vectorised pass."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from duramen.page import BoolArray, IntArray

# Bits of a character's class.
SPACE = 1
CJK = 2  # Han and kana: one word a character
STOP = 4  # a period or comma
GAP = 8  # CJK punctuation: a character, but never a word
NOTHING = 16  # zero-width characters: not counted at all

# str.isspace() of Python, which holds NBSP and the ideographic space.
SPACES = (
    *range(0x09, 0x0E),
    *range(0x1C, 0x21),
    *(0x85, 0xA0, 0x1680),
    *range(0x2000, 0x200B),
    *(0x2028, 0x2029, 0x202F, 0x205F, 0x3000),
)
ZERO_WIDTH = (0x00AD, 0x200B, 0x200C, 0x200D, 0x200E, 0x200F, 0x2060, 0xFEFF)
PERIODS_AND_COMMAS = ".,。，．｡"
CJK_RANGES = (
    (0x3005, 0x3008),
    (0x3041, 0x3097),
    (0x309D, 0x30A0),
    (0x30A1, 0x30FB),
    (0x30FC, 0x3100),
    (0x31F0, 0x3200),
    (0x3400, 0x4DC0),
    (0x4E00, 0xA000),
    (0xF900, 0xFB00),
    (0xFF66, 0xFF9E),
    (0x20000, 0x40000),
)
CJK_PUNCTUATION = (
    (0x3001, 0x3005),
    (0x3008, 0x3021),
    (0x30FB, 0x30FC),
    (0xFF01, 0xFF10),
    (0xFF1A, 0xFF21),
    (0xFF3B, 0xFF41),
    (0xFF5B, 0xFF66),
)


def _classes() -> NDArray[np.uint8]:
    table = np.zeros(0x110000, dtype=np.uint8)
    table[list(SPACES)] |= SPACE
    table[list(ZERO_WIDTH)] |= NOTHING
    for first, stop in CJK_RANGES:
        table[first:stop] |= CJK
    for first, stop in CJK_PUNCTUATION:
        table[first:stop] |= GAP
    table[[ord(mark) for mark in PERIODS_AND_COMMAS]] |= STOP
    table.flags.writeable = False
    return table


CLASSES = _classes()


class Counts(NamedTuple):
    """One entry a row; zero for elements."""

    chars: IntArray
    words: IntArray
    puncts: IntArray
    cjk: IntArray


def code_points(text: bytes, at: IntArray) -> tuple[NDArray[np.uint32], NDArray[np.int64]]:
    """The code points of UTF-8 `text`, and the byte offsets `at` as offsets into them."""
    points = np.frombuffer(text.decode("utf-8", "replace").encode("utf-32-le"), dtype=np.uint32)
    if len(points) == len(text):
        return points, at.astype(np.int64)
    first = (np.frombuffer(text, dtype=np.uint8) & 0xC0) != 0x80
    index = np.zeros(len(text) + 1, dtype=np.int64)
    np.cumsum(first, out=index[1:])
    return points, index[at]


def count(text: bytes, text_at: IntArray, is_text: BoolArray) -> Counts:
    """The counts of every row of a page that is being built."""
    points, at = code_points(text, text_at)
    kind = CLASSES[points]
    if (kind & NOTHING).any():
        visible = (kind & NOTHING) == 0
        kept = np.zeros(len(points) + 1, dtype=np.int64)
        np.cumsum(visible, out=kept[1:])
        kind, at = kind[visible], kept[at]

    starts = at[:-1][is_text]
    space = (kind & SPACE) != 0
    cjk = (kind & CJK) != 0
    joins = ~(space | cjk | ((kind & GAP) != 0))  # characters that form words with their neighbours
    fresh = np.zeros(len(kind) + 1, dtype=np.bool_)  # first character of a text node
    fresh[starts] = True

    after_space = np.concatenate(([True], space[:-1])) | fresh[:-1]
    token_starts = ~space & after_space
    word_starts = joins & (np.concatenate(([True], ~joins[:-1])) | fresh[:-1])

    def per_row(marks: NDArray[np.bool_]) -> IntArray:
        running = np.zeros(len(kind) + 1, dtype=np.int32)
        np.cumsum(marks, out=running[1:])
        totals: IntArray = np.where(is_text, running[at[1:]] - running[at[:-1]], 0).astype(np.int32)
        return totals

    # Every white-space run between two tokens counts as one character.
    chars = per_row(~space) + np.maximum(per_row(token_starts) - 1, 0)
    han = per_row(cjk)
    return Counts(chars, per_row(word_starts) + han, per_row((kind & STOP) != 0), han)
