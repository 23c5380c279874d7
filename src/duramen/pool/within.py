"""Extraction within limits of time and memory, from any thread: the library's `extract(…, timeout=…)`."""

from __future__ import annotations

import atexit
import os
import threading
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from duramen.algorithms import Algorithm
from duramen.algorithms import algorithm as configured
from duramen.decode import Decoded
from duramen.errors import InputTooLarge, OptionError
from duramen.extract import HiddenMode, extract
from duramen.metadata import Metadata
from duramen.page import Reason
from duramen.pool.outcome import Budget, Outcome
from duramen.pool.pool import Pool
from duramen.version import VERSION

FORMATS = ("text", "markdown", "html", "standard")
MAX_BYTES = 64 << 20
"""Largest page."""
GARBLED = 0.3  # of a page's bytes may be replacement characters; beyond that it was never text in any encoding we know


@dataclass(frozen=True, slots=True)
class Extracted:
    """What was taken from a page, as plain data."""

    text: str = ""
    markdown: str | None = None  # None: not asked for, here and below
    html: str | None = None
    standard: str | None = None
    parts: tuple[tuple[str, str], ...] = ()
    metadata: Metadata = field(default_factory=Metadata)
    algorithm: str = ""
    encoding: str | None = None
    confidence: float | None = None
    page_type: str | None = None  # None: not asked for
    flags: tuple[str, ...] = ()
    reason: Reason | None = None  # why the text is empty
    detail: str = ""  # more on the reason, for people
    seconds: float = 0.0  # that it took
    version: str = VERSION

    @property
    def title(self) -> str | None:
        """The page's title."""
        return self.metadata.title

    @property
    def language(self) -> str | None:
        """The page's language as a BCP 47 tag."""
        return self.metadata.language


def extract_within(
    source: str | bytes,
    *,
    seconds: float | None = 10.0,
    memory: int | None = 1 << 30,
    max_bytes: int = MAX_BYTES,
    formats: Collection[str] = ("text", "markdown", "html"),
    url: str | None = None,
    charset: str | None = None,
    algorithm: str | Algorithm = "default",
    options: Mapping[str, object] | None = None,
    comments: bool | None = None,
    hidden: HiddenMode | None = None,
    page_type: bool = False,
    links: bool = True,
    images: bool = True,
    tables: bool = True,
    formatting: bool = True,
) -> Extracted:
    """The main content of a web page, or a reason why there is none, within `seconds` and `memory` bytes.

    `formats` are the renderings to make, `page_type` asks for the kind of page, which takes time; the other
    arguments are those of `extract`. The work is done by killable processes that all callers share; they start
    with the first call. Unusable arguments raise as they do in `extract`; whatever the page does, it does not raise:
    `reason` says so.
    """
    chosen = configured(algorithm, options)
    unknown = set(formats) - set(FORMATS)
    if unknown:
        raise OptionError(f"unknown format {min(unknown)!r}: the formats are {', '.join(FORMATS)}")
    if hidden not in (None, "drop", "flag", "keep"):
        raise OptionError(f'hidden is "drop", "flag" or "keep", not {hidden!r}')
    if len(source) > max_bytes:
        return Extracted(reason=Reason.TOO_LARGE, detail=f"{len(source):,} bytes, the limit is {max_bytes:,}")
    arguments: dict[str, object] = {"url": url, "charset": charset, "algorithm": chosen}
    arguments |= {"comments": comments, "hidden": hidden}
    arguments |= {"links": links, "images": images, "tables": tables, "formatting": formatting}
    payload = (source, (*formats, *(("page_type",) if page_type else ())), arguments)
    outcome = _pool().submit(payload, budget=Budget(seconds, memory)).result()
    return _result(outcome)


def extracted(payload: tuple[str | bytes, tuple[str, ...], dict[str, Any]]) -> Extracted:
    """The worker's side: a page, what is wanted of it and arguments of `extract` in, plain data out."""
    source, wanted, arguments = payload
    try:
        result = extract(source, **arguments)
    except InputTooLarge as problem:
        return Extracted(reason=Reason.TOO_LARGE, detail=str(problem))
    if is_garbled(result.decoded):
        return Extracted(algorithm=result.algorithm, encoding=result.encoding, reason=Reason.ENCODING)
    rendered: dict[str, Any] = {name: getattr(result, name) for name in wanted}
    return Extracted(
        **rendered,
        parts=result.parts,
        metadata=result.metadata,
        algorithm=result.algorithm,
        encoding=result.encoding,
        confidence=result.confidence,
        flags=result.selection.flags,
        reason=result.reason,
    )


def is_garbled(decoded: Decoded) -> bool:
    """Whether so much of a page could not be read that what is left is no text."""
    return decoded.errors * 3 > GARBLED * len(decoded.utf8)


def _result(outcome: Outcome[Extracted]) -> Extracted:
    if outcome.value is not None:
        return replace(outcome.value, seconds=outcome.seconds)
    assert outcome.reason is not None
    return Extracted(reason=Reason(outcome.reason.value), detail=outcome.detail, seconds=outcome.seconds)


_shared: Pool[Any, Extracted] | None = None
_lock = threading.Lock()


def _pool() -> Pool[Any, Extracted]:
    """The pool that all callers share, started when it is first needed."""
    global _shared
    with _lock:
        if _shared is None:
            _shared = Pool(extracted)
        return _shared


@atexit.register
def _end() -> None:
    if _shared is not None:
        _shared.close(wait=False)


def _forget() -> None:
    """In a forked child there are no threads and no workers of ours: start anew when asked."""
    global _shared, _lock
    _shared, _lock = None, threading.Lock()


os.register_at_fork(after_in_child=_forget)
