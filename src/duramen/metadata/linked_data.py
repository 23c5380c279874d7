"""What a page says of itself in JSON-LD scripts."""

from __future__ import annotations

import dataclasses
import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from html import unescape
from typing import Any

from duramen.metadata.text import one_line
from duramen.page import Page

# What is read at most, so that no page can make this slow.
JSON_BYTES = 1 << 18  # of one script
JSON_OBJECTS = 200  # of all of them
NAMES = 10  # of people or organisations in one list
KINDS = 5  # of one object

Object = Mapping[str, Any]

# Objects about the page's subject, the first kind preferred. Others (breadcrumbs, organisations …) say nothing of it.
_ARTICLE = re.compile(r"article|posting|report|recipe|review|episode|howto", re.IGNORECASE)
_SUBJECT = re.compile(r"page|product|creativework|videoobject|event|book|course|software", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class LinkedData:
    """The page's JSON-LD: objects about its subject, all objects by id, and the name of the site."""

    subjects: tuple[Object, ...] = ()
    by_id: Mapping[str, Object] = dataclasses.field(default_factory=dict)
    site: str | None = None

    def value(self, key: str) -> Any:
        """What the first subject that has something under `key` has there."""
        for subject in self.subjects:
            if subject.get(key):
                return subject[key]
        return None

    def text(self, key: str) -> str | None:
        """The value of `key` where it is text."""
        value = self.value(key)
        return unescape(value) if isinstance(value, str) else None

    def address(self, key: str) -> str | None:
        """An address, which may be given as text, an object, a reference or a list of these."""
        value = self.value(key)
        value = value[0] if isinstance(value, list) else value
        if isinstance(value, dict):
            value = self.by_id.get(str(value.get("@id")), value)
            value = value.get("url") or value.get("contentUrl")
        return value if isinstance(value, str) else None

    def names(self, key: str) -> list[str]:
        """The names of people or organisations, which may be given as text, objects, references or lists of these."""
        value = self.value(key)
        if value is None:
            return []
        found = []
        for item in value[:NAMES] if isinstance(value, list) else [value]:
            if isinstance(item, dict):
                item = item.get("name") or self.by_id.get(str(item.get("@id")), {}).get("name")
            if isinstance(item, list) and item:
                item = item[0]
            if isinstance(item, str) and (name := one_line(unescape(item))):
                found.append(name)
        return found


NOTHING_SAID = LinkedData()


def read_linked_data(page: Page, scripts: list[int]) -> LinkedData:
    """Read the JSON-LD in the scripts of these rows."""
    objects = [(_kind(item), item) for item in _objects(page, scripts)]
    if not objects:
        return NOTHING_SAID
    articles = [item for kind, item in objects if _ARTICLE.search(kind)]
    others = [item for kind, item in objects if not _ARTICLE.search(kind) and _SUBJECT.search(kind)]
    data = LinkedData((*articles, *others), {str(item["@id"]): item for _, item in objects if "@id" in item})
    sites = [item["name"] for kind, item in objects if kind == "WebSite" and isinstance(item.get("name"), str)]
    names = data.names("publisher") or sites
    return dataclasses.replace(data, site=one_line(unescape(names[0])) if names else None)


def _objects(page: Page, scripts: list[int]) -> Iterator[Object]:
    """The objects of all JSON-LD scripts, graphs unfolded; a script that does not parse is skipped."""
    count = 0
    for row in scripts:
        source = page.utf8_of(row)
        try:
            waiting = [json.loads(source, strict=False)] if len(source) <= JSON_BYTES else []
        except (ValueError, RecursionError):
            continue
        while waiting and count < JSON_OBJECTS:
            item = waiting.pop()
            if isinstance(item, list):
                waiting += reversed(item[:JSON_OBJECTS])
            elif isinstance(item, dict):
                count += 1
                yield item
                waiting += [item[key] for key in ("mainEntity", "@graph") if key in item]


def _kind(item: Object) -> str:
    kind = item.get("@type")
    return " ".join(map(str, kind[:KINDS])) if isinstance(kind, list) else str(kind)
