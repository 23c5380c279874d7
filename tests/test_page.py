"""The page as arrays: structure, text, counts, and the sums over them."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from duramen.blocks import blocks
from duramen.measure import holds, nearest, seen_text, subtree_sum, within
from duramen.page import HIDDEN, HREF, Page
from duramen.parse import parse_page, with_raw_text
from tests.support import find, page_of

HTML = (
    "<html><head><title>T</title></head><body><div id=a class='x y'><p>One <b>two</b> three.</p>"
    "<p hidden>Secret</p></div><my-tag>four</my-tag><a href=/l>five</a><a>six</a>"
    "<script>var x;</script></body></html>"
)


@pytest.fixture
def page() -> Page:
    return page_of(HTML)


def test_rows_are_the_tree_in_document_order(page: Page) -> None:
    names = [page.tag_name(row) for row in range(len(page))]
    assert names[:6] == ["html", "head", "title", "#text", "body", "div"]
    assert "my-tag" in names
    for row in range(1, len(page)):
        parent = int(page.parent[row])
        assert parent < row < page.end[row] <= page.end[parent]
        assert page.depth[row] == page.depth[parent] + 1


def test_text_of_a_node_is_one_slice(page: Page) -> None:
    assert page.text_of(find(page, "p")) == "One two three."
    assert page.text_of(0) == "TOne two three.Secretfourfivesix"


def test_what_a_script_holds_is_no_text_of_the_page(page: Page) -> None:
    script = find(page, "script")
    assert b"var" not in page.text
    assert page.raw.rows.tolist() == [script + 1]
    assert page.text_of(script) == page.text_of(script + 1) == "var x;"
    assert page.raw.of(script) is None
    assert (page.chars[script + 1], page.words[script + 1]) == (0, 0)


def test_raw_text_has_the_lines_of_the_standard() -> None:
    html = b"<style>a\r\nb\rc</style><script></script><p>d"
    for page in (parse_page(html), page_of(html)):
        assert page.text_of(find(page, "style")) == "a\nb\nc"
        assert page.text_of(find(page, "script")) == ""
        assert page.text == b"d"
    assert parse_page(html).raw == page_of(html).raw
    assert hash(parse_page(html).raw) == hash(page_of(html).raw)
    assert parse_page(html).raw != page_of(b"<style>a</style>").raw
    assert parse_page(html).raw != html


def test_foreign_scripts_are_text() -> None:
    page = page_of("<svg><style>a&amp;b</style></svg><style>a&amp;b</style>")
    svg, own = np.flatnonzero(page.named("style")).tolist()
    assert (page.text_of(svg), page.text_of(own)) == ("a&b", "a&amp;b")
    assert page.text == b"a&b"


def test_scripts_can_be_made_text() -> None:
    html = "<script>one, two.</script>a<b>中<style>x{}</style></b>c"
    page = page_of(html)
    whole = with_raw_text(page)
    assert whole.text_of(0) == "one, two.a中x{}c"
    assert [page.text_of(row) for row in range(len(page)) if page.tag[row] == 0] == [
        whole.text_of(row) for row in range(len(page)) if page.tag[row] == 0
    ]
    row = find(page, "script") + 1
    assert (whole.chars[row], whole.words[row], whole.puncts[row]) == (9, 2, 2)
    seen = page.chars > 0
    for name in ("chars", "words", "puncts", "cjk"):
        assert (getattr(whole, name)[seen] == getattr(page, name)[seen]).all()
        assert not getattr(whole, name).flags.writeable
    assert not len(whole.raw.rows)
    assert with_raw_text(whole) is whole


def test_attributes(page: Page) -> None:
    row = find(page, "div#a")
    assert page.attributes(row) == {"id": "a", "class": "x y"}
    assert page.attribute(row, "class") == "x y"
    assert page.attribute(row, "style") is None
    assert page.attribute(find(page, '"Secret"') - 1, "hidden") == ""
    assert page.path(find(page, '"two"')) == "html > body > div#a.x.y > p > b > #text"


@pytest.mark.parametrize(
    ("html", "flag"),
    [
        ("<p hidden>x", HIDDEN),
        ("<p style='color:red; DISPLAY : none'>x", HIDDEN),
        ("<p style='visibility:hidden'>x", HIDDEN),
        ("<p style='display:block'>x", 0),
        ("<a href>x", HREF),
        ("<a name=q>x", 0),
        ("<link href=x>", 0),
    ],
)
def test_flags_come_from_the_elements_own_attributes(html: str, flag: int) -> None:
    assert page_of(html).flags.max() == flag


def test_arrays_are_read_only(page: Page) -> None:
    for name in ("tag", "parent", "end", "depth", "flags", "text_at", "chars", "words", "puncts", "cjk", "attr_at"):
        with pytest.raises(ValueError, match="read-only"):
            getattr(page, name)[0] = 1


@pytest.mark.parametrize(
    ("text", "chars", "words", "puncts", "cjk"),
    [
        ("South Korea to Hold Artillery Drills on Island", 46, 8, 0, 0),
        ("  two \n\t words  ", 9, 2, 0, 0),
        ("non\u00a0breaking\u3000space", 18, 3, 0, 0),
        ("zero\u200bwidth soft\u00adhyphen", 20, 2, 0, 0),
        ("1,234.5 is a number.", 20, 4, 3, 0),
        ("新华网北京电，记者今天获悉。", 14, 12, 2, 12),
        ("中文 and English混合", 16, 6, 0, 4),
        ("カタカナとひらがな", 9, 9, 0, 9),
        ("한국어 낱말", 6, 2, 0, 0),
        ("𠀀𠀁", 2, 2, 0, 2),
        ("… – «»", 6, 3, 0, 0),
        (" \u00a0 ", 0, 0, 0, 0),
    ],
)
def test_counts_of_a_text(text: str, chars: int, words: int, puncts: int, cjk: int) -> None:
    page = page_of(f"<b></b>x<p>{text}</p>y中")
    row = find(page, "p") + 1
    counts = (page.chars[row], page.words[row], page.puncts[row], page.cjk[row])
    assert counts == (chars, words, puncts, cjk)


@given(st.lists(st.text(alphabet="ab .,。，中文\u00a0\u200b\n", min_size=1), max_size=6))
def test_counts_agree_with_plain_python(texts: list[str]) -> None:
    page = page_of("<body>" + "".join(f"<p>{text}</p>" for text in texts))
    for row in np.flatnonzero(page.is_text()).tolist():
        text = page.text_of(row).replace("\u200b", "")
        assert page.chars[row] == len(" ".join(text.split()))
        spaced = "".join(f" {c} " if c in "中文" else " " if c in "。，" else c for c in text)
        assert page.words[row] == len(spaced.split())
        assert page.puncts[row] == sum(text.count(mark) for mark in ".,。，")


def test_sums_covers_and_nearest(page: Page) -> None:
    total = subtree_sum(page, page.chars)
    assert total[find(page, "p")] == len("One") + len("two") + len("three.")
    assert total[0] == page.chars.sum()
    links = page.named("a")
    inside = within(page, links)
    assert [page.text_of(row) for row in np.flatnonzero(inside & page.is_text()).tolist()] == ["five", "six"]
    assert holds(page, links)[page.body()]
    assert not holds(page, links)[find(page, "div#a")]
    up = nearest(page, page.named("p", "body"))
    assert up[find(page, '"two"')] == find(page, "p")
    assert up[find(page, '"four"')] == page.body()
    assert up[find(page, "title")] == -1


def test_seen_text_leaves_out_head_and_scripts(page: Page) -> None:
    assert [page.text_of(row) for row in np.flatnonzero(seen_text(page)).tolist()] == [
        *("One ", "two", " three.", "Secret", "four", "five", "six"),
    ]


NOTICE = "You need to enable JavaScript to run this app."


@pytest.mark.parametrize(
    ("outside", "inside", "seen"),
    [
        ("", "word " * 300, True),  # the whole page for readers without scripts, as forums do it
        ("word " * 20, "word " * 300, True),
        ("word " * 400, "word " * 300, False),
        ("", NOTICE, False),
        ("", f"{NOTICE}<style>{'word ' * 300}</style>", False),
    ],
)
def test_noscript_is_seen_where_it_holds_the_page(outside: str, inside: str, seen: bool) -> None:
    page = page_of(f"<body><div>{outside}</div><noscript>{inside}</noscript></body>")
    assert seen_text(page)[find(page, "noscript") + 1] == seen


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<p>One <b>two</b> three</p><p>four</p>", ["One |two| three", "four"]),
        ("a<br>b", ["a", "b"]),
        ("<div>a<div></div>b</div>", ["a", "b"]),
        ("<ul><li>a<li>b<ul><li>c</ul></ul>d", ["a", "b", "c", "d"]),
        ("<div>a<span>b<i>c</i></span>d</div>", ["a|b|c|d"]),
        ("<x-y>a</x-y>b", ["a|b"]),
        ("<div>a<!-- c -->b</div>", ["a|b"]),
        ("", []),
        ("<script>x</script>", []),
    ],
)
def test_blocks_are_runs_of_inline_text(html: str, expected: list[str]) -> None:
    page = page_of(html)
    found = blocks(page)
    texts = ["|".join(page.text_of(row) for row in found.rows[a:b]) for a, b in zip(found.at, found.at[1:])]
    assert texts == expected


@pytest.mark.parametrize(
    ("html", "rows"),
    [
        ("<span>" * 100_000 + "x", 100_004),
        ("<div>" * 5_000 + "x", 5_004),
        ("<p>a" * 50_000, 100_003),
        ("<p>" + "word " * 6_000_000, 5),
        (f"<p title='{'y' * 1_000_000}'>x", 5),
    ],
    ids=["100,000 levels", "nested blocks", "wide", "30 MB text", "1 MB attribute"],
)
def test_extreme_pages_are_parsed(html: str, rows: int) -> None:
    page = page_of(html)
    assert len(page) == rows
    assert nearest(page, page.named("body"))[-1] == page.body()
    assert subtree_sum(page, page.chars)[0] == page.chars.sum()
