"""What each feature is worth alone (§4.3), and what the settings of the swarm matter (§4.1)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from duramen.algorithms.pso import Feature
from duramen.page import FloatArray
from duramen.train.cases import Case
from duramen.train.pso import score_bounds, signs_of, train
from duramen.train.swarm import PRESETS, Flight, Swarm

POINTS = 41  # bounds that are tried over the range of each feature, and as many again close to zero
POPULATIONS = (25, 50, 200)  # besides the one that is trained with
_TOP = 99.0  # percentile of a ratio at which its sweep ends …
_HIGHEST = 2.0  # … but not above this


@dataclass(frozen=True, slots=True, eq=False)
class Sweep:
    """The mean similarity for each bound of one feature, all others being open."""

    feature: Feature
    bounds: FloatArray
    scores: FloatArray

    @property
    def best(self) -> float:
        """The bound that does best."""
        return float(self.bounds[int(self.scores.argmax())])

    @property
    def score(self) -> float:
        """What it scores."""
        return float(self.scores.max())

    def to_dict(self) -> dict[str, Any]:
        """The sweep for JSON."""
        return {
            "feature": self.feature.name,
            "direction": self.feature.direction,
            "best": self.best,
            "score": self.score,
            "bounds": self.bounds.tolist(),
            "scores": self.scores.tolist(),
        }


def sweep(cases: Sequence[Case], features: Sequence[Feature], points: int = POINTS) -> list[Sweep]:
    """Every feature alone, the most useful first."""
    signs = signs_of(features)
    even = np.linspace(0.0, 1.0, points)
    steps = np.unique(np.concatenate((even, even**2)))
    seen = np.concatenate([case.features for case in cases])
    found = []
    for column, feature in enumerate(features):
        # Counts are tried up to what a particle starts with, ratios up to the largest that are at all common.
        common = min(max(float(np.percentile(seen[:, column], _TOP)), 1e-3), _HIGHEST)
        bounds = np.tile(np.where(signs > 0, -np.inf, np.inf), (len(steps), 1))
        bounds[:, column] = steps * (feature.scale if feature.scale > 1 else common)
        found.append(Sweep(feature, bounds[:, column].copy(), score_bounds(cases, signs, bounds).mean(axis=1)))
    return sorted(found, key=lambda each: -each.score)


def variations(settings: Swarm) -> dict[str, Swarm]:
    """The presets and some sizes of population, each with the seed and length of the given swarm."""
    named = {
        name: replace(preset, particles=settings.particles, generations=settings.generations, seed=settings.seed)
        for name, preset in PRESETS.items()
    }
    return named | {f"{count} particles": replace(settings, particles=count) for count in POPULATIONS}


def trials(
    cases: Sequence[Case],
    features: Sequence[Feature],
    settings: Iterable[tuple[str, Swarm]],
    progress: Callable[[int, float], None] | None = None,
) -> dict[str, Flight]:
    """A flight with each of some settings, to see how far they matter."""
    return {name: train(cases, features, swarm, progress) for name, swarm in settings}
