"""What tells the type of a page: names, words and statements as hashes, and counts as a vector."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple
from urllib.parse import SplitResult, urlsplit
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from duramen.algorithms.learned.attributes import attributes_named
from duramen.algorithms.learned.hashing import Hashes, names_of, words_of
from duramen.blocks import blocks
from duramen.measure import seen_text, subtree_sum, within
from duramen.page import HREF, BoolArray, FloatArray, Page
from duramen.tags import tag_mask

# What is read at most, so that no page can make this slow.
TEXT_BYTES = 1 << 18  # of the page's text
LINKED_DATA_BYTES = 1 << 17  # of one JSON-LD script
STATEMENTS = 300  # of meta elements, and of scripts

LABEL_WORDS = 4  # longest text of a link or button that is read as a label
LONG_WORDS = 20  # a block of so many words is a paragraph …
LONG_LINKS = 0.5  # … unless more than this share of them is in links
REPEATED = 4  # siblings of the same kind that make a list

COUNTED_TAGS = (
    "p h1 h2 h3 h4 li table tr td img form input button select textarea pre code time article section nav aside footer "
    "header main svg video iframe script dl dt blockquote figure details label option a ul strong"
).split()
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

_PRICE = re.compile(
    r"(?:[$€£¥₹]|\b(?:USD|EUR|GBP|Rs\.?))\s?\d[\d.,]*|\b\d[\d.,]*\s?(?:[€£₽円元]|zł|kr\b|USD|EUR|руб)", re.IGNORECASE
)
_MONTH = "(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)"
_DATE = re.compile(
    rf"\b(?:19|20)\d\d[-/.]\d{{1,2}}[-/.]\d{{1,2}}\b|\b\d{{1,2}}[-/.]\d{{1,2}}[-/.](?:19|20)?\d\d\b"
    rf"|\b{_MONTH}[a-z]*\.? \d{{1,2}}\b|\b\d{{1,2}} {_MONTH}|\bago\b|\d月\d",
    re.IGNORECASE,
)
_LINKED_TYPE = re.compile(rb'"@type"\s*:\s*\[?\s*"([A-Za-z]{2,40})"')
_LETTERS = re.compile("[a-z]{2,20}")
_SUFFIX = re.compile(r"\.\w{3,5}$")
_URL_DATE = re.compile(r"/(?:19|20)\d\d/\d")
_HEADING = tag_mask(("h1", "h2", "h3", "h4"))
_LABEL = tag_mask(("a", "button", "label"))
_FRAME = tag_mask(("html", "body", "main"))
_SALT = np.uint32(0x9E3779B1)


class Signals(NamedTuple):
    """What the model judges of a page."""

    hashes: Hashes  # sorted, each once
    counts: FloatArray  # in the order of COUNTS


def signals(page: Page, url: str | None) -> Signals:
    """The signals of a page; what the address tells is left out where it is unknown."""
    seen = seen_text(page)
    address = _address(url)
    found = [*_name_hashes(page), *_word_hashes(page, seen)]
    stated = [crc32(word.encode("utf-8", "replace")) for word in (*_statements(page), *_address_words(address))]
    found.append(np.array(stated, dtype=np.uint32))
    counts = np.concatenate((_page_counts(page, seen), _address_counts(address)))
    return Signals(np.unique(np.concatenate(found)), counts)


def is_home(page: Page, url: str | None) -> bool:
    """Whether the address, or what the page states as its address, is that of a site's front page."""
    address = _address(url) or _address(_canonical(page))
    if address is None or not address.hostname:
        return False
    return (
        re.fullmatch(r"/?(?:(?:index|default|home)(?:\.\w{2,5})?)?/?(?:[a-z]{2}(?:[-_][a-z]{2})?/?)?", address.path)
        is not None
    )


def _salted(hashes: Hashes, salt: int) -> Hashes:
    with np.errstate(over="ignore"):
        found: Hashes = hashes * _SALT + np.uint32(salt)
    return found


