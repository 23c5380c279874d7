"""Putting the report together."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from duramen.bench.extractors import Extractor
from duramen.bench.gold import GoldPage
from duramen.bench.leaderboard import Standings, standings
from duramen.bench.report import page as html
from duramen.bench.report.differences import differences, gold_pages, page_f1, texts, word_diff
from duramen.bench.runs import Run
from duramen.errors import DuramenError, InputError, OptionError
from duramen.explain import explain as explained

MOST_EXPLAINED = 60  # files
MOST_BYTES = 2_000_000  # of a page that is explained: its explanation is larger than the page

Worst = dict[str, list[tuple[str, dict[str, Any], float]]]


def write_report(
    run: Run,
    path: Path,
    *,
    worst: int = 10,
    explain: int = 3,
    diff: tuple[str, str] | None = None,
    pages: int = 12,
) -> Path:
    """Write the report of a run; explanations go into a folder beside it."""
    found = standings(run)
    if not found.standings:
        raise InputError(f"{run.folder} holds no scores yet")
    one, other = _pair(found, diff)
    low = worst_pages(run, found, worst)
    apart = differences(run, one, other, pages) if one != other else []
    wanted = [(each.dataset, each.id) for each in apart]
    to_explain = _to_explain(low, explain)
    gold = (
        gold_pages(run, [*wanted, *((dataset, key) for _, dataset, key in to_explain)]) if wanted or to_explain else {}
    )
    links = _explanations(to_explain, gold, path)
    made = texts([gold[key] for key in wanted if key in gold], (one, other)) if wanted else {}
    shown = [
        (each, word_diff(made.get((each.dataset, each.id, one), ""), made.get((each.dataset, each.id, other), "")))
        if (each.dataset, each.id) in gold
        else (each, None)
        for each in apart
    ]
    failures = [
        (dataset, name, key, str(scores["error"]))
        for dataset, name, scored in run.all_scores()
        for key, scores in scored.items()
        if "error" in scores
    ]
    sections = (
        html.summary(run, found),
        html.leaderboard(found),
        html.speed(found),
        html.datasets(found),
        html.kinds(found),
        html.metrics(found),
        html.worst(low, links),
        html.diff(one, other, shown) if one != other else "",
        html.about(run, found, failures),
    )
    path.parent.mkdir(parents=True, exist_ok=True)
    body = html.bar() + '<main id="top">' + "".join(sections) + "</main>"
    path.write_text(html.document("duramen bench", body), "utf-8")
    return path


def _pair(found: Standings, diff: tuple[str, str] | None) -> tuple[str, str]:
    names = [each.name for each in found.standings]
    if diff is None:
        return names[0], names[min(1, len(names) - 1)]
    for name in diff:
        if name not in names:
            raise OptionError(f"{name} is not in the run: there are {', '.join(names)}")
    return diff


def worst_pages(run: Run, found: Standings, most: int) -> Worst:
    """The pages of the lowest F1 of each extractor, with the F1 of the best other one."""
    by_name: dict[str, list[tuple[float, str, dict[str, Any]]]] = {each.name: [] for each in found.standings}
    best: dict[tuple[str, str], list[tuple[float, str]]] = {}
    for dataset, name, scored in run.all_scores():
        for key, scores in scored.items():
            by_name[name].append((page_f1(scores), dataset, scores))
            best.setdefault((dataset, key), []).append((page_f1(scores), name))
    result: Worst = {}
    for name, rows in by_name.items():
        rows.sort(key=lambda row: (row[0], row[1], row[2]["id"]))
        result[name] = [
            (dataset, scores, max((f1 for f1, who in best[dataset, scores["id"]] if who != name), default=0.0))
            for _, dataset, scores in rows[:most]
        ]
    return result


def _to_explain(low: Worst, each_of: int) -> list[tuple[str, str, str]]:
    """Extractor, data set and page of what is to be explained: ours only, within bounds."""
    wanted = [
        (name, dataset, scores["id"])
        for name, rows in low.items()
        if Extractor(name).ours
        for dataset, scores, _ in rows[:each_of]
    ]
    return wanted[:MOST_EXPLAINED]


def _explanations(
    wanted: Sequence[tuple[str, str, str]], gold: dict[tuple[str, str], GoldPage], path: Path
) -> dict[tuple[str, str, str], str]:
    folder = path.with_name(f"{path.stem}-explanations")
    links: dict[tuple[str, str, str], str] = {}
    for number, (name, dataset, key) in enumerate(wanted, 1):
        page = gold.get((dataset, key))
        if page is None or len(page.html) > MOST_BYTES:
            continue
        try:
            text = explained(page.html, url=page.url, algorithm=Extractor(name).algorithm()).to_html()
        except (DuramenError, ValueError):
            continue
        folder.mkdir(parents=True, exist_ok=True)
        file = f"{number:02}-{re.sub(r'[^A-Za-z0-9.]+', '-', f'{name}-{dataset}-{key}')[:80].strip('-.')}.html"
        (folder / file).write_text(text, "utf-8")
        links[name, dataset, key] = f"{folder.name}/{file}"
    return links
