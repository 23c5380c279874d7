"""Every experiment runs, and writes what it says."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest

from duramen.bench.experiments import EXPERIMENTS, Setting, named, perform
from duramen.bench.experiments.cetd import source_of
from duramen.bench.experiments.econ import language
from duramen.bench.experiments.printed import CETD_TABLES, VARIANT_TABLES
from duramen.bench.gold import GoldPage
from duramen.bench.metrics import harmonic
from duramen.bench.tables import table
from duramen.errors import InputError, OptionError
from tests.bench.corpora import CHINESE, chinese, english

# One of each way to measure; the others are the same code on other columns, and the corpora run them all.
QUICK = (
    "coreex-table1",
    "coreex-fig9",
    "coreex-titles",
    "coreex-fig10",
    "coreex-genres",
    "coreex-duplicates",
    "cetd-table1",
    "cetd-histograms",
    "pso-fig4",
)
pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning:matplotlib")


@pytest.fixture(scope="module")
def paths(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    folder = tmp_path_factory.mktemp("corpora")
    return {"l3s-gn1": english(folder), "cleaneval": english(folder, "cleaneval", 4), "chinese": chinese(folder)}


def read(path: Path) -> list[dict[str, str]]:
    return list(csv.DictReader(path.read_text("utf-8").splitlines()))


@pytest.mark.parametrize("name", QUICK)
def test_an_experiment_writes_tables_and_figures(name: str, paths: dict[str, Path], tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    text = perform(EXPERIMENTS[name], Setting(paths, workers=1), tmp_path)
    assert (tmp_path / f"{name}.md").read_text("utf-8") == text
    assert f"duramen bench experiment {name}" in text
    written = sorted((tmp_path / name).glob("*.csv"))
    assert written
    for path in written:
        rows = read(path)
        assert len(rows) == len(json.loads(path.with_suffix(".json").read_text("utf-8"))["rows"])
    for svg in (tmp_path / name).glob("*.svg"):
        assert svg.with_suffix(".png").stat().st_size > 1000
        assert f"{name}/{svg.name}" in text


def test_repeated_pages_are_counted(tmp_path: Path) -> None:
    """A data set of which every page stands twice has no page with a text of its own."""
    once = english(tmp_path, "once", 5)
    twice = tmp_path / "twice.jsonl"
    twice.write_bytes(once.read_bytes() * 2)
    perform(EXPERIMENTS["coreex-duplicates"], Setting({"once": once, "twice": twice}), tmp_path)
    rows = {row["data set"]: row for row in read(tmp_path / "coreex-duplicates" / "duplicates.csv")}
    own = "pages of a text of their own"
    assert (rows["once"][own], rows["once"]["repetitions"]) == ("5", "0")
    assert (rows["twice"][own], rows["twice"]["different texts"], rows["twice"]["repetitions"]) == ("0", "5", "5")


def test_the_clean_pages_are_extracted_as_they_should_be(paths: dict[str, Path], tmp_path: Path) -> None:
    """The made-up articles are easy: R5 misses the heading's level at most."""
    pytest.importorskip("matplotlib")
    perform(EXPERIMENTS["coreex-table1"], Setting(paths), tmp_path)
    rows = {row["configuration"]: row for row in read(tmp_path / "coreex-table1" / "table1.csv")}
    assert float(rows["R5"]["F1 of means"]) > 0.95
    assert float(rows["R5"]["paper F1"]) == 0.979


def test_verdicts_by_table(paths: dict[str, Path], tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    text = perform(EXPERIMENTS["econ-table2"], Setting(paths, workers=1), tmp_path)
    assert "3 pages of chinese" in text
    rows = read(tmp_path / "econ-table2" / "table-random.csv")
    assert [row["paper: correctly"] for row in rows if row["extractor"] == "econ"] == ["", "93.7", ""]
    for row in rows:
        assert sum(float(row[each]) for each in ("correctly", "wrongly", "missed")) == pytest.approx(100)


def test_names() -> None:
    assert [each.name for each in named("pso")] == ["pso-table1", "pso-fig3", "pso-fig4"]
    assert len(named("all")) == len(EXPERIMENTS) == 25
    with pytest.raises(OptionError, match="did you mean 'cetd-fig5'"):
        named("cetd-fig6")


def test_data_without_gold_texts_is_refused(tmp_path: Path) -> None:
    from tests.bench.test_datasets import corpus, row

    path = corpus(tmp_path / "snippets.jsonl", row(1, text=None, **{"with": ["x"]}))
    with pytest.raises(InputError, match="gold text"):
        EXPERIMENTS["coreex-table1"].run(Setting({"snippets": path}))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (CHINESE, "zh"),
        ("これは日本語の文章です。とても短いです。", "ja"),
        ("Это русский текст о погоде и о людях", "ru"),
        ("The cat sat on the mat and it was happy with that", "en"),
        ("Die Katze sitzt auf der Matte, und das ist auch gut so", "de"),
        ("", ""),
    ],
)
def test_language_of_a_gold_text(text: str, expected: str) -> None:
    assert language(text) == expected


def test_sources_of_the_tables() -> None:
    def page(dataset: str, key: str, source: str = "") -> GoldPage:
        return GoldPage(key, dataset, b"", "", source=source)

    assert source_of(page("big9", "big5-05-amd (1)")) == "Big5 2005"
    assert source_of(page("big9", "chaos-all-nasa (2)")) == "Chaos"
    assert source_of(page("cleaneval", "12", "a.org")) == "cleaneval"
    assert source_of(page("mine", "BBC/1", "BBC")) == "BBC"


def test_the_printed_tables_are_those_of_the_paper() -> None:
    """F1 is the harmonic mean of the printed precision and recall, and averages are plain means."""
    for variant in VARIANT_TABLES.values():
        for precision, recall, f1, _ in variant.values():
            assert harmonic(precision, recall) == pytest.approx(f1, abs=0.05)
    for label, (*sources, average) in CETD_TABLES["F1"].items():
        if label not in ("FE", "CECTD-S"):  # misprinted there
            assert sum(sources) / len(sources) == pytest.approx(average, abs=0.05)


def test_tables_in_three_forms(tmp_path: Path) -> None:
    made = table("t", "A | table", ("name", "F1"), [("a|b", 0.12345), ("c", None)], "A note.")
    assert (
        made.markdown() == "**A | table**\n\n| name | F1 |\n| --- | ---: |\n| a\\|b | 0.123 |\n| c | – |\n\nA note.\n"
    )
    assert made.csv() == "name,F1\na|b,0.12345\nc,\n"
    made.save(tmp_path)
    assert json.loads((tmp_path / "t.json").read_text())["rows"][1] == {"name": "c", "F1": None}
