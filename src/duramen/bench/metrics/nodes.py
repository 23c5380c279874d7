"""Scores over the nodes of a page: CoreEx's node- and text-based ones, by article part, and over blocks."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from duramen.bench.metrics.lcs import aligned
from duramen.bench.metrics.scores import Scores, scores
from duramen.bench.metrics.words import words
from duramen.blocks import blocks
from duramen.measure import seen_text
from duramen.page import BoolArray, Page

Counted = NDArray[np.int64]

ANSWER_SHARE = 0.8  # of a node's words that align with a gold text: the node is in the answer
PART_SHARE = 0.9  # of a part's words that are extracted: the part is recalled
BLOCK_SHARE = 0.5  # of a block's words: the block is content


def node_scores(extracted: BoolArray, answer: BoolArray) -> Scores:
    """Every text node counts the same. Both arrays have an entry a row, true for text nodes only."""
    return scores(int((extracted & answer).sum()), int(extracted.sum()), int(answer.sum()))


def text_scores(page: Page, extracted: BoolArray, answer: BoolArray) -> Scores:
    """Every text node counts by its words."""
    weigh = page.words
    return scores(int(weigh[extracted & answer].sum()), int(weigh[extracted].sum()), int(weigh[answer].sum()))


def extracted_nodes(page: Page, kept: BoolArray) -> BoolArray:
    """The non-blank text nodes among the kept rows."""
    found: BoolArray = kept & page.is_text() & (page.chars > 0)
    return found


def answer_of_text(page: Page, gold: str) -> BoolArray:
    """The text nodes that a gold text holds: those of whose words enough align with it."""
    rows = np.flatnonzero(seen_text(page))
    counts, hits = _aligned_words(page, rows, gold)
    answer = np.zeros(len(page), dtype=np.bool_)
    answer[rows] = (counts > 0) & (hits >= ANSWER_SHARE * counts)
    return answer


def answer_of_copy(page: Page, copy: Page, labelled: BoolArray) -> BoolArray:
    """The text nodes that are labelled in a copy of the page, matched by their order and text."""
    ours, theirs = np.flatnonzero(seen_text(page)), np.flatnonzero(seen_text(copy))
    texts = [
        [" ".join(tree.text_of(row).split()) for row in rows.tolist()] for tree, rows in ((page, ours), (copy, theirs))
    ]
    in_page, in_copy = aligned(*texts)
    answer = np.zeros(len(page), dtype=np.bool_)
    # The matches of the two are in the same order, one for one.
    answer[ours[in_page]] = labelled[theirs[in_copy]]
    return answer


def block_scores(page: Page, kept: BoolArray, gold: str) -> Scores:
    """Every block counts the same: it is content, or extracted, when at least half of its words are."""
    cut = blocks(page)
    if not len(cut):
        return scores(0, 0, 0)
    counts, hits = _aligned_words(page, cut.rows, gold)
    total, right, taken = (
        np.add.reduceat(each, cut.at[:-1]) for each in (counts, hits, np.where(kept[cut.rows], counts, 0))
    )
    content, extracted = (total > 0) & (right >= BLOCK_SHARE * total), (total > 0) & (taken >= BLOCK_SHARE * total)
    return scores(int((content & extracted).sum()), int(extracted.sum()), int(content.sum()))


def _aligned_words(page: Page, rows: NDArray[np.integer], gold: str) -> tuple[Counted, Counted]:
    """How many words each row has, and how many of them align with the gold."""
    spelt = [words(page.text_of(int(row))) for row in rows]
    counts = np.array([len(each) for each in spelt], dtype=np.int64)
    hit, _ = aligned([word for each in spelt for word in each], words(gold))
    running = np.concatenate(([0], np.cumsum(hit)))
    stops = np.cumsum(counts)
    return counts, running[stops] - running[stops - counts]


@dataclass(frozen=True, slots=True)
class PartRecall:
    """How well one part of articles, as their titles, was found."""

    pages: int  # that have the part
    recall: float  # share of those pages where it was recalled
    word_recall: float  # share of all its words


def part_words(parts: Sequence[tuple[str, str]], extraction: str) -> dict[str, tuple[int, int]]:
    """For each label how many of its words were extracted, and how many there are.

    `parts` are the labelled texts of the page in the order they stand there.
    """
    spelt = [(label, words(text)) for label, text in parts]
    hit, _ = aligned([word for _, each in spelt for word in each], words(extraction))
    found: dict[str, tuple[int, int]] = defaultdict(lambda: (0, 0))
    at = 0
    for label, each in spelt:
        got, of = found[label]
        found[label] = got + int(hit[at : at + len(each)].sum()), of + len(each)
        at += len(each)
    return {label: pair for label, pair in found.items() if pair[1]}


def part_recall(pages: Iterable[Mapping[str, tuple[int, int]]], share: float = PART_SHARE) -> dict[str, PartRecall]:
    """Recall of each part over pages; a page without it is not counted. `share=1` is the strict rule."""
    found: dict[str, list[tuple[int, int]]] = defaultdict(list)
    for page in pages:
        for label, pair in page.items():
            found[label].append(pair)
    return {
        label: PartRecall(
            pages=len(pairs),
            recall=sum(got >= share * of - 1e-9 for got, of in pairs) / len(pairs),
            word_recall=sum(got for got, _ in pairs) / sum(of for _, of in pairs),
        )
        for label, pairs in sorted(found.items())
    }
