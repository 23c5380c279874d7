"""Labelled pages of every layout, made up here."""

from __future__ import annotations

import gzip
import json
import lzma
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from duramen.bench.datasets import checksum, find, load
from duramen.errors import InputError, OptionError

PAGE = "<html><body><p>Grey foxes climb trees.</p></body></html>"


def put(path: Path, content: str | bytes = PAGE) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


def row(number: int, **more: Any) -> dict[str, Any]:
    return {"id": f"p{number}", "html": PAGE, "text": f"gold {number}", "url": f"http://s{number % 3}.org/x"} | more


def corpus(path: Path, *rows: Any) -> Path:
    lines = [each if isinstance(each, str) else json.dumps(each) for each in rows]
    body = ("\n".join(lines) + "\n").encode()
    packers: dict[str, Callable[[bytes], bytes]] = {".xz": lzma.compress, ".gz": gzip.compress}
    packed = packers.get(path.suffix, bytes)(body)
    return put(path, packed)


@pytest.mark.parametrize("suffix", [".jsonl", ".jsonl.xz", ".jsonl.gz"])
def test_json_lines(tmp_path: Path, suffix: str) -> None:
    put(tmp_path / "README.md", "Made up.")
    path = corpus(tmp_path / f"small{suffix}", row(1, page_type="forum", **{"with": ["a"], "without": ["b"]}), row(2))
    found = load(path)
    assert (found.name, found.readme, found.rows, found.layout) == ("small", "Made up.", 2, "jsonl")
    first = found.pages[0]
    assert (first.id, first.dataset, first.text, first.source) == ("p1", "small", "gold 1", "s1.org")
    assert (first.kind, first.required, first.forbidden) == ("forum", ("a",), ("b",))
    assert found.sha256 == checksum(path)


def test_html_is_the_raw_bytes(tmp_path: Path) -> None:
    raw = "<p>新闻</p>".encode("gb18030")
    path = corpus(tmp_path / "a.jsonl", row(1, html=raw.decode("latin-1")))
    assert load(path).pages[0].html == raw


def test_damaged_rows_are_reported_by_number_and_skipped(tmp_path: Path) -> None:
    bad = [
        "{no json",
        json.dumps({"id": "x"}),
        json.dumps(row(9, text=None)),
        json.dumps([1]),
        json.dumps(row(9, html="新")),
    ]
    found = load(corpus(tmp_path / "a.jsonl", row(1), *bad, row(2)))
    assert [page.id for page in found.pages] == ["p1", "p2"]
    assert [each.number for each in found.damaged] == [2, 3, 4, 5, 6]
    assert "neither a gold text nor snippets" in found.damaged[2].why


def test_a_cut_off_file_says_so(tmp_path: Path) -> None:
    path = corpus(tmp_path / "a.jsonl.xz", *(row(n) for n in range(50)))
    path.write_bytes(path.read_bytes()[:-40])
    with pytest.raises(InputError, match=r"cannot read .*a\.jsonl\.xz"):
        load(path)


def test_a_smaller_sample_is_part_of_a_larger_one(tmp_path: Path) -> None:
    path = corpus(tmp_path / "a.jsonl", *(row(n) for n in range(30)))
    small, large, other = (
        {page.id for page in load(path, sample=size, seed=seed).pages} for size, seed in ((5, 3), (12, 3), (5, 4))
    )
    assert (len(small), len(large)) == (5, 12)
    assert small < large
    assert small != other
    assert len(load(path, sample=99).pages) == 30


def test_a_folder_of_corpora_and_single_ones(tmp_path: Path) -> None:
    corpus(tmp_path / "all" / "b.jsonl.xz", row(1))
    corpus(tmp_path / "all" / "a.jsonl", row(1))
    put(tmp_path / "site" / "x.html")
    assert list(find([tmp_path / "all", tmp_path / "site"])) == ["a", "b", "site"]
    with pytest.raises(InputError, match="no data set"):
        find([tmp_path / "nowhere"])


# ---- folders


def cleaneval(root: Path) -> None:
    put(root / "en_original" / "2.html", f'<text id="2" title="x" encoding="utf-8">{PAGE}</text>')
    put(root / "en_original" / "10.html")
    put(root / "en_original" / "11.html")
    put(root / "en_cleaned" / "2-cleaned.txt", "URL: http://a.org\n<h>Foxes\n<p>Grey foxes climb trees.\n<l>one")
    put(root / "en_cleaned" / "10-cleaned.txt", "ten")


def cetd(root: Path) -> None:
    put(root / "BBC" / "original" / "1.htm")
    put(root / "BBC" / "gold" / "1.txt", "one")
    put(root / "Chaos" / "original" / "a.html")
    put(root / "Chaos" / "gold" / "a.html.corrected.txt", "two")


def l3s(root: Path) -> None:
    put(root / "original" / "u1.html", "<h1>Foxes climb</h1><p>Grey foxes <b>do</b>.</p><p>More news</p>")
    put(
        root / "annotated" / "u1.html",
        '<h1><span class="x-nc-sel1">Foxes climb</span></h1><p><span class="x-nc-sel2">Grey foxes <b>do</b>.</span></p>'
        '<p><span class="x-nc-sel4">More news</span></p><p>menu</p>',
    )
    put(root / "original" / "u2.html")
    put(root / "url-mapping.txt", "<urn:uuid:u1> http://news.org/fox\n")


