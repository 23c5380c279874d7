"""Parts of speech: a rough guess by stop words and endings, or a tagger of one's own in its place."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from duramen.algorithms.pso.linguistic import Words

CLASSES: tuple[str, ...] = ("nouns", "verbs", "adjectives", "function_words")
NOUN, VERB, ADJECTIVE, FUNCTION = range(len(CLASSES))
OTHER = -1

Tagger = Callable[[Sequence[str], str | None], Sequence[int]]
"""Lower-case words that occur in a language (None: unknown) → the class of each, or OTHER."""

# Endings by language, longest first where one ends another; the first that fits decides. Words that have none are
# nouns, as most words outside the stop lists are.
_ENDINGS: Mapping[str, tuple[tuple[int, tuple[str, ...]], ...]] = MappingProxyType(
    {
        "en": (
            (NOUN, ("tion", "sion", "ment", "ness", "ity", "ship", "ism", "ist", "ance", "ence", "ings")),
            (ADJECTIVE, ("able", "ible", "ful", "less", "ous", "ive", "ical", "ish", "ary")),
            (OTHER, ("ly",)),
            (VERB, ("ing", "ed", "ize", "ise", "izes", "ises", "ify", "ifies")),
            (ADJECTIVE, ("al", "ic", "ant", "ent", "est")),
        ),
        "de": (
            (NOUN, ("ung", "ungen", "heit", "keit", "schaft", "tion", "tionen", "ismus", "tät", "chen", "ling")),
            (ADJECTIVE, ("lich", "liche", "lichen", "licher", "liches", "isch", "ische", "ischen", "ischer")),
            (ADJECTIVE, ("ig", "ige", "igen", "iger", "iges", "bar", "bare", "baren", "sam", "same", "samen")),
            (VERB, ("ieren", "iert", "ierte", "ierten", "test", "tet", "tete", "ten", "eln", "ern", "en", "te")),
        ),
        "es": (
            (NOUN, ("ción", "ciones", "sión", "siones", "dad", "dades", "miento", "mientos", "ismo", "ista", "eza")),
            (OTHER, ("mente",)),
            (VERB, ("ando", "iendo", "aron", "ieron", "aba", "aban", "ía", "ían", "ará", "arán", "ado", "ido")),
            (ADJECTIVE, ("able", "ible", "oso", "osa", "osos", "osas", "ivo", "iva", "ivos", "ivas", "ico", "ica")),
            (VERB, ("ar", "er", "ir", "ó")),
        ),
        "fr": (
            (NOUN, ("tion", "tions", "sion", "sions", "ité", "ités", "ance", "ence", "isme", "iste", "eur", "eurs")),
            (OTHER, ("ment",)),
            (VERB, ("ant", "aient", "ait", "èrent", "eront", "era", "ez", "er", "ir", "é", "ée", "és", "ées")),
            (ADJECTIVE, ("able", "ible", "eux", "euse", "euses", "if", "ive", "ifs", "ives", "ique", "iques", "el")),
        ),
        "it": (
            (NOUN, ("zione", "zioni", "sione", "sioni", "tà", "mento", "menti", "ismo", "ista", "isti", "ezza")),
            (OTHER, ("mente",)),
            (VERB, ("ando", "endo", "arono", "irono", "ava", "avano", "eva", "evano", "ato", "uto", "ito")),
            (ADJECTIVE, ("abile", "ibile", "oso", "osa", "osi", "ose", "ivo", "iva", "ivi", "ive", "ico", "ica")),
            (VERB, ("are", "ere", "ire", "ò")),
        ),
        "pt": (
            (NOUN, ("ção", "ções", "são", "sões", "dade", "dades", "mento", "mentos", "ismo", "ista", "eza")),
            (OTHER, ("mente",)),
            (VERB, ("ando", "endo", "indo", "aram", "eram", "iram", "ava", "avam", "ado", "ido", "ou")),
            (ADJECTIVE, ("ável", "ível", "oso", "osa", "osos", "osas", "ivo", "iva", "ico", "ica")),
            (VERB, ("ar", "er", "ir")),
        ),
        "nl": (
            (NOUN, ("ing", "ingen", "heid", "heden", "schap", "tie", "ties", "isme", "teit")),
            (ADJECTIVE, ("lijk", "lijke", "ig", "ige", "isch", "ische", "baar", "bare", "zaam", "zame")),
            (VERB, ("eren", "eerde", "eert", "de", "den", "te", "ten", "en")),
        ),
    }
)


def tag_by_endings(words: Sequence[str], language: str | None) -> list[int]:
    """The class of each word by its ending, as far as the language has such endings; numbers are OTHER."""
    endings = _ENDINGS.get(language or "", ())
    return [_by_ending(word, endings) for word in words]


def _by_ending(word: str, endings: tuple[tuple[int, tuple[str, ...]], ...]) -> int:
    if not word.isalpha():
        return OTHER
    if len(word) > 3:
        for kind, suffixes in endings:
            if word.endswith(suffixes):
                return kind
    return NOUN


def share_classes(
    found: Words,
    group: NDArray[np.integer],
    groups: int,
    language: NDArray[np.integer],
    languages: Sequence[str],
    masks: Mapping[str, int],
    tagger: Tagger = tag_by_endings,
) -> NDArray[np.float64]:
    """The share of each class (columns) in the words of each group (rows).

    `language` is each group's, as an index into `languages` or -1. A stop word of that language is a function word,
    whatever the tagger says of it; where the language is unknown, that of any language.
    """
    # Every word is looked at once a language, however often it occurs.
    vocabulary = list(dict.fromkeys(found.texts))
    number = {word: at for at, word in enumerate(vocabulary)}
    words = np.fromiter(map(number.__getitem__, found.texts), np.int64, len(found))
    stops = np.array([masks.get(word, 0) for word in vocabulary], dtype=np.int64)
    spoken = language[group]
    kind = np.full(len(found), OTHER, dtype=np.int64)
    for index in np.unique(spoken).tolist():
        at = np.flatnonzero(spoken == index)
        used = np.unique(words[at])
        tags = np.array(tagger([vocabulary[k] for k in used.tolist()], languages[index] if index >= 0 else None))
        stop = (stops[used] >> index) & 1 == 1 if index >= 0 else stops[used] > 0
        kind[at] = np.where(stop, FUNCTION, tags)[np.searchsorted(used, words[at])]
    totals = np.maximum(np.bincount(group, minlength=groups), 1)
    shares = [np.bincount(group[kind == each], minlength=groups) / totals for each in range(len(CLASSES))]
    return np.stack(shares, axis=1)
