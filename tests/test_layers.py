"""Imports go downwards only, and optional dependencies stay at the edge that needs them."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent / "src" / "duramen"

# Lowest first. A module may import its own layer's package siblings only where SIBLINGS says so, and anything below.
LAYERS: tuple[tuple[str, ...], ...] = (
    ("errors", "version", "tags"),
    ("page",),
    ("decode", "parse", "measure", "encode", "models"),
    ("blocks", "restrict"),
    ("algorithms", "render", "metadata", "shell"),
    ("extract",),
    ("explain", "monitor", "pool"),
    ("crawl",),
    ("train",),
    ("bench",),
    ("jobs",),
    ("service",),
    ("cli",),
    ("__main__",),
)
# Inside a layer: who may import whom besides itself.
SIBLINGS = {"page": {"tags"}, "metadata": set(), "shell": set(), "decode": set(), "measure": set(), "parse": set()}
LEVEL = {name: level for level, names in enumerate(LAYERS) for name in names}
# Third-party packages, and the only parts of the tree that may import them.
EDGES = {
    "numpy": set(LEVEL),
    "selectolax": {"parse"},
    "webencodings": {"decode"},
    "chardetng_py": {"decode"},
    "typer": {"cli"},
    "click": {"cli"},
    "rich": {"cli"},
    "httpx": {"crawl", "cli"},
    "httpcore": {"crawl"},
    "stopwordsiso": {"algorithms"},
    "matplotlib": {"train", "bench"},
    "rapidfuzz": {"train", "bench"},
    "cython": {"parse", "decode", "algorithms", "measure", "render"},
    "lightgbm": {"train"},
    "scipy": {"train"},
    "scrapy": {"crawl"},
    "twisted": {"crawl"},
    "w3lib": {"crawl"},
    "itemadapter": {"crawl"},
    "fastapi": {"service"},
    "starlette": {"service"},
    "pydantic": {"service"},
    "uvicorn": {"service"},
    "prometheus_client": {"service"},
    "pyarrow": {"jobs"},
    "fastwarc": {"jobs"},
    "zstandard": {"jobs"},
    "datasketch": {"jobs"},
    "ray": {"jobs"},
    "datatrove": {"jobs"},
    "pyspark": {"jobs"},
    "pandas": {"jobs"},
}
# Inside algorithms/ a file may import what all share and its own paper's folder: algorithms do not know each other …
ALGORITHM_BASE = {"settings"}
# … but for those that are by nature made of others.
COMPOSED = {"vote": {"__init__"}, "chinese": {"coreex"}}
FILES = sorted(ROOT.rglob("*.py"))


def part_of(path: Path) -> str:
    """The layer name of a file: its first folder, or its own name."""
    relative = path.relative_to(ROOT)
    return relative.parts[0] if len(relative.parts) > 1 else relative.stem


def imports(path: Path) -> set[str]:
    """Every module name that a file imports, wherever in the file."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: imports are absolute"
            base = node.module or ""
            found |= {f"{base}.{alias.name}" for alias in node.names} if base == "duramen" else {base}
    return found


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(ROOT)))
def test_imports_go_downwards(path: Path) -> None:
    part = part_of(path)
    if part == "__init__":
        return  # the facade imports everything
    for name in imports(path):
        if not name.startswith("duramen."):
            continue
        other = name.split(".")[1]
        if other == part:
            continue
        assert other in LEVEL, f"{path}: duramen.{other} has no layer in tests/test_layers.py"
        allowed = LEVEL[other] < LEVEL[part] or other in SIBLINGS.get(part, set())
        assert allowed, f"{part} may not import {other}"


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(ROOT)))
def test_third_party_packages_stay_at_their_edge(path: Path) -> None:
    import sys

    for name in imports(path):
        top = name.split(".")[0]
        if top == "duramen" or top in sys.stdlib_module_names:
            continue
        assert top in EDGES, f"{path}: {top} is not a declared dependency"
        assert part_of(path) in EDGES[top], f"{path}: {top} may not be imported here"


@pytest.mark.parametrize(
    "path", sorted((ROOT / "algorithms").rglob("*.py")), ids=lambda path: str(path.relative_to(ROOT / "algorithms"))
)
def test_algorithms_do_not_know_each_other(path: Path) -> None:
    relative = path.relative_to(ROOT / "algorithms")
    paper = relative.parts[0].removesuffix(".py")
    if paper == "__init__":
        return  # the table
    allowed = {paper} | ALGORITHM_BASE | COMPOSED.get(paper, set())
    for name in imports(path):
        if name.startswith("duramen.algorithms"):
            assert (name.split(".")[2:] or ["__init__"])[0] in allowed, f"{relative} imports {name}"
        assert not name.startswith(("duramen.parse.html5", "selectolax")), f"{relative} imports a parser"
        assert name.split(".")[0] not in {"os", "pathlib", "time", "datetime", "io", "socket"}, f"{relative}: {name}"


def test_the_core_imports_without_the_extras() -> None:
    """`import duramen` must not pull in what only an extra installs."""
    import subprocess
    import sys

    code = "import sys, duramen; print([m for m in ('typer', 'rich', 'httpx', 'click') if m in sys.modules])"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "[]"
