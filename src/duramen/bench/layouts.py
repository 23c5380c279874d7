"""The folder layouts of the well-known benchmarks, each a function that yields its pages, none for another layout."""

from __future__ import annotations

import gzip
import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any
from urllib.parse import urlsplit

import numpy as np

from duramen.bench.gold import Damaged, GoldPage
from duramen.decode import decode
from duramen.extract import parse
from duramen.measure import nearest, seen_text
from duramen.page import Page, Selection
from duramen.render import to_text
from duramen.train.pages import clean_gold

Read = Iterable[GoldPage | Damaged]

PAGES = (".html", ".htm", ".xhtml", ".html.gz", ".htm.gz")
GOLDS = ("-cleaned.txt", ".html.corrected.txt", ".htm.corrected.txt", ".corrected.txt", ".html.txt", ".txt")
PAGE_FOLDERS = ("original", "input", "html", "finalrun-input", "pages", "raw")
GOLD_FOLDERS = ("gold", "cleaned", "goldstandard", "corrected", "gold-standard")
L3S_LABELS: Mapping[str, str] = MappingProxyType(
    {
        "x-nc-sel1": "headline",
        "x-nc-sel2": "fulltext",
        "x-nc-sel3": "supplemental",
        "x-nc-sel4": "related",
        "x-nc-sel5": "comments",
    }
)
L3S_CONTENT = frozenset({"headline", "fulltext", "supplemental"})
# CleanEval's pages stand inside an element that the page never had.
_WRAPPER = re.compile(rb"\A\s*<text\b[^>]*>|</text>\s*\Z", re.IGNORECASE)


def cleaneval(folder: Path) -> Read:
    """`…original/12.html` and `…cleaned/12-cleaned.txt` (or `gold/12.txt`), with CleanEval's marks."""
    if (pair := _halves(folder)) is not None:
        yield from _paired(*pair, source="")


def cetd(folder: Path) -> Read:
    """A folder for each source, with `original/` and `gold/` in it, as Big5 and Chaos."""
    for source in sorted(each for each in folder.iterdir() if each.is_dir()):
        if (pair := _halves(source)) is not None:
            yield from _paired(*pair, source=source.name, prefix=f"{source.name}/")


def pairs(folder: Path) -> Read:
    """`page.html` with `page.txt` beside it, at any depth."""
    for path in sorted(folder.rglob("*")):
        if path.is_file() and path.name.lower().endswith(PAGES):
            stem = _stem(path)
            gold = next((path.parent / (stem + end) for end in GOLDS if (path.parent / (stem + end)).is_file()), None)
            source = path.parent.name if path.parent != folder else ""
            name = (path.parent / stem).relative_to(folder).as_posix()
            if gold is not None:
                yield _read(name, path, gold, source)


def l3s(folder: Path) -> Read:
    """L3S-GN1: `original/ID.html` and `annotated/ID.html`, whose spans name the kind of each text."""
    annotated, original = folder / "annotated", folder / "original"
    if not (annotated.is_dir() and original.is_dir()):
        return
    urls = _url_mapping(folder)
    for path in _page_files(original):
        name = _stem(path)
        copy = annotated / path.name
        if not copy.is_file():
            yield Damaged(0, name, f"no annotated/{path.name}")
            continue
        parts = labelled_parts(parse(_bytes(copy)), _l3s_label)
        if not parts:
            yield Damaged(0, name, "nothing is labelled")
            continue
        url = urls.get(name)
        yield GoldPage(
            id=name,
            dataset="",
            html=_bytes(path),
            text="\n".join(text for label, text in parts if label in L3S_CONTENT),
            url=url,
            kind="article",
            source=urlsplit(url or "").hostname or "",
            parts=parts,
        )


def labelled(folder: Path) -> Read:
    """MITRE-style: `raw/…` pages, and `labelled/…` copies in which `data-label` names the part (Title, Body …)."""
    raw, copies = folder / "raw", folder / "labelled"
    if not (raw.is_dir() and copies.is_dir()):
        return
    for path in sorted(each for each in raw.rglob("*") if each.name.lower().endswith(PAGES)):
        place = path.relative_to(raw)
        name, copy = place.with_name(_stem(path)).as_posix(), copies / place
        if not copy.is_file():
            yield Damaged(0, name, f"no labelled/{place.as_posix()}")
            continue
        parts = labelled_parts(parse(_bytes(copy)), _data_label)
        source = place.parts[0] if len(place.parts) > 1 else ""
        yield GoldPage(name, "", _bytes(path), "\n".join(text for _, text in parts), source=source, parts=parts)


def wcxb(folder: Path) -> Read:
    """WCXB: `html/0001.html` (or `.html.gz`) and `ground-truth/0001.json`."""
    pages, golds = folder / "html", folder / "ground-truth"
    if not (pages.is_dir() and golds.is_dir()):
        return
    for path in _page_files(pages):
        name = _stem(path)
        try:
            row = json.loads((golds / f"{name}.json").read_text("utf-8"))
            truth = row.get("ground_truth", row)
            page = GoldPage(
                id=name,
                dataset="",
                html=_bytes(path),
                text=str(truth["main_content"]),
                url=row.get("url"),
                kind=_kind(row),
                source=urlsplit(row.get("url") or "").hostname or "",
                required=tuple(truth.get("with") or ()),
                forbidden=tuple(truth.get("without") or ()),
                title=truth.get("title"),
            )
        except (OSError, ValueError, KeyError, TypeError, AttributeError) as problem:
            yield Damaged(0, name, f"{type(problem).__name__}: {problem}"[:200])
        else:
            yield page


