"""The way from labelled pages to a model, on pages made up here."""

from __future__ import annotations

import json
import xml.etree.ElementTree as ElementTree
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from duramen.algorithms.pso import BOUNDS, FEATURES, SPEECH_FEATURES, Pso
from duramen.errors import InputError
from duramen.extract import suited
from duramen.models.pso import PsoModel, load_pso, model_text
from duramen.train.cases import Case
from duramen.train.evaluate import evaluate
from duramen.train.plots import plot_curves, plot_strategies, plot_sweeps
from duramen.train.pso import accept, loosened, made_model, score_bounds, signs_of, train
from duramen.train.similarity import similarity
from duramen.train.split import split
from duramen.train.swarm import PRESETS, Flight, Swarm
from duramen.train.sweeps import sweep, trials, variations
from duramen.train.tree import grow_on
from tests.support import kept_text, page_of
from tests.train.made import made_cases, made_page

# Nothing in these articles is formatted: without negative positions no particle would accept a block to start from.
SWARM = replace(PRESETS["constriction"], particles=40, generations=25, lowest=-1.0)
NAMES = tuple(feature.name for feature in FEATURES)


@pytest.fixture(scope="module")
def parts(cases: list[Case]) -> tuple[list[Case], list[Case]]:
    return split(cases)


@pytest.fixture(scope="module")
def flight(parts: tuple[list[Case], list[Case]]) -> Flight:
    return train(parts[0], FEATURES, SWARM)


@pytest.fixture(scope="module")
def model(parts: tuple[list[Case], list[Case]], flight: Flight) -> PsoModel:
    return made_model(flight, FEATURES, SWARM, parts[0], {"data": "abc"}, grow_on(parts[0], NAMES))


def test_bounds_on_either_side() -> None:
    features = np.array([[1.0, 0.5], [2.0, 0.1]])
    bounds = np.array([[1.5, 0.2], [0.0, 0.2], [0.0, 0.5], [2.0, 0.1]])
    accepted = accept(features, np.array([1.0, -1.0]), bounds)
    assert accepted.tolist() == [[False, True], [False, True], [True, True], [False, True]]


def test_signs_follow_the_hypotheses() -> None:
    assert signs_of(FEATURES).tolist() == [1, 1, 1, 1, -1, 1, -1, 1]


def test_the_whole_system_beats_every_block_and_that_every_node(
    model: PsoModel, parts: tuple[list[Case], list[Case]]
) -> None:
    means = evaluate(parts[1], model).means()
    assert means["FE"] > 0.95
    assert means["C4.5"] > 0.95
    assert means["FE"] > means["PR"] + 0.1 > means["TB"]


def test_too_few_pages(cases: list[Case]) -> None:
    with pytest.raises(InputError, match="there are 9 pages to train on, and at least 10"):
        train(cases[:9], FEATURES, SWARM)


def test_the_same_seed_gives_the_same_model_to_the_bit(flight: Flight, parts: tuple[list[Case], list[Case]]) -> None:
    again = train(split(made_cases())[0], FEATURES, SWARM)
    one, other = (made_model(each, FEATURES, SWARM, parts[0], {}) for each in (flight, again))
    assert model_text(one) == model_text(other)


def test_model_file_and_extraction(model: PsoModel, parts: tuple[list[Case], list[Case]], tmp_path: Path) -> None:
    path = tmp_path / "model.json"
    path.write_text(model_text(model), encoding="utf-8")
    read = load_pso(str(path))
    assert read.thresholds == model.thresholds
    assert read.training == json.loads(json.dumps(dict(model.training)))
    assert read.training["generation"] <= SWARM.generations
    assert read.training["swarm"]["particles"] == 40
    assert read.training["pages"] == len(parts[0])
    assert read.training["languages"] == {"de": 6, "en": 11}
    assert set(read.training["versions"]) == {"duramen", "python", "numpy", "stopwordsiso"}

    made = made_page(99)
    page = page_of(made.html)
    for classifier in ("thresholds", "tree"):
        selection = Pso(model=str(path), classifier=classifier).select(page)
        assert kept_text(page, selection) == " ".join(made.gold.split())
        assert selection.trace["language"] == "en"


def test_cases_score_what_the_algorithm_extracts(
    model: PsoModel, parts: tuple[list[Case], list[Case]], tmp_path: Path
) -> None:
    path = tmp_path / "model.json"
    path.write_text(model_text(model), encoding="utf-8")
    judged = evaluate(parts[1], model)
    for at, case in enumerate(judged.cases):
        made = made_page(int(case.name[2:]), case.name[:2])
        page = page_of(made.html)
        for name, chosen in {
            "FE": Pso(model=str(path)),
            "C4.5": Pso(model=str(path), classifier="tree"),
            "PR": Pso(strategy="PR"),
            "TB": Pso(strategy="TB"),
        }.items():
            suits = suited(page, chosen)
            extracted = kept_text(suits, chosen.select(suits))
            assert judged.scores[name][at] == pytest.approx(similarity(extracted, made.gold))


