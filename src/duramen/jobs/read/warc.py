"""WARC files, plain or gzip: the HTML pages among their responses, whole files or byte ranges of them.

FastWARC reads what is whole. Where it stops, `members` finds what is wrong: the damaged place becomes a record with
that reason, and reading goes on with the next member.
"""

from __future__ import annotations

import warnings
from collections.abc import Generator, Iterator
from itertools import takewhile
from pathlib import Path
from typing import BinaryIO

from duramen.jobs.read.edges import Edges
from duramen.jobs.read.members import find_start, is_gzip, members
from duramen.jobs.record import Record
from duramen.page import Reason

with warnings.catch_warnings():
    warnings.simplefilter("ignore", DeprecationWarning)  # of classes that FastWARC itself still derives from others
    from fastwarc.warc import ArchiveIterator, WarcRecord, WarcRecordType

HTML_TYPES = frozenset({"text/html", "application/xhtml+xml", ""})  # "": not stated
SUFFIXES = (".warc", ".warc.gz")
END = 1 << 62  # no file is as long
_PIECE = 1 << 18
_UNREADABLE = (OSError, ValueError, EOFError)


def warc_records(
    path: str,
    *,
    max_bytes: int,
    start: int = 0,
    stop: int = END,
    exact: bool = False,
    edges: Edges | None = None,
) -> Iterator[Record]:
    """The pages of a WARC file, those whose records begin in the range `start` to `stop`.

    `start` may lie anywhere, unless it is said to be `exact`: then a record begins there, or damage that an earlier
    range met. Bodies are cut off behind `max_bytes`.
    """
    edges = edges or Edges()
    with Path(path).open("rb") as file:
        gzip = is_gzip(file)
        at: int | None = start
        if start and not exact:
            at = find_start(file, start, stop, gzip=gzip)
            edges.known = at is not None
        while at is not None:
            at = yield from _stretch(path, file, at, stop, gzip, max_bytes, edges)


def _stretch(
    path: str, file: BinaryIO, at: int, stop: int, gzip: bool, max_bytes: int, edges: Edges
) -> Generator[Record, None, int | None]:
    """Pages up to the next damage; returns where to go on, None at the end of the range."""
    last = at  # start of the last record that was met
    held: Record | None = None  # a record is whole only when the reader came past its end
    failed = False
    file.seek(at)
    try:
        for entry in ArchiveIterator(file, record_types=WarcRecordType.response, parse_http=True, auto_decode="all"):
            if held is not None:
                yield held
                held = None
            last = int(entry.stream_pos)
            if _behind(last, stop, edges):
                return None
            held = _record(path, last, entry, max_bytes)
    except _UNREADABLE:
        failed = True
    # The end of the file, or of what can be read: is what is there whole?
    reached = file.tell()
    met = list(takewhile(lambda member: member.offset < reached, members(file, last, gzip=gzip)))
    damaged = next((member.offset for member in met if not member.whole), None)
    if damaged is None and failed:  # whole as it seems, and yet unreadable
        damaged = next((member.offset for member in met if held is None or member.offset > last), last)
    if held is not None and (damaged != last or not failed):
        yield held
        damaged = None if damaged == last else damaged  # cut off behind its body: nothing is lost
    if damaged is None or _behind(damaged, stop, edges):
        return None
    edges.damaged += 1
    yield Record(path, offset=damaged, problem=Reason.DAMAGED, detail="the archive is damaged or cut off here")
    return find_start(file, damaged + 1, END, gzip=gzip)


def _behind(offset: int, stop: int, edges: Edges) -> bool:
    """Note where a record begins; whether that is behind the range."""
    if offset >= stop:
        edges.next = offset
        return True
    if edges.first is None:
        edges.first = offset
    return False


def _record(path: str, offset: int, entry: WarcRecord, max_bytes: int) -> Record | None:
    """The page of a response; None where it is none."""
    if not (entry.is_http and entry.is_http_parsed):
        return None  # a name look-up, or the like
    headers = entry.http_headers
    if (entry.http_content_type or "").lower() not in HTML_TYPES:
        return None
    url = entry.headers.get("WARC-Target-URI")
    status = headers.status_code
    stated = entry.content_length
    packed = bool(headers.get("Content-Encoding") or headers.get("Transfer-Encoding"))
    try:
        body = _body(entry, None if packed else stated, max_bytes)
    except MemoryError:
        return Record(path, offset=offset, url=url, http_status=status, problem=Reason.MEMORY)
    short = not packed and len(body) < min(stated, max_bytes + 1)
    return Record(
        source=path,
        body=b"" if short else body,
        offset=offset,
        url=url.strip("<> ") if url else None,
        charset=entry.http_charset,
        http_status=status,
        problem=Reason.DAMAGED if short else None,
        detail="the archive ends in the middle of this record" if short else "",
    )


def _body(entry: WarcRecord, size: int | None, max_bytes: int) -> bytes:
    """The body, no further than one byte behind the limit: so it is known to be too large."""
    if size is not None:
        return entry.reader.read(min(size, max_bytes + 1))
    pieces, left = list[bytes](), max_bytes + 1
    while left and (piece := entry.reader.read(min(left, _PIECE))):  # room for all that is asked for is made at once
        pieces.append(piece)
        left -= len(piece)
    return b"".join(pieces)
