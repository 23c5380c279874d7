"""All that is compiled, on random, labelled and broken pages: `python -m benchmarks.exercise --minutes 2`.

It checks nothing by itself: `benchmarks/sanitize.sh` runs it on a build that stops at the first wrong access to memory.
Pages of the data sets in DURAMEN_CORPORA, where that is set, take turns with made-up ones.
"""

from __future__ import annotations

import argparse
import os
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from random import Random

from benchmarks.oracle import pages
from benchmarks.pages import made_page, mutated
from duramen.extract import extract

ALGORITHMS = ("default", "cetd", "coreex", "econ")
CUT, BROKEN = 0.15, 0.1  # shares of the pages that are cut short, and that have some wrong bytes
WRONG_BYTES = 20


def made_up(random: Random) -> Iterator[bytes]:
    """Random pages without end."""
    page = b""
    while True:
        page = mutated(random, page) if random.random() < 0.4 else made_page(random, random.choice((5, 15, 40, 100)))
        yield page


def harmed(random: Random, page: bytes) -> bytes:
    """The page, or what a broken connection or disk would make of it."""
    fate = random.random()
    if fate < CUT:
        return page[: random.randrange(len(page) + 1)]
    if fate < CUT + BROKEN and page:
        broken = bytearray(page)
        for _ in range(WRONG_BYTES):
            broken[random.randrange(len(page))] = random.randrange(256)
        return bytes(broken)
    return page


def exercise(page: bytes) -> None:
    """Every compiled stage on one page."""
    for name in ALGORITHMS:
        found = extract(page, url="https://example.org/a/b", algorithm=name)
        assert isinstance(found.text, str)
        if name == "default":
            found.to_dict()


def main() -> None:
    """Go on for a while and print how many pages of each source there were."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--minutes", type=float, default=1.0)
    arguments.add_argument("--seed", type=int, default=0)
    options = arguments.parse_args()
    random, stop = Random(options.seed), time.monotonic() + 60 * options.minutes
    sources = {"made up": made_up(random)}
    folder = os.environ.get("DURAMEN_CORPORA")
    for path in sorted(Path(folder).glob("*.jsonl.xz")) if folder else ():
        sources[path.name.removesuffix(".jsonl.xz")] = (utf8 for _, utf8 in pages(path))
    done: Counter[str] = Counter()
    while time.monotonic() < stop:
        for name, source in list(sources.items()):
            page = next(source, None)
            if page is None:
                del sources[name]
                continue
            exercise(harmed(random, page))
            done[name] += 1
    print(f"{done.total()} pages: " + ", ".join(f"{count} {name}" for name, count in done.items()))


if __name__ == "__main__":
    main()
