"""Pages that a server sends in pieces."""

from __future__ import annotations

from importlib.machinery import ModuleSpec, SourceFileLoader
from importlib.util import module_from_spec
from pathlib import Path
from random import Random
from types import ModuleType

import numpy as np
import pytest

import duramen
from duramen.measure import within
from duramen.page import Page
from duramen.parse import marks, parse_html5, parse_page, streamed
from tests.support import words

SHELL = (
    "<html><head><title>Boats</title></head><body><header><a href='/'>Home</a></header>"
    '<main><!--$?--><template id="B:0"></template><p>Loading …</p><!--/$--></main><footer>The end</footer>'
)
RING = "".join(f'<div hidden id="S:{k}"><template id="P:{1 - k}"></template>A</div>' for k in (0, 1))
RUN = '<script>$RC("B:0","S:0")</script>'


def shown(page: Page) -> list[str]:
    scripts = within(page, page.named("script", "style"))
    rows = np.flatnonzero(page.is_text() & ~scripts).tolist()
    return [text for row in rows if (text := page.text_of(row).strip())]


def above(page: Page, text: str) -> list[str]:
    row = next(row for row in range(len(page)) if not page.tag[row] and page.text_of(row) == text)
    return [page.tag_name(each) for each in page.ancestors(row)]


@pytest.mark.parametrize("hidden", ["hidden", 'hidden=""'])
@pytest.mark.parametrize("run", [RUN, ""])
def test_a_piece_takes_the_place_of_what_stands_in_for_it(hidden: str, run: str) -> None:
    page = parse_page(f'{SHELL}<div {hidden} id="S:0"><p>One <b>two</b></p></div>{run}</body></html>'.encode())
    assert shown(page) == ["Boats", "Home", "One", "two", "The end"]
    assert above(page, "two") == ["b", "p", "main", "body", "html"]


def test_pieces_have_places_for_pieces() -> None:
    page = parse_page(
        (
            SHELL + '<div hidden id="S:0"><h1>A</h1><template id="P:1"></template><div>B</div>'
            '<!--$?--><template id="B:a2"></template><!--$-->Wait<!--/$-->here<!--/$--><p>C</p></div>'
            '<div hidden id="S:a2"><p>D</p></div><div hidden id="S:1"><p>E</p></div><p>F</p>'
        ).encode()
    )
    assert shown(page) == ["Boats", "Home", "A", "E", "B", "D", "C", "The end", "F"]


def test_scripts_say_which_piece_goes_where() -> None:
    html = (
        SHELL + '<div hidden id="S:0"><p>A</p><!--$?--><template id="B:1"></template>w<!--/$--><p>B</p>'
        '<template id="P:1"></template><!--$?--><template id="B:3"></template><p>C</p><!--/$--></div>' + RUN
    )
    html += '<div hidden id="S:1"><p>D</p></div><script>$RS("S:1","P:1")</script><div hidden id="S:2"><p>E</p></div>'
    html += '<script>$RC("B:1","S:2")</script><div hidden id="S:3"><p>F</p></div>'
    assert shown(parse_page(html.encode()))[2:-1] == ["A", "E", "B", "D", "C", "The end"]


def test_names_may_begin_with_the_name_of_the_application() -> None:
    html = '<!--$?--><template id="shopB:0"></template>Wait<!--/$--><hr><div hidden id="shopS:0">A</div>'
    assert shown(parse_page(html.encode())) == ["A"]
    assert shown(parse_page(html.replace("shopS", "S").encode())) == ["Wait", "A"]


@pytest.mark.parametrize(
    "held",
    [
        "<p>A</p><!-- </div> --><script>let a = '</div>'</script><style>/* <div> */</style><div>B</div>",
        "<p>A</p><DIV>B</DIV >",
        "<p>A</p><div title='</div'>B</div>",
    ],
)
def test_only_tags_end_a_piece(held: str) -> None:
    page = parse_page(f'{SHELL}<div hidden id="S:0">{held}</div>{RUN}<p>C</p>'.encode())
    assert [text for text in shown(page) if len(text) == 1] == ["A", "B", "C"]
    assert above(page, "B")[1:] == ["main", "body", "html"]


@pytest.mark.parametrize(
    "held",
    [
        "<p>A</p><!--/ </div> --><p>B</p>",
        "<p>A</p><!--$ </div> --><p>B</p>",
        "<p>A</p><!--><div>B</div>",
        "<p>A</p><div/><p>B</p></div>",
        "<p>A</p><img alt='</div> x'><p>B</p>",
        "<p>A</p><textarea></div></textarea><p>B</p>",
        "<p>A</p><template><p>B</p>",
    ],
)
def test_no_text_is_lost_to_a_piece_that_breaks_off(held: str) -> None:
    shell = SHELL.replace("The end", "<ul>" + "<li>The end</li>" * 9 + "</ul>")
    html = f'{shell}<div hidden id="S:0">{held}</div>{RUN}<p>C</p>'
    page, browser = parse_page(html.encode()), parse_html5(html.encode())
    assert set(shown(browser)) - {"Loading …"} <= set(shown(page))