def labelled(root: Path) -> None:
    put(root / "raw" / "guardian" / "1.html", "<h1>Foxes climb</h1><p>Grey foxes do.</p><p>Menu</p>")
    put(
        root / "labelled" / "guardian" / "1.html",
        "<h1 data-label=Title>Foxes climb</h1><p data-label=Body>Grey foxes do.</p><p>Menu</p>",
    )


def wcxb(root: Path) -> None:
    truth = {"main_content": "Foxes.", "with": ["Fox"], "without": ["Menu"], "title": "T"}
    put(root / "html" / "0001.html.gz", gzip.compress(PAGE.encode()))
    put(
        root / "ground-truth" / "0001.json",
        json.dumps({"url": "http://a.org/1", "page_type": "forum", "ground_truth": truth}),
    )
    put(root / "html" / "0002.html")


def readability(root: Path) -> None:
    put(root / "fox" / "source.html")
    put(root / "fox" / "expected.html", "<div><h2>Foxes</h2><p>Grey foxes climb trees.</p></div>")
    put(root / "fox" / "expected-metadata.json", '{"title": "Foxes"}')
    put(root / "owl" / "source.html")


def pairs(root: Path) -> None:
    put(root / "a.html")
    put(root / "a.txt", "gold a")
    put(root / "deep" / "b.htm")
    put(root / "deep" / "b.txt", "gold b")
    put(root / "unlabelled.html")


Maker = Callable[[Path], None]
MAKERS: dict[str, Maker] = {
    "cleaneval": cleaneval,
    "cetd": cetd,
    "l3s-gn1": l3s,
    "labelled": labelled,
    "wcxb": wcxb,
    "readability": readability,
    "pairs": pairs,
}


@pytest.mark.parametrize("layout", MAKERS)
@pytest.mark.parametrize("named", [False, True])
def test_layouts_are_recognised_or_named(tmp_path: Path, layout: str, named: bool) -> None:
    MAKERS[layout](tmp_path)
    found = load(tmp_path, layout=layout if named else None)
    assert found.layout == layout
    assert found.pages
    assert all(page.dataset == tmp_path.name and page.html for page in found.pages)


def test_cleaneval_marks_and_wrapper_are_stripped(tmp_path: Path) -> None:
    cleaneval(tmp_path)
    found = load(tmp_path)
    assert [page.id for page in found.pages] == ["2", "10"]
    assert (found.pages[0].text or "").split("\n") == ["Foxes", "Grey foxes climb trees.", "one"]
    assert found.pages[0].html == PAGE.encode()
    assert [(each.number, each.id) for each in found.damaged] == [(3, "11")]


def test_cetd_names_the_source(tmp_path: Path) -> None:
    cetd(tmp_path)
    assert [(page.id, page.source, page.text) for page in load(tmp_path).pages] == [
        ("BBC/1", "BBC", "one"),
        ("Chaos/a", "Chaos", "two"),
    ]


def test_l3s_parts(tmp_path: Path) -> None:
    l3s(tmp_path)
    found = load(tmp_path)
    page = found.pages[0]
    assert page.parts == (("headline", "Foxes climb"), ("fulltext", "Grey foxes do ."), ("related", "More news"))
    assert page.text == "Foxes climb\nGrey foxes do ."
    assert (page.url, page.source) == ("http://news.org/fox", "news.org")
    assert found.damaged[0].id == "u2"


def test_labelled_copies(tmp_path: Path) -> None:
    labelled(tmp_path)
    page = load(tmp_path).pages[0]
    assert page.parts == (("Title", "Foxes climb"), ("Body", "Grey foxes do."))
    assert (page.id, page.source) == ("guardian/1", "guardian")


def test_wcxb_truth(tmp_path: Path) -> None:
    wcxb(tmp_path)
    found = load(tmp_path)
    page = found.pages[0]
    assert (page.text, page.kind, page.required, page.title) == ("Foxes.", "forum", ("Fox",), "T")
    assert page.html == PAGE.encode()
    assert (found.damaged[0].number, found.damaged[0].id) == (2, "0002")


def test_readability_gold_is_the_text_of_the_expected_page(tmp_path: Path) -> None:
    readability(tmp_path)
    page = load(tmp_path).pages[0]
    assert (page.text or "").split() == "Foxes Grey foxes climb trees.".split()
    assert page.title == "Foxes"


def test_a_folder_without_labels_is_refused(tmp_path: Path) -> None:
    put(tmp_path / "a.html")
    with pytest.raises(InputError, match="no labelled pages"):
        load(tmp_path)
    with pytest.raises(OptionError, match="unknown layout"):
        load(tmp_path, layout="nonsense")


def test_the_checksum_of_a_folder_sees_names_and_contents(tmp_path: Path) -> None:
    pairs(tmp_path)
    before = checksum(tmp_path)
    assert checksum(tmp_path) == before
    put(tmp_path / "a.txt", "other gold")
    assert checksum(tmp_path) != before
