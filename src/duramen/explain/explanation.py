"""An explanation: everything that an algorithm decided about a page, and its renderings."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from duramen.explain.document import document
from duramen.explain.nodes import VERDICTS, Nodes, judge, plain
from duramen.explain.story import Story, tell
from duramen.explain.terminal import report
from duramen.page import Page, Reason, Selection
from duramen.version import VERSION


@dataclass(frozen=True, eq=False)
class Explanation:
    """Why an algorithm kept what it kept. Nothing is worked out before it is asked for."""

    page: Page
    selection: Selection
    algorithm: str
    """Name of the algorithm."""
    settings: Mapping[str, Any]
    """Its settings, all of them."""
    reason: Reason | None = None
    """Why nothing was kept; None when something was."""
    url: str | None = None
    version: str = VERSION
    """Version of duramen that made it."""

    @cached_property
    def judged(self) -> Nodes:
        """The nodes as arrays."""
        return judge(self.page, self.selection)

    @cached_property
    def story(self) -> Story:
        """The trace in words."""
        return tell(self.judged, self.settings)

    def nodes(self) -> Iterator[dict[str, Any]]:
        """Every node of the page in document order — or every block, where the algorithm judges blocks.

        Each has its row, tag, path, the beginning of its text, its own counts, score, verdict and the algorithm's
        figures under `columns`. The verdict is `kept`, `dropped`, `structure` (around something kept) or `unseen`
        (scripts, styles and the like, and blank text).
        """
        return self.judged.figures()

    def verdicts(self) -> dict[str, int]:
        """How many nodes have each verdict."""
        counts = np.bincount(self.judged.verdict, minlength=len(VERDICTS)).tolist()
        return dict(zip(VERDICTS, counts))

    def to_dict(self) -> dict[str, Any]:
        """Everything, ready for JSON: what is not a finite number is None."""
        story, judged = self.story, self.judged
        winner = None
        if story.winner is not None:
            row = story.winner
            unit = judged.unit_at(row)
            score = None if judged.score is None or unit < 0 else plain(judged.score[unit])
            winner = {"row": row, "path": judged.path(row), "score": score}
        return {
            "url": self.url,
            "algorithm": self.algorithm,
            "settings": plain(self.settings),
            "version": self.version,
            "reason": None if self.reason is None else self.reason.value,
            "flags": list(self.selection.flags),
            "confidence": plain(self.selection.confidence),
            "winner": winner,
            "thresholds": dict(story.thresholds),
            "title": None if self.selection.title is None else int(self.selection.title),
            "steps": plain(self.selection.trace),
            "parts": [{"label": part.label, "rows": plain(part.rows)} for part in self.selection.parts],
            "verdicts": self.verdicts(),
            "nodes": list(self.nodes()),
        }

    def to_json(self, *, indent: int | None = None) -> str:
        """`to_dict` as JSON."""
        return json.dumps(self.to_dict(), ensure_ascii=False, allow_nan=False, indent=indent)

    def to_text(self, *, top: int = 20) -> str:
        """A report for a terminal: the steps, the `top` nodes by score, and the beginning of what was kept."""
        return report(self, top)

    def to_html(self) -> str:
        """One HTML file that needs nothing else: the page shaded, its nodes, scores and densities to look into."""
        return document(self)
