"""Which words of a page are in its gold text: the longest common subsequence, by rows of bits."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray


def align(words: Sequence[str], gold: Sequence[str]) -> NDArray[np.bool_]:
    """Which of the words belong to a longest common subsequence with the gold.

    Bit j of a row is 0 where the subsequence grows with gold word j. One whole number holds a row, so that a step
    costs a few operations however long the gold is; only words that the gold has make a row.
    """
    places: dict[str, int] = {}
    for j, word in enumerate(gold):
        places[word] = places.get(word, 0) | 1 << j
    every = (1 << len(gold)) - 1
    at = [i for i, word in enumerate(words) if word in places]
    rows = [every]
    for i in at:
        row = rows[-1]
        matches = row & places[words[i]]
        rows.append(((row + matches) | (row - matches)) & every)

    aligned = np.zeros(len(words), dtype=np.bool_)
    k, j = len(at), len(gold)
    while k and j:
        bit = 1 << (j - 1)
        if rows[k] & bit:  # no growth with this gold word
            j -= 1
        elif rows[k - 1] & bit:  # it grew with this very word of the page
            aligned[at[k - 1]] = True
            k -= 1
            j -= 1
        else:  # an earlier word of the page will do
            k -= 1
    return aligned
