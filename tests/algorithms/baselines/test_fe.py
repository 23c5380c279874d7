"""FE: the worked vector and the choice of the one block."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

from duramen.algorithms.baselines.fe import Fe
from duramen.page import Reason
from tests.support import find, kept_text, page_of

NAV = "<div id=nav>" + "<a href=x>abcd</a>" * 3 + "</div>"
F1 = (
    f"<body>{NAV}<h1>{'t' * 15}</h1><p id=p1>{'a' * 100}</p><p>{'b' * 80}</p><p>{'c' * 20}</p>"
    f"<div id=foot>{'f' * 20}<a href=y>{'g' * 10}</a></div></body>"
)


def test_f1() -> None:
    page = page_of(F1)
    selection = Fe().select(page)
    assert selection.columns["text"].tolist() == [12, 15, 100, 80, 20, 30]
    assert selection.columns["links"].tolist() == [3, 0, 0, 0, 0, 1]
    assert kept_text(page, selection) == "a" * 100
    assert selection.trace["block"] == 2
    assert selection.trace["winner"] == find(page, "#p1")
    # Of nav and foot the links are the larger share: 1 > .12, .333 > .3.
    assert selection.trace["candidates"] == 4


def test_scores_and_weights() -> None:
    selection = Fe().select(page_of(F1))
    assert selection.score is not None
    assert selection.score.tolist() == pytest.approx([0.12, 0.15, 1, 0.8, 0.2, 0.3])
    expected = [0.12 / 1.12, 1, 1, 1, 1, 0.3 / (0.3 + 1 / 3)]
    assert selection.columns["weight"].tolist() == pytest.approx(expected)


def test_the_first_of_equals_wins() -> None:
    page = page_of("<p>aaaa</p><p>bbbb</p>")
    assert kept_text(page, Fe().select(page)) == "aaaa"


def test_another_feature_may_be_desired() -> None:
    page = page_of(F1)
    assert kept_text(page, Fe(desired="links").select(page)) == "abcd abcd abcd"


def test_a_block_without_text_is_found_but_reads_as_nothing() -> None:
    page = page_of("<p>words</p><p><img src=x></p>")
    selection = Fe(desired="images").select(page)
    assert [page.tag_name(row) for row in np.flatnonzero(selection.kept).tolist()] == ["p", "img"]
    assert selection.reason is Reason.NO_CONTENT


def test_a_feature_that_no_block_has_finds_nothing() -> None:
    page = page_of("<p>words</p>")
    selection = Fe(desired="tables").select(page)
    assert selection.trace["block"] is None
    assert selection.reason is Reason.NO_CONTENT
    assert not selection.kept.any()


def test_spans_are_blocks_on_request() -> None:
    page = page_of("<p>lead <span>a longer part</span></p>")
    assert kept_text(page, Fe().select(page)) == "lead a longer part"
    assert kept_text(page, Fe(spans=True).select(page)) == "a longer part"


@pytest.mark.parametrize("html", ["", "<body></body>", "<p></p><hr>", "<script>x</script>"])
def test_nothing_to_read(html: str) -> None:
    selection = Fe().select(page_of(html))
    assert not selection.kept.any()
    assert selection.reason is Reason.NO_TEXT
    assert selection.blocks is not None
    assert len(selection.blocks) == 0


def test_blocks_are_reported_with_their_text_rows() -> None:
    page = page_of("<p>a<b>b</b></p><p><img></p><p>c</p>")
    selection = Fe().select(page)
    assert selection.blocks is not None
    assert len(selection.blocks) == 2, "a block without text is counted, but not listed"
    assert [page.text_of(row) for row in selection.blocks.rows.tolist()] == ["a", "b", "c"]
    assert selection.blocks.at.tolist() == [0, 2, 3]
    assert selection.trace["blocks"] == 3
    json.dumps(dict(selection.trace), allow_nan=False)


def test_bad_settings_are_refused() -> None:
    wrong: Any = "words"
    with pytest.raises(ValueError, match="desired is one of text, links"):
        Fe(desired=wrong)
