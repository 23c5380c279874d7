"""The pure function: a row a record, whatever the record."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from duramen import Extraction, extract
from duramen.errors import OptionError
from duramen.jobs import work
from duramen.jobs.record import Record
from duramen.jobs.schema import schema, table
from duramen.jobs.settings import Settings
from duramen.jobs.work import run
from duramen.page import Reason
from duramen.pool import Failure, Fault
from duramen.pool.within import FORMATS
from tests.jobs.archives import page


def test_a_row_holds_what_extract_gives() -> None:
    record = Record("a.warc", page(1).encode(), 17, "https://site.example/1", "utf-8", 200)
    (row,) = run([record], Settings(formats=("text", "markdown", "html")))
    plain = extract(record.body, url=record.url, charset="utf-8")
    assert (row["text"], row["markdown"], row["html"]) == (plain.text, plain.markdown, plain.html)
    assert (row["source"], row["offset"], row["url"], row["http_status"]) == ("a.warc", 17, record.url, 200)
    assert (row["status"], row["reason"], row["title"], row["language"]) == ("ok", None, "Story 1", "en")
    assert (row["algorithm"], row["encoding"]) == (plain.algorithm, "utf-8")


@pytest.mark.parametrize(
    ("record", "status", "reason"),
    [
        (Record("x", b""), "empty", "empty_input"),
        (Record("x", b"%PDF-1.7 \x00\x01\x02"), "empty", "not_html"),
        (Record("x", b"<div id=root></div><script src=app.js></script>"), "empty", "needs_javascript"),
        (Record("x", b"\xef\xbb\xbf" + b"\xff\xfe\xfd " * 999), "failed", "encoding"),
        (Record("x", b"<p>long " * 1000), "failed", "too_large"),
        (Record("x", problem=Reason.DAMAGED, detail="here"), "failed", "damaged"),
    ],
)
def test_garbage_is_a_row_with_a_reason(record: Record, status: str, reason: str) -> None:
    (row,) = run([record], Settings(max_bytes=5000))
    assert (row["status"], row["reason"], row["text"]) == (status, reason, "")


def test_columns_that_nobody_asked_for_are_not_computed(monkeypatch: pytest.MonkeyPatch) -> None:
    record = Record("a.warc", page(1).encode(), 17, "https://site.example/1", "utf-8", 200)
    (whole,) = run([record], Settings())
    monkeypatch.setattr(work, "metadata", None)
    monkeypatch.setattr(Extraction, "markdown", property(lambda _: 1 / 0))
    settings = Settings.of_columns(("text", "url"))
    (row,) = run([record], settings)
    assert (row["url"], row["text"], row["title"]) == (whole["url"], whole["text"], None)
    assert table([row], settings).to_pylist() == [{"url": whole["url"], "text": whole["text"]}]


def test_each_column_by_itself_is_that_of_the_whole_row() -> None:
    settings = Settings(formats=FORMATS, page_types=True)
    records = [Record("a.warc", page(1).encode(), 17, "https://site.example/1", "utf-8", 200), Record("b", b"")]
    whole = table(list(run(records, settings)), settings)
    for name in whole.column_names:
        alone = Settings.of_columns((name,))
        assert table(list(run(records, alone)), alone).equals(whole.select([name])), name


@pytest.mark.parametrize("make", [Settings.of_columns, lambda names: Settings(columns=names)])
def test_a_column_that_there_is_not_raises(make: Callable[[tuple[str, ...]], Settings]) -> None:
    with pytest.raises(OptionError, match="no column 'texts'"):
        make(("url", "texts"))
    assert schema(make(("text", "url"))).names == ["url", "text"]


def test_a_record_that_ended_a_worker_is_not_tried_again() -> None:
    begun: list[int] = []
    records = [Record("x", page(number).encode()) for number in range(3)]
    blamed = {1: Failure(Fault.TIMEOUT, "over 10 s")}
    rows = list(run(records, Settings(), begin=begun.append, blamed=blamed))
    assert [row["status"] for row in rows] == ["ok", "failed", "ok"]
    assert (rows[1]["reason"], rows[1]["detail"]) == ("timeout", "over 10 s")
    assert begun == [0, 1, 2, 3]  # the last finds the end


def test_rows_fit_the_schema() -> None:
    settings = Settings(
        algorithm="cetd",
        formats=("markdown", "standard"),
        options=(("lambda", 2),),
        links=False,
        timings=True,
    )
    rows = list(run([Record("x", page(1).encode()), Record("\udcff", url="\udcff")], settings))
    assert all(list(row) == schema(settings).names for row in rows)
    made = table(rows, settings)
    assert made.to_pylist()[0]["markdown"] == rows[0]["markdown"]
    assert made.column("options")[0].as_py() == '{"lambda": 2, "links": false}'


def test_the_same_record_gives_the_same_row() -> None:
    records = [Record("x", page(number).encode()) for number in range(5)]
    assert list(run(records, Settings())) == list(run(records, Settings()))


def test_unknown_formats_are_refused() -> None:
    with pytest.raises(OptionError, match="unknown format 'pdf'"):
        Settings(formats=("pdf",))
