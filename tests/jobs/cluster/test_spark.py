"""The Spark adapter: its function on plain frames, and in a real Spark session."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import pandas as pd  # type: ignore[import-untyped]
import pytest

from duramen.errors import InputError
from duramen.jobs.cluster.spark import columns, extract_pages
from duramen.jobs.record import Record
from duramen.jobs.schema import schema
from duramen.jobs.settings import Settings
from duramen.jobs.work import run

pytestmark = [
    pytest.mark.filterwarnings("ignore::DeprecationWarning"),
    pytest.mark.filterwarnings("ignore::FutureWarning"),
]

SETTINGS = Settings(algorithm="everything", formats=("text", "markdown"))


def page(number: int) -> str:
    return f"<title>Page {number}</title><h1>Page {number}</h1><p>Café {number}.</p>"


def expected(pages: list[tuple[bytes, str | None, str]]) -> list[dict[str, Any]]:
    return list(run([Record(url, body, url=url, charset=charset) for body, charset, url in pages], SETTINGS))


def test_frames_give_what_the_pure_function_gives() -> None:
    urls = [f"https://site.example/{number}" for number in range(4)]
    frame = pd.DataFrame({"html": [page(number) for number in range(4)], "url": urls})
    (result,) = extract_pages(SETTINGS)(iter([frame]))
    wanted = expected([(page(number).encode(), "utf-8", urls[number]) for number in range(4)])
    assert list(result.columns) == schema(SETTINGS).names
    assert result["text"].tolist() == [row["text"] for row in wanted]
    assert result["markdown"].tolist() == [row["markdown"] for row in wanted]
    assert result["source"].tolist() == urls


def test_rows_without_a_page_say_so_and_bytes_are_decoded() -> None:
    frame = pd.DataFrame({"raw": [None, "<p>Café".encode("windows-1252"), float("nan")], "key": [7, 8, 9]})
    (result,) = extract_pages(SETTINGS, html="raw", name="key")(iter([frame]))
    assert result["reason"].fillna("").tolist() == ["damaged", "", "damaged"]
    assert result["text"].tolist() == ["", "Café", ""]
    assert result["source"].tolist() == ["7", "8", "9"]
    assert str(result["offset"].dtype) == "Int64"


def test_a_missing_column_is_named() -> None:
    with pytest.raises(InputError, match="no column 'html': there are page"):
        list(extract_pages(SETTINGS)(iter([pd.DataFrame({"page": ["x"]})])))


def test_columns_are_those_of_the_results() -> None:
    assert columns(SETTINGS).startswith("`source` string, `offset` bigint, ")
    assert "`markdown` string" in columns(SETTINGS)
    assert len(columns(SETTINGS).split(", ")) == len(schema(SETTINGS).names)


def java() -> bool:
    found = shutil.which("java")
    return found is not None and subprocess.run([found, "-version"], capture_output=True).returncode == 0


@pytest.fixture(scope="module")
def spark(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    if not java():
        pytest.skip("Spark needs a Java runtime, and there is none on this machine")
    sql = pytest.importorskip("pyspark.sql", reason="pyspark is not installed")
    os.environ.update(SPARK_LOCAL_IP="127.0.0.1", PYSPARK_PYTHON=sys.executable, PYSPARK_DRIVER_PYTHON=sys.executable)
    folder = str(tmp_path_factory.mktemp("spark"))
    session = (
        sql.SparkSession.builder.master("local[1]")
        .config("spark.ui.enabled", "false")
        .config("spark.driver.memory", "512m")
        .config("spark.driver.bindAddress", "127.0.0.1")
        .config("spark.driver.host", "127.0.0.1")
        .config("spark.sql.warehouse.dir", folder)
        .config("spark.local.dir", folder)
        .config("spark.default.parallelism", "1")
        .config("spark.sql.execution.arrow.maxRecordsPerBatch", "7")
        .getOrCreate()
    )
    session.sparkContext.setLogLevel("ERROR")
    yield session
    session.stop()


def test_a_real_spark_session(spark: Any) -> None:
    pages = [(page(number), f"https://site.example/{number:02d}") for number in range(20)]
    frame = spark.createDataFrame(pages, schema="html string, url string")
    result = frame.mapInPandas(extract_pages(SETTINGS), schema=columns(SETTINGS))
    rows = sorted((row.asDict() for row in result.collect()), key=lambda row: str(row["source"]))
    assert rows == expected([(html.encode(), "utf-8", url) for html, url in pages])
