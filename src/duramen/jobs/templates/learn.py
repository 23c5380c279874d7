"""Pages of one site → its templates: the blocks that many of its pages have.

Counts are kept by lossy counting (Manku & Motwani 2002), so that memory does not grow with the number of pages: every
`1 / error` pages the blocks that can no longer matter are forgotten. No count is too high, and none is too low by more
than `error` × pages.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from hashlib import blake2b
from math import ceil

import numpy as np

from duramen.errors import OptionError
from duramen.jobs.templates.keys import KeyArray, block_keys
from duramen.jobs.templates.templates import Templates
from duramen.page import Page


@dataclass(frozen=True, slots=True)
class Learning:
    """How often a block is seen before it counts as part of the template."""

    pages: int = 3  # at least so many pages have it …
    share: float = 0.1  # … and at least this share of the site's pages
    error: float = 0.02  # of the counts, as a share of the pages
    most_blocks: int = 5_000  # of one page that are counted: its first ones

    def __post_init__(self) -> None:
        if self.pages < 2:
            raise OptionError(f"templates: what repeats is on at least 2 pages, not {self.pages}")
        if not 0 < self.error < self.share <= 1:
            raise OptionError(f"templates: 0 < error < share ≤ 1, not {self.error} and {self.share}")


LEARNING = Learning()
"""The settings above."""


class Learner:
    """The counts of one site so far."""

    def __init__(self, learning: Learning = LEARNING) -> None:
        self.learning = learning
        self.pages = 0
        self._counts: dict[int, tuple[int, int]] = {}  # key → pages counted, pages that may have been missed
        self._recent: set[bytes] = set()  # the last pages, each as one hash
        self._width = ceil(1 / learning.error)

    def __len__(self) -> int:
        return len(self._counts)

    def add(self, keys: KeyArray) -> None:
        """Count the blocks of one page, by their keys.

        A page without blocks does not count, nor one equal to a recent page: the same page under several addresses
        would make its content look like a template.
        """
        own = np.unique(keys[: self.learning.most_blocks])
        whole = blake2b(own.tobytes(), digest_size=16).digest()
        if not len(own) or whole in self._recent:
            return
        self._recent.add(whole)
        self.pages += 1
        missed = (self.pages - 1) // self._width
        counts = self._counts
        for key in own.tolist():
            count, before = counts.get(key, (0, missed))
            counts[key] = (count + 1, before)
        if self.pages % self._width == 0:
            bucket = self.pages // self._width
            self._counts = {key: pair for key, pair in counts.items() if pair[0] + pair[1] > bucket}
            self._recent.clear()

    def templates(self) -> Templates:
        """What was learned so far."""
        fewest = max(self.learning.pages, self.learning.share * self.pages)
        slack = self.learning.error * self.pages if self.pages >= self._width else 0.0
        found = sorted((key, count) for key, (count, _) in self._counts.items() if count >= fewest - slack)
        found = [(key, count) for key, count in found if count >= self.learning.pages]
        keys = np.array([key for key, _ in found], dtype=np.uint64)
        counts = np.array([count for _, count in found], dtype=np.int64)
        return Templates(self.pages, keys, counts)


def learn(pages: Iterable[Page], learning: Learning = LEARNING) -> Templates:
    """The templates of one site, from some of its pages."""
    learner = Learner(learning)
    for page in pages:
        learner.add(block_keys(page))
    return learner.templates()
