"""CETD: Tables 1 to 6, the λ of Figure 5, and the density histograms of Figures 3 and 4 (Sun, Song & Liao 2011)."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from duramen.algorithms.cetd import Cetd
from duramen.bench.experiments.experiment import Experiment, Finding, Setting, counted, present, score_pages
from duramen.bench.experiments.printed import AVERAGE, CETD_TABLES, SOURCES, VARIANT_TABLES
from duramen.bench.figures import Figure
from duramen.bench.gold import GoldPage
from duramen.bench.metrics import Means, Scores, by_source, over_sources
from duramen.bench.tables import Cell, Table, table
from duramen.extract import parse

PAPER = Cetd.paper
DATA = ("cleaneval", "big9")
SAMPLE = 150
VARIANTS = {"1": "CETD-DS", "2": "CECTD-DS", "3": "CECTD-S"}
# The paper's names → ours.
RIVALS = {
    "BTE": "bte",
    "CCB": "ccb",
    "DSC": "dsc",
    "FE": "fe",
    "KFE": "kfe",
    "LQF": "lqf",
    "CETR": "cetr",
    "CETD-DS": "cetd?variant=CETD-DS",
    "CECTD-S": "cetd?variant=CECTD-S",
    "CECTD-DS": "cetd?variant=CECTD-DS",
}
LAMBDAS = tuple(round(0.1 * step, 1) for step in range(11))
NOTE = (
    " Longest common subsequence of words, averaged over the pages of a source; F1 is that of the mean precision and "
    "recall, as the paper prints it; the average is the plain mean of the sources. The paper's Big 5 and Chaos pages "
    "are not public: ours are their successors (news of 2005 to 2017) and half of CleanEval, so that only the order "
    "of the methods compares."
)
_BIG = re.compile(r"(big5)-(\d\d)|(chaos)")


def source_of(page: GoldPage) -> str:
    """The source that the tables group a page by."""
    found = _BIG.match(page.id) if page.dataset == "big9" else None
    if found:
        return f"Big5 20{found[2]}" if found[2] else "Chaos"
    return page.source if page.dataset not in DATA and page.source else page.dataset


def _by_source(
    pages: Sequence[GoldPage], scores: Sequence[Mapping[str, Any]]
) -> tuple[dict[str, Means], dict[str, float]]:
    found = [Scores(each["lcs_p"], each["lcs_r"], each["lcs_f1"]) for each in scores]
    names = [source_of(page) for page in pages]
    cleaneval = {
        name: float(np.mean([each["ce"] for each, own in zip(scores, names) if own == name]))
        for name in dict.fromkeys(names)
    }
    return by_source(zip(names, found)), cleaneval


def _variant_table(number: str, setting: Setting) -> Finding:
    variant = VARIANTS[number]
    pages = setting.pages(DATA, SAMPLE)
    name = RIVALS[variant]
    sources, cleaneval = _by_source(pages, score_pages([name], pages, setting)[name])
    rows: list[Sequence[Cell]] = [
        (
            source,
            each.pages,
            *(100 * value for value in (each.precision, each.recall, each.f1_of_means, cleaneval[source])),
        )
        for source, each in sources.items()
    ]
    mean = over_sources(list(sources.values()))
    score = float(np.mean(list(cleaneval.values())))
    rows.append(
        ("average", mean.pages, *(100 * value for value in (mean.precision, mean.recall, mean.f1_of_means, score)))
    )
    head = ("source", "pages", "P", "R", "F1", "Score")
    printed = [(source, *VARIANT_TABLES[variant][source]) for source in SOURCES]
    return Finding(
        tables=(
            table(f"table{number}", f"{variant} on our pages, percent", head, rows, digits=2),
            table(
                f"table{number}-paper", f"{variant} as the paper prints it", ("source", *head[2:]), printed, digits=2
            ),
        ),
        about=counted(pages) + "." + NOTE,
    )


def table1(setting: Setting) -> Finding:
    """CETD-DS by source."""
    return _variant_table("1", setting)


def table2(setting: Setting) -> Finding:
    """CECTD-DS by source."""
    return _variant_table("2", setting)


def table3(setting: Setting) -> Finding:
    """CECTD-S by source."""
    return _variant_table("3", setting)


def _rival_table(number: str, measure: str, setting: Setting) -> Finding:
    pages = setting.pages(DATA, SAMPLE)
    chosen = {label: name for label, name in RIVALS.items() if present(name)}
    scores = score_pages(list(chosen.values()), pages, setting)
    found = {label: _by_source(pages, scores[name])[0] for label, name in chosen.items()}
    field = {"P": "precision", "R": "recall", "F1": "f1_of_means"}[measure]
    sources = list(next(iter(found.values())))
    rows: list[tuple[Any, ...]] = []
    for label, each in found.items():
        values = [100 * getattr(each[source], field) for source in sources]
        paper = CETD_TABLES[measure][label]
        rows.append((label, *values, sum(values) / len(values), paper[SOURCES.index("CleanEval")], paper[AVERAGE]))
    left_out = [label for label in RIVALS if label not in chosen]
    about = counted(pages) + "." + NOTE + (f" Not there yet: {', '.join(left_out)}." if left_out else "")
    head = ("method", *sources, "average", "paper: CleanEval", "paper: average")
    return Finding(
        tables=(
            table(f"table{number}", f"{measure} of the methods on our pages, percent", head, rows, digits=2),
            _printed(number, measure),
        ),
        figures=(
            Figure(
                f"table{number}",
                f"{measure}, mean of the sources",
                "bars",
                [str(row[0]) for row in rows],
                {"duramen": [row[-3] for row in rows], "paper": [row[-1] for row in rows]},
                y="%",
                limits=(0, 100),
            ),
        ),
        about=about,
    )


def _printed(number: str, measure: str) -> Table:
    rows: list[Sequence[Cell]] = [(label, *CETD_TABLES[measure][label]) for label in RIVALS]
    head = ("method", *SOURCES, "average")
    return table(f"table{number}-paper", f"{measure} as the paper prints it", head, rows, digits=2)


def table4(setting: Setting) -> Finding:
    """F1 of all methods."""
    return _rival_table("4", "F1", setting)


def table5(setting: Setting) -> Finding:
    """Precision of all methods."""
    return _rival_table("5", "P", setting)


def table6(setting: Setting) -> Finding:
    """Recall of all methods."""
    return _rival_table("6", "R", setting)


def fig5(setting: Setting) -> Finding:
    """Precision, recall and F1 over λ."""
    pages = setting.pages(DATA, 60)
    names = {each: f"cetd?lambda={each}" for each in LAMBDAS}
    scores = score_pages(list(names.values()), pages, setting)
    rows, by_name = [], dict[str, list[float]]()
    curves: dict[str, list[float]] = {"precision": [], "recall": [], "F1": []}
    for each, name in names.items():
        sources = _by_source(pages, scores[name])[0]
        mean = over_sources(list(sources.values()))
        rows.append((f"{each}", mean.precision, mean.recall, mean.f1_of_means))
        for curve, value in zip(curves.values(), (mean.precision, mean.recall, mean.f1_of_means)):
            curve.append(value)
        for source, own in sources.items():
            by_name.setdefault(source, []).append(own.f1_of_means)
    best = max(rows, key=lambda row: row[3])
    detail: list[Sequence[Cell]] = [(source, *values) for source, values in by_name.items()]
    return Finding(
        tables=(
            table("fig5", "CECTD-DS over λ, mean of the sources", ("λ", "P", "R", "F1"), rows, digits=4),
            table("fig5-sources", "F1 by source", ("source", *(f"λ = {each}" for each in LAMBDAS)), detail),
        ),
        figures=(
            Figure(
                "fig5", "The coefficient of the threshold", "curves", LAMBDAS, curves, x="λ", y="mean of the sources"
            ),
            Figure("fig5-sources", "F1 by source", "curves", LAMBDAS, by_name, x="λ", y="F1"),
        ),
        about=f"{counted(pages)}. Best F1 at λ = {best[0]}; the paper finds the results best, and steady, near 1. "
        "Chosen and scored on the same pages.",
    )


def histograms(setting: Setting) -> Finding:
    """Text density and composite text density of every node of a page."""
    page = setting.pages(("cleaneval",), 1)[0]
    parsed = parse(page.html)
    figures, rows = [], []
    for number, (variant, title) in enumerate((("CETD-DS", "text density"), ("CECTD-DS", "composite text density")), 3):
        selection = Cetd(variant=variant).select(parsed)  # type: ignore[arg-type]
        density = selection.columns["density"]
        nodes = np.flatnonzero(~np.isnan(density))
        values = density[nodes]
        figures.append(
            Figure(
                f"fig{number}",
                f"{title.capitalize()} of the nodes in document order",
                "stems",
                list(range(len(nodes))),
                {title: values.tolist()},
                x="node",
                y=title,
                lines={"threshold": float(selection.trace["threshold"] or 0)},
            )
        )
        rows.append(
            (
                f"Figure {number}",
                title,
                len(nodes),
                float(values.mean()),
                float(values.max()),
                selection.trace["threshold"],
            )
        )
    head = ("figure", "density", "nodes", "mean", "highest", "threshold")
    about = f"Page {page.id} of {page.dataset}; `duramen explain` draws the same of any page."
    return Finding(
        (table("histograms", "Densities of the nodes of a page", head, rows, digits=2),), tuple(figures), about
    )


ALL = (
    Experiment("cetd-table1", "CETD, Table 1: CETD-DS by source", PAPER, table1),
    Experiment("cetd-table2", "CETD, Table 2: CECTD-DS by source", PAPER, table2),
    Experiment("cetd-table3", "CETD, Table 3: CECTD-S by source", PAPER, table3),
    Experiment("cetd-table4", "CETD, Table 4: F1 of all methods", PAPER, table4),
    Experiment("cetd-table5", "CETD, Table 5: precision of all methods", PAPER, table5),
    Experiment("cetd-table6", "CETD, Table 6: recall of all methods", PAPER, table6),
    Experiment("cetd-fig5", "CETD, Figure 5: the coefficient λ", PAPER, fig5),
    Experiment("cetd-histograms", "CETD, Figures 3 and 4: densities of a page's nodes", PAPER, histograms),
)
