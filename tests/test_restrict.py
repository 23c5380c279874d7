"""A page without what was dropped."""

from __future__ import annotations

from dataclasses import fields

import numpy as np
import pytest
from hypothesis import given
from hypothesis import settings as budget
from hypothesis import strategies as st

from duramen.page import Page
from duramen.restrict import restrict
from tests.support import find, page_of

HTML = """<html lang=en><head><title>Story</title></head><body class=wide><ul id=nav><li><a href=/1 title=One>Link
 one</a></li><li><a href=/2>Zwei ü</a></li></ul><div id=art><p>First <b>bold</b> text.</p><img src=x alt=y><p>日本
 second.</p></div></body></html>"""


def same(one: Page, other: Page) -> bool:
    """Whether two pages are equal in every array."""
    pairs = ((getattr(one, entry.name), getattr(other, entry.name)) for entry in fields(Page))
    return all(np.array_equal(a, b) and a.dtype == b.dtype if isinstance(a, np.ndarray) else a == b for a, b in pairs)


def marked(page: Page, *selectors: str) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
    rows = np.zeros(len(page), dtype=np.bool_)
    for selector in selectors:
        row = find(page, selector)
        rows[row : page.end[row]] = True
    return rows


@pytest.mark.parametrize(
    ("kept", "expected"),
    [
        (["#art"], HTML.replace(HTML[HTML.index("<ul") : HTML.index("</ul>") + 5], "")),
        (["#nav"], HTML.replace(HTML[HTML.index("<div") : HTML.index("</div>") + 6], "")),
        (["#nav", "#art"], HTML),
        ([], HTML.replace(HTML[HTML.index("<ul") : HTML.index("</div>") + 6], "")),
    ],
)
def test_it_is_the_page_that_the_rest_of_the_source_would_give(kept: list[str], expected: str) -> None:
    page = page_of(HTML)
    restricted, rows = restrict(page, marked(page, *kept))
    assert same(restricted, page_of(expected))
    assert [page.path(row) for row in rows.tolist()] == [restricted.path(row) for row in range(len(restricted))]


def test_ancestors_stay_but_not_their_other_text() -> None:
    page = page_of(HTML)
    restricted, rows = restrict(page, marked(page, "b"))
    assert restricted.text_of(find(restricted, "#art")) == "bold"
    assert restricted.path(find(restricted, '"bold"')) == "html > body.wide > div#art > p > b > #text"
    assert page.text_of(int(rows[find(restricted, '"bold"')])) == "bold"


@budget(deadline=None)
@given(st.lists(st.integers(0, 20), max_size=8))
def test_any_rows_give_a_well_formed_page(chosen: list[int]) -> None:
    page = page_of(HTML)
    kept = np.zeros(len(page), dtype=np.bool_)
    kept[[row for row in chosen if row < len(page)]] = True
    restricted, rows = restrict(page, kept)
    assert set(np.flatnonzero(kept)) <= set(rows.tolist())
    inner = np.arange(1, len(restricted))
    assert (restricted.parent[inner] < inner).all()
    assert (restricted.end[restricted.parent[inner]] >= restricted.end[inner]).all()
    assert (restricted.depth[inner] == restricted.depth[restricted.parent[inner]] + 1).all()
    for new, old in enumerate(rows.tolist()):
        assert restricted.attributes(new) == page.attributes(old)
        if page.tag[old] == 0:
            assert restricted.text_of(new) == page.text_of(old)


def test_scripts_stay_with_what_they_are_in() -> None:
    page = page_of("<script>a</script><body><div>b<script>c</script></div><p>d<style>e</style></p>")
    restricted, _ = restrict(page, marked(page, "p"))
    assert restricted.text_of(find(restricted, "script")) == "a"
    assert restricted.text_of(find(restricted, "style")) == "e"
    assert len(restricted.raw.rows) == 2


def test_nothing_of_it_can_be_changed() -> None:
    page = page_of(HTML)
    restricted, _ = restrict(page, marked(page, "#art"))
    for entry in fields(Page):
        value = getattr(restricted, entry.name)
        assert not isinstance(value, np.ndarray) or not value.flags.writeable, entry.name


@pytest.mark.parametrize("html", ["", "<frameset><frame src=x></frameset>", "<p>x"])
def test_odd_pages(html: str) -> None:
    page = page_of(html)
    assert same(restrict(page, np.ones(len(page), dtype=np.bool_)).page, page)
    assert len(restrict(page, np.zeros(len(page), dtype=np.bool_)).page) <= len(page)
