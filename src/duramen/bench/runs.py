"""A run: extractors × data sets, kept in a folder page by page, so that it can be stopped and taken up again.

`run.json` says what was measured, `scores/DATASET/EXTRACTOR.jsonl` has a line for each page.
"""

from __future__ import annotations

import hashlib
import json
import os
import platform
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import IO, Any

from duramen.bench.datasets import Dataset
from duramen.bench.extractors import Extractor
from duramen.bench.gold import Damaged
from duramen.bench.metrics.words import Tokens
from duramen.bench.workers import TIMEOUT, Broken, Task, work
from duramen.errors import InputError
from duramen.version import VERSION

FORMAT = 1
Scores = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Settings:
    """How a run is made."""

    workers: int = 2
    timeout: float = TIMEOUT  # seconds a page
    tokens: Tokens = "terms"
    seed: int = 0
    sample: int | None = None  # pages of each data set


DEFAULTS = Settings()


@dataclass(frozen=True, slots=True)
class About:
    """A data set as a run remembers it."""

    name: str
    path: str
    layout: str
    sha256: str
    readme: str
    rows: int
    pages: int
    damaged: tuple[Damaged, ...] = ()


@dataclass(slots=True)
class Run:
    """The folder of a run, and what is in it."""

    folder: Path
    tokens: Tokens = "terms"
    seed: int = 0
    datasets: dict[str, About] = field(default_factory=dict)
    extractors: list[str] = field(default_factory=list)
    left_out: dict[str, str] = field(default_factory=dict)  # extractor → why
    machine: str = ""
    version: str = VERSION

    def scores(self, dataset: str, extractor: str) -> dict[str, Scores]:
        """The scores of every page measured so far, by page; a line that was cut off is measured again."""
        path = self.folder / "scores" / dataset / f"{_file_name(extractor)}.jsonl"
        found: dict[str, Scores] = {}
        if path.is_file():
            for line in path.read_text("utf-8").splitlines():
                try:
                    row = json.loads(line)
                    found[row["id"]] = row
                except (ValueError, KeyError, TypeError):
                    continue
        return found

    def all_scores(self) -> Iterator[tuple[str, str, dict[str, Scores]]]:
        """Data set, extractor and pages of everything measured."""
        for dataset in self.datasets:
            for extractor in self.extractors:
                pages = self.scores(dataset, extractor)
                if pages:
                    yield dataset, extractor, pages

    def save(self) -> None:
        """Write `run.json`."""
        self.folder.mkdir(parents=True, exist_ok=True)
        content = {
            "format": FORMAT,
            "version": self.version,
            "machine": self.machine,
            "tokens": self.tokens,
            "seed": self.seed,
            "extractors": self.extractors,
            "left_out": self.left_out,
            "datasets": {name: asdict(about) for name, about in self.datasets.items()},
        }
        path = self.folder / "run.json"
        part = path.with_suffix(".part")
        part.write_text(json.dumps(content, ensure_ascii=False, indent=1) + "\n", "utf-8")
        part.replace(path)


def read_run(folder: Path) -> Run:
    """The run in a folder."""
    path = folder / "run.json"
    try:
        content = json.loads(path.read_text("utf-8"))
        if content["format"] != FORMAT:
            raise InputError(f"{path} is of another version: measure anew in another folder")
        datasets = {
            name: About(**{**about, "damaged": tuple(Damaged(**each) for each in about["damaged"])})
            for name, about in content["datasets"].items()
        }
        return Run(
            folder,
            tokens=content["tokens"],
            seed=content["seed"],
            datasets=datasets,
            extractors=list(content["extractors"]),
            left_out=dict(content["left_out"]),
            machine=content["machine"],
            version=content["version"],
        )
    except FileNotFoundError:
        raise InputError(f"{folder} is no run: `duramen bench run` makes one") from None
    except (OSError, ValueError, KeyError, TypeError) as problem:
        raise InputError(f"cannot read {path}: {problem}") from None


