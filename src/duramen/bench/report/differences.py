"""What two extractors make of the same pages: where they differ most, and in which words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import Any

from duramen.bench.datasets import load
from duramen.bench.extras import need
from duramen.bench.gold import GoldPage
from duramen.bench.metrics.words import numbered, words
from duramen.bench.runs import Run
from duramen.bench.workers import Outcome, Task, work
from duramen.errors import DuramenError

MOST_WORDS = 6000  # of each text that are compared
SHOWN_WORDS = 220  # of a difference that are shown
CONTEXT = 4  # words on either side of a difference


@dataclass(frozen=True, slots=True)
class Difference:
    """A page that two extractors score differently."""

    dataset: str
    id: str
    one: float
    other: float


def differences(run: Run, one: str, other: str, most: int) -> list[Difference]:
    """The pages on which the F1 of two extractors differs most, the largest first."""
    found = []
    for dataset in run.datasets:
        first, second = run.scores(dataset, one), run.scores(dataset, other)
        both = first.keys() & second.keys()
        found += [Difference(dataset, key, page_f1(first[key]), page_f1(second[key])) for key in both]
    found.sort(key=lambda each: (-abs(each.one - each.other), each.dataset, each.id))
    return [each for each in found[:most] if each.one != each.other]


def page_f1(scores: dict[str, Any]) -> float:
    """F1 of a page: of words, or of its snippets."""
    if "f1" in scores:
        return float(scores["f1"])
    found, wrong, missed, _ = scores.get("snip", (0, 0, 0, 0))
    return 2 * found / (2 * found + wrong + missed) if found else 0.0


def gold_pages(run: Run, wanted: Sequence[tuple[str, str]]) -> dict[tuple[str, str], GoldPage]:
    """The pages of a run by data set and id, read again; what cannot be read any more is left out."""
    found: dict[tuple[str, str], GoldPage] = {}
    for dataset in dict.fromkeys(dataset for dataset, _ in wanted):
        about = run.datasets[dataset]
        keys = {key for name, key in wanted if name == dataset}
        try:
            layout = None if about.layout == "jsonl" else about.layout
            data = load(Path(about.path), layout=layout)
        except (DuramenError, OSError):
            continue
        found |= {(dataset, page.id): page for page in data.pages if page.id in keys}
    return found


def texts(pages: Sequence[GoldPage], names: Sequence[str], workers: int = 2) -> dict[tuple[str, str, str], str]:
    """What extractors make of pages, by data set, id and extractor."""
    found = {}
    for outcome in work((Task(page, tuple(names), keep_text=True) for page in pages), workers=workers):
        if isinstance(outcome, Outcome):
            found[outcome.page.dataset, outcome.page.id, outcome.name] = outcome.text or ""
    return found


def word_diff(one: str, other: str) -> str:
    """The words that only one text has, marked, with some around them; of a long difference the beginning."""
    first, second = words(one)[:MOST_WORDS], words(other)[:MOST_WORDS]
    shown: list[str] = []
    count = 0
    for tag, words_shown in _pieces(first, second):
        if count >= SHOWN_WORDS:
            shown.append("<i>… and more</i>")
            break
        rest = words_shown[: SHOWN_WORDS - count]
        count += len(rest)
        text = escape(" ".join(rest))
        shown.append(f"<{tag}>{text}</{tag}>" if tag else text)
    return " ".join(shown)


def _pieces(first: Sequence[str], second: Sequence[str]) -> Iterator[tuple[str, Sequence[str]]]:
    """`del` for words of the first text only, `ins` for those of the second, "" for some of what both have."""
    a, b = numbered(first, second)
    for step in need("rapidfuzz.distance").LCSseq.opcodes(a, b):
        same = first[step.src_start : step.src_end]
        if step.tag != "equal":
            if same:
                yield "del", same
            if step.dest_end > step.dest_start:
                yield "ins", second[step.dest_start : step.dest_end]
        elif len(same) <= 2 * CONTEXT + 1:
            yield "", same
        else:
            before = same[:CONTEXT] if step.src_start else []
            after = same[-CONTEXT:] if step.src_end < len(first) or step.dest_end < len(second) else []
            yield "", [*before, f"[{len(same) - len(before) - len(after)} words]", *after]
