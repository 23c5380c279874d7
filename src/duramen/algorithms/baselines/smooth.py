"""A Gaussian blur over a sequence."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray


def blur(values: NDArray[Any], radius: int, deviation: float) -> NDArray[Any]:
    """Each entry as the mean of itself and its neighbours up to `radius` away, weighted exp(-k² / (2·deviation²)).

    At the ends the mean is over the neighbours that are there. The precision of `values` is kept: single precision
    halves the memory of a long sequence.
    """
    count = len(values)
    reach = min(radius, count - 1)
    if reach < 1:
        same: NDArray[Any] = values.copy()
        return same
    weights = np.exp(-0.5 * (np.arange(-reach, reach + 1) / deviation) ** 2)
    weights /= weights.sum()
    blurred: NDArray[Any] = np.convolve(values, weights.astype(values.dtype))[reach : reach + count]
    ends = np.concatenate((np.arange(reach), np.arange(max(reach, count - reach), count)))
    running = np.concatenate(([0.0], np.cumsum(weights)))
    left, right = np.minimum(ends, reach), np.minimum(count - 1 - ends, reach)
    blurred[ends] /= running[reach + right + 1] - running[reach - left]
    return blurred
