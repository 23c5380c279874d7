"""Labelled pages for training: read, cut into blocks, measured and labelled."""

from __future__ import annotations

import gzip
import hashlib
import json
import lzma
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import numpy as np
from numpy.typing import NDArray

from duramen.algorithms.learned.features import Context, Table, base_table, context
from duramen.algorithms.learned.raw import read
from duramen.errors import InputError
from duramen.extract import parse
from duramen.page import FloatArray, Page
from duramen.tags import TAG_IDS
from duramen.train.default.aged import aged
from duramen.train.default.labels import block_texts, in_a_line, label, snippet_labels, words

_OPENERS = {".xz": lzma.open, ".gz": gzip.open}
# Second-level names under which everybody may have a name: example.co.uk is a site, co.uk is none.
_SHARED_NAMES = frozenset("ac co com edu gob gouv gov go ne net or org".split())


@dataclass(frozen=True, slots=True, eq=False)
class Example:
    """A page that teaches: its blocks, what is known of them, and what is measured on it."""

    name: str
    corpus: str
    kind: str  # article, forum …; empty where nobody said
    site: str  # pages of one site are never in two folds
    gold: list[str] | None  # words; None where there are only snippets
    shared: Context
    features: Table  # those without lexicons: one row a block
    said: list[list[str]]  # the words of each block
    size: FloatArray  # how many these are
    target: FloatArray  # share of each block that is content; NaN where nobody knows
    snippets: tuple[tuple[str, ...], tuple[str, ...]] = ((), ())  # those that must, must not come out
    copy: bool = False  # the same page in other markup: it teaches, and is not judged

    def __len__(self) -> int:
        return len(self.size)


@dataclass(slots=True)
class Corpus:
    """Reads examples one by one, and remembers a fingerprint of them and what was left out."""

    places: Sequence[Path]
    copies: bool = False  # pages with a gold text come a second time, in older markup
    left_out: int = 0
    _hash: Any = field(default_factory=hashlib.sha256)

    def __iter__(self) -> Iterator[Example]:
        for place in self.places:
            for number, row in enumerate(_rows(place), 1):
                found = self._example(place, number, row)
                if found is None:
                    self.left_out += 1
                    continue
                yield found
                if self.copies and found.gold is not None:
                    html = aged(row["html"].encode("latin-1"), found.name).decode("latin-1")
                    again = self._example(place, number, {**row, "html": html})
                    if again is not None:
                        yield replace(again, site=found.site, copy=True)

    def data_hash(self) -> str:
        """A fingerprint of all pages read so far."""
        digest: str = self._hash.hexdigest()
        return digest

    def _example(self, place: Path, number: int, row: Any) -> Example | None:
        try:
            html = row["html"].encode("latin-1")  # one character a byte
            text, url = row.get("text"), row.get("url")
            required, forbidden = row.get("with") or (), row.get("without") or ()
        except (KeyError, AttributeError, ValueError) as problem:
            raise InputError(f"{place}, line {number}: no labelled page ({problem})") from None
        page = parse(html)
        raw = read(page) if len(page) else None
        if raw is None or not len(raw) or (text is None and not required):
            return None
        stated = json.dumps([row.get("id"), text, list(required), list(forbidden)]).encode()
        self._hash.update(hashlib.sha256(html).digest() + hashlib.sha256(stated).digest())
        shared = context(raw)
        corpus = row.get("dataset") or place.name.split(".")[0]
        texts = block_texts(page, raw.blocks)
        said = [words(each) for each in texts]
        gold = None if text is None else words(text)
        name = f"{corpus}/{row.get('id', number)}"
        return Example(
            name=name,
            corpus=corpus,
            kind=row.get("page_type") or "",
            site=site_of(url or stated_url(page) or name),
            gold=gold,
            shared=shared,
            features=np.ascontiguousarray(base_table(shared).T),
            said=said,
            size=np.array([len(each) for each in said], dtype=np.float64),
            target=snippet_labels(texts, required, forbidden) if gold is None else label(said, gold),
            snippets=(tuple(map(in_a_line, required)), tuple(map(in_a_line, forbidden))),
        )


def fold_of(site: str, folds: int) -> int:
    """The fold of a site: the same in every corpus and every run."""
    return int(hashlib.md5(site.encode(), usedforsecurity=False).hexdigest(), 16) % folds


def site_of(url: str) -> str:
    """The registered name in an address, by a rule of thumb; the whole text where it is none."""
    parts = (urlsplit(url).hostname or "").lower().split(".")
    if len(parts) < 2:
        return url
    keep = 3 if len(parts) > 2 and len(parts[-1]) == 2 and parts[-2] in _SHARED_NAMES else 2
    return ".".join(parts[-keep:])


def stated_url(page: Page) -> str | None:
    """The address that a page gives as its own."""
    rows: NDArray[np.intp] = np.flatnonzero(np.isin(page.tag, [TAG_IDS[name] for name in ("link", "meta", "base")]))
    for row in rows.tolist():
        given = page.attributes(row)
        own = given.get("rel") == "canonical" or given.get("property") == "og:url" or page.tag[row] == TAG_IDS["base"]
        address = given.get("href") or given.get("content") or ""
        if own and address.startswith("http"):
            return address
    return None


def _rows(place: Path) -> Iterator[Any]:
    opener: Any = _OPENERS.get(place.suffix, open)
    try:
        with opener(place, "rt", encoding="utf-8") as lines:
            for number, line in enumerate(lines, 1):
                try:
                    yield json.loads(line)
                except ValueError as problem:
                    raise InputError(f"{place}, line {number}: no labelled page ({problem})") from None
    except (OSError, EOFError, lzma.LZMAError, UnicodeDecodeError) as problem:
        raise InputError(f"cannot read {place}: {problem}") from None
