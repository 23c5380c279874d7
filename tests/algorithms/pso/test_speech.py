from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from duramen.algorithms.pso.linguistic import stop_word_masks, words
from duramen.algorithms.pso.speech import ADJECTIVE, CLASSES, FUNCTION, NOUN, OTHER, VERB, share_classes, tag_by_endings

MASKS = stop_word_masks({"en": ["the", "was", "of"], "de": ["die", "war"]})


@pytest.mark.parametrize(
    ("word", "language", "expected"),
    [
        ("information", "en", NOUN),
        ("walking", "en", VERB),
        ("famous", "en", ADJECTIVE),
        ("quickly", "en", OTHER),
        ("storm", "en", NOUN),  # no ending: most such words are nouns
        ("regierung", "de", NOUN),
        ("freundlich", "de", ADJECTIVE),
        ("arbeiten", "de", VERB),
        ("nación", "es", NOUN),
        ("hablando", "es", VERB),
        ("nation", "fr", NOUN),
        ("heureux", "fr", ADJECTIVE),
        ("parlare", "it", VERB),
        ("2007", "en", OTHER),
        ("walking", None, NOUN),  # an unknown language has no endings
        ("ed", "en", NOUN),  # nor has a word of three letters
    ],
)
def test_endings(word: str, language: str | None, expected: int) -> None:
    assert tag_by_endings([word], language) == [expected]


def test_shares_of_each_group() -> None:
    found = words("the famous storm was walking die regierung war die")
    group = np.array([0, 0, 0, 0, 0, 1, 1, 1, 1])
    shares = share_classes(found, group, 3, np.array([0, 1, -1]), ("en", "de"), MASKS)
    assert CLASSES == ("nouns", "verbs", "adjectives", "function_words")
    assert shares.tolist() == [[0.2, 0.2, 0.2, 0.4], [0.25, 0.0, 0.0, 0.75], [0.0, 0.0, 0.0, 0.0]]


def test_a_tagger_of_ones_own_decides_on_all_but_stop_words() -> None:
    seen: list[tuple[list[str], str | None]] = []

    def tagger(texts: Sequence[str], language: str | None) -> list[int]:
        seen.append((list(texts), language))
        return [VERB] * len(texts)

    shares = share_classes(
        words("the storm the storm"), np.zeros(4, dtype=int), 1, np.array([0]), ("en",), MASKS, tagger
    )
    assert seen == [(["the", "storm"], "en")]  # each word once
    assert shares[0, VERB] == shares[0, FUNCTION] == 0.5


def test_where_no_language_is_known_any_stop_word_counts() -> None:
    shares = share_classes(words("die storm"), np.zeros(2, dtype=int), 1, np.array([-1]), ("en", "de"), MASKS)
    assert shares[0, FUNCTION] == 0.5
