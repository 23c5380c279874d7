"""The learned default: page → raw → features → network → the blocks of the highest expected F1."""

from __future__ import annotations

from duramen.algorithms.learned.algorithm import Learned

__all__ = ["Learned"]
