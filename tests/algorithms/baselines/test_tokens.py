"""The body as tags and words: what is in the sequence, and in which order."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import settings as budget
from hypothesis import strategies as st

from duramen.algorithms.baselines.tokens import (
    END,
    START,
    WORDS,
    Tokens,
    row_values,
    rows_inside,
    run_chars,
    share_inside,
    spell,
    tokenise,
    words_inside,
)
from duramen.page import Page
from duramen.tags import TEXT, VOID
from tests.support import find, page_of


def written(page: Page, tokens: Tokens) -> str:
    """The sequence as a person would write it down, without attributes."""
    pieces = []
    for kind, row in zip(tokens.kind.tolist(), tokens.row.tolist()):
        pieces.append(
            " ".join(spell(page, row)) if kind == WORDS else f"<{'/' if kind == END else ''}{page.tag_name(row)}>"
        )
    return "".join(pieces)


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<p>one two</p>", "<p>one two</p>"),
        ("<p>one<p>two", "<p>one</p><p>two</p>"),  # end tags that the parser implies
        ("<table><tr><td>x</table>", "<table><tbody><tr><td>x</td></tr></tbody></table>"),
        ("<p>a<br>b<img src=x>c</p><hr>", "<p>a<br>b<img>c</p><hr>"),
        ("a<!-- b -->c<script>d</script><style>e</style>f", "acf"),
        ("<body><noscript><p>x</p></noscript><template><p>y</p></template>z", "z"),
        ("<video>no video<b>!</b></video>x", "<video><b></b></video>x"),
        ("<custom-tag>x</custom-tag>", "<custom-tag>x</custom-tag>"),
        ("<svg><link>x</link></svg><p>y", "<svg><link></link></svg><p>y</p>"),
        ("<head><title>t</title></head><body>x</body>", "x"),
        ("<frameset><frame src=x></frameset>", "<frameset><frame></frameset>"),
        ("", ""),
    ],
)
def test_the_sequence_is_that_of_the_tree(html: str, expected: str) -> None:
    page = page_of(html)
    assert written(page, tokenise(page)) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("one  two\n three ", ["one", "two", "three"]),
        ("it's a well-known, fact.", ["it's", "a", "well-known,", "fact."]),
        ("中文 ok", ["中", "文", "ok"]),
        ("中文，字。", ["中", "文", "字"]),  # a mark of punctuation is no word
        ("v2版本", ["v2", "版", "本"]),
        ("so\u00adft zero\u200bwidth", ["soft", "zerowidth"]),
        ("a\u00a0b\u3000c", ["a", "b", "c"]),
        ("。", []),
    ],
)
def test_words(text: str, expected: list[str]) -> None:
    page = page_of(f"<p>{text}</p>")
    tokens = tokenise(page)
    assert list(spell(page, int(tokens.row[1]))) == expected
    assert len(tokens) == 2 + len(expected)


@budget(deadline=None)
@given(st.text(st.characters(codec="utf-8", exclude_characters="<&\0\r"), min_size=1))
def test_words_are_those_that_the_page_counts(text: str) -> None:
    page = page_of(f"<p>x{text}</p>")
    for row in np.flatnonzero(page.is_text()).tolist():
        assert len(list(spell(page, row))) == page.words[row]


NAMES = ("div", "p", "b", "br", "ul", "li", "img", "a", "table", "script", "x-y", "svg", "link", "noscript")
TREES = st.recursive(
    st.sampled_from(["", " ", "word", "two words", "中文", "<br>", "<img>"]),
    lambda inner: st.tuples(st.sampled_from(NAMES), st.lists(inner, max_size=4)).map(
        lambda pair: f"<{pair[0]}>{''.join(pair[1])}</{pair[0]}>"
    ),
    max_leaves=30,
)


def walked(page: Page) -> list[tuple[int, int]]:
    """The kinds and rows of the sequence by a walk with a stack."""
    body, found = page.body(), []
    stack: list[tuple[int, bool]] = [(child, True) for child in reversed(list(page.children(body)))]
    unseen = {"video", "audio", "iframe", "object", "svg", "canvas", "title"}
    while stack:
        row, opens = stack.pop()
        name = page.tag_name(row)
        if not opens:
            found.append((END, row))
        elif page.tag[row] == TEXT:
            if not unseen & {page.tag_name(above) for above in page.ancestors(row)}:
                found.append((WORDS, row))
        elif name not in ("script", "style", "noscript", "template"):
            found.append((START, row))
            children = list(page.children(row))
            if children or name not in VOID:
                stack.append((row, False))
            stack += [(child, True) for child in reversed(children)]
    return found


@budget(max_examples=200, deadline=None)
@given(st.lists(TREES, max_size=5))
def test_the_sequence_agrees_with_a_walk(trees: list[str]) -> None:
    page = page_of(f"<body>{''.join(trees)}</body>")
    tokens = tokenise(page)
    assert list(zip(tokens.kind.tolist(), tokens.row.tolist())) == walked(page)
    sizes = [int(page.words[row]) if kind == WORDS else 1 for kind, row in walked(page)]
    assert np.diff(tokens.at).tolist() == sizes


def test_characters_of_tags_are_those_of_the_tag_written_out() -> None:
    page = page_of('<p id=x class="a b">two  words<img alt="日本" hidden></p><my-tag>x</my-tag>')
    chars = run_chars(page, tokenise(page)).tolist()
    start, end = len('<p id="x" class="a b">'), len("</p>")
    image = len('<img alt="日本" hidden="">')  # characters, not bytes
    assert chars == [start, len("two words"), image, end, len("<my-tag>"), 1, len("</my-tag>")]


def test_share_of_a_run_that_is_inside() -> None:
    at = np.array([0, 4, 4, 5, 7, 7])
    inside = np.array([True, False, False, True, True, False, False])
    # Empty runs: what follows is inside, or nothing follows.
    assert share_inside(inside, at).tolist() == [0.5, 1.0, 1.0, 0.0, 0.0]


def test_half_of_a_text_node_keeps_it_and_white_space_between_two() -> None:
    page = page_of("<p><a>one two</a> <a>three</a> <a>four</a></p>")
    tokens = tokenise(page)
    share = np.where(tokens.tag(), 0.0, 1.0)
    share[np.flatnonzero(tokens.row == find(page, '"one two"'))] = 0.5
    share[np.flatnonzero(tokens.row == find(page, '"four"'))] = 0.4
    kept = rows_inside(page, tokens, share)
    assert [page.text_of(row) for row in np.flatnonzero(kept).tolist()] == ["one two", " ", "three"]


def test_values_of_rows() -> None:
    page = page_of("<p>one <b>two</b> </p>")
    tokens = tokenise(page)
    values = row_values(page, tokens, np.arange(len(tokens.kind), dtype=np.float64))
    assert values[find(page, '"one"')] == 1
    assert values[find(page, '"two"')] == 3
    assert np.isnan(values).sum() == len(page) - 2, "elements and blank text have none"


def test_the_first_words_inside() -> None:
    page = page_of("<p>a b c</p><p>d e f</p>")
    tokens = tokenise(page)
    inside = np.ones(len(tokens), dtype=np.bool_)
    inside[2] = False  # b
    assert words_inside(page, tokens, inside, 99) == ["a", "c", "d", "e", "f"]
    assert words_inside(page, tokens, inside, 3) == ["a", "c", "d"]


def test_depth_costs_nothing() -> None:
    depth = 100_000
    page = page_of("<span>" * depth + "deep text" + "</span>" * depth)
    tokens = tokenise(page)
    assert tokens.kind.tolist() == [START] * depth + [WORDS] + [END] * depth
    assert tokens.row[:depth].tolist() == tokens.row[:depth:-1].tolist()
