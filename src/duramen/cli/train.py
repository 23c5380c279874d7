"""`duramen train`: learning a model from labelled pages."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from duramen.cli.outputs import encoded, write
from duramen.cli.report import say, warn
from duramen.cli.train_default import default
from duramen.cli.train_page_type import page_type
from duramen.errors import DuramenError, InputError, OptionError

if TYPE_CHECKING:
    from duramen.models.pso import PsoModel
    from duramen.train.cases import Case
    from duramen.train.evaluate import Evaluation
    from duramen.train.swarm import Flight, Swarm
    from duramen.train.sweeps import Sweep

Progress = Callable[[int, float], None]

train = typer.Typer(name="train", no_args_is_help=True, rich_markup_mode=None)
train.command()(default)
train.command("page-type")(page_type)


@train.callback()
def about() -> None:
    """Learn a model from labelled pages.

    \b
    duramen train default wcxb.jsonl.xz --output model.json
    duramen train pso pages/ --output model.json
    """


class Preset(str, Enum):
    """Named settings of the swarm."""

    DEFAULT = "default"
    COGNITIVE = "cognitive"
    CONSTRICTION = "constriction"
    PRINTED = "printed"


class Leader(str, Enum):
    """Which particle the others follow."""

    POPULATION = "population"
    PERSONAL = "personal"


def _option(name: str, text: str, **more: Any) -> Any:
    return typer.Option(name, help=text, show_default=False, **more)


@train.command()
def pso(
    data: Annotated[
        list[Path],
        typer.Argument(
            metavar="DATA",
            help="Folders with a .txt beside each .html, or .jsonl corpora (also .xz, .gz).",
            show_default=False,
        ),
    ],
    output: Annotated[Path | None, _option("--output", "Write the model to this .json file.", metavar="FILE")] = None,
    preset: Annotated[Preset, typer.Option("--preset", help="Settings of the swarm to start from.")] = Preset.DEFAULT,
    seed: Annotated[int, typer.Option("--seed", help="Of the split and the swarm: same seed, same model.")] = 0,
    generations: Annotated[int | None, _option("--generations", "How many. [default: 100]", min=1)] = None,
    particles: Annotated[int | None, _option("--particles", "How many. [default: 100]", min=1)] = None,
    inertia: Annotated[float | None, _option("--inertia", "ω; default: the preset's.")] = None,
    cognitive: Annotated[float | None, _option("--cognitive", "τ; default: the preset's.")] = None,
    social: Annotated[float | None, _option("--social", "φ; default: the preset's.")] = None,
    vmax: Annotated[float | None, _option("--vmax", "Greatest velocity, 0 for none; default: the preset's.")] = None,
    best: Annotated[Leader | None, _option("--best", "Whom particles follow; default: the preset's.")] = None,
    lowest: Annotated[float | None, _option("--lowest", "Least value of a first position. [default: 0]")] = None,
    patience: Annotated[int | None, _option("--patience", "Stop after so many generations without gain.")] = None,
    slack: Annotated[
        float, typer.Option("--slack", min=0.0, help="Training score to give up for looser bounds.")
    ] = 0.0,
    types: Annotated[
        str | None, _option("--types", "Only pages of these types, as article,forum.", metavar="NAMES")
    ] = None,
    share: Annotated[float, typer.Option("--share", help="Part of the pages to train on, by language.")] = 0.7,
    pos: Annotated[bool, typer.Option("--pos", help="Use parts of speech as features too.")] = False,
    tree: Annotated[bool, typer.Option("--tree/--no-tree", help="Grow the decision tree as well.")] = True,
    evaluate: Annotated[bool, typer.Option("--evaluate", help="Score the strategies on the pages held back.")] = False,
    second: Annotated[
        Path | None, _option("--second", "Labels of another person, .txt by page name.", metavar="FOLDER")
    ] = None,
    plots: Annotated[
        Path | None, _option("--plots", "Write curves and sweeps here, as SVG, PNG and JSON.", metavar="FOLDER")
    ] = None,
    trials: Annotated[bool, typer.Option("--trials", help="Also fly the other presets and population sizes.")] = False,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Nothing on stderr but errors.")] = False,
) -> None:
    """Learn the bounds of the algorithm pso.

    \b
    duramen train pso pages/ --output model.json
    duramen train pso news.jsonl.xz --types article --preset constriction --evaluate --plots plots/
    duramen extract page.html --algorithm pso -O model=model.json
    """
    from duramen.train.cases import features_used
    from duramen.train.evaluate import evaluate as judge
    from duramen.train.pages import read_gold
    from duramen.train.pso import loosened, made_model
    from duramen.train.pso import train as fly
    from duramen.train.split import split
    from duramen.train.sweeps import sweep, variations
    from duramen.train.sweeps import trials as try_out
    from duramen.train.tree import grow_on

    swarm = _swarm(
        preset.value,
        {
            "seed": seed,
            "generations": generations,
            "particles": particles,
            "inertia": inertia,
            "cognitive": cognitive,
            "social": social,
            "best": None if best is None else best.value,
            "lowest": lowest,
            "patience": patience,
        },
        vmax,
    )
    if not 0 < share <= 1:
        raise OptionError(f"--share lies between 0 and 1, not {share}")
    if share == 1 and evaluate:
        raise OptionError("--evaluate needs pages that are held back: choose a --share below 1")
    features = features_used(pos)
    labels = read_gold(second) if second is not None else None
    cases, digest = _read(data, types, pos, quiet)
    training, held_back = split(cases, share, seed) if share < 1 else (cases, [])
    with _bar(f"Training on {len(training)} pages", swarm.generations, quiet) as progress:
        flight = fly(training, features, swarm, progress)
    if not flight.score:
        raise InputError("no particle ever accepted a block of the content: try --lowest -1, or another --seed")
    names = tuple(feature.name for feature in features)
    grown = grow_on(training, names) if tree else None
    about = {"preset": preset.value, "share": share, "data": digest, "corpora": [place.name for place in data]}
    chosen = flight
    if slack:
        chosen = loosened(flight, training, features, slack)
        about |= {"slack": slack, "score_before": flight.score}
    model = made_model(chosen, features, swarm, training, about, grown)
    _write_model(model, output)
    write(_told(model, chosen, len(training), len(held_back)))
    judged = judge(held_back, model, labels) if held_back and (evaluate or plots is not None) else None
    sweeps = sweep(held_back, features) if judged is not None else []
    if judged is not None and evaluate:
        write(_told_evaluation(judged) + _told_sweeps(sweeps))
    flights = {preset.value: flight}
    if trials:
        others = {name: settings for name, settings in variations(swarm).items() if settings != swarm}
        with _bar("Trying other settings", sum(each.generations for each in others.values()), quiet) as progress:
            flights |= try_out(training, features, others.items(), progress)
        write(_told_trials(flights))
    if plots is not None:
        _plot(plots, flights, judged, sweeps)


def _swarm(preset: str, given: dict[str, Any], vmax: float | None) -> Swarm:
    """The settings of a preset, changed by those that are given."""
    from duramen.train.swarm import PRESETS

    changes = {name: value for name, value in given.items() if value is not None}
    if vmax is not None:
        changes["vmax"] = vmax or None
    try:
        return replace(PRESETS[preset], **changes)
    except ValueError as problem:
        raise OptionError(str(problem)) from None


def _read(data: Sequence[Path], types: str | None, pos: bool, quiet: bool) -> tuple[list[Case], str]:
    """The labelled pages as cases, and a fingerprint of them; says what was left out and why."""
    from duramen.train.cases import prepare
    from duramen.train.pages import Reader
    from duramen.train.pso import FEWEST_PAGES

    kinds = frozenset(name.strip() for name in (types or "").split(",") if name.strip())
    reader = Reader(data, kinds)
    cases: list[Case] = []
    with _bar("Reading pages", None, quiet) as progress:
        for number, page in enumerate(reader, 1):
            case = prepare(page, speech=pos)
            if case.language is None:
                reader.left_out["in a language without a stop-word list"] += 1
            else:
                cases.append(case)
            progress(number, 0.0)
    left_out = "; ".join(f"{count} {why}" for why, count in sorted(reader.left_out.items()))
    if len(cases) < FEWEST_PAGES:
        raise InputError(
            f"too few labelled pages: {len(cases)}, and at least {FEWEST_PAGES} are needed"
            + (f" (left out: {left_out})" if left_out else "")
        )
    if left_out and not quiet:
        warn(f"pages left out: {left_out}")
    return cases, reader.data_hash()


def _write_model(model: PsoModel, output: Path | None) -> None:
    if output is None:
        return
    from duramen.models.pso import model_text

    try:
        output.parent.mkdir(parents=True, exist_ok=True)
        output.write_bytes(encoded(model_text(model)))
    except OSError as problem:
        raise DuramenError(f"cannot write {output}: {problem.strerror or problem}") from None


def _plot(folder: Path, flights: dict[str, Flight], judged: Evaluation | None, sweeps: Sequence[Sweep]) -> None:
    from duramen.train.plots import plot_curves, plot_strategies, plot_sweeps
    from duramen.train.swarm import PRESETS

    plot_curves({name: flight for name, flight in flights.items() if name in PRESETS}, folder)
    if len(flights) > 1:
        first = next(iter(flights))
        plot_curves({name: flights[name] for name in flights if name == first or name not in PRESETS}, folder, "sizes")
    if judged is not None:
        plot_strategies(judged, folder)
        plot_sweeps(sweeps, judged.means()["PR"], folder)
    figures = {
        "flights": {name: flight.to_dict() for name, flight in flights.items()},
        "evaluation": None if judged is None else judged.to_dict(),
        "sweeps": [found.to_dict() for found in sweeps],
    }
    (folder / "figures.json").write_bytes(encoded(json.dumps(figures, indent=1) + "\n"))


def _told(model: PsoModel, flight: Flight, pages: int, held_back: int) -> str:
    lines = [f"training score {flight.score:.4f}, generation {flight.generation}, {pages} pages, {held_back} held back"]
    lines += [
        f"  {direction} {name:<16} {threshold:9.4f}"
        for name, direction, threshold in zip(model.features, model.directions, model.thresholds)
    ]
    if model.tree is not None:
        lines.append(f"  decision tree: {model.tree.leaves()} leaves")
    return "\n".join(lines) + "\n"


def _told_evaluation(judged: Evaluation) -> str:
    means = judged.means()
    lines = ["", f"{'pages held back':<18}{'pages':>6}" + "".join(f"{name:>8}" for name in means)]
    rows: list[tuple[str, dict[str, float]]] = [("all", {"pages": len(judged.cases), **means})]
    rows += judged.by("language").items()
    for name, row in rows:
        scores = "".join(f"{row[each]:>8.3f}" if each in row else f"{'–':>8}" for each in means)
        lines.append(f"{name:<18}{int(row['pages']):>6}{scores}")
    return "\n".join(lines) + "\n"


def _told_sweeps(sweeps: Sequence[Sweep]) -> str:
    lines = ["", f"{'one feature alone':<24}{'best bound':>12}{'score':>8}"]
    lines += [
        f"{found.feature.direction} {found.feature.name:<20}{found.best:>12.4f}{found.score:>8.3f}" for found in sweeps
    ]
    return "\n".join(lines) + "\n"


def _told_trials(flights: dict[str, Flight]) -> str:
    lines = ["", f"{'settings':<18}{'score':>8}{'generation':>12}{'last mean':>11}"]
    lines += [
        f"{name:<18}{flight.score:>8.4f}{flight.generation:>12}{float(flight.mean[-1]):>11.3f}"
        for name, flight in flights.items()
    ]
    return "\n".join(lines) + "\n"


@contextmanager
def _bar(what: str, total: int | None, quiet: bool) -> Iterator[Progress]:
    """A progress bar on stderr for someone who watches."""
    if quiet or sys.stderr is None or not sys.stderr.isatty():
        if not quiet:
            say(what)
        yield lambda number, score: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task(what, total=total)

        def advance(number: int, score: float) -> None:
            progress.update(task, advance=1, description=f"{what}, best {score:.4f}" if score else what)

        yield advance
