"""`duramen compare`."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from duramen.algorithms import ALGORITHMS, algorithm
from duramen.cli.agreement import run_all
from duramen.cli.side_by_side import side_by_side
from tests.cli.run import duramen


def test_every_algorithm_by_default(pages: Path) -> None:
    done = duramen("compare", "page.html", "--format", "json")
    record = json.loads(done.out)
    assert done.code == 0
    assert record["input"] == "page.html"
    assert list(record["algorithms"]) == list(ALGORITHMS)
    everything = record["algorithms"]["everything"]
    assert everything["share"] == 1.0
    assert everything["words"] == record["page_words"]
    for name, figures in record["algorithms"].items():
        assert figures["agreement"][name] == 1.0
        assert figures["seconds"] > 0
        assert (figures["text"] == "") == (figures["reason"] is not None)
    assert "climbs trees" in " ".join(everything["text"].split())


def test_agreement_is_f1_of_the_words() -> None:
    """The menu's six words are all that CoreEx does not take here, so both figures can be counted by hand."""
    prose = "Ten words make a sentence long enough for anyone, really. " * 10
    body = f'<body><div><a href="/x">one two three four five six</a></div><div><p>{prose}</p></div></body>'
    compared = run_all(body.encode(), None, None, {name: algorithm(name) for name in ("coreex", "everything")})
    assert compared.page_words == 106
    assert compared.outcomes["coreex"].words.total() == 100
    assert compared.agreement("coreex", "everything") == pytest.approx(2 * 100 / (100 + 106))
    assert compared.share("coreex") == pytest.approx(100 / 106)


def test_nothing_agrees_with_nothing() -> None:
    compared = run_all(b"", None, None, {name: algorithm(name) for name in ("coreex", "everything")})
    assert compared.agreement("coreex", "everything") == 1.0
    assert compared.share("coreex") == 0.0


def test_cjk_characters_are_words() -> None:
    compared = run_all("<p>狐狸爬树 fox</p>".encode(), None, None, {"everything": algorithm("everything")})
    assert compared.page_words == 5


def test_tables_and_texts(pages: Path) -> None:
    done = duramen("compare", "page.html", "--algorithms", "coreex,everything")
    assert (done.code, done.err) == (0, "")
    assert "words on the page" in done.out
    assert "Agreement" in done.out
    assert "cetd" not in done.out
    assert done.out.count("climbs trees") > 1
    assert not any(line.endswith(" ") for line in done.out.splitlines())


def test_summary_has_no_texts(pages: Path) -> None:
    assert "climbs" not in duramen("compare", "page.html", "--summary").out
    record = json.loads(duramen("compare", "page.html", "-s", "-f", "json").out)
    assert "text" not in record["algorithms"]["coreex"]


def test_columns_on_a_wide_terminal(pages: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    chosen = {name: algorithm(name) for name in ("coreex", "everything")}
    compared = run_all((pages / "page.html").read_bytes(), None, None, chosen)

    def shown(columns: str) -> list[str]:
        monkeypatch.setenv("COLUMNS", columns)
        return side_by_side(compared, texts=True, terminal=True).splitlines()

    # "home" is in the second text only: beside the first one's title where there is room, else below its name.
    assert any("Foxes" in line and "home" in line for line in shown("100"))
    assert not any("Foxes" in line and "home" in line for line in shown("40"))


def test_own_settings(pages: Path) -> None:
    done = duramen("compare", "page.html", "-a", "coreex", "-O", "coreex.threshold=0.8", "-f", "json")
    assert done.code == 0


def test_diff(pages: Path) -> None:
    done = duramen("compare", "page.html", "--diff", "coreex", "everything")
    assert done.code == 0
    assert done.out.startswith("--- coreex\n+++ everything\n@@")
    assert re.search(r"^\+.*imprint$", done.out, re.MULTILINE)
    assert duramen("compare", "page.html", "--diff", "coreex", "coreex").out == ""


def test_output_file(pages: Path) -> None:
    assert duramen("compare", "page.html", "-o", "figures.json").out == ""
    assert json.loads((pages / "figures.json").read_text(encoding="utf-8"))["input"] == "page.html"
    assert duramen("compare", "page.html", "-o", "figures.txt").out == ""
    assert "Agreement" in (pages / "figures.txt").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (["page.html", "-a", "coreex,nothing"], 2, "unknown algorithm 'nothing'"),
        (["page.html", "--diff", "coreex", "nothing"], 2, "unknown algorithm 'nothing'"),
        (["page.html", "-O", "threshold=1"], 2, "write coreex.threshold=1"),
        (["page.html", "-a", "cetd", "-O", "coreex.threshold=1"], 2, "is a setting of coreex, which is not compared"),
        (["page.html", "-O", "coreex.nothing=1"], 2, "coreex has no option 'nothing'"),
        (["missing.html"], 1, "cannot read missing.html"),
        (["site"], 2, "site holds 3 pages: name one of them"),
    ],
)
def test_error_in_one_line(pages: Path, arguments: list[str], code: int, said: str) -> None:
    done = duramen("compare", *arguments)
    assert (done.code, done.out) == (code, "")
    assert said in done.err
    assert done.err.count("\n") == 1
