"""The version, in one place at run time (pyproject.toml states it for the installed package)."""

from __future__ import annotations

from importlib.metadata import PackageNotFoundError, version

try:
    VERSION: str = version("duramen")
except PackageNotFoundError:  # run from a source tree that was never installed
    VERSION = "0+unknown"
