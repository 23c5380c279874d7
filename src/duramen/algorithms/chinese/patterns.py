"""Lists of regular expressions as settings: compiled once, checked, and tried together."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

# What has another meaning, or none, inside a longer pattern: references to groups, named groups, flags.
_UNMIXABLE = re.compile(r"\\[1-9]|\(\?(?:P|\(|[aiLmsux-]+[:)])")


@dataclass(frozen=True, slots=True)
class Patterns:
    """Regular expressions that are tried one after the other; letter case does not matter."""

    each: tuple[re.Pattern[str], ...]
    together: re.Pattern[str] | None  # all in one, which is faster; None where that could mean something else
    whole: bool  # a text has to match as a whole, not only begin with a match

    def first(self, text: str) -> str | None:
        """The first pattern that the text matches, as it was given."""
        if self.together is not None and not self._matches(self.together, text):
            return None
        return next((pattern.pattern for pattern in self.each if self._matches(pattern, text)), None)

    def _matches(self, pattern: re.Pattern[str], text: str) -> bool:
        return (pattern.fullmatch(text) if self.whole else pattern.match(text)) is not None


@lru_cache(maxsize=64)
def compile_patterns(sources: tuple[str, ...], *, whole: bool) -> Patterns:
    """Patterns that a text has to begin with, or match as a `whole`; ValueError names the one that is none."""
    each = []
    for source in sources:
        try:
            each.append(re.compile(source, re.IGNORECASE))
        except re.error as error:
            raise ValueError(f"{source!r} is no regular expression: {error}") from None
    mixable = bool(sources) and not any(_UNMIXABLE.search(source) for source in sources)
    together = re.compile("|".join(f"(?:{source})" for source in sources), re.IGNORECASE) if mixable else None
    return Patterns(tuple(each), together, whole)
