"""The pure function at the heart of every job: pages in, results out. No files, no network, no processes."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from duramen.algorithms import Algorithm
from duramen.errors import InputTooLarge
from duramen.extract import Extraction, extract
from duramen.jobs.record import Record
from duramen.jobs.settings import STATED, Settings
from duramen.jobs.templates.sites import SiteTemplates
from duramen.metadata import metadata
from duramen.page import Reason
from duramen.pool import Failure
from duramen.pool.within import is_garbled
from duramen.version import VERSION

OK, EMPTY, FAILED = "ok", "empty", "failed"
DETAIL_CHARS = 300
_FAILURES = frozenset(
    {
        Reason.TOO_LARGE,
        Reason.ENCODING,
        Reason.TIMEOUT,
        Reason.MEMORY,
        Reason.CRASH,
        Reason.ERROR,
        Reason.DAMAGED,
        Reason.UNREACHABLE,
    }
)
_NONE: Mapping[int, Failure] = {}


def run(
    records: Iterable[Record],
    settings: Settings,
    *,
    begin: Callable[[int], None] | None = None,
    blamed: Mapping[int, Failure] = _NONE,
) -> Iterator[dict[str, Any]]:
    """A result for each record, in their order; among its keys are the columns of `schema(settings)`.

    Nothing that a page holds raises. `begin` is told the number of each record before it is read. `blamed` are the
    numbers of records that a worker was lost to before: they are not tried again.
    """
    results = Results(settings)
    pages = iter(records)
    index = 0
    while True:
        if begin is not None:
            begin(index)
        record = next(pages, None)
        if record is None:
            return
        yield results.of(record, blamed.get(index))
        index += 1


class Results:
    """Makes results: what is the same for all of them is made once."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._chosen: Algorithm = settings.configured()
        self._name = settings.algorithm_name()
        self._options = settings.stated()
        self._stated = tuple(name for name in STATED if settings.wants(name))
        self._unknown: dict[str, Any] = dict.fromkeys(("encoding", *STATED, "confidence", "page_type"))
        self._unknown |= dict.fromkeys(settings.formats, "")
        self._templates = None if settings.templates is None else SiteTemplates.from_json(settings.templates)

    def of(self, record: Record, failure: Failure | None = None) -> dict[str, Any]:
        """The result of one record."""
        started = time.perf_counter()
        if failure is not None:
            # How much it had grown differs from run to run.
            detail = "" if failure.reason.value == "memory" else failure.detail
            result = self._failed(record, Reason(failure.reason.value), detail)
        elif record.problem is not None:
            result = self._failed(record, record.problem, record.detail)
        elif len(record.body) > self._settings.max_bytes:
            result = self._failed(record, Reason.TOO_LARGE, f"more than {self._settings.max_bytes:,} bytes")
        else:
            result = self._tried(record)
        if self._settings.timings:
            result["seconds"] = time.perf_counter() - started
        return result

    def _tried(self, record: Record) -> dict[str, Any]:
        try:
            extraction = extract(
                record.body,
                url=record.url,
                charset=record.charset,
                algorithm=self._chosen,
                links=self._settings.links,
                images=self._settings.images,
                tables=self._settings.tables,
                formatting=self._settings.formatting,
            )
            if is_garbled(extraction.decoded):
                return self._failed(record, Reason.ENCODING, "") | {"encoding": extraction.encoding}
            return self._filled(record, self._without_templates(extraction))
        except MemoryError:
            return self._failed(record, Reason.MEMORY, "")
        except InputTooLarge as problem:
            return self._failed(record, Reason.TOO_LARGE, str(problem))
        except (KeyboardInterrupt, SystemExit, GeneratorExit):
            raise
        except BaseException as problem:  # noqa: BLE001  (a page that breaks us is a result; a panic of Rust is no Exception)
            return self._failed(record, Reason.ERROR, f"{type(problem).__name__}: {problem}")

    def _without_templates(self, extraction: Extraction) -> Extraction:
        if self._templates is None:
            return extraction
        kept = self._templates.apply(extraction.options.url, extraction.page, extraction.selection)
        return extraction if kept is extraction.selection else replace(extraction, selection=kept)

    def _filled(self, record: Record, extraction: Extraction) -> dict[str, Any]:
        empty = extraction.reason is not None
        row = self._row(record, EMPTY if empty else OK, extraction.reason, "")
        row["encoding"] = extraction.encoding
        row["confidence"] = extraction.confidence
        if self._stated:
            page, selection, url = extraction.page, extraction.selection, extraction.options.url
            found = metadata(page, title_row=selection.title, url=url, only=self._stated)
            for name in self._stated:
                row[name] = getattr(found, name)
        if self._settings.page_types:
            row["page_type"] = extraction.page_type
        if not empty:
            for name in self._settings.formats:
                row[name] = getattr(extraction, name)
        return row

    def _failed(self, record: Record, reason: Reason, detail: str) -> dict[str, Any]:
        return self._row(record, FAILED if reason in _FAILURES else EMPTY, reason, detail)

    def _row(self, record: Record, status: str, reason: Reason | None, detail: str) -> dict[str, Any]:
        return {
            "source": _clean(record.source),
            "offset": record.offset,
            "url": None if record.url is None else _clean(record.url),
            "http_status": record.http_status,
            "status": status,
            "reason": None if reason is None else reason.value,
            "detail": _clean(detail[:DETAIL_CHARS]),
            "algorithm": self._name,
            "version": VERSION,
            "options": self._options,
            **self._unknown,
        }


def _clean(text: str) -> str:
    """Text that can be written: names of files and headers may hold bytes that are none."""
    return text.encode("utf-8", "replace").decode()
