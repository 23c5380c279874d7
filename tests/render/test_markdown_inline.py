"""Emphasis without broken markers, and escapes only where they are needed."""

from __future__ import annotations

from random import Random

import pytest

from duramen.render import inline
from duramen.render.writer import Writer
from tests.render.commonmark import read, rendered
from tests.render.shown import markdown, text


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<b>a</b> <strong>b</strong>", "**a b**"),
        ("<i>a</i><em>b</em>", "*ab*"),
        ("<b> a </b>b", "**a** b"),
        ("word<b>&amp;amp;</b>word", "word\\&amp;word"),  # the reference is text, also where two runs make it up
        ("a<b> b </b>c", "a **b** c"),
        ("<b>a<b>b</b></b>", "**ab**"),
        ("<b><i>a</i></b>", "***a***"),
        ("<i>a <b>b</b></i> c", "*a **b*** c"),
        ("<b><i>a</i> b</b>", "***a* b**"),
        ("<b></b>a<i> </i>b", "a b"),
        ("<b>a<br></b>b", "**a**\\\nb"),
        ("<b><p>a</p><p>b</p></b>", "**a**\n\n**b**"),
        ("<s>a</s> <del>b</del>", "~~a b~~"),
        ("un<b>believ</b>able", "un**believ**able"),
        ("<u>a</u> <mark>b</mark> <small>c</small>", "a b c"),
        # CommonMark would show the stars: a mark needs a word on its inner side, or none on its outer side.
        ("<b>Note:</b>text", "**Note**:text"),
        ("a<b>(b)</b>", "a(b)"),
        ("<b>“a”</b>b", "“a”b"),
        ("<b>注意：</b>正文", "**注意**：正文"),
        ("<b>注意</b>：正文", "**注意**：正文"),
        ("<code>a</code> <code>b</code>", "`a` `b`"),
        ("<code>a</code><code>b</code>", "`ab`"),
        ("<code>a <b>*b*</b></code>", "`a *b*`"),
        ("<b><code>a</code></b>", "**`a`**"),
        ("<code><a href=/x>a</a> b</code>", "[`a`](/x) `b`"),
        ("<code>`a``</code>", "``` `a`` ```"),
        ("<kbd>Ctrl</kbd>+<samp>a</samp>", "`Ctrl`+`a`"),
        ("<code> </code>a", "a"),
        ("<a href=/x><code>]:</code></a>", "[\\]:](/x)"),  # with backticks it would define a link
        ("<b>a</b><i>b</i>", "**a**b"),
        ("<a href=/x><b>a</b> b</a> <b>c</b>", "[**a** b](/x) **c**"),
    ],
)
def test_emphasis_and_code(html: str, expected: str) -> None:
    assert markdown(html) == expected
    assert read(expected).split() == text(html).split()


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("snake_case_name", "snake_case_name"),
        ("_a_ __b__", "\\_a\\_ \\_\\_b\\_\\_"),
        ("2 * 3 *a*", "2 * 3 \\*a\\*"),
        ("[1] [sic] a[0]", "[1] [sic] a[0]"),
        ("[a](b) [a]: b [ ] c", "\\[a](b) \\[a]: b \\[ ] c"),
        ("a `b`", "a \\`b\\`"),
        ("&lt;b&gt; 1 &lt; 2", "\\<b> 1 < 2"),
        ("&amp;amp; AT&amp;T", "\\&amp; AT&T"),
        ("C:\\dir a\\*", "C:\\dir a\\\\\\*"),
        ("~~a~~ ~5", "\\~\\~a\\~\\~ ~5"),
        ("# a", "\\# a"),
        ("#a a # b", "#a a # b"),
        ("- a", "\\- a"),
        ("+ a", "\\+ a"),
        ("-a - b", "-a - b"),
        ("1. a", "1\\. a"),
        ("1) a", "1\\) a"),
        ("1.5 a", "1.5 a"),
        ("&gt; a &gt; b", "\\> a > b"),
        ("a<br>---", "a\\\n\\---"),
        ("a<br>===", "a\\\n\\==="),
        ("a|b<br>-|-", "a|b\\\n\\-|-"),
        ("a | b", "a | b"),
        ("***", "\\*\\*\\*"),
        ("https://a.example/b_c", "https://a.example/b_c"),
    ],
)
def test_escapes(source: str, expected: str) -> None:
    assert markdown(f"<p>{source}</p>") == expected
    assert read(expected).split() == text(f"<p>{source}</p>").split()


@pytest.mark.parametrize(
    ("source", "html"),
    [
        ("<p># a", "<p># a</p>"),
        ("<p><b>1.</b> a", "<p><strong>1.</strong> a</p>"),
        ("<ul><li>- a", "<ul><li>- a</li></ul>"),
        ("<h2>- a_b_ #", "<h2>- a_b_ #</h2>"),
        ("<p><code>a`b</code> `", "<p><code>a`b</code> `</p>"),
        ("<p><i>a<b>b</b>c</i>", "<p><em>abc</em></p>"),  # between letters, stars are ambiguous
        ("<p>x <i>a</i> <b>b <i>c</i></b>", "<p>x <em>a</em> <strong>b <em>c</em></strong></p>"),
        ("<p><s><b>1 €</b></s> 2 €", "<p><strong><s>1 €</s></strong> 2 €</p>"),
    ],
)
def test_a_renderer_reads_it_as_the_page_meant(source: str, html: str) -> None:
    assert rendered(markdown(source)) == html


def test_links_alone_are_written_as_links_among_emphasis_are() -> None:
    """Paragraphs without emphasis take a shorter way to the same lines."""
    random = Random(7)
    texts = ("word", "a!", "!", "AT&", "amp;", "x]: y", "a|b", "\\|", "[1]", "snake_case", "end.", "![a](b)")
    addresses = {5: "https://a.example/(x", 9: "/b&amp;c"}
    longest = 0
    for _ in range(3000):
        runs = [
            inline.Run(random.randrange(3), text, random.choice(((), (5,), (9,))), 0, ready=text.startswith("!["))
            for text in random.choices(texts, k=random.randrange(1, 7))
        ]
        runs[0].gap = 0
        cell = random.random() < 0.3
        general = inline._with_stops_outside(runs)
        inline._drop_unsafe(general, cell)
        expected = inline._lines(inline._joined_code(general), addresses, cell)
        assert inline._lines_of_links(runs, addresses, cell) == expected
        longest = max(longest, len(expected))
    assert longest > 2


def test_a_block_in_no_container_is_written_as_one_in_a_container() -> None:
    blocks = (["one"], ["two\\", "lines"], ["", "after nothing"], ["last"])
    alone, quoted = Writer(), Writer()
    quoted.open_quote()
    for block in blocks:
        alone.write(block)
        quoted.write(block)
    assert quoted.text().split("\n") == [f"> {line}".rstrip() for line in alone.text().split("\n")]
