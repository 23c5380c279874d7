"""KFE: the worked vector, clusters, and the second pass."""

from __future__ import annotations

import json
from typing import Any

import pytest

from duramen.algorithms.baselines.kfe import Kfe
from duramen.page import Reason
from tests.support import kept_text, page_of

NAV = "<div id=nav>" + "<a href=x>abcd</a>" * 3 + "</div>"
K1 = (
    f"<body>{NAV}<h1>{'t' * 15}</h1><p id=p1>{'a' * 100}</p><p>{'b' * 80}</p><p>{'c' * 20}</p>"
    f"<div id=foot>{'f' * 20}<a href=y>{'g' * 10}</a></div></body>"
)


def test_k1() -> None:
    page = page_of(K1)
    selection = Kfe().select(page)
    assert kept_text(page, selection) == f"{'a' * 100} {'b' * 80}"
    assert selection.columns["cluster"].tolist() == [1, 2, 0, 0, 2, 2]
    told = [(entry["size"], entry["text"], entry["links"]) for entry in selection.trace["clusters"]]
    assert told == [
        (2, pytest.approx(0.9), 0.0),
        (1, pytest.approx(0.12), 1.0),
        (3, pytest.approx(0.2167, abs=5e-5), pytest.approx(0.1111, abs=5e-5)),
    ]


def test_a_blocks_score_is_that_of_its_cluster() -> None:
    selection = Kfe().select(page_of(K1))
    assert selection.score is not None
    assert selection.score.tolist() == pytest.approx([0.12, 0.21667, 0.9, 0.9, 0.21667, 0.21667], abs=5e-6)


@pytest.mark.parametrize(("lengths", "expected"), [([50], "a"), ([50, 10], "a"), ([50, 50], "a b")])
def test_few_blocks(lengths: list[int], expected: str) -> None:
    page = page_of("".join(f"<p>{letter * size}</p>" for letter, size in zip("abc", lengths)))
    selection = Kfe().select(page)
    assert " ".join(word[0] for word in kept_text(page, selection).split()) == expected
    assert len(selection.trace["clusters"]) == len(set(lengths)), "no more clusters than different blocks"


TWO_LEVELS = "".join(f"<p>{letter * size}</p>" for letter, size in zip("abcdef", (100, 98, 60, 58, 5, 4)))


def test_a_second_pass_adds_the_next_best_cluster() -> None:
    page = page_of(TWO_LEVELS)
    once, twice = Kfe().select(page), Kfe(passes=2).select(page)
    assert [word[0] for word in kept_text(page, once).split()] == ["a", "b"]
    assert [word[0] for word in kept_text(page, twice).split()] == ["a", "b", "c", "d"]
    assert twice.trace["second_added"] is True


def test_a_second_cluster_that_is_too_poor_is_left_out() -> None:
    page = page_of(TWO_LEVELS)
    selection = Kfe(passes=2, second_share=0.7).select(page)
    assert [word[0] for word in kept_text(page, selection).split()] == ["a", "b"]
    assert selection.trace["second_added"] is False


def test_a_second_pass_on_nothing_left() -> None:
    page = page_of("<p>a</p><p>b</p>")
    assert kept_text(page, Kfe(passes=2).select(page)) == "a b"


def test_another_feature_may_be_desired() -> None:
    page = page_of(K1)
    assert kept_text(page, Kfe(desired="links").select(page)) == "abcd abcd abcd"


@pytest.mark.parametrize("html", ["", "<body></body>", "<p></p><hr>", "<p><img></p>", "<script>x</script>"])
def test_nothing_to_read(html: str) -> None:
    selection = Kfe().select(page_of(html))
    assert not selection.kept.any()
    assert selection.reason is Reason.NO_TEXT
    json.dumps(dict(selection.trace), allow_nan=False)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"desired": "words"}, "desired"),
        ({"clusters": 1}, "clusters"),
        ({"passes": 3}, "passes"),
        ({"second_share": 2.0}, "second_share"),
    ],
)
def test_bad_settings_are_refused(settings: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Kfe(**settings)
