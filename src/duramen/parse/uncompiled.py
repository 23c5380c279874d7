"""Stands in for the `cython` module where the kernel runs as plain Python and Cython is not installed."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import nullcontext
from typing import TypeVar

F = TypeVar("F")

compiled = False
nogil = nullcontext()
gil = nullcontext()


def boundscheck(_: bool) -> Callable[[F], F]:
    """Leaves a function as it is: Python checks every index."""
    return lambda function: function
