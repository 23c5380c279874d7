"""Vote: several algorithms together, as Crunch and CombineE did.

They run side by side, and a row of the page is kept when enough of them, any of them or all of them keep it; or one
after the other, each on what the one before has left.

An ensemble stands above the other algorithms, so it alone may look their names up in the table; it knows none of
them by itself.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, ClassVar, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from duramen.algorithms.settings import Algorithm
from duramen.measure import seen_text
from duramen.page import BoolArray, Page, Reason, Selection
from duramen.restrict import restrict

Mode = Literal["vote", "union", "intersection", "serial"]


@dataclass(frozen=True, slots=True)
class Vote:
    """Several algorithms together: by vote, union or intersection of what they keep, or one after the other."""

    paper: ClassVar[str] = (
        "Thomas Gottron: Combining Content Extraction Heuristics: The CombineE System. iiWAS 2008; after Suhit Gupta, "
        "Gail Kaiser, Salvatore Stolfo: Extracting Context to Improve Accuracy for HTML Content Extraction. WWW 2005"
    )

    members: tuple[str | Algorithm, ...] = ("coreex", "cetd", "econ")  # names, or configured algorithms
    mode: Mode = "vote"
    least: int = 2  # votes that keep a row; for mode "vote" only

    def __post_init__(self) -> None:
        if not self.members:
            raise ValueError("members are the names of the algorithms that take part: give at least one")
        if self.mode not in get_args(Mode):
            raise ValueError(f"mode is one of {', '.join(get_args(Mode))}; not {self.mode!r}")
        if self.mode == "vote" and not 1 <= self.least <= len(self.members):
            raise ValueError(f"least is a number of votes from 1 to {len(self.members)}, not {self.least}")
        list(self._members())  # an unknown name is told at once

    def select(self, page: Page) -> Selection:
        """The rows that the members keep together; a text node's score is the share of members that keep it."""
        members = list(self._members())
        found = _one_after_the_other(page, members) if self.mode == "serial" else _side_by_side(page, members)
        votes: NDArray[np.int64] = np.array([each.kept for each in found]).sum(axis=0, dtype=np.int64)
        if self.mode == "serial":
            kept = found[-1].kept.copy()
        else:
            kept = votes >= {"vote": self.least, "union": 1}.get(self.mode, len(members))
        seen = seen_text(page)
        reason = None
        if not (kept & seen).any():
            kept[:] = False
            reason = Reason.NO_CONTENT if seen.any() else Reason.NO_TEXT
        trace: dict[str, Any] = {
            "mode": self.mode,
            "least": self.least if self.mode == "vote" else None,
            "content_chars": _chars(page, kept),
            "agreement": _agreement(page, votes, len(members)),
            "ballots": [
                {
                    "member": each.name,
                    "kept_chars": _chars(page, each.kept),
                    "reason": None if each.reason is None else each.reason.value,
                }
                for each in found
            ],
        }
        columns: dict[str, NDArray[Any]] = {"votes": votes, **{each.name: each.kept for each in found}}
        title = next((each.title for each in found if each.title is not None), None)
        score = np.where(seen, votes / len(members), np.nan)
        return Selection(kept, score, columns, trace, title=title, reason=reason)

    @property
    def reads_scripts(self) -> bool:
        """Whether a member wants the source of scripts and style sheets as text; `extract` sees to that."""
        return any(getattr(chosen, "reads_scripts", False) for _, chosen in self._members())

    def _members(self) -> Iterator[tuple[str, Algorithm]]:
        """Each member under a name of its own."""
        from duramen.algorithms import algorithm, algorithm_name  # late: the table names this class as well

        count: dict[str, int] = {}
        for member in self.members:
            chosen = algorithm(member)
            name = member if isinstance(member, str) else algorithm_name(chosen)
            count[name] = count.get(name, 0) + 1
            yield (name if count[name] == 1 else f"{name} {count[name]}"), chosen


@dataclass(frozen=True, slots=True, eq=False)
class _Ballot:
    """What one member kept, in rows of the whole page."""

    name: str
    kept: BoolArray
    title: int | None
    reason: Reason | None


def _side_by_side(page: Page, members: list[tuple[str, Algorithm]]) -> list[_Ballot]:
    found = [(name, chosen.select(page)) for name, chosen in members]
    return [_Ballot(name, each.kept, each.title, each.reason) for name, each in found]


def _one_after_the_other(page: Page, members: list[tuple[str, Algorithm]]) -> list[_Ballot]:
    """Each member sees the page without what those before it have dropped."""
    ballots = []
    here, rows = page, np.arange(len(page), dtype=np.int32)
    for name, chosen in members:
        found = chosen.select(here)
        kept = np.zeros(len(page), dtype=np.bool_)
        kept[rows[found.kept]] = True
        ballots.append(_Ballot(name, kept, None if found.title is None else int(rows[found.title]), found.reason))
        here, still = restrict(here, found.kept)
        rows = rows[still]
    return ballots


def _agreement(page: Page, votes: NDArray[np.int64], members: int) -> float:
    """Characters that all members keep, as a share of those that any of them keeps."""
    some = _chars(page, votes > 0)
    return _chars(page, votes == members) / some if some else 0.0


def _chars(page: Page, rows: BoolArray) -> int:
    return int(page.chars[rows].sum())
