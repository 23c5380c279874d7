"""Parquet: one page a row, its HTML in a column."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pyarrow.parquet as pq  # type: ignore[import-untyped]

from duramen.errors import InputError
from duramen.jobs.read.lines import HTML_NAMES, URL_NAMES
from duramen.jobs.record import Record
from duramen.page import Reason

SUFFIXES = (".parquet",)
ROWS = 128  # in a block


def row_blocks(path: str, *, html: str | None, url: str | None) -> Iterator[tuple[int, list[tuple[Any, Any]]]]:
    """The pages in blocks: number of the first row, then HTML and address of each."""
    with pq.ParquetFile(path, pre_buffer=False, buffer_size=1 << 20) as file:
        names = file.schema_arrow.names
        page = _column(path, names, HTML_NAMES, html)
        address = _column(path, names, URL_NAMES, url) if url or set(URL_NAMES) & set(names) else None
        first = 0
        for batch in file.iter_batches(ROWS, columns=[page] if address is None else [page, address]):
            pages = batch.column(page).to_pylist()
            addresses = [None] * len(pages) if address is None else batch.column(address).to_pylist()
            yield first, list(zip(pages, addresses))
            first += len(pages)


def row_records(path: str, first: int, rows: list[tuple[Any, Any]]) -> Iterator[Record]:
    """The pages of a block of rows."""
    for number, (page, address) in enumerate(rows, first):
        url = address if isinstance(address, str) else None
        if isinstance(page, str):
            yield Record(path, page.encode("utf-8", "replace"), number, url, charset="utf-8")
        elif isinstance(page, bytes):
            yield Record(path, page, number, url)
        else:
            yield Record(path, b"", number, url, problem=Reason.DAMAGED, detail="no page in this row")


def _column(path: str, names: list[str], usual: tuple[str, ...], asked: str | None) -> str:
    found = next((name for name in ((asked,) if asked else usual) if name in names), None)
    if found is None:
        raise InputError(f"{path} has no column {asked or ' or '.join(usual)}: it has {', '.join(names)}")
    return found
