"""A decision tree in the manner of C4.5 (the paper's outlook, §4.4): gain ratio, binary splits, pessimistic pruning.

What C4.5 does besides, and this does not: raising a subtree in its parent's place, missing values, windowing.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

from duramen.models.trees import Tree
from duramen.page import FloatArray
from duramen.train.cases import Case


@dataclass(frozen=True, slots=True)
class Growth:
    """The settings of a tree."""

    fewest: int = 2  # cases in a branch
    confidence: float = 0.25  # CF of the pessimistic estimate: less prunes more; 1 prunes nothing

    def __post_init__(self) -> None:
        if self.fewest < 1 or not 0 < self.confidence <= 1:
            raise ValueError("fewest is at least 1, and confidence lies between 0 and 1")


PLAIN = Growth()


def grow_on(cases: Sequence[Case], names: tuple[str, ...], settings: Growth = PLAIN) -> Tree:
    """A tree that tells content blocks from others, learned from the labelled blocks of cases."""
    features = np.concatenate([case.features for case in cases])
    content = np.concatenate([case.content for case in cases]).astype(np.float64)
    blocks = np.concatenate([case.blocks for case in cases]).astype(np.float64)
    return grow(features, blocks - content, content, names, settings)


def grow(
    features: FloatArray, no: FloatArray, yes: FloatArray, names: tuple[str, ...], settings: Growth = PLAIN
) -> Tree:
    """A tree on rows of features of which `no` and `yes` cases are not content and content."""
    nodes = _Nodes()
    waiting: list[tuple[int, NDArray[np.intp]]] = [(nodes.add(no.sum(), yes.sum()), np.arange(len(features)))]
    while waiting:
        node, rows = waiting.pop()
        cut = _best_cut(features[rows], no[rows], yes[rows], settings.fewest)
        if cut is None:
            continue
        column, threshold = cut
        low = features[rows, column] <= threshold
        for side, part in ((nodes.left, rows[low]), (nodes.right, rows[~low])):
            side[node] = nodes.add(no[part].sum(), yes[part].sum())
            waiting.append((side[node], part))
        nodes.feature[node], nodes.threshold[node] = column, threshold
    nodes.prune(settings.confidence)
    return nodes.tree(names)


class _Nodes:
    """A tree under construction."""

    def __init__(self) -> None:
        self.feature: list[int] = []
        self.threshold: list[float] = []
        self.left: list[int] = []
        self.right: list[int] = []
        self.no: list[float] = []
        self.yes: list[float] = []

    def add(self, no: float, yes: float) -> int:
        """A new leaf."""
        self.feature.append(-1)
        self.threshold.append(0.0)
        self.left.append(-1)
        self.right.append(-1)
        self.no.append(float(no))
        self.yes.append(float(yes))
        return len(self.feature) - 1

    def prune(self, confidence: float) -> None:
        """Make a leaf of every node whose branches are not expected to make fewer errors than it would."""
        expected = [0.0] * len(self.feature)
        for node in reversed(range(len(self.feature))):  # children come after their parents
            errors, cases = min(self.no[node], self.yes[node]), self.no[node] + self.yes[node]
            alone = errors + more_errors(errors, cases, confidence)
            expected[node] = alone
            if self.left[node] >= 0:
                below = expected[self.left[node]] + expected[self.right[node]]
                if alone <= below + 0.1:  # C4.5's own slack
                    self.left[node] = self.right[node] = self.feature[node] = -1
                    self.threshold[node] = 0.0
                else:
                    expected[node] = below

    def tree(self, names: tuple[str, ...]) -> Tree:
        """The nodes that can still be reached."""
        order, at = [0], 0
        while at < len(order):
            node = order[at]
            if self.left[node] >= 0:
                order += (self.left[node], self.right[node])
            at += 1
        number = {node: k for k, node in enumerate(order)} | {-1: -1}
        cases = [self.no[node] + self.yes[node] for node in order]
        return Tree(
            features=names,
            feature=np.array([self.feature[node] for node in order], dtype=np.int64),
            threshold=np.array([self.threshold[node] for node in order]),
            left=np.array([number[self.left[node]] for node in order], dtype=np.int64),
            right=np.array([number[self.right[node]] for node in order], dtype=np.int64),
            share=np.array([self.yes[node] / max(count, 1) for node, count in zip(order, cases)]),
        )


def _best_cut(features: FloatArray, no: FloatArray, yes: FloatArray, fewest: int) -> tuple[int, float] | None:
    """The column and the threshold with the best gain ratio, among the cuts that gain at least the average."""
    all_no, all_yes = no.sum(), yes.sum()
    total = all_no + all_yes
    if total < 2 * fewest or not all_no or not all_yes:
        return None
    whole = _entropy(all_no, all_yes)
    cuts: list[tuple[float, float, int, float]] = []  # gain, gain ratio, column, threshold
    for column in range(features.shape[1]):
        order = np.argsort(features[:, column], kind="stable")
        values = features[order, column]
        low_no, low_yes = np.cumsum(no[order])[:-1], np.cumsum(yes[order])[:-1]
        low = low_no + low_yes
        possible = np.flatnonzero((values[1:] > values[:-1]) & (low >= fewest) & (total - low >= fewest))
        if not len(possible):
            continue
        low_no, low_yes, low = low_no[possible], low_yes[possible], low[possible]
        high = total - low
        left = low / total * _entropy(low_no, low_yes)
        gains = whole - left - high / total * _entropy(all_no - low_no, all_yes - low_yes)
        best = int(gains.argmax())
        # A column of many values offers many cuts, one of which looks good by chance (Quinlan 1996).
        gain = float(gains[best]) - math.log2(len(possible)) / total
        if gain > 0:
            at = possible[best]
            middle = (values[at] + values[at + 1]) / 2
            # Between neighbouring numbers the middle is rounded to one of them, and may be the higher.
            threshold = float(middle if middle < values[at + 1] else values[at])
            cuts.append((gain, gain / float(_entropy(low[best], high[best])), column, threshold))
    if not cuts:
        return None
    average = sum(cut[0] for cut in cuts) / len(cuts) - 1e-12
    _, _, column, threshold = max((cut for cut in cuts if cut[0] >= average), key=lambda cut: cut[1])
    return column, threshold


def _entropy(no: FloatArray | float, yes: FloatArray | float) -> FloatArray:
    """Bits that it takes to say which of two kinds a case is."""
    total = np.maximum(np.asarray(no) + yes, 1e-300)
    bits: FloatArray = np.zeros(np.shape(total))
    for part in (no, yes):
        share = np.asarray(part) / total
        bits = bits - share * np.log2(np.where(share > 0, share, 1.0))
    return bits


def more_errors(errors: float, cases: float, confidence: float) -> float:
    """How many more errors than were seen a leaf is expected to make: the upper limit at this confidence (Quinlan)."""
    if confidence >= 1 or not cases:
        return 0.0
    if errors < 1:
        none = float(cases * (1 - confidence ** (1 / cases)))
        return none + errors * (more_errors(1.0, cases, confidence) - none) if errors else none
    if errors + 0.5 >= cases:
        return 0.67 * (cases - errors)
    square = float(NormalDist().inv_cdf(1 - confidence) ** 2)
    seen = errors + 0.5
    limit = (seen + square / 2 + math.sqrt(square * (seen * (1 - seen / cases) + square / 4))) / (cases + square)
    return cases * limit - errors
