"""Inputs cut into shards: pieces that any worker can read by itself, the same however many workers there are."""

from __future__ import annotations

import hashlib
import zlib
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Any

from duramen.jobs.inputs import Input, Kind
from duramen.jobs.read.edges import Edges
from duramen.jobs.read.lines import block_records, line_blocks, line_records
from duramen.jobs.read.pages import file_records, url_records
from duramen.jobs.read.rows import row_blocks, row_records
from duramen.jobs.read.warc import END, warc_records
from duramen.jobs.record import Record
from duramen.page import Reason

WARC_BYTES = 4 << 20  # of compressed WARC in a shard
PLAIN_BYTES = 16 << 20  # of plain WARC or JSON lines
PAGES = 64  # files in a shard
URLS = 16
PAGE_WEIGHT = 1 << 16  # what a page counts for in the progress, among bytes of archives


@dataclass(frozen=True, slots=True)
class Cut:
    """How inputs are cut and read: the same for a whole job."""

    part_bytes: int | None = None  # for archives; None: as suits them
    max_bytes: int = 20 << 20
    html: str | None = None  # field or column of the page; None: the usual names
    url: str | None = None  # … and of its address
    timeout: float = 20.0  # seconds for a page to fetch
    allow_private: bool = False


@dataclass(frozen=True, slots=True)
class Shard:
    """A piece of an input."""

    kind: Kind
    source: str  # file; for pages the first of them
    start: int = 0
    stop: int = END
    names: tuple[str, ...] = ()  # pages
    data: Any = None  # what the parent had to read itself: a block of lines or rows
    problem: str | None = None  # why there is no more to read
    exact: bool = False  # `start` is known to be right
    weight: int = PAGE_WEIGHT  # for the progress
    mark: str = ""  # changes when the input does

    def identity(self) -> str:
        """What the shard holds, as the journal knows it."""
        plain = (self.kind.value, self.source, self.start, self.stop, self.names, self.problem, self.mark)
        return hashlib.sha256(repr(plain).encode("utf-8", "surrogateescape")).hexdigest()[:32]

    def is_range(self) -> bool:
        """Whether its edges have to be checked against those of its neighbours."""
        return self.kind is Kind.WARC


def shards(inputs: Iterable[Input], cut: Cut) -> Iterator[Shard]:
    """The shards of the inputs, in order; nothing is read before it is asked for."""
    waiting: list[Input] = []  # pages, which go together
    for one in inputs:
        if waiting and (one.kind is not waiting[0].kind or len(waiting) >= (URLS if one.kind is Kind.URL else PAGES)):
            yield _pages(waiting)
            waiting = []
        if one.kind in (Kind.PAGE, Kind.URL):
            waiting.append(one)
        else:
            try:
                yield from _ARCHIVES[one.kind](one.name, cut)
            except OSError as problem:
                why = problem.strerror or str(problem)
                yield Shard(one.kind, one.name, problem=f"cannot be read: {why}", mark=changes(one.name))
    if waiting:
        yield _pages(waiting)


def read_shard(shard: Shard, cut: Cut, edges: Edges | None = None) -> Iterator[Record]:
    """The records of a shard. `edges` are filled in on the way."""
    try:
        yield from _read(shard, cut, edges or Edges())
    except OSError as problem:
        why = problem.strerror or str(problem)
        yield Record(shard.source, offset=shard.start, problem=Reason.UNREACHABLE, detail=why)


def records(inputs: Iterable[Input], cut: Cut) -> Iterator[Record]:
    """All records of the inputs, read by this process alone."""
    expected: int | None = 0
    for shard in shards(inputs, cut):
        if not shard.is_range():
            yield from read_shard(shard, cut)
            continue
        exact = corrected(shard, expected)
        if exact is not None:
            edges = Edges()
            yield from read_shard(exact, cut, edges)
            expected = edges.next


def corrected(shard: Shard, expected: int | None) -> Shard | None:
    """The shard with its first record where the one before it met it; None where that is behind the shard."""
    if shard.start == 0:
        return shard
    return None if expected is None or expected >= shard.stop else replace(shard, start=expected, exact=True)


def agrees(shard: Shard, edges: Edges, expected: int | None) -> bool:
    """Whether a range found its first record where the range before it met it."""
    if shard.start == 0:
        return True
    mine = expected if expected is not None and expected < shard.stop else None
    return mine == edges.first


def following(shard: Shard, edges: Edges, expected: int | None) -> int | None:
    """Where the next range's first record is, after one that agrees."""
    return edges.next if edges.known else expected


def changes(path: str) -> str:
    """A mark that changes when a file does."""
    try:
        facts = Path(path).stat()
    except OSError:
        return "gone"
    return f"{facts.st_size}-{facts.st_mtime_ns}"


