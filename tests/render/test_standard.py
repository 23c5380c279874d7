"""Standardised paragraphs: what Chinese text mining expects."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from duramen.algorithms.chinese.blog import BlogZh
from duramen.algorithms.chinese.forum import ForumZh
from duramen.algorithms.chinese.news import NewsZh
from duramen.algorithms.everything import Everything
from duramen.encode import encode
from duramen.page import Part, Selection
from duramen.render.options import RenderOptions
from duramen.render.standard import INDENT, to_standard
from tests.support import find, page_of


def standard(html: str, *, title: str | None = None, **options: Any) -> str:
    """All text of a page; `title` selects the node that is the title."""
    page = page_of(html)
    selection = Everything().select(page)
    if title is not None:
        selection = replace(selection, title=find(page, title))
    return to_standard(page, selection, **options)


def paragraphs(html: str, **options: Any) -> list[str]:
    return standard(html, **options).replace("\u3000\u3000", "").split("\n")


def test_every_paragraph_starts_with_two_ideographic_spaces() -> None:
    text = standard("<p>第一段。</p><p>第二段。</p>")
    assert text == "\u3000\u3000第一段。\n\u3000\u3000第二段。"
    assert encode(standard("<p>测试</p>")).data == bytes.fromhex("a1a1a1a1b2e2cad4")


@pytest.mark.parametrize(
    "html",
    [
        "<p>甲</p><p>乙</p>",
        "<div>甲</div>乙",
        "甲<br>乙",
        "甲<br><br> <br>乙",
        "<ul><li>甲<li>乙</ul>",
        "<table><tr><td>甲<td>乙</table>",
        "<table><tr><td>甲<tr><td>乙</table>",
        "<table><tr><th>甲<th>乙</table>",
        "<h1>甲</h1>乙",
        "<blockquote>甲</blockquote>乙",
        "<dl><dt>甲<dd>乙</dl>",
        "<pre>甲</pre>乙",
        "<pre>甲\n乙</pre>",
        "<pre>甲\r\n\r\n  乙</pre>",
        "<pre>甲<br>乙</pre>",
        "<pre>甲\n</pre><p>乙</p>",
        "甲<hr>乙",
        "<section>甲</section><article>乙</article>",
        "<p>甲<p>&nbsp;<p>　<p>乙",  # blank ones are no paragraphs
        "<p>甲</p><p>\u200b</p><p>乙</p>",
    ],
)
def test_what_ends_a_paragraph(html: str) -> None:
    assert paragraphs(html) == ["甲", "乙"]


@pytest.mark.parametrize(
    "html", ["甲<b>乙</b>", "甲<span>乙</span>", "甲<a href=x>乙</a>", "甲\n乙", "甲<img src=x>乙", "甲<x-y>乙</x-y>"]
)
def test_what_does_not(html: str) -> None:
    assert paragraphs(f"<p>{html}</p>") == ["甲乙"]


@pytest.mark.parametrize(
    ("written", "tidy"),
    [
        ("　　甲乙", "甲乙"),
        ("&nbsp;&nbsp;甲乙&nbsp;", "甲乙"),
        ("甲 乙　丙\n丁", "甲乙丙丁"),
        ("甲 ， 乙 。 丙", "甲，乙。丙"),
        ("用  Python   写", "用 Python 写"),
        ("共 3 人", "共 3 人"),
        ("hello   world", "hello world"),
        ("甲<b> 乙 </b>丙", "甲乙丙"),
        ("one<b> two </b>three", "one two three"),
        ("<b>one</b> <b>two</b>", "one two"),
        ("<b>甲</b>\n<b>乙</b>", "甲乙"),
        ("甲\u200b乙\ufeff", "甲乙"),
        ("한국 사람", "한국 사람"),  # Korean has blanks between words
    ],
)
def test_blanks(written: str, tidy: str) -> None:
    assert standard(f"<p>{written}</p>") == INDENT + tidy


def test_the_title_is_the_first_line_without_indent() -> None:
    html = "<div>2010-5-6</div><h1>海边 的<br>一天</h1><p>正文。</p>"
    assert standard(html, title="h1") == f"海边的一天\n{INDENT}2010-5-6\n{INDENT}正文。"


def test_a_title_that_is_not_kept_is_not_shown() -> None:
    page = page_of("<h1>海边的一天</h1><p>正文。</p>")
    kept = np.zeros(len(page), dtype=np.bool_)
    kept[find(page, '"正文。"')] = True
    assert to_standard(page, Selection(kept, title=find(page, "h1"))) == f"{INDENT}正文。"


def test_headings_may_stand_at_the_edge() -> None:
    html = "<h2>小标题</h2><p>正文。</p>"
    assert standard(html) == f"{INDENT}小标题\n{INDENT}正文。"
    assert standard(html, indent_headings=False) == f"小标题\n{INDENT}正文。"


def test_lines_may_end_as_on_windows() -> None:
    assert standard("<p>甲</p><p>乙</p>", crlf=True) == f"{INDENT}甲\r\n{INDENT}乙"


def test_parts_have_an_empty_line_between_them() -> None:
    page = page_of("<p>甲</p><p>乙</p><div><p>丙</p><p>丁</p></div>")
    first, second = (find(page, '"甲"'), find(page, '"乙"')), (find(page, "div"),)  # text rows, and a whole subtree
    selection = replace(Everything().select(page), parts=(Part("post", first), Part("reply", second)))
    assert to_standard(page, selection) == f"{INDENT}甲\n{INDENT}乙\n\n{INDENT}丙\n{INDENT}丁"


def test_tables_may_be_left_out() -> None:
    html = "<p>正文。</p><table><tr><th>年<th>数<tr><td>2009<td>3</table>"
    assert standard(html, options=RenderOptions(tables=False)) == f"{INDENT}正文。"


def test_nothing_kept_is_an_empty_text() -> None:
    page = page_of("<p>正文。</p>")
    assert to_standard(page, Selection(np.zeros(len(page), dtype=np.bool_))) == ""
    assert standard("") == ""


def test_news() -> None:
    html = """<title>大桥今日通车_江边晨报</title><body><div>导航 新闻</div><h1>大桥今日通车</h1>
    <div><p>　　第一段&nbsp;文字。</p>
    <p>　　第二段<br>文字。</p></div><div>版权所有。</div></body>"""
    page = page_of(html)
    assert to_standard(page, NewsZh().select(page)).split("\n") == [
        "大桥今日通车",
        "　　第一段文字。",
        "　　第二段",
        "　　文字。",
    ]


@pytest.mark.parametrize("include", [True, False])
def test_blog(include: bool) -> None:
    html = "<title>海边的一天</title><body><h1>海边的一天</h1><p>去了 海边。</p><p>评论(3)</p></body>"
    page = page_of(html)
    lines = to_standard(page, BlogZh(include_title=include).select(page)).split("\n")
    assert lines == [*(["海边的一天"] if include else []), "　　去了海边。"]


def test_forum() -> None:
    html = """<div>第一个帖子的内容，长度应该超过二十个字才可以。</div><div>回复</div>
    <div><p>第二个帖子的内容，长度也应该超过二十个字。</p><p>完。</p></div>"""
    page = page_of(html)
    assert to_standard(page, ForumZh().select(page)).split("\n") == [
        "　　第一个帖子的内容，长度应该超过二十个字才可以。",
        "",
        "　　第二个帖子的内容，长度也应该超过二十个字。",
        "　　完。",
    ]
