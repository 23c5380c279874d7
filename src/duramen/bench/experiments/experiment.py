"""What an experiment is: data in, tables and figures out."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from duramen.algorithms import ALGORITHMS
from duramen.bench.datasets import Dataset, load
from duramen.bench.figures import Figure
from duramen.bench.gold import GoldPage
from duramen.bench.metrics.words import Tokens
from duramen.bench.tables import Table
from duramen.bench.workers import Broken, Task, work
from duramen.errors import InputError


@dataclass(frozen=True, slots=True)
class Setting:
    """What an experiment is run on."""

    paths: Mapping[str, Path]
    sample: int | None = None  # pages of each data set; None: as many as the experiment takes by itself
    seed: int = 0
    workers: int = 2
    layout: str | None = None
    asked: bool = False  # the data sets were named: take these, whatever the experiment would take

    def datasets(self, preferred: Sequence[str], sample: int | None) -> list[Dataset]:
        """The data sets of the experiment that are there; all there are where none of them is."""
        names = [name for name in preferred if name in self.paths and not self.asked] or list(self.paths)
        size = self.sample or sample
        found = [load(self.paths[name], layout=self.layout, sample=size, seed=self.seed) for name in names]
        return [dataset for dataset in found if any(page.text is not None for page in dataset.pages)]

    def pages(self, preferred: Sequence[str], sample: int | None) -> list[GoldPage]:
        """Their pages with a gold text."""
        found = [
            page for dataset in self.datasets(preferred, sample) for page in dataset.pages if page.text is not None
        ]
        if not found:
            raise InputError("none of the data sets has a gold text")
        return found


@dataclass(frozen=True, slots=True)
class Finding:
    """What came out."""

    tables: tuple[Table, ...]
    figures: tuple[Figure, ...] = ()
    about: str = ""  # which pages, and anything else that has to be known to read the tables


@dataclass(frozen=True, slots=True)
class Experiment:
    """An experiment by name."""

    name: str
    title: str
    paper: str
    run: Callable[[Setting], Finding]


def score_pages(
    names: Sequence[str], pages: Sequence[GoldPage], setting: Setting, tokens: Tokens = "words"
) -> dict[str, list[dict[str, Any]]]:
    """The scores of each extractor on the pages, in their order, measured in several processes."""
    place = {id(page): at for at, page in enumerate(pages)}
    found: dict[str, list[dict[str, Any]]] = {name: [{} for _ in pages] for name in names}
    for outcome in work((Task(page, tuple(names), tokens) for page in pages), workers=setting.workers):
        if isinstance(outcome, Broken):
            raise InputError(f"{outcome.name} cannot be started: {outcome.why}")
        found[outcome.name][place[id(outcome.page)]] = outcome.scores
    return found


def present(*names: str) -> list[str]:
    """Those of the extractors whose algorithm there is."""
    return [name for name in names if name.partition("?")[0] in ALGORITHMS]


def counted(pages: Sequence[GoldPage]) -> str:
    """How many pages of which data sets."""
    counts: dict[str, int] = {}
    for page in pages:
        counts[page.dataset] = counts.get(page.dataset, 0) + 1
    return ", ".join(f"{count} page{'s' * (count > 1)} of {name}" for name, count in counts.items())
