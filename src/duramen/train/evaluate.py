"""The strategies of the paper's Table 1 on labelled pages: HL, FE, PR, TB, and the decision tree beside them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from duramen.models.pso import MAX, PsoModel
from duramen.page import FloatArray
from duramen.train.cases import Case
from duramen.train.pso import accept
from duramen.train.similarity import similarity

STRATEGIES: Mapping[str, str] = {
    "HL": "a second person's labels",
    "FE": "the whole system: pruning, removing, and the learned bounds",
    "C4.5": "the same with the decision tree in place of the bounds",
    "PR": "pruning and removing only: every block",
    "TB": "every text node of the page",
}


@dataclass(frozen=True, slots=True, eq=False)
class Evaluation:
    """The similarity of every page with its gold, by strategy; NaN where a page was not judged."""

    cases: Sequence[Case]
    scores: Mapping[str, FloatArray]

    def means(self) -> dict[str, float]:
        """The mean of each strategy."""
        return {name: float(np.nanmean(found)) for name, found in self.scores.items()}

    def by(self, part: str) -> dict[str, dict[str, float]]:
        """The means for each `language` or `source`, with the number of pages."""
        groups: dict[str, list[int]] = {}
        for at, case in enumerate(self.cases):
            groups.setdefault(getattr(case, part) or "unknown", []).append(at)
        return {
            name: {"pages": len(members)}
            | {
                strategy: float(np.nanmean(found[members]))
                for strategy, found in self.scores.items()
                if not np.isnan(found[members]).all()
            }
            for name, members in sorted(groups.items())
        }

    def to_dict(self) -> dict[str, Any]:
        """The means for JSON."""
        return {"pages": len(self.cases), "scores": self.means(), "languages": self.by("language")}


def evaluate(cases: Sequence[Case], model: PsoModel, second: Mapping[str, str] | None = None) -> Evaluation:
    """Score a model on cases; `second` are the labels of another person for some of the pages, by name."""
    signs = np.array([-1.0 if direction == MAX else 1.0 for direction in model.directions])
    bounds = np.array([model.thresholds])
    scores: dict[str, FloatArray] = {}
    if second:
        scores["HL"] = np.array(
            [similarity(case.gold, second[case.name]) if case.name in second else np.nan for case in cases]
        )
        if np.isnan(scores["HL"]).all():
            del scores["HL"]
    scores["FE"] = np.array([case.scores(accept(case.features, signs, bounds))[0] for case in cases])
    if model.tree is not None:
        tree = model.tree
        scores["C4.5"] = np.array([case.scores(tree.shares(case.features)[None] > 0.5)[0] for case in cases])
    scores["PR"] = np.array([case.scores(np.ones((1, len(case.features)), dtype=np.bool_))[0] for case in cases])
    scores["TB"] = np.array([case.everything for case in cases])
    return Evaluation(cases, scores)