def _read(shard: Shard, cut: Cut, edges: Edges) -> Iterator[Record]:
    if shard.problem is not None:
        yield Record(shard.source, offset=shard.start or None, problem=Reason.DAMAGED, detail=shard.problem)
    elif shard.kind is Kind.WARC:
        yield from warc_records(
            shard.source,
            max_bytes=cut.max_bytes,
            start=shard.start,
            stop=shard.stop,
            exact=shard.exact,
            edges=edges,
        )
    elif shard.kind is Kind.LINES:
        yield from line_records(shard.source, html=cut.html, url=cut.url, start=shard.start, stop=shard.stop)
    elif shard.kind is Kind.PACKED_LINES:
        yield from block_records(shard.source, shard.start, shard.data, html=cut.html, url=cut.url)
    elif shard.kind is Kind.ROWS:
        yield from row_records(shard.source, shard.start, shard.data)
    elif shard.kind is Kind.URL:
        yield from url_records(
            shard.names, max_bytes=cut.max_bytes, timeout=cut.timeout, allow_private=cut.allow_private
        )
    else:
        yield from file_records(shard.names, max_bytes=cut.max_bytes)


def _pages(inputs: list[Input]) -> Shard:
    names = tuple(one.name for one in inputs)
    mark = "" if inputs[0].kind is Kind.URL else hashlib.sha256("".join(map(changes, names)).encode()).hexdigest()
    return Shard(inputs[0].kind, names[0], names=names, weight=PAGE_WEIGHT * len(names), mark=mark)


def _warc(path: str, cut: Cut) -> Iterator[Shard]:
    packed = _starts_like_gzip(path)
    size = cut.part_bytes or (WARC_BYTES if packed else PLAIN_BYTES)
    if packed and not _first_member_ends(path, size):
        yield Shard(Kind.WARC, path, weight=Path(path).stat().st_size, mark=changes(path))  # one stream: no ranges
        return
    yield from _ranges(Kind.WARC, path, size)


def _lines(path: str, cut: Cut) -> Iterator[Shard]:
    yield from _ranges(Kind.LINES, path, cut.part_bytes or PLAIN_BYTES)


def _ranges(kind: Kind, path: str, size: int) -> Iterator[Shard]:
    mark, whole = changes(path), Path(path).stat().st_size
    for start in range(0, max(whole, 1), size):
        last = start + size >= whole
        yield Shard(kind, path, start, END if last else start + size, weight=min(size, whole - start), mark=mark)


def _packed_lines(path: str, cut: Cut) -> Iterator[Shard]:
    mark, before, end = changes(path), 0, 0
    try:
        for offset, block, read in line_blocks(path, cut.part_bytes or WARC_BYTES):
            end = offset + len(block)
            yield Shard(Kind.PACKED_LINES, path, offset, end, data=block, weight=read - before, mark=mark)
            before = read
    except OSError as problem:
        yield Shard(Kind.PACKED_LINES, path, end, problem=f"damaged or cut off: {problem}", mark=mark)


def _rows(path: str, cut: Cut) -> Iterator[Shard]:
    mark, first, size, total = changes(path), 0, Path(path).stat().st_size, _row_count(path)
    try:
        for first, block in row_blocks(path, html=cut.html, url=cut.url):
            weight = size * len(block) // max(total, 1)
            yield Shard(Kind.ROWS, path, first, first + len(block), data=block, weight=weight, mark=mark)
    except (OSError, ValueError) as problem:  # Arrow's errors are among them
        yield Shard(Kind.ROWS, path, first, problem=f"damaged: {problem}", mark=mark)


def _row_count(path: str) -> int:
    import pyarrow.parquet as pq  # type: ignore[import-untyped]

    try:
        return int(pq.read_metadata(path).num_rows)
    except (OSError, ValueError):
        return 0


_ARCHIVES: dict[Kind, Callable[[str, Cut], Iterator[Shard]]] = {
    Kind.WARC: _warc,
    Kind.LINES: _lines,
    Kind.PACKED_LINES: _packed_lines,
    Kind.ROWS: _rows,
}


def _starts_like_gzip(path: str) -> bool:
    with Path(path).open("rb") as file:
        return file.read(2) == b"\x1f\x8b"


@lru_cache(maxsize=1)
def _first_member_ends(path: str, within: int) -> bool:
    """Whether a compressed file is made of members, one a record, and not of one long stream."""
    inflate = zlib.decompressobj(31)
    with Path(path).open("rb") as file:
        while within > 0 and not inflate.eof:
            piece = file.read(min(within, 1 << 16))
            if not piece:
                return True
            within -= len(piece)
            try:
                while piece and not inflate.eof:
                    inflate.decompress(piece, 1 << 20)
                    piece = inflate.unconsumed_tail
            except zlib.error:
                return True  # damage is found where records are read
    return inflate.eof
