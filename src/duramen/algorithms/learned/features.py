"""Blocks → a table: one row a feature, one column a block."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from duramen.algorithms.learned.lexicon import score_names, score_words
from duramen.algorithms.learned.measures import BASE, CONTAINERS, GROUPS, LEXICAL, NAMED, PAGE, PLACE, TEXT, Measures
from duramen.algorithms.learned.raw import Raw
from duramen.models.default import LEXICONS, Lexicon
from duramen.page import BoolArray, FloatArray, IntArray

Table = NDArray[np.float32]

FEATURES = (*BASE, *LEXICAL)


class Scores(NamedTuple):
    """What the lexicons say of each block."""

    path: FloatArray  # names and tags of all elements around it
    near: FloatArray  # those of the nearest three
    words: FloatArray  # its words
    heading: FloatArray  # as a heading of what follows it


class Context(NamedTuple):
    """What several groups of features share."""

    raw: Raw
    measures: Measures
    words: FloatArray
    links: FloatArray  # words in links
    text: FloatArray  # words of running text: none where a block is short or all links
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
    words, links, text = figures
    return Context(raw, measures, words, links, text, numbers[2], numbers[3])


def base_table(shared: Context) -> Table:
    """Every feature that needs no lexicon: BASE."""
    table = np.empty((len(BASE), len(shared.raw)), dtype=np.float32)
    fill_base(shared, table)
    return table


def fill_base(shared: Context, table: Table) -> None:
    """Fill in the rows of BASE."""
    measures = shared.measures
    text, place, named, containers, groups, page = _parts(table, TEXT, PLACE, NAMED, CONTAINERS, GROUPS, PAGE)
    measures.measure_text(text.data, shared.raw.title.data)
    measures.measure_place(place.data)
    logs, shares = text[0].astype(np.float64), text[1].astype(np.float64)
    running = logs * (shared.text > 0)
    for values, at in zip((logs, shares, running), range(len(PLACE) - 9, len(PLACE), 3)):
        measures.measure_neighbours(place.data, at, values.data)
    measures.measure_named(named.data)
    measures.measure_containers(containers.data)
    measures.measure_groups(groups.data)
    heading, item = place[PLACE.index("heading")], place[PLACE.index("is_item")]
    measures.measure_page(page.data, heading.data, item.data, groups[1].data)


def lexicon_scores(raw: Raw, lexicons: Mapping[str, Lexicon]) -> Scores:
    """What lexicons say of each block."""
    scores = np.empty((4, len(raw)))
    path, near, words, heading = (lexicons[name] for name in LEXICONS)
    score_names(raw, path.weights.data, near.weights.data, scores.data)
    score_words(raw, words.weights.data, heading.weights.data, scores.data)
    scores *= np.array([[path.step], [near.step], [words.step], [heading.step]])
    return Scores(*scores)


def lexical_table(shared: Context, scores: Scores) -> Table:
    """The lexicons' scores, and what they say of neighbours and of alike blocks: LEXICAL."""
    table = np.empty((len(LEXICAL), len(shared.raw)), dtype=np.float32)
    fill_lexical(shared, scores, table)
    return table


def fill_lexical(shared: Context, scores: Scores, table: Table) -> None:
    """Fill in the rows of LEXICAL."""
    measures = shared.measures
    both = scores.path + scores.near
    means = [
        measures.measure_scores(table[6 * at : 6 * at + 6].data, values.data)
        for at, values in enumerate((scores.path, scores.near, both, scores.words))
    ]
    measures.measure_headed(table[24:29].data, both.data, scores.heading.data, means[2])
    measures.measure_boxes(table[29:].data, both.data, scores.words.data)


def feature_table(raw: Raw, lexicons: Mapping[str, Lexicon]) -> tuple[Context, Table]:
    """All features of a page's blocks: FEATURES."""
    shared = context(raw)
    table = np.empty((len(FEATURES), len(raw)), dtype=np.float32)
    fill_base(shared, table[: len(BASE)])
    fill_lexical(shared, lexicon_scores(raw, lexicons), table[len(BASE) :])
    return shared, table


def _parts(table: Table, *parts: tuple[str, ...]) -> Iterator[Table]:
    at = 0
    for part in parts:
        yield table[at : at + len(part)]
        at += len(part)
