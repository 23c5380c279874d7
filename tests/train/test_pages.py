from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from duramen.errors import InputError
from duramen.train.pages import LabelledPage, Reader, clean_gold, read_gold
from tests.train.made import made_page, write_corpus, write_folder


def test_folder_of_pairs(tmp_path: Path) -> None:
    write_folder(tmp_path, 3)
    (tmp_path / "alone.html").write_text("<p>no gold beside it")
    (tmp_path / "notes.md").write_text("not a page")
    reader = Reader([tmp_path])
    pages = list(reader)
    assert [page.name for page in pages] == ["site0/en0", "site1/en1", "site2/de2"]
    assert [page.source for page in pages] == ["site0", "site1", "site2"]
    assert pages[0].html == made_page(0).html
    assert pages[0].gold == made_page(0).gold
    assert dict(reader.left_out) == {"without a gold text": 1}


@pytest.mark.parametrize("suffix", [".jsonl.xz", ".jsonl.gz", ".jsonl"])
def test_corpus(tmp_path: Path, suffix: str) -> None:
    latin = LabelledPage("x", "<p>caf\xe9".encode("latin-1"), "café", kind="forum")
    path = tmp_path / "made.jsonl.xz"
    write_corpus(path, [made_page(1), latin, LabelledPage("y", b"<p>", " ")])
    if suffix != ".jsonl.xz":
        import lzma

        data, path = lzma.decompress(path.read_bytes()), path.with_name(f"made{suffix}")
        path.write_bytes(gzip.compress(data) if suffix.endswith("gz") else data)
    reader = Reader([path])
    pages = list(reader)
    assert [page.name for page in pages] == ["made/en1", "made/x"]
    assert pages[0].source == "site1.example"
    assert pages[1].html == latin.html  # bytes, whatever their encoding
    assert pages[1].kind == "forum"
    assert dict(reader.left_out) == {"without a gold text": 1}


def test_only_some_kinds(tmp_path: Path) -> None:
    path = tmp_path / "made.jsonl.xz"
    kinds = ("article", "forum", "")
    write_corpus(path, [LabelledPage(kind or "?", b"<p>x", "x", kind=kind) for kind in kinds])
    reader = Reader([path], frozenset({"article"}))
    assert [page.name for page in reader] == ["made/article", "made/?"]  # nobody said what the last one is
    assert dict(reader.left_out) == {"of another kind": 1}


def test_fingerprint_follows_the_data(tmp_path: Path) -> None:
    def digest(*pages: LabelledPage) -> str:
        path = tmp_path / "made.jsonl.xz"
        write_corpus(path, list(pages))
        reader = Reader([path])
        assert len(list(reader)) == len(pages)
        return reader.data_hash()

    one = digest(made_page(1), made_page(2))
    assert one == digest(made_page(1), made_page(2))
    assert one != digest(made_page(1), made_page(3))
    assert one != digest(made_page(1))


def test_gold_of_cleaneval() -> None:
    assert clean_gold("URL: http://x.example/\n\n<h>Title\n <p>Text <b>\n<l>Item") == "\nTitle\nText <b>\nItem"
    assert clean_gold("The URL: here") == "The URL: here"


def test_second_labels(tmp_path: Path) -> None:
    write_folder(tmp_path, 2)
    assert list(read_gold(tmp_path)) == ["site0/en0", "site1/en1"]


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("missing.jsonl", None, "cannot read .*missing.jsonl: No such file"),
        ("bad.jsonl", b"{not json", "bad.jsonl, line 1: no labelled page"),
        ("bare.jsonl", b'{"id": 1}\n', "bare.jsonl, line 1: no labelled page .*html"),
        ("list.jsonl", b"[]\n", "line 1: no labelled page"),
        ("cut.jsonl.xz", b"\xfd7zXZ\x00broken", "cannot read .*cut.jsonl.xz"),
        ("cut.jsonl.gz", b"not gzip at all", "cannot read .*cut.jsonl.gz"),
        ("wide.jsonl", b'{"html": "caf\\u0107"}', "line 1: no labelled page"),
    ],
)
def test_unusable_files(tmp_path: Path, name: str, content: bytes | None, message: str) -> None:
    if content is not None:
        (tmp_path / name).write_bytes(content)
    with pytest.raises(InputError, match=message):
        list(Reader([tmp_path / name]))


def test_empty_folders(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="holds no page"):
        list(Reader([tmp_path]))
    with pytest.raises(InputError, match="holds no gold text"):
        read_gold(tmp_path)
