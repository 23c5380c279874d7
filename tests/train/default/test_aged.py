"""Copies of pages in older markup: the text stays, names and modern tags go."""

from __future__ import annotations

from pathlib import Path

import pytest

from duramen.train.default.aged import CHANGES, aged
from duramen.train.default.corpus import Corpus, Example
from tests.support import page_of, words
from tests.train.made import made_page, write_corpus

PAGE = (
    "<html><body><header id=top>Site</header><main class='wide content'><h1>Storm at the coast</h1>"
    f"<p>{words(30, 'a')}</p><ul><li>First</li><li>Second</li></ul><div data-x='1'>{words(20, 'b')}</div>"
    "</main></body></html>"
)


def text(html: bytes) -> list[str]:
    page = page_of(html.decode())
    return "".join(page.text_of(row) if page.words[row] else " " for row in range(len(page))).split()


@pytest.mark.parametrize("seed", range(12))
def test_the_text_stays(seed: int) -> None:
    assert text(aged(PAGE.encode(), str(seed))) == text(PAGE.encode())


def test_modern_markup_goes() -> None:
    copies = [aged(PAGE.encode(), str(seed)) for seed in range(40)]
    assert not any(tag in copy for copy in copies for tag in (b"<header", b"<main", b"</main"))
    for often, sign in ((CHANGES[0].often, b"class="), (CHANGES[2].often, b"<li"), (CHANGES[4].often, b"<h1")):
        gone = sum(sign not in copy for copy in copies) / len(copies)
        assert abs(gone - often) < 0.25
    tables = [copy for copy in copies if b"<td>" in copy]
    assert tables and all(b"<div" not in copy for copy in tables)


def test_the_same_seed_gives_the_same_copy() -> None:
    assert aged(PAGE.encode(), "a") == aged(PAGE.encode(), "a")
    assert len({aged(PAGE.encode(), str(seed)) for seed in range(20)}) > 5


def test_copies_follow_their_pages(tmp_path: Path) -> None:
    path = tmp_path / "made.jsonl.xz"
    write_corpus(path, [made_page(k) for k in range(3)])
    plain = list(Corpus([path]))
    both = list(Corpus([path], copies=True))
    assert [example.copy for example in both] == [False, True] * 3
    for page, copy in zip(both[::2], both[1::2]):
        assert (copy.name, copy.site, copy.gold) == (page.name, page.site, page.gold)
        assert content(copy) == pytest.approx(content(page), rel=0.1)
    assert [example.name for example in plain] == [example.name for example in both[::2]]


def content(example: Example) -> float:
    """How many words of a page are content."""
    return float(example.size @ example.target)
