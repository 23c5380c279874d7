"""A labelled page boiled down to what scoring needs: any choice of its blocks is judged by a few small sums."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from duramen.algorithms.pso import FEATURES, SPEECH_FEATURES, Feature, Measured, measure
from duramen.algorithms.pso.linguistic import LANGUAGES, count_stop_words, stop_word_ratios, stop_words, words
from duramen.algorithms.pso.textblocks import TextBlocks, text_blocks, text_nodes
from duramen.decode import decode
from duramen.page import BoolArray, FloatArray
from duramen.parse import parse_page, with_raw_text
from duramen.train.align import align
from duramen.train.pages import LabelledPage
from duramen.train.similarity import similarities

Counted = NDArray[np.int64]

GOLD_RATIO = 0.1  # stop words for each other word: a gold text with less is in none of the languages
CONTENT_SHARE = 0.5  # of a block's words in the gold: from here on it is content
_TERMS_AT_ONCE = 2048  # columns of the dense matrix that inner products are made from


@dataclass(frozen=True, slots=True, eq=False)
class Case:
    """A page as groups of blocks. Blocks whose features are the same get the same verdict, so they are one group."""

    name: str
    gold: str
    language: str | None  # of the gold text
    source: str
    features: FloatArray  # groups × features
    dot: FloatArray  # inner product of each group's terms with the gold's
    gram: FloatArray  # … and with each other's
    terms: FloatArray  # terms of each group
    gold_square: float
    gold_terms: int
    blocks: Counted  # blocks of each group
    content: Counted  # … of which the gold holds at least half the words
    everything: float  # similarity of all text nodes with the gold (TB)

    def scores(self, accepted: BoolArray) -> FloatArray:
        """The similarity of each choice of groups (rows of `accepted`) with the gold.

        All sums are of whole numbers below 2⁵³, and so exact in whatever order a library adds them: the same seed
        gives the same model on any machine.
        """
        chosen = accepted.astype(np.float64)
        square = np.einsum("pg,pg->p", chosen @ self.gram, chosen)
        return similarities(chosen @ self.dot, square, chosen @ self.terms, self.gold_square, self.gold_terms)


def features_used(speech: bool) -> tuple[Feature, ...]:
    """The features that a model is trained on."""
    return FEATURES + SPEECH_FEATURES if speech else FEATURES


def prepare(page: LabelledPage, *, speech: bool = False, labels: bool = True) -> Case:
    """The case of a labelled page. `speech` adds parts of speech; `labels` says which blocks are content."""
    parsed = parse_page(decode(page.html).utf8)
    blocks = text_blocks(parsed)
    measured = measure(blocks, speech=speech)
    gold = words(page.gold).texts
    columns = measured.matrix(tuple(feature.name for feature in features_used(speech)))
    features, group = np.unique(columns, axis=0, return_inverse=True)
    group = group.reshape(-1)  # NumPy 2.0 alone gives it another shape
    counts = _Counts(gold)
    terms, dot, gram = counts.products(blocks, group, len(features))
    content = _content(blocks, measured, gold) if labels else np.zeros(len(blocks), dtype=np.bool_)
    return Case(
        name=page.name,
        gold=page.gold,
        language=gold_language(page.gold),
        source=page.source,
        features=features,
        dot=dot,
        gram=gram,
        terms=terms,
        gold_square=counts.gold_square,
        gold_terms=counts.gold_terms,
        blocks=np.bincount(group, minlength=len(features)),
        content=np.bincount(group[content], minlength=len(features)),
        everything=counts.whole(text_nodes(with_raw_text(parsed))),
    )


def gold_language(gold: str, languages: tuple[str, ...] = LANGUAGES) -> str | None:
    """The language of a text by its stop words; None where it is in none of them."""
    found = words(gold)
    group = np.zeros(len(found), dtype=np.int64)
    counts = count_stop_words(found, group, 1, stop_words(languages), len(languages))
    ratios = stop_word_ratios(counts, np.array([len(found)]))[0]
    return languages[int(ratios.argmax())] if ratios.max() >= GOLD_RATIO else None


class _Counts:
    """Term frequencies of a page against those of its gold text."""

    def __init__(self, gold: Sequence[str]) -> None:
        self._numbers: dict[str, int] = {}
        known = self._number([word for word in gold if len(word) > 1])
        self._gold = np.bincount(known, minlength=1)
        self.gold_terms = len(known)
        self.gold_square = float((self._gold**2).sum())

    def _number(self, texts: Sequence[str]) -> Counted:
        """Terms as small numbers, those of the gold first."""
        numbers = self._numbers
        return np.array([numbers.setdefault(text, len(numbers)) for text in texts], dtype=np.int64)

    def products(
        self, blocks: TextBlocks, group: NDArray[np.integer], groups: int
    ) -> tuple[FloatArray, FloatArray, FloatArray]:
        """Each group's number of terms, its inner product with the gold, and the matrix of those among groups."""
        long = np.flatnonzero(blocks.words.size > 1)
        term = self._number([blocks.words.texts[k] for k in long.tolist()])
        owner = group[blocks.block[long]].astype(np.int64)
        terms = np.bincount(owner, minlength=groups).astype(np.float64)
        in_gold = term < len(self._gold)
        dot = np.bincount(owner[in_gold], self._gold[term[in_gold]], groups).astype(np.float64)
        gram = np.zeros((groups, groups))
        order = np.argsort(term, kind="stable")
        term, owner = term[order], owner[order]
        for first in range(0, len(self._numbers), _TERMS_AT_ONCE):
            a, b = np.searchsorted(term, (first, first + _TERMS_AT_ONCE))
            cell = owner[a:b] * _TERMS_AT_ONCE + term[a:b] - first
            counts = np.bincount(cell, minlength=groups * _TERMS_AT_ONCE).reshape(groups, _TERMS_AT_ONCE)
            dense = counts[:, counts.any(axis=0)].astype(np.float64)
            gram += dense @ dense.T
        return terms, dot, gram

    def whole(self, nodes: TextBlocks) -> float:
        """The similarity of all the text with the gold."""
        term = self._number([text for text in nodes.words.texts if len(text) > 1])
        counts = np.bincount(term, minlength=len(self._gold))
        dot, square = counts[: len(self._gold)] @ self._gold, (counts**2).sum()
        found = similarities(
            np.array([dot]), np.array([square]), np.array([len(term)]), self.gold_square, self.gold_terms
        )
        return float(found[0])


def _content(blocks: TextBlocks, measured: Measured, gold: Sequence[str]) -> BoolArray:
    """Which blocks are content: at least half of their words align with the gold."""
    aligned = np.bincount(blocks.block[align(blocks.words.texts, gold)], minlength=len(blocks))
    content: BoolArray = aligned >= CONTENT_SHARE * measured.words
    return content
