"""Plain text: blocks, lines, lists, tables, white space."""

from __future__ import annotations

import numpy as np
import pytest

from duramen.page import Selection
from duramen.render import to_text
from tests.render.shown import only, text
from tests.support import page_of


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<a>Ann Lee</a><span>Editor</span>", "Ann Lee Editor"),
        ("<span>2026</span><span>2h 4m</span><i>PG-13</i>", "2026 2h 4m PG-13"),
        ("<div><i><b>one</b></i><a><u>Two</u></a></div>", "one Two"),
        ("Ann Lee<span>Editor</span>", "Ann LeeEditor"),  # only where one element ends and another begins
        ("<b>Mac</b>OS", "MacOS"),
        ("<b>imp</b><b>ort</b>", "import"),  # small letters go on
        ("<b>PG</b><b>Tips</b>", "PGTips"),
        ("<b>H</b><b>2</b><b>O</b>", "H2O"),  # single characters are parts of words
        ("<i>i</i><b>Phone</b>", "iPhone"),
        ("<i> i</i><b>Phone</b>", "iPhone"),
        ("<span>CO</span><sub>23</sub>", "CO23"),
        ("<span>note</span><sup>12</sup>", "note12"),
        ("<code>get</code><code>Name</code>", "getName"),
        ("<code><b>get</b><i>Name</i></code>", "getName"),
        ("<pre><b>get</b><b>Name</b></pre>", "getName"),
        ("<b>two</b><!-- --><b>Words</b>", "two Words"),
    ],
)
def test_elements_that_only_their_style_parts_are_words_of_their_own(html: str, expected: str) -> None:
    assert text(html) == expected


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("wor<b>ld</b>", "world"),
        ("<b>a</b> <b>b</b>", "a b"),
        ("<b>a </b>b", "a b"),
        ("<b>a </b> <i> b</i>", "a b"),
        ("a<span> </span>b", "a b"),
        ("a<!-- -->b", "ab"),
        ("a<script>x()</script>b", "ab"),
        ("  a \n\t b  ", "a b"),
        ("a&nbsp;b", "a b"),
        ("<b>a</b>&nbsp;<b>b</b>", "a b"),
        ("a\u3000b", "a b"),
        ("soft&shy;hyphen, zero&#8203;width", "softhyphen, zerowidth"),
        ("<b>a</b>&#8203;<b>b</b>", "ab"),
        ("a &#8203; b", "a b"),
        ("می‌خواهم 👩‍🚀", "می‌خواهم 👩‍🚀"),  # joiners shape letters and emoji
        ("<x-unknown>a</x-unknown><x-unknown>b</x-unknown>", "ab"),
        ("<button>a</button><button>b</button>", "a b"),
        ("<select><option>a<option>b</select>", "a b"),
        ("H<sub>2</sub>O", "H2O"),
        ("<ruby>漢<rp>(</rp><rt>kan</rt><rp>)</rp></ruby>", "漢(kan)"),
        ("<math><mi>x</mi><annotation encoding='tex'>x^2</annotation></math>", "x"),
    ],
)
def test_inline_elements_neither_add_nor_lose_blanks(html: str, expected: str) -> None:
    assert text(html) == expected


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<p>a</p><p>b</p>", "a\n\nb"),
        ("<h1>a</h1>b", "a\n\nb"),
        ("a<p>b</p>c", "a\n\nb\n\nc"),
        ("<div>a</div><div>b</div>", "a\nb"),
        ("<div><div>a</div></div>b", "a\nb"),
        ("<div>a<p>b</p></div>", "a\n\nb"),
        ("<blockquote>a</blockquote>b", "a\n\nb"),
        ("<section>a</section><section>b</section>", "a\n\nb"),
        ("a<hr>b", "a\n\nb"),
        ("a<br>b", "a\nb"),
        ("a <br> b", "a\nb"),
        ("a<br><br>b", "a\n\nb"),
        ("a<br><br><br><br>b", "a\n\nb"),
        ("<b>a<br></b>b", "a\nb"),
        ("<p>a<br></p><p>b", "a\n\nb"),
        ("<figure><img src=x><figcaption>a</figcaption></figure>b", "a\n\nb"),
        ("<details><summary>a</summary>b</details>", "a\nb"),
        ("<address>a<br>b</address>", "a\nb"),
        ("<a href=x><div>a</div><div>b</div></a>", "a\nb"),
    ],
)
def test_blocks(html: str, expected: str) -> None:
    assert text(html) == expected


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<ul><li>a<li>b</ul>", "- a\n- b"),
        ("x<ul><li>a</ul>y", "x\n\n- a\n\ny"),
        ("<ul><li><p>a</p><li><p>b</p></ul>", "- a\n- b"),
        ("<ul><li><p>a</p><p>b</p><li>c</ul>", "- a\n\n  b\n\n- c"),
        ("<ul><li>a<ul><li>b<ul><li>c</ul></ul><li>d</ul>", "- a\n  - b\n    - c\n- d"),
        ("<ul><li>a</li><ul><li>b</ul></ul>", "- a\n  - b"),  # invalid, and on every other page
        ("<ul><li><ul><li>a</ul></ul>", "- - a"),
        ("<ul><li></li><li>a</ul>", "- a"),
        ("<li>a<li>b", "- a\n- b"),
        ("<ol><li>a<li>b</ol>", "1. a\n2. b"),
        ("<ol start=3><li>a<li value=10>b<li>c</ol>", "3. a\n10. b\n11. c"),
        ("<ol reversed><li>a<li>b</ol>", "2. a\n1. b"),
        ("<ol reversed start=-1><li>a<li>b</ol>", "-1. a\n-2. b"),
        ("<ol start=x><li></li><li>a</ol>", "2. a"),
        ("<ol><li>a<ul><li>b</ul><li>c</ol>", "1. a\n  - b\n2. c"),
        ("<dl><dt>a<dd>b<dt>c<dd>d</dl>", "a\n  b\nc\n  d"),
        ("<ul><li>a<br>b</ul>", "- a\n  b"),
        ("<ul>a<li>b</ul>", "a\n- b"),
    ],
)
def test_lists(html: str, expected: str) -> None:
    assert text(html) == expected


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<table><tr><td>a<td>b<tr><td>c<td>d</table>", "a\tb\nc\td"),
        ("x<table><tr><td>a<td>b</table>y", "x\n\na\tb\n\ny"),
        ("<table><tr><th>a<th>b<tr><td><td>c</table>", "a\tb\n\tc"),
        ("<table><tr><th>a<th>b<th>c<tr><td>d<td><td>e</table>", "a\tb\tc\nd\t\te"),
        ("<table><tr><th>a<th>b<tr><td>c<td></table>", "a\tb\nc"),
        ("<table><caption>x</caption><tr><td>a<td>b</table>", "x\na\tb"),
        ("<table><tr><td>a<br>b<td>c</table>", "a b\tc"),
        ("<table><tr><th>a<th>b<tr><td><p>c<p>d<td><ul><li>e<li>f</ul></table>", "a\tb\nc d\te f"),
        ("<ul><li>x<table><tr><td>a<td>b</table></ul>", "- x\n\n  a\tb"),
        # Layout: what the cells hold is set as blocks.
        ("<table><tr><td>a<tr><td>b</table>", "a\nb"),
        ("<table><tr><td><h2>a</h2>b<td>c</table>", "a\n\nb\nc"),
        ("<table><tr><td>a<td><table><tr><td>b<td>c</table></table>", "a\n\nb\tc"),
        ("<table><tr><td><p>a<p>b<td>c</table>", "a\n\nb\n\nc"),
        ("<table role=presentation><tr><td>a<td>b</table>", "a\nb"),
        (f"<table><tr><td>a<td>{'b' * 601}</table>", f"a\n{'b' * 601}"),
    ],
)
def test_tables(html: str, expected: str) -> None:
    assert text(html) == expected


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<p>x<pre>\na\n    b\n\tc  \n</pre>", "x\n\na\n    b\n\tc"),
        ("<p>x<pre>a\n\n\n\nb</pre>", "x\n\na\n\nb"),
        ("<pre><span>a</span>\n  <span>b</span></pre>", "a\n  b"),
        ("<pre>a<br>  b</pre>", "a\n  b"),
        ("<pre><div>a</div><div>b\n</div><div>c</div></pre>", "a\nb\nc"),
        ("<ul><li>x<pre>a\n  b\n\nc</pre></ul>", "- x\n\n  a\n    b\n\n  c"),
        ("<pre>a&nbsp;&#8203;b</pre>", "a b"),
        ("<pre>  \n</pre>x", "x"),
    ],
)
def test_preformatted_text_keeps_its_lines(html: str, expected: str) -> None:
    assert text(html) == expected


