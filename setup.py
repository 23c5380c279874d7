"""Compiles the kernel where there is a C compiler; where there is none, the same files run as Python.

DURAMEN_PURE=1 leaves the compiled kernel out. DURAMEN_SANITIZE=1 builds it with checks of every memory access.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

SOURCE = Path("src")
SCANNER = ("lexicon", "rows", "stack", "adoption", "insertion", "start_tags", "end_tags", "tree", "decoding", "tokens")
MODULES = (
    *(f"duramen.parse.{name}" for name in SCANNER),
    "duramen.decode.utf8",
    "duramen.measure.reading",
    "duramen.algorithms.cetd.comments",
    "duramen.algorithms.cetd.densities",
    "duramen.algorithms.coreex.tally",
    "duramen.algorithms.econ.units",
    *(f"duramen.algorithms.learned.{name}" for name in ("vocabulary", "outline", "measures", "lexicon", "choose")),
    *(f"duramen.render.{name}" for name in ("tables", "lists", "gaps", "lines")),
)
SHARED = "duramen.parse._shared"
DIRECTIVES = {
    "language_level": 3,
    "annotation_typing": False,  # annotations are for readers and mypy; C types stand in the .pxd files
    "infer_types": True,
    "boundscheck": True,  # an index out of range raises, it never reads or writes elsewhere
    "wraparound": False,
    "initializedcheck": False,
    "cdivision": True,
    "show_performance_hints": False,
    "warn.unreachable": False,
}
NOTICE = """
duramen: the compiled kernel could not be built ({reason}).
duramen: the pure version is installed; pages are parsed some ten times slower. A C compiler and Python's headers help.
"""


def wanted(variable: str) -> bool:
    """Whether a switch in the environment is on."""
    return os.environ.get(variable, "") not in ("", "0")


def extensions() -> list[Extension]:
    """The kernel's modules as C extensions, or none."""
    if wanted("DURAMEN_PURE"):
        return []
    try:
        from Cython.Build import cythonize
    except ImportError as error:
        sys.stderr.write(NOTICE.format(reason=error))
        return []
    flags: list[str] = []
    if wanted("DURAMEN_SANITIZE"):
        flags = ["-fsanitize=address,undefined", "-fno-omit-frame-pointer", "-g"]
    elif os.name == "posix":
        flags = ["-g0", "-O3", "-ffp-contract=off"]  # fused operations would round unlike Python
    modules = [
        Extension(
            name,
            [str(SOURCE.joinpath(*name.split(".")).with_suffix(".py"))],
            extra_compile_args=flags,
            extra_link_args=flags,
        )
        for name in MODULES
    ]
    # What all of them need for arrays is compiled once.
    shared = Extension(
        SHARED, [str(SOURCE / "duramen" / "parse" / "_shared.c")], extra_compile_args=flags, extra_link_args=flags
    )
    compiled: list[Extension] = cythonize(
        [*modules, shared],
        compiler_directives=DIRECTIVES,
        include_path=["src"],
        build_dir="build",
        quiet=True,
        shared_utility_qualified_name=SHARED,
    )
    return compiled


class BuildAllOrNone(build_ext):
    """The modules are one class in pieces: they are compiled together or not at all."""

    def run(self) -> None:
        try:
            super().run()
        except Exception as error:  # noqa: BLE001 (whatever stops a compiler, the pure version works)
            sys.stderr.write(NOTICE.format(reason=error))
            for path in map(Path, self.get_outputs()):
                path.unlink(missing_ok=True)
            self.extensions = []


setup(ext_modules=extensions(), cmdclass={"build_ext": BuildAllOrNone})
