"""The explanation as an HTML file: what is in it, what must never be, and how large it may get."""

from __future__ import annotations

import json
import re
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from duramen.algorithms import ALGORITHMS
from duramen.blocks import blocks
from duramen.explain import Explanation, explain
from duramen.explain.histogram import BARS
from duramen.explain.layout import SHOWN_ELEMENTS, SHOWN_LEAVES, water_level
from duramen.explain.nodes import judge
from duramen.explain.shading import shade
from duramen.page import Page, Selection
from tests.support import find, page_of, words

EXAMPLES = Path(__file__).parents[2] / "examples"
HOSTILE = """
<html lang='en"><script>window.ran=1</script>' onload="window.ran=1"><head><title></title><script>window.ran=1</script>
<style>body{display:none} @import url(http://evil.example/a.css);</style><base href="http://evil.example/">
<meta http-equiv=refresh content="0;url=http://evil.example/"><link rel=stylesheet href="http://evil.example/b.css">
</head><body onload="window.ran=1" style="background:url(http://evil.example/c.png)">
<div id='x"><script>window.ran=1</script>' class='"><img src=x onerror=window.ran=1>'>
<p onclick="window.ran=1" onmouseover="window.ran=1">Some plain text,
with &lt;/script&gt;&lt;script&gt;window.ran=1&lt;/script&gt; in it.</p>
<p>Line\u2028separator, paragraph\u2029separator, <!-- comment --> and &lt;!-- no comment.</p>
<a href="javascript:window.ran=1">A link that runs, perhaps.</a> <a href="data:text/html,<script>1</script>">data</a>
<img src="http://evil.example/pixel.gif" onerror="window.ran=1" alt='"><script>window.ran=1</script>'>
<img src="http://evil.example/x.gif?<script>" srcset="http://evil.example/y.gif 2x">
<iframe src="http://evil.example/" srcdoc="<script>parent.ran=1</script>" title="</span><script>1"></iframe>
<svg onload="window.ran=1"><script>window.ran=1</script><a xlink:href="javascript:1"><text>svg</text></a></svg>
<math><mtext><style><img src=x onerror=window.ran=1></style></mtext></math>
<object data="http://evil.example/o"></object><embed src="http://evil.example/e">
<video src="http://evil.example/v" poster="http://evil.example/p" autoplay onplay="window.ran=1"></video>
<form action="http://evil.example/f"><input autofocus onfocus="window.ran=1" value='"><script>1</script>'>
<button formaction="javascript:1">Go</button></form>
<table background="http://evil.example/t"><tr><td colspan="2&quot; onclick=&quot;1">cell, text.</td></tr></table>
<x-foo onclick="1"><p>Unknown, element.</p></x-foo><textarea></textarea><xmp><script>window.ran=1</script></xmp>
<noscript><img src="http://evil.example/n"></noscript><plaintext></script><script>window.ran=1</script>
"""
ATTRIBUTES = {"class", "id", "data-n", "data-run", "tabindex", "colspan", "rowspan"}


def shaded(html: str, algorithm: str = "everything") -> tuple[Explanation, Page]:
    """An explanation, and the drawn page as a browser's parser reads it."""
    found = explain(html, algorithm=algorithm)
    return found, page_of(shade(found.judged, found.story.marks).html)


def data_of(html: str) -> dict[str, list[list[object]]]:
    inside = re.search(r'<script type="application/json" id="data">(.*?)</script>', html, re.DOTALL)
    assert inside is not None
    found: dict[str, list[list[object]]] = json.loads(inside.group(1))
    return found


@pytest.mark.parametrize("name", ["news.html", "forum-zh.html"])
@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_kept_text_is_in_the_drawn_page(algorithm: str, name: str) -> None:
    found = explain((EXAMPLES / name).read_bytes(), algorithm=algorithm)
    drawn = page_of(found.to_html())
    sheet = " ".join(drawn.text_of(find(drawn, "div#sheet")).split())
    rows = np.flatnonzero(found.selection.kept & (found.page.chars > 0)).tolist()
    assert rows or found.reason is not None
    for row in rows:
        assert " ".join(found.page.text_of(row).split()) in sheet


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_the_page_says_what_was_decided(algorithm: str) -> None:
    found = explain((EXAMPLES / "news.html").read_bytes(), algorithm=algorithm, url="https://harbourcourier.example/")
    html = found.to_html()
    assert f"<b>{algorithm}</b>" in html
    assert "https://harbourcourier.example/" in html
    assert html.count('class="figure ') == 6
    for rung in found.story.ladder:
        assert f'data-go="{rung.place.unit}"' in html
    for name in found.settings:
        assert f"<code>{name.rstrip('_')}</code>" in html


