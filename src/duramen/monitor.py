"""Following names across pages: how often each stands in the content, and how often only in what is around it.

That is what the PSO paper's authors built their system for: a page about one company that links to news of another is
no coverage of the other.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from duramen import render
from duramen.algorithms import Algorithm
from duramen.algorithms import algorithm as configured
from duramen.algorithms.everything import Everything
from duramen.extract import extract
from duramen.page import Reason


@dataclass(frozen=True, slots=True)
class Coverage:
    """What a page says, and whom it names."""

    name: str  # of the page
    text: str  # its content
    language: str | None
    mentions: Mapping[str, int]  # how often each name stands in the content
    around: Mapping[str, int]  # … and elsewhere on the page
    reason: Reason | None  # why there is no content


def monitor(
    pages: Iterable[tuple[str, str | bytes]],
    names: Sequence[str],
    *,
    algorithm: str | Algorithm = "pso",
    options: Mapping[str, object] | None = None,
) -> Iterator[Coverage]:
    """The content of each of many pages, its language, and the mentions of names; whole words in any letter case."""
    chosen = configured(algorithm, options)
    patterns = {name: _pattern(name) for name in names}
    for page, source in pages:
        result = extract(source, algorithm=chosen)
        whole = render.to_text(result.page, Everything().select(result.page))
        mentions = {name: len(pattern.findall(result.text)) for name, pattern in patterns.items()}
        around = {name: max(len(pattern.findall(whole)) - mentions[name], 0) for name, pattern in patterns.items()}
        language = result.selection.trace.get("language") or result.language
        yield Coverage(page, result.text, language, mentions, around, result.reason)


def _pattern(name: str) -> re.Pattern[str]:
    words = name.split()
    if not words:
        raise ValueError("a name to look for is empty")
    return re.compile(r"(?<!\w)" + r"\s+".join(map(re.escape, words)) + r"(?!\w)", re.IGNORECASE)
