"""What tells the type of a page: names, words and statements as hashes, and counts as a vector."""

from __future__ import annotations

import re
from math import log1p
from typing import NamedTuple
from urllib.parse import SplitResult, urlsplit

import numpy as np
from numpy.typing import NDArray

from duramen.algorithms.learned.type_counts import (
    ARTICLE_WORDS,
    BLOCKS,
    CHARS,
    CJK,
    COUNTED_TAGS,
    DATES,
    DEPTH,
    FIGURES,
    LINK_WORDS,
    LONG_WORDS,
    P_WORDS,
    PRICES,
    PUNCTS,
    QUESTIONS,
    REPEATED_COUNT,
    REPEATED_IMAGES,
    REPEATED_LINKS,
    REPEATED_WORDS,
    SEEN,
    TEXT_SIZE,
    WORDS,
    count_repeated,
    count_rows,
    join_texts,
)
from duramen.algorithms.learned.type_marks import count_marks
from duramen.algorithms.learned.type_words import (
    Told,
    canonical_row,
    tell_address,
    tell_attributes,
    tell_statements,
    tell_texts,
)
from duramen.measure import unseen
from duramen.models.page_type import HashIndex
from duramen.page import BoolArray, FloatArray, Page

# What is read at most, so that no page can make this slow.
TEXT_BYTES = 1 << 18  # of the page's text
LINKED_DATA_BYTES = 1 << 17  # of one JSON-LD script
STATEMENTS = 300  # of meta elements, and of scripts

LABEL_WORDS = 4  # longest text of a link or button that is read as a label

COUNTS = (
    *("rows", "words", "chars", "links", "link_words", "p_words", "long_p", "long_p_words", "prices", "dates"),
    *("questions", "blocks", "long_blocks", "long_words", "short_blocks", "longest_block"),
    *(f"n_{tag}" for tag in COUNTED_TAGS),
    *("link_share", "p_share", "long_share", "words_per_block", "price_rate", "date_rate", "link_rate", "image_rate"),
    *("depth", "repeated", "repeated_words", "repeated_links", "repeated_share", "repeated_images", "article_share"),
    *("punctuation", "cjk_share"),
    *("url_known", "url_depth", "url_length", "url_digits", "url_slash", "url_suffix", "url_date", "url_query"),
    *("url_hyphens", "url_root", "url_last_length"),
)
URL_COUNTS = 11

FIRST_PART_BYTES = 25
KNOWN_VALUES = 1 << 10  # of attributes, remembered so that they are told once

_SUFFIX = re.compile(r"\.\w{3,5}$")
_URL_DATE = re.compile(r"/(?:19|20)\d\d/\d")
_HOME = re.compile(r"/?(?:(?:index|default|home)(?:\.\w{2,5})?)?/?(?:[a-z]{2}(?:[-_][a-z]{2})?/?)?")
_TOTALS = COUNTS.index("n_p")  # counts before this one and those of elements are taken as logarithms


class Signals(NamedTuple):
    """What a model is made of."""

    hashes: NDArray[np.uint32]  # sorted, each once
    counts: FloatArray  # in the order of COUNTS


class KnownSignals(NamedTuple):
    """What a model judges of a page."""

    known: BoolArray  # which of the model's signals the page has
    counts: FloatArray


def signals(page: Page, url: str | None) -> Signals:
    """All signals of a page; what the address tells is left out where it is unknown."""
    told = Told(None)
    counts = _read(page, url, told)
    return Signals(np.array(sorted(told.every), dtype=np.uint32), counts)


def known_signals(page: Page, url: str | None, index: HashIndex) -> KnownSignals:
    """Those signals of a page that a model knows."""
    marks = np.zeros(len(index.hashes), dtype=np.uint8)
    counts = _read(page, url, Told(index, marks.data))
    return KnownSignals(marks.view(np.bool_), counts)


def _read(page: Page, url: str | None, told: Told) -> FloatArray:
    """Tell all signals, and return the counts."""
    never = unseen(page).view(np.uint8).data
    classes, known = np.empty(len(page), dtype=np.uint64), np.zeros(KNOWN_VALUES, dtype=np.uint64)
    tell_attributes(page, told, classes.data, known.data)
    tell_texts(page, never, told, TEXT_BYTES, LABEL_WORDS)
    tell_statements(page, told, STATEMENTS, LINKED_DATA_BYTES)
    address = _address(url)
    if address is not None:
        first = "".join(address.path.split("/")[1:2])
        tell_address(told, *(_coded(part) for part in (address.path, first[:FIRST_PART_BYTES], address.netloc)))
    return _counts(page, never, classes, address)


