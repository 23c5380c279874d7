"""The results as pages to look through, by type, then by site. Plain HTML, nothing that runs."""

from __future__ import annotations

import json
import shutil
import tempfile
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from html import escape
from importlib.resources import files
from pathlib import Path
from typing import Any
from urllib.parse import quote

from duramen.crawl.store import RESULTS, Record
from duramen.crawl.urls import host_of, site_folder

GALLERY = "gallery"
PAGE_RESULTS = 40  # results on one page of a site
_TITLES = {"news": "News", "blog": "Blogs", "forum": "Forums"}
_EXCERPT_CHARS = 160


@dataclass(frozen=True, slots=True)
class _Entry:
    """Where in the results file a page's line is: the gallery of a large crawl does not hold all texts at once."""

    at: int
    status: str


def write_gallery(folder: Path) -> Path:
    """Write the gallery of the results in a folder; its first page."""
    sites: dict[str, dict[str, list[_Entry]]] = defaultdict(lambda: defaultdict(list))
    names: dict[str, str] = {}
    made = Path(tempfile.mkdtemp(prefix=f".{GALLERY}-", dir=folder))
    try:
        with (folder / RESULTS).open("rb") as lines:
            at = 0
            for line in lines:
                record = json.loads(line)
                url = record["final_url"] or record["url"]
                if record["status"] != "duplicate":
                    site = site_folder(url)
                    names[site] = host_of(url)
                    sites[record["type"]][site].append(_Entry(at, record["status"]))
                at += len(line)
            (made / "style.css").write_text(_css(), encoding="utf-8")
            _write(made / "index.html", "Results", _index(sites, names), depth=0)
            for kind, found in sites.items():
                (made / kind).mkdir()
                for site, entries in found.items():
                    for page in range(0, len(entries), PAGE_RESULTS):
                        number = page // PAGE_RESULTS + 1
                        records = [_read(lines, entry.at) for entry in entries[page : page + PAGE_RESULTS]]
                        body = _site(kind, names[site], site, records, number, -(-len(entries) // PAGE_RESULTS))
                        _write(made / kind / _name(site, number), f"{names[site]} · {_title(kind)}", body, depth=1)
        made.chmod(0o755)
        return _moved(made, folder / GALLERY) / "index.html"
    except BaseException:
        shutil.rmtree(made, ignore_errors=True)
        raise


def _moved(made: Path, place: Path) -> Path:
    """The new gallery in the place of the old one."""
    old = place.with_name(f"{made.name}-old")
    with suppress(FileNotFoundError):
        place.rename(old)
    made.rename(place)
    shutil.rmtree(old, ignore_errors=True)
    return place


def _read(lines: Any, at: int) -> Record:
    lines.seek(at)
    record: Record = json.loads(lines.readline())
    return record


def _css() -> str:
    return files("duramen.crawl").joinpath("gallery.css").read_text(encoding="utf-8")


def _title(kind: str) -> str:
    return _TITLES.get(kind, kind.capitalize())


def _name(site: str, number: int) -> str:
    return f"{site}.html" if number == 1 else f"{site}-{number}.html"


def _write(path: Path, title: str, body: Iterable[str], depth: int) -> None:
    up = "../" * depth
    page = (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        # Text of strangers: should anything ever slip through, it does not run and does not ask anyone for anything.
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'self' file:\">\n"
        f'<title>{escape(title)}</title>\n<link rel="stylesheet" href="{up}style.css">\n</head>\n<body>\n'
    )
    path.write_text(page + "\n".join(body) + "\n</body>\n</html>\n", encoding="utf-8", errors="replace")


def _index(sites: dict[str, dict[str, list[_Entry]]], names: dict[str, str]) -> Iterator[str]:
    total = sum(len(entries) for found in sites.values() for entries in found.values())
    yield f"<header><h1>Results</h1><p>{_count(total, 'page')} of {_count(len(names), 'site')}</p></header>\n<main>"
    if not total:
        yield "<p>There are no results yet.</p>"
    for kind in sorted(sites, key=lambda kind: ([*_TITLES, kind].index(kind), kind)):
        yield f"<section>\n<h2>{escape(_title(kind))}</h2>\n<ul class=sites>"
        for site, entries in sorted(sites[kind].items()):
            failed = sum(entry.status == "failed" for entry in entries)
            empty = sum(entry.status == "empty" for entry in entries)
            notes = [f"{failed} failed"] * bool(failed) + [f"{empty} empty"] * bool(empty)
            small = f" <small>{', '.join(notes)}</small>" if notes else ""
            link = f"{quote(kind)}/{quote(_name(site, 1))}"
            yield f'<li><a href="{link}">{escape(names[site])}</a> <b>{len(entries)}</b>{small}</li>'
        yield "</ul>\n</section>"
    yield "</main>"


def _site(kind: str, name: str, site: str, records: Sequence[Record], number: int, pages: int) -> Iterator[str]:
    yield f'<header><nav><a href="../index.html">Results</a> › {escape(_title(kind))}</nav>'
    yield f"<h1>{escape(name)}</h1></header>"
    yield "<main>"
    for record in records:
        yield from _result(record)
    yield "</main>"
    if pages > 1:
        links = (
            f"<b>{at}</b>" if at == number else f'<a href="{quote(_name(site, at))}">{at}</a>'
            for at in range(1, pages + 1)
        )
        yield f"<nav class=pages>{' '.join(links)}</nav>"


def _result(record: Record) -> Iterator[str]:
    title = record["title"] or record["url"]
    status = record["status"]
    facts = [record["time"].replace("T", " ").removesuffix("+00:00")]
    facts += [record["encoding"]] if record["encoding"] else []
    facts += [_count(record["replaced"], "character") + " replaced"] if record["replaced"] else []
    facts += [flag.replace("_", " ") for flag in record["flags"]]
    yield f'<article class="{escape(status)}" lang="{escape(record["language"] or "")}">'
    yield f"<h2>{escape(title)}</h2>"
    yield f"<p class=facts>{_link(record['final_url'] or record['url'])} · {escape(' · '.join(facts))}</p>"
    if status != "ok":
        why = (record["reason"] or "").replace("_", " ")
        detail = f": {record['detail']}" if record["detail"] else ""
        yield f"<p class=why>{'no content' if status == 'empty' else 'failed'} – {escape(why + detail)}</p>"
    if record["text"]:
        paragraphs = [line.strip("\u3000 ") for line in record["text"].split("\n")]
        if paragraphs and paragraphs[0] == (record["title"] or "").strip():
            paragraphs = paragraphs[1:]
        whole = " ".join(paragraphs)
        excerpt = whole if len(whole) <= _EXCERPT_CHARS else f"{whole[:_EXCERPT_CHARS]}…"
        yield f"<details>\n<summary>{escape(excerpt)}</summary>"
        yield from (f"<p>{escape(text)}</p>" if text else "<hr>" for text in paragraphs)
        if record["file"]:
            yield f'<p class=facts><a href="../../{escape(quote(record["file"]))}">{escape(record["file"])}</a></p>'
        yield "</details>"
    yield "</article>"


def _link(url: str) -> str:
    shown = escape(url if len(url) <= 100 else f"{url[:99]}…")
    if not url.startswith(("http://", "https://")):
        return shown
    return f'<a href="{escape(url)}" rel="noopener noreferrer nofollow">{shown}</a>'


def _count(number: int, noun: str) -> str:
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"
