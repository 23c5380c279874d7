"""Extractors by name: ours with their settings, the rivals, and any function of yours.

`cetd`, `coreex?configuration=R3&threshold=0.8`   an algorithm of ours, with settings
`peer:trafilatura`                               a rival
`my_module:my_function`                          a function (html: bytes, url: str | None) -> str
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from importlib import import_module
from importlib.util import find_spec
from typing import Any

from duramen.algorithms import ALGORITHMS, Algorithm, algorithm
from duramen.bench.rivals import RIVALS
from duramen.errors import InputError, OptionError
from duramen.extract import extract, parse, suited
from duramen.page import Page
from duramen.render import RenderOptions, to_text

Function = Callable[[bytes, "str | None"], str]
PEER = "peer:"


@dataclass(frozen=True, slots=True)
class Extractor:
    """Something that makes text of a page, by the name it was asked for."""

    name: str

    @property
    def ours(self) -> bool:
        """Whether it is one of our algorithms."""
        return ":" not in self.name

    def algorithm(self) -> Algorithm:
        """Our algorithm with its settings."""
        return algorithm(*_settings(self.name))

    def missing(self) -> str | None:
        """What would have to be installed; None when it is there."""
        if self.name.startswith(PEER):
            rival = RIVALS[self.name.removeprefix(PEER)]
            absent = [module for module in rival.modules if not _installed(module)]
            return f'pip install "{rival.package}"' if absent else None
        return None

    def load(self) -> Function:
        """The function that extracts, its packages imported."""
        if self.ours:
            chosen = self.algorithm()
            return lambda html, url: extract(html, url=url, algorithm=chosen).text
        if self.name.startswith(PEER):
            return RIVALS[self.name.removeprefix(PEER)].load()
        module, _, function = self.name.partition(":")
        try:
            found: Function = getattr(import_module(module), function)
        except (ImportError, AttributeError) as problem:
            raise InputError(f"{self.name}: {problem}") from None
        return found


class Ours:
    """Our algorithms on one page after the other: a page is parsed once for all of them."""

    def __init__(self) -> None:
        self._body: bytes | None = None
        self._page: Page | None = None

    def parsed(self, html: bytes) -> Page:
        """The page of these bytes, kept until the next one is asked for."""
        if self._page is None or self._body is not html:
            self._body, self._page = html, parse(html)
        return self._page

    def text(self, chosen: Algorithm, html: bytes, url: str | None) -> str:
        """What `extract` gives for this algorithm."""
        page = suited(self.parsed(html), chosen)
        return to_text(page, chosen.select(page), RenderOptions(url=url))


def extractor(name: str) -> Extractor:
    """The extractor of that name; a wrong name or setting is an error at once, not in the middle of a run."""
    name = name.strip()
    chosen = Extractor(name)
    if name.startswith(PEER):
        if name.removeprefix(PEER) not in RIVALS:
            close = get_close_matches(name.removeprefix(PEER), RIVALS, n=1)
            hint = f"did you mean {PEER}{close[0]}?" if close else f"there are {', '.join(RIVALS)}"
            raise OptionError(f"unknown rival {name!r}: {hint}")
    elif chosen.ours:
        chosen.algorithm()
    return chosen


def extractors(names: Sequence[str]) -> list[Extractor]:
    """The extractors of these names, each once; `ours` stands for all algorithms and `rivals` for all rivals."""
    found: dict[str, Extractor] = {}
    for name in names:
        every = {"ours": list(ALGORITHMS), "rivals": [PEER + rival for rival in RIVALS]}.get(name, [name])
        found |= {each: extractor(each) for each in every}
    return list(found.values())


def _settings(name: str) -> tuple[str, dict[str, object]]:
    name, _, query = name.partition("?")
    options: dict[str, object] = {}
    for pair in filter(None, query.split("&")):
        key, equals, value = pair.partition("=")
        if not equals:
            raise OptionError(f"settings are written {name}?option=value&option=value, not {pair!r}")
        options[key] = value
    return name, options


def _installed(module: str) -> bool:
    try:
        return find_spec(module) is not None
    except (ImportError, ValueError):
        return False


def described(found: Sequence[Extractor]) -> dict[str, Any]:
    """Each extractor with what is missing for it."""
    return {each.name: each.missing() for each in found}
