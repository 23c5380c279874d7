"""CETD: content extraction via text density (Sun, Song & Liao, SIGIR 2011)."""

from __future__ import annotations

from duramen.algorithms.cetd.algorithm import Cetd

__all__ = ["Cetd"]
