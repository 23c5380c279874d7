from __future__ import annotations

import itertools

import numpy as np
import pytest

from duramen.algorithms.pso import FEATURES, SPEECH_FEATURES
from duramen.algorithms.pso.textblocks import text_blocks, text_nodes
from duramen.parse import with_raw_text
from duramen.train.cases import Case, features_used, gold_language, prepare
from duramen.train.pages import LabelledPage
from duramen.train.similarity import similarity
from duramen.train.split import split
from tests.support import page_of
from tests.train.made import made_page

HTML = (
    "<body><div><a href=1>Home page</a></div><div>The storm hit the coast. It was the worst storm.</div>"
    "<div>The mayor said that nobody was hurt.</div><div><a href=2>Home page</a></div><div>Ads and more ads</div>"
    "<script>var storm;</script></body>"
)
GOLD = "The storm hit the coast. It was the worst storm. The mayor said that nobody was hurt."


def test_every_choice_of_groups_scores_as_its_text() -> None:
    case = prepare(LabelledPage("x", HTML.encode(), GOLD))
    blocks = text_blocks(page_of(HTML))
    assert len(blocks) == 5
    assert len(case.features) == 4  # both "Home page" have the same features and so the same fate
    group = [int(np.flatnonzero((case.features == row).all(axis=1))[0]) for row in _features(HTML)]
    choices = np.array(list(itertools.product([False, True], repeat=4)))
    expected = [
        similarity(" ".join(text for text, at in zip(blocks.texts(), group) if choice[at]), GOLD) for choice in choices
    ]
    assert case.scores(choices).tolist() == pytest.approx(expected)
    everything = text_nodes(with_raw_text(page_of(HTML)))
    assert case.everything == pytest.approx(similarity(" ".join(everything.texts()), GOLD))


def _features(html: str) -> list[np.ndarray]:
    from duramen.algorithms.pso import measure

    names = tuple(feature.name for feature in FEATURES)
    return list(measure(text_blocks(page_of(html))).matrix(names))


def test_labels_say_which_blocks_are_content() -> None:
    case = prepare(LabelledPage("x", HTML.encode(), GOLD))
    assert case.blocks.sum() == 5
    assert case.content.sum() == 2
    half = prepare(LabelledPage("x", b"<div>one two three four</div>", "one two"))
    less = prepare(LabelledPage("x", b"<div>one two three four five</div>", "one two"))
    assert (half.content.tolist(), less.content.tolist()) == ([1], [0])
    assert prepare(LabelledPage("x", HTML.encode(), GOLD), labels=False).content.sum() == 0


def test_a_page_without_a_block_scores_nothing() -> None:
    case = prepare(LabelledPage("x", b"", GOLD))
    assert case.scores(np.zeros((3, 0), dtype=np.bool_)).tolist() == [0.0, 0.0, 0.0]
    assert case.everything == 0.0


def test_many_terms_are_counted_in_portions() -> None:
    text = " ".join(f"word{k}" for k in range(5_000))
    case = prepare(LabelledPage("x", f"<div>{text}</div><div>{text} more</div>".encode(), text))
    assert case.gram.sum() == 5_000 * 4 + 1
    assert sorted(case.scores(np.eye(2, dtype=np.bool_)).tolist()) == pytest.approx([(5_000 / 5_001) ** 1.5, 1.0])


def test_speech_adds_features() -> None:
    assert features_used(True) == FEATURES + SPEECH_FEATURES
    assert prepare(made_page(0), speech=True).features.shape[1] == 12


@pytest.mark.parametrize(
    ("gold", "language"),
    [(made_page(0).gold, "en"), (made_page(0, "de").gold, "de"), ("台风登陆", None), ("", None), ("xyzzy plugh", None)],
)
def test_language_of_a_gold_text(gold: str, language: str | None) -> None:
    assert gold_language(gold) == language


class TestSplit:
    def test_by_language(self, cases: list[Case]) -> None:
        training, test = split(cases, 0.7, seed=3)
        assert [case.language for case in cases].count("de") == 8
        assert [case.language for case in training].count("en") == 11  # of 16
        assert [case.language for case in training].count("de") == 6  # of 8
        assert sorted(case.name for case in training + test) == sorted(case.name for case in cases)

    def test_seeded(self, cases: list[Case]) -> None:
        assert split(cases, seed=1) == split(cases, seed=1)
        assert split(cases, seed=1) != split(cases, seed=2)

    def test_small_languages_are_in_both_parts(self, cases: list[Case]) -> None:
        few = [case for case in cases if case.language == "en"][:9] + [case for case in cases if case.language == "de"][
            :2
        ]
        for part in split(few, 0.9):
            assert {case.language for case in part} == {"en", "de"}

    @pytest.mark.parametrize("share", [0.0, 1.0])
    def test_both_parts_are_needed(self, cases: list[Case], share: float) -> None:
        with pytest.raises(ValueError, match="between 0 and 1"):
            split(cases, share)
