"""`duramen bench`: the commands, their documentation, and what they say when something is wrong."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
import typer

from duramen.bench.datasets import LAYOUTS
from duramen.bench.experiments import EXPERIMENTS
from duramen.bench.rivals import RIVALS
from duramen.cli.bench import CORPORA, app
from tests.bench.corpora import english
from tests.bench.test_datasets import corpus, row
from tests.cli.run import duramen

DOCS = Path(__file__).parents[2] / "docs"
TEXT = (DOCS / "bench.md").read_text("utf-8")


@pytest.fixture(autouse=True)
def no_corpora(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(CORPORA, raising=False)


def options() -> Iterator[tuple[str, str]]:
    """Every sub-command with every option that it takes."""
    for name, command in typer.main.get_command(app).commands.items():  # type: ignore[attr-defined]
        for parameter in command.params:
            yield from ((name, option) for option in parameter.opts if option.startswith("--"))


@pytest.mark.parametrize(("command", "option"), sorted(options()))
def test_every_option_is_documented(command: str, option: str) -> None:
    section = TEXT.split(f"\n## duramen bench {command}\n")[1].split("\n## ")[0]
    assert f"`{option}" in section, f"{option} of bench {command} is not in docs/bench.md"


def test_no_option_is_documented_that_is_not_there() -> None:
    known = {option for _, option in options()} | {"--no-growth", "--no-browser", "--help"}
    assert set(re.findall(r"(?<![\w-])--[a-z][a-z-]+", TEXT)) <= known


@pytest.mark.parametrize("name", EXPERIMENTS)
def test_every_experiment_is_documented_with_its_output(name: str) -> None:
    assert f"experiments/{name}.md" in TEXT
    assert (DOCS / "experiments" / f"{name}.md").is_file()


def test_rivals_and_layouts_are_documented() -> None:
    for name in (*RIVALS, *LAYOUTS):
        assert f"`{name}`" in TEXT


def test_list_names_everything() -> None:
    shown = duramen("bench", "list").out
    for name in (*EXPERIMENTS, *(f"peer:{rival}" for rival in RIVALS), *LAYOUTS):
        assert name in shown


def test_run_and_report(tmp_path: Path) -> None:
    english(tmp_path / "data", count=3)
    where = tmp_path / "run"
    done = duramen("bench", "run", "-d", tmp_path / "data", "-e", "econ", "-e", "fe", "-o", where, "-j", "1", "-q")
    assert (done.code, done.err) == (0, "")
    assert "| econ |" in done.out
    assert json.loads((where / "leaderboard.json").read_text())["rows"][0]["extractor"] == "econ"
    again = duramen(
        "bench", "run", "-d", tmp_path / "data", "-e", "econ", "-o", where, "--fresh", "-n", "2", "-j", "1", "-q"
    )
    assert "| fe |" not in again.out
    made = duramen("bench", "report", where, "--explain", "1", "--worst", "1")
    assert made.out.strip() == str(where / "report.html")
    assert (where / "report.html").is_file()


def test_damaged_rows_and_missing_rivals_are_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("duramen.bench.extractors._installed", lambda module: False)
    path = corpus(tmp_path / "a.jsonl", row(1), "{broken", row(2))
    done = duramen("bench", "run", "-d", path, "-e", "econ", "-e", "peer:goose3", "-o", tmp_path / "run", "-j", "1")
    assert done.code == 0
    assert "a: rows that cannot be read and are left out: 2" in done.err
    assert 'peer:goose3 is left out: not installed: pip install "goose3"' in done.err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("run",), f"--data PATH, or set {CORPORA}"),
        (("run", "-d", "nowhere"), "there is no data set nowhere"),
        (("run", "-d", ".", "-e", "ecom"), "did you mean 'econ'"),
        (("experiment", "cetd-fig6", "-d", "."), "did you mean 'cetd-fig5'"),
        (("report", "nowhere"), "nowhere is no run"),
        (("gate", "-d", "."), "there are no floors in benchmarks"),
    ],
)
def test_mistakes_are_told_in_one_line(
    arguments: tuple[str, ...], message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    english(tmp_path, count=1)
    monkeypatch.chdir(tmp_path)
    done = duramen("bench", *arguments)
    assert done.code in (1, 2)
    assert message in done.err
    assert "Traceback" not in done.err


def test_only_names_a_data_set(tmp_path: Path) -> None:
    english(tmp_path, count=1)
    done = duramen("bench", "run", "-d", tmp_path, "--only", "other")
    assert "there is no data set 'other': there are l3s-gn1" in done.err
    twice = duramen("bench", "run", "-d", tmp_path, "--only", "l3s-gn1", "--only", "l3s-gn1, more")
    assert "there is no data set 'more'" in twice.err
    first = duramen("bench", "run", "-d", tmp_path, "--only", "another", "--only", "l3s-gn1")
    assert "there is no data set 'another'" in first.err


def test_a_closed_gate_fails(tmp_path: Path) -> None:
    english(tmp_path, count=1)
    floors = tmp_path / "gate.json"
    floors.write_text(
        json.dumps(
            {"format": 1, "sample": 1, "seed": 0, "tolerance": 0, "corpora": {"x": {"sha256": "", "floors": {}}}}
        )
    )
    done = duramen("bench", "gate", "--floors", floors, "-d", tmp_path, "-q")
    assert done.code == 1
    assert "x: the corpus is not there" in done.err


def test_speed(tmp_path: Path) -> None:
    path = english(tmp_path, count=2)
    done = duramen("bench", "speed", "-d", path, "-e", "econ", "--repeats", "1", "--no-growth", "-o", tmp_path / "out")
    assert done.code == 0
    assert "lexbor parse" in done.out
