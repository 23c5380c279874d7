"""What `setup.py` does where there is a compiler, where there is none, and where what compiles is not installed."""

from __future__ import annotations

import importlib.util
import runpy
import sys
from pathlib import Path
from typing import Any

import pytest
import setuptools
from setuptools import Distribution, Extension

ROOT = Path(__file__).parents[1]
SOURCE = """
#include <Python.h>
static struct PyModuleDef module = {PyModuleDef_HEAD_INIT, "small", "It works.", -1, NULL};
PyMODINIT_FUNC PyInit_small(void) { return PyModule_Create(&module); }
"""


@pytest.fixture
def script(monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """The names of `setup.py`, which sets nothing up."""
    monkeypatch.setattr(setuptools, "setup", lambda **_: None)
    monkeypatch.setenv("DURAMEN_PURE", "1")
    found = runpy.run_path(str(ROOT / "setup.py"))
    monkeypatch.delenv("DURAMEN_PURE")
    return found


def build(script: dict[str, Any], folder: Path, source: str) -> Any:
    """The command after it built a small module of this source."""
    path = folder / "small.c"
    path.write_text(source)
    distribution = Distribution({"name": "small", "ext_modules": [Extension("small", [str(path)])]})
    command = script["BuildAllOrNone"](distribution)
    command.build_lib, command.build_temp = str(folder / "lib"), str(folder / "temp")
    command.ensure_finalized()
    command.run()
    return command


def test_what_compiles_is_kept(script: dict[str, Any], tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (built,) = build(script, tmp_path, SOURCE).get_outputs()
    found = importlib.util.spec_from_file_location("small", built)
    assert found is not None
    assert importlib.util.module_from_spec(found).__doc__ == "It works."
    assert "could not be built" not in capfd.readouterr().err


def test_where_a_file_does_not_compile_none_is_kept_and_one_notice_says_so(
    script: dict[str, Any], tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    command = build(script, tmp_path, "#error no such compiler")
    assert command.extensions == []
    assert not list(tmp_path.rglob("*.so"))
    assert capfd.readouterr().err.count("the compiled kernel could not be built") == 1


@pytest.mark.parametrize("missing", ["Cython.Build", "numpy"])
def test_without_what_compiles_the_pure_version_is_installed(
    missing: str, script: dict[str, Any], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, missing, None)
    assert script["extensions"]() == []
    notice = capsys.readouterr().err
    assert "the compiled kernel could not be built" in notice
    assert "the pure version is installed" in notice
