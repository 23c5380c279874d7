"""PSO in the order of its steps: textblocks.py, linguistic.py and speech.py count, algorithm.py judges."""

from duramen.algorithms.pso.algorithm import (
    BOUNDS,
    FEATURES,
    FORMATTING,
    LISTS,
    SPEECH_FEATURES,
    STRUCTURING,
    Feature,
    Measured,
    Pso,
    measure,
)

__all__ = [
    "BOUNDS",
    "FEATURES",
    "FORMATTING",
    "LISTS",
    "SPEECH_FEATURES",
    "STRUCTURING",
    "Feature",
    "Measured",
    "Pso",
    "measure",
]
