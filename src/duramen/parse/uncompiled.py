"""Stands in for the `cython` module where the kernel runs as plain Python and Cython is not installed."""

from __future__ import annotations

from contextlib import nullcontext

compiled = False
nogil = nullcontext()
gil = nullcontext()
