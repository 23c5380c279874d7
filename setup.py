"""Compiles the kernel where there is a C compiler; where there is none, the same files run as Python.

DURAMEN_PURE=1 leaves the compiled kernel out. DURAMEN_SANITIZE=1 builds it with checks of every memory access.
"""

from __future__ import annotations

import ast
import os
import re
import sys
from pathlib import Path

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

SOURCE = Path("src")
SCANNER = (
    *("lexicon", "rows", "stack", "adoption", "insertion"),
    *("start_tags", "end_tags", "foster", "tree", "decoding", "attributes", "tokens"),
)
KERNEL = "duramen.parse.kernel"
LEARNED = (
    *("vocabulary", "outline", "counts", "measures", "lexicon", "choose", "dense"),
    *("needles", "kinds", "sight", "hiding", "sheets", "sections", "type_words", "type_counts", "type_marks"),
)
MODULES = (
    "duramen.decode.utf8",
    "duramen.decode.opening",
    "duramen.parse.marks",
    "duramen.measure.reading",
    "duramen.algorithms.cetd.comments",
    "duramen.algorithms.cetd.densities",
    "duramen.algorithms.coreex.tally",
    "duramen.algorithms.econ.units",
    "duramen.models.forest",
    *(f"duramen.algorithms.learned.{name}" for name in LEARNED),
    *(f"duramen.render.{name}" for name in ("tables", "lists", "gaps", "lines")),
)
# These work on Python's own lists, and read them from the end too.
OBJECTS = tuple(f"duramen.render.{name}" for name in ("markdown", "inline", "writer"))
WITH_BULK = (KERNEL, "duramen.decode.utf8")  # what is compiled anew when bulk.h changes
SHARED = "duramen.parse._shared"
INLINE_LIMITS = ("max-inline-insns-auto=100", "inline-unit-growth=200", "large-function-growth=500")
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


def joined_source(paths: list[Path]) -> str:
    """The scanner's classes, each the base of the next, as the one class that the last of them is."""
    parts: dict[str, None] = {}  # in order, each once
    fields: list[ast.stmt] = []
    methods: list[ast.stmt] = []
    last = ""
    for path in paths:
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.ClassDef):
                last = node.name
                for method in node.body[1:]:
                    assert isinstance(method, ast.FunctionDef)
                    if method.name == "__init__":
                        fields += [line for line in method.body if ast.unparse(line) != "super().__init__()"]
                    else:
                        methods.append(method)
            elif isinstance(node, ast.ImportFrom) and node.module in {f"duramen.parse.{name}" for name in SCANNER}:
                continue
            elif not isinstance(node, (ast.If, ast.Expr)):  # what only the uncompiled form needs, and docstrings
                parts[ast.unparse(node)] = None
    joined = ast.parse(f"class {last}:\n    def __init__(self): pass")
    assert isinstance(joined.body[0], ast.ClassDef) and isinstance(joined.body[0].body[0], ast.FunctionDef)
    joined.body[0].body[0].body = fields
    joined.body[0].body += methods
    return "\n".join((*parts, ast.unparse(joined))) + "\n"


def joined_types(paths: list[Path]) -> str:
    """The same for the C types in the .pxd files."""
    parts: dict[str, None] = {}
    fields: list[str] = []
    last = ""
    for path in paths:
        for part in re.split(r"\n(?=\S)", path.read_text(encoding="utf-8")):
            if found := re.match(r"cdef class (\w+)", part):
                last = found[1]
                fields += part.split("\n")[1:]
            elif not re.match(rf"@|from duramen\.parse\.({'|'.join(SCANNER)}) ", part):
                parts[part] = None
    return "\n".join((*parts, "@cython.final", f"cdef class {last}:", *fields)) + "\n"


def write_kernel() -> str:
    """Write the scanner as one module: only what is compiled together can be inlined. Returns its path."""
    path = Path("build", "kernel", *KERNEL.split(".")).with_suffix(".py")
    path.parent.mkdir(parents=True, exist_ok=True)
    sources = [SOURCE / "duramen" / "parse" / f"{name}.py" for name in SCANNER]
    types = [source.with_suffix(".pxd") for source in sources]
    texts = {
        path: joined_source(sources),
        path.with_suffix(".pxd"): joined_types(types),
        path.parent / "__init__.py": "",
        path.parent.parent / "__init__.py": "",
    }
    for file, text in texts.items():
        if not file.exists() or file.read_text(encoding="utf-8") != text:
            file.write_text(text, encoding="utf-8")
    return str(path)


def extensions() -> list[Extension]:
    """The kernel's modules as C extensions, or none."""
    if wanted("DURAMEN_PURE"):
        return []
    try:
        import numpy
        from Cython.Build import cythonize
    except ImportError as error:
        sys.stderr.write(NOTICE.format(reason=error))
        return []
    flags: list[str] = []
    inline: list[str] = []
    if wanted("DURAMEN_SANITIZE"):
        flags = ["-fsanitize=address,undefined", "-fno-omit-frame-pointer", "-g1", "-O1"]
    elif os.name == "posix":
        flags = ["-g0", "-O3", "-ffp-contract=off"]  # fused operations would round unlike Python
        # The scanner is many small functions called from many places: inlined more freely than usual.
        inline = [f"--param={limit}" for limit in INLINE_LIMITS]
    sources = {name: str(SOURCE.joinpath(*name.split(".")).with_suffix(".py")) for name in (*MODULES, *OBJECTS)}
    sources[KERNEL] = write_kernel()
    modules = [
        Extension(
            name,
            [source],
            include_dirs=[str(SOURCE), numpy.get_include()],
            define_macros=[("NPY_NO_DEPRECATED_API", "NPY_1_7_API_VERSION")],
            depends=[str(SOURCE / "duramen" / "parse" / "bulk.h")] if name in WITH_BULK else [],
            extra_compile_args=flags + inline if name == KERNEL else flags,
            extra_link_args=flags,
        )
        for name, source in sources.items()
    ]
    # What all of them need for arrays is compiled once.
    shared = Extension(
        SHARED, [str(SOURCE / "duramen" / "parse" / "_shared.c")], extra_compile_args=flags, extra_link_args=flags
    )
    of_objects = [module for module in modules if module.name in OBJECTS]
    return [
        extension
        for some, directives in (
            ([*(module for module in modules if module not in of_objects), shared], DIRECTIVES),
            (of_objects, DIRECTIVES | {"wraparound": True}),
        )
        for extension in cythonize(
            some,
            compiler_directives=directives,
            include_path=["src"],
            build_dir="build",
            quiet=True,
            shared_utility_qualified_name=SHARED,
        )
    ]


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
