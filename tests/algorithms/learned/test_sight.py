"""The first look at a page, which several searches share."""

from __future__ import annotations

import numpy as np

from duramen.algorithms.learned.comments import comment_rows, comment_sections
from duramen.algorithms.learned.hidden import hidden_around, hidden_rows
from duramen.algorithms.learned.kinds import CLASS, ID, OTHER, STYLE
from duramen.algorithms.learned.sight import COMMENT_TYPE, COMMENT_WORD, UNSEEN_WORD, look
from duramen.measure import unseen
from tests.support import page_of

HTML = """<html><head><title>A page</title><script>var a</script></head><body class="big home">
<p class="lead" id=lead data-x=1>One two three</p><p class="lead" style="color:red">Four</p>
<div class="Comment-list">Five</div><i itemprop=comment class="">Six</i><b class=sr-only>Seven</b></body></html>"""


def test_values_that_say_the_same_have_one_number() -> None:
    page = page_of(HTML)
    sight = look(page)
    starts, stops = sight.values.tolist()
    values = [page.attrs[start:stop] for start, stop in zip(starts, stops)]
    assert values == [b"big home", b"lead", b"Comment-list", b"comment", b"sr-only"]
    rows, numbers = sight.named.tolist()
    assert [page.tag_name(row) for row in rows] == ["body", "p", "p", "p", "div", "i", "b"]
    assert numbers == [
        0,
        1,
        1,
        1,
        2,
        3,
        4,
    ]  # a class and an id are told apart by their kinds; an empty class names nothing
    assert sight.size == sum(map(len, values))


def test_attributes_are_told_apart() -> None:
    sight = look(page_of(HTML))
    kinds = sight.kinds.tolist()
    assert kinds[:4] == [CLASS, CLASS, ID, OTHER]
    assert kinds[4:6] == [CLASS, STYLE]
    assert kinds[6] == CLASS | COMMENT_WORD | COMMENT_TYPE
    assert kinds[9] == CLASS | UNSEEN_WORD
    assert sight.told == COMMENT_WORD | COMMENT_TYPE | UNSEEN_WORD


def test_words_are_counted_where_they_are_read() -> None:
    page = page_of(HTML)
    sight = look(page)
    assert sight.never.view(np.bool_).tolist() == unseen(page).tolist()
    read = np.where(unseen(page), 0, page.words)
    assert sight.seen.tolist() == [0, *np.cumsum(read).tolist()]
    assert sight.seen[-1] == 7


def test_many_values_are_all_told_apart() -> None:
    names = [f"n{number}" * (1 + number % 9) for number in range(700)]
    page = page_of("".join(f"<p class={name}>{name}</p>" for name in names + names))
    sight = look(page)
    values = {page.attrs[start:stop].decode() for start, stop in zip(*sight.values.tolist())}
    assert values == set(names)
    rows, numbers = sight.named
    assert [page.attrs[slice(*sight.values[:, number])].decode() for number in numbers] == names + names
    assert (np.diff(rows) > 0).all()


def test_a_page_without_attributes_names_nothing() -> None:
    sight = look(page_of("<p>word</p>"))
    assert sight.named.shape == sight.values.shape == (2, 0)
    assert sight.told == sight.size == 0


def test_nothing_hidden_and_no_comments_are_told_at_once() -> None:
    page = page_of("<p>one two</p>")
    every = page.chars > 0
    assert hidden_around(page, every, look(page)) is None
    assert not hidden_rows(page).invisible.any()
    assert comment_sections(page, look(page)) is None
    assert not comment_rows(page).any()


def test_what_is_lost_is_what_is_hidden() -> None:
    page = page_of("<p>one two three four five six</p><div class=sr-only>seven</div>")
    every = page.chars > 0
    found = hidden_around(page, every, look(page))
    lost = None if found is None else found.lost()
    assert lost is not None
    assert lost.tolist() == hidden_rows(page, every).lost().tolist()
    assert [page.text_of(row) for row in np.flatnonzero(lost & every).tolist()] == ["seven"]
