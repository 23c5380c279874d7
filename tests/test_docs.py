"""Examples in README and docs run as written: Python blocks, and shell sessions with their output.

A ```python block runs in one namespace a file; with `>>>` prompts its output is compared. In a ```console block each
line after `$ ` runs in a shell, in a folder that holds a copy of `examples/`; the lines below it are its output, where
`…` stands for anything. ```sh blocks are shown, not run.
"""

from __future__ import annotations

import doctest
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parent.parent
FENCE = re.compile(r"^```(python|console)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
FILES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
PAGES = [path for path in FILES if FENCE.search(path.read_text(encoding="utf-8"))]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    shutil.copytree(ROOT / "examples", tmp_path / "examples")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PATH", f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}")
    for name in ("COLUMNS", "FORCE_COLOR", "NO_COLOR"):
        monkeypatch.delenv(name, raising=False)
    return tmp_path


def run_python(code: str, where: str, names: dict[str, Any]) -> None:
    if ">>>" not in code:
        exec(compile(code, where, "exec"), names)
        return
    flags = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
    test = doctest.DocTestParser().get_doctest(code, names, where, where, 0)
    runner = doctest.DocTestRunner(optionflags=flags)
    report: list[str] = []
    runner.run(test, out=report.append, clear_globs=False)
    names.update(test.globs)
    assert not runner.failures, "".join(report)


def run_console(block: str, where: str) -> None:
    for session in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
        command, _, expected = session.partition("\n")
        while command.endswith("\\"):
            more, _, expected = expected.partition("\n")
            command = command[:-1] + more.strip()
        run = subprocess.run(["bash", "-c", command], capture_output=True, text=True, timeout=120)
        shown = (run.stdout + run.stderr).strip()
        pattern = re.escape(expected.strip()).replace("…", ".*?")
        pattern = re.sub(r"(\\ |\\\n|\s)+", r"\\s+", pattern)
        assert re.fullmatch(pattern, shown, re.DOTALL), (
            f"{where}: $ {command}\n{shown}\n— but the page says:\n{expected}"
        )


@pytest.mark.parametrize("path", PAGES, ids=lambda path: str(path.relative_to(ROOT)))
def test_examples_run_as_written(path: Path, folder: Path) -> None:
    names: dict[str, Any] = {"__name__": "__main__"}
    text = path.read_text(encoding="utf-8")
    for found in FENCE.finditer(text):
        where = f"{path.name}:{text.count(chr(10), 0, found.start()) + 1}"
        if found[1] == "python":
            run_python(found[2], where, names)
        else:
            run_console(found[2], where)


def test_links_between_the_documents_lead_somewhere() -> None:
    for path in FILES:
        for target in re.findall(r"\]\(([^)#\s]+)[^)]*\)", path.read_text(encoding="utf-8")):
            if "://" not in target and not target.startswith("mailto:"):
                assert (path.parent / target).exists(), f"{path.name}: {target}"


def test_readme_shows_the_two_commands() -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    assert "make demo" in text
    assert "make test" in text


def test_every_algorithm_is_documented() -> None:
    from duramen.algorithms import ALGORITHMS, settings

    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    for name, kind in ALGORITHMS.items():
        assert f"`{name}`" in readme, f"README does not name {name}"
        pages = "".join(path.read_text(encoding="utf-8") for path in (ROOT / "docs" / "algorithms").glob("*.md"))
        for setting in settings(kind):
            assert f"`{setting.name.rstrip('_')}`" in pages, f"docs/algorithms does not name {name}'s {setting.name}"
