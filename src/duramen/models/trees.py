"""A decision tree as arrays: applied to many rows at once, kept in a model file as lists."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, slots=True, eq=False)
class Tree:
    """Node k asks whether `feature[k] <= threshold[k]` and goes to `left[k]`, else to `right[k]`; leaves have -1."""

    features: tuple[str, ...]  # the names of the columns
    feature: NDArray[np.int64]
    threshold: NDArray[np.float64]
    left: NDArray[np.int64]  # children come after their parent
    right: NDArray[np.int64]
    share: NDArray[np.float64]  # of content among the cases that reached a node

    def __len__(self) -> int:
        return len(self.feature)

    def leaves(self) -> int:
        """How many nodes ask nothing."""
        return int(np.count_nonzero(self.left < 0))

    def shares(self, rows: NDArray[np.float64]) -> NDArray[np.float64]:
        """The share of content in the leaf that each row comes to."""
        node = np.zeros(len(rows), dtype=np.int64)
        asked = np.flatnonzero(self.left[node] >= 0)
        while len(asked):
            at = node[asked]
            yes = rows[asked, self.feature[at]] <= self.threshold[at]
            node[asked] = np.where(yes, self.left[at], self.right[at])
            asked = asked[self.left[node[asked]] >= 0]
        return self.share[node]

    def to_dict(self) -> dict[str, Any]:
        """The tree for JSON."""
        return {
            "features": list(self.features),
            "feature": self.feature.tolist(),
            "threshold": self.threshold.tolist(),
            "left": self.left.tolist(),
            "right": self.right.tolist(),
            "share": [round(share, 4) for share in self.share.tolist()],
        }


def read_tree(found: Mapping[str, Any]) -> Tree:
    """The tree of `Tree.to_dict`; ValueError where it is none."""
    feature, left, right = (np.array(found[name], dtype=np.int64) for name in ("feature", "left", "right"))
    threshold, share = (np.array(found[name], dtype=np.float64) for name in ("threshold", "share"))
    tree = Tree(tuple(map(str, found["features"])), feature, threshold, left, right, share)
    size = len(tree)
    if not size or any(array.shape != (size,) for array in (feature, left, right, threshold, share)):
        raise ValueError("the arrays of the tree differ in length")
    inner = tree.left >= 0
    own = np.arange(size)
    good = (tree.left > own) & (tree.right > own) & (tree.left < size) & (tree.right < size)
    good &= (tree.feature >= 0) & (tree.feature < len(tree.features))
    if not good[inner].all() or not (np.isfinite(tree.threshold).all() and np.isfinite(tree.share).all()):
        raise ValueError("a node of the tree leads nowhere")
    return tree
