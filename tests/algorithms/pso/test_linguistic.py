from __future__ import annotations

import re
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from duramen.algorithms.pso.linguistic import (
    LANGUAGES,
    count_stop_words,
    sentence_ends,
    stop_word_masks,
    stop_word_ratios,
    stop_words,
    words,
)

FUNCTION_WORDS = "da:og de:und en:the es:los fi:ja fr:les hu:és it:gli nl:het no:og pt:não ro:și ru:и sv:och"


def sentences(text: str) -> list[str]:
    """The text cut at its sentence ends."""
    cuts = [0, *sentence_ends(text, words(text)).tolist(), len(text)]
    return [piece for a, b in pairwise(cuts) if (piece := text[a:b].strip())]


class TestWords:
    @pytest.mark.parametrize(
        ("text", "expected"),
        [
            ("The cat, the Mat.", ["the", "cat", "the", "mat"]),
            ("don't snake_case 3.5%", ["don", "t", "snake", "case", "3", "5"]),
            ("Straße ÉTÉ Москва", ["straße", "été", "москва"]),
            ("", []),
            (" — … ", []),
        ],
    )
    def test_runs_of_letters_and_digits(self, text: str, expected: list[str]) -> None:
        assert words(text).texts == expected

    def test_offsets_stay_true_after_a_letter_with_a_longer_lower_case(self) -> None:
        text = "İİ one İzmir"
        found = words(text)
        assert [text[a : a + n] for a, n in zip(found.at.tolist(), found.size.tolist())] == ["İİ", "one", "İzmir"]

    @given(st.text(max_size=60))
    def test_any_text(self, text: str) -> None:
        found = words(text)
        pieces = [text[a : a + n] for a, n in zip(found.at.tolist(), found.size.tolist())]
        assert pieces == re.findall(r"[^\W_]+", text)


class TestSentences:
    @pytest.mark.parametrize(
        ("text", "count"),
        [
            ("One. Two! Three? Four", 4),
            ("What?! Really... Yes.", 3),
            ('He said "no." Then he left.', 2),
            ("It rose 3.5 per cent. The rest fell.", 2),  # decimals have no blank after the point
            ("Dr. Smith met Mrs. Jones etc. and left.", 1),
            ("J. R. Tolkien wrote it. It sold.", 2),
            ("Siehe Nr. 5 und Art. 3 dort. Ende.", 2),
            ("She said no. Then she left.", 2),  # "no" is short for number before a number only
            ("Am 3. Mai kam er. Dann ging er.", 2),
            ("In 2007. Later.", 2),
            ("See example.org for more. Done.", 2),
            ("approx. five of them. Done.", 2),
            ("你好。今天很好！真的？", 3),  # ideographic marks need no blank
            ("", 0),
        ],
    )
    def test_count(self, text: str, count: int) -> None:
        assert len(sentences(text)) == count

    def test_an_end_lies_behind_the_closing_quote(self) -> None:
        assert sentences("“Go.” He went.") == ["“Go.”", "He went."]

    @pytest.mark.parametrize("mark", [".", "!", "。", '."', ".)"])
    def test_a_million_marks_take_no_time(self, mark: str) -> None:
        text = mark * 1_000_000 + "x"
        assert len(sentence_ends(text, words(text))) <= 1_000_000


class TestStopWords:
    def test_fourteen_languages_with_the_benchmarks_first(self) -> None:
        assert LANGUAGES[:5] == ("en", "de", "es", "fr", "it")
        assert sorted(LANGUAGES) == "da de en es fi fr hu it nl no pt ro ru sv".split()

    @pytest.mark.parametrize(
        ("language", "word"),
        [pair.split(":") for pair in FUNCTION_WORDS.split()],
    )
    def test_every_language_has_its_list(self, language: str, word: str) -> None:
        assert stop_words()[word] >> LANGUAGES.index(language) & 1

    def test_entries_are_single_words(self) -> None:
        assert dict(stop_word_masks({"fr": ["qu'", "aujourd'hui", "Le"], "it": ["le"]})) == {"qu": 1, "le": 3}

    def test_a_language_without_a_list_is_refused(self) -> None:
        with pytest.raises(ValueError, match="no stop-word list for tlh"):
            stop_words(("en", "tlh"))

    def test_counts_and_ratios(self) -> None:
        found = words("the cat and der Hund und")
        masks = stop_word_masks({"en": ["the", "and"], "de": ["der", "und"]})
        counts = count_stop_words(found, np.array([0, 0, 0, 1, 1, 1]), 3, masks, 2)
        assert counts.tolist() == [[2, 0], [0, 2], [0, 0]]
        # A group of stop words alone has its ratio by one, not by zero.
        ratios = stop_word_ratios(np.array([[2, 0], [3, 0], [0, 0]]), np.array([3, 3, 0]))
        assert ratios.tolist() == [[2.0, 0.0], [3.0, 0.0], [0.0, 0.0]]
