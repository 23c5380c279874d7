"""Strategies for pages: well-formed ones with text that looks like Markdown, and tag soup."""

from __future__ import annotations

import html
import re

from hypothesis import strategies as st

MARKS = """
    word a·b _ a_b _x_ * ** *a b* a*b **bold** # ## - + 1. 2) > = == --- *** ` `` ``` [ ] [1] [ ·] [x] [a]: (b) ![ ! < >
    <b> <!-- --> </p> <http://a.example> & &amp; &copy; &#65; \\ \\* a\\ | |---| ~ ~~ ~~s~~ ( ) . : ; “q” é 中文 。 🙂
    a! \u200b
""".split()
INLINE = ("b", "i", "em", "strong", "code", "a", "span", "s", "kbd", "sub")

words = st.sampled_from([mark.replace("·", " ") for mark in MARKS] + [" ", "  ", "\n", "\xa0"])
texts = st.lists(words, min_size=1, max_size=4).map(lambda parts: html.escape("".join(parts), quote=False))


def _element(name: str, content: str) -> str:
    attributes = {"a": ' href="/u"', "ol": " start=3"}.get(name, "")
    return f"<{name}{attributes}>{content}</{name}>"


def _joined(parts: list[str]) -> str:
    return "".join(parts)


inlines = st.recursive(
    st.one_of(texts, texts, texts, st.sampled_from(["<br>", '<img src="/i.png" alt="a]b">'])),
    lambda inner: st.builds(_element, st.sampled_from(INLINE), st.lists(inner, min_size=1, max_size=3).map(_joined)),
    max_leaves=6,
)
runs = st.lists(inlines, min_size=1, max_size=3).map(_joined)
cells = st.lists(st.builds(_element, st.sampled_from(("td", "td", "th")), runs), min_size=1, max_size=3)
tables = st.lists(cells.map(_joined).map(lambda row: f"<tr>{row}</tr>"), min_size=1, max_size=3).map(
    lambda rows: f"<table>{_joined(rows)}</table>"
)
leaves = st.one_of(
    runs,
    st.builds(_element, st.sampled_from(("p", "h2")), runs),
    st.builds(lambda first, second: f"<pre>{first}\n  {second}</pre>", texts, texts),
    tables,
    st.just("<hr>"),
)


def _list(name: str, items: list[str]) -> str:
    return _element(name, "".join(f"<li>{item}</li>" for item in items))


blocks = st.recursive(
    leaves,
    lambda inner: st.one_of(
        st.builds(
            _element,
            st.sampled_from(("div", "blockquote", "section", "b", "a")),
            st.lists(inner, min_size=1, max_size=3).map(_joined),
        ),
        st.builds(_list, st.sampled_from(("ul", "ol")), st.lists(inner, min_size=1, max_size=3)),
        st.builds(lambda term, inner: f"<dl><dt>{term}</dt><dd>{inner}</dd></dl>", runs, inner),
    ),
    max_leaves=8,
)
pages = st.lists(blocks, min_size=1, max_size=4).map(_joined)
"""Pages whose elements nest as they should."""

SOUP = """
    p div span b i a ul ol li table tr td th caption tbody pre blockquote h1 h2 br img hr dl dt dd button form code em
    strong figure section address ruby rt nobr font center fieldset listing marquee object svg math script style title
    textarea iframe noscript template details summary x-y o:p
""".split()
_PARTS = [
    *(f"<{name}>" for name in SOUP),
    *(f"<{name} href=/x lang=en title='a&#13;b' src=i.png colspan=2 class=language-js start=3 q:w=1>" for name in SOUP),
    *(f"</{name}>" for name in SOUP),
    *("word", " ", "a b", "\n", "x ", " y", "é&nbsp;", "&lt;p&gt;", "\n\n z", "&#8203;", "&#13;", "&#12;", "<!-- -->"),
] + ["text ", "more", "</p>", "</div>", "</b>"] * 8
soup = st.lists(st.sampled_from(_PARTS), min_size=1, max_size=25).map(_joined)
"""Tags in any order."""


def without_lists(page: str) -> str:
    """The page with sections for lists, so that its text has no markers."""
    return re.sub(r"<(/?)(?:ul|ol|li|dl|dt|dd)\b[^>]*>", r"<\1section>", page)
