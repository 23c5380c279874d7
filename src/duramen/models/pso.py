"""The model of the PSO system: a bound for each feature, and a decision tree beside them."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

from duramen.models import read_model
from duramen.models.trees import Tree, read_tree

VERSION = 1
MIN, MAX = "min", "max"


@dataclass(frozen=True, slots=True, eq=False)
class PsoModel:
    """What training has found, and how."""

    features: tuple[str, ...]
    directions: tuple[str, ...]  # MIN: content has at least as much, MAX: at most
    scales: tuple[float, ...]  # a particle's position times these is its bounds
    thresholds: tuple[float, ...]
    tree: Tree | None = None
    training: Mapping[str, Any] = field(default_factory=lambda: MappingProxyType({}))

    def __post_init__(self) -> None:
        lengths = {len(self.features), len(self.directions), len(self.scales), len(self.thresholds)}
        if len(lengths) != 1 or not self.features:
            raise ValueError("features, directions, scales and thresholds differ in length")
        if not set(self.directions) <= {MIN, MAX}:
            raise ValueError(f"directions are {MIN} or {MAX}")
        if not all(map(math.isfinite, (*self.scales, *self.thresholds))):
            raise ValueError("scales and thresholds are numbers")

    def to_dict(self) -> dict[str, Any]:
        """The model for JSON."""
        return {
            "format": "duramen pso",
            "version": VERSION,
            "features": list(self.features),
            "directions": list(self.directions),
            "scales": list(self.scales),
            "thresholds": list(self.thresholds),
            "training": dict(self.training),
            "tree": None if self.tree is None else self.tree.to_dict(),
        }


def model_text(model: PsoModel) -> str:
    """The model as it is written to a file: JSON, one entry a line."""
    entries = (f"{json.dumps(name)}: {json.dumps(value, allow_nan=False)}" for name, value in model.to_dict().items())
    return "{\n" + ",\n".join(entries) + "\n}\n"


def load_pso(name: str) -> PsoModel:
    """A shipped model, or the one in a file; `ModelError` where there is none that can be used."""
    return read_model("pso", VERSION, name, _made)


def _made(found: Mapping[str, Any]) -> PsoModel:
    tree = found.get("tree")
    return PsoModel(
        features=tuple(map(str, found["features"])),
        directions=tuple(found["directions"]),
        scales=tuple(map(float, found["scales"])),
        thresholds=tuple(map(float, found["thresholds"])),
        tree=None if tree is None else read_tree(tree),
        training=MappingProxyType(dict(found.get("training", {}))),
    )
