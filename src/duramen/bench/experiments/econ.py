"""ECON: Tables II to V with verdicts by rule, on random, pieces, short and foreign pages."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from statistics import fmean

import numpy as np

from duramen.algorithms.econ import Econ
from duramen.bench.experiments.experiment import Experiment, Finding, Setting, counted, present
from duramen.bench.figures import Figure
from duramen.bench.gold import GoldPage
from duramen.bench.metrics import Verdict, lenient_scores, shares, verdict, words
from duramen.bench.metrics.verdicts import TOLERANCE, TOLERANCES
from duramen.bench.tables import Cell, Table, table
from duramen.bench.workers import Outcome, Task, work
from duramen.extract import parse
from duramen.page import Selection
from duramen.train.cases import gold_language

PAPER = Econ.paper
CHINESE = ("chinese", "magic-article", "magic-forum")
NEWS = ("chinese", "magic-article", "big9", "l3s-gn1", "dragnet", "cleaneval")
MIXED = ("magic-article", "wcxb", "readability", "dragnet", "cleaneval")
# Correctly, wrongly, missed, as the paper prints them.
PRINTED: Mapping[str, Mapping[str, tuple[float, float, float]]] = {
    "random": {"econ": (93.7, 5.6, 0.7), "coreex": (82.6, 9.9, 7.5)},
    "pieces": {"econ": (91, 6, 3), "coreex": (51, 17, 32)},
    "short": {"econ": (41, 7, 52), "coreex": (34, 15, 51)},
    "languages": {"econ": (90, 6, 4), "coreex": (92, 2, 6)},
}
MEAN_STEPS = 2.7
_HAN = re.compile("[\u4e00-\u9fff]")
_KANA = re.compile("[\u3041-\u30ff]")
_SCRIPTS = {
    "ar": re.compile("[\u0621-\u064a]"),
    "ru": re.compile("[\u0410-\u044f]"),
    "el": re.compile("[\u03b1-\u03c9]"),
}
SCRIPT_SHARE = 0.3  # of a text's characters, for a language that its script tells


def language(text: str) -> str:
    """The language of a gold text: by its script, else by its stop words; empty where neither tells."""
    size = max(len("".join(text.split())), 1)
    if len(_KANA.findall(text)) > 0.1 * size:
        return "ja"
    if len(_HAN.findall(text)) > SCRIPT_SHARE * size:
        return "zh"
    for name, script in _SCRIPTS.items():
        if len(script.findall(text)) > SCRIPT_SHARE * size:
            return name
    return gold_language(text) or ""


def _verdicts(
    pages: Sequence[GoldPage], names: Sequence[str], setting: Setting
) -> dict[str, list[tuple[float, float]]]:
    """Precision and recall of every page; what stands in its title counts neither way."""
    place = {id(page): at for at, page in enumerate(pages)}
    found: dict[str, list[tuple[float, float]]] = {name: [(0.0, 0.0)] * len(pages) for name in names}
    titles = [words(_titles(page)) for page in pages]
    tasks = (Task(page, tuple(names), "words", keep_text=True) for page in pages)
    for outcome in work(tasks, workers=setting.workers):
        if isinstance(outcome, Outcome):
            at = place[id(outcome.page)]
            scores = lenient_scores(words(outcome.text or ""), words(outcome.page.text or ""), titles[at])
            found[outcome.name][at] = scores.precision, scores.recall
    return found


def _titles(page: GoldPage) -> str:
    """The page's title, and its headings of the first level."""
    parsed = parse(page.html)
    rows = np.flatnonzero(parsed.named("title", "h1"))
    return " ".join(parsed.text_of(row) for row in rows.tolist())


def _tables(kind: str, number: str, found: dict[str, list[tuple[float, float]]]) -> tuple[Table, ...]:
    rows: list[Sequence[Cell]] = []
    for name, pairs in found.items():
        for tolerance in TOLERANCES:
            share = shares(verdict(*pair, tolerance) for pair in pairs)
            paper = PRINTED[kind].get(name.partition("?")[0]) if tolerance == TOLERANCE else None
            rows.append(
                (name, f"{tolerance:.0%}", *(100 * share[each] for each in Verdict), *(paper or (None, None, None)))
            )
    head = ("extractor", "tolerance", "correctly", "wrongly", "missed", *(f"paper: {each}" for each in Verdict))
    return (table(f"table-{kind}", f"Table {number}: verdicts, percent of the pages", head, rows, digits=1),)


