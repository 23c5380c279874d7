from __future__ import annotations

import re
from dataclasses import dataclass, field

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from duramen.algorithms.pso.textblocks import PRUNE, REMOVE, REMOVE_WITH_BLANK, TextBlocks, text_blocks, text_nodes
from duramen.page import HREF, Page
from duramen.parse import with_raw_text
from tests.support import find, page_of

P1 = (
    "<body><div><ul><li><a href=1>Home</a></li><li><a href=2>World news</a></li></ul></div>"
    "<div><h1>Storm hits coast</h1>"
    "<p>The storm hit the coast <b>yesterday</b>.<br>It was in the <a href=3>press release</a> of the mayor.</p>"
    "<script>var x=1;</script></div><div>Ads</div></body>"
)


def blocks_of(html: str) -> TextBlocks:
    return text_blocks(page_of(html))


class TestMerging:
    def test_p1(self) -> None:
        blocks = blocks_of(P1)
        assert blocks.texts() == [
            "Home World news",
            "Storm hits coast The storm hit the coast yesterday. It was in the press release of the mayor.",
            "Ads",
        ]
        assert blocks.count_words().tolist() == [3, 18, 1]
        assert blocks.count_linked().tolist() == [3, 2, 0]
        assert blocks.elements(["ul", "li"]).tolist() == [3, 0, 0]
        assert blocks.elements(["h1", "p", "br"]).tolist() == [0, 3, 0]
        assert blocks.elements(["b"]).tolist() == [0, 1, 0]

    def test_p2_a_blank_for_a_break_and_none_for_italics(self) -> None:
        assert blocks_of("<div>one<br>two <i>thr</i>ee</div>").texts() == ["one two three"]

    @pytest.mark.parametrize(
        ("html", "expected"),
        [
            ("<div>a<div>b</div>c</div>", ["a", "b", "c"]),
            ("<div>a<div></div>c</div>", ["a", "c"]),  # an empty separator separates too
            ("<table><tr><td>a<td>b", ["a", "b"]),
            ("<p>a</p><p>b</p>", ["a b"]),
            ("a<img src=x>b", ["ab"]),  # pruned: nothing stands there, not even a blank
            ("a<script>x</script> b<!-- c -->", ["a b"]),
            ("<x-card>a</x-card>b", ["a", "b"]),  # elements that nobody listed separate
            ("a<button><div>x</div></button>b", ["ab"]),  # what is pruned cannot separate
            ("<div>a <time>b</time> <mark>c</mark></div>", ["a b c"]),
            ("<div> — | • </div>a", ["a"]),  # no word, no block
            ("so\u00adft cafe\u0301", ["soft café"]),
            ("a&nbsp;b\u3000c", ["a b c"]),
        ],
    )
    def test_blocks(self, html: str, expected: list[str]) -> None:
        assert blocks_of(html).texts() == expected

    def test_lists_can_be_chosen(self) -> None:
        page = page_of("<div>a<em>b</em><p>c</p></div>")
        assert text_blocks(page, prune=("em",), remove_with_blank=(), remove=()).texts() == ["a", "c"]

    def test_every_text_node_apart(self) -> None:
        page = page_of("<p>a <b>b</b></p><script>var x;</script>")
        assert text_nodes(page).texts() == ["a", "b"]
        assert text_nodes(with_raw_text(page)).texts() == ["a", "b", "var x;"]

    @pytest.mark.parametrize("html", ["", "<div></div>", "<p>…</p>", "<script>x</script>"])
    def test_pages_without_a_word(self, html: str) -> None:
        blocks = blocks_of(html)
        assert len(blocks) == 0
        assert blocks.texts() == []
        assert blocks.count_visible().tolist() == []
        assert (blocks.owner == -1).all()


