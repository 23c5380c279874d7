"""Preformatted text: its lines, and the fenced code of Markdown with its language."""

from __future__ import annotations

import itertools
import re

from duramen.page import Page
from duramen.tags import TAG_IDS, TEXT

WRAPPERS = 2  # elements around a <pre> that may name its language

_BACKTICKS = re.compile(r"`{3,}")
_NAME = re.compile(r"([A-Za-z][\w+#.-]{0,30})")
_ON_CODE = re.compile(rf"(?:^|\s)(?:language-|lang-|highlight-source-|highlight-|brush:\s?){_NAME.pattern}")
_ON_WRAPPER = re.compile(rf"(?:^|\s)(?:language-|highlight-source-|highlight-){_NAME.pattern}")
_NO_LANGUAGE = frozenset({"none", "nohighlight", "default", "wrapper", "container", "block", "box", "code", "plain"})


def lines_of(source: str) -> list[str]:
    """The lines of preformatted text: without blanks at their ends, and without empty ones before and after."""
    source = source.replace("\r\n", "\n").replace("\r", "\n").replace("\xa0", " ")
    lines = [line.rstrip() for line in source.split("\n")]
    filled = [at for at, line in enumerate(lines) if line]
    return lines[filled[0] : filled[-1] + 1] if filled else []


def fenced(source: str, name: str) -> list[str]:
    """Fenced code in the language of that name, between more backticks than it holds."""
    fence = "`" * max(map(len, ["``", *_BACKTICKS.findall(source)])) + "`"
    return [fence + name, *lines_of(source), fence]


def language(page: Page, row: int) -> str:
    """The language that a `<pre>`, the `<code>` in it or an element around it names in its classes, or nothing."""
    first = row + 1
    while first < page.end[row] and page.tag[first] == TEXT:
        first += 1
    places = [(row, _ON_CODE)]
    if first < page.end[row] and page.tag[first] == TAG_IDS["code"]:
        places.append((first, _ON_CODE))
    places += [(around, _ON_WRAPPER) for around in itertools.islice(page.ancestors(row), WRAPPERS)]
    for place, pattern in places:
        found = pattern.search(page.attribute(place, "class") or "")
        name = found[1] if found else page.attribute(place, "data-lang") or page.attribute(place, "data-language") or ""
        if name not in _NO_LANGUAGE and _NAME.fullmatch(name):
            return name
    return ""