def _figure(kind: str, found: dict[str, list[tuple[float, float]]]) -> Figure:
    names = list(found)
    share = {name: shares(verdict(*pair) for pair in found[name]) for name in names}
    series = {str(each): [100 * share[name][each] for name in names] for each in Verdict}
    return Figure(
        f"table-{kind}", "Verdicts, tolerance 2 %", "bars", names, series, y="% of the pages", limits=(0, 100)
    )


NOTE = (
    " Verdicts by rule, not by hand: correctly is a precision and a recall of at least 1 − tolerance by the longest "
    "common subsequence of words, where those of its title count neither way. A person would forgive more: dates, "
    "captions and lines about the author, which gold texts have or have not."
)


def _finding(kind: str, number: str, pages: Sequence[GoldPage], setting: Setting, about: str = "") -> Finding:
    names = present("econ", "coreex", "cetd")
    found = _verdicts(pages, names, setting)
    return Finding(_tables(kind, number, found), (_figure(kind, found),), counted(pages) + "." + about + NOTE)


def table2(setting: Setting) -> Finding:
    """Random Chinese pages, and the mean number of backtracking steps."""
    pages = [page for page in setting.pages(CHINESE, None) if language(page.text or "") == "zh"]
    steps = [_selection(page).trace["steps"] for page in pages]
    more = f" Backtracking steps of ECON: {fmean(steps):.2f} on average (paper: {MEAN_STEPS})." if steps else ""
    return _finding("random", "II", pages, setting, more)


def table3(setting: Setting) -> Finding:
    """Pages whose content is in many pieces."""
    return _flagged("pieces", "III", "pieces_page", setting)


def table4(setting: Setting) -> Finding:
    """Pages with little content."""
    return _flagged("short", "IV", "short_page", setting)


def _flagged(kind: str, number: str, flag: str, setting: Setting) -> Finding:
    every = setting.pages(NEWS, 100)
    pages = [page for page in every if flag in _selection(page).flags]
    chosen = f" They are those of {len(every)} pages that ECON itself flags `{flag}`."
    return _finding(kind, number, pages, setting, chosen)


def _selection(page: GoldPage) -> Selection:
    return Econ().select(parse(page.html))


def table5(setting: Setting) -> Finding:
    """Pages in other languages than Chinese, and each language by itself."""
    every = [(page, language(page.text or "")) for page in setting.pages(MIXED, 150)]
    pages, tongues = [], []
    english = 0
    for page, tongue in every:
        english += tongue == "en"
        if tongue and tongue != "zh" and (tongue != "en" or english <= 50):  # English would drown the others
            pages.append(page)
            tongues.append(tongue)
    names = present("econ", "coreex", "cetd")
    found = _verdicts(pages, names, setting)
    rows: list[Sequence[Cell]] = []
    for tongue in sorted(set(tongues)):
        members = [at for at, each in enumerate(tongues) if each == tongue]
        for name in names:
            share = shares(verdict(*found[name][at], 0.05) for at in members)
            rows.append((tongue, name, len(members), *(100 * share[each] for each in Verdict)))
    by_language = table(
        "table-by-language",
        "By language (tolerance 5 %)",
        ("language", "extractor", "pages", *map(str, Verdict)),
        rows,
        digits=1,
    )
    tables = (*_tables("languages", "V", found), by_language)
    return Finding(tables, (_figure("languages", found),), counted(pages) + ", English ones limited to 50." + NOTE)


ALL = (
    Experiment("econ-table2", "ECON, Table II: random Chinese pages", PAPER, table2),
    Experiment("econ-table3", "ECON, Table III: pieces-pages", PAPER, table3),
    Experiment("econ-table4", "ECON, Table IV: short pages", PAPER, table4),
    Experiment("econ-table5", "ECON, Table V: other languages", PAPER, table5),
)
