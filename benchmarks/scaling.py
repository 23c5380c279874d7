"""Pages a second of one and two processes, and of one and two threads: `python -m benchmarks.scaling`.

All extract the same pages of a data set (DURAMEN_CORPORA), each its own share of them. Every process has the pages
from its start: sending them takes as long as parsing them. Two processes show what the machine has to give; two
threads, how much of an extraction runs without Python's lock. Wall-clock time: on a machine that does other things
meanwhile the figures mean little.
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import time
from collections.abc import Sequence
from concurrent.futures import Executor, ProcessPoolExecutor, ThreadPoolExecutor
from pathlib import Path

from benchmarks.oracle import pages
from duramen.algorithms import algorithm
from duramen.extract import extract
from duramen.parse import KERNEL, parse_page

_documents: list[bytes] = []  # of this process


def take(documents: Sequence[bytes]) -> None:
    """Give this process its pages."""
    _documents[:] = documents


def work(name: str, first: int, step: int, rounds: int) -> int:
    """Parse every so manieth page, or extract its text, so many times."""
    documents = _documents[first::step]
    if name == "parse":
        return sum(len(parse_page(html)) for _ in range(rounds) for html in documents)
    chosen = algorithm(name)
    return sum(len(extract(html, algorithm=chosen).text) for _ in range(rounds) for html in documents)


def pages_per_second(pool: Executor, workers: int, name: str, pages: int, rounds: int) -> float:
    """How fast so many workers are through so many pages together; the best of three runs."""

    def run(rounds: int) -> None:
        list(pool.map(work, [name] * workers, range(workers), [workers] * workers, [rounds] * workers))

    run(1)  # everything imported and warm
    best = 0.0
    for _ in range(3):
        start = time.perf_counter()
        run(rounds)
        best = max(best, rounds * pages / (time.perf_counter() - start))
    return best


def main() -> None:
    """Measure and print."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--dataset", default="wcxb")
    arguments.add_argument("--pages", type=int, default=100)
    arguments.add_argument("--rounds", type=int, default=5)
    arguments.add_argument("--workers", type=int, default=2)
    arguments.add_argument("--work", default="parse,cetd,coreex,econ", help="parse, or names of algorithms")
    options = arguments.parse_args()
    path = Path(os.environ["DURAMEN_CORPORA"]) / f"{options.dataset}.jsonl.xz"
    documents = [html for (_, html), _ in zip(pages(path), range(options.pages))]
    print(f"{KERNEL} kernel, {len(documents)} pages of {options.dataset}, {os.cpu_count()} processors; pages a second")
    context = multiprocessing.get_context("spawn")
    for name in options.work.split(","):
        for kind in ("processes", "threads"):
            speeds = []
            for workers in (1, options.workers):
                many = kind == "processes"
                kept = {"initializer": take, "initargs": (documents,)}
                pool = ProcessPoolExecutor(workers, context, **kept) if many else ThreadPoolExecutor(workers, **kept)
                with pool:
                    speeds.append(pages_per_second(pool, workers, name, len(documents), options.rounds))
            alone, together = speeds
            print(f"{name:8} {kind:10} 1: {alone:6.0f}   {options.workers}: {together:6.0f}   × {together / alone:.2f}")


if __name__ == "__main__":
    main()
