"""Who wrote a page."""

from __future__ import annotations

import re
from collections.abc import Iterator

from duramen.metadata.statements import Statements
from duramen.metadata.text import TITLE_CHARS, first_rows, one_line
from duramen.page import Page
from duramen.tags import TEXT

META = (
    *("author", "article:author", "article:author_name", "dc.creator", "dcterms.creator", "citation_author"),
    *("parsely-author", "sailthru.author", "byl"),
)
NAME_CHARS = 60  # a longer text of an element is no name
PLACES = 200  # of one word among all attributes that are looked at
_BY = re.compile(
    r"(?:(?:written|posted|published|reviewed|words|story|text|view all posts)\s+)?"
    r"(?:by|von|por|par|author|autor|auteur|作者)(?![^\W\d_])\s*[:：]?\s*|作者[:：]?\s*|[:：|/·•–—-]+\s*",
    re.IGNORECASE,
)
_NO_NAME = re.compile(r"://|@|\d{3}|^(?:admin|editor|staff|guest|about|share|follow|contact)s?$|^.$", re.IGNORECASE)
_AUTHOR_CLASS = re.compile(rb"(?:^|[\s_-])(?:author|byline)(?:[_-]*(?:name|link|title|text))?(?:$|\s)", re.IGNORECASE)


def find_author(said: Statements, site: str | None) -> str | None:
    """Who wrote the page: names in JSON-LD, in `<meta>`, then the first element marked as the author's name."""
    for names in (said.linked_data.names("author"), said.all(META)):
        people = [name for text in names if (name := _person(text)) and name != site]
        if people:
            return ", ".join(dict.fromkeys(people))[:TITLE_CHARS]
    return _marked_author(said.page)


def _marked_author(page: Page) -> str | None:
    for row in _author_rows(page):
        for at in first_rows(page, row):
            if page.tag[at] == TEXT and (name := _person(page.text_of(at))) and len(name) <= NAME_CHARS:
                return name
    return None


def _person(text: str) -> str | None:
    """The name in a text such as `Written by: Ada Miller`; None where it is no name."""
    name = one_line(text)
    while name and (found := _BY.match(name)):
        name = name[found.end() :]
    return None if not name or _NO_NAME.search(name) else name


def _author_rows(page: Page) -> Iterator[int]:
    """Elements marked as an author's name: `rel` and `itemprop` first, then class names."""
    by_class = []
    for row, name, value in _author_attributes(page):
        if name in (b"rel", b"itemprop") and b"author" in value.split():
            yield row
        elif name == b"class" and _AUTHOR_CLASS.search(value):
            by_class.append(row)
    yield from by_class


def _author_attributes(page: Page) -> Iterator[tuple[int, bytes, bytes]]:
    """Row, name and value of attributes whose value holds `author` or `byline`.

    Looked up in the buffer of all attributes, which is much faster than element by element.
    """
    for word in (b"author", b"byline"):
        for at in _places(page.attrs, word):
            number = int(page.attr_value_at.searchsorted(at, side="right")) - 1
            if number < 0:
                continue  # in the name of the first attribute
            start, value_at, stop = page.attr_name_at[number], page.attr_value_at[number], page.attr_name_at[number + 1]
            if at < stop:  # else in the name of the next one
                row = int(page.attr_at.searchsorted(number, side="right")) - 1
                yield row, page.attrs[start:value_at], page.attrs[value_at:stop]


def _places(buffer: bytes, word: bytes) -> Iterator[int]:
    at = buffer.find(word)
    for _ in range(PLACES):
        if at < 0:
            return
        yield at
        at = buffer.find(word, at + len(word))