def test_parts_are_read_in_the_order_of_their_bytes() -> None:
    """A table puts a script that is in it before itself, and its row before others."""
    html = (
        '<main><template id="P:2"></template></main><p>F</p><div hidden id="S:2"><table><script>$RS()</script>'
        '<b>x<script>"</div>"</script></b></table><p>H</p></div><p>Z</p>'
    )
    assert shown(parse_page(html.encode())) == ["x", "H", "F", "Z"]


def test_a_piece_that_is_not_closed_ends_before_the_next() -> None:
    html = SHELL.replace("</main>", '<template id="P:1"></template></main>')
    html += f'<div hidden id="S:0"><div><p>A</p></div>{RUN}<div hidden id="S:1"><p>B</p></div><p>C</p>'
    page = parse_page(html.encode())
    assert shown(page) == ["Boats", "Home", "A", "B", "The end", "C"]
    assert above(page, "B") == ["p", "main", "body", "html"]


@pytest.mark.parametrize(
    "html",
    [
        SHELL + "<p>A</p>",
        SHELL + '<div hidden id="S:1"><p>A</p></div>',
        SHELL + '<div id="S:0"><p>A</p></div>',
        SHELL + '<div hidden id="S:0"><p>A',
        SHELL + '<div hidden id="S:0"><p>A</p></div><script>run()</script>',
        '<p>A</p><div hidden id="S:0"><template id="B:0"></template>B</div>',
        RING,
        '<template id="B:0"><p>A</p></template><div hidden id="S:0"><p>B</p></div>',
    ],
)
def test_what_has_no_place_or_no_end_stays_where_it_is(html: str) -> None:
    page, browser = parse_page(html.encode()), parse_html5(html.encode())
    assert (page.tag.tolist(), page.text) == (browser.tag.tolist(), browser.text)


def test_nothing_is_lost_where_the_end_of_a_stand_in_is_missing_or_elsewhere() -> None:
    html = '<!--$?--><template id="B:0"></template><p>Wait</p><!--$?--><div hidden id="S:0"><p>A</p></div>'
    assert shown(parse_page(html.encode())) == ["A", "Wait"]
    html += "<!--/$--><!--/$-->"
    assert shown(parse_page(html.encode())) == ["A", "Wait"]


@pytest.mark.parametrize(
    "part",
    [
        '<template id="B:0"></template>',
        '<!--$?--><template id="B:0"></template>',
        '<div hidden id="S:0">',
        '<div hidden id="S:1"><!--',
        '<div hidden id="S:1"><script ',
        '<div hidden id="S:1"></div><template id="P:1"></template>',
    ],
)
def test_hostile_pages_take_no_longer_than_others(part: str) -> None:
    html = SHELL + '<div hidden id="S:0"><p>A</p>' + part * 100_000 + "</div>"
    assert "A" in shown(parse_page(html.encode()))


def uncompiled() -> ModuleType:
    """The same passes as Python runs them."""
    loader = SourceFileLoader("uncompiled_marks", str(Path(streamed.__file__).with_name("marks.py")))
    module = module_from_spec(ModuleSpec("uncompiled_marks", loader))
    loader.exec_module(module)
    return module


def test_compiled_and_uncompiled_passes_find_the_same() -> None:
    chance, pure = Random(7), uncompiled()
    parts = ["<div>", "<DIV\n>", "</div>", "</dIv ", '<div hidden id="S:1">', "<div hidden>", "<!--", "-->", "<!--$-->"]
    parts += [
        "<!--/$-->",
        '<template id="B:1"></template>',
        "<script>",
        "</script>",
        "<style x>",
        "<",
        "text",
        "<t",
        "</",
    ]
    for _ in range(2000):
        html = "".join(chance.choices(parts, k=chance.randrange(30))).encode()
        cut = sorted(chance.randrange(len(html) + 1) for _ in range(4))
        for begins, ends in (([0], [len(html)]), (cut[::2], cut[1::2])):
            assert marks.marks(html, begins, ends) == pure.marks(html, begins, ends)
    for tags in ([], [3], [3, 4, 3], [4, 5], [5, 3, 4, 6]):
        given = np.array(tags, dtype=np.int32).data
        assert marks.tags_among(given, 3, 4) == pure.tags_among(given, 3, 4) == (3 in tags) + 2 * (4 in tags)


@pytest.mark.parametrize(("begins", "ends"), [([-1], [3]), ([0], [9])])
def test_parts_outside_of_a_page_are_refused(begins: list[int], ends: list[int]) -> None:
    with pytest.raises(IndexError):
        marks.marks(b"<div></div>"[:8], begins, ends)


def test_the_text_of_a_streamed_page_comes_in_order() -> None:
    menu = "<ul>" + "".join(f"<li><a href='/{k}'>Part {k}</a></li>" for k in range(8)) + "</ul>"
    html = SHELL.replace("<a href='/'>Home</a>", f"<nav>{menu}</nav>")
    late = f"<h1>Boats of the coast</h1><p>{words(60, 'a')}.</p><p>{words(60, 'b')}.</p>"
    found = duramen.extract(f'{html}<div hidden id="S:0"><article>{late}</article></div>{RUN}'.encode())
    assert found.text.split()[-120:] == f"{words(60, 'a')}. {words(60, 'b')}.".split()
    assert "Loading" not in found.text and "Part" not in found.text
