"""Training and test part of a set of cases."""

from __future__ import annotations

import math
import random
from collections.abc import Sequence

from duramen.train.cases import Case


def split(cases: Sequence[Case], share: float = 0.7, seed: int = 0) -> tuple[list[Case], list[Case]]:
    """`share` of the cases of every language for training, the rest for the test; each part in the order given.

    A language with several cases has at least one in either part.
    """
    if not 0 < share < 1:
        raise ValueError(f"the share for training lies between 0 and 1, not {share}")
    chance = random.Random(seed)
    by_language: dict[str, list[int]] = {}
    for at, case in enumerate(cases):
        by_language.setdefault(case.language or "", []).append(at)
    chosen: set[int] = set()
    for language in sorted(by_language):
        members = by_language[language]
        count = math.floor(share * len(members) + 0.5)
        if len(members) > 1:
            count = min(max(count, 1), len(members) - 1)
        chosen.update(chance.sample(members, count))
    return (
        [case for at, case in enumerate(cases) if at in chosen],
        [case for at, case in enumerate(cases) if at not in chosen],
    )
