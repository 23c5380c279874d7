"""The model of page types: a linear part over hashed signals, and small trees over its scores and the counts."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from duramen.models import read_model
from duramen.models.forest import sum_leaves

KIND = "page-type"
VERSION = 2
WEIGHT_STEPS = 1000  # weights are kept as whole thousandths

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class Forest:
    """Trees of several types as one set of node arrays; leaves have -1 as children and their value."""

    roots: Ints
    kinds: Ints  # tree → the type that it speaks for
    feature: Ints
    threshold: Floats
    left: Ints  # children come after their parent
    right: Ints
    value: Floats
    nodes: NDArray[np.int32] = field(init=False)  # feature, left and right of each node, close together
    limits: Floats = field(init=False)  # a node's threshold, or a leaf's value

    def __post_init__(self) -> None:
        nodes = np.ascontiguousarray(np.stack((self.feature, self.left, self.right), axis=1), dtype=np.int32)
        object.__setattr__(self, "nodes", nodes)
        object.__setattr__(self, "limits", np.where(self.left >= 0, self.threshold, self.value))

    def scores(self, features: Floats, types: int) -> Floats:
        """The sum of the leaves that one page comes to, for each type."""
        sums = np.zeros(types)
        sum_leaves(self, np.ascontiguousarray(features).data, sums.data)
        return sums


@dataclass(frozen=True, slots=True, eq=False)
class HashIndex:
    """Sorted hashes, and what finds one among them: most that are none of them are told by a single bit."""

    hashes: NDArray[np.uint32]
    starts: NDArray[np.int32]  # by the upper 12 bits of a hash
    likely: NDArray[np.uint8]  # a bit for the upper 16 bits of each hash


def _index(hashes: NDArray[np.uint32]) -> HashIndex:
    starts = np.searchsorted(hashes, np.arange((1 << 12) + 1, dtype=np.uint64) << np.uint64(20)).astype(np.int32)
    marked = np.zeros(1 << 16, dtype=np.uint8)
    marked[hashes >> np.uint32(16)] = 1
    return HashIndex(np.ascontiguousarray(hashes), starts, np.packbits(marked, bitorder="little"))


@dataclass(frozen=True, slots=True, eq=False)
class PageTypeModel:
    """What was learned of page types."""

    types: tuple[str, ...]
    counts: tuple[str, ...]  # names of the counts that it was trained with
    hashes: NDArray[np.uint32]  # sorted
    weights: Floats  # hash × type
    mean: Floats
    scale: Floats
    count_weights: Floats  # count × type
    bias: Floats
    forest: Forest
    share: float  # of the forest in the result; the rest is the linear part's
    training: Mapping[str, Any]
    index: HashIndex = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "index", _index(self.hashes))

    def known(self, hashes: NDArray[np.uint32]) -> NDArray[np.bool_]:
        """Which of the model's signals are among some hashes."""
        marks: NDArray[np.bool_] = np.isin(self.hashes, hashes)
        return marks

    def linear(self, known: NDArray[np.bool_], counts: Floats) -> Floats:
        """The scores of the linear part."""
        scaled = (counts - self.mean) / self.scale
        told = self.weights.take(np.flatnonzero(known), axis=0)
        scores: Floats = np.add.reduce(told) + scaled @ self.count_weights + self.bias
        return scores

    def probabilities(self, known: NDArray[np.bool_], counts: Floats) -> Floats:
        """How likely each type is, given which of the model's signals a page has, and its counts."""
        linear = self.linear(known, counts)
        forest = self.forest.scores(np.concatenate((counts, linear)), len(self.types))
        by_trees, by_lines = softmax(np.array((forest, linear)))
        shares: Floats = self.share * by_trees + (1 - self.share) * by_lines
        return shares

    def to_dict(self) -> dict[str, Any]:
        """The model for JSON."""
        forest = self.forest
        return {
            "format": f"duramen {KIND}",
            "version": VERSION,
            "types": list(self.types),
            "counts": list(self.counts),
            "hashes": self.hashes.tolist(),
            "weights": np.rint(self.weights * WEIGHT_STEPS).astype(np.int64).ravel().tolist(),
            "mean": _short(self.mean),
            "scale": _short(self.scale),
            "count_weights": _short(self.count_weights.ravel()),
            "bias": _short(self.bias),
            "share": self.share,
            "forest": {
                "roots": forest.roots.tolist(),
                "kinds": forest.kinds.tolist(),
                "feature": forest.feature.tolist(),
                "threshold": _short(forest.threshold),
                "left": forest.left.tolist(),
                "right": forest.right.tolist(),
                "value": _short(forest.value),
            },
            "training": dict(self.training),
        }


def softmax(scores: Floats) -> Floats:
    """Scores as probabilities, along the last axis."""
    raised = np.exp(scores - np.maximum.reduce(scores, axis=-1, keepdims=True))
    shares: Floats = raised / np.add.reduce(raised, axis=-1, keepdims=True)
    return shares


def model_text(model: PageTypeModel) -> str:
    """The model as it stands in its file."""
    return json.dumps(model.to_dict(), separators=(",", ":")) + "\n"


def page_type_model(name: str) -> PageTypeModel:
    """A shipped model by name, or one by the path of its `.json` file."""
    return read_model(KIND, VERSION, name, _make) if name.endswith(".json") or "/" in name else _shipped(name)


@lru_cache(maxsize=4)
def _shipped(name: str) -> PageTypeModel:
    return read_model(KIND, VERSION, name, _make)


def _short(values: Floats) -> list[float]:
    return [float(f"{value:.5g}") for value in values.tolist()]


def _make(found: Mapping[str, Any]) -> PageTypeModel:
    types, counts = tuple(map(str, found["types"])), tuple(map(str, found["counts"]))
    hashes = np.array(found["hashes"], dtype=np.uint32)
    weights = np.array(found["weights"], dtype=np.float64).reshape(len(hashes), len(types)) / WEIGHT_STEPS
    mean, scale, bias = (np.array(found[name], dtype=np.float64) for name in ("mean", "scale", "bias"))
    count_weights = np.array(found["count_weights"], dtype=np.float64).reshape(len(counts), len(types))
    if mean.shape != (len(counts),) or scale.shape != mean.shape or bias.shape != (len(types),) or not len(hashes):
        raise ValueError("its arrays differ in length")
    forest = _make_forest(found["forest"], len(counts) + len(types), len(types))
    return PageTypeModel(
        *(types, counts, hashes, weights, mean, scale, count_weights, bias, forest, float(found["share"])),
        training=dict(found.get("training", {})),
    )


def _make_forest(found: Mapping[str, Any], features: int, types: int) -> Forest:
    roots, kinds, feature, left, right = (
        np.array(found[name], dtype=np.int64) for name in ("roots", "kinds", "feature", "left", "right")
    )
    threshold, value = (np.array(found[name], dtype=np.float64) for name in ("threshold", "value"))
    size = len(feature)
    if any(array.shape != (size,) for array in (left, right, threshold, value)) or roots.shape != kinds.shape:
        raise ValueError("the arrays of the forest differ in length")
    inner, own = left >= 0, np.arange(size)
    good = (left > own) & (right > own) & (left < size) & (right < size) & (feature >= 0) & (feature < features)
    starts = (roots >= 0) & (roots < size) & (kinds >= 0) & (kinds < types)
    if not good[inner].all() or not starts.all():
        raise ValueError("a node of the forest leads nowhere")
    return Forest(roots, kinds, feature, threshold, left, right, value)
