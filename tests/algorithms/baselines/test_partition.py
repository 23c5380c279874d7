"""Leaf blocks and their features."""

from __future__ import annotations

import numpy as np
import pytest

from duramen.algorithms.baselines.partition import FEATURES, Partition, partition
from duramen.page import Page
from tests.support import page_of


def texts(page: Page, cut: Partition) -> list[str]:
    """The text of every block that has any."""
    assert len(cut.with_text) == len(cut.texts)
    blocks = np.split(cut.texts.rows, cut.texts.at[1:-1]) if len(cut.texts) else []
    return [" ".join("".join(page.text_of(row) for row in rows.tolist()).split()) for rows in blocks]


def features(cut: Partition, block: int) -> dict[str, int]:
    """What a block holds."""
    return {name: count for name, count in zip(FEATURES, cut.counts[block].tolist()) if count}


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<p>a</p><p>b</p>", ["a", "b"]),
        ("<div><p>a</p>b<p>c</p></div>d", ["a", "b", "c", "d"]),  # runs of text between blocks are blocks
        ("<p>a <b>b</b>, <a href=x>c</a><br>d</p>", ["a b, cd"]),
        ("<td>out of place</td>", ["out of place"]),
        ("<table><tr><td>a</td><td>b<hr>c</td></tr></table>", ["a", "b", "c"]),
        ("<ul><li>a<ul><li>b</ul><li>c</ul>", ["a", "b", "c"]),
        ("<section>a</section><section>b</section>", ["ab"]),  # not among the paper's elements
        ("<script>a</script><p>b<script>c</script></p>", ["b"]),
        ("<div> </div><p></p><hr>", []),
        ("", []),
    ],
)
def test_blocks(html: str, expected: list[str]) -> None:
    page = page_of(f"<body>{html}")
    assert texts(page, partition(page)) == expected


def test_spans_cut_on_request() -> None:
    page = page_of("<p>a<span>b</span>c</p>")
    assert texts(page, partition(page)) == ["abc"]
    assert texts(page, partition(page, spans=True)) == ["a", "b", "c"]


def test_features_are_counted_before_anything_is_removed() -> None:
    page = page_of(
        "<body><p>four <a href=x>ab</a><a name=y>c</a><img><img><script>1</script><style>2</style></p>"
        "<form><input><select><option>x</select></form><div><iframe></iframe></div><div><dl><dt>x</dl></div>"
    )
    cut = partition(page)
    assert features(cut, 0) == {"text": 7, "links": 1, "images": 2, "scripts": 2}
    assert features(cut, 1) == {"text": 1, "forms": 3}
    assert features(cut, 2) == {"objects": 1}
    assert features(cut, 3) == {"text": 1, "lists": 1}
    assert cut.with_text.tolist() == [0, 1, 3]


def test_a_list_with_items_is_no_block_and_adds_to_none() -> None:
    cut = partition(page_of("<ul><li>a</li><li>b</li></ul><table><tr><td>c</td></tr></table>"))
    assert [features(cut, block) for block in range(len(cut))] == [{"text": 1}] * 3


def test_shares_are_of_the_largest() -> None:
    cut = partition(page_of("<p>aaaa</p><p>aa<a href=x>b</a></p><p><img></p>"))
    assert cut.share[:, :3].tolist() == [[1.0, 0.0, 0.0], [0.75, 1.0, 0.0], [0.0, 0.0, 1.0]]
    assert not cut.share[:, 3:].any(), "what no block has is 0"


def test_rows_of_a_block_are_its_text_and_elements() -> None:
    page = page_of("<body><div>lead<p>a<b>b</b><script>s</script></p></div>")
    chosen = np.array([False, True])
    rows = np.flatnonzero(partition(page).rows_of(chosen)).tolist()
    assert [page.tag_name(row) for row in rows] == ["p", "#text", "b", "#text"]
