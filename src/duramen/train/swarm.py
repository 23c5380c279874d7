"""Particle Swarm Optimization: Algorithm 1 of Ziegler & Skubacz, whole generations at a time."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Literal

import numpy as np

from duramen.page import FloatArray

Fitness = Callable[[FloatArray], FloatArray]
"""The worth of each of many positions (rows), the higher the better."""


@dataclass(frozen=True, slots=True)
class Swarm:
    """The settings of a swarm."""

    particles: int = 100
    generations: int = 100
    inertia: float = 0.9  # ω
    cognitive: float = 2.0  # τ: the pull of a particle's own best position
    social: float = 2.0  # φ: the pull of the best particle
    vmax: float | None = 0.5  # greatest velocity in each dimension; None: as the algorithm is printed
    best: Literal["population", "personal"] = "population"  # the best of the present population, or of all own bests
    patience: int | None = None  # stop after so many generations without gain; None: go on to the end
    lowest: float = 0.0  # first positions are drawn between this and 1; bounds of features from 0 are open below 0
    seed: int = 0

    def __post_init__(self) -> None:
        if self.particles < 1 or self.generations < 1:
            raise ValueError("a swarm has at least one particle and one generation")
        if not all(math.isfinite(value) and value >= 0 for value in (self.inertia, self.cognitive, self.social)):
            raise ValueError("inertia, cognitive and social are numbers from 0")
        if self.vmax is not None and not self.vmax > 0:
            raise ValueError(f"vmax is greater than 0, or none; not {self.vmax}")
        if self.best not in ("population", "personal"):
            raise ValueError(f"best is population or personal, not {self.best!r}")
        if not self.lowest < 1:
            raise ValueError(f"lowest is less than 1, not {self.lowest}")
        if self.patience is not None and self.patience < 1:
            raise ValueError(f"patience is at least 1, or none; not {self.patience}")


PRESETS: Mapping[str, Swarm] = MappingProxyType(
    {
        "default": Swarm(),
        "cognitive": Swarm(cognitive=2.5, social=1.5),
        "constriction": Swarm(inertia=0.729, cognitive=1.494, social=1.494, best="personal"),
        "printed": Swarm(vmax=None),
    }
)
"""Named settings. The paper's better run favoured cognition, with values that it does not print; `constriction` is
the usual cure for swarms that diverge; `printed` is Algorithm 1 to the letter, which does diverge."""


@dataclass(frozen=True, slots=True, eq=False)
class Flight:
    """What a swarm has found, and its way there. Generation 0 is the one drawn at random."""

    position: FloatArray  # the best ever seen …
    score: float
    generation: int  # … in this generation
    best: FloatArray  # best score of each generation
    mean: FloatArray  # mean score of each generation

    def to_dict(self) -> dict[str, Any]:
        """The flight for JSON."""
        return {
            "score": self.score,
            "generation": self.generation,
            "best": self.best.tolist(),
            "mean": self.mean.tolist(),
        }


def step(
    position: FloatArray,
    velocity: FloatArray,
    own_best: FloatArray,
    leader: FloatArray,
    r1: FloatArray,
    r2: FloatArray,
    settings: Swarm,
) -> tuple[FloatArray, FloatArray]:
    """The next positions and velocities: w ← ω·w + r1·τ·(p̂ − p) + r2·φ·(p_b − p), p ← p + w."""
    pull = r1 * settings.cognitive * (own_best - position) + r2 * settings.social * (leader - position)
    velocity = settings.inertia * velocity + pull
    if settings.vmax is not None:
        velocity = np.clip(velocity, -settings.vmax, settings.vmax)
    return position + velocity, velocity


def fly(
    fitness: Fitness, dimensions: int, settings: Swarm, progress: Callable[[int, float], None] | None = None
) -> Flight:
    """Let a swarm search for the best position; `progress` is told each generation and the best score so far."""
    chance = np.random.Generator(np.random.PCG64(settings.seed))
    position = settings.lowest + (1 - settings.lowest) * chance.random((settings.particles, dimensions))
    velocity = np.zeros_like(position)
    score = fitness(position)
    own_best, own_score = position.copy(), score.copy()
    top = int(score.argmax())  # the lowest index among equals
    found, found_score, found_in = position[top].copy(), float(score[top]), 0
    best, mean = [float(score.max())], [float(score.mean())]
    for generation in range(1, settings.generations + 1):
        leader = position[int(score.argmax())] if settings.best == "population" else own_best[int(own_score.argmax())]
        # r1 and r2 in the order in which the loops of the algorithm draw them.
        draws = chance.random((settings.particles, dimensions, 2))
        position, velocity = step(position, velocity, own_best, leader, draws[..., 0], draws[..., 1], settings)
        score = fitness(position)
        better = score > own_score
        own_best[better], own_score[better] = position[better], score[better]
        top = int(score.argmax())
        if score[top] > found_score:
            found, found_score, found_in = position[top].copy(), float(score[top]), generation
        best.append(float(score.max()))
        mean.append(float(score.mean()))
        if progress is not None:
            progress(generation, found_score)
        if settings.patience is not None and generation - found_in >= settings.patience:
            break
    return Flight(found, found_score, found_in, np.array(best), np.array(mean))
