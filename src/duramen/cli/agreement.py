"""Several algorithms on one page: how much each took, how long it needed, how far they agree."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from difflib import unified_diff
from time import perf_counter
from typing import Any

from duramen.algorithms import Algorithm
from duramen.algorithms.everything import Everything
from duramen.errors import InputError
from duramen.extract import extract
from duramen.page import Reason
from duramen.parse.characters import CJK_RANGES

MOST_DIFF_LINES = 20_000  # Python's diff takes quadratic time, some seconds for as many
RUNS = 3  # the best time counts …
TIMED_SECONDS = 0.3  # … but nobody waits much longer than this for it

_CJK = "".join(f"{chr(first)}-{chr(stop - 1)}" for first, stop in CJK_RANGES)
_WORD = re.compile(rf"[{_CJK}]|[^\W{_CJK}]+")  # a CJK character is a word


@dataclass(frozen=True, slots=True)
class Outcome:
    """What one algorithm made of the page."""

    text: str
    words: Counter[str]  # how often each occurs
    seconds: float  # the whole way from bytes to text, the best of some runs
    reason: Reason | None


@dataclass(frozen=True, slots=True)
class Comparison:
    """What each algorithm made of the page."""

    page_words: int  # of all visible text
    outcomes: Mapping[str, Outcome]

    def share(self, name: str) -> float:
        """The part of the page's words that an algorithm took."""
        return self.outcomes[name].words.total() / self.page_words if self.page_words else 0.0

    def agreement(self, one: str, other: str) -> float:
        """F1 of the words that two algorithms took, whatever their order; 1 when both took none."""
        first, second = self.outcomes[one].words, self.outcomes[other].words
        both = first.total() + second.total()
        return 2 * (first & second).total() / both if both else 1.0

    def difference(self, one: str, other: str) -> str:
        """A unified diff from one algorithm's lines to the other's."""
        before, after = (self.outcomes[name].text.splitlines() for name in (one, other))
        if len(before) + len(after) > MOST_DIFF_LINES:
            raise InputError(
                f"the texts have {len(before):,} and {len(after):,} lines, too many to set against each other here: "
                "extract them into files and use a diff program"
            )
        return "".join(f"{line}\n" for line in unified_diff(before, after, one, other, lineterm=""))

    def to_dict(self, *, texts: bool = True) -> dict[str, Any]:
        """Everything, ready for JSON."""
        figures = {
            name: {
                "characters": len(outcome.text),
                "words": outcome.words.total(),
                "share": round(self.share(name), 4),
                "seconds": round(outcome.seconds, 6),
                "reason": None if outcome.reason is None else outcome.reason.value,
                "agreement": {other: round(self.agreement(name, other), 4) for other in self.outcomes},
            }
            | ({"text": outcome.text} if texts else {})
            for name, outcome in self.outcomes.items()
        }
        return {"page_words": self.page_words, "algorithms": figures}


def run_all(body: bytes, url: str | None, charset: str | None, chosen: Mapping[str, Algorithm]) -> Comparison:
    """Run every algorithm on a page."""
    # The shares are of all visible text.
    page_words = _run(body, url, charset, Everything()).words.total()
    return Comparison(page_words, {name: _run(body, url, charset, each) for name, each in chosen.items()})


def _run(body: bytes, url: str | None, charset: str | None, chosen: Algorithm) -> Outcome:
    times: list[float] = []
    while len(times) < RUNS and sum(times) < TIMED_SECONDS:
        started = perf_counter()
        result = extract(body, url=url, charset=charset, algorithm=chosen)
        text = result.text
        times.append(perf_counter() - started)
    return Outcome(text, Counter(_WORD.findall(text)), min(times), result.reason)
