"""Means of hidden units over the parts of a page that a block belongs to: what a network sees beyond the block."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from duramen.algorithms.learned.features import Context
from duramen.algorithms.learned.network import POOL_WORDS
from duramen.models.default import POOLS
from duramen.page import IntArray

Floats = NDArray[np.float32]
Places = NDArray[np.intp]


class Pool(NamedTuple):
    """Blocks in parts; the mean of a part is told to each of its blocks."""

    part: Places  # block → its part
    share: Floats  # what the block counts in that part, as a column
    order: Places  # blocks by part
    start: Places  # where in that order each part begins

    def means(self, values: Floats) -> Floats:
        """For each block the mean of its part."""
        found: Floats = np.add.reduceat((values * self.share)[self.order], self.start)[self.part]
        return found

    def slopes(self, slopes: Floats) -> Floats:
        """The slopes by the values, from those by their means."""
        found: Floats = np.add.reduceat(slopes[self.order], self.start)[self.part] * self.share
        return found


def pools_of(shared: Context) -> tuple[Pool, ...]:
    """The pools of a page, in the order of their names in `POOLS`."""
    parts: dict[str, IntArray] = {"page": np.zeros(len(shared.raw), dtype=np.int32), "group": shared.group}
    return tuple(pool(parts[name], shared.words + POOL_WORDS) for name in POOLS)


def pool(key: IntArray, weight: NDArray[np.float64]) -> Pool:
    """Blocks with the same key make a part."""
    part = np.unique(key, return_inverse=True)[1].reshape(-1)
    order = np.argsort(part, kind="stable")
    start = np.searchsorted(part[order], np.arange(int(part.max()) + 1))
    share = weight / np.bincount(part, weight)[part]
    return Pool(part, share.astype(np.float32)[:, None], order, start)


def joined(pools: Sequence[Pool]) -> Pool:
    """The pools of several pages as one."""
    blocks = np.cumsum([0, *(len(each.part) for each in pools)])
    parts = np.cumsum([0, *(len(each.start) for each in pools)])
    return Pool(
        np.concatenate([each.part + first for each, first in zip(pools, parts)]),
        np.concatenate([each.share for each in pools]),
        np.concatenate([each.order + first for each, first in zip(pools, blocks)]),
        np.concatenate([each.start + first for each, first in zip(pools, blocks)]),
    )