class TestRecorded:
    """An element is counted where its first text is; without any, where its tag stands."""

    @pytest.mark.parametrize(
        ("html", "tag", "counts"),
        [
            ("<div>a<ul><div>b</div></ul></div>", "ul", [0, 1]),  # starts beside a, holds b
            ("<div>a<ul>\n<div>b</div></ul></div>", "ul", [0, 1]),  # blank text is no text
            ("<div>a<ul>—<div>b</div></ul></div>", "ul", [1, 0]),
            ("<div>a<p></p></div><div>b</div>", "p", [1, 0]),  # empty: where it stands
            ("<div>a</div><br><div>b</div>", "br", [0, 0]),  # in no block
            ("<div>a<br></div>b", "br", [1, 0]),
            ("<ul><li>a<div>b</div>c</li></ul>", "li", [1, 0, 0]),
            ("<button><b>x</b></button>a", "b", [0]),  # pruned elements are not recorded
        ],
    )
    def test_block_of_an_element(self, html: str, tag: str, counts: list[int]) -> None:
        assert blocks_of(html).elements([tag]).tolist() == counts

    def test_owner_of_every_row(self) -> None:
        page = page_of("<div><p>a <b>b</b></p></div><div> </div>c")
        blocks = text_blocks(page)
        assert [blocks.owner[find(page, node)] for node in ("p", "b", '"a"', '"c"', "div")] == [0, 0, 0, 1, -1]
        assert blocks.blocks.rows.tolist() == [find(page, node) for node in ('"a"', '"b"', '"c"')]

    def test_words_across_a_link_belong_where_they_start(self) -> None:
        blocks = blocks_of("<a href=1>under</a>lined <a name=x>not linked</a> super<a href=1>script</a>")
        assert blocks.words.texts == ["underlined", "not", "linked", "superscript"]
        assert blocks.linked.tolist() == [True, False, False, False]


class TestSize:
    def test_deep(self) -> None:
        assert blocks_of("<span>" * 50_000 + "a" + "<x-y>" * 50_000 + "b").texts() == ["a", "b"]

    def test_wide(self) -> None:
        blocks = blocks_of("<div>one two</div>" * 50_000)
        assert len(blocks) == 50_000
        assert (blocks.count_words() == 2).all()


# The procedure of the specification, node by node, against the arrays.


@dataclass
class _Run:
    text: str = ""
    linked: list[bool] = field(default_factory=list)
    elements: list[str] = field(default_factory=list)

    def add(self, text: str, linked: bool) -> None:
        self.text += text
        self.linked += [linked] * len(text)


def _reference(page: Page) -> list[_Run]:
    runs = [_Run()]
    recorded: list[tuple[int, int]] = []  # element, run in which its tag stands
    text_run: dict[int, int] = {}

    def visit(row: int, linked: bool) -> None:
        name = page.tag_name(row)
        if name == "#text":
            runs[-1].add(page.text_of(row), linked)
            text_run[row] = len(runs) - 1
        elif name not in PRUNE:
            linked = linked or (name == "a" and bool(page.flags[row] & HREF))
            if name in REMOVE + REMOVE_WITH_BLANK:
                recorded.append((row, len(runs) - 1))
            else:
                runs.append(_Run())
            blank = name in REMOVE_WITH_BLANK
            if blank:
                runs[-1].add(" ", False)
            for child in page.children(row):
                visit(child, linked)
            if blank:
                runs[-1].add(" ", False)
            if name not in REMOVE + REMOVE_WITH_BLANK:
                runs.append(_Run())

    visit(0, False)

    def is_block(number: int) -> bool:
        return bool(re.search(r"[^\W_]", runs[number].text))

    for row, number in recorded:
        inside = (
            run
            for text, run in sorted(text_run.items())
            if row < text < page.end[row] and page.text_of(text).strip() and is_block(run)
        )
        runs[next(inside, number)].elements.append(page.tag_name(row))
    return [run for at, run in enumerate(runs) if is_block(at)]


LEAVES = st.sampled_from(["one two", "Three, four.", " ", "|", "<br>", "<img>", "<a href=x>link me</a>", "x"])
TREES = st.recursive(
    LEAVES,
    lambda inner: st.tuples(
        st.sampled_from("div section span b ul li p a h2 button blockquote td".split()), st.lists(inner, max_size=5)
    ).map(lambda node: f"<{node[0]}{' href=y' if node[0] == 'a' else ''}>{''.join(node[1])}</{node[0]}>"),
    max_leaves=25,
)


@settings(deadline=None, max_examples=200)
@given(tree=TREES)
def test_arrays_agree_with_the_procedure_of_the_paper(tree: str) -> None:
    page = page_of(f"<body>{tree}</body>")
    blocks = text_blocks(page)
    expected = _reference(page)
    assert blocks.texts() == [" ".join(run.text.split()) for run in expected]
    assert blocks.count_words().tolist() == [len(re.findall(r"[^\W_]+", run.text)) for run in expected]
    assert blocks.count_linked().tolist() == [
        sum(run.linked[word.start()] for word in re.finditer(r"[^\W_]+", run.text)) for run in expected
    ]
    assert blocks.count_visible().tolist() == [len("".join(run.text.split())) for run in expected]
    for tag in ("b", "ul", "li", "p", "br", "a"):
        assert blocks.elements([tag]).tolist() == [run.elements.count(tag) for run in expected]
    assert np.array_equal(
        blocks.owner[blocks.blocks.rows], np.repeat(np.arange(len(blocks)), np.diff(blocks.blocks.at))
    )