def _name_hashes(page: Page) -> Iterator[Hashes]:
    """Classes, ids, roles and microdata: of all elements, and of the page's frame."""
    named = attributes_named(page, "class", "id", "role", "itemprop", "itemtype")
    framed = page.has_tag(_FRAME)[named.rows]
    yield _salted(_names(list(set(named.values))), 1)
    yield _salted(_names([value for value, chosen in zip(named.values, framed.tolist()) if chosen]), 2)


def _names(values: list[bytes]) -> Hashes:
    joined = np.frombuffer(b" ".join(values), dtype=np.uint8)
    return np.unique(names_of(joined, np.zeros(len(joined), dtype=np.bool_)).hash)


def _word_hashes(page: Page, seen: BoolArray) -> Iterator[Hashes]:
    """Words of headings, of the title, and of links and buttons."""
    labels = within(page, page.has_tag(_LABEL)) & seen & (page.words <= LABEL_WORDS)
    titles = within(page, page.named("title")) & (page.chars > 0)
    for salt, rows in ((3, within(page, page.has_tag(_HEADING)) & seen), (4, titles), (5, labels)):
        yield _salted(np.unique(words_of(np.frombuffer(_joined(page, rows), dtype=np.uint8)).hash), salt)


def _joined(page: Page, rows: BoolArray) -> bytes:
    at = np.flatnonzero(rows)
    begins, ends = page.text_at[at].tolist(), page.text_at[at + 1].tolist()
    return b" ".join([page.text[begin:end] for begin, end in zip(begins, ends)])[:TEXT_BYTES]


def _statements(page: Page) -> Iterator[str]:
    """What the page says of itself: meta elements, JSON-LD types, where its scripts come from."""
    for row in np.flatnonzero(page.named("meta"))[:STATEMENTS].tolist():
        said = page.attributes(row)
        key = (said.get("property") or said.get("name") or "").lower()
        if key:
            yield f"meta {key[:40]}"
        if key in ("og:type", "generator"):
            yield f"{key} {(_LETTERS.findall(said.get('content', '').lower()) or [''])[0]}"
    for row in np.flatnonzero(page.named("script"))[:STATEMENTS].tolist():
        said = page.attributes(row)
        if "ld+json" in said.get("type", ""):
            at = int(page.text_at[row])
            source = page.text[at : min(int(page.text_at[page.end[row]]), at + LINKED_DATA_BYTES)]
            types = [name.decode().lower() for name in _LINKED_TYPE.findall(source)]
            yield from {f"type {name}" for name in types}
            yield from (f"first type {name}" for name in types[:1])
        elif "//" in said.get("src", "")[:8]:
            yield from (f"script {word}" for word in _LETTERS.findall(said["src"].split("/")[2].lower()))


def _canonical(page: Page) -> str | None:
    for row in np.flatnonzero(page.named("link"))[:STATEMENTS].tolist():
        if (page.attribute(row, "rel") or "").lower() == "canonical":
            return page.attribute(row, "href")
    return None


def _address(url: str | None) -> SplitResult | None:
    try:
        return urlsplit(url) if url else None
    except ValueError:
        return None


def _address_words(address: SplitResult | None) -> Iterator[str]:
    if address is not None:
        yield from (f"path {word}" for word in _LETTERS.findall(address.path.lower()))
        yield from (f"first {part.lower()[:25]}" for part in address.path.split("/")[1:2] if part)
        yield from (f"host {word}" for word in _LETTERS.findall((address.netloc or "").lower()))


def _address_counts(address: SplitResult | None) -> FloatArray:
    if address is None:
        return np.zeros(URL_COUNTS)
    path = address.path
    parts = [part for part in path.split("/") if part]
    last = parts[-1] if parts else ""
    digits = sum(map(str.isdigit, path))
    return np.array(
        [
            *(1, len(parts), np.log1p(len(path)), np.log1p(digits), path.endswith("/"), bool(_SUFFIX.search(path))),
            *(bool(_URL_DATE.search(path)), bool(address.query), np.log1p(last.count("-")), not parts),
            np.log1p(len(last)),
        ],
        dtype=np.float64,
    )


