"""CoreEx: the node, or the set of nodes, with the most text for its links (Prasad & Paepcke 2008)."""

from __future__ import annotations

from duramen.algorithms.coreex.algorithm import CONFIGURATIONS, SWITCHES, CoreEx

__all__ = ["CONFIGURATIONS", "SWITCHES", "CoreEx"]
