"""Markdown: each element as Markdown, and as what a CommonMark renderer makes of it."""

from __future__ import annotations

import pytest

from duramen.render import to_markdown
from tests.render.commonmark import rendered
from tests.render.shown import URL, markdown, only
from tests.support import page_of

LONG = "x" * 601


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<h1>a</h1><h6>b</h6>", "# a\n\n###### b"),
        ("<h2>a<br>b <div>c</div></h2>", "## a b c"),
        ("<h2><strong>a</strong> <em>b</em></h2>", "## a *b*"),  # a heading is strong as it is
        ("<h2>C #</h2>", "## C \\#"),
        ("<h2></h2>a", "a"),
        ("<p>a<p>b", "a\n\nb"),
        ("<div>a</div><div>b</div>", "a\n\nb"),
        ("a<br>b", "a\\\nb"),
        ("a<br><br>b", "a\n\nb"),
        ("<p>a<br></p>b", "a\n\nb"),
        ("<hr>a<hr><hr>b<hr>", "a\n\n---\n\nb"),
        ("<blockquote>a<blockquote><p>b<p>c</blockquote></blockquote>d", "> a\n>\n> > b\n> >\n> > c\n\nd"),
        ("<figure><img src=/x.png alt=a><figcaption>b</figcaption></figure>", "![a](/x.png)\n\nb"),
        ("<details><summary>a</summary>b</details>", "**a**\n\nb"),
        ("<dl><dt>a<dd>b<dd>c<p>d<dt>e<dd>f</dl>", "**a**\n\n- b\n- c\n\n  d\n\n**e**\n\n- f"),
        ("H<sub>2</sub>O, x<sup>2</sup>", "H2O, x2"),
    ],
)
def test_blocks(html: str, expected: str) -> None:
    assert markdown(html) == expected


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<ul><li>a<li>b</ul>", "- a\n- b"),
        ("<ul><li>a<ul><li>b</ul><li>c</ul>", "- a\n  - b\n- c"),
        ("<ul><li><p>a<p>b<li>c</ul>", "- a\n\n  b\n\n- c"),
        ("<ol><li>a<ul><li>b</ul></ol>", "1. a\n   - b"),
        ("<ol start=9><li>a<p>b<li>c<p>d</ol>", "9. a\n\n   b\n\n10. c\n\n    d"),
        ("<ol start=3><li>a<li value=7>b</ol>", "3. a\n7. b"),
        ("<ol reversed><li>a<li>b</ol>", "2. a\n1. b"),
        ("<ol start=-3><li>a</ol>", "0. a"),  # CommonMark knows no negative numbers
        ("<ul><li>a<ol start=5><li>b</ol></ul>", "- a\n\n  5. b"),  # or it would be a line of the paragraph
        ("<ul><li>a</ul><ul><li>b</ul>", "- a\n\n* b"),  # or they would be one list
        ("<ol><li>a</ol><ol><li>b</ol>", "1. a\n\n1) b"),
        ("<ul><li>a</li><ul><li>b</ul><li>c</ul>", "- a\n  - b\n- c"),
        ("<ul><li><ul><li>a</ul></ul>", "- - a"),
        ("<ul><li><pre>a\n  b</pre></ul>", "- ```\n  a\n    b\n  ```"),
        ("<ul><li><blockquote>a</blockquote><li><hr></ul>b", "- > a\n- ___\n\nb"),
        ("<ul><li><h3>a</h3><p>b</ul>", "- ### a\n\n  b"),
        ("<blockquote><ul><li>a<li>b</ul></blockquote>", "> - a\n> - b"),
        ("<ul><li></li><li>a</ul>", "- a"),
        ("<li>a<li>b", "- a\n- b"),
    ],
)
def test_lists(html: str, expected: str) -> None:
    assert markdown(html) == expected