def test_only_kept_text_is_shown_in_the_structure_around_it() -> None:
    page = page_of("<p>a <b>b</b> c</p><ol><li>d<li>e <i>f</i></ol>")
    assert to_text(page, only(page, '"b"', '"f"')) == "b\n\n2. f"


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<p><b>a</b> <i>x</i> <b>b</b>", "a b"),
        ("<p><b>a</b><i> x</i><b>b</b>", "a b"),  # what was dropped kept them apart
        ("<p><b>a</b><i>x</i><b>b</b>", "ab"),  # a footnote mark, say
        ("<b>a</b><div>x</div><b>b</b>", "a\nb"),
        ("<b>a</b><br>x<br><b>b</b>", "a\n\nb"),
    ],
)
def test_dropped_text_leaves_its_neighbours_apart(html: str, expected: str) -> None:
    page = page_of(html)
    assert to_text(page, only(page, '"a"', '"b"')) == expected


def test_a_cell_stays_in_its_column_when_it_is_the_first_that_is_kept() -> None:
    page = page_of("<p>before<table><tr><th>a<th>b<th>c<tr><td>1<td>2<td>3</table><p>after")
    kept = np.array([page.text_of(row) in ("2", "3") for row in range(len(page))]) & page.is_text()
    assert to_text(page, Selection(kept=kept)) == "2\t3"
    kept |= np.array([page.text_of(row) == "a" for row in range(len(page))]) & page.is_text()
    assert to_text(page, Selection(kept=kept)) == "a\n\t2\t3"


def test_words_are_copied_at_any_length_and_white_space_collapses_at_any_place() -> None:
    for size in range(40):
        words, wide = "x" * size, "\u4e2d" * (size % 7)
        html = f"<p>  {words}  y {words} {wide}\u3000{wide}é \u200b {words}&#0;\t{words}\u00a0\u2003z\ufeff</p>"
        seen = html[3:-4].replace("\u200b", "").replace("\ufeff", "").replace("&#0;", "\ufffd")
        assert text(html) == " ".join(seen.split())


def test_a_kept_element_alone_shows_nothing() -> None:
    page = page_of("<div><p>a</p></div>")
    assert to_text(page, only(page, "div", "p")) == ""


@pytest.mark.parametrize("name", ["script", "style", "template", "iframe", "svg", "video", "object", "title"])
def test_what_a_reader_never_sees_is_not_text_even_when_kept(name: str) -> None:
    page = page_of(f"<p>a<{name}>hidden</{name}><p>b")
    assert to_text(page, Selection(kept=np.ones(len(page), dtype=np.bool_))) == "a\n\nb"
