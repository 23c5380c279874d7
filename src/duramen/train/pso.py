"""Learning the bounds of the PSO system (§3.5, §4.1)."""

from __future__ import annotations

import platform
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, replace
from importlib.metadata import version
from typing import Any

import numpy as np

from duramen.algorithms.pso import Feature
from duramen.errors import InputError
from duramen.models.pso import MAX, PsoModel
from duramen.models.trees import Tree
from duramen.page import BoolArray, FloatArray
from duramen.train.cases import Case
from duramen.train.swarm import Fitness, Flight, Swarm, fly
from duramen.version import VERSION

FEWEST_PAGES = 10  # a swarm with eight bounds learns fewer by heart
_EASINGS = 60  # looser values that are tried for each bound


def accept(features: FloatArray, signs: FloatArray, bounds: FloatArray) -> BoolArray:
    """Which rows of features each set of bounds (rows of `bounds`) accepts: `sets × rows`."""
    accepted = np.ones((len(bounds), len(features)), dtype=np.bool_)
    for column, sign in enumerate(signs):
        accepted &= sign * features[:, column] >= sign * bounds[:, column, None]
    return accepted


def signs_of(features: Sequence[Feature]) -> FloatArray:
    """1 for a feature that content has at least so much of, -1 for one that it has at most so much of."""
    return np.array([-1.0 if feature.direction == MAX else 1.0 for feature in features])


def score_bounds(cases: Sequence[Case], signs: FloatArray, bounds: FloatArray) -> FloatArray:
    """The similarity of every case (columns) for every set of bounds (rows)."""
    return np.stack([case.scores(accept(case.features, signs, bounds)) for case in cases], axis=1)


def fitness(cases: Sequence[Case], features: Sequence[Feature]) -> Fitness:
    """μ: the mean similarity over the cases, by position. A position times the scales is a set of bounds."""
    signs, scales = signs_of(features), np.array([feature.scale for feature in features])

    def mean_similarity(positions: FloatArray) -> FloatArray:
        total = np.zeros(len(positions))
        for case in cases:
            total += case.scores(accept(case.features, signs, positions * scales))
        return total / len(cases)

    return mean_similarity


def train(
    cases: Sequence[Case],
    features: Sequence[Feature],
    settings: Swarm,
    progress: Callable[[int, float], None] | None = None,
) -> Flight:
    """Let a swarm learn the bounds on these cases."""
    if len(cases) < FEWEST_PAGES:
        raise InputError(f"there are {len(cases)} pages to train on, and at least {FEWEST_PAGES} are needed")
    return fly(fitness(cases, features), len(features), settings, progress)


def loosened(flight: Flight, cases: Sequence[Case], features: Sequence[Feature], slack: float) -> Flight:
    """A flight whose bounds are eased one after the other, as far as the score falls by no more than `slack` in all.

    The best particle sits at the edge of what it was trained on. Close to the optimum scores are flat, so that bounds
    can give way a good deal before any is lost, and pages unlike those of the training are the better for it.
    """
    signs, scales = signs_of(features), np.array([feature.scale for feature in features])
    bounds, score = flight.position * scales, flight.score
    seen = np.concatenate([case.features for case in cases])
    for column, sign in enumerate(signs.tolist()):
        values = np.unique(seen[:, column])
        looser = values[sign * values < sign * bounds[column]]
        if not len(looser):  # open already
            continue
        tried = np.tile(bounds, (_EASINGS, 1))
        tried[:, column] = np.quantile(looser, np.linspace(0, 1, _EASINGS))[:: int(sign)]  # the loosest first
        scores = score_bounds(cases, signs, tried).mean(axis=1)
        good = np.flatnonzero(scores >= flight.score - slack)
        if len(good):
            bounds, score = tried[good[0]], float(scores[good[0]])
    return replace(flight, position=bounds / scales, score=score)


def made_model(
    flight: Flight,
    features: Sequence[Feature],
    settings: Swarm,
    cases: Sequence[Case],
    about: Mapping[str, Any],
    tree: Tree | None = None,
) -> PsoModel:
    """The model of a flight; `about` says where its cases come from."""
    scales = tuple(feature.scale for feature in features)
    languages = Counter(case.language or "unknown" for case in cases)
    return PsoModel(
        features=tuple(feature.name for feature in features),
        directions=tuple(feature.direction for feature in features),
        scales=scales,
        thresholds=tuple(float(at * scale) for at, scale in zip(flight.position, scales)),
        tree=tree,
        training={
            "score": flight.score,
            "generation": flight.generation,
            "swarm": asdict(settings),
            "pages": len(cases),
            "languages": dict(sorted(languages.items())),
            **about,
            "versions": {
                "duramen": VERSION,
                "python": platform.python_version(),
                "numpy": np.__version__,
                "stopwordsiso": version("stopwordsiso"),
            },
        },
    )
