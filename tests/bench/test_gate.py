"""The floors that this repository has pinned, where the labelled pages are there."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from duramen.algorithms import ALGORITHMS
from duramen.bench.datasets import find
from duramen.bench.gate import check

FLOORS = Path(__file__).parents[2] / "benchmarks" / "gate.json"


def test_every_algorithm_has_a_floor_on_every_corpus() -> None:
    pinned = json.loads(FLOORS.read_text("utf-8"))
    for name, about in pinned["corpora"].items():
        assert len(about["sha256"]) == 64
        assert about["floors"].keys() == ALGORITHMS.keys(), f"{name}: pin the floors with `duramen bench gate --update`"


@pytest.mark.corpora
def test_nothing_is_worse_than_its_floor() -> None:
    corpora = os.environ.get("DURAMEN_CORPORA")
    if not corpora:
        pytest.skip("the labelled pages are not here: set DURAMEN_CORPORA to their folder")
    assert check(FLOORS, find([Path(corpora)]), workers=2).failures == ()
