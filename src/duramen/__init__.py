"""duramen: the main content of web pages.

>>> import duramen
>>> duramen.extract("<body><p>Rain is coming, say the forecasters. Take a coat.</p></body>", algorithm="econ").text
'Rain is coming, say the forecasters. Take a coat.'
"""

from duramen.algorithms import ALGORITHMS, Algorithm, algorithm
from duramen.decode import Decoded, decode
from duramen.errors import (
    DuramenError,
    FetchError,
    InputError,
    InputTooLarge,
    MissingExtra,
    ModelError,
    OptionError,
    UnknownAlgorithm,
)
from duramen.explain import Explanation, explain
from duramen.extract import Extraction, extract, parse
from duramen.metadata import Metadata
from duramen.page import Blocks, Page, Part, RawText, Reason, Selection
from duramen.version import VERSION

__version__ = VERSION

__all__ = [
    "ALGORITHMS",
    "Algorithm",
    "Blocks",
    "Decoded",
    "DuramenError",
    "Explanation",
    "Extraction",
    "FetchError",
    "InputError",
    "InputTooLarge",
    "Metadata",
    "MissingExtra",
    "ModelError",
    "OptionError",
    "Page",
    "Part",
    "RawText",
    "Reason",
    "Selection",
    "UnknownAlgorithm",
    "__version__",
    "algorithm",
    "decode",
    "explain",
    "extract",
    "parse",
]
