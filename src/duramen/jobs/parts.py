"""Results as the bytes of one part of an output, and parts as one file."""

from __future__ import annotations

import gzip
import io
import json
import shutil
from collections.abc import Iterable, Mapping, Sequence
from enum import Enum
from pathlib import Path
from typing import Any, BinaryIO

from duramen.errors import OptionError
from duramen.jobs.row_groups import join_files
from duramen.jobs.settings import Settings


class Form(str, Enum):
    """What an output is written as."""

    LINES = "jsonl"
    LINES_GZIP = "jsonl.gz"
    LINES_ZSTD = "jsonl.zst"
    PARQUET = "parquet"


def form_of(name: str) -> Form | None:
    """The form that a file's name stands for."""
    lower = name.lower()
    return next((form for form in reversed(Form) if lower.endswith(f".{form.value}")), None)


def encode(rows: Sequence[dict[str, Any]], settings: Settings, form: Form) -> bytes:
    """One part: the same rows give the same bytes."""
    if form is Form.PARQUET:
        return _parquet(rows, settings)
    plain = "".join(map(_line, rows if not settings.columns else _narrowed(rows, settings))).encode("utf-8", "replace")
    if form is Form.LINES_GZIP:
        return gzip.compress(plain, 6, mtime=0) if rows else b""
    if form is Form.LINES_ZSTD:
        import zstandard

        return zstandard.ZstdCompressor(level=3).compress(plain) if rows else b""
    return plain


def _line(row: Mapping[str, Any]) -> str:
    return json.dumps(row, ensure_ascii=False) + "\n"


def _narrowed(rows: Iterable[Mapping[str, Any]], settings: Settings) -> Iterable[Mapping[str, Any]]:
    """The rows with the columns that were asked for."""
    return ({name: value for name, value in row.items() if settings.wants(name)} for row in rows)


def join(parts: Iterable[Path], file: BinaryIO, settings: Settings, form: Form) -> None:
    """All parts in one file, in their order: lines follow each other, row groups follow each other."""
    if form is not Form.PARQUET:
        for path in parts:
            with path.open("rb") as part:
                shutil.copyfileobj(part, file, 1 << 20)
        return
    if not join_files((path.read_bytes() for path in parts), file):
        file.write(_parquet([], settings))


def check_form(form: Form) -> None:
    """Raise where the form needs a package that is not there."""
    needed = {Form.PARQUET: "pyarrow", Form.LINES_ZSTD: "zstandard"}.get(form)
    if needed:
        import importlib.util

        if importlib.util.find_spec(needed) is None:
            raise OptionError(f'{form.value} needs {needed}: pip install "duramen[jobs]"')


def _parquet(rows: Sequence[dict[str, Any]], settings: Settings) -> bytes:
    from duramen.jobs.schema import table

    file = io.BytesIO()
    with _writer(file, settings) as writer:
        if rows:
            writer.write_table(table(rows, settings), row_group_size=len(rows))
    return file.getvalue()


def _writer(file: BinaryIO, settings: Settings) -> Any:
    import pyarrow.parquet as pq  # type: ignore[import-untyped]

    from duramen.jobs.schema import REPEATING, schema

    columns = schema(settings)
    repeating = [name for name in REPEATING if settings.wants(name)]
    return pq.ParquetWriter(file, columns, compression="zstd", compression_level=1, use_dictionary=repeating)
