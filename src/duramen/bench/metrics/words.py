"""Text → the words that metrics compare."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from types import MappingProxyType
from typing import Literal

from duramen.parse.characters import CJK_RANGES, ZERO_WIDTH

Tokens = Literal["words", "terms", "chars"]

_CJK = "".join(f"{chr(first)}-{chr(stop - 1)}" for first, stop in CJK_RANGES)
_WORD = re.compile(rf"[{_CJK}]|[^\s{_CJK}]+")
_TERM = re.compile(rf"[{_CJK}]|[^\W{_CJK}]+")
_NOTHING = dict.fromkeys(ZERO_WIDTH)
_MARK = re.compile(r"<[phl]>", re.IGNORECASE)  # CleanEval's paragraph, heading and list item


def normalise(text: str) -> str:
    """NFC, no zero-width characters, every run of white space one blank."""
    return " ".join(unicodedata.normalize("NFC", text).translate(_NOTHING).split())


def words(text: str, *, lower: bool = False, punctuation: bool = True) -> list[str]:
    """What stands between white space; each CJK character is a word of its own.

    `punctuation=False` leaves out words without a letter or digit.
    """
    text = normalise(text)
    found = _WORD.findall(text.lower() if lower else text)
    return found if punctuation else [word for word in found if any(map(str.isalnum, word))]


def terms(text: str) -> list[str]:
    """Runs of letters, digits and underscores in lower case; each CJK character is a term of its own."""
    return _TERM.findall(text.lower())


def chars(text: str) -> list[str]:
    """Characters without white space."""
    return list(normalise(text).replace(" ", ""))


TOKENISERS = MappingProxyType({"words": words, "terms": terms, "chars": chars})
"""The ways to cut a text, by name."""


def marked_words(text: str) -> list[str]:
    """Words and CleanEval's `<p> <h> <l>` marks, for the structural half of its score."""
    return words(_MARK.sub(lambda mark: f" {mark[0].lower()} ", text))


def numbered(*sequences: Sequence[str]) -> list[list[int]]:
    """The same words as the same small numbers, which compare faster than text."""
    numbers: dict[str, int] = {}
    return [[numbers.setdefault(word, len(numbers)) for word in sequence] for sequence in sequences]
