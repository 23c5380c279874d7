"""How alike two texts are: cosine of their term frequencies times the ratio of their lengths (§3.5.2)."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

_TERM = re.compile(r"[^\W_]{2,}")


def terms(text: str, *, lower: bool = True) -> list[str]:
    """The words of more than one character."""
    return _TERM.findall(text.lower() if lower else text)


def similarity(one: str, other: str, *, lower: bool = True) -> float:
    """sim = δ · cos, from 0 to 1; 1 for two texts without terms, 0 when only one has none."""
    first, second = Counter(terms(one, lower=lower)), Counter(terms(other, lower=lower))
    dot = sum(count * second[term] for term, count in first.items())
    found = similarities(
        np.array([dot]),
        np.array([sum(count * count for count in first.values())]),
        np.array([first.total()]),
        sum(count * count for count in second.values()),
        second.total(),
    )
    return float(found[0])


def similarities(
    dot: NDArray[np.number],
    square: NDArray[np.number],
    length: NDArray[np.number],
    gold_square: float,
    gold_length: int,
) -> NDArray[np.float64]:
    """The same for many texts against one, from their inner products, squared norms and numbers of terms."""
    if not gold_length:
        return np.where(length == 0, 1.0, 0.0)
    some = np.maximum(length, 1)
    ratio = np.minimum(some / gold_length, gold_length / some)
    # Equal texts have exactly 1: the root of a product of equal whole numbers is exact.
    cosine = dot / np.sqrt(np.maximum(square, 1).astype(np.float64) * float(gold_square))
    return np.where(length == 0, 0.0, np.minimum(ratio * cosine, 1.0))


def agreement(pairs: Iterable[tuple[str, str]]) -> tuple[float, int]:
    """The mean similarity of two labellings of the same pages, and how many pages there are."""
    scores = [similarity(one, other) for one, other in pairs]
    return (float(np.mean(scores)) if scores else float("nan")), len(scores)
