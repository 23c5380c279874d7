"""An explanation as plain text for a terminal."""

from __future__ import annotations

import re
import unicodedata
from typing import TYPE_CHECKING

from duramen.explain.histogram import number
from duramen.explain.nodes import VERDICTS, Nodes, shorten
from duramen.explain.story import Story

if TYPE_CHECKING:
    from duramen.explain.explanation import Explanation

PATH_WIDTH = 44
TEXT_WIDTH = 36
KEPT_LINES = 12
KEPT_CHARS = 96  # of a line of the kept text
# Control characters would move the cursor, and direction marks turn the table round.
_UNSAFE = re.compile("[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]")


def report(explanation: Explanation, top: int) -> str:
    """The steps, the top nodes by score, and the beginning of what was kept."""
    nodes, story = explanation.judged, explanation.story
    sections = (_heading(explanation), _steps(story), _top_nodes(nodes, top), _kept_text(nodes))
    return "\n\n".join("\n".join(_UNSAFE.sub(" ", line) for line in lines) for lines in sections if lines) + "\n"


def _heading(explanation: Explanation) -> list[str]:
    counts = explanation.verdicts()
    what = "blocks" if explanation.selection.blocks is not None else "nodes"
    settings = ", ".join(f"{name.rstrip('_')}={value}" for name, value in explanation.settings.items())
    lines = [f"{explanation.algorithm} (duramen {explanation.version})"]
    lines += [f"page: {explanation.url}"] if explanation.url else []
    lines += [f"settings: {settings}"] if settings else []
    lines.append(f"{what}: " + ", ".join(f"{count:,} {verdict}" for verdict, count in counts.items()))
    lines += [f"flags: {', '.join(explanation.selection.flags)}"] if explanation.selection.flags else []
    lines += [f"nothing kept: {explanation.reason}"] if explanation.reason is not None else []
    return lines


def _steps(story: Story) -> list[str]:
    lines = ["STEPS"]
    for fact in story.facts:
        places = fact.places[0].path if len(fact.places) == 1 else ""
        lines.append(f"  {fact.label}: " + " — ".join(part for part in (fact.value, places) if part))
    for height, rung in enumerate(story.ladder):
        lines.append(f"  {'  ' * min(height, 20)}↑ {rung.value} ({rung.gain}) {_short_path(rung.place.path)}")
    lines += [f"  {listing.label}: {len(listing.lines) + listing.more:,}" for listing in story.listings]
    return lines if len(lines) > 1 else []


def _top_nodes(nodes: Nodes, top: int) -> list[str]:
    order = nodes.ranked()[:top]
    if not len(order):
        return []
    scored = nodes.score is not None
    lines = [
        "TOP NODES BY SCORE" if scored else "LARGEST NODES",
        f"  {'score' if scored else 'chars':>10}  {'verdict':<9}  {'words':>6}  {pad('path', PATH_WIDTH)}  text",
    ]
    for k in order.tolist():
        value = float(nodes.score[k]) if nodes.score is not None else float(nodes.chars[k])
        lines.append(
            f"  {number(value):>10}  {VERDICTS[nodes.verdict[k]]:<9}  {int(nodes.below['words'][k]):>6,}  "
            f"{pad(_short_path(nodes.path(int(nodes.row[k]))), PATH_WIDTH)}  {shorten(nodes.excerpt(k), TEXT_WIDTH)}"
        )
    return lines


def _kept_text(nodes: Nodes) -> list[str]:
    runs, total = nodes.kept_runs(KEPT_LINES, KEPT_CHARS)
    if not runs:
        return []
    more = [f"  … and {total - len(runs):,} more"] if total > len(runs) else []
    return ["KEPT TEXT", *(f"  {run}" for run in runs), *more]


def _short_path(path: str) -> str:
    """The end of a path, as far as it fits."""
    steps = path.split(" > ")
    short = steps[-1]
    for step in reversed(steps[:-1]):
        if len(short) + len(step) + 5 > PATH_WIDTH:
            return shorten(f"… > {short}", PATH_WIDTH)
        short = f"{step} > {short}"
    return shorten(short, PATH_WIDTH)


def pad(text: str, width: int) -> str:
    """`text` filled with blanks to a width in terminal cells: a CJK character takes two."""
    cells = sum(2 if unicodedata.east_asian_width(character) in "WF" else 1 for character in text)
    return text + " " * max(0, width - cells)
