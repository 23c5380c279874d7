"""When a page was published, and dates in short texts."""

from __future__ import annotations

import re
from datetime import datetime

import numpy as np

from duramen.metadata.statements import Statements

META = (
    *("article:published_time", "og:published_time", "article:published", "datepublished", "parsely-pub-date"),
    *("sailthru.date", "pubdate", "publishdate", "publish_date", "publish-date", "citation_publication_date"),
    *("dc.date.issued", "dcterms.issued", "dc.date.created", "dcterms.created", "dc.date", "dcterms.date", "date"),
)
LINKED_DATA = ("datePublished", "dateCreated", "uploadDate")
TIMES = 20  # `<time>` elements that are read
ROWS_AFTER, ROWS_BEFORE = 30, 10  # short text rows after and before the first heading where a date may stand
DATE_CHARS = 60  # a longer text is a sentence that mentions a date
_MONTH_NAMES = """
    jan ene gen janv, feb fév fev, mar mär mrz, apr avr abr, may mai mag maj, jun giu juin, jul lug juil, aug aoû ago,
    sep set, oct okt ott out, nov, dec dez déc dic
"""
_MONTHS = {name: number for number, names in enumerate(_MONTH_NAMES.split(","), 1) for name in names.split()}
_YEAR = r"(?P<year>(?:19|20)\d\d)"
_DAY = r"(?P<day>[0-3]?\d)"
_DATES = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"(?<!\d){_YEAR}\s?[-/.年]\s?(?P<month>[01]?\d)\s?[-/.月]\s?{_DAY}(?!\d)日?",
        rf"^{_YEAR}(?P<month>[01]\d)(?P<day>[0-3]\d)(?!\d)",
        rf"(?<!\d){_DAY}\.\s?(?P<month>[01]?\d)\.\s?{_YEAR}(?!\d)",
        rf"(?<!\d){_DAY}(?:st|nd|rd|th|\.|º)?\s+(?:de\s+|of\s+)?(?P<name>[^\W\d_]{{3,10}})\.?,?\s+(?:de\s+)?{_YEAR}(?!\d)",
        rf"\b(?P<name>[^\W\d_]{{3,10}})\.?\s+{_DAY}(?:st|nd|rd|th)?,?\s+{_YEAR}(?!\d)",
    )
)
_HAS_YEAR = re.compile(r"(?:19|20)\d\d")
_MAY_HAVE_YEAR = re.compile(rb"(?:19|20)[\d\x80-\xff]")  # the same before decoding, where digits may be of any script
_CLOCK = re.compile(r"(?:T|\s+)(\d\d?):(\d\d)(?::(\d\d))?(?:[.,]\d+)?\s*(Z|UTC|GMT|[+-]\d\d:?\d\d)?", re.IGNORECASE)


def find_date(said: Statements) -> str | None:
    """When the page was published: as stated, else in `<time>`, else as shown near the first heading."""
    for text in said.all(META):
        if date := iso_date(text):
            return date
    for key in LINKED_DATA if said.linked_data.subjects else ():
        if date := iso_date(said.linked_data.text(key) or ""):
            return date
    return _time_date(said) or _shown_date(said)


def _time_date(said: Statements) -> str | None:
    """The date of the first `<time>`, one marked as that of publication before others."""
    if not said.rows["time"]:
        return None
    times = [said.page.attributes(row) for row in said.rows["time"][:TIMES]]
    times.sort(key=lambda time: not (time.get("itemprop", "").lower() == "datepublished" or "pubdate" in time))
    dates = (iso_date(time.get("datetime", "")) for time in times)
    return next(filter(None, dates), None)


def _shown_date(said: Statements) -> str | None:
    """The first date in a short text after the first heading, else before it."""
    page, headings = said.page, said.rows["h1"]
    if not headings:
        return None
    short = ((page.chars > 5) & (page.chars <= DATE_CHARS)).nonzero()[0]
    heading = int(short.searchsorted(headings[0]))
    after, before = short[heading : heading + ROWS_AFTER], short[max(0, heading - ROWS_BEFORE) : heading]
    rows = np.concatenate((after, before))
    texts = (page.text[start:stop] for start, stop in zip(page.text_at[rows].tolist(), page.text_at[rows + 1].tolist()))
    dates = (iso_date(text.decode("utf-8", "replace")) for text in texts if _MAY_HAVE_YEAR.search(text))
    return next(filter(None, dates), None)


def iso_date(text: str) -> str | None:
    """The date in a short text, with its time if it has one, as ISO 8601; None where there is none that is certain.

    03/04/2024 is a day in March or in April, and so None.
    """
    text = text.strip()[:100]
    if not _HAS_YEAR.search(text):  # most texts have none, and every pattern asks for one
        return None
    for pattern in _DATES:
        found = pattern.search(text)
        if not found:
            continue
        parts = found.groupdict()
        clock = _CLOCK.match(text, found.end())
        try:
            date = datetime(int(parts["year"]), _month(parts), int(parts["day"]))
            if not clock:
                return date.date().isoformat()
            date = date.replace(hour=int(clock[1]), minute=int(clock[2]), second=int(clock[3] or 0))
        except ValueError:
            continue
        return date.isoformat() + _zone(clock[4] or "")
    return None


def _month(parts: dict[str, str]) -> int:
    """The month of a match, by number or by name; 0, which is no month, for any other word."""
    if "month" in parts:
        return int(parts["month"])
    name = parts["name"].lower()
    return _MONTHS.get(name[:4]) or _MONTHS.get(name[:3], 0)


def _zone(text: str) -> str:
    if text.startswith(("+", "-")):
        return f"{text[:3]}:{text[-2:]}"
    return "+00:00" if text else ""
