"""Pages that are files of their own, and pages that are fetched."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

from duramen.crawl import fetch
from duramen.errors import FetchError
from duramen.jobs.record import Record
from duramen.page import Reason

AT_ONCE = 8  # pages fetched at the same time by a worker


def file_records(paths: Sequence[str], *, max_bytes: int) -> Iterator[Record]:
    """Each file as a page."""
    for path in paths:
        try:
            with Path(path).open("rb") as file:
                yield Record(path, file.read(max_bytes + 1))
        except OSError as problem:
            yield Record(path, problem=Reason.UNREACHABLE, detail=problem.strerror or str(problem))


def url_records(urls: Sequence[str], *, max_bytes: int, timeout: float, allow_private: bool) -> Iterator[Record]:
    """Each address as a page, several fetched at a time, given in order."""
    one = partial(_fetched, max_bytes=max_bytes, timeout=timeout, allow_private=allow_private)
    with ThreadPoolExecutor(AT_ONCE) as threads:
        yield from threads.map(one, urls)


def _fetched(url: str, max_bytes: int, timeout: float, allow_private: bool) -> Record:
    try:
        got = fetch(url, max_bytes=max_bytes, timeout=timeout, allow_private=allow_private)
    except FetchError as problem:
        return Record(url, url=url, problem=Reason.UNREACHABLE, detail=str(problem))
    return Record(url, got.body, None, got.url, got.charset, got.status)
