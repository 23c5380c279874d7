"""Explanations as data: one contract for every algorithm, and small pages worked out by hand."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from duramen.algorithms import ALGORITHMS
from duramen.blocks import blocks
from duramen.explain import Explanation, explain
from duramen.explain.nodes import PATH_LEVELS, plain
from duramen.page import Reason, Selection
from tests.support import find, kept_text, page_of, words

NEWS = Path(__file__).parents[2] / "examples" / "news.html"
ENOUGH_LEVELS = 100_000


@pytest.fixture(params=list(ALGORITHMS))
def news(request: pytest.FixtureRequest) -> Explanation:
    return explain(NEWS.read_bytes(), algorithm=request.param, url="https://harbourcourier.example/mill")


def by_hand(html: str, selection: dict[str, Any], keep: str) -> Explanation:
    """An explanation of a made-up selection: the subtree of `keep`, and what else is given."""
    page = page_of(html)
    kept = np.zeros(len(page), dtype=np.bool_)
    row = find(page, keep)
    kept[row : page.end[row]] = True
    return Explanation(page, Selection(kept=kept, **selection), algorithm="by hand", settings={})


def test_every_node_is_told_once(news: Explanation) -> None:
    found = list(news.nodes())
    if news.selection.blocks is None:
        assert [node["row"] for node in found] == list(range(len(news.page)))
    else:
        assert [row for node in found for row in node["rows"]] == news.selection.blocks.rows.tolist()


def test_verdicts_agree_with_the_selection(news: Explanation) -> None:
    kept = news.selection.kept
    for node in news.nodes():
        row = node["row"]
        if "rows" in node:
            assert node["verdict"] == ("kept" if kept[node["rows"]].any() else "dropped")
        elif kept[row]:
            assert node["verdict"] == "kept"
        elif kept[row : news.page.end[row]].any():
            assert node["verdict"] == "structure"
        else:
            assert node["verdict"] in ("dropped", "unseen")


def test_verdict_counts_add_up(news: Explanation) -> None:
    told = [node["verdict"] for node in news.nodes()]
    assert news.verdicts() == {verdict: told.count(verdict) for verdict in ("kept", "structure", "dropped", "unseen")}


def test_every_column_is_told(news: Explanation) -> None:
    for node in news.nodes():
        assert list(node["columns"]) == list(news.selection.columns)


def test_json_is_plain_and_complete(news: Explanation) -> None:
    def refuse(constant: str) -> None:
        raise AssertionError(f"{constant} is no JSON")

    found = json.loads(news.to_json(), parse_constant=refuse)
    assert found["algorithm"] == news.algorithm
    assert found["url"] == "https://harbourcourier.example/mill"
    assert found["version"] == news.version
    assert found["reason"] is None
    assert set(found["settings"]) == set(news.settings)
    assert set(found["steps"]) == set(news.selection.trace)
    assert len(found["nodes"]) == len(news.judged)


def test_winner_is_one_of_the_nodes(news: Explanation) -> None:
    winner = news.to_dict()["winner"]
    if winner is None:
        assert news.algorithm not in ("coreex", "cetd", "econ")
        return
    node = list(news.nodes())[news.judged.unit_at(winner["row"])]
    assert node["path"].startswith(winner["path"])
    assert node["score"] == winner["score"]
    assert node["verdict"] in ("kept", "structure")


def test_text_tells_algorithm_nodes_and_kept_text(news: Explanation) -> None:
    text = news.to_text(top=5)
    assert text.startswith(f"{news.algorithm} (duramen {news.version})")
    assert "KEPT TEXT\n  " in text
    assert "\x1b" not in text
    ranking = text.split("\n\n")[-2].splitlines()
    assert len(ranking) == 2 + 5


def test_text_stays_in_document_order() -> None:
    found = explain(NEWS.read_bytes(), algorithm="coreex").to_text()
    assert found.index("STEPS") < found.index("TOP NODES BY SCORE") < found.index("KEPT TEXT")


def test_text_cannot_move_the_cursor_or_turn_the_line() -> None:
    found = explain("<p>red \x1b[31malert\u202e and \x9b2J more, yes.</p>", algorithm="everything").to_text()
    assert "red  [31malert  and" in found
    assert not set("\x1b\x9b\u202e") & set(found)


def test_terminal_columns_line_up_with_wide_characters() -> None:
    found = explain('<p id="中文">标题，内容。</p><p>plain, text.</p>', algorithm="everything").to_text()
    lines = [line for line in found.splitlines() if " kept " in line]
    starts = {
        sum(2 if ord(c) > 0x2E7F else 1 for c in line[: line.index(text)])
        for line, text in zip(lines, ("plain, text.", "标题，"))
    }
    assert len(starts) == 1


def test_unseen_and_blank_nodes() -> None:
    html = (
        "<head><title>t</title></head><body> <script>run()</script> <div><p>Text, kept.</p> <p>Gone.</p></div></body>"
    )
    found = by_hand(html, {}, "p")
    verdicts = {node["path"].split(" > ")[-1] + "|" + node["text"]: node["verdict"] for node in found.nodes()}
    assert verdicts["script|run()"] == "unseen"
    assert verdicts["#text|"] == "unseen"
    assert verdicts["title|t"] == "unseen"
    assert verdicts["p|Text, kept."] == "kept"
    assert verdicts["p|Gone."] == "dropped"
    assert verdicts["div|Text, kept. Gone."] == "structure"


def test_counts_are_the_nodes_own() -> None:
    found = list(by_hand("<p>One, two.</p>", {}, "p").nodes())
    assert [(node["tag"], node["chars"], node["words"], node["puncts"]) for node in found[-2:]] == [
        ("p", 0, 0, 0),
        ("#text", 9, 2, 2),
    ]


def test_blocks_are_the_nodes_where_an_algorithm_judges_blocks() -> None:
    html = "<p>First <b>block</b>, here.</p><p>Second block.</p>"
    page = page_of(html)
    found = by_hand(
        html,
        {"blocks": blocks(page), "score": np.array([0.9, np.nan]), "columns": {"words": np.array([3, 2])}},
        "p",
    )
    first, second = found.nodes()
    assert (first["block"], first["text"], first["words"], first["score"]) == (0, "First block, here.", 4, 0.9)
    assert (first["verdict"], second["verdict"]) == ("kept", "dropped")
    assert second["score"] is None
    assert first["columns"] == {"words": 3}
    assert [page.text_of(row) for row in first["rows"]] == ["First ", "block", ", here."]


def test_excerpts_are_joined_as_a_reader_reads_them() -> None:
    html = "<div><p>Two <b>tow</b>ns,</p><script>x()</script><p>one   storm.</p></div>"
    found = {node["tag"]: node["text"] for node in by_hand(html, {}, "div").nodes()}
    assert found["div"] == "Two towns, one storm."


def test_excerpts_of_blocks_keep_the_space_between_words() -> None:
    told = explain(
        "<p>One two three.</p><pre><b>from</b><i> </i><b>here</b> <b>imp</b><b>ort</b></pre>", algorithm="learned"
    )
    assert [node["text"] for node in told.nodes()] == ["One two three.", "from here import"]


def test_long_excerpts_and_names_are_cut() -> None:
    found = list(by_hand(f'<p id="{"i" * 500}" class="a b c d e">{words(200, "w")}</p>', {}, "p").nodes())
    assert len(found[-1]["text"]) <= 80
    assert found[-1]["text"].endswith("…")
    assert found[-2]["path"].endswith("…" + ".a.b.c")
    assert len(found[-2]["path"]) < 80


@pytest.mark.parametrize("algorithm", ["cetd", "everything"])
def test_deep_pages_cost_no_more_than_long_ones(algorithm: str) -> None:
    html = "<p>Some text, first.</p>" + "<span>" * ENOUGH_LEVELS + "deep text, at last."
    found = explain(html, algorithm=algorithm)
    deepest = max(found.nodes(), key=lambda node: node["row"])
    assert deepest["path"].startswith("… > span")
    assert deepest["path"].count(" > ") == PATH_LEVELS


@pytest.mark.parametrize(
    ("html", "reason"),
    [
        ("", Reason.EMPTY_INPUT),
        ("<body><img src=x></body>", Reason.NO_TEXT),
    ],
)
@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_pages_without_content_say_why(algorithm: str, html: str, reason: Reason) -> None:
    found = explain(html, algorithm=algorithm)
    assert found.reason is reason
    assert found.to_dict()["reason"] == reason.value
    assert f"nothing kept: {reason}" in found.to_text()
    assert reason.value in found.to_html()


def test_settings_are_those_in_force() -> None:
    found = explain("<p>One, two.</p>", algorithm="coreex", options={"configuration": "R3"})
    assert found.settings["configuration"] == "R3"
    assert found.settings["ignore_forms"] is False


def test_kept_text_is_told_whole() -> None:
    found = explain("<p>One <b>two</b>, three.</p>", algorithm="everything")
    assert kept_text(found.page, found.selection) == "One two , three."
    assert "KEPT TEXT\n  One two, three.\n" in found.to_text()


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (np.float64(1.5), 1.5),
        (np.int32(3), 3),
        (np.bool_(True), True),
        (float("nan"), None),
        (float("-inf"), None),
        ((1, np.float32("inf")), [1, None]),
        (np.array([1.0, np.nan]), [1.0, None]),
        ({"a": np.int64(1), 2: {"x"}}, {"a": 1, "2": ["x"]}),
        (Reason.NO_TEXT, "no_text"),
    ],
)
def test_plain_values(value: object, expected: object) -> None:
    found = plain(value)
    assert found == expected
    assert type(found) is type(expected)
