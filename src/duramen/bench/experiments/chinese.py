"""The Chinese information system: precision and recall above 90 %, pages a second, and what each step brings."""

from __future__ import annotations

import time
from collections.abc import Mapping

from duramen.bench.experiments.econ import language
from duramen.bench.experiments.experiment import Experiment, Finding, Setting, counted, present, score_pages
from duramen.bench.extractors import extractor
from duramen.bench.figures import Figure
from duramen.bench.gold import GoldPage
from duramen.bench.metrics import Scores, means
from duramen.bench.tables import table
from duramen.bench.workers import Task, work
from duramen.errors import InputError
from duramen.extract import extract

PAPER = "The content module of a Chinese information system: news, blogs and forums"
NEWS, FORUM = ("chinese", "magic-article"), ("magic-forum",)
GOAL, GOAL_SPEED = 0.9, 80  # precision and recall; pages a second
STEPS: Mapping[str, str] = {
    "CoreEx alone": "news-zh?full_stop_filter=off&fixed_words=",
    "with the full-stop filter": "news-zh?fixed_words=",
    "with fixed words": "news-zh?full_stop_filter=off",
    "with both": "news-zh",
}


def _pages(setting: Setting) -> dict[str, tuple[str, list[GoldPage]]]:
    """The Chinese pages of each type, and the algorithm for it."""
    found = {}
    for kind, name, data in (("news", "news-zh", NEWS), ("blog", "blog-zh", NEWS), ("forum", "forum-zh", FORUM)):
        if not present(name) or not (setting.asked or set(data) & set(setting.paths)):
            continue
        pages = [page for page in setting.pages(data, None) if language(page.text or "") == "zh"]
        if pages:
            found[kind] = name, pages
    if not found:
        raise InputError("the data sets hold no Chinese page, or the algorithms are not there")
    return found


def quality(setting: Setting) -> Finding:
    """Precision and recall by type, and the ablation of the news steps."""
    rows, steps, about = [], [], []
    for kind, (name, pages) in _pages(setting).items():
        others = present("coreex", "cetd", "econ")
        scores = score_pages([name, *others], pages, setting)
        for each in (name, *others):
            found = means([Scores(one["p"], one["r"], one["f1"]) for one in scores[each]])
            rows.append((kind, each, found.pages, found.precision, found.recall, found.f1_of_means, GOAL))
        about.append(f"{kind}: {counted(pages)}")
        if kind == "news":
            scores = score_pages(list(STEPS.values()), pages, setting)
            for label, each in STEPS.items():
                found = means([Scores(one["p"], one["r"], one["f1"]) for one in scores[each]])
                steps.append((label, found.precision, found.recall, found.f1_of_means))
    head = ("type", "extractor", "pages", "P", "R", "F1 of means", "goal for P and R")
    tables = [table("chinese-pr", "Precision and recall of Chinese pages (words; a character is one)", head, rows)]
    if steps:
        tables.append(
            table(
                "chinese-steps", "What the steps of the news algorithm bring", ("steps", "P", "R", "F1 of means"), steps
            )
        )
    about.append("There are no blog pages of their own: the blog algorithm reads the news pages")
    return Finding(tuple(tables), about="; ".join(about) + ".")


def speed(setting: Setting) -> Finding:
    """Pages a second by type, with one process and with several."""
    rows = []
    for kind, (name, pages) in _pages(setting).items():
        chosen = extractor(name).algorithm()
        extract(pages[0].html, algorithm=chosen).text  # noqa: B018  (warm)
        started, cpu = time.perf_counter(), time.process_time()
        for page in pages:
            extract(page.html, url=page.url, algorithm=chosen).text  # noqa: B018  (made when asked for)
        spent, cpu = time.perf_counter() - started, time.process_time() - cpu
        started = time.perf_counter()
        for _ in work((Task(page, (name,)) for page in pages), workers=setting.workers):
            pass
        several = time.perf_counter() - started
        rows.append((kind, name, len(pages), len(pages) / spent, len(pages) / cpu, len(pages) / several, GOAL_SPEED))
    head = ("type", "algorithm", "pages", "pages/s", "pages a CPU second", f"with {setting.workers} processes", "goal")
    note = (
        "Pages of a CPU second count; those of a second depend on what else the machine does, and with several "
        "processes their start and the scoring are part of it."
    )
    return Finding(
        tables=(table("chinese-speed", "Pages a second, decoding and parsing included", head, rows, note, digits=1),),
        figures=(
            Figure(
                "chinese-speed",
                "Pages a second",
                "bars",
                [str(row[0]) for row in rows],
                {"of a CPU second": [row[4] for row in rows]},
                lines={"goal": GOAL_SPEED},
            ),
        ),
    )


ALL = (
    Experiment("chinese-pr", "Chinese module: precision and recall above 90 %, and its steps", PAPER, quality),
    Experiment("chinese-speed", "Chinese module: pages a second", PAPER, speed),
)
