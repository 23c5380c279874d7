"""How much of each block is in the gold text: the soft labels of training."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from duramen.page import Blocks, FloatArray, IntArray, Page, Selection
from duramen.render.flow import NONE, flow
from duramen.render.options import EVERYTHING_SHOWN

# The words of the measure: Han and kana are words by character.
_CJK = re.compile("[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]")
_WORD = re.compile(r"\w+")

GRAM = 3  # words that vote together
LONG_BLOCK = 5  # from so many words a block finds its place in the gold by itself
LEAST_SHARE = 0.4  # of a long block that must be found
MOST_PLACES = 40  # of one gram in the gold that are looked at
MOST_HOLDING = 3  # texts that may have a snippet, for it to tell of them
NEAR = 30  # words between a short block and the place of its neighbour, at most


def words(text: str) -> list[str]:
    """The words by which extractions are measured."""
    text = text.lower()
    return _WORD.findall(_CJK.sub(r" \g<0> ", text) if _CJK.search(text) else text)


def block_texts(page: Page, blocks: Blocks) -> list[str]:
    """The text of every block, as a rendering of it has it, in one line."""
    begins, ends = page.text_at[blocks.rows].tolist(), page.text_at[blocks.rows + 1].tolist()
    parted = _parted(page, blocks.rows)
    pieces = [b" " * gap + page.text[begin:end] for gap, begin, end in zip(parted, begins, ends)]
    at = blocks.at.tolist()
    return [in_a_line(b"".join(pieces[a:b]).decode("utf-8", "replace")) for a, b in pairwise(at)]


def in_a_line(text: str) -> str:
    """The text with one blank for all white space."""
    return " ".join(text.split())


def _parted(page: Page, rows: IntArray) -> list[bool]:
    """Whether something stands between each of these texts and the one before it: blank texts are in no block."""
    shown = flow(page, Selection(np.ones(len(page), dtype=np.bool_)), EVERYTHING_SHOWN)
    before = np.full(len(page), -1)  # the text that a text touches
    touching = np.flatnonzero(shown.gap == NONE)
    before[shown.rows[touching]] = shown.rows[touching - 1]
    found: list[bool] = (before[rows] != np.concatenate(([-1], rows[:-1]))).tolist()
    return found


def label(blocks: Sequence[Sequence[str]], gold: Sequence[str]) -> FloatArray:
    """The share of each block's words that are found in the gold, each word of the gold used once.

    Long blocks come first, the longest before the others: their grams vote for a place in the gold. Short ones are
    then looked for between the places of their neighbours.
    """
    return _Alignment(blocks, gold).label()


class _Alignment:
    def __init__(self, blocks: Sequence[Sequence[str]], gold: Sequence[str]) -> None:
        self.blocks, self.gold = blocks, gold
        self.free = bytearray(b"\1") * len(gold)
        self.share = np.zeros(len(blocks))
        self.place: dict[int, tuple[int, int]] = {}  # block → its span of the gold
        self.grams: dict[tuple[str, ...], list[int]] = defaultdict(list)
        for at in range(len(gold) - GRAM + 1):
            self.grams[tuple(gold[at : at + GRAM])].append(at)
        self.first: dict[str, list[int]] = defaultdict(list)
        for at, word in enumerate(gold):
            self.first[word].append(at)

    def label(self) -> FloatArray:
        if not self.gold:
            return self.share
        long = [k for k, block in enumerate(self.blocks) if len(block) >= LONG_BLOCK]
        for k in sorted(long, key=lambda k: (-len(self.blocks[k]), k)):
            self._long(k)
        placed = sorted(self.place)
        for k, block in enumerate(self.blocks):
            if 0 < len(block) < LONG_BLOCK:
                self._short(k, placed)
        return self.share

    def _long(self, k: int) -> None:
        block, free, gold = self.blocks[k], self.free, self.gold
        hits: list[tuple[int, int]] = []
        votes: Counter[int] = Counter()
        for i in range(len(block) - GRAM + 1):
            places = self.grams.get(tuple(block[i : i + GRAM]))
            if places:
                for at in places[:MOST_PLACES]:
                    if free[at]:
                        hits.append((i, at))
                        votes[at - i] += 1
        if not votes:
            return
        shift = max(votes, key=lambda each: (votes[each], -each))
        drift = max(10, len(block) // 3)  # words that only one side has
        found: set[int] = set()
        used: set[int] = set()
        for i, at in hits:
            if abs(at - i - shift) <= drift:
                found.update(range(i, i + GRAM))
                used.update(range(at, at + GRAM))
        # The words beside a gap, where both sides go on alike.
        for i in range(len(block)):
            at = i + shift
            if i not in found and 0 <= at < len(gold) and free[at] and gold[at] == block[i]:
                found.add(i)
                used.add(at)
        share = len(found) / len(block)
        if share >= LEAST_SHARE:
            self.share[k] = share
            self.place[k] = min(used), max(used) + 1
            for at in used:
                free[at] = 0

    def _short(self, k: int, placed: Sequence[int]) -> None:
        block, gold, free = self.blocks[k], self.gold, self.free
        size = len(block)
        wanted = list(block)
        next_at = bisect_left(placed, k)
        before = max((p for p in (self._near(placed, next_at - 1), self.place.get(k - 1)) if p), default=None)
        after = self._near(placed, next_at)
        # A neighbour's place says where to look; without one anywhere will do.
        low = before[1] - 2 if before else (after[0] - NEAR if after else 0)
        high = after[0] + 2 if after else (before[1] + NEAR if before else len(gold))
        if before and after and high < low:
            low, high = before[1] - 2, before[1] + NEAR
        if before and high - low > 4 * NEAR:
            spans = [(low, low + 2 * NEAR), (high - 2 * NEAR, high)]
        else:
            spans = [(low, high)]
        places = self.first.get(wanted[0], ())
        for low, high in spans:
            for at in places[bisect_left(places, low) :] if places else ():
                if at + size > high + 2:
                    break
                if free[at] and list(gold[at : at + size]) == wanted and all(free[at : at + size]):
                    self.share[k] = 1.0
                    self.place[k] = at, at + size
                    for used in range(at, at + size):
                        free[used] = 0
                    return

    def _near(self, placed: Sequence[int], at: int) -> tuple[int, int] | None:
        return self.place[placed[at]] if 0 <= at < len(placed) else None


def snippet_labels(texts: Sequence[str], required: Sequence[str], forbidden: Sequence[str]) -> FloatArray:
    """1 for texts with a snippet that belongs to the content, 0 for one that does not, NaN for all others.

    Snippets may begin and end within a word. One that many texts have, such as "PDF", tells nothing of them.
    """
    found = np.full(len(texts), np.nan)
    for snippets, share in ((forbidden, 0.0), (required, 1.0)):
        for wanted in filter(None, map(in_a_line, snippets)):
            holding = [k for k, text in enumerate(texts) if wanted in text]
            if len(holding) <= MOST_HOLDING:
                found[holding] = share
    return found
