"""Trees as arrays of nodes, walked from their roots to their leaves.

This file compiles to C, with the types in `forest.pxd`, and runs as Python where it is not compiled.
"""

from __future__ import annotations

from typing import Any


def sum_leaves(forest: Any, features: memoryview, sums: memoryview) -> int:
    """Add to the sum of each tree's type the value of the leaf that the features lead to.

    Children come after their parent, so every walk ends.
    """
    roots, kinds, nodes, limits = forest.roots.data, forest.kinds.data, forest.nodes.data, forest.limits.data
    for tree in range(len(roots)):
        node = roots[tree]
        while nodes[node, 1] >= 0:
            node = nodes[node, 1] if features[nodes[node, 0]] <= limits[node] else nodes[node, 2]
        sums[kinds[tree]] += limits[node]
    return 0
