"""What a job does with each page: plain data that travels to workers and into the journal."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from hashlib import sha256
from typing import Any

from duramen.algorithms import Algorithm, algorithm, algorithm_name
from duramen.errors import OptionError
from duramen.pool import Budget
from duramen.pool.within import FORMATS

MAX_BYTES = 20 << 20  # of a page


@dataclass(frozen=True, slots=True)
class Settings:
    """How pages are extracted, and which columns their results have."""

    algorithm: str = "default"
    options: tuple[tuple[str, object], ...] = ()  # of the algorithm
    formats: tuple[str, ...] = ("text",)
    links: bool = True
    images: bool = True
    tables: bool = True
    formatting: bool = True
    max_bytes: int = MAX_BYTES
    budget: Budget = field(default_factory=Budget)
    page_types: bool = False  # whether the kind of each page is told: it takes time
    timings: bool = False  # a column of seconds, which no two runs have in common
    templates: str | None = None  # what sites repeat, as JSON of `SiteTemplates`: it is taken out of selections

    def __post_init__(self) -> None:
        unknown = set(self.formats) - set(FORMATS)
        if unknown:
            raise OptionError(f"unknown format {min(unknown)!r}: the formats are {', '.join(FORMATS)}")

    def configured(self) -> Algorithm:
        """The algorithm with its options; raises where there is no such thing."""
        return algorithm(self.algorithm, dict(self.options))

    def algorithm_name(self) -> str:
        """The algorithm's own name, where `default` was asked for."""
        return algorithm_name(self.configured())

    def switches(self) -> Mapping[str, bool]:
        """What renderings show, as `extract` takes it."""
        return {
            "links": self.links,
            "images": self.images,
            "tables": self.tables,
            "formatting": self.formatting,
        }

    def described(self) -> dict[str, Any]:
        """What must be the same when a job goes on."""
        digest = None if self.templates is None else sha256(self.templates.encode()).hexdigest()
        return asdict(self) | {"options": self.stated(), "templates": digest}

    def stated(self) -> str:
        """The options that are not as they would be anyway, as JSON: provenance for the results."""
        changed: dict[str, object] = {name: shown for name, shown in self.switches().items() if not shown}
        return json.dumps({**dict(self.options), **changed}, ensure_ascii=False, sort_keys=True, default=str)
