"""What the default's models cost before the first page: the time to load them and the memory that a process takes.

    python -m benchmarks.model_load

Each figure is of processes of its own, the middle one of several.
"""

from __future__ import annotations

import json
import subprocess
import sys
from argparse import ArgumentParser
from pathlib import Path
from statistics import median

EXAMPLE = Path(__file__).parents[1] / "examples" / "news.html"
# What a new process does; it prints milliseconds, and megabytes at the most.
_LOADED = """
import json, resource, sys, time
import duramen
from duramen.algorithms.learned.features import scorer_of
from duramen.algorithms.learned.network import network
from duramen.models.default import load_default

def memory():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024

def timed(work, *given):
    start = time.perf_counter()
    made = work(*given)
    return made, (time.perf_counter() - start) * 1000

page = open(sys.argv[1], "rb").read()
imported = memory()
model, read = timed(load_default, "pages")
_, ready = timed(lambda: (scorer_of(model), network(model)))
loaded = memory()
_, first = timed(lambda: duramen.extract(page).text)
_, second = timed(lambda: duramen.extract(page).text)
print(json.dumps({"load ms": read + ready, "first page ms": first, "second page ms": second,
                  "memory after import MB": imported, "with the model MB": loaded, "after two pages MB": memory()}))
"""


def main() -> None:
    """Print the figures."""
    told = ArgumentParser(description=__doc__)
    told.add_argument("--runs", type=int, default=9, help="processes")
    runs = [_figures() for _ in range(max(told.parse_args().runs, 1))]
    for name in runs[0]:
        print(f"{name:<24}{median(run[name] for run in runs):8.1f}")


def _figures() -> dict[str, float]:
    done = subprocess.run([sys.executable, "-c", _LOADED, str(EXAMPLE)], capture_output=True, text=True, check=True)
    found: dict[str, float] = json.loads(done.stdout)
    return found


if __name__ == "__main__":
    main()
