"""The datatrove block in real datatrove pipelines."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa  # type: ignore[import-untyped]
import pyarrow.parquet as pq  # type: ignore[import-untyped]
import pytest
from datatrove.data import Document  # type: ignore[import-untyped]
from datatrove.executor import LocalPipelineExecutor  # type: ignore[import-untyped]
from datatrove.pipeline.readers import ParquetReader  # type: ignore[import-untyped]
from datatrove.pipeline.writers import ParquetWriter  # type: ignore[import-untyped]

from duramen.jobs.cluster.datatrove import BATCH, Extract
from duramen.jobs.record import Record
from duramen.jobs.settings import Settings
from duramen.jobs.work import run

pytestmark = [
    pytest.mark.filterwarnings("ignore::DeprecationWarning"),
    pytest.mark.filterwarnings("ignore::UserWarning"),
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
]

SETTINGS = Settings(algorithm="everything", formats=("text", "markdown"))


def page(number: int) -> str:
    return f"<html><head><title>Page {number}</title></head><body><h1>Page {number}</h1><p>Café {number}.</p></body>"


def test_a_pipeline_from_files_to_files(tmp_path: Path) -> None:
    source = tmp_path / "in"
    source.mkdir()
    lines = [
        {"text": page(number), "id": f"doc-{number}", "url": f"https://site.example/{number}"}
        for number in range(BATCH + 6)
    ]
    lines[3]["text"] = "<body><script>empty()</script></body>"
    pq.write_table(pa.Table.from_pylist(lines), source / "pages.parquet")
    LocalPipelineExecutor(
        pipeline=[ParquetReader(str(source)), Extract(SETTINGS), ParquetWriter(str(tmp_path / "out"))],
        tasks=1,
        logging_dir=str(tmp_path / "logs"),
        skip_completed=False,
    ).run()
    (path,) = (tmp_path / "out").glob("*.parquet")
    written = pq.read_table(path).to_pylist()
    assert [each["id"] for each in written] == [f"doc-{number}" for number in range(BATCH + 6) if number != 3]
    assert written[5]["text"] == "Page 6\n\nCafé 6."
    about = written[5]["metadata"]
    assert (about["title"], about["status"], about["algorithm"], about["url"]) == (
        "Page 6",
        "ok",
        "everything",
        "https://site.example/6",
    )


def documents(count: int) -> list[Document]:
    return [
        Document(page(number), f"d{number}", metadata={"url": f"https://x.example/{number}"}) for number in range(count)
    ]


def test_it_gives_what_the_pure_function_gives() -> None:
    given = documents(5)
    records = [Record(each.id, each.text.encode(), url=each.metadata["url"], charset="utf-8") for each in given]
    rows = list(run(records, SETTINGS))
    for document, row in zip(Extract(SETTINGS)(iter(given)), rows):
        assert document.text == row["text"]
        assert document.metadata["markdown"] == row["markdown"]


def test_empty_pages_are_counted_and_kept_on_demand() -> None:
    pages = [Document("", "empty"), *documents(1)]
    strict, lenient = Extract(SETTINGS), Extract(SETTINGS, keep_empty=True)
    assert [each.id for each in strict(iter(pages))] == ["d0"]
    assert strict.stats["dropped"].total == 1
    assert strict.stats["empty_input"].total == 1
    kept = list(lenient(iter([Document("", "empty"), *documents(1)])))
    assert [each.id for each in kept] == ["empty", "d0"]
    assert kept[0].metadata["reason"] == "empty_input"


def test_no_documents_and_no_text() -> None:
    assert list(Extract(SETTINGS)(None)) == []
    with pytest.raises(ValueError, match="text"):
        Extract(Settings(formats=("html",)))