def test_each_algorithm_tells_its_own_steps() -> None:
    news = (EXAMPLES / "news.html").read_bytes()
    econ, cetd = explain(news, algorithm="econ"), explain(news, algorithm="cetd")
    assert [rung.gain for rung in econ.story.ladder][::3] == ["start", "nothing new: stop"]
    assert 'class="ladder"' in econ.to_html()
    assert 'class="threshold"' in cetd.to_html()
    assert {"λ", "threshold", "highest DensitySum"} <= {fact.label for fact in cetd.story.facts}
    coreex = explain(news, algorithm="coreex")
    formula = {fact.label: fact.value for fact in coreex.story.facts}["score of the winner"]
    assert formula.endswith(f"= {coreex.selection.trace['score']:.6g}")


def test_winner_and_title_are_marked() -> None:
    html = (
        f'<div><h1>A title of its own</h1><div id="c"><p>{words(60, "a")}</p><p>{words(50, "b")}</p></div>'
        f'<p>{words(20, "c")} <a href="1">one</a></p></div>'
    )
    found = explain(html, algorithm="coreex", options={"title_recovery": "header"})
    marks = {found.judged.label(row): mark for row, mark in found.story.marks.items()}
    assert marks == {"div#c": "winner", "h1": "title"}
    drawn = page_of(shade(found.judged, found.story.marks).html)
    badges = [drawn.text_of(row) for row in range(len(drawn)) if drawn.attribute(row, "class") == "badge"]
    assert badges == ["title", "winner"]


def test_structure_is_kept() -> None:
    html = (
        "<h1>Head</h1><ul><li>one</li></ul>"
        "<table><caption>cap</caption><tr><th>a</th></tr><tr><td colspan=2>b</td></tr></table>"
        "<dl><dt>t</dt><dd>d</dd></dl><blockquote>said</blockquote><pre>\n\n x\n  y</pre><p>a<br>b <em>c</em></p>"
    )
    _, drawn = shaded(html)
    names = {drawn.tag_name(row) for row in range(len(drawn))}
    assert {"h3", "ul", "li", "table", "caption", "th", "td", "dl", "dt", "dd", "blockquote", "pre", "p", "br"} <= names
    assert drawn.text_of(find(drawn, "pre")) == "\n x\n  y"
    assert drawn.attribute(find(drawn, "td"), "colspan") == "2"


def test_pictures_and_fields_are_labelled_boxes() -> None:
    html = '<p>Text <img src="/a/b/cat.png?x=1" alt=""> <img src=x alt="A dog"> <input placeholder="Your name">'
    _, drawn = shaded(html + '<input type=hidden value="secret"><iframe src=x title="Map"></iframe></p>')
    boxes = [drawn.text_of(row) for row in range(len(drawn)) if "box" in (drawn.attribute(row, "class") or "").split()]
    assert boxes == ["image cat.png", "image A dog", "field Your name", "frame Map"]


def test_hidden_parts_say_so() -> None:
    _, drawn = shaded("<p>Seen.</p><p hidden>Not seen.</p>")
    assert "hid" in (drawn.attribute(find(drawn, '"Not seen."') - 2, "class") or "")


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_nothing_of_a_hostile_page_survives(algorithm: str) -> None:
    html = explain(HOSTILE, algorithm=algorithm, url='"><script>window.ran=1</script>').to_html()
    page = page_of(html)
    scripts = [page.text_of(row) for row in np.flatnonzero(page.named("script")).tolist()]
    assert len(scripts) == 2  # the data, which does not run, and ours
    assert json.loads(scripts[0])["nodes"]
    assert "window.ran" not in scripts[1]
    assert page.named("style").sum() == 1
    assert not page.named("img", "iframe", "object", "embed", "video", "audio", "base", "form", "math").any()
    for row in range(len(page)):
        for name, value in page.attributes(row).items():
            assert not name.startswith("on")
            assert name not in ("src", "srcset", "srcdoc", "action", "formaction", "style", "background", "poster")
            if name in ("href", "xlink:href"):
                assert value.startswith("#") or value == "data:,"
    assert not {"\u2028", "\u2029"} & set(scripts[0])


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_the_drawn_page_has_only_our_tags_and_attributes(algorithm: str) -> None:
    _, drawn = shaded(HOSTILE, algorithm)
    body = drawn.body()
    for row in range(body + 1, len(drawn)):
        assert set(drawn.attributes(row)) <= ATTRIBUTES
        assert not drawn.named("script", "style", "a", "img", "svg", "input", "button", "template", "plaintext")[row]
        assert drawn.tag[row] < 1000 and not drawn.other_tags
    assert "A link that runs, perhaps." in drawn.text_of(body)


def test_policy_allows_our_script_and_nothing_else() -> None:
    html = explain("<p>One, two.</p>").to_html()
    policy = re.search(r'Content-Security-Policy" content="([^"]+)"', html)
    assert policy is not None
    assert "default-src 'none'" in policy.group(1)
    assert "unsafe" not in policy.group(1)
    assert re.search(r"script-src 'sha256-[\w+/]{43}='; style-src 'sha256-[\w+/]{43}='", policy.group(1))
    assert not re.search(r"https?://|//[a-z]", html.replace("// ----", ""))


