"""Results on disk: whole lines or none, whole files or none."""

from __future__ import annotations

import json
import os
import stat
from pathlib import Path
from typing import Any

import pytest

from duramen.crawl.config import Config
from duramen.crawl.frontier import Frontier, Todo
from duramen.crawl.gallery import write_gallery
from duramen.crawl.lists import Listed
from duramen.crawl.store import RESULTS, Store
from duramen.crawl.summary import Summary
from duramen.crawl.writer import Writer
from duramen.errors import InputError


def record(url: str, **values: Any) -> dict[str, Any]:
    return {
        "url": url,
        "final_url": url,
        "time": "2024-05-06T07:08:09+00:00",
        "type": "news",
        "depth": 0,
        "status": "ok",
        "reason": None,
        "detail": None,
        "encoding": "gb18030",
        "language": "zh",
        "title": "题目",
        "text": "题目\n　　一段。",
        "flags": [],
        "replaced": 0,
        "file": "news/example.org/a.txt",
        "frameset": False,
        "links": [],
        **values,
    }


@pytest.mark.parametrize("torn", [b"", b"{", b'{"url": "http://exa', b"x" * 200_000])
def test_a_torn_line_is_cut_off_and_nothing_else(tmp_path: Path, torn: bytes) -> None:
    store = Store(tmp_path)
    store.finish([record("http://example.org/1"), record("http://example.org/2")])
    store.close()
    whole = (tmp_path / RESULTS).read_bytes()
    (tmp_path / RESULTS).write_bytes(whole + torn)
    again = Store(tmp_path)
    assert (tmp_path / RESULTS).read_bytes() == whole
    again.finish([record("http://example.org/3")])
    assert [each["url"][-1] for each in again.records()] == ["1", "2", "3"]
    again.close()


def test_files_are_whole_and_readable_and_leftovers_go(tmp_path: Path) -> None:
    store = Store(tmp_path)
    one = record("http://example.org/1", file=store.place("http://example.org/a/b?c=中", "news"))
    store.put(one, b"old")
    store.put(one, b"new")
    path = tmp_path / one["file"]
    assert path.read_bytes() == b"new"
    assert path.parent == tmp_path / "news" / "example.org"
    assert stat.S_IMODE(path.stat().st_mode) == 0o644
    (path.parent / ".x.duramen-part").write_bytes(b"half")
    store.close()
    Store(tmp_path).close()
    assert [each.name for each in path.parent.iterdir()] == [path.name]


def test_a_folder_belongs_to_one_crawl(tmp_path: Path) -> None:
    first = Store(tmp_path)
    with pytest.raises(InputError, match="in use by another crawl"):
        Store(tmp_path)
    first.close()
    Store(tmp_path).close()


class FullDisk(Store):
    """A store whose disk takes one line at a time, and none of /no."""

    def finish(self, records: Any) -> None:
        if len(records) > 1 or records[0]["url"].endswith("/no"):
            raise OSError(28, "No space left on device")
        super().finish(records)


def test_what_the_disk_does_not_take_is_told_and_the_rest_is_kept(tmp_path: Path) -> None:
    store = FullDisk(tmp_path)
    told: list[str] = []
    writer = Writer(store, lambda each, problem: told.append(f"{each['url']}: {problem}"))
    done = [writer.write(record(f"http://example.org/{name}"), None) for name in ("a", "no", "b")]
    writer.close()
    assert [each.result() for each in done] == [True, False, True]
    assert told == ["http://example.org/no: [Errno 28] No space left on device"]
    assert [each["url"][-1] for each in store.records()] == ["a", "b"]
    store.close()


def test_the_queue_is_found_again(tmp_path: Path) -> None:
    store = Store(tmp_path)
    links = [{"url": f"http://example.org/{name}", "text": "", "kind": "link"} for name in ("b", "c", "d")]
    links[1]["dropped"] = "excluded"
    store.finish([record("http://example.org/a", links=links), record("http://example.org/d")])
    listed = [Listed("http://example.org/a"), Listed("http://example.org/x", "blog")]
    frontier = Frontier(Config(follow_links=True), store, listed)
    assert list(frontier.pending()) == [
        Todo("http://example.org/x", 0, "blog", listed=True),
        Todo("http://example.org/b", 1),
    ]
    assert frontier.finished == 2
    assert not frontier.claim("http://example.org/b")
    assert frontier.claim("http://example.org/new")
    store.close()


def test_gallery_escapes_and_pages(tmp_path: Path) -> None:
    store = Store(tmp_path)
    evil = "<script>alert(1)</script>"
    records = [record(f"http://example.org/{at}", title=f"{at}{evil}", text=f"{evil}\n　　一段。") for at in range(45)]
    records.append(
        record("http://forum.example/x", type="forum", status="failed", reason="timeout", text="", file=None)
    )
    records.append(record("http://[bad", final_url=None, status="failed", reason="bad_url", detail=evil))
    store.finish(records)
    store.close()
    first = write_gallery(tmp_path)
    write_gallery(tmp_path)  # over the old one
    index = first.read_text(encoding="utf-8")
    assert "47 pages of 3 sites" in index
    assert 'href="news/example.org.html"' in index
    assert 'href="forum/forum.example.html"' in index
    pages = {path.name: path.read_text(encoding="utf-8") for path in first.parent.rglob("*.html")}
    assert len(pages) == 5
    assert 'href="example.org-2.html"' in pages["example.org.html"]
    assert "failed – timeout" in pages["forum.example.html"]
    assert all("<script" not in text for text in pages.values())
    assert [path.name for path in tmp_path.iterdir() if path.name.startswith(".gallery")] == []
    assert os.access(first, os.R_OK)


def test_summary_counts_by_cause() -> None:
    summary = Summary(seconds=2.0)
    for status, reason in [
        ("ok", None),
        ("empty", "no_text"),
        ("failed", "dns"),
        ("failed", "dns"),
        ("duplicate", "x"),
    ]:
        summary.note(record("http://example.org/", status=status, reason=reason, replaced=2, flags=["low"]))
    assert json.loads(json.dumps(summary.to_dict()))["failed"] == {"dns": 2}
    assert (summary.pages, summary.replaced, summary.failures, summary.pages_per_second) == (5, 10, 2, 2.5)
    assert list(summary.lines())[1] == "1 with content, 1 without (no_text 1), 2 failed (dns 2)"