def test_nested_lists_are_read_as_the_page_meant() -> None:
    source = "<ol><li>a<p>b</p><ul><li>c<li>d<pre>e\n f</pre></ul><li>g</ol>"
    html = rendered(markdown(source))
    assert html.count("<ol>") == html.count("<ul>") == 1
    assert html.index("<ol>") < html.index("<ul>") < html.index("<pre>") < html.index("</ul>") < html.index("g")
    assert html.count("<li>") == 4


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<tr><th>a<th>b<tr><td>1<td>2", "| a | b |\n| --- | --- |\n| 1 | 2 |"),
        ("<thead><tr><td>a<td>b<tbody><tr><td>1<td>2", "| a | b |\n| --- | --- |\n| 1 | 2 |"),
        ("<tr><td><b>a</b><td><b>b</b><tr><td>1<td>2", "| a | b |\n| --- | --- |\n| 1 | 2 |"),
        ("<tr><td>a<td>b", "|  |  |\n| --- | --- |\n| a | b |"),
        ("<tr><th>a<td>b<tr><th>c<td>d", "|  |  |\n| --- | --- |\n| a | b |\n| c | d |"),
        (
            "<tr><th align=right>a<th style='text-align: center'>b<th align=left>c<tr><td>1<td>2<td>3",
            "| a | b | c |\n| ---: | :---: | :--- |\n| 1 | 2 | 3 |",
        ),
        (
            "<tr><th colspan=2>a<th>b<tr><td>1<td>2<td>3",
            "| a |  | b |\n| --- | --- | --- |\n| 1 | 2 | 3 |",
        ),
        (
            "<tr><th>a<th>b<tr><td rowspan=2>1<td>2<tr><td>3<tr><td>4<td>5",
            "| a | b |\n| --- | --- |\n| 1 | 2 |\n|  | 3 |\n| 4 | 5 |",
        ),
        ("<tr><th>a|b<th><code>c|d</code>", "| a\\|b | `c\\|d` |\n| --- | --- |"),
        ("<tr><th>a<th>b<tr><td>1<br>2<td><p>3<p>4", "| a | b |\n| --- | --- |\n| 1<br>2 | 3<br>4 |"),
        ("<tr><th>a<th>b<tr><td><td><tr><td>1<td>2", "| a | b |\n| --- | --- |\n| 1 | 2 |"),
        ("<caption>x</caption><tr><th>a<th>b", "x\n\n| a | b |\n| --- | --- |"),
        # Layout, or nothing but one column: plain blocks.
        ("<tr><td>a<tr><td>b", "a\n\nb"),
        ("<tr><td><h2>a</h2><td><ul><li>b</ul>", "## a\n\n- b"),
        (f"<tr><td>a<td>{LONG}", f"a\n\n{LONG}"),
        ("<tr><th>- a<th><tr><td>b<td>", "\\- a\n\nb"),
    ],
)
def test_tables(html: str, expected: str) -> None:
    assert markdown(f"<table>{html}</table>") == expected


