from __future__ import annotations

import gzip
import io
import json
from typing import Any

import pyarrow.parquet as pq  # type: ignore[import-untyped]
import pytest
import zstandard

from duramen.errors import OptionError
from duramen.jobs.dedup import Dedup, Seen, join_marked
from duramen.jobs.parts import Form, encode
from duramen.jobs.record import Record
from duramen.jobs.settings import Settings
from duramen.jobs.work import run

SETTINGS = Settings(algorithm="everything")
TEXTS = ["one and two", "three and four", "One  and two!", "", "", "one and two"]


def rows(texts: list[str]) -> list[dict[str, Any]]:
    records = [Record("a.warc", f"<p>{text}</p>".encode(), offset=10 * at) for at, text in enumerate(texts)]
    return list(run(records, SETTINGS))


def joined(parts: list[bytes], form: Form) -> tuple[bytes, int]:
    file = io.BytesIO()
    found = join_marked(map(io.BytesIO, parts), file, form, Seen(Dedup(near=False)))
    return file.getvalue(), found


def decoded(data: bytes, form: Form) -> list[dict[str, Any]]:
    if form is Form.PARQUET:
        found: list[dict[str, Any]] = pq.read_table(io.BytesIO(data)).to_pylist()
        return found
    if form is Form.LINES_GZIP:
        data = gzip.decompress(data)
    elif form is Form.LINES_ZSTD:
        data = zstandard.ZstdDecompressor().stream_reader(data, read_across_frames=True).read()
    return [json.loads(line) for line in data.splitlines()]


@pytest.mark.parametrize("form", Form)
def test_rows_are_marked_across_parts_and_otherwise_unchanged(form: Form) -> None:
    given = rows(TEXTS)
    parts = [encode(some, SETTINGS, form) for some in (given[:2], [], given[2:])]
    data, found = joined(parts, form)
    marked = decoded(data, form)
    assert [row["duplicate_of"] for row in marked] == [None, None, "a.warc#0", None, None, "a.warc#0"]
    assert [row["similarity"] for row in marked] == [None, None, 1.0, None, None, 1.0]
    assert found == 2
    for before, after in zip(given, marked):
        assert {name: after[name] for name in before} == before


@pytest.mark.parametrize("form", [form for form in Form if form is not Form.PARQUET])
def test_bytes_do_not_depend_on_the_parts(form: Form) -> None:
    """A cluster's part is several of the local engine's, one after the other."""
    given = rows(TEXTS)
    pieces = [encode(some, SETTINGS, form) for some in (given[:2], given[2:4], given[4:])]
    assert joined(pieces, form) == joined([b"".join(pieces)], form) == joined([encode(given, SETTINGS, form)], form)


def test_marks_need_the_text() -> None:
    settings = Settings(algorithm="everything", formats=("html",))
    data = encode(list(run([Record("a", b"<p>x")], settings)), settings, Form.LINES)
    with pytest.raises(OptionError, match="text"):
        joined([data], Form.LINES)
