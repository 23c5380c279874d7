"""The algorithms, one paper a file or folder, and the table that names them.

An algorithm is a frozen dataclass of settings with one pure method, `select(page) -> Selection`. It knows arrays,
not parsers, files or clocks, and it never changes the page.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from types import MappingProxyType
from typing import Any, cast

from duramen.algorithms.baselines import Bte, Ccb, Cetr, Dsc, Fe, Kfe, Lqf
from duramen.algorithms.cetd import Cetd
from duramen.algorithms.chinese import BlogZh, ForumZh, NewsZh
from duramen.algorithms.coreex import CoreEx
from duramen.algorithms.econ import Econ
from duramen.algorithms.everything import Everything
from duramen.algorithms.learned import Learned
from duramen.algorithms.pso import Pso
from duramen.algorithms.settings import Algorithm, Setting, configure, settings
from duramen.algorithms.vote import Vote

ALGORITHMS: Mapping[str, type[Algorithm]] = MappingProxyType(
    {
        "coreex": CoreEx,
        "cetd": Cetd,
        "econ": Econ,
        "pso": Pso,
        "news-zh": NewsZh,
        "blog-zh": BlogZh,
        "forum-zh": ForumZh,
        "bte": Bte,
        "ccb": Ccb,
        "cetr": Cetr,
        "dsc": Dsc,
        "fe": Fe,
        "kfe": Kfe,
        "lqf": Lqf,
        "vote": Vote,
        "everything": Everything,
        "learned": Learned,
    }
)
"""Every algorithm by name."""
_NAMES: dict[Any, str] = {kind: name for name, kind in ALGORITHMS.items()}

DEFAULT = "learned"
"""What `algorithm="default"` stands for; docs/decisions/ says why."""


def algorithm(chosen: str | Algorithm = "default", options: Mapping[str, object] | None = None) -> Algorithm:
    """The algorithm of that name with these settings; an algorithm object is passed through."""
    if not options:
        if type(chosen) in _NAMES:
            return cast(Algorithm, chosen)
        if isinstance(chosen, str):
            return _plain(chosen)
    return configure(ALGORITHMS, DEFAULT, chosen, options or {})


@cache
def _plain(name: str) -> Algorithm:
    """The algorithm of that name with its own settings."""
    return configure(ALGORITHMS, DEFAULT, name, {})


def algorithm_name(chosen: Algorithm) -> str:
    """The name of an algorithm in the table; its class name when it is not in it."""
    kind = type(chosen)
    return _NAMES.get(kind, kind.__name__)


__all__ = ["ALGORITHMS", "DEFAULT", "Algorithm", "Setting", "algorithm", "algorithm_name", "settings"]
