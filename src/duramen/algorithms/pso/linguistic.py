"""Words, sentences and stop words of a text.

A word is a run of letters and digits. A text is worked through as a whole, whatever number of blocks it consists of:
every word and every sentence end is an offset into it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

Offsets = NDArray[np.int64]

LANGUAGES: tuple[str, ...] = ("en", "de", "es", "fr", "it", "da", "fi", "hu", "nl", "no", "pt", "ro", "ru", "sv")
"""Languages with a stop-word list. Of languages that fit a text equally well the first is taken."""

_WORD = re.compile(r"([^\W_]+)")
# Marks that may end a sentence, with the quotes and brackets behind them. What follows is looked at afterwards, so that
# a run is read once: a page of a million dots takes no longer than one of text.
_MARKS = re.compile("[.!?…。！？]+[\"'”’»›)\\]」』）]*")
_IDEOGRAPHIC = frozenset("。！？")  # no blank follows these
# Words that a period belongs to, in the languages above.
ABBREVIATIONS: frozenset[str] = frozenset(
    """
    mr mrs ms dr prof sr jr st vs etc inc ltd corp gen col sen rep gov capt sgt rev hon approx dept est messrs
    bzw ca usw evtl ggf inkl vgl hrsg dipl ing bspw sog geb
    sra srta dra uds ud ej pág avda
    mme mlle mm env éd
    dott ssa avv ecc cfr
    dhr mevr bijv resp blz
    kl dvs osv jfr bl fx tlf
    ул стр тыс млн млрд руб
    """.split()
)
# … and those that it belongs to before a number: "no. 5", "Art. 3", "p. 12".
BEFORE_NUMBERS: frozenset[str] = frozenset("no nr núm num fig art vol abs bd kap ch sec pp pag seite s p n".split())


# Lists spell Romanian with a cedilla, as old encodings did; the letters themselves have a comma below.
_COMMA_BELOW = str.maketrans("şţ", "șț")


@dataclass(frozen=True, slots=True, eq=False)
class Words:
    """The words of a text, in their order."""

    texts: list[str]  # lower case
    at: Offsets  # where each starts
    size: Offsets  # its characters

    def __len__(self) -> int:
        return len(self.texts)


def words(text: str) -> Words:
    """Every maximal run of letters and digits."""
    # The one character whose lower case is longer would shift all offsets after it.
    pieces = _WORD.split(text.replace("İ", "i").lower())
    size = np.fromiter(map(len, pieces), np.int64, len(pieces))
    return Words(pieces[1::2], np.cumsum(size)[:-1:2], size[1::2])


def sentence_ends(text: str, found: Words) -> Offsets:
    """Where a sentence has ended: after . ! ? … before white space, and after 。 ！ ？, with the quotes that follow.

    A period ends no sentence after an abbreviation, an initial or a number of one or two digits (an ordinal, or the
    number of a list item), nor before a lower-case letter. `found` are the words of the text.
    """
    runs = [
        (match.start(), match.end())
        for match in _MARKS.finditer(text)
        if text[match.end() : match.end() + 1].isspace()
        or match.end() == len(text)
        or not _IDEOGRAPHIC.isdisjoint(match[0])
    ]
    starts = np.array([start for start, _ in runs], dtype=np.int64)
    before = np.searchsorted(found.at + found.size, starts)  # the word that stops where the run starts
    kept = [
        end
        for (start, end), k in zip(runs, before.tolist())
        if not (text.startswith(".", start) and _continues(text, start, end, found, k))
    ]
    return np.array(kept, dtype=np.int64)


def _continues(text: str, start: int, end: int, found: Words, k: int) -> bool:
    """Whether the sentence goes on after a period at `start`; `k` is the word before it, if one stops there."""
    following = text[end : end + 8].lstrip()[:1]
    if following.islower():
        return True
    if end - start > 1 or k >= len(found) or found.at[k] + found.size[k] != start:
        return False
    word, first = found.texts[k], text[found.at[k]]
    if word.isdecimal():
        return len(word) <= 2
    return (
        word in ABBREVIATIONS
        or (len(word) == 1 and first.isupper())
        or (following.isdecimal() and word in BEFORE_NUMBERS)
    )


def stop_word_masks(lists: Mapping[str, Iterable[str]]) -> Mapping[str, int]:
    """Each stop word with a bit for every language that has it: bit k is the k-th list."""
    masks: dict[str, int] = {}
    for bit, entries in enumerate(lists.values()):
        for entry in entries:
            pieces = words(entry).texts
            # "qu'" is the word "qu", "aujourd'hui" is none here; and some lists hold numbers.
            if len(pieces) == 1 and pieces[0].isalpha():
                for spelling in {pieces[0], pieces[0].translate(_COMMA_BELOW)}:
                    masks[spelling] = masks.get(spelling, 0) | 1 << bit
    return MappingProxyType(masks)


@lru_cache(maxsize=32)
def stop_words(languages: tuple[str, ...] = LANGUAGES) -> Mapping[str, int]:
    """The lists of these languages as `stop_word_masks`; ValueError for a language without one."""
    import stopwordsiso  # only PSO needs it

    unknown = [language for language in languages if not stopwordsiso.has_lang(language)]
    if unknown:
        raise ValueError(f"there is no stop-word list for {', '.join(unknown)}")
    return stop_word_masks({language: stopwordsiso.stopwords(language) for language in languages})


def count_stop_words(
    found: Words, group: NDArray[np.integer], groups: int, masks: Mapping[str, int], languages: int
) -> NDArray[np.int64]:
    """How many stop words of each language (columns) the words of each group (rows) hold; `group` is each word's."""
    known = np.array([masks.get(word, 0) for word in found.texts], dtype=np.int64)
    hits = np.flatnonzero(known)
    counts = np.zeros((groups, languages), dtype=np.int64)
    for bit in range(languages):
        at = hits[(known[hits] >> bit) & 1 == 1]
        counts[:, bit] = np.bincount(group[at], minlength=groups)
    return counts


def stop_word_ratios(counts: NDArray[np.int64], words: NDArray[np.int64]) -> NDArray[np.float64]:
    """Stop words for each other word, by group (rows) and language (columns)."""
    ratios: NDArray[np.float64] = counts / np.maximum(words[:, None] - counts, 1)
    return ratios
