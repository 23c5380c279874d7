"""How many pages a core makes into rows of Parquet: labelled pages, bytes in, encoded parts out, one process.

    python -m benchmarks.core_speed wcxb trafilatura l3s-gn1 --data CORPORA [--rounds 3] [--columns url,text]

CPU time, the best of a few rounds over each set: the machine may be busy. Reading archives is not in it
(`batch_throughput.py` has that). docs/scale.md plans a whole crawl with these figures.
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path

from duramen.bench.datasets import find, load
from duramen.jobs.parts import Form, encode
from duramen.jobs.record import Record
from duramen.jobs.settings import Settings
from duramen.jobs.work import run
from duramen.pool.worker import warm_up

PART = 128  # pages


def measure(records: list[Record], settings: Settings, rounds: int) -> tuple[float, int]:
    """CPU seconds of the best round, and bytes of all parts."""
    best, size = float("inf"), 0
    for _ in range(rounds):
        started = time.process_time()
        parts = (records[at : at + PART] for at in range(0, len(records), PART))
        size = sum(len(encode(list(run(part, settings)), settings, Form.PARQUET)) for part in parts)
        best = min(best, time.process_time() - started)
    return best, size


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="+")
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--columns", help="with commas between them; all where nothing is said")
    chosen = parser.parse_args()
    settings = Settings.of_columns(chosen.columns.split(",")) if chosen.columns else Settings()
    places = find([chosen.data])
    warm_up()
    pages, seconds = 0, 0.0
    for name in chosen.names:
        source = load(places[name]).pages
        records = [Record(name, page.html, url=page.url) for page in source]
        total = sum(len(record.body) for record in records)
        best, size = measure(records, settings, chosen.rounds)
        count = len(records)
        sys.stdout.write(f"{name:14} {count:6,} pages {total / count / 1e3:4.0f} KB each {count / best:7.0f} pages/s ")
        sys.stdout.write(f"{total / best / 1e6:6.0f} MB/s {size / count / 1e3:6.1f} KB of output a page\n")
        pages, seconds = pages + count, seconds + best
    sys.stdout.write(f"all            {pages:6,} pages {pages / seconds:7.0f} pages/s\n")


if __name__ == "__main__":
    main()
