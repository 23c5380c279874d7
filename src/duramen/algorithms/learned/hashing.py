"""Words and names of a whole buffer as hashes, without a Python object a word."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from duramen.page import BoolArray

Bytes = NDArray[np.uint8]
Hashes = NDArray[np.uint32]
Offsets = NDArray[np.int64]

_BASE = 0x9E3779B97F4A7C15  # odd, so that its powers have inverses modulo 2^64
_INVERSE = pow(_BASE, -1, 1 << 64)
_MIX = np.uint64(0xD6E8FEB86659FD93)
_SMALLEST = 1 << 14  # powers are kept in tables of at least this size


class Words(NamedTuple):
    """Words in the order of the buffer: where each begins and ends, and its hash."""

    start: Offsets
    end: Offsets
    hash: Hashes


def mixed(values: NDArray[np.uint64]) -> Hashes:
    """32 well-mixed bits of 64."""
    values = (values ^ (values >> np.uint64(32))) * _MIX
    found: Hashes = (values >> np.uint64(32)).astype(np.uint32)
    return found


@lru_cache(maxsize=24)
def _powers(size: int, base: int) -> NDArray[np.uint64]:
    powers = np.full(size, base, dtype=np.uint64)
    powers[0] = 1
    np.cumprod(powers, out=powers)
    powers.flags.writeable = False
    return powers


def hashes(codes: Bytes, start: Offsets, end: Offsets) -> Hashes:
    """The hash of each slice of `codes`: equal bytes have equal hashes, wherever they stand."""
    size = max(_SMALLEST, 1 << (len(codes) + 1).bit_length())
    running = np.zeros(len(codes) + 1, dtype=np.uint64)
    np.cumsum(_powers(size, _BASE)[: len(codes)] * codes, out=running[1:])
    return mixed((running[end] - running[start]) * _powers(size, _INVERSE)[start])


def runs(inside: BoolArray) -> tuple[Offsets, Offsets]:
    """Where each run of true entries begins and ends."""
    padded = np.zeros(len(inside) + 2, dtype=np.int8)
    padded[1:-1] = inside
    edges = np.diff(padded)
    return np.flatnonzero(edges == 1), np.flatnonzero(edges == -1)


def _lower_table() -> Bytes:
    table = np.arange(256, dtype=np.uint8)
    table[65:91] += 32
    return table


_ALNUM = np.zeros(256, dtype=np.bool_)
_ALNUM[[*range(48, 58), *range(65, 91), *range(97, 123)]] = True
_WORD = _ALNUM.copy()
_WORD[0x80:] = True
_LOWER = _lower_table()
_NAME = _LOWER.copy()
_NAME[48:58] = 48  # post-17 and post-18 are one name
_LETTER = _ALNUM.copy()
_LETTER[48:58] = False
_UPPER = np.zeros(256, dtype=np.bool_)
_UPPER[65:91] = True
_BLANK = np.zeros(256, dtype=np.bool_)
_BLANK[[9, 10, 12, 13, 32]] = True


def words_of(text: Bytes) -> Words:
    """The words of UTF-8 text, in lower case as far as ASCII goes; of Han and kana every pair of neighbours."""
    inside = _WORD[text]
    if not (len(text) and int(text.max()) >= 0x80):
        start, end = runs(inside)
        return Words(start, end, hashes(_LOWER[text], start, end))
    cjk = _scripts(text, inside)
    start, end = runs(inside)
    if len(cjk):
        following = np.zeros(len(text) + 4, dtype=np.bool_)
        following[cjk] = True
        start, end = np.concatenate((start, cjk)), np.concatenate((end, cjk + np.where(following[cjk + 3], 6, 3)))
        order = np.argsort(start, kind="stable")
        start, end = start[order], end[order]
    return Words(start, end, hashes(_LOWER[text], start, end))


def _scripts(text: Bytes, inside: BoolArray) -> Offsets:
    """Where Han and kana characters begin; these, and punctuation beyond ASCII, are taken out of `inside`."""
    lead = np.flatnonzero(text >= 0xC2)
    lead = lead[lead < len(text) - 2]
    first, second = text[lead], text[lead + 1]
    latin = lead[first == 0xC2]
    inside[latin] = inside[latin + 1] = False
    punctuation = (first == 0xE2) & (second <= 0x81) | (first == 0xE3) & (second == 0x80)
    punctuation |= (first == 0xEF) & (second >= 0xBC) & (second <= 0xBF)
    ideographs = (first >= 0xE4) & (first <= 0xE9) | (first == 0xE3) & (second > 0x80)
    cut = lead[punctuation | ideographs]
    inside[cut] = inside[cut + 1] = inside[cut + 2] = False
    found: Offsets = lead[ideographs]
    return found


def names_of(values: Bytes, fresh: BoolArray) -> Words:
    """The names in attribute values, and the words in these: `entry-content` is three names.

    `fresh` marks where a value begins. A capital after a small letter begins a word; digits are no part of words.
    """
    if not len(values):
        nothing = np.zeros(0, dtype=np.int64)
        return Words(nothing, nothing, nothing.astype(np.uint32))
    codes = _NAME[values]
    whole, whole_end = _pieces(~_BLANK[values], fresh)
    letters = _LETTER[values]
    upper = _UPPER[values]
    turn = np.zeros(len(values), dtype=np.bool_)
    turn[1:] = upper[1:] & ~upper[:-1]
    part, part_end = _pieces(letters, fresh | turn)
    # A name of one word is listed once.
    single = np.zeros(len(values) + 1, dtype=np.int64)
    single[whole] = whole_end
    again = single[part] == part_end
    part, part_end = part[~again], part_end[~again]
    start, end = np.concatenate((whole, part)), np.concatenate((whole_end, part_end))
    order = np.argsort(start, kind="stable")
    start, end = start[order], end[order]
    return Words(start, end, hashes(codes, start, end))


def _pieces(inside: BoolArray, fresh: BoolArray) -> tuple[Offsets, Offsets]:
    """Runs of true entries, cut where something begins afresh."""
    before = np.zeros(len(inside), dtype=np.bool_)
    before[1:] = inside[:-1]
    after = np.ones(len(inside), dtype=np.bool_)
    after[:-1] = ~inside[1:] | fresh[1:]
    return np.flatnonzero(inside & (~before | fresh)), np.flatnonzero(inside & after) + 1


def hash_names(text: str) -> Hashes:
    """The hashes of names given in one string."""
    codes = np.frombuffer(text.encode(), dtype=np.uint8)
    start, end = runs(~_BLANK[codes])
    return hashes(_NAME[codes], start, end)
