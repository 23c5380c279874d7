"""Where the time from bytes to text goes, as ratios to a lexbor parse: `python -m benchmarks.hot_path`.

Every stage and a lexbor parse of the same bytes take turns, page by page, on pages of a data set (DURAMEN_CORPORA), so
that whatever else the machine does falls on all of them alike. Each stage counts with its best of several rounds.
"""

from __future__ import annotations

import argparse
import os
import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

from selectolax.lexbor import LexborHTMLParser

from benchmarks.oracle import pages
from duramen import render
from duramen.algorithms import Algorithm, algorithm
from duramen.decode import decode
from duramen.extract import extract, select
from duramen.parse import KERNEL, parse_page
from duramen.shell import empty_reason

ALGORITHMS = ("cetd", "coreex", "econ")
Work = Callable[[], object]


def stages(html: bytes, names: Sequence[str]) -> dict[str, Work]:
    """What is timed on one page: each stage on what the one before it gives, and the whole."""
    decoded = decode(html)
    page = parse_page(decoded.utf8)
    work: dict[str, Work] = {
        "lexbor": partial(LexborHTMLParser, html),
        "decode": partial(decode, html),
        "parse": partial(parse_page, decoded.utf8, decoded.holds),
    }
    for name in names:
        chosen = algorithm(name)
        _, selection = select(decoded, chosen)
        work[f"{name}: select"] = partial(chosen.select, page)
        work[f"{name}: reason"] = partial(empty_reason, decoded, page, selection)
        work[f"{name}: text"] = partial(render.to_text, page, selection)
        work[f"{name}: all"] = partial(whole, html, chosen)
        work[f"{name}: all, by name"] = partial(whole, html, name)
    return work


def whole(html: bytes, chosen: str | Algorithm) -> str:
    """Bytes to text, as a user asks for it."""
    return extract(html, algorithm=chosen).text


def seconds(work: Work) -> float:
    """CPU time of this thread for one call, the end of what it returned included."""
    start = time.thread_time()
    work()
    return time.thread_time() - start


def measured(documents: Sequence[bytes], names: Sequence[str], rounds: int) -> dict[str, float]:
    """The best time of each stage, summed over the pages."""
    total: dict[str, float] = {}
    for html in documents:
        work = stages(html, names)
        best = dict.fromkeys(work, float("inf"))
        for _ in range(rounds):
            for name, run in work.items():
                best[name] = min(best[name], seconds(run))
        for name, taken in best.items():
            total[name] = total.get(name, 0.0) + taken
    return total


def main() -> None:
    """Measure and print."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--dataset", default="wcxb")
    arguments.add_argument("--pages", type=int, default=100)
    arguments.add_argument("--rounds", type=int, default=5)
    arguments.add_argument("--algorithms", default=",".join(ALGORITHMS))
    options = arguments.parse_args()
    path = Path(os.environ["DURAMEN_CORPORA"]) / f"{options.dataset}.jsonl.xz"
    documents = [html for (_, html), _ in zip(pages(path), range(options.pages))]
    total = measured(documents, options.algorithms.split(","), options.rounds)
    print(f"{KERNEL} kernel, {len(documents)} pages of {options.dataset}, the best of {options.rounds} rounds")
    for name, taken in total.items():
        print(f"{name:22} {1e6 * taken / len(documents):8.0f} µs a page {taken / total['lexbor']:8.3f} × lexbor")


if __name__ == "__main__":
    main()