def readability(folder: Path) -> Read:
    """Mozilla's Readability: a folder for each page, with `source.html`, `expected.html` and its metadata."""
    for source in sorted(folder.glob("*/source.html")):
        expected, about = source.with_name("expected.html"), source.with_name("expected-metadata.json")
        name = source.parent.name
        if not expected.is_file():
            yield Damaged(0, name, "no expected.html")
            continue
        title = None
        if about.is_file():
            try:
                title = json.loads(about.read_text("utf-8")).get("title")
            except (ValueError, AttributeError) as problem:
                yield Damaged(0, name, f"expected-metadata.json: {problem}")
                continue
        page = parse(expected.read_bytes())
        text = to_text(page, Selection(kept=np.ones(len(page), dtype=np.bool_)))
        yield GoldPage(name, "", source.read_bytes(), text, title=title)


def labelled_parts(page: Page, label_of: Callable[[Mapping[str, str]], str]) -> tuple[tuple[str, str], ...]:
    """The labelled texts of a page in document order, one for each run of text nodes under one labelled element."""
    labels: dict[int, str] = {}
    for row in np.flatnonzero(np.diff(page.attr_at) > 0).tolist():
        label = label_of(page.attributes(row))
        if label:
            labels[row] = label
    marked = np.zeros(len(page), dtype=np.bool_)
    marked[list(labels)] = True
    holder = nearest(page, marked)
    parts: list[tuple[str, str]] = []
    last = -1
    for row in np.flatnonzero(seen_text(page)).tolist():
        at = int(holder[row])
        if at >= 0:
            text = " ".join(page.text_of(row).split())
            if at == last:
                parts[-1] = parts[-1][0], f"{parts[-1][1]} {text}"
            else:
                parts.append((labels[at], text))
        last = at
    return tuple(parts)


def _l3s_label(attributes: Mapping[str, str]) -> str:
    names = attributes.get("class", "").split()
    return next((L3S_LABELS[name] for name in names if name in L3S_LABELS), "")


def _data_label(attributes: Mapping[str, str]) -> str:
    return attributes.get("data-label", "").strip()


def _kind(row: Mapping[str, Any]) -> str:
    kind = row.get("page_type") or (row.get("_internal") or {}).get("page_type") or ""
    return str(kind.get("primary", "") if isinstance(kind, Mapping) else kind)


def _url_mapping(folder: Path) -> dict[str, str]:
    """`<urn:uuid:ID> address` a line."""
    found: dict[str, str] = {}
    for name in ("url-mapping.txt", "urls.txt"):
        if (folder / name).is_file():
            for line in (folder / name).read_text("utf-8", "replace").splitlines():
                key, _, url = line.strip().partition(" ")
                found[key.strip("<>").removeprefix("urn:uuid:")] = url.strip() or key
    return found


def _halves(folder: Path) -> tuple[Path, Path] | None:
    """The sub-folders of pages and of gold texts, if this folder has both."""
    inside = sorted(each for each in folder.iterdir() if each.is_dir())

    def named(names: tuple[str, ...]) -> Path | None:
        ends = tuple(f"_{name}" for name in names)
        return next((each for each in inside if f"_{each.name.lower()}".endswith(ends)), None)

    pages, golds = named(PAGE_FOLDERS), named(GOLD_FOLDERS)
    return (pages, golds) if pages and golds else None


def _paired(pages: Path, golds: Path, source: str, prefix: str = "") -> Read:
    for path in _page_files(pages):
        name = _stem(path)
        gold = next((golds / (name + end) for end in GOLDS if (golds / (name + end)).is_file()), None)
        if gold is None:
            yield Damaged(0, prefix + name, f"no gold text for {path.name}")
        else:
            yield _read(prefix + name, path, gold, source)


def _read(name: str, path: Path, gold: Path, source: str) -> GoldPage:
    text = clean_gold(decode(gold.read_bytes()).utf8.decode("utf-8", "replace"))
    return GoldPage(name, "", _WRAPPER.sub(b"", _bytes(path)), text, source=source)


def _page_files(folder: Path) -> Iterator[Path]:
    found = [path for path in folder.iterdir() if path.is_file() and path.name.lower().endswith(PAGES)]
    yield from sorted(found, key=lambda path: (len(_stem(path)), path.name))  # 2.html before 10.html


def _stem(path: Path) -> str:
    return re.sub(r"\.x?html?(\.gz)?$", "", path.name, flags=re.IGNORECASE)


def _bytes(path: Path) -> bytes:
    body = path.read_bytes()
    return gzip.decompress(body) if path.suffix.lower() == ".gz" else body
