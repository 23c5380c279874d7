"""Blocks → a table: one row a feature, one column a block."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from duramen.algorithms.learned.feature_names import BASE, LEXICAL
from duramen.algorithms.learned.lexicon import paired, score_names, score_words, tag_weights
from duramen.algorithms.learned.measures import Measures
from duramen.algorithms.learned.raw import Raw
from duramen.models.default import LEXICONS, DefaultModel, Lexicon
from duramen.page import BoolArray, FloatArray, IntArray

Table = NDArray[np.float32]

FEATURES = (*BASE, *LEXICAL)


class Scorer(NamedTuple):
    """A model's lexicons, ready for blocks: the two for names as one table of pairs, and so the two for words."""

    names: NDArray[np.int8]
    tags: IntArray  # pairs of weights of the tags of small numbers
    words: NDArray[np.int8]
    pairs: NDArray[np.int8]  # weights of pairs of words
    steps: FloatArray  # of the five lexicons


class Context(NamedTuple):
    """What several groups of features share."""

    raw: Raw
    measures: Measures
    words: FloatArray
    group: IntArray  # block → its group of alike blocks
    section: IntArray  # block → the heading block before it, or -1 where there is none

    @property
    def sectioned(self) -> BoolArray:
        """Which blocks have a heading before them."""
        found: BoolArray = self.section >= 0
        return found


def context(raw: Raw) -> Context:
    """The counts and groupings of a page's blocks."""
    figures, numbers = np.empty((3, len(raw))), np.empty((4, len(raw)), dtype=np.int32)
    measures = Measures(raw, figures, numbers)
    return Context(raw, measures, figures[0], numbers[2], numbers[3])


def base_table(shared: Context) -> Table:
    """Every feature that needs no lexicon: BASE."""
    table = np.empty((len(BASE), len(shared.raw)), dtype=np.float32)
    fill_base(shared, table)
    return table


def fill_base(shared: Context, table: Table) -> None:
    """Fill in the rows of BASE, the first of the table."""
    shared.measures.fill_base(table.data)


def scorer(lexicons: Mapping[str, Lexicon]) -> Scorer:
    """Lexicons made ready."""
    path, near, words, heading, pairs = (lexicons[name] for name in LEXICONS)
    names = paired(path.weights, near.weights)
    steps = np.array([path.step, near.step, words.step, heading.step, pairs.step])
    return Scorer(names, tag_weights(names), paired(words.weights, heading.weights), pairs.weights, steps)


@lru_cache(maxsize=4)
def scorer_of(model: DefaultModel) -> Scorer:
    """The lexicons of a model, made ready."""
    return scorer(model.lexicons)


def lexicon_scores(shared: Context, by: Scorer) -> FloatArray:
    """What the lexicons say of each block, in four rows.

    The first looks at the names and tags of all elements around a block, the second at those of the nearest three, the
    third at its words and pairs of them, the fourth takes it for a heading of what follows it.
    """
    scores = np.empty((4, len(shared.raw)))
    score_names(shared.measures, by.names, by.tags, by.steps, scores)
    score_words(shared.measures, by.words, by.pairs, by.steps, scores)
    return scores


def lexical_table(shared: Context, scores: FloatArray) -> Table:
    """The lexicons' scores, and what they say of neighbours and of alike blocks: LEXICAL."""
    table = np.empty((len(LEXICAL), len(shared.raw)), dtype=np.float32)
    shared.measures.fill_lexical(table.data, 0, scores)
    return table


def feature_table(raw: Raw, by: Scorer) -> tuple[Context, Table]:
    """All features of a page's blocks: FEATURES."""
    shared = context(raw)
    table = np.empty((len(FEATURES), len(raw)), dtype=np.float32)
    fill_base(shared, table)
    shared.measures.fill_lexical(table.data, len(BASE), lexicon_scores(shared, by))
    return shared, table
