"""The optional packages of the bench, imported where they are needed and not before."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from duramen.errors import MissingExtra


def need(module: str, extra: str = "bench") -> Any:
    """An optional module; `MissingExtra` says how to install it."""
    try:
        return import_module(module)
    except ModuleNotFoundError as problem:
        raise MissingExtra(f'this needs {problem.name or module}: pip install "duramen[{extra}]"') from None
