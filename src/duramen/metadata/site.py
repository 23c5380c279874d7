"""The name of the site, and titles without it."""

from __future__ import annotations

import re
from itertools import pairwise

from duramen.metadata.addresses import split_url
from duramen.metadata.statements import Statements
from duramen.metadata.text import key_of, one_line, words_of

META = ("og:site_name", "application-name", "dc.publisher", "apple-mobile-web-app-title")
NAME_WORDS = 5  # a longer segment of a title is no name of a site
NAME_CHARS = 4  # a shorter name is part of many words

SEPARATOR = re.compile(r"\s+(?:[-–—•·›‹/~:]|::|--)\s+|\s*(?:[|｜»«]+|::)\s*|_+")
"""What stands between the segments of a title, of which one may name the site."""


def find_site(said: Statements) -> str | None:
    """The name of the site: in `<meta>`, else the publisher or site in JSON-LD."""
    return one_line(said.first(META)) or said.linked_data.site


def site_keys(site: str | None, url: str | None) -> frozenset[str]:
    """The keys by which a site may be named: its name, its host and the parts of that but the last."""
    _, authority, _, _ = split_url(url or "")
    host = authority.rpartition("@")[2].partition(":")[0].lower().removeprefix("www.")
    return frozenset(map(key_of, (site or "", host, *host.split(".")[:-1]))) - {""}


def without_site(title: str, site: frozenset[str]) -> str:
    """The title without segments at either end that name the site."""
    gaps = [(0, 0), *(found.span() for found in SEPARATOR.finditer(title)), (len(title), len(title))]
    segments = [(before[1], after[0]) for before, after in pairwise(gaps)]
    while len(segments) > 1 and _names_site(title[slice(*segments[-1])], site):
        segments.pop()
    while len(segments) > 1 and key_of(title[slice(*segments[0])]) in site:
        segments.pop(0)
    return title[segments[0][0] : segments[-1][1]].strip() or title


def _names_site(segment: str, site: frozenset[str]) -> bool:
    """`Example News` on example.com, `Example` of `The Example`: one holds the other."""
    key = key_of(segment)
    if key in site or len(words_of(segment)) > NAME_WORDS:
        return key in site
    return any(min(len(key), len(name)) >= NAME_CHARS and (key in name or name in key) for name in site)
