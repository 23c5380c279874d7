"""Parquet files joined without unpacking them."""

from __future__ import annotations

import io
from collections.abc import Sequence
from typing import Any

import pyarrow as pa  # type: ignore[import-untyped]
import pyarrow.parquet as pq  # type: ignore[import-untyped]
import pytest

from duramen.jobs.row_groups import BINARY, DOUBLE, INT64, LIST, STRUCT, TRUE, Reader, join_files, written

SCHEMA = pa.schema([(f"n{number}", pa.int64()) for number in range(20)] + [("word", pa.string()), ("x", pa.float64())])


def table(rows: range) -> pa.Table:
    numbers = [pa.array([row * number for row in rows], pa.int64()) for number in range(20)]
    words = pa.array([None if row % 7 == 0 else f"word {row % 3}" for row in rows], pa.string())
    return pa.Table.from_arrays([*numbers, words, pa.array([row / 3 for row in rows])], schema=SCHEMA)


def file_of(tables: Sequence[pa.Table], **settings: Any) -> bytes:
    file = io.BytesIO()
    with pq.ParquetWriter(file, SCHEMA, compression="zstd", use_dictionary=["word"], **settings) as writer:
        for each in tables:
            writer.write_table(each, row_group_size=len(each))
    return file.getvalue()


def joined(files: Sequence[bytes]) -> bytes:
    file = io.BytesIO()
    assert join_files(files, file) == bool(files)
    return file.getvalue()


def test_what_comes_out_is_what_one_writer_would_have_written() -> None:
    tables = [table(range(at, at + 1000)) for at in range(0, 18_000, 1000)]
    files = [file_of([]), *(file_of([each]) for each in tables[:10]), file_of([]), file_of(tables[10:])]
    assert joined(files) == file_of(tables)


def test_indexes_and_numbers_of_pages_move_with_them() -> None:
    files = [file_of([table(range(at, at + 500))], write_page_index=True) for at in (0, 500, 1000)]
    whole = joined(files)
    assert pq.read_table(io.BytesIO(whole)).equals(table(range(1500)))
    chunks = [pq.read_metadata(io.BytesIO(whole)).row_group(number).column(0) for number in range(3)]
    assert all(chunk.has_offset_index and chunk.has_column_index for chunk in chunks)
    assert pq.read_table(io.BytesIO(whole), filters=[("n1", "=", 1203)])["n2"].to_pylist() == [2406]


def test_no_files_are_no_file_and_one_file_is_itself() -> None:
    assert joined([]) == b""
    assert joined([file_of([])]) == file_of([])


@pytest.mark.parametrize("data", [b"", b"PAR1", b"PAR1\xff\x00\x00\x00PAR1", b"{}\n" * 9])
def test_what_is_no_parquet_file_raises(data: bytes) -> None:
    with pytest.raises(ValueError, match="no Parquet file"):
        joined([data])


@pytest.mark.parametrize("number", [0, 1, -1, 63, 64, -64, -65, 1 << 40, (1 << 63) - 1, -(1 << 63)])
def test_values_are_read_as_they_are_written(number: int) -> None:
    fields = {1: (INT64, number), 3: (TRUE, True), 30: (BINARY, b"long" * 50), 31: (DOUBLE, b"8 bytes!")}
    fields[40] = LIST, (STRUCT, [{2: (INT64, number + 1 if number < 0 else number - 1)}] * 20)
    fields[41] = LIST, (BINARY, [b"a", b""])
    assert Reader(written(STRUCT, fields)).struct() == fields


def test_unknown_kinds_of_values_raise() -> None:
    with pytest.raises(ValueError, match="kind 11"):
        Reader(bytes([1 << 4 | 11, 0, 0])).struct()
