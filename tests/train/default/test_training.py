"""`duramen train default`, on pages made up for the tests."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner, Result

from duramen.algorithms.learned import Learned
from duramen.cli.train import train
from duramen.errors import InputError
from duramen.train.default.corpus import Corpus, fold_of, site_of
from duramen.train.default.judge import Judged, calibration
from duramen.train.default.network import Training, predict
from duramen.train.default.network import train as teach
from tests.support import kept_text, page_of
from tests.train.made import made_page, write_corpus


def run(*arguments: str | Path) -> Result:
    return CliRunner().invoke(train, ["default", *map(str, arguments)], catch_exceptions=False)


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("corpus") / "made.jsonl.xz"
    pages = [replace(made_page(k, "de" if k % 3 == 2 else "en"), source=f"site{k}") for k in range(24)]
    write_corpus(path, pages)
    return path


def test_a_model_from_a_corpus(corpus: Path, tmp_path: Path) -> None:
    paths = [tmp_path / name for name in ("one.json", "two.json")]
    for path in paths:
        done = run(corpus, "-o", path, "--folds", "2", "--epochs", "120", "--plots", tmp_path / "plots", "-q")
        assert done.exit_code == 0
    assert done.stdout.splitlines()[0].split() == ["cross-validated", "pages", "F1", "P", "R"]
    assert paths[0].read_bytes() == paths[1].read_bytes()  # the same command gives the same file
    assert (tmp_path / "plots" / "reliability.svg").stat().st_size > 1000
    training = json.loads(paths[0].read_text(encoding="utf-8"))["training"]
    assert (training["pages"], training["corpora"], training["files"]) == (24, {"made": 24}, ["made.jsonl.xz"])
    made = made_page(50)
    page = page_of(made.html)
    text = kept_text(page, Learned(model=str(paths[0])).select(page))
    assert made.gold.split("\n")[0] in text
    assert "Copyright" not in text


def test_too_few_pages_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "few.jsonl.xz"
    write_corpus(path, [made_page(1)])
    with pytest.raises(InputError, match="too few labelled pages: 1"):
        run(path)


def test_pages_of_one_site_cannot_be_cross_validated(tmp_path: Path) -> None:
    path = tmp_path / "one.jsonl.xz"
    write_corpus(path, [replace(made_page(k), source="site") for k in range(12)])
    with pytest.raises(InputError, match="too few sites"):
        run(path, "-q")


@pytest.mark.parametrize("text", ["{}", "no json"])
def test_a_broken_corpus_is_named_with_its_line(tmp_path: Path, text: str) -> None:
    path = tmp_path / "broken.jsonl"
    path.write_text(text + "\n", encoding="utf-8")
    with pytest.raises(InputError, match="line 1: no labelled page"):
        list(Corpus([path]))


@pytest.mark.parametrize(
    ("url", "site"),
    [
        ("https://www.example.com/a", "example.com"),
        ("https://news.example.co.uk/a", "example.co.uk"),
        ("http://example.de", "example.de"),
        ("made/17", "made/17"),
    ],
)
def test_sites(url: str, site: str) -> None:
    assert site_of(url) == site
    assert fold_of(site, 5) == fold_of(site, 5) < 5


def test_a_network_learns_what_no_line_can_part() -> None:
    inputs = np.random.default_rng(0).uniform(-1, 1, (4000, 2)).astype(np.float32)
    target = (inputs[:, 0] * inputs[:, 1] > 0).astype(np.float32)
    training = Training(hidden=(16, 8), networks=2, epochs=30, batch=128, rate=0.01, dropout=0.0)
    layers = teach(inputs, target, np.ones(4000, dtype=np.float32), training)
    assert ((predict(layers, inputs) > 0.5) == (target > 0.5)).mean() > 0.95


def test_calibration_rises() -> None:
    chance = np.random.default_rng(1)
    pages = [
        Judged(str(k), "made", "", float(expected), float(expected**2), 0, 0)
        for k, expected in enumerate(chance.random(300))
    ]
    expected, actual = calibration(pages)
    assert (np.diff(expected) > 0).all()
    assert (np.diff(actual) >= 0).all()
    assert np.interp(0.5, expected, actual) == pytest.approx(0.25, abs=0.05)
