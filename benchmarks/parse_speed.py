"""CPU time of bytes → Page as a ratio to a lexbor parse of the same bytes: `python -m benchmarks.parse_speed`.

Both run in turns on the first pages of a data set (DURAMEN_CORPORA), so that whatever else the machine does meets both.
The ratio of the best of several rounds and of all rounds together are printed; flagged pages pay for both parsers.
"""

from __future__ import annotations

import argparse
import os
import time
from pathlib import Path

from selectolax.lexbor import LexborHTMLParser

from benchmarks.oracle import pages
from duramen.parse import KERNEL, parse_page
from duramen.parse.scan import scan


def seconds(work: object, data: bytes) -> float:
    """CPU time of this thread for one call, what it returned thrown away included."""
    assert callable(work)
    start = time.thread_time()
    work(data)
    return time.thread_time() - start


def main() -> None:
    """Measure and print."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--dataset", default="wcxb")
    arguments.add_argument("--pages", type=int, default=300)
    arguments.add_argument("--rounds", type=int, default=5)
    options = arguments.parse_args()
    path = Path(os.environ["DURAMEN_CORPORA"]) / f"{options.dataset}.jsonl.xz"
    documents = [utf8 for (_, utf8), _ in zip(pages(path), range(options.pages))]
    modelled = [scan(utf8) is not None for utf8 in documents]
    best = {name: [float("inf")] * len(documents) for name in ("lexbor", "scan", "parse_page")}
    total = dict.fromkeys(best, 0.0)
    for _ in range(options.rounds):
        for k, utf8 in enumerate(documents):
            for name, work in (("lexbor", LexborHTMLParser), ("scan", scan), ("parse_page", parse_page)):
                taken = seconds(work, utf8)
                best[name][k] = min(best[name][k], taken)
                total[name] += taken

    def summed(name: str, chosen: list[bool]) -> float:
        return sum(taken for taken, is_chosen in zip(best[name], chosen) if is_chosen)

    everything = [True] * len(documents)
    print(f"{KERNEL} kernel, {len(documents)} pages of {options.dataset}, {len(documents) - sum(modelled)} flagged")
    print(f"lexbor              {1e6 * summed('lexbor', everything) / len(documents):7.0f} µs a page")
    print(f"scan, not flagged   {summed('scan', modelled) / summed('lexbor', modelled):7.3f} of lexbor")
    print(f"parse_page, all     {summed('parse_page', everything) / summed('lexbor', everything):7.3f} of lexbor")
    print(f"all rounds          {total['parse_page'] / total['lexbor']:7.3f} of lexbor")


if __name__ == "__main__":
    main()