def _coded(text: str) -> bytes:
    return text.encode("utf-8", "replace")


def is_home(page: Page, url: str | None) -> bool:
    """Whether the address, or what the page states as its address, is that of a site's front page."""
    address = _address(url) or _address(_canonical(page))
    if address is None or not address.hostname:
        return False
    return _HOME.fullmatch(address.path) is not None


def _canonical(page: Page) -> str | None:
    row = canonical_row(page, STATEMENTS)
    return page.attribute(row, "href") if row >= 0 else None


def _address(url: str | None) -> SplitResult | None:
    try:
        return urlsplit(url) if url else None
    except ValueError:
        return None


def _address_counts(address: SplitResult | None) -> list[float]:
    if address is None:
        return [0.0] * URL_COUNTS
    path = address.path
    parts = [part for part in path.split("/") if part]
    last = parts[-1] if parts else ""
    return [
        *(1, len(parts), log1p(len(path)), log1p(sum(map(str.isdigit, path))), path.endswith("/")),
        *(bool(_SUFFIX.search(path)), bool(_URL_DATE.search(path)), bool(address.query), log1p(last.count("-"))),
        *(not parts, log1p(len(last))),
    ]


def _counts(page: Page, never: memoryview, classes: NDArray[np.uint64], address: SplitResult | None) -> FloatArray:
    figures = np.zeros(FIGURES, dtype=np.int64)
    tags = np.zeros(len(COUNTED_TAGS) + 1, dtype=np.int64)
    running = np.empty((4, len(page) + 1), dtype=np.int32)
    count_rows(page, never, running.data, figures.data, tags.data)
    table = np.full(2 << len(page).bit_length(), -1, dtype=np.int32)
    keys, groups = np.empty(len(page), dtype=np.uint64), np.empty((4, len(page)), dtype=np.int32)
    count_repeated(page, running.data, classes.data, table.data, keys.data, groups.data, figures.data)
    joined = np.empty(min(int(figures[TEXT_SIZE]), TEXT_BYTES), dtype=np.uint8)
    size = join_texts(page, never, joined.data)
    figures[PRICES : QUESTIONS + 1] = count_marks(joined[:size].tobytes())
    counts = np.empty(len(COUNTS))
    counts[:_TOTALS] = figures[:_TOTALS]
    counts[_TOTALS : _TOTALS + len(COUNTED_TAGS)] = tags[:-1]
    np.log1p(counts[: _TOTALS + len(COUNTED_TAGS)], out=counts[: _TOTALS + len(COUNTED_TAGS)])
    shares = _shares(figures.tolist(), int(tags[_LINKS_AT]), int(tags[_IMAGES_AT]))
    counts[_TOTALS + len(COUNTED_TAGS) :] = [*shares, *_address_counts(address)]
    return counts


_LINKS_AT, _IMAGES_AT = COUNTED_TAGS.index("a"), COUNTED_TAGS.index("img")


def _shares(figures: list[int], links: int, images: int) -> list[float]:
    """What part of the page is what, and what is in the largest list of like siblings."""
    per = max(figures[WORDS], 1)
    alike = figures[REPEATED_COUNT] or 1
    return [
        *(figures[LINK_WORDS] / per, figures[P_WORDS] / per, figures[LONG_WORDS] / per),
        log1p(figures[WORDS] / max(figures[BLOCKS], 1)),
        *(log1p(1000 * figures[PRICES] / per), log1p(1000 * figures[DATES] / per)),
        *(log1p(100 * links / per), log1p(100 * images / per), figures[DEPTH] / max(figures[SEEN], 1)),
        *(log1p(figures[REPEATED_COUNT]), log1p(figures[REPEATED_WORDS] / alike)),
        *(log1p(figures[REPEATED_LINKS] / alike), figures[REPEATED_WORDS] / per),
        *(log1p(figures[REPEATED_IMAGES] / alike), figures[ARTICLE_WORDS] / per),
        *(log1p(100 * figures[PUNCTS] / per), figures[CJK] / max(figures[CHARS], 1)),
    ]
