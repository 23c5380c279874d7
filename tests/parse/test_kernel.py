"""The kernel's two forms: the same files as C and as Python, and the promises about time, memory and threads."""

from __future__ import annotations

import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from random import Random

import pytest
from benchmarks.compare import differences, outline
from benchmarks.growth import INPUTS
from benchmarks.pages import made_page

from duramen.parse import KERNEL, names, parse_html5, parse_page
from duramen.parse.mend import frames_closed, title_closed
from duramen.parse.scan import scan, why_not

FOLDER = Path(names.__file__).parent

# Runs the .py files though compiled ones stand beside them.
UNCOMPILED = """
import sys, importlib.machinery as machinery
def hook(path):
    if "duramen" not in path.replace(chr(92), "/").split("/src/")[-1].split("/")[:1]:
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
def test_hostile_pages_end_and_stay_in_proportion(name: str) -> None:
    """How the time grows is in benchmarks/growth.py; here, that rows and buffers grow with the page and no faster."""
    small, large = (INPUTS[name](size).encode() for size in (5_000, 80_000))
    less, more = scan(small), scan(large)
    if less is None or more is None:
        assert why_not(large) is not None
        return
    assert len(more) <= 17 * len(less)
    assert len(more.attrs) <= 17 * len(less.attrs) + 65536  # copies of formatting elements are bounded by COPY_SLACK
    assert len(more.text) <= 17 * len(less.text)


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
        browser = parse_html5(data)
        whole = title_closed(browser, data) or frames_closed(browser, data)
        assert differences(page, browser if whole is None else parse_html5(whole)) == []
