"""`--dedup` and `--templates`: what pages of a site have in common is marked, or taken out."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from duramen.errors import OptionError
from duramen.jobs.dedup import Dedup
from duramen.jobs.local import Job, run_job
from duramen.jobs.parts import Form
from tests.cli.run import duramen

NOTICE = "This notice stands on every page of the site, word for word, and readers have long stopped reading it."
SUBJECTS = ("harbours", "lanterns", "orchards", "railways", "glaciers", "theatres", "windmills", "archives")


def story(subject: str) -> str:
    words = [f"{subject}{at * len(subject) % 97}" for at in range(160)]  # two stories have hardly a word in common
    body = "".join(f"<p>The {subject}: {' '.join(words[at : at + 20])}, and so on.</p>" for at in range(0, 160, 20))
    return f"<title>{subject}</title><body><h1>About {subject}</h1>{body}<div><p>{NOTICE}</p></div></body>"


@pytest.fixture(autouse=True)
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    pages = [{"url": f"https://site.example/{subject}", "html": story(subject)} for subject in SUBJECTS]
    Path("site.jsonl").write_text("".join(json.dumps(page) + "\n" for page in pages), "utf-8")
    Path("twice.jsonl").write_text("".join(json.dumps(page) + "\n" for page in pages[:3] * 2), "utf-8")


def rows(path: str) -> list[dict[str, object]]:
    return [json.loads(line) for line in Path(path).read_text("utf-8").splitlines()]


@pytest.mark.parametrize("kind", ["exact", "near"])
def test_repeated_pages_are_marked(kind: str) -> None:
    done = duramen("batch", "twice.jsonl", "-o", "out.jsonl", "--workers", "1", "--dedup", kind, "-q")
    assert done.code == 0, done.err
    marks = [row["duplicate_of"] for row in rows("out.jsonl")]
    assert marks[:3] == [None, None, None]
    assert None not in marks[3:]


def test_without_the_option_nothing_is_marked() -> None:
    assert duramen("batch", "twice.jsonl", "-o", "out.jsonl", "--workers", "1", "-q").code == 0
    assert "duplicate_of" not in rows("out.jsonl")[0]


def test_duplicates_are_marked_in_one_file_only() -> None:
    with pytest.raises(OptionError, match="folder"):
        run_job(Job(("twice.jsonl",), Path("parts"), Form.LINES, dedup=Dedup()), workers=1)


def test_what_a_site_repeats_is_taken_out() -> None:
    common = ("site.jsonl", "--workers", "1", "-a", "everything", "-q")
    assert duramen("batch", *common, "-o", "with.jsonl").code == 0
    assert all(NOTICE in str(row["text"]) for row in rows("with.jsonl"))
    done = duramen("batch", *common, "-o", "without.jsonl", "--templates", "site.json")
    assert done.code == 0, done.err
    for row, subject in zip(rows("without.jsonl"), SUBJECTS):
        assert NOTICE not in str(row["text"])
        assert f"The {subject}:" in str(row["text"])
    # What was learned is in the file, and does for pages that come one at a time.
    Path("one.jsonl").write_text(Path("site.jsonl").read_text("utf-8").splitlines()[5] + "\n", "utf-8")
    again = duramen("batch", "one.jsonl", *common[1:], "-o", "one-out.jsonl", "--templates", "site.json")
    assert again.code == 0, again.err
    assert NOTICE not in str(rows("one-out.jsonl")[0]["text"])


def test_a_file_that_holds_no_templates() -> None:
    Path("site.json").write_text("{}", "utf-8")
    done = duramen("batch", "site.jsonl", "-o", "out.jsonl", "--templates", "site.json", "-q")
    assert done.code == 1
    assert "no templates" in done.err


def test_only_the_columns_that_are_asked_for() -> None:
    whole = duramen("batch", "site.jsonl", "-o", "whole.jsonl", "--workers", "1", "-q")
    done = duramen("batch", "site.jsonl", "-o", "out.jsonl", "--workers", "1", "-q", "--columns", "url, text,title")
    assert (whole.code, done.code) == (0, 0), done.err
    wanted = ("url", "title", "text")
    assert rows("out.jsonl") == [{name: row[name] for name in wanted} for row in rows("whole.jsonl")]
    assert [list(row) for row in rows("out.jsonl")] == [list(wanted)] * len(SUBJECTS)


@pytest.mark.parametrize(
    ("more", "said"),
    [
        (("--columns", "url,texts"), "no column 'texts'"),
        (("--columns", "url,text", "--formats", "markdown"), "--columns names all columns"),
        (("--columns", "url,text", "--page-type"), "--columns names all columns"),
        (("--columns", "url,text", "--dedup", "exact"), "duplicates need the columns source, offset, text"),
    ],
)
def test_columns_that_cannot_be(more: tuple[str, ...], said: str) -> None:
    done = duramen("batch", "site.jsonl", "-o", "out.jsonl", "--workers", "1", *more)
    assert done.code == 2
    assert said in done.err
