"""`duramen explain`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.run import duramen


def test_table_by_default(pages: Path) -> None:
    done = duramen("explain", "page.html")
    assert (done.code, done.err) == (0, "")
    assert "kept" in done.out
    assert not done.out.lstrip().startswith(("{", "<"))


def test_stdin(pages: Path) -> None:
    assert "kept" in duramen("explain", stdin=(pages / "page.html").read_bytes()).out


def test_json(pages: Path) -> None:
    done = duramen("explain", "page.html", "-a", "coreex", "-O", "threshold=0.8", "--format", "json")
    record = json.loads(done.out)
    assert record["algorithm"] == "coreex"
    assert record["settings"]["threshold"] == 0.8
    assert record["verdicts"]["kept"] > 0


@pytest.mark.parametrize(("name", "start"), [("out.html", "<!doctype html"), ("out.json", "{"), ("out.txt", "")])
def test_format_by_the_suffix_of_the_output(pages: Path, name: str, start: str) -> None:
    done = duramen("explain", "page.html", "-o", name)
    assert (done.code, done.out) == (0, "")
    written = (pages / name).read_text(encoding="utf-8")
    assert written.lower().startswith(start)
    assert len(written) > 100


def test_page_without_content_is_explained(pages: Path) -> None:
    done = duramen("explain", "empty.html")
    assert (done.code, done.err) == (0, "")
    assert done.out.strip()


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (["missing.html"], 1, "cannot read missing.html"),
        (["page.html", "-a", "nothing"], 2, "unknown algorithm 'nothing'"),
        (["page.html", "-o", "page.html"], 2, "is the page itself"),
        (["bare"], 1, "no pages in bare"),
    ],
)
def test_error_in_one_line(pages: Path, arguments: list[str], code: int, said: str) -> None:
    done = duramen("explain", *arguments)
    assert (done.code, done.out) == (code, "")
    assert said in done.err
    assert done.err.count("\n") == 1
