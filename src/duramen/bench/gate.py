"""The quality gate: pinned floors for every algorithm on every corpus, never lowered by accident.

A floor belongs to one version of a corpus, by its hash, and to one seeded sample of it.
"""

from __future__ import annotations

import json
import math
import tempfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from duramen.algorithms import ALGORITHMS
from duramen.bench.datasets import checksum, load
from duramen.bench.extractors import extractor
from duramen.bench.leaderboard import dataset_f1
from duramen.bench.runs import Scores, Settings, measure
from duramen.bench.tables import Table, table
from duramen.errors import InputError
from duramen.version import VERSION

FORMAT = 1
SAMPLE = 16  # pages of each corpus: all of it takes a minute or two on two cores
TOLERANCE = 0.002  # of F1: what a change of a parser or of Unicode tables may cost
Started = Callable[[str, int], None]
Paged = Callable[[str, Scores], None]


@dataclass(frozen=True, slots=True)
class Gate:
    """The outcome: a table of floors and figures, and what failed."""

    table: Table
    failures: tuple[str, ...]

    def markdown(self) -> str:
        """The table, and the verdict."""
        verdict = "The gate is closed." if self.failures else "The gate is open: nothing is worse than its floor."
        return self.table.markdown() + f"\n{verdict}\n"


def check(
    path: Path,
    corpora: Mapping[str, Path],
    *,
    workers: int = 2,
    on_start: Started = lambda dataset, pages: None,
    on_page: Paged = lambda name, scores: None,
) -> Gate:
    """Measure, and compare with the floors in a file."""
    pinned = _read(path)
    failures = _mismatches(pinned, corpora)
    names = [
        name
        for name in pinned["corpora"]
        if name in corpora and not any(line.startswith(f"{name}:") for line in failures)
    ]
    reached = _reached(
        {name: corpora[name] for name in names}, pinned["sample"], pinned["seed"], workers, on_start, on_page
    )
    for name in names:
        floors = pinned["corpora"][name]["floors"]
        for algorithm, f1 in reached[name].items():
            if algorithm not in floors:
                failures.append(f"{name}: {algorithm} has no floor: pin it with --update")
            elif f1 < floors[algorithm] - pinned["tolerance"]:
                failures.append(f"{name}: {algorithm} has fallen from {floors[algorithm]:.4f} to {f1:.4f}")
        failures += [
            f"{name}: there is a floor for {each}, but no such algorithm"
            for each in floors
            if each not in reached[name]
        ]
    return Gate(_table(pinned, reached), tuple(failures))


def pin(
    path: Path,
    corpora: Mapping[str, Path],
    *,
    workers: int = 2,
    allow_lower: bool = False,
    sample: int = SAMPLE,
    on_start: Started = lambda dataset, pages: None,
    on_page: Paged = lambda name, scores: None,
) -> Gate:
    """Measure, and write the floors; one that would fall stops it all, unless `allow_lower`."""
    old: dict[str, Any] = (
        _read(path) if path.exists() else {"sample": sample, "seed": 0, "tolerance": TOLERANCE, "corpora": {}}
    )
    reached = _reached(corpora, old["sample"], old["seed"], workers, on_start, on_page)
    failures: list[str] = []
    pinned: dict[str, Any] = {}
    for name, found in reached.items():
        before = old["corpora"].get(name, {"sha256": None, "floors": {}})
        sha256 = checksum(corpora[name])
        same = before["sha256"] == sha256
        floors = {}
        for algorithm, f1 in found.items():
            floor = before["floors"].get(algorithm, 0.0) if same else 0.0
            if f1 < floor - old["tolerance"]:
                if not allow_lower:
                    failures.append(
                        f"{name}: {algorithm} would fall from {floor:.4f} to {f1:.4f}: --allow-lower if that is meant"
                    )
                floors[algorithm] = _floored(f1)
            else:
                floors[algorithm] = max(floor, _floored(f1))
        gone = [each for each in before["floors"] if each not in found]
        failures += [
            f"{name}: the floor of {each} would go: --allow-lower if that is meant" for each in gone if not allow_lower
        ]
        pinned[name] = {"sha256": sha256, "floors": floors}
    missing = [name for name in old["corpora"] if name not in reached]
    failures += [
        f"{name}: the corpus is not there: --allow-lower drops its floors" for name in missing if not allow_lower
    ]
    content = {
        "format": FORMAT,
        "version": VERSION,
        "sample": old["sample"],
        "seed": old["seed"],
        "tolerance": old["tolerance"],
    }
    content |= {"corpora": pinned}
    if not failures:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(content, indent=1) + "\n", "utf-8")
    return Gate(_table(content, reached), tuple(failures))


def _floored(f1: float) -> float:
    return math.floor(f1 * 10_000 + 1e-6) / 10_000


def _read(path: Path) -> dict[str, Any]:
    try:
        found: dict[str, Any] = json.loads(path.read_text("utf-8"))
        if found["format"] != FORMAT:
            raise InputError(f"{path} is of another version")
        for key in ("sample", "seed", "tolerance", "corpora"):
            found[key]
    except FileNotFoundError:
        raise InputError(f"there are no floors in {path}: `duramen bench gate --update` pins them") from None
    except (OSError, ValueError, KeyError, TypeError) as problem:
        raise InputError(f"cannot read {path}: {problem}") from None
    return found


def _mismatches(pinned: Mapping[str, Any], corpora: Mapping[str, Path]) -> list[str]:
    found = []
    for name, about in pinned["corpora"].items():
        if name not in corpora:
            found.append(f"{name}: the corpus is not there")
        elif checksum(corpora[name]) != about["sha256"]:
            found.append(f"{name}: its floors are of another version of the corpus: pin it with --update")
    return found


def _reached(
    corpora: Mapping[str, Path], sample: int, seed: int, workers: int, on_start: Started, on_page: Paged
) -> dict[str, dict[str, float]]:
    """F1 of every algorithm on the sample of every corpus."""
    settings = Settings(workers=workers, seed=seed, sample=sample)
    chosen = [extractor(name) for name in ALGORITHMS]
    data = (load(path, sample=sample, seed=seed) for path in corpora.values())
    with tempfile.TemporaryDirectory() as folder:
        run = measure(Path(folder), chosen, data, settings, on_start=on_start, on_page=on_page)
        found: dict[str, dict[str, float]] = {name: {} for name in corpora}
        for dataset, name, pages in run.all_scores():
            found[dataset][name] = dataset_f1(pages.values())
    return found


def _table(pinned: Mapping[str, Any], reached: Mapping[str, Mapping[str, float]]) -> Table:
    rows = []
    for name, found in reached.items():
        floors = pinned["corpora"].get(name, {}).get("floors", {})
        rows += [
            (name, each, floors.get(each), f1, None if each not in floors else f1 - floors[each])
            for each, f1 in found.items()
        ]
    note = f"{pinned['sample']} pages of each corpus, seed {pinned['seed']}; tolerance {pinned['tolerance']}."
    return table("gate", "Floors", ("corpus", "algorithm", "floor", "F1", "over the floor"), rows, note, digits=4)
