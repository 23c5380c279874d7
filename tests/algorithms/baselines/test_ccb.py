"""CCB: the worked vector, the variants, and the settings."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

from duramen.algorithms.baselines.ccb import VARIANTS, Ccb
from duramen.page import Reason
from tests.support import find, kept_text, page_of, words

C1 = f"<ul><li><a>n1</a></li><li><a>n2</a></li></ul><p>{words(8, 'w')}</p><div><a>f1</a></div>"
INNER = [0.701, 0.946, 1, 1, 1, 1, 0.946, 0.701]  # w1 … w8


def by_word(**settings: Any) -> dict[str, float]:
    """The value of every word of C1 after one pass with a radius of 2."""
    trace = Ccb("TCCB-18", radius=2, max_iter=1, threshold=1e-6, **settings).select(page_of(C1)).trace
    return dict(zip(trace["words"], trace["values"]))


@pytest.mark.parametrize(("skip_anchors", "footer"), [(False, 0.403), (True, 0.426)])
def test_c1_values(skip_anchors: bool, footer: float) -> None:
    expected = {"n1": 0.403, "n2": 0.403, **dict(zip(words(8, "w").split(), INNER)), "f1": footer}
    assert by_word(skip_anchors=skip_anchors) == pytest.approx(expected, abs=5e-4)


@pytest.mark.parametrize(("skip_anchors", "units"), [(False, 27), (True, 21)])
def test_c1_output(skip_anchors: bool, units: int) -> None:
    page = page_of(C1)
    selection = Ccb("TCCB-18", radius=2, max_iter=1, skip_anchors=skip_anchors).select(page)
    assert selection.trace["units"] == units
    assert selection.trace["words"] == ["w2", "w3", "w4", "w5", "w6", "w7"]
    # A text node is kept whole when half of it or more is content.
    assert kept_text(page, selection) == words(8, "w")


def test_the_scores_of_text_nodes_are_means() -> None:
    page = page_of(C1)
    selection = Ccb("TCCB-18", radius=2, max_iter=1).select(page)
    assert selection.score is not None
    assert selection.score[find(page, f'"{words(8, "w")}"')] == pytest.approx(np.mean(INNER), abs=5e-4)
    assert selection.score[find(page, '"n1"')] == pytest.approx(0.403, abs=5e-4)
    assert selection.columns["content_share"][find(page, f'"{words(8, "w")}"')] == 0.75


ARTICLE = "The storm reached the coast at noon, and the harbour was closed. Nobody was hurt, the mayor said. " * 3
PAGE = (
    "<body><ul>"
    + "".join(f"<li><a href=/section/{k} class=nav>Part {k}</a></li>" for k in range(9))
    + f"</ul><p>{ARTICLE}</p><p>{ARTICLE[:150]}<a href=/somewhere/far/away title=more>more of it</a>{ARTICLE[:150]}</p>"
    + "<div class=footer>"
    + "<span class=link><a href=/imprint>Imprint</a></span>" * 9
    + "</div></body>"
)


@pytest.mark.parametrize("variant", VARIANTS)
def test_every_variant_finds_the_article(variant: Any) -> None:
    page = page_of(PAGE)
    selection = Ccb(variant).select(page)
    text = kept_text(page, selection)
    assert ARTICLE.strip() in text
    assert "Part 3" not in text
    assert "Imprint" not in text
    assert {name: selection.trace[name] for name in VARIANTS[variant]._fields} == VARIANTS[variant]._asdict()
    json.dumps(dict(selection.trace), allow_nan=False)


def test_links_in_the_text_are_kept_where_their_tags_are_left_out() -> None:
    page = page_of(PAGE)
    assert "more of it" not in kept_text(page, Ccb("CCB").select(page))
    assert "more of it" in kept_text(page, Ccb("ACCB-40").select(page))


def test_a_variant_is_a_set_of_settings() -> None:
    page = page_of(PAGE)
    named = Ccb("TCCB-25").select(page)
    spelt = Ccb(unit="tokens", radius=25, threshold=0.75).select(page)
    assert {**named.trace, "variant": "CCB"} == spelt.trace
    assert np.array_equal(named.kept, spelt.kept)


def test_characters_of_code_are_those_of_the_tags() -> None:
    trace = Ccb().select(page_of("<p class=x>two  words</p>")).trace
    assert trace["units"] == len('<p class="x">two words</p>')
    assert trace["content_units"] == len("two words")


def test_attributes_are_code() -> None:
    short, long = (
        f"<p>{ARTICLE[:120]}</p><p {extra}>of it</p><p>{ARTICLE[:120]}</p>" for extra in ("", "id=" + "x" * 80)
    )
    assert "of it" in kept_text(page_of(short), Ccb().select(page_of(short)))
    assert "of it" not in kept_text(page_of(long), Ccb().select(page_of(long)))


def test_blurring_ends_when_it_changes_little_or_was_done_often_enough() -> None:
    page = page_of(PAGE)
    trace = Ccb(max_iter=100, settled=0.02).select(page).trace
    assert trace["rounds"] < 100
    assert trace["change"] < 0.02
    assert Ccb(max_iter=2, settled=0.0).select(page).trace["rounds"] == 2


@pytest.mark.parametrize(("least", "expected"), [(0, "a b c d e f g"), (3, "c d e f g"), (6, "")])
def test_short_stretches_are_dropped_on_request(least: int, expected: str) -> None:
    tags = "<hr>" * 9
    page = page_of(f"{tags}a b{tags}c d <b>e</b> f g{tags}")
    # With a radius of 2 the tags around "e" stay above the threshold, so that they end no stretch.
    selection = Ccb("TCCB-18", radius=2, threshold=0.4, max_iter=1, min_words=least).select(page)
    assert kept_text(page, selection) == expected
    assert (selection.reason is None) == bool(expected)
    assert selection.trace["short_stretches"] == {0: 0, 3: 1, 6: 2}[least]


def test_nothing_but_code_around_is_no_content() -> None:
    assert Ccb().select(page_of("<p>a</p>" * 50)).reason is Reason.NO_CONTENT
    assert Ccb().select(page_of("<p></p>" * 50)).reason is Reason.NO_TEXT


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"variant": "DCCB"}, "variant is one of CCB, ACCB-40"),
        ({"unit": "words"}, "unit"),
        ({"radius": 0}, "radius"),
        ({"radius": 100_000}, "radius"),
        ({"threshold": 0.0}, "threshold"),
        ({"spread": 0.0}, "spread"),
        ({"max_iter": 0}, "max_iter"),
        ({"settled": -1.0}, "settled"),
        ({"min_words": -1}, "min_words"),
    ],
)
def test_bad_settings_are_refused(settings: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Ccb(**settings)
