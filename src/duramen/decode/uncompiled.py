"""Stands in for the `cython` module where decoding runs as plain Python and Cython is not installed."""

from __future__ import annotations

compiled = False
