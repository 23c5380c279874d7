"""Finished parts of an output → one file with two more columns: which row each repeats, and how much of it.

Rows are marked in their order, in one pass, when the output is put together: parts that were made before an
interruption need no memory of it, and neither marks nor bytes depend on how the rows were spread over parts.
"""

from __future__ import annotations

import gzip
import io
import json
from collections.abc import Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, nullcontext, suppress
from typing import Any, BinaryIO

from duramen.bench.extras import need
from duramen.errors import OptionError
from duramen.jobs.dedup.fingerprint import fingerprint
from duramen.jobs.dedup.seen import Duplicate, Seen
from duramen.jobs.parts import Form

ROW_NAME = ("source", "offset", "text")
"""Columns that duplicates are named and told by."""


def row_name(row: Mapping[str, Any]) -> str:
    """What a row is called where another repeats it: its source, and where in it."""
    offset = row["offset"]
    return str(row["source"]) if offset is None else f"{row['source']}#{offset}"


def place_row(row: Mapping[str, Any], seen: Seen) -> Duplicate | None:
    """What a row repeats, by its text."""
    if "text" not in row:
        raise OptionError("duplicates are told by their text: leave 'text' among the formats")
    return seen.place(row_name(row), fingerprint(row["text"], seen.dedup))


def join_marked(parts: Iterable[BinaryIO], file: BinaryIO, form: Form, seen: Seen) -> int:
    """All parts in one file, in their order, with the columns `duplicate_of` and `similarity`; how many have them."""
    if form is Form.PARQUET:
        return _join_tables(parts, file, seen)
    found = 0
    with _packed(file, form) as out:
        for part in parts:
            for line in _unpacked(part, form):
                row = json.loads(line)
                repeats = place_row(row, seen)
                found += repeats is not None
                row["duplicate_of"] = None if repeats is None else repeats.of
                row["similarity"] = None if repeats is None else repeats.similarity
                out.write(json.dumps(row, ensure_ascii=False).encode("utf-8", "replace") + b"\n")
    return found


def _unpacked(part: BinaryIO, form: Form) -> Iterator[bytes]:
    """The lines of a part, which may be several members or frames."""
    if form is Form.LINES_GZIP:
        yield from gzip.GzipFile(fileobj=part, mode="rb")
    elif form is Form.LINES_ZSTD:
        reader = need("zstandard", "jobs").ZstdDecompressor().stream_reader(part, read_across_frames=True)
        yield from io.BufferedReader(reader, 1 << 20)
    else:
        raw: Any = part  # Arrow's files have no lines of their own
        lines = io.BufferedReader(raw, 1 << 20)
        try:
            yield from lines
        finally:
            with suppress(ValueError):  # closed by its owner already
                lines.detach()


def _packed(file: BinaryIO, form: Form) -> AbstractContextManager[Any]:
    """Where lines are written to: one stream, whatever the parts were."""
    if form is Form.LINES_GZIP:
        return gzip.GzipFile(filename="", fileobj=file, mode="wb", compresslevel=6, mtime=0)
    if form is Form.LINES_ZSTD:
        writer: AbstractContextManager[Any] = (
            need("zstandard", "jobs").ZstdCompressor(level=3).stream_writer(file, closefd=False)
        )
        return writer
    return nullcontext(file)


def _join_tables(parts: Iterable[BinaryIO], file: BinaryIO, seen: Seen) -> int:
    pa, pq = need("pyarrow", "jobs"), need("pyarrow.parquet", "jobs")
    more = [pa.field("duplicate_of", pa.string()), pa.field("similarity", pa.float64())]
    writer: Any = None
    found = 0
    try:
        for part in parts:
            with pq.ParquetFile(part) as table:
                if writer is None:
                    schema = pa.schema([*table.schema_arrow, *more])
                    writer = pq.ParquetWriter(file, schema, compression="zstd", compression_level=3)
                for number in range(table.num_row_groups):
                    group = table.read_row_group(number)
                    marks = list(_marks(group, seen))
                    of = pa.array([None if each is None else each.of for each in marks], pa.string())
                    like = pa.array([None if each is None else each.similarity for each in marks], pa.float64())
                    marked = pa.Table.from_arrays([*group.columns, of, like], schema=writer.schema)
                    writer.write_table(marked, row_group_size=max(marked.num_rows, 1))
                    found += sum(each is not None for each in marks)
    finally:
        if writer is not None:
            writer.close()
    return found


def _marks(group: Any, seen: Seen) -> Iterator[Duplicate | None]:
    names = [name for name in ROW_NAME if name in group.column_names]
    for row in group.select(names).to_pylist():
        yield place_row(row, seen)
