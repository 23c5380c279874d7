"""`duramen --version`."""

from __future__ import annotations

from importlib.metadata import version
from platform import python_version

from duramen.parse import KERNEL
from duramen.version import VERSION


def version_line() -> str:
    """The versions that matter in a bug report."""
    parsers = f"{KERNEL} kernel, selectolax {version('selectolax')} (Lexbor)"
    return f"duramen {VERSION} (Python {python_version()}, {parsers})"
