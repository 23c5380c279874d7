"""`duramen train`, run in this process."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from duramen.algorithms.pso import Pso
from duramen.cli.train import train
from duramen.errors import DuramenError, InputError, OptionError
from duramen.train.pages import LabelledPage
from tests.support import kept_text, page_of
from tests.train.made import made_page, write_corpus, write_folder

QUICK = ("--preset", "constriction", "--particles", "40", "--generations", "10", "--lowest", "-1")


def run(*arguments: str | Path) -> Result:
    return CliRunner().invoke(train, ["pso", *map(str, arguments)], catch_exceptions=False)


@pytest.fixture
def pages(tmp_path: Path) -> Path:
    write_folder(tmp_path / "pages")
    return tmp_path / "pages"


def test_a_model_from_a_folder(pages: Path, tmp_path: Path) -> None:
    path = tmp_path / "models" / "own.json"
    done = run(pages, *QUICK, "--output", path)
    assert done.exit_code == 0
    assert done.stdout.startswith("training score 1.0000, generation ")
    assert "17 pages, 7 held back" in done.stdout
    assert "decision tree: 2 leaves" in done.stdout
    made = made_page(50)
    page = page_of(made.html)
    assert kept_text(page, Pso(model=str(path)).select(page)) == " ".join(made.gold.split())
    training = json.loads(path.read_text(encoding="utf-8"))["training"]
    assert training["corpora"] == ["pages"]
    assert (training["preset"], training["share"], training["swarm"]["seed"]) == ("constriction", 0.7, 0)


def test_the_same_command_gives_the_same_file(pages: Path, tmp_path: Path) -> None:
    for name in ("one", "two"):
        run(pages, *QUICK, "--seed", "7", "--slack", "0.01", "--output", tmp_path / f"{name}.json")
    assert (tmp_path / "one.json").read_bytes() == (tmp_path / "two.json").read_bytes()
    training = json.loads((tmp_path / "one.json").read_text(encoding="utf-8"))["training"]
    assert training["score_before"] - 0.01 <= training["score"] <= training["score_before"]


def test_evaluation_with_a_second_person(pages: Path, tmp_path: Path) -> None:
    second = tmp_path / "second"
    write_folder(second)
    done = run(pages, *QUICK, "--evaluate", "--second", second)
    table = done.stdout.split("\n\n")[1].splitlines()
    assert table[0].split() == ["pages", "held", "back", "pages", "HL", "FE", "C4.5", "PR", "TB"]
    name, count, *scores = table[1].split()
    assert (name, count, scores[:3]) == ("all", "7", ["1.000"] * 3)
    assert float(scores[3]) < 0.9
    assert [line.split()[0] for line in table[2:]] == ["de", "en"]
    assert len(done.stdout.split("\n\n")[2].splitlines()) == 1 + 8  # the features alone


def test_plots_and_trials(pages: Path, tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    done = run(pages, *QUICK, "--generations", "3", "--plots", tmp_path / "plots", "--trials")
    assert "200 particles" in done.stdout
    kinds = {path.name for path in (tmp_path / "plots").iterdir()}
    figures = {f"{name}.{kind}" for name in ("curves", "sizes", "strategies", "sweeps") for kind in ("svg", "png")}
    assert kinds == figures | {"figures.json"}
    data = json.loads((tmp_path / "plots" / "figures.json").read_text(encoding="utf-8"))
    assert len(data["flights"]["constriction"]["best"]) == 4
    assert data["evaluation"]["pages"] == 7


def test_a_corpus_with_pages_to_leave_out(tmp_path: Path) -> None:
    path = tmp_path / "made.jsonl.xz"
    chinese = LabelledPage("zh", "<p>台风登陆".encode(), "台风登陆")
    odd = [LabelledPage("f", b"<p>x", "x y", kind="forum"), LabelledPage("n", b"<p>x", ""), chinese]
    write_corpus(path, [made_page(k) for k in range(15)] + odd)
    done = run(path, *QUICK, "--types", "article", "--no-tree", "--share", "1")
    assert (
        "pages left out: 1 in a language without a stop-word list; 1 of another kind; 1 without a gold text"
        in done.stderr
    )
    assert "15 pages, 0 held back" in done.stdout
    assert "tree" not in done.stdout
    assert run(path, *QUICK, "--quiet", "--types", "article").stderr == ""


def test_parts_of_speech(pages: Path, tmp_path: Path) -> None:
    path = tmp_path / "pos.json"
    run(pages, "--pos", "--particles", "300", "--generations", "6", "--lowest", "-1", "--output", path)
    assert len(json.loads(path.read_text(encoding="utf-8"))["features"]) == 12
    assert Pso(model=str(path)).select(page_of(made_page(1).html)).columns["verbs"].max() <= 1


def test_too_few_pages_are_counted(tmp_path: Path) -> None:
    write_folder(tmp_path / "few", 4)
    (tmp_path / "few" / "alone.html").write_text("<p>x")
    with pytest.raises(InputError, match=r"too few labelled pages: 4, and at least 10 .*left out: 1 without a gold"):
        run(tmp_path / "few")


@pytest.mark.parametrize(
    ("options", "problem", "message"),
    [
        (("--share", "1.5"), OptionError, "--share lies between"),
        (("--share", "1", "--evaluate"), OptionError, "held back"),
        (("--inertia", "-1"), OptionError, "inertia, cognitive and social"),
        (("--vmax", "-1"), OptionError, "vmax is greater than 0"),
        (("--second", "nowhere"), InputError, "holds no gold text"),
        # Nothing in these pages is formatted, so that no first particle accepts any of them.
        (("--preset", "constriction", "--generations", "2"), InputError, "try --lowest -1"),
        ((*QUICK, "--output", "/proc/nowhere/model.json"), DuramenError, "cannot write /proc/nowhere"),
    ],
)
def test_what_cannot_be_done(pages: Path, options: tuple[str, ...], problem: type[DuramenError], message: str) -> None:
    with pytest.raises(problem, match=message):
        run(pages, *options)


def test_no_clamp(pages: Path, tmp_path: Path) -> None:
    run(pages, *QUICK, "--vmax", "0", "--best", "population", "--patience", "3", "--output", tmp_path / "m.json")
    swarm = json.loads((tmp_path / "m.json").read_text(encoding="utf-8"))["training"]["swarm"]
    assert (swarm["vmax"], swarm["best"], swarm["patience"]) == (None, "population", 3)


def test_help_names_the_presets() -> None:
    shown = CliRunner().invoke(train, ["pso", "--help"]).output
    assert "default|cognitive|constriction|printed" in shown
