"""JSON lines: one page a line, its HTML in a field; plain files by byte ranges, compressed ones as a stream."""

from __future__ import annotations

import gzip
import io
import json
import zlib
from collections.abc import Iterator
from math import inf
from pathlib import Path
from typing import Any, BinaryIO

from duramen.jobs.record import Record
from duramen.page import Reason

SUFFIXES = (".jsonl", ".ndjson")
COMPRESSED = (".gz", ".zst")
HTML_NAMES = ("html", "content", "body", "page", "raw_html", "text")
URL_NAMES = ("url", "uri", "address", "warc_target_uri")
LONGEST_LINE = 256 << 20


def line_records(
    path: str, *, html: str | None, url: str | None, start: int = 0, stop: float = inf
) -> Iterator[Record]:
    """The pages of a plain file whose lines begin in a range of bytes."""
    with Path(path).open("rb") as file:
        if start:
            file.seek(start - 1)
            file.readline()  # the end of a line that began before; nothing where a line begins just here
        offset = file.tell()
        while offset < stop:
            line = file.readline(LONGEST_LINE)
            if not line:
                return
            if line.strip():
                yield line_record(path, offset, line, html, url)
            offset += len(line)


def line_blocks(path: str, size: int) -> Iterator[tuple[int, bytes, int]]:
    """A compressed file in blocks of whole lines: offset in the plain data, the lines, compressed bytes read so far.

    Damage ends the file: OSError says so after the last whole line.
    """
    with Path(path).open("rb") as raw:
        offset, tail = 0, b""
        try:
            for piece in _gunzipped(raw, size) if path.lower().endswith(".gz") else _unzstd(raw):
                tail += piece
                cut = tail.rfind(b"\n") + 1 if len(tail) >= size else 0
                if cut:
                    yield offset, tail[:cut], raw.tell()
                    offset, tail = offset + cut, tail[cut:]
        except (EOFError, zlib.error) as problem:
            cut = tail.rfind(b"\n") + 1  # the last line may be whole or not: who can tell
            if cut:
                yield offset, tail[:cut], raw.tell()
            raise OSError(f"{problem}") from None
        if tail:
            yield offset, tail, raw.tell()


def block_records(path: str, offset: int, block: bytes, *, html: str | None, url: str | None) -> Iterator[Record]:
    """The pages of a block of lines."""
    for line in io.BytesIO(block):
        if line.strip():
            yield line_record(path, offset, line, html, url)
        offset += len(line)


def line_record(path: str, offset: int, line: bytes, html: str | None, url: str | None) -> Record:
    """The page of one line."""
    try:
        fields: Any = json.loads(line)
    except (ValueError, RecursionError):
        return Record(path, offset=offset, problem=Reason.DAMAGED, detail="a line that is not JSON")
    if not isinstance(fields, dict):
        return Record(path, offset=offset, problem=Reason.DAMAGED, detail="a line that is not a JSON object")
    body = pick(fields, HTML_NAMES if html is None else (html,))
    if not isinstance(body, str):
        wanted = html or f"any of {', '.join(HTML_NAMES)}"
        return Record(path, offset=offset, problem=Reason.DAMAGED, detail=f"no text in {wanted}")
    address = pick(fields, URL_NAMES if url is None else (url,))
    # Half a surrogate pair cannot be written as UTF-8, and JSON can hold one.
    plain = body.encode("utf-8", "replace")
    return Record(path, plain, offset, address if isinstance(address, str) else None, charset="utf-8")


def pick(fields: dict[str, Any], names: tuple[str, ...]) -> Any:
    """The first of the fields that is there."""
    return next((fields[name] for name in names if fields.get(name) is not None), None)


def _gunzipped(raw: BinaryIO, size: int) -> Iterator[bytes]:
    with gzip.GzipFile(fileobj=raw) as file:
        try:
            while piece := file.read(size):
                yield piece
        except gzip.BadGzipFile as problem:
            raise EOFError(f"{problem}") from None


def _unzstd(raw: BinaryIO) -> Iterator[bytes]:
    """Frame by frame: a reader of whole streams takes a cut-off frame for the end."""
    import zstandard

    frame, left = zstandard.ZstdDecompressor().decompressobj(), b""
    begun = False
    try:
        while piece := left or raw.read(1 << 16):
            begun = True
            yield frame.decompress(piece)
            left = frame.unused_data if frame.eof else b""
            if frame.eof:
                frame, begun = zstandard.ZstdDecompressor().decompressobj(), False
    except zstandard.ZstdError as problem:
        raise EOFError(f"{problem}") from None
    if begun:
        raise EOFError("the last frame is cut off")