def test_open_bounds_are_the_strategy_pr(cases: list[Case]) -> None:
    signs = signs_of(FEATURES)
    everything = score_bounds(cases, signs, np.where(signs > 0, -np.inf, np.inf)[None])[0]
    page = page_of(made_page(0).html)
    bounds: dict[str, Any] = {name: -np.inf if name.startswith("min") else np.inf for name in BOUNDS}
    chosen = Pso(**bounds)
    assert everything[0] == pytest.approx(similarity(kept_text(page, chosen.select(page)), made_page(0).gold))


def test_loosened_bounds_cost_no_more_than_allowed(flight: Flight, parts: tuple[list[Case], list[Case]]) -> None:
    signs, scales = signs_of(FEATURES), np.array([feature.scale for feature in FEATURES])
    for slack in (0.0, 0.01, 0.1):
        loose = loosened(flight, parts[0], FEATURES, slack)
        assert (signs * loose.position <= signs * flight.position + 1e-12).all()
        score = score_bounds(parts[0], signs, (loose.position * scales)[None]).mean()
        assert score == pytest.approx(loose.score)
        assert score >= flight.score - slack - 1e-12


def test_a_second_person_is_compared(model: PsoModel, parts: tuple[list[Case], list[Case]]) -> None:
    test = parts[1]
    second = {test[0].name: test[0].gold, test[1].name: "nothing of it"}
    judged = evaluate(test, model, second)
    assert judged.means()["HL"] == pytest.approx(0.5, abs=0.02)
    assert np.isnan(judged.scores["HL"][2:]).all()
    assert list(judged.scores) == ["HL", "FE", "C4.5", "PR", "TB"]
    assert "HL" not in evaluate(test, model, {"another": "page"}).scores


def test_scores_by_language_and_source(model: PsoModel, parts: tuple[list[Case], list[Case]]) -> None:
    judged = evaluate(parts[1], model)
    by_language = judged.by("language")
    assert {name: row["pages"] for name, row in by_language.items()} == {"de": 2, "en": 5}
    assert set(judged.by("source")) <= {"site0", "site1", "site2"}
    json.dumps(judged.to_dict(), allow_nan=False)


def test_single_features_are_ranked(cases: list[Case]) -> None:
    sweeps = sweep(cases, FEATURES)
    assert {each.feature for each in sweeps} == set(FEATURES)
    assert [each.score for each in sweeps] == sorted((each.score for each in sweeps), reverse=True)
    # These articles are told by their sentences and their lack of links; nothing in them is formatted.
    assert {each.feature.name for each in sweeps[:2]} <= {"sentences", "anchors", "structuring", "sentence_length"}
    for each in sweeps:
        assert len(each.bounds) == len(each.scores) >= 20
        assert each.scores[each.bounds == each.best][0] == each.score
        json.dumps(each.to_dict(), allow_nan=False)


def test_trials_of_other_settings(cases: list[Case]) -> None:
    settings = variations(Swarm(particles=10, generations=4, seed=5))
    assert list(settings) == [*PRESETS, "25 particles", "50 particles", "200 particles"]
    assert {each.seed for each in settings.values()} == {5}
    some = [(name, settings[name]) for name in ("default", "25 particles")]
    flights = trials(cases, FEATURES, some)
    assert [len(flight.best) for flight in flights.values()] == [5, 5]


def test_with_parts_of_speech() -> None:
    features = FEATURES + SPEECH_FEATURES
    cases = made_cases(12, speech=True)
    flight = train(cases, features, replace(SWARM, particles=300, generations=10))
    assert len(flight.position) == 12
    assert flight.score > 0.8


def test_plots(flight: Flight, model: PsoModel, parts: tuple[list[Case], list[Case]], tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    judged = evaluate(parts[1], model)
    written = plot_curves({"one": flight, "two": flight}, tmp_path / "plots")
    written += plot_sweeps(sweep(parts[1], FEATURES), judged.means()["PR"], tmp_path / "plots")
    written += plot_strategies(judged, tmp_path / "plots")
    assert sorted(path.name for path in written) == [
        f"{name}.{kind}" for name in ("curves", "strategies", "sweeps") for kind in ("png", "svg")
    ]
    for path in written:
        if path.suffix == ".svg":
            assert ElementTree.parse(path).getroot().tag.endswith("svg")
        else:
            assert path.read_bytes().startswith(b"\x89PNG")
    first = written[0].read_bytes()
    assert plot_curves({"one": flight, "two": flight}, tmp_path / "plots")[0].read_bytes() == first
