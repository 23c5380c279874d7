"""Labelled pages of any layout: JSON lines, or folders as the well-known benchmarks come in.

Whatever cannot be read is left out and reported by its number; nothing is guessed.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import lzma
import random
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from types import MappingProxyType
from typing import Any
from urllib.parse import urlsplit

from duramen.bench import layouts
from duramen.bench.gold import Damaged, GoldPage
from duramen.errors import InputError, OptionError

_OPENERS: Mapping[str, Any] = MappingProxyType({".xz": lzma.open, ".gz": gzip.open})
JSONL = (".jsonl", ".jsonl.xz", ".jsonl.gz")

LAYOUTS: Mapping[str, Callable[[Path], Iterable[GoldPage | Damaged]]] = MappingProxyType(
    {
        "readability": layouts.readability,
        "wcxb": layouts.wcxb,
        "l3s-gn1": layouts.l3s,
        "labelled": layouts.labelled,
        "cleaneval": layouts.cleaneval,
        "cetd": layouts.cetd,
        "pairs": layouts.pairs,
    }
)
"""Folder layouts by name, in the order in which they are tried."""


@dataclass(frozen=True, slots=True)
class Dataset:
    """Labelled pages, where they come from, and what was wrong with some of them."""

    name: str
    path: Path
    pages: tuple[GoldPage, ...]
    readme: str
    sha256: str
    rows: int  # of the whole data set, before sampling
    damaged: tuple[Damaged, ...] = ()
    layout: str = "jsonl"

    def sampled(self, size: int | None, seed: int = 0) -> Dataset:
        """At most `size` pages, chosen by the seed; a smaller sample is always part of a larger one."""
        if size is None or size >= len(self.pages):
            return self
        return replace(self, pages=tuple(self.pages[at] for at in _order(len(self.pages), seed)[:size]))


def find(places: Sequence[Path]) -> dict[str, Path]:
    """The data sets at these places by name: files and folders themselves, and every corpus in a folder of such."""
    found: dict[str, Path] = {}
    for place in places:
        if not place.exists():
            raise InputError(f"there is no data set {place}")
        inside = sorted(each for each in place.iterdir() if each.name.endswith(JSONL)) if place.is_dir() else []
        for path in inside or [place]:
            found[_name(path)] = path
    return found


def load(path: Path, *, layout: str | None = None, sample: int | None = None, seed: int = 0) -> Dataset:
    """The data set of a file or folder. A folder's layout is recognised, unless `layout` names it."""
    if path.is_dir():
        return _load_folder(path, layout).sampled(sample, seed)
    if layout not in (None, "jsonl"):
        raise OptionError(f"{path} is a file: the layout {layout} is one of folders")
    return _load_lines(path, sample, seed)


def checksum(path: Path) -> str:
    """SHA-256 of a corpus file; of a folder, that of its files' names and contents."""
    digest = hashlib.sha256()
    if not path.is_dir():
        with path.open("rb") as file:
            while part := file.read(1 << 20):
                digest.update(part)
        return digest.hexdigest()
    for each in sorted(file for file in path.rglob("*") if file.is_file()):
        digest.update(each.relative_to(path).as_posix().encode() + b"\0")
        digest.update(hashlib.sha256(each.read_bytes()).digest())
    return digest.hexdigest()


def _name(path: Path) -> str:
    return path.name if path.is_dir() else path.name.partition(".jsonl")[0]


def _order(count: int, seed: int) -> list[int]:
    order = list(range(count))
    random.Random(seed).shuffle(order)
    return order


def _readme(folder: Path) -> str:
    for name in ("README.md", "README.txt", "README"):
        if (folder / name).is_file():
            return (folder / name).read_text("utf-8", "replace")
    return ""


def _load_lines(path: Path, sample: int | None, seed: int) -> Dataset:
    lines = _lines(path)
    chosen = _order(len(lines), seed)[:sample] if sample is not None else range(len(lines))
    pages: list[GoldPage] = []
    damaged: list[Damaged] = []
    for at in chosen:
        read = _page(lines[at], at + 1, _name(path))
        if isinstance(read, GoldPage):
            pages.append(read)
        else:
            damaged.append(read)
    return Dataset(
        name=_name(path),
        path=path,
        pages=tuple(pages),
        readme=_readme(path.parent),
        sha256=checksum(path),
        rows=len(lines),
        damaged=tuple(damaged),
    )


def _lines(path: Path) -> list[bytes]:
    opener = _OPENERS.get(path.suffix, open)
    lines: list[bytes] = []
    try:
        with opener(path, "rb") as file:
            lines += (line for line in file if line.strip())
    except (OSError, EOFError, lzma.LZMAError) as problem:
        raise InputError(f"cannot read {path} after line {len(lines)}: {problem}") from None
    return lines


def _page(line: bytes, number: int, dataset: str) -> GoldPage | Damaged:
    try:
        row = json.loads(line)
        url = row.get("url") or None
        title = row.get("title") or None
        page = GoldPage(
            id=str(row.get("id", number)),
            dataset=dataset,
            html=row["html"].encode("latin-1"),  # one character a byte
            text=row.get("text"),
            url=url,
            kind=row.get("page_type") or "",
            source=row.get("source") or urlsplit(url or "").hostname or "",
            required=tuple(map(str, row.get("with") or ())),
            forbidden=tuple(map(str, row.get("without") or ())),
            parts=tuple((str(label), str(text)) for label, text in row.get("parts") or ()),
            title=title,
        )
    except (ValueError, KeyError, AttributeError, TypeError) as problem:
        return Damaged(number, "", f"{type(problem).__name__}: {problem}"[:200])
    return page if page.has_gold() else Damaged(number, page.id, "neither a gold text nor snippets")


def _load_folder(path: Path, layout: str | None) -> Dataset:
    if layout is not None and layout not in LAYOUTS:
        raise OptionError(f"unknown layout {layout!r}: there are jsonl, {', '.join(LAYOUTS)}")
    for name in [layout] if layout else LAYOUTS:
        read = list(LAYOUTS[name](path))
        if read:
            break
    else:
        raise InputError(f"{path} holds no labelled pages" + (f" in the layout {layout}" if layout else " we know of"))
    pages = (replace(page, dataset=path.name) for page in read if isinstance(page, GoldPage))
    return Dataset(
        name=path.name,
        path=path,
        pages=tuple(pages),
        readme=_readme(path),
        sha256=checksum(path),
        rows=len(read),
        damaged=tuple(_numbered(read)),
        layout=name,
    )


def _numbered(read: Sequence[GoldPage | Damaged]) -> Iterator[Damaged]:
    for number, each in enumerate(read, 1):
        if isinstance(each, Damaged):
            yield replace(each, number=number)