def _page_counts(page: Page, seen: BoolArray) -> FloatArray:
    words = int(page.words[seen].sum())
    chars = int(page.chars[seen].sum())
    own_words = np.where(seen, page.words, 0)
    links: BoolArray = (page.flags & HREF) != 0
    linked = within(page, links)
    link_words = int(own_words[linked].sum())
    below = subtree_sum(page, own_words)
    paragraphs = page.named("p")
    p_words = int(own_words[within(page, paragraphs)].sum())
    long_p = below[paragraphs][below[paragraphs] >= LONG_WORDS]
    text = _joined(page, seen).decode("utf-8", "replace")
    prices, dates = len(_PRICE.findall(text)), len(_DATE.findall(text))
    sizes, long_blocks = _block_sizes(page, seen, linked)
    long_words = int(sizes[long_blocks].sum())
    tags = np.bincount(np.minimum(page.tag, len(_COLUMN) - 1), minlength=len(_COLUMN))[_TAG_IDS]
    images, anchors = tags[COUNTED_TAGS.index("img")], tags[COUNTED_TAGS.index("a")]
    articles = below[page.named("article")]
    per = max(words, 1)
    log = np.log1p
    totals = [
        *(
            len(page),
            words,
            chars,
            int(links.sum()),
            link_words,
            p_words,
            len(long_p),
            int(long_p.sum()),
            prices,
            dates,
        ),
        *(text.count("?") + text.count("？"), len(sizes), int(long_blocks.sum()), long_words, int((sizes <= 3).sum())),
        int(sizes.max(initial=0)),
    ]
    shares = [
        *(link_words / per, p_words / per, long_words / per, log(words / max(len(sizes), 1)), log(1000 * prices / per)),
        *(log(1000 * dates / per), log(100 * anchors / per), log(100 * images / per)),
        float(page.depth[seen].mean()) if seen.any() else 0.0,
        *_repetition(page, below, links, per),
        *(int(articles.max(initial=0)) / per, log(100 * int(page.puncts[seen].sum()) / per)),
        int(page.cjk[seen].sum()) / max(chars, 1),
    ]
    return np.concatenate((log(totals), log(tags), shares))


def _tag_ids() -> tuple[NDArray[np.intp], int]:
    masks = [np.flatnonzero(tag_mask((tag,))) for tag in COUNTED_TAGS]
    return np.concatenate(masks), len(tag_mask(()))


_TAG_IDS, _SIZE = _tag_ids()
_COLUMN = np.zeros(_SIZE)


def _block_sizes(page: Page, seen: BoolArray, linked: BoolArray) -> tuple[NDArray[np.int64], BoolArray]:
    """The words of each block, and which blocks are paragraphs."""
    found = blocks(page, seen)
    if not len(found):
        return np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.bool_)
    words = np.add.reduceat(page.words[found.rows], found.at[:-1]).astype(np.int64)
    in_links = np.add.reduceat((page.words * linked)[found.rows], found.at[:-1])
    long: BoolArray = (words >= LONG_WORDS) & (in_links < LONG_LINKS * words)
    return words, long


def _repetition(page: Page, below: NDArray[np.int64], links: BoolArray, per: int) -> list[float]:
    """The largest list of like siblings: how many, and words, links and images of each; and its share of the page."""
    classes = attributes_named(page, "class")
    numbers: dict[bytes, int] = {}
    kind = np.zeros(len(page), dtype=np.int64)
    kind[classes.rows] = [numbers.setdefault(value, len(numbers) + 1) for value in classes.values]
    rows = np.flatnonzero((page.tag > 0) & (below >= 3))
    if not len(rows):
        return [0.0] * 5
    tags = int(page.tag.max()) + 1
    key = (page.parent[rows].astype(np.int64) * (len(numbers) + 2) + kind[rows]) * tags + page.tag[rows]
    _, group, size = np.unique(key, return_inverse=True, return_counts=True)
    words = np.where(size >= REPEATED, np.bincount(group, weights=below[rows]), 0)
    best = int(words.argmax())
    if not words[best]:
        return [0.0] * 5
    members = rows[group == best]
    each_links = subtree_sum(page, links)[members].mean()
    each_images = subtree_sum(page, page.named("img"))[members].mean()
    log = np.log1p
    count = int(size[best])
    return [
        *(float(log(count)), float(log(words[best] / count)), float(log(each_links)), float(words[best] / per)),
        float(log(each_images)),
    ]
