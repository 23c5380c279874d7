"""What a job does with each page: plain data that travels to workers and into the journal."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from hashlib import sha256
from typing import Any

from duramen.algorithms import Algorithm, algorithm, algorithm_name
from duramen.errors import OptionError
from duramen.pool import Budget
from duramen.pool.within import FORMATS

MAX_BYTES = 20 << 20  # of a page
STATED = ("title", "author", "date", "site", "language")
"""Columns of what pages say of themselves."""
COLUMNS = (
    *("source", "offset", "url", "http_status", "status", "reason", "detail", "algorithm", "version", "options"),
    *("encoding", *STATED, "confidence", "page_type"),
)
"""Columns before those of the renderings."""
SECONDS = "seconds"


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
    columns: tuple[str, ...] = ()  # the only ones that are wanted, and computed; none: all
    templates: str | None = None  # what sites repeat, as JSON of `SiteTemplates`: it is taken out of selections

    def __post_init__(self) -> None:
        unknown = set(self.formats) - set(FORMATS)
        if unknown:
            raise OptionError(f"unknown format {min(unknown)!r}: the formats are {', '.join(FORMATS)}")
        there = (*COLUMNS, *self.formats, *((SECONDS,) if self.timings else ()))
        unknown = set(self.columns) - set(there)
        if unknown:
            raise OptionError(f"no column {min(unknown)!r}: the columns are {', '.join(there)}")

    @classmethod
    def of_columns(cls, columns: Sequence[str], **others: Any) -> Settings:
        """Settings that give these columns, whatever it takes to compute them."""
        unknown = set(columns) - {*COLUMNS, *FORMATS, SECONDS}
        if unknown:
            raise OptionError(f"no column {min(unknown)!r}: there are {', '.join((*COLUMNS, *FORMATS, SECONDS))}")
        return cls(
            columns=tuple(dict.fromkeys(columns)),
            formats=tuple(name for name in FORMATS if name in columns),
            page_types="page_type" in columns,
            timings=SECONDS in columns,
            **others,
        )

    def wants(self, column: str) -> bool:
        """Whether the results have a column."""
        return not self.columns or column in self.columns

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
