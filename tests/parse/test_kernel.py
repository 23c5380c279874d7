"""The kernel's two forms: the same files as C and as Python, and the promises about time, memory and threads."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from random import Random

import pytest
from benchmarks.compare import differences, outline
from benchmarks.growth import INPUTS
from benchmarks.pages import made_page

from duramen.parse import KERNEL, names, parse_html5, parse_page
from duramen.parse.scan import scan

FOLDER = Path(names.__file__).parent

# Runs the .py files though compiled ones stand beside them.
UNCOMPILED = """
import sys, importlib.machinery as machinery
def hook(path):
    if not path.endswith("parse"):
        raise ImportError
    return machinery.FileFinder(path, (machinery.SourceFileLoader, [".py"]))
sys.path_hooks.insert(0, hook)
sys.modules["cython"] = None  # as where Cython is not installed
from random import Random
from benchmarks.compare import outline
from benchmarks.pages import made_page
from duramen.parse import KERNEL
from duramen.parse.scan import scan
assert KERNEL == "pure", KERNEL
random = Random(7)
for _ in range(150):
    page = scan(made_page(random))
    sys.stdout.write((outline(page) if page is not None else "flagged") + "\\n===\\n")
"""


def test_compiled_and_uncompiled_give_the_same() -> None:
    root = Path(__file__).parent.parent.parent
    path = os.pathsep.join((str(root), str(FOLDER.parent.parent)))
    environment = {**os.environ, "PYTHONPATH": path, "PYTHONIOENCODING": "utf-8"}
    run = subprocess.run([sys.executable, "-c", UNCOMPILED], capture_output=True, env=environment, check=False)
    assert run.returncode == 0, run.stderr.decode()
    random = Random(7)
    pages = [scan(made_page(random)) for _ in range(150)]
    expected = "".join((outline(page) if page is not None else "flagged") + "\n===\n" for page in pages)
    assert run.stdout.decode() == expected


def test_constants_are_the_same_in_c() -> None:
    assert (FOLDER / "names.pxd").read_text(encoding="utf-8") == names.names_pxd()


def test_the_kernel_says_what_it_is() -> None:
    assert KERNEL in ("compiled", "pure")


@pytest.mark.skipif(KERNEL == "pure", reason="uncompiled, a step is a thousand times slower")
@pytest.mark.parametrize("name", INPUTS)
def test_time_grows_with_the_page_and_no_faster(name: str) -> None:
    def seconds(size: int) -> float:
        data = INPUTS[name](size).encode()
        best = float("inf")
        for _ in range(3):
            start = time.thread_time()
            scan(data)
            best = min(best, time.thread_time() - start)
        return best

    # Eight times the page may take eight times as long, not 64 times; what is below 2 ms is noise.
    assert seconds(40_000) < 24 * max(seconds(5_000), 0.002)


@pytest.mark.skipif(KERNEL == "pure", reason="the reference parser takes quadratic time")
def test_a_hundred_thousand_levels_of_blocks() -> None:
    page = parse_page(b"<div>" * 100_000)
    assert int(page.depth[-1]) == 100_001


def test_threads_do_not_share_a_reader() -> None:
    random = Random(3)
    pages = [made_page(random, 60) for _ in range(200)]
    with ThreadPoolExecutor(4) as pool:
        parsed = list(pool.map(parse_page, pages * 2))
    for data, page in zip(pages * 2, parsed):
        assert differences(page, parse_html5(data)) == []