SOUP = st.lists(
    st.sampled_from(
        """<p> </p> <div> </div> <b> </b> <a> </a> <a~href=x> <li> <ul> </ul> <ol> </ol> <table> <tr> <td> <th>
        <caption> </table> </td> </tr> <form> </form> <h1> </h1> <h2> <pre> </pre> <dl> <dt> <dd> <button> </button>
        <select> <option> </select> <section> </section> <blockquote> </blockquote> <br> <hr> <img~alt=pic> <i> </i>
        <font> </font> <x-y> </x-y> <figure> <figcaption> <nobr> <span> </span> <input> <textarea> </textarea> <svg>
        </svg> <video> </video> <tbody> <thead> <small> </small> <script> </script> <p~hidden> <main> </main> <article>
        </article> alpha, beta. gamma <center> </center> <address> <details> <summary>""".split()
    ),
    max_size=60,
).map(lambda pieces: " ".join(piece.replace("~", " ") for piece in pieces))


@settings(max_examples=150, deadline=None)
@given(SOUP, st.integers(0, 2**32 - 1))
def test_a_parser_builds_exactly_the_tree_written(html: str, seed: int) -> None:
    """Tags that a parser would move or close early would show texts under the wrong elements."""
    page = page_of(html)
    kept = np.random.default_rng(seed).random(len(page)) < 0.5
    nodes = judge(page, Selection(kept=kept))
    found = shade(nodes, {0: "winner"})
    drawn = page_of(found.html)
    unit_at = {
        row: int(number) for row in range(len(drawn)) if (number := drawn.attribute(row, "data-n") or "").isdigit()
    }
    assert sorted(unit_at.values()) == list(unit_at.values()) == sorted(found.units)
    for row, unit in unit_at.items():
        above = next((unit_at[at] for at in drawn.ancestors(row) if at in unit_at), None)
        expected = next((at for at in page.ancestors(unit) if at in found.units), None)
        assert above == expected
        if page.tag[unit] == 0:
            assert drawn.text_of(row).split()[-3:] == page.text_of(unit).split()[-3:]


def test_blocks_are_pointed_at_by_their_texts() -> None:
    page = page_of("<p>First <b>block</b>, here.</p><p>Second.</p>")
    kept = np.zeros(len(page), dtype=np.bool_)
    row = find(page, "p")
    kept[row : page.end[row]] = True
    selection = Selection(kept=kept, score=np.array([0.9, 0.1]), blocks=blocks(page))
    html = Explanation(page, selection, algorithm="by hand", settings={}).to_html()
    assert re.findall(r'<span[^>]* data-n="(\d)"', html) == ["0", "0", "0", "1"]
    assert [node[0] for node in data_of(html)["nodes"]] == [0, 1]


def paragraphs(count: int) -> str:
    return "".join(
        f"<p>Paragraph {number} has some words, and a comma.</p><ul><li><a href=x>Link {number}</a></li></ul>"
        for number in range(count)
    )


@pytest.mark.parametrize("algorithm", ["coreex", "cetd", "econ", "everything"])
@pytest.mark.parametrize(
    "html",
    [
        "<p>Some text, first.</p>" + "<span>" * 100_000 + "deep text, at last.",
        "".join(f"<p>Paragraph {number} has some words, and a comma.</p>" for number in range(50_000)),
        paragraphs(20_000),
        "<p>" + "word, " * 500_000,
        "<table><tr><td>" * 1000 + "cell, text.",
    ],
    ids=["deep", "long", "alternating", "one text", "nested tables"],
)
def test_large_pages_stay_small_and_quick(html: str, algorithm: str) -> None:
    found = explain(html, algorithm=algorithm)
    rendered = found.to_html()
    assert len(rendered) < 2_500_000
    assert len(data_of(rendered)["nodes"]) <= 5000
    assert rendered.count("data-bar=") <= BARS
    assert rendered.count(' id="n') <= SHOWN_LEAVES + SHOWN_ELEMENTS + 10
    # Browsers stop nesting at 512 levels.
    assert page_of(rendered).depth.max() < 400


def test_long_pages_say_what_is_left_out() -> None:
    html = explain(paragraphs(5000), algorithm="everything").to_html()
    folds = [int(count.replace(",", "")) for count in re.findall(r"⋯ ([\d,]+) more kept pieces", html)]
    note = re.search(r"([\d,]+) of its texts and pictures are folded", html)
    assert note is not None
    assert sum(folds) == int(note.group(1).replace(",", "")) == 10_000 - SHOWN_LEAVES
    assert "Each bar stands for the highest of" in html
    assert "Paragraph 0 has" in html
    assert "Paragraph 4999 has" in html


def test_charts_without_measure_say_so() -> None:
    assert "nothing to draw" in explain("<img>", algorithm="everything").to_html()


@pytest.mark.parametrize(
    ("sizes", "budget", "level"),
    [([5, 5, 5], 15, 5), ([5, 5, 5], 14, 4), ([100, 1, 1], 10, 8), ([1, 1], 1, 0), ([], 3, 0)],
)
def test_water_level(sizes: list[int], budget: int, level: int) -> None:
    assert water_level(np.array(sizes, dtype=np.int64), budget) == level
