"""CETR: the worked vector with every figure, in its three variants and both radii."""

from __future__ import annotations

import json
from typing import Any

import pytest

from duramen.algorithms.baselines.cetr import Cetr
from duramen.page import Reason, Selection
from tests.support import find, kept_text, page_of

A, B, C = "a" * 80, "b" * 100, "c" * 90
T1 = "\n".join(
    [
        "<div id=nav>",
        "<a href=1>Home</a> <a href=2>World</a>",
        "</div>",
        "<div id=art>",
        "<h1>Storm hits coast</h1>",
        f"<p>{A}</p>",
        f"<p>{B}",
        f"{C}</p>",
        "</div>",
        "<div id=f><a href=3>Contact</a></div>",
    ]
)
THOUSANDTH = 5.1e-4


def figures(selection: Selection, name: str) -> list[float]:
    return [entry[name] for entry in selection.trace["histogram"]]


def content_lines(selection: Selection) -> list[int]:
    """Counted from 1, as in the specification."""
    return [entry["line"] + 1 for entry in selection.trace["histogram"] if entry["content"]]


def test_t1_ratios() -> None:
    selection = Cetr(radius=1).select(page_of(T1))
    assert figures(selection, "ratio") == [0, 2.5, 0, 0, 8, 40, 100, 90, 0, 1.75]
    smooth = [0.944, 1.130, 0.685, 2.193, 14.578, 47.674, 80.815, 68.075, 25.146, 1.089]
    rise = [2.014, 7.926, 23.151, 40.220, 38.322, 32.166, 40.208, 44.959, 25.932, 9.082]
    assert figures(selection, "smooth") == pytest.approx(smooth, abs=THOUSANDTH)
    assert figures(selection, "rise") == pytest.approx(rise, abs=THOUSANDTH)
    assert selection.trace["deviation"] == pytest.approx(29.0159, abs=5e-5)


def test_t1_in_two_dimensions() -> None:
    page = page_of(T1)
    selection = Cetr(radius=1).select(page)
    # Lines 3, 4 and 9 have tags only: they are content without any text.
    assert content_lines(selection) == [3, 4, 5, 6, 7, 8, 9]
    told = [(entry["size"], *entry["centroid"]) for entry in selection.trace["clusters"]]
    assert told == [
        (3, 0.0, 0.0),
        (3, pytest.approx(65.521, abs=THOUSANDTH), pytest.approx(39.111, abs=THOUSANDTH)),
        (4, pytest.approx(10.650, abs=THOUSANDTH), pytest.approx(31.906, abs=THOUSANDTH)),
    ]
    assert figures(selection, "cluster") == [0, 0, 2, 2, 2, 1, 1, 1, 2, 0]
    assert kept_text(page, selection) == f"Storm hits coast {A} {B} {C}"


def test_t1_by_the_ratio_alone() -> None:
    page = page_of(T1)
    selection = Cetr("CETR-KM", radius=1).select(page)
    assert content_lines(selection) == [6, 7, 8, 9]
    assert kept_text(page, selection) == f"{A} {B} {C}"


def test_t1_by_threshold() -> None:
    page = page_of(T1)
    selection = Cetr("CETR-TM", radius=1).select(page)
    assert content_lines(selection) == [6, 7, 8]
    assert selection.trace["threshold"] == selection.trace["deviation"]
    assert kept_text(page, selection) == f"{A} {B} {C}"


def test_t1_with_a_radius_of_2_keeps_too_much() -> None:
    page = page_of(T1)
    by_threshold, by_cluster = Cetr("CETR-TM", radius=2).select(page), Cetr(radius=2).select(page)
    assert by_threshold.trace["deviation"] == pytest.approx(20.9653, abs=5e-5)
    assert content_lines(by_threshold) == [5, 6, 7, 8, 9, 10]
    assert content_lines(by_cluster) == list(range(2, 11))
    assert "Home World" in kept_text(page, by_cluster)
    assert "Contact" in kept_text(page, by_cluster)


def test_the_radius_fits_the_page() -> None:
    assert Cetr().select(page_of(T1)).trace["radius"] == 1
    assert Cetr().select(page_of("<body>" + "<p>words</p>\n" * 21)).trace["radius"] == 2


def test_lambda_raises_the_threshold() -> None:
    page = page_of(T1)
    assert content_lines(Cetr("CETR-TM", radius=1, lambda_=2.5).select(page)) == [7]
    assert len(content_lines(Cetr("CETR-TM", radius=1, lambda_=0.0).select(page))) == 10
    nothing = Cetr("CETR-TM", radius=1, lambda_=9.0).select(page)
    assert nothing.reason is Reason.NO_CONTENT


def test_a_page_in_one_line_is_wrapped() -> None:
    page = page_of("<body>" + "<a href=1>x</a>" * 40 + f"<p>{'some words ' * 60}</p>" + "<a href=2>y</a>" * 40)
    selection = Cetr().select(page)
    assert selection.trace["wrapped"] is True
    assert "some words" in kept_text(page, selection)
    assert kept_text(page, selection).split().count("x") < 10, "but for those next to the text, where the ratio rises"


def test_a_text_node_of_several_lines_is_kept_by_its_larger_part() -> None:
    page = page_of(T1)
    selection = Cetr("CETR-TM", radius=1, lambda_=2.5).select(page)  # line 7 alone: 100 of the 190 characters
    assert kept_text(page, selection) == f"{B} {C}"
    assert selection.columns["content_share"][find(page, f'"{B}\n{C}"')] == pytest.approx(100 / 190)


@pytest.mark.parametrize("variant", ["CETR", "CETR-KM", "CETR-TM"])
@pytest.mark.parametrize("html", ["", "<body></body>", "<p></p>\n<p></p>", "<script>x</script>", " \n "])
def test_nothing_to_read(variant: Any, html: str) -> None:
    selection = Cetr(variant).select(page_of(html))
    assert not selection.kept.any()
    assert selection.reason is Reason.NO_TEXT


@pytest.mark.parametrize("variant", ["CETR", "CETR-KM", "CETR-TM"])
def test_the_trace_is_bounded_and_ready_for_json(variant: Any) -> None:
    selection = Cetr(variant).select(page_of("<body>" + "<p>some words</p>\n<hr>\n" * 500))
    assert len(selection.trace["histogram"]) == 100
    assert len(selection.trace["stretches"]) <= 50
    json.dumps(dict(selection.trace), allow_nan=False)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"variant": "CETR-3D"}, "variant"),
        ({"radius": 0}, "radius"),
        ({"lambda_": -1.0}, "lambda"),
        ({"clusters": 1}, "clusters"),
        ({"ahead": 0}, "ahead"),
        ({"wrap": 0}, "wrap"),
    ],
)
def test_bad_settings_are_refused(settings: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Cetr(**settings)