def measure(
    folder: Path,
    chosen: Sequence[Extractor],
    datasets: Iterator[Dataset] | Sequence[Dataset],
    settings: Settings = DEFAULTS,
    *,
    on_start: Callable[[str, int], None] = lambda dataset, pages: None,
    on_page: Callable[[str, Scores], None] = lambda extractor, scores: None,
) -> Run:
    """Score extractors on data sets into a folder; pages that are there already are not measured again.

    A rival that is not installed, or cannot be started, is named in `left_out` and left out. `on_start` hears of each
    data set and of the number of pages times extractors, `on_page` of each score.
    """
    run = _begin(folder, settings)
    present = []
    for each in chosen:
        missing = each.missing()
        if missing is None:
            present.append(each)
            run.left_out.pop(each.name, None)
        else:
            run.left_out[each.name] = f"not installed: {missing}"
    run.extractors += [each.name for each in present if each.name not in run.extractors]
    for dataset in datasets:
        _remember(run, dataset)
        run.save()
        done = {each.name: run.scores(dataset.name, each.name) for each in present}
        on_start(dataset.name, len(present) * len(dataset.pages))
        for name, pages in done.items():
            for page in dataset.pages:
                if page.id in pages:
                    on_page(name, pages[page.id])
        with _Files(run, dataset.name) as files:
            tasks = _tasks(dataset, present, done, settings)
            for outcome in work(tasks, workers=settings.workers, timeout=settings.timeout):
                if isinstance(outcome, Broken):
                    run.left_out[outcome.name] = f"cannot be started: {outcome.why}"
                    run.extractors.remove(outcome.name)
                    present = [each for each in present if each.name != outcome.name]
                    continue
                row = {
                    "id": outcome.page.id,
                    "kind": outcome.page.kind,
                    "source": outcome.page.source,
                    **outcome.scores,
                }
                files.add(outcome.name, row)
                on_page(outcome.name, row)
        run.save()
    return run


def _begin(folder: Path, settings: Settings) -> Run:
    if (folder / "run.json").is_file():
        run = read_run(folder)
        if (run.tokens, run.seed) != (settings.tokens, settings.seed):
            raise InputError(
                f"{folder} was measured with tokens {run.tokens} and seed {run.seed}: choose another folder for others"
            )
        return run
    machine = f"{platform.machine()}, {os.cpu_count()} CPUs, Python {platform.python_version()}"
    return Run(folder, tokens=settings.tokens, seed=settings.seed, machine=machine)


def _remember(run: Run, dataset: Dataset) -> None:
    before = run.datasets.get(dataset.name)
    if before is not None and before.sha256 != dataset.sha256:
        raise InputError(f"{run.folder} holds scores of another version of {dataset.name}: choose another folder")
    run.datasets[dataset.name] = About(
        name=dataset.name,
        path=str(dataset.path.resolve()),
        layout=dataset.layout,
        sha256=dataset.sha256,
        readme=dataset.readme,
        rows=dataset.rows,
        pages=max(len(dataset.pages), 0 if before is None else before.pages),
        damaged=dataset.damaged,
    )


def _tasks(
    dataset: Dataset, chosen: Sequence[Extractor], done: Mapping[str, Mapping[str, Scores]], settings: Settings
) -> Iterator[Task]:
    """Ours together, so that a page is parsed once; each rival by itself."""
    ours = [each.name for each in chosen if each.ours]
    for group in [ours, *([each.name] for each in chosen if not each.ours)]:
        for page in dataset.pages:
            names = tuple(name for name in group if page.id not in done[name])
            if names:
                yield Task(page, names, settings.tokens)


class _Files:
    """The score files of a data set, open while it is measured; every line is on disk when the next is measured."""

    def __init__(self, run: Run, dataset: str) -> None:
        self._folder = run.folder / "scores" / dataset
        self._open: dict[str, IO[str]] = {}

    def __enter__(self) -> _Files:
        self._folder.mkdir(parents=True, exist_ok=True)
        return self

    def add(self, extractor: str, row: Scores) -> None:
        if extractor not in self._open:
            path = self._folder / f"{_file_name(extractor)}.jsonl"
            _mend(path)
            self._open[extractor] = path.open("a", encoding="utf-8")
        file = self._open[extractor]
        file.write(json.dumps(row, ensure_ascii=False) + "\n")
        file.flush()

    def __exit__(self, *ignored: object) -> None:
        for file in self._open.values():
            file.close()


def _mend(path: Path) -> None:
    """End a line that a stopped run left half written."""
    if path.is_file() and (content := path.read_bytes()) and not content.endswith(b"\n"):
        path.write_bytes(content[: content.rfind(b"\n") + 1])


def _file_name(extractor: str) -> str:
    """A file name for any extractor, the same every time."""
    plain = re.sub(r"[^\w.+-]+", "_", extractor)[:80]
    return plain if plain == extractor else f"{plain}-{hashlib.sha256(extractor.encode()).hexdigest()[:8]}"
