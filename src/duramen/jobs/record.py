"""One page of an archive as it was read."""

from __future__ import annotations

from dataclasses import dataclass

from duramen.page import Reason


@dataclass(frozen=True, slots=True)
class Record:
    """A page, or the place where one should have been."""

    source: str  # the file or URL that it came from, as it was named
    body: bytes = b""
    offset: int | None = None  # where in the source: byte, or row of a table; None where the source is the page
    url: str | None = None
    charset: str | None = None  # as the transport stated it
    http_status: int | None = None
    problem: Reason | None = None  # why there is no body
    detail: str = ""  # more on the problem, for people
