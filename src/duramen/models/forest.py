"""Trees as arrays of nodes, walked from their roots to their leaves.

This file compiles to C, with the types in `forest.pxd`, and runs as Python where it is not compiled.
"""

from __future__ import annotations

from typing import Any


def sum_leaves(forest: Any, features: memoryview, sums: memoryview) -> int:
    """Add to the sum of each tree's type the value of the leaf that the features lead to.

    Children come after their parent, so every walk ends.
    """
    roots, kinds, feature, threshold = forest.roots.data, forest.kinds.data, forest.feature.data, forest.threshold.data
    left, right, value = forest.left.data, forest.right.data, forest.value.data
    for tree in range(len(roots)):
        node = roots[tree]
        while left[node] >= 0:
            node = left[node] if features[feature[node]] <= threshold[node] else right[node]
        sums[kinds[tree]] += value[node]
    return 0
