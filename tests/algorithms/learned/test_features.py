"""Features of small pages whose values can be told by reading them."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from duramen.algorithms.learned.feature_names import BASE, LEXICAL
from duramen.algorithms.learned.features import FEATURES, base_table, context, lexical_table, lexicon_scores, scorer
from duramen.algorithms.learned.lexicon import pair_slots, slots
from duramen.algorithms.learned.raw import Raw, read
from duramen.models.default import lexicon
from tests.support import page_of, words

HTML = f"""<html><head><title>Storm at the coast</title></head><body>
<nav class="top menu"><a href=/>Home</a></nav>
<main><h1>Storm at the coast</h1><p class=lead>{words(30, "a")}, end.</p><p class=lead>{words(20, "b")}</p></main>
<div id=comments class="comment-list"><h2>Two comments</h2><p>{words(14, "c")}</p></div>
<footer style="display:none">Imprint</footer></body></html>"""


@pytest.fixture(scope="module")
def raw() -> Raw:
    return read(page_of(HTML))


@pytest.fixture(scope="module")
def columns(raw: Raw) -> dict[str, NDArray[np.float32]]:
    return dict(zip(BASE, base_table(context(raw)), strict=True))


def test_every_block_has_every_feature(raw: Raw, columns: dict[str, NDArray[np.float32]]) -> None:
    assert len(raw) == 7
    for name, values in columns.items():
        assert values.shape == (7,), name
        assert np.isfinite(values.astype(np.float64)).all(), name


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("links", [1, 0, 0, 0, 0, 0, 0]),
        ("in_nav", [1, 0, 0, 0, 0, 0, 0]),
        ("in_main", [0, 1, 1, 1, 0, 0, 0]),
        ("in_footer", [0, 0, 0, 0, 0, 0, 1]),
        ("hidden", [0, 0, 0, 0, 0, 0, 1]),
        ("heading", [0, 7, 0, 0, 6, 0, 0]),
        ("in_title", [0, 1, 0, 0, 0, 0, 0]),
        ("in_comments", [0, 0, 0, 0, 1, 1, 0]),
        ("section_level", [0, 0, 7, 7, 7, 6, 6]),
        ("is_p", [0, 0, 1, 1, 0, 1, 0]),
    ],
)
def test_values(columns: dict[str, NDArray[np.float32]], name: str, expected: list[float]) -> None:
    assert columns[name].astype(np.float64).tolist() == expected


def test_how_old_the_markup_is() -> None:
    """Names to a block, and the shares of blocks in tables and in elements for parts of a page."""
    table = "<table id=a><tr><td class=b>one</td><td>two</td></tr></table>"
    columns = base_table(context(read(page_of(f"{table}<main><p>three</p></main><p>four</p>"))))
    found = [columns[BASE.index(name)].tolist() for name in ("page_names", "page_tables", "page_parts")]
    assert found == [[np.float32(np.log1p(2 / 4))] * 4, [0.5] * 4, [0.25] * 4]


def test_alike_blocks_form_a_group(raw: Raw) -> None:
    shared = context(raw)
    assert shared.group[2] == shared.group[3] != shared.group[5]


def test_copies_are_known() -> None:
    table = base_table(context(read(page_of("<p>one two three</p><p>four</p><div>one two three</div>"))))
    assert table[BASE.index("copies")].tolist() == [2, 1, 2]
    assert table[BASE.index("copy")].tolist() == [0, 0, 1]


def test_lexicons_add_up_what_stands_around_a_block(raw: Raw) -> None:
    size = 1 << 16
    path, near, said, pairs = (np.zeros(size, dtype=np.float32) for _ in range(4))
    rows, names = raw.names()
    menu = names[rows == raw.page.first("nav")]
    path[slots(menu, size)] = -127  # "top" and "menu"
    near[slots(menu, size)] = -254
    said[slots(raw.word_hash[:1], size)] = 381  # "home"
    tables = {"path": path, "near": near, "words": said, "heading": said, "pairs": pairs}
    scores = lexicon_scores(context(raw), scorer({name: lexicon(table) for name, table in tables.items()}))
    path_scores, near_scores, word_scores, heading_scores = scores.tolist()
    assert path_scores == [-254, 0, 0, 0, 0, 0, 0]
    assert near_scores == [-508, 0, 0, 0, 0, 0, 0]
    assert word_scores == heading_scores == [381, 0, 0, 0, 0, 0, 0]
    columns = dict(zip(LEXICAL, lexical_table(context(raw), scores), strict=True))
    assert columns["both"].tolist() == [-762, 0, 0, 0, 0, 0, 0]
    assert columns["both_previous"].tolist() == [0, -762, 0, 0, 0, 0, 0]
    assert len(set(FEATURES)) == len(FEATURES) == len(BASE) + len(LEXICAL)


def test_pairs_of_words_count_with_the_ends_of_a_block() -> None:
    raw = read(page_of("<p>red green blue</p><p>blue red green</p><p>green red</p><p>$$$</p>"))
    red, green, blue = raw.word_hash[:3]
    size, nothing = 1 << 17, lexicon(np.zeros(1 << 17, dtype=np.float32))
    pairs = np.zeros(size, dtype=np.float32)
    for first, second, weight in ((red, green, 127), (green, 0, 64), (0, blue, 32)):
        at = pair_slots(np.array([first], dtype=np.uint32), np.array([second], dtype=np.uint32), size)
        pairs[at] = weight
    tables = dict.fromkeys(("path", "near", "words", "heading"), nothing) | {"pairs": lexicon(pairs)}
    scores = lexicon_scores(context(raw), scorer(tables))
    assert scores[2].tolist() == pytest.approx([127 / 2, (127 + 64 + 32) / 2, 0, 0])
    assert not scores[[0, 1, 3]].any()


def test_a_long_page_is_cut_short(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("duramen.algorithms.learned.raw.MOST_BLOCKS", 10)
    assert len(read(page_of("<p>word</p>" * 30))) == 10
