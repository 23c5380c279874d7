"""The lines of a page as it would be written out."""

from __future__ import annotations

import math

import numpy as np
import pytest

from duramen.algorithms.baselines.lines import Lines, lines
from duramen.algorithms.baselines.tokens import WORDS, tokenise
from duramen.page import Page
from tests.support import page_of

WRAP = 65


def lines_of(html: str, wrap: int = WRAP) -> tuple[Page, Lines]:
    page = page_of(html)
    return page, lines(page, tokenise(page), wrap)


def padded(*more: str) -> str:
    """Some lines, with enough before them that the page is not taken for one of long lines."""
    return "<body>" + "\n".join(["x"] * 10 + list(more))


@pytest.mark.parametrize(
    ("line", "tags", "chars"),
    [
        ("<p>one  two</p>", 2, 7),
        ("  indented  ", 0, 8),
        ("<a>Home</a> <a>World</a>", 4, 10),
        ("<a>Home</a><a>World</a>", 4, 9),
        ("<br>", 1, 0),
        ("a\u200bb", 0, 2),
        ("日本", 0, 2),
    ],
)
def test_tags_and_characters_of_a_line(line: str, tags: int, chars: int) -> None:
    _, found = lines_of(padded(line, "y"))
    assert (found.tags[10], found.chars[10]) == (tags, chars)
    assert len(found) == 12


def test_blank_lines_and_scripts_are_no_lines() -> None:
    _, found = lines_of(padded("", "  ", "<script>", "var x", "</script>y"))
    assert len(found) == 11
    assert found.chars[10] == 1


def test_line_breaks_inside_tags_are_lost() -> None:
    _, found = lines_of(padded("<p", "class=x>a</p>"))
    assert len(found) == 11
    assert found.tags[10] == 2


def test_few_lines_are_wrapped() -> None:
    _, found = lines_of("<body><p>" + "abcd " * 26 + "</p>")  # 3 characters of tag and 130 of text
    assert found.wrapped
    # Cut in the middle of a word, where 65 characters end; the blank at the end of the last line does not count.
    assert found.chars.tolist() == [62, 65, 2]
    assert found.tags.tolist() == [1, 0, 1]


def test_a_long_tag_is_not_cut() -> None:
    _, found = lines_of(f"<body>a<p title={'t' * 200}>b</p>c")
    assert found.tags.tolist() == [1, 1]
    assert found.chars.tolist() == [1, 2]


def test_line_breaks_stay_where_long_lines_are_wrapped() -> None:
    _, found = lines_of("<body>" + "a" * 70 + "\n" + "b" * 70)
    assert found.chars.tolist() == [65, 5, 65, 5]


def test_long_lines_are_wrapped_though_there_are_many() -> None:
    page = "<body>" + "\n".join(["x" * 660] * 20)
    assert lines_of(page)[1].wrapped
    assert not lines_of(page.replace("x" * 660, "x" * 640))[1].wrapped


def test_means_over_text_nodes() -> None:
    page, found = lines_of(padded("aa<b>b</b>", "cc d", "<i>e</i>."))
    tokens = tokenise(page)
    means = found.mean(np.arange(len(found), dtype=np.float64))
    texts = np.flatnonzero(tokens.kind == WORDS)
    by_text = {page.text_of(int(tokens.row[run])).split()[-1]: means[run] for run in texts.tolist()}
    assert by_text["b"] == 10
    assert by_text["d"] == 11  # the line break before it is white space
    assert by_text["e"] == 12
    assert by_text["aa"] == pytest.approx((sum(range(10)) + 2 * 10) / 12)
    assert all(math.isnan(mean) for mean, kind in zip(means, tokens.kind) if kind != WORDS)


@pytest.mark.parametrize("html", ["", "<body></body>", "<frameset></frameset>"])
def test_no_lines_at_all(html: str) -> None:
    _, found = lines_of(html)
    assert not found.chars.any()
