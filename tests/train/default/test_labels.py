"""How much of each block the gold text holds."""

from __future__ import annotations

import numpy as np
import pytest

from duramen.algorithms.learned.raw import read
from duramen.blocks import blocks
from duramen.train.default.labels import MOST_HOLDING, block_texts, label, snippet_labels, words
from tests.support import page_of

LONG = "the storm reached the coast at noon and the harbour was closed"
OTHER = "ferries will run again on tuesday if the wind drops"


def shares(blocks: list[str], gold: str) -> list[float]:
    found: list[float] = label([words(block) for block in blocks], words(gold)).round(2).tolist()
    return found


@pytest.mark.parametrize(
    ("blocks", "gold", "expected"),
    [
        (["home", LONG, "contact"], LONG, [0, 1, 0]),
        (["home", "storm", LONG, OTHER], f"storm {LONG} {OTHER}", [0, 1, 1, 1]),  # a short one beside its neighbour
        ([LONG, "home", "home"], f"{LONG} home", [1, 1, 0]),  # each word of the gold is used once
        ([OTHER, LONG], f"{LONG} {OTHER}", [1, 1]),  # the gold may have another order
        ([LONG], "", [0]),
        ([], LONG, []),
        (["台风登陆沿海地区", "首页"], "台风登陆沿海地区", [1, 0]),
    ],
)
def test_labels(blocks: list[str], gold: str, expected: list[float]) -> None:
    assert shares(blocks, gold) == expected


def test_a_block_may_be_content_in_part() -> None:
    (share,) = shares([f"{LONG} read more about this on our partner site"], LONG)
    assert 0.5 < share < 0.7


def test_words_of_blocks_are_those_of_the_measure() -> None:
    page = page_of("<p>One <b>t</b>wo</p><p>台风 x</p>")
    assert [words(text) for text in block_texts(page, blocks(page))] == [["one", "two"], ["台", "风", "x"]]


def test_blank_texts_part_words() -> None:
    code = "<pre><b>from</b><i> </i><b>here</b> <b>imp</b><b>ort</b>\n<b>it</b></pre>"
    raw = read(page_of(f"<p>One</p>{code}<p>two</p>"))
    assert block_texts(raw.page, raw.blocks) == ["One", "from here import it", "two"]


def test_snippets_label_what_holds_them() -> None:
    found = snippet_labels(["a bit c d", "e f", "g", "E F"], ["it\n c"], ["e f", "zz", ""])
    assert np.array_equal(found, [1, 0, np.nan, np.nan], equal_nan=True)


def test_a_snippet_that_many_texts_have_labels_none() -> None:
    texts = [f"page {k}: a PDF" for k in range(MOST_HOLDING + 1)]
    assert np.isnan(snippet_labels(texts, [], ["PDF"])).all()
    assert (snippet_labels(texts[1:], [], ["PDF"]) == 0).all()
