"""DSC: the worked vector, sections, refinement and short pages."""

from __future__ import annotations

import json
from typing import Any

import pytest

from duramen.algorithms.baselines.dsc import Dsc
from duramen.page import Reason
from tests.support import kept_text, page_of, words

NAV = "<ul>" + "".join(f"<li><a>n{k}</a></li>" for k in (1, 2, 3)) + "</ul>"
D1 = (
    f"<body>{NAV}<p>{words(14, 'a')}</p><p>{words(12, 'b')}</p><div>"
    + "".join(f"<a>f{k}</a>" for k in (1, 2, 3, 4))
    + "</div></body>"
)


def test_d1() -> None:
    page = page_of(D1)
    selection = Dsc(refine=False, window=4).select(page)
    trace = selection.trace
    assert (trace["tokens"], trace["tags"]) == (61, 28)
    assert trace["slope"] == pytest.approx(0.4590, abs=5e-5)
    assert trace["threshold"] == pytest.approx(0.2295, abs=5e-5)
    # The steep window 32 .. 36 with the tags between the paragraphs is bridged.
    assert trace["stretches"] == [[20, 44]]
    assert trace["words"] == [f"a{k}" for k in range(3, 15)] + [f"b{k}" for k in range(1, 11)]
    # Text nodes are kept whole when half of them or more is inside, so that the edges come back.
    assert kept_text(page, selection) == f"{words(14, 'a')} {words(12, 'b')}"


def stream(*runs: tuple[str, int]) -> str:
    """A page of so many words (w) and tags (t) in turn, all in one paragraph."""
    return "<body>" + "".join("w " * count if kind == "w" else "<br>" * count for kind, count in runs)


def sections(html: str, **settings: Any) -> list[list[int]]:
    found: list[list[int]] = Dsc(window=2, **settings).select(page_of(html)).trace["stretches"]
    return found


@pytest.mark.parametrize(
    ("runs", "expected"),
    [
        ([("t", 8), ("w", 8), ("t", 8)], [[8, 16]]),
        ([("w", 8), ("t", 8)], [[0, 8]]),
        ([("t", 8), ("w", 8)], [[8, 16]]),
        ([("t", 8), ("w", 8), ("t", 4), ("w", 2), ("t", 8)], [[8, 22]]),  # two steep windows close nothing
        ([("t", 8), ("w", 8), ("t", 6), ("w", 8), ("t", 8)], [[8, 16], [22, 30]]),
        ([("t", 8), ("w", 8), ("t", 2)], [[8, 16]]),  # too few windows left to close it: the last ones do
        ([("t", 8), ("w", 8), ("t", 2), ("w", 2)], [[8, 20]]),
    ],
)
def test_three_windows_open_and_close_a_section(runs: list[tuple[str, int]], expected: list[list[int]]) -> None:
    assert sections(stream(*runs), refine=False) == expected


@pytest.mark.parametrize(("words_in_a_row", "taken"), [(6, 3), (4, 2), (2, 1)])
def test_short_pages_get_by_with_fewer_windows(words_in_a_row: int, taken: int) -> None:
    page = page_of(stream(("t", 8), ("w", words_in_a_row), ("t", 8)))
    trace = Dsc(window=2).select(page).trace
    assert trace["stretches"] == [[8, 8 + words_in_a_row]]
    assert trace["windows"] == taken


def test_no_flat_window_at_all_is_no_content() -> None:
    selection = Dsc(window=2).select(page_of("<p>a</p>" * 9))
    assert not selection.kept.any()
    assert selection.reason is Reason.NO_CONTENT


def test_refinement_drops_the_shorter_section() -> None:
    html = stream(("t", 20), ("w", 8), ("t", 20), ("w", 20), ("t", 20))
    assert sections(html, refine=False) == [[20, 28], [48, 68]]
    # 20 of 88 tokens are more than a tenth, so at least five windows in a row may be asked for; eleven leave nothing.
    assert sections(html) == [[48, 68]]
    assert sections(html, least_share=0.3) == [[20, 28], [48, 68]]
    assert Dsc(window=2).select(page_of(html)).trace["windows"] == 5


def test_refinement_stops_where_a_section_gets_steep() -> None:
    # From four windows on, the three steep ones between would no longer close the first section: with them its slope
    # is 6 / 22, above the limit of 0.5 · 46 / 62.
    html = stream(("t", 20), ("w", 8), ("t", 20), ("w", 8), ("t", 6))
    assert sections(html) == sections(html, refine=False) == [[20, 28], [48, 56]]


def test_half_steps_see_what_lies_across_two_windows() -> None:
    html = stream(("t", 9), ("w", 6), ("t", 9))
    assert sections(html, refine=False) == [[10, 14]]
    assert sections(html, refine=False, step="half") == [[9, 15]]


@pytest.mark.parametrize(("tokens", "window"), [(100, 8), (200, 8), (2600, 29), (5000, 50), (9000, 50)])
def test_the_window_fits_the_page(tokens: int, window: int) -> None:
    assert Dsc().select(page_of("<body>" + "w " * (tokens - 1) + "<br>")).trace["window"] == window


def test_without_tags_everything_is_content() -> None:
    page = page_of("just some words")
    selection = Dsc().select(page)
    assert kept_text(page, selection) == "just some words"
    assert selection.reason is None


def test_the_score_is_the_share_of_words() -> None:
    page = page_of(stream(("t", 8), ("w", 8), ("t", 8)))
    selection = Dsc(window=2).select(page)
    assert selection.score is not None
    assert selection.score[~(selection.score != selection.score)].tolist() == [1.0]
    json.dumps(dict(selection.trace), allow_nan=False)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"factor": 0.0}, "factor"),
        ({"factor": 1.5}, "factor"),
        ({"window": 1}, "window"),
        ({"step": "third"}, "step"),
        ({"windows": 0}, "windows"),
        ({"least_share": -0.1}, "least_share"),
    ],
)
def test_bad_settings_are_refused(settings: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Dsc(**settings)
