"""BTE: the worked vectors, ties, and a search over all stretches on random pages."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import settings as budget
from hypothesis import strategies as st

from duramen.algorithms.baselines.bte import Bte
from duramen.algorithms.baselines.tokens import tokenise
from duramen.page import Reason
from tests.support import find, kept_text, page_of

B1 = (
    "<body><ul><li><a href=x>Home</a></li><li><a href=y>News</a></li></ul><p>one two three four</p>"
    "<p>five six seven</p><div><a href=z>next</a></div></body>"
)
B2 = B1.replace("five six seven", "five <b>six</b> seven eight")
B3 = "<p>a b</p><hr><hr><p>c d</p>"


@pytest.mark.parametrize(
    ("html", "tokens", "tags", "best", "stretch", "text"),
    [
        (B1, 28, 18, 5, (13, 21), "one two three four five six seven"),
        (B2, 31, 20, 4, (13, 16), "one two three four"),  # the longer stretch has 4 as well: the shorter one wins
        (B3, 10, 6, 2, (1, 2), "a b"),
    ],
)
def test_vectors(html: str, tokens: int, tags: int, best: int, stretch: tuple[int, int], text: str) -> None:
    page = page_of(html)
    selection = Bte().select(page)
    trace = selection.trace
    assert (trace["tokens"], trace["tags"], trace["best_sum"]) == (tokens, tags, best)
    assert (trace["first_token"], trace["last_token"]) == stretch
    assert trace["objective"] == tags + best
    assert kept_text(page, selection) == text
    assert trace["words"] == text.split()


def test_b1_objective() -> None:
    assert Bte().select(page_of(B1)).trace["objective"] == 23


@pytest.mark.parametrize("html", ["", "<ul><li></li></ul><hr>", "<p> \n</p>", "<script>words in here</script>"])
def test_b4_without_words_there_is_nothing(html: str) -> None:
    selection = Bte().select(page_of(html))
    assert not selection.kept.any()
    assert selection.reason is Reason.NO_TEXT


def test_implied_end_tags_count() -> None:
    # As the source stands there are two tags between the words, <p> and <p>; the tree has an end tag as well.
    selection = Bte().select(page_of("<p>a b<p>c d"))
    assert selection.trace["tags"] == 4
    assert selection.trace["words"] == ["a", "b"]


def test_chinese_counts_by_the_character() -> None:
    page = page_of("<ul><li><a href=1>首页</a></li></ul><p>台风今天中午登陆沿海地区</p>")
    assert kept_text(page, Bte().select(page)) == "台风今天中午登陆沿海地区"


def test_the_score_is_the_best_sum_through_a_text_node() -> None:
    page = page_of(B1)
    selection = Bte().select(page)
    assert selection.score is not None
    assert selection.score[find(page, '"one two three four"')] == 5
    assert selection.score[find(page, '"five six seven"')] == 5
    assert selection.score[find(page, '"Home"')] == 1, "alone it is better off than with any of the tags around it"


def test_the_trace_is_bounded_and_ready_for_json() -> None:
    selection = Bte().select(page_of("<p>" + "word " * 1000))
    assert len(selection.trace["words"]) == 100
    json.dumps(dict(selection.trace), allow_nan=False)


PIECES = st.lists(st.sampled_from(["a ", "<br>", "<i>b</i>", "<hr>", "c d ", " "]), max_size=14)


@budget(deadline=None)
@given(PIECES)
def test_it_is_the_best_of_all_stretches(pieces: list[str]) -> None:
    page = page_of(f"<body>{''.join(pieces)}</body>")
    tokens = tokenise(page)
    values = [v for kind, size in zip(tokens.tag(), tokens.at[1:] - tokens.at[:-1]) for v in [-1 if kind else 1] * size]
    sums = {
        (i, j): sum(values[i : j + 1]) for i in range(len(values)) for j in range(i, len(values)) if max(values) > 0
    }
    selection = Bte().select(page)
    if not sums:
        assert selection.reason is Reason.NO_TEXT
        return
    best = max(sums.values())
    # Ties: the smallest start, then the smallest end.
    expected = min(pair for pair, value in sums.items() if value == best)
    assert selection.trace["best_sum"] == best
    assert (selection.trace["first_token"], selection.trace["last_token"]) == expected
