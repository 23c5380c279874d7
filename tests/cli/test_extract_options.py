"""`duramen extract` with comments and invisible text."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.run import duramen

PAGE = (
    "<html><head><title>Storm</title><meta property=og:type content=article></head><body><article><h1>Storm</h1>"
    + "<p>The storm reached the coast at noon, and the harbour was closed.</p>" * 6
    + "<p style='font-size:0'>Nobody sees this line.</p></article>"
    "<div id=comments><h3>1 comment</h3><ol><li class=comment><p>What a storm.</p></li></ol></div></body></html>"
)


@pytest.fixture
def page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "storm.html").write_text(PAGE, encoding="utf-8")
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize(
    ("switches", "comment", "line"),
    [
        ((), True, True),
        (("--no-comments",), False, True),
        (("--comments", "--hidden", "drop"), True, False),
        (("--hidden", "FLAG"), True, True),
    ],
)
def test_switches(page: None, switches: tuple[str, ...], comment: bool, line: bool) -> None:
    done = duramen("extract", "storm.html", "-a", "everything", *switches)
    assert done.code == 0
    assert ("What a storm." in done.out) is comment
    assert ("Nobody sees this line." in done.out) is line


def test_json_has_them(page: None) -> None:
    done = duramen("extract", "storm.html", "-a", "everything", "--hidden", "flag", "-f", "json")
    record = json.loads(done.out)
    assert record["comments"] == [{"text": "What a storm.", "author": None, "date": None}]
    assert record["hidden_text"] == ["Nobody sees this line."]
    assert record["flags"] == ["hidden_text"]
    assert sum(record["page_types"].values()) == pytest.approx(1, abs=0.01)
    assert record["page_type"] in record["page_types"]


def test_another_way_is_refused(page: None) -> None:
    done = duramen("extract", "storm.html", "--hidden", "burn")
    assert done.code == 2
    assert "--hidden" in done.err
