"""The columns of results, as an Arrow schema: docs/batch.md says what each holds."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pyarrow as pa  # type: ignore[import-untyped]

from duramen.jobs.settings import Settings

_FIRST = (
    pa.field("source", pa.string(), nullable=False),
    pa.field("offset", pa.int64()),
    pa.field("url", pa.string()),
    pa.field("http_status", pa.int32()),
    pa.field("status", pa.string(), nullable=False),
    pa.field("reason", pa.string()),
    pa.field("detail", pa.string(), nullable=False),
    pa.field("algorithm", pa.string(), nullable=False),
    pa.field("version", pa.string(), nullable=False),
    pa.field("options", pa.string(), nullable=False),
    pa.field("encoding", pa.string()),
    pa.field("title", pa.string()),
    pa.field("author", pa.string()),
    pa.field("date", pa.string()),
    pa.field("site", pa.string()),
    pa.field("language", pa.string()),
    pa.field("confidence", pa.float64()),
    pa.field("page_type", pa.string()),
)
REPEATING = ("source", "status", "reason", "detail", "algorithm", "version", "options", "encoding", "language")
"""Columns with few different values."""


def schema(settings: Settings) -> pa.Schema:
    """The columns that results with these settings have."""
    rendered = [pa.field(name, pa.large_string(), nullable=False) for name in settings.formats]
    timed = [pa.field("seconds", pa.float64(), nullable=False)] if settings.timings else []
    return pa.schema([field for field in (*_FIRST, *rendered, *timed) if settings.wants(field.name)])


def table(results: Sequence[dict[str, Any]], settings: Settings) -> pa.Table:
    """Results as a table."""
    columns = schema(settings)
    return pa.Table.from_arrays(
        [pa.array([row[field.name] for row in results], type=field.type) for field in columns], schema=columns
    )
