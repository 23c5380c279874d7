"""Labelled pages: from `*.jsonl` corpora (also `.xz`, `.gz`), or from folders with a gold text beside each page."""

from __future__ import annotations

import gzip
import hashlib
import json
import lzma
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any
from urllib.parse import urlsplit

from duramen.errors import InputError

PAGE_SUFFIXES = (".html", ".htm", ".xhtml")
GOLD_SUFFIX = ".txt"
_OPENERS = {".xz": lzma.open, ".gz": gzip.open}
# CleanEval's gold files begin with the page's address and mark paragraphs, headings and list items.
_CLEANEVAL_URL = re.compile(r"\AURL:.*\n")
_CLEANEVAL_MARK = re.compile(r"^[ \t]*<[phl]>[ \t]?", re.MULTILINE | re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class LabelledPage:
    """A page with the text that a person takes for its content."""

    name: str
    html: bytes
    gold: str
    source: str = ""  # the site, or the folder it lies in
    kind: str = ""  # article, forum …; empty where nobody said


@dataclass(slots=True)
class Reader:
    """Reads labelled pages one by one and counts what it leaves out."""

    places: Sequence[Path]
    kinds: frozenset[str] = frozenset()  # only pages of these kinds, and those of no stated kind; empty: all
    left_out: Counter[str] = field(default_factory=Counter)  # why → how many
    _hash: Any = field(default_factory=hashlib.sha256)

    def __iter__(self) -> Iterator[LabelledPage]:
        for place in self.places:
            for page in _folder(place) if place.is_dir() else _corpus(place):
                if self.kinds and page.kind and page.kind not in self.kinds:
                    self.left_out["of another kind"] += 1
                elif not page.gold.strip():
                    self.left_out["without a gold text"] += 1
                else:
                    for part in (page.name.encode(), page.html, page.gold.encode("utf-8", "replace")):
                        self._hash.update(hashlib.sha256(part).digest())
                    yield page

    def data_hash(self) -> str:
        """A fingerprint of all pages read so far."""
        digest: str = self._hash.hexdigest()
        return digest


def clean_gold(text: str) -> str:
    """A gold text without CleanEval's first line and marks."""
    return _CLEANEVAL_MARK.sub("", _CLEANEVAL_URL.sub("", text))


def read_gold(folder: Path) -> dict[str, str]:
    """The gold texts of a folder, by the name of their page."""
    found = {_name(path, folder): _gold(path) for path in sorted(folder.rglob(f"*{GOLD_SUFFIX}"))}
    if not found:
        raise InputError(f"{folder} holds no gold text (*{GOLD_SUFFIX})")
    return found


def _folder(folder: Path) -> Iterator[LabelledPage]:
    pages = [path for path in sorted(folder.rglob("*")) if path.suffix.lower() in PAGE_SUFFIXES and path.is_file()]
    if not pages:
        raise InputError(f"{folder} holds no page (*.html)")
    for path in pages:
        gold = path.with_suffix(GOLD_SUFFIX)
        source = path.parent.name if path.parent != folder else ""
        yield LabelledPage(_name(path, folder), path.read_bytes(), _gold(gold) if gold.is_file() else "", source)


def _name(path: Path, folder: Path) -> str:
    return path.relative_to(folder).with_suffix("").as_posix()


def _gold(path: Path) -> str:
    return clean_gold(path.read_bytes().decode("utf-8-sig", "replace"))


def _corpus(path: Path) -> Iterator[LabelledPage]:
    with _open(path) as lines:
        for number, line in enumerate(_lines(path, lines), 1):
            try:
                row = json.loads(line)
                url = row.get("url") or ""
                yield LabelledPage(
                    name=f"{row.get('dataset') or path.name.split('.')[0]}/{row.get('id', number)}",
                    html=row["html"].encode("latin-1"),  # one character a byte
                    gold=clean_gold(row.get("text") or ""),
                    source=urlsplit(url).hostname or "",
                    kind=row.get("page_type") or "",
                )
            except (ValueError, KeyError, AttributeError, TypeError) as problem:
                raise InputError(f"{path}, line {number}: no labelled page ({problem})") from None


def _open(path: Path) -> IO[str]:
    try:
        opener: Any = _OPENERS.get(path.suffix, open)
        stream: IO[str] = opener(path, "rt", encoding="utf-8")
    except OSError as problem:
        raise InputError(f"cannot read {path}: {problem.strerror or problem}") from None
    return stream


def _lines(path: Path, lines: Iterable[str]) -> Iterator[str]:
    try:
        yield from lines
    except (OSError, EOFError, lzma.LZMAError, UnicodeDecodeError) as problem:
        raise InputError(f"cannot read {path}: {problem}") from None