def test_a_table_with_code_and_pipes_is_read_back() -> None:
    source = "<table><tr><th>a|b<th>c<tr><td><code>x|y</code><td>\\|</table>"
    assert rendered(markdown(source)) == (
        "<table><thead><tr><th>a|b</th><th>c</th></tr></thead>"
        "<tbody><tr><td><code>x|y</code></td><td>\\|</td></tr></tbody></table>"
    )


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<pre>a\n    b\n\n\nc </pre>", "```\na\n    b\n\n\nc\n```"),
        ("<pre><code class='hljs language-python'>a</code></pre>", "```python\na\n```"),
        ("<pre class=lang-js>a</pre>", "```js\na\n```"),
        ("<div class=highlight-c++><div class=highlight><pre>a</pre></div></div>", "```c++\na\n```"),
        ("<pre data-lang=rust>a</pre>", "```rust\na\n```"),
        ("<article class=lang-en><pre>a</pre></article>", "```\na\n```"),  # a language of people
        ("<pre><code class='language-a`b'>x</code></pre>", "```a\nx\n```"),
        ("<pre>```\na\n````</pre>", "`````\n```\na\n````\n`````"),
        ("<pre><b>a</b>\n<a href=x>b</a><img src=y></pre>", "```\na\nb\n```"),
        ("<pre>a<br>b</pre>", "```\na\nb\n```"),
        ("<pre> </pre>a", "a"),
    ],
)
def test_code_blocks(html: str, expected: str) -> None:
    assert markdown(html) == expected


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<a href=/x>a</a>", "[a](https://site.example/x)"),
        ("<a href=y>a</a>", "[a](https://site.example/blog/y)"),
        ("<a href='#z'>a</a>", "[a](https://site.example/blog/post#z)"),
        ("<a href='//other.example/'>a</a>", "[a](https://other.example/)"),
        ("<a href='mailto:a@b.example'>a</a>", "[a](mailto:a@b.example)"),
        ("<a href='/x(1)'>a</a>", "[a](https://site.example/x(1))"),
        ("<a href='/x(1'>a</a>", "[a](https://site.example/x%281)"),
        ("<a href='/a b|`<c>'>a</a>", "[a](https://site.example/a%20b%7C%60%3Cc%3E)"),
        ("<a href='/?a=1&amp;lt;=2'>a</a>", "[a](https://site.example/?a=1\\&lt;=2)"),
        ("<a href='javascript:x()'>a</a>", "a"),
        ("<a href=' jAva\tscript:x()'>a</a>", "a"),
        ("<a href='data:text/html,x'>a</a>", "a"),
        ("<a href='#'>a</a>", "a"),
        ("<a>a</a>", "a"),
        ("a<a href=/x></a>b", "ab"),
        ("a<a href=/x> </a>b", "a b"),
        ("<a href=/x>[a]</a>", "[\\[a\\]](https://site.example/x)"),
        ("wow!<a href=/x>a</a>", "wow\\![a](https://site.example/x)"),
        (
            "<a href=/x><h3>a</h3><p>b</p></a>",
            "### [a](https://site.example/x)\n\n[b](https://site.example/x)",
        ),
        ("<a href=/x>a<br>b</a>", "[a\\\nb](https://site.example/x)"),
        ("<a href=/x> a </a>b", "[a](https://site.example/x) b"),
        ("<a href='//[x'>a</a>", "a"),
        ("<base href=/other/><a href=y>a</a>", "[a](https://site.example/other/y)"),
    ],
)
def test_links(html: str, expected: str) -> None:
    assert markdown(html, url=URL) == expected


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<img src=/x.png alt=' a  b '>", "![a b](https://site.example/x.png)"),
        ("<img src=/x.png>", "![](https://site.example/x.png)"),
        ("<img src=/x.png alt='[a](b)'>", "![\\[a\\](b)](https://site.example/x.png)"),
        ("<a href=/y><img src=/x.png></a>", "[![](https://site.example/x.png)](https://site.example/y)"),
        ("<b><img src=/x.png></b>", "![](https://site.example/x.png)"),
        ("<img src=/x.gif data-src=/y.png>", "![](https://site.example/y.png)"),
        ("<img src='data:image/gif;base64,x' srcset='/s.png 1x, /l.png 2x'>", "![](https://site.example/l.png)"),
        (
            "<picture><source srcset='/s.png 300w,/l.png 900w'><img src=data:,></picture>",
            "![](https://site.example/l.png)",
        ),
        ("<img src=data:image/png;base64,x>a", "a"),
        ("<img src=/x.gif width=1 height=1>a", "a"),
        ("<img src=javascript:x()>a", "a"),
        ("<img alt=a>b", "b"),
    ],
)
def test_images(html: str, expected: str) -> None:
    assert markdown(html, url=URL) == expected


def test_only_kept_text_is_shown_in_the_structure_around_it() -> None:
    page = page_of("<h2>a</h2><ol><li>b<li>c <a href=/x><b>d</b></a> e</ol>")
    assert to_markdown(page, only(page, '"d"')) == "2. [**d**](/x)"


def test_the_columns_of_dropped_cells_stay() -> None:
    page = page_of("<table><tr><th>a<th>b<th>c<tr><td>1<td>2<td>3</table>")
    assert to_markdown(page, only(page, '"a"', '"c"', '"3"')) == "| a |  | c |\n| --- | --- | --- |\n|  |  | 3 |"


def test_one_cell_alone_is_no_table() -> None:
    page = page_of("<table><tr><th>a<th>b<tr><td>1<td>2</table>")
    assert to_markdown(page, only(page, '"2"')) == "2"
