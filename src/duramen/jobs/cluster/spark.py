"""Spark: a function for `DataFrame.mapInPandas`.

from duramen.jobs.cluster.spark import columns, extract_pages

pages = spark.read.parquet("s3a://…/")                       # with columns html and url
results = pages.mapInPandas(extract_pages(), schema=columns())
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import pyarrow as pa  # type: ignore[import-untyped]

from duramen.bench.extras import need
from duramen.errors import InputError
from duramen.jobs.record import Record
from duramen.jobs.schema import schema, table
from duramen.jobs.settings import Settings
from duramen.jobs.work import run
from duramen.page import Reason

if TYPE_CHECKING:
    import pandas as pd  # type: ignore[import-untyped]

_TYPES = MappingProxyType(
    {
        pa.string(): "string",
        pa.large_string(): "string",
        pa.int32(): "int",
        pa.int64(): "bigint",
        pa.float64(): "double",
        pa.bool_(): "boolean",
    }
)


def columns(settings: Settings | None = None) -> str:
    """The columns of the results as Spark writes schemas, for `mapInPandas(…, schema=…)`."""
    return ", ".join(f"`{field.name}` {_TYPES[field.type]}" for field in schema(settings or Settings()))


def extract_pages(
    settings: Settings | None = None, *, html: str = "html", url: str | None = "url", name: str | None = None
) -> Callable[[Iterator[pd.DataFrame]], Iterator[pd.DataFrame]]:
    """A function from frames of pages to frames of results, one row a page and in their order.

    `html` is the column with the page (text or bytes), `url` the one with its address, if there is one, and `name` the
    one that becomes the results' `source` (default: the address). A row without a page gives a row that says so.
    Limits of time and memory for each page are Spark's affair: only `Settings.max_bytes` applies.
    """
    chosen = settings or Settings()

    def pages(frames: Iterator[pd.DataFrame]) -> Iterator[pd.DataFrame]:
        types = _nullable()
        for frame in frames:
            rows = list(run(_records(frame, html, url, name), chosen))
            yield table(rows, chosen).to_pandas(types_mapper=types.get)

    return pages


def _records(frame: pd.DataFrame, html: str, url: str | None, name: str | None) -> Iterator[Record]:
    for column in (html, name):
        if column is not None and column not in frame.columns:
            raise InputError(f"no column {column!r}: there are {', '.join(map(str, frame.columns))}")
    empty = [None] * len(frame)
    addresses: Iterable[Any] = frame[url] if url is not None and url in frame.columns else empty
    names: Iterable[Any] = frame[name] if name is not None else empty
    for page, address, title in zip(frame[html], addresses, names):
        where = address if isinstance(address, str) else None
        source = str(title) if title is not None else where or ""
        if isinstance(page, str):
            yield Record(source, page.encode("utf-8", "replace"), url=where, charset="utf-8")
        elif isinstance(page, (bytes, bytearray, memoryview)):
            yield Record(source, bytes(page), url=where)
        else:
            yield Record(source, url=where, problem=Reason.DAMAGED, detail="no page in this row")


def _nullable() -> dict[pa.DataType, Any]:
    """Whole numbers that may be missing: pandas would make them floats."""
    pandas = need("pandas", "spark")
    return {pa.int32(): pandas.Int32Dtype(), pa.int64(): pandas.Int64Dtype()}
