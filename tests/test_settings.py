"""Options of algorithms, as text from a command line or as values."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np
import pytest

import duramen
from duramen.algorithms.settings import Algorithm, configure, settings
from duramen.errors import OptionError, UnknownAlgorithm
from duramen.page import Page, Selection


@dataclass(frozen=True, slots=True)
class Sample:
    """A sample of every kind of setting."""

    paper: ClassVar[str] = "none"
    ratio: float = 0.5
    count: int = 3
    on: bool = False
    mode: Literal["fast", "Slow"] = "fast"
    seed: int | None = None
    names: tuple[str, ...] = ("a",)
    weights: tuple[float, float] = (1.0, 2.0)
    lambda_: float = 1.0
    extra: tuple[str, ...] | None = ("b",)

    def __post_init__(self) -> None:
        if not 0 <= self.ratio <= 1:
            raise ValueError(f"ratio is {self.ratio}: give a number from 0 to 1")

    def select(self, page: Page) -> Selection:
        return Selection(kept=np.zeros(len(page), dtype=np.bool_))


TABLE: dict[str, type[Algorithm]] = {"sample": Sample}


def sample(**options: object) -> Algorithm:
    return configure(TABLE, "sample", "sample", options)


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ({"ratio": "0.25"}, Sample(ratio=0.25)),
        ({"ratio": 1}, Sample(ratio=1.0)),
        ({"count": "7"}, Sample(count=7)),
        ({"count": 7.0}, Sample(count=7)),
        ({"on": "yes"}, Sample(on=True)),
        ({"on": "off"}, Sample(on=False)),
        ({"on": True}, Sample(on=True)),
        ({"mode": "slow"}, Sample(mode="Slow")),
        ({"seed": "4"}, Sample(seed=4)),
        ({"seed": "none"}, Sample(seed=None)),
        ({"names": "x, y"}, Sample(names=("x", "y"))),
        ({"names": ["x", "y"]}, Sample(names=("x", "y"))),
        ({"weights": "3,4"}, Sample(weights=(3.0, 4.0))),
        ({"lambda": "0.9"}, Sample(lambda_=0.9)),
        ({"extra": "none"}, Sample(extra=None)),
        ({"extra": "none, two"}, Sample(extra=("none", "two"))),
    ],
)
def test_values_are_read(options: dict[str, object], expected: Sample) -> None:
    assert sample(**options) == expected


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"ratio": "much"}, "option ratio takes number, not 'much'"),
        ({"ratio": True}, "option ratio takes number"),
        ({"ratio": "7"}, "ratio is 7.0: give a number from 0 to 1"),
        ({"count": "1.5"}, "option count takes whole number"),
        ({"on": "perhaps"}, "option on takes on or off"),
        ({"mode": "warp"}, "one of fast, Slow"),
        ({"weights": "1"}, "comma-separated list"),
        ({"ration": "1"}, "did you mean 'ratio'"),
        ({"zzz": "1"}, "there are: ratio, count"),
    ],
)
def test_bad_values_say_what_to_do(options: dict[str, object], message: str) -> None:
    with pytest.raises(OptionError, match=message):
        sample(**options)


def test_options_change_a_configured_object() -> None:
    assert configure(TABLE, "sample", Sample(count=9), {"ratio": 0.1}) == Sample(count=9, ratio=0.1)


def test_unknown_algorithms_are_named_with_a_suggestion() -> None:
    with pytest.raises(UnknownAlgorithm, match="did you mean 'cetd'"):
        duramen.extract("<p>x", algorithm="cted")
    with pytest.raises(UnknownAlgorithm, match="a name or a configured object"):
        duramen.extract("<p>x", algorithm=3)  # type: ignore[arg-type]


def test_settings_are_described() -> None:
    described = {setting.name: setting.kind for setting in settings(Sample)}
    assert described["seed"] == "whole number or none"
    assert described["mode"] == "one of fast, Slow"
    assert described["names"] == "comma-separated list"
