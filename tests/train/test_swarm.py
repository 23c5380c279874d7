from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from duramen.page import FloatArray
from duramen.train.swarm import PRESETS, Flight, Swarm, fly, step

TARGET = np.linspace(0.2, 0.9, 8)


def hill(position: FloatArray) -> FloatArray:
    """One at the target, and nothing far from it: as with bounds, out there no block is accepted."""
    worth: FloatArray = np.maximum(1 - np.abs(position - TARGET).mean(axis=1), 0.0)
    return worth


def same(one: Flight, other: Flight) -> bool:
    return (
        one.position.tobytes() == other.position.tobytes()
        and (one.score, one.generation) == (other.score, other.generation)
        and one.best.tobytes() == other.best.tobytes()
        and one.mean.tobytes() == other.mean.tobytes()
    )


def test_p3_one_step() -> None:
    p, w, own_best, leader, r1, r2 = (np.array([[value]]) for value in (0.2, 0.1, 0.5, 0.9, 0.25, 0.5))
    position, velocity = step(p, w, own_best, leader, r1, r2, replace(Swarm(), vmax=None))
    assert velocity[0, 0] == pytest.approx(0.94)
    assert position[0, 0] == pytest.approx(1.14)
    position, velocity = step(p, w, own_best, leader, r1, r2, Swarm())  # the clamp
    assert velocity[0, 0] == 0.5
    assert position[0, 0] == pytest.approx(0.7)


def test_presets() -> None:
    assert list(PRESETS) == ["default", "cognitive", "constriction", "printed"]
    default = PRESETS["default"]
    assert (default.particles, default.generations, default.inertia) == (100, 100, 0.9)
    assert (default.cognitive, default.social, default.vmax, default.best) == (2.0, 2.0, 0.5, "population")
    assert (PRESETS["cognitive"].cognitive, PRESETS["cognitive"].social) == (2.5, 1.5)
    assert PRESETS["constriction"].best == "personal"
    assert PRESETS["printed"] == replace(default, vmax=None)


@pytest.mark.parametrize("preset", PRESETS)
def test_the_same_seed_gives_the_same_flight_to_the_bit(preset: str) -> None:
    settings = replace(PRESETS[preset], particles=20, generations=15)
    first = fly(hill, 8, settings)
    assert same(first, fly(hill, 8, settings))
    assert not same(first, fly(hill, 8, replace(settings, seed=1)))


def test_unclamped_it_diverges_as_printed() -> None:
    """ω ≈ 1 and τ + φ ≈ 4 drive particles away: the mean falls to nothing, where the clamp keeps it up."""
    printed, clamped, constricted = (
        fly(hill, 8, replace(PRESETS[name], particles=60, generations=60))
        for name in ("printed", "default", "constriction")
    )
    assert printed.mean[-10:].max() < 0.01
    assert clamped.mean[-10:].min() > 0.1
    assert printed.generation < 15  # what it finds, it finds before that
    assert clamped.score > printed.score
    assert constricted.score > 0.99
    assert constricted.mean[-1] > clamped.mean[-1]


def test_the_best_ever_is_returned_with_its_generation() -> None:
    flight = fly(hill, 8, replace(PRESETS["default"], particles=30, generations=40))
    assert flight.score == flight.best.max() == flight.best[flight.generation]
    assert flight.generation == int(flight.best.argmax())  # the first of equals
    assert hill(flight.position[None])[0] == flight.score
    assert len(flight.best) == len(flight.mean) == 41


def test_the_first_of_equal_particles_leads() -> None:
    seen: list[FloatArray] = []

    def flat(position: FloatArray) -> FloatArray:
        seen.append(position.copy())
        return np.ones(len(position))

    flight = fly(flat, 2, Swarm(particles=4, generations=1))
    assert np.array_equal(flight.position, seen[0][0])
    assert np.array_equal(seen[1][0], seen[0][0])  # neither its own best nor the leader pulls it anywhere
    assert not np.array_equal(seen[1][1], seen[0][1])


def test_first_positions_lie_between_the_lowest_and_one() -> None:
    seen: list[FloatArray] = []

    def watch(position: FloatArray) -> FloatArray:
        seen.append(position)
        return hill(position)

    fly(watch, 8, Swarm(generations=1, lowest=-2.0))
    assert -2 <= seen[0].min() < -1.5
    assert 0.5 < seen[0].max() < 1


def test_patience_stops_early() -> None:
    flight = fly(hill, 8, replace(PRESETS["constriction"], particles=20, patience=5))
    assert len(flight.best) - 1 < 100
    assert len(flight.best) - 1 - flight.generation == 5


def test_progress_is_told() -> None:
    told: list[tuple[int, float]] = []
    flight = fly(hill, 8, Swarm(particles=5, generations=3), lambda number, score: told.append((number, score)))
    assert [number for number, _ in told] == [1, 2, 3]
    assert told[-1][1] == flight.score


@pytest.mark.parametrize(
    "bad",
    [
        {"particles": 0},
        {"generations": 0},
        {"inertia": -1.0},
        {"social": float("nan")},
        {"vmax": 0.0},
        {"best": "worst"},
        {"patience": 0},
        {"lowest": 1.0},
    ],
)
def test_senseless_settings_are_refused(bad: dict[str, Any]) -> None:
    with pytest.raises(ValueError):
        Swarm(**bad)
