"""Runs: own processes, time limits, crashes, taking up where one stopped."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from duramen.bench.datasets import Dataset, load
from duramen.bench.extractors import Ours, described, extractor, extractors
from duramen.bench.runs import Settings, measure, read_run
from duramen.errors import InputError, OptionError
from duramen.extract import extract
from tests.bench.test_datasets import corpus, row

ARTICLE = (
    "<html><body><ul><li><a href=/>Home</a></li><li><a href=/n>News</a></li></ul><div><p>Grey foxes climb trees, and "
    "they sleep there in the sun, high above the path.</p><p>{}</p></div></body></html>"
)
QUICK = Settings(workers=1, timeout=3)


def dataset(folder: Path, *endings: str) -> Dataset:
    rows = [
        row(number, html=ARTICLE.format(ending), text="Grey foxes climb trees, and they sleep there in the sun.")
        for number, ending in enumerate(endings)
    ]
    return load(corpus(folder / "made-up.jsonl", *rows))


def test_ours_and_functions_are_scored_page_by_page(tmp_path: Path) -> None:
    data = dataset(tmp_path, "One, two.", "Three, four.")
    heard: list[tuple[str, int]] = []
    run = measure(
        tmp_path / "run",
        extractors(["econ", "coreex?configuration=R3", "tests.bench.rogues:words_of"]),
        [data],
        QUICK,
        on_start=lambda name, pages: heard.append((name, pages)),
    )
    assert heard == [("made-up", 6)]
    assert run.extractors == ["econ", "coreex?configuration=R3", "tests.bench.rogues:words_of"]
    econ, everything = (run.scores("made-up", name) for name in ("econ", "tests.bench.rogues:words_of"))
    assert list(econ) == ["p0", "p1"]
    assert econ["p0"]["source"] == "s0.org"
    assert econ["p0"]["f1"] > everything["p0"]["f1"] > 0
    assert everything["p0"]["r"] == 1
    assert econ["p0"]["ms"] > 0


def test_a_page_that_hangs_kills_or_fails_is_an_empty_extraction_and_listed(tmp_path: Path) -> None:
    data = dataset(tmp_path, "slumber, die", "fine")
    names = [f"tests.bench.rogues:{name}" for name in ("sleeps", "dies", "raises")]
    run = measure(tmp_path / "run", extractors(names), [data], Settings(workers=2, timeout=2))
    sleeps, dies, raises = (run.scores("made-up", name) for name in names)
    assert (sleeps["p0"]["error"], sleeps["p0"]["f1"], sleeps["p0"]["n_pred"]) == ("timeout", 0, 0)
    assert dies["p0"]["error"] == "crash"
    assert "no such luck" in raises["p1"]["error"]
    for survivor in (sleeps, dies):  # the next page has a new process
        assert "error" not in survivor["p1"]
        assert survivor["p1"]["f1"] > 0


def test_a_stopped_run_is_taken_up_again(tmp_path: Path) -> None:
    data = dataset(tmp_path, "one", "two", "three")
    chosen = extractors(["econ"])
    measure(tmp_path / "run", chosen, [data.sampled(2)], QUICK)
    path = tmp_path / "run" / "scores" / "made-up" / "econ.jsonl"
    first, second = path.read_text().splitlines()
    marked = json.dumps(json.loads(first) | {"f1": 0.125})
    path.write_text(marked + "\n" + second[:20])  # the first one is recognisable, the second was cut off
    done: list[str] = []
    run = measure(tmp_path / "run", chosen, [data], QUICK, on_page=lambda _, scores: done.append(scores["id"]))
    scores = run.scores("made-up", "econ")
    assert sorted(scores) == ["p0", "p1", "p2"]
    assert sum(each["f1"] == 0.125 for each in scores.values()) == 1  # kept, not measured again
    assert len(done) == 3
    assert read_run(tmp_path / "run").scores("made-up", "econ") == scores


def test_a_run_folder_belongs_to_one_version_of_its_data(tmp_path: Path) -> None:
    measure(tmp_path / "run", extractors(["econ"]), [dataset(tmp_path, "one")], QUICK)
    with pytest.raises(InputError, match="another version of made-up"):
        measure(tmp_path / "run", extractors(["econ"]), [dataset(tmp_path, "other")], QUICK)
    with pytest.raises(InputError, match="another folder"):
        measure(tmp_path / "run", extractors(["econ"]), [], Settings(tokens="words"))
    with pytest.raises(InputError, match="is no run"):
        read_run(tmp_path / "nowhere")


def test_what_cannot_be_started_is_named_and_left_out(tmp_path: Path) -> None:
    run = measure(tmp_path / "run", extractors(["econ", "no_such_module:f"]), [dataset(tmp_path, "one")], QUICK)
    assert run.extractors == ["econ"]
    assert "no_such_module" in run.left_out["no_such_module:f"]


def test_a_missing_rival_is_named_with_how_to_install_it(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("duramen.bench.extractors._installed", lambda module: False)
    run = measure(tmp_path / "run", extractors(["peer:trafilatura"]), [dataset(tmp_path, "one")], QUICK)
    assert run.left_out == {"peer:trafilatura": 'not installed: pip install "trafilatura"'}
    assert set(described(extractors(["econ", "peer:goose3"])).values()) == {None, 'pip install "goose3"'}


@pytest.mark.parametrize(
    ("name", "message"),
    [("peer:trafilatur", "did you mean peer:trafilatura"), ("peer:zzz", "there are"), ("econ?zzz", "written econ")],
)
def test_wrong_names_are_refused_at_once(name: str, message: str) -> None:
    with pytest.raises(OptionError, match=message):
        extractor(name)


def test_sharing_the_parsed_page_changes_no_text() -> None:
    shared, html = Ours(), ARTICLE.format("And <b>so</b> on, of course.").encode()
    for name in ("cetd", "coreex?configuration=R6", "econ"):
        chosen = extractor(name).algorithm()
        assert shared.text(chosen, html, None) == extract(html, algorithm=chosen).text
