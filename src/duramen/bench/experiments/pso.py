"""PSO: Table 1, the swarm of Figure 3 and the single features of Figure 4 (Ziegler & Skubacz 2007)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from duramen.algorithms.pso import FEATURES, Pso
from duramen.bench.experiments.experiment import Experiment, Finding, Setting, counted
from duramen.bench.figures import Figure
from duramen.bench.gold import GoldPage
from duramen.bench.tables import table
from duramen.train.cases import Case, prepare
from duramen.train.evaluate import STRATEGIES, evaluate
from duramen.train.pages import LabelledPage
from duramen.train.pso import made_model, score_bounds, signs_of, train
from duramen.train.split import split
from duramen.train.swarm import PRESETS, Swarm
from duramen.train.sweeps import sweep

PAPER = Pso.paper
NEWS = ("l3s-gn1", "big9", "wcxb")
PRINTED = {"HL": 0.909, "FE": 0.857, "PR": 0.601, "TB": 0.424}
PRINTED_SINGLE = {"anchors": 0.77}
SWARM = replace(PRESETS["cognitive"], particles=60, generations=60)


def _cases(setting: Setting, sample: int) -> tuple[list[GoldPage], list[Case], list[Case]]:
    """News pages in a language with stop words, cut into training and test part."""
    pages = [page for page in setting.pages(NEWS, sample) if page.kind in ("", "article")]
    cases = [
        prepare(
            LabelledPage(f"{page.dataset}/{page.id}", page.html, page.text or "", page.source, page.kind), labels=False
        )
        for page in pages
    ]
    known = [case for case in cases if case.language is not None]
    return pages, *split(known, seed=setting.seed)


def table1(setting: Setting) -> Finding:
    """The strategies FE, PR and TB on held-out pages; HL needs pages that two people have labelled."""
    pages, training, test = _cases(setting, 120)
    swarm = replace(SWARM, seed=setting.seed)
    flight = train(training, FEATURES, swarm)
    model = made_model(flight, FEATURES, swarm, training, {})
    found = evaluate(test, model)
    means = found.means()
    rows = [(name, what, means.get(name), PRINTED.get(name)) for name, what in STRATEGIES.items() if name in PRINTED]
    languages = [
        (name, int(each["pages"]), *(each.get(strategy) for strategy in ("FE", "PR", "TB")))
        for name, each in found.by("language").items()
    ]
    return Finding(
        tables=(
            table(
                "table1", "Mean similarity on the test pages", ("strategy", "what it does", "duramen", "paper"), rows
            ),
            table("table1-languages", "By language", ("language", "pages", "FE", "PR", "TB"), languages),
        ),
        figures=(
            Figure(
                "table1",
                "Strategies",
                "bars",
                [row[0] for row in rows],
                {"duramen": [row[2] for row in rows], "paper": [row[3] for row in rows]},
                y="cosine × length ratio",
                limits=(0, 1),
            ),
        ),
        about=f"{counted(pages)}; {len(training)} to train on, {len(test)} to test. Training score {flight.score:.3f} "
        f"in generation {flight.generation} of {swarm.generations} with {swarm.particles} particles (paper: .827 in 32 "
        "of 100 with 100). HL, a second person's labels, needs pages labelled twice, which none of these are.",
    )


def fig3(setting: Setting) -> Finding:
    """Best and mean score of every generation, for two settings."""
    pages, training, _ = _cases(setting, 60)
    curves: dict[str, Sequence[float]] = {}
    rows = []
    for name, preset in (("balanced", PRESETS["default"]), ("cognitive", PRESETS["cognitive"])):
        swarm: Swarm = replace(preset, particles=60, generations=60, seed=setting.seed)
        flight = train(training, FEATURES, swarm)
        curves |= {f"{name}: best": flight.best.tolist(), f"{name}: mean": flight.mean.tolist()}
        settled = int((flight.best >= 0.98 * flight.score).argmax())
        rows.append((name, flight.score, flight.generation, settled))
    head = ("setting", "best score", "in generation", "within 2 % of it from generation")
    return Finding(
        tables=(table("fig3", "Training of the swarm", head, rows),),
        figures=(
            Figure(
                "fig3",
                "Best and mean particle",
                "curves",
                list(range(len(next(iter(curves.values()))))),
                curves,
                x="generation",
                y="mean similarity on the training pages",
                limits=(0, 1),
            ),
        ),
        about=f"{counted(pages)}; {len(training)} to train on; 60 particles. The paper: both runs converge after about "
        "10 generations, the best particle (.827) is of generation 32.",
    )


def fig4(setting: Setting) -> Finding:
    """Every feature alone."""
    pages, _, test = _cases(setting, 60)
    sweeps = sweep(test, FEATURES)
    signs = signs_of(FEATURES)
    every = float(score_bounds(test, signs, -signs[None] * float("inf")).mean())
    rows = [(each.feature.name, each.feature.direction, each.best, each.score, each.score - every) for each in sweeps]
    head = ("feature", "bound", "best bound", "score", "over PR")
    places = [step / (len(sweeps[0].bounds) - 1) for step in range(len(sweeps[0].bounds))]
    return Finding(
        tables=(table("fig4", "Single features, the most useful first", head, rows),),
        figures=(
            Figure(
                "fig4",
                "Every feature alone",
                "curves",
                places,
                {each.feature.name.replace("_", " "): each.scores.tolist() for each in sweeps},
                x="bound, as a share of the range tried",
                y="mean similarity",
                lines={"every block (PR)": every},
                limits=(0, 1),
            ),
        ),
        about=f"{counted(pages)}; {len(test)} of them, on which bounds are chosen and scored alike. The paper: "
        "anchor ratio best (.77), then stop words, then the number of sentences; lists, formatting, structuring near "
        "PR (.601).",
    )


ALL = (
    Experiment("pso-table1", "PSO, Table 1: the strategies", PAPER, table1),
    Experiment("pso-fig3", "PSO, Figure 3: the swarm, generation by generation", PAPER, fig3),
    Experiment("pso-fig4", "PSO, Figure 4: single features", PAPER, fig4),
)
