"""What an ECON selection tells of its decisions: columns for every row, and a trace ready for JSON."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from duramen.algorithms.econ.joint_para import Reading, running_sum
from duramen.algorithms.econ.units import PRUNED
from duramen.measure import nearest
from duramen.page import BoolArray

TRACED = 200  # entries of a list in the trace; its full length is told beside it


class Step(NamedTuple):
    """One comparison with the next ancestor."""

    row: int
    distance: int


class Climb(NamedTuple):
    """A way up from a snippet-node to its summary-node, in the tree below `root`."""

    snippet: int
    summary: int
    root: int


def figures(read: Reading) -> dict[str, NDArray[Any]]:
    """The columns of a selection."""
    page, ground, units, sets = read.page, read.ground, read.units, read.sets
    pieces = np.zeros(len(page), dtype=np.bool_)
    pieces[units.pieces[0]] = True
    # One entry more than there are rows or units, so that -1 ("in none") reads -1.
    unit_of_row = np.full(len(page) + 1, -1, dtype=np.int32)
    unit_of_row[units.pieces[0]] = units.pieces[1]
    set_of_unit = np.full(units.figures.shape[1] + 1, -1, dtype=np.int32)
    entries = np.repeat(sets.at - (np.cumsum(sets.size) - sets.size), sets.size) + np.arange(int(sets.size.sum()))
    members = entries if sets.units is None else sets.units[entries]
    set_of_unit[members] = np.repeat(np.arange(len(sets.at)), sets.size)
    unit = unit_of_row[nearest(page, pieces)]
    return {
        "puncts": ground.below,
        "unit": unit,
        "set": set_of_unit[unit],
        "pruned": (read.fate & PRUNED) != 0,
    }


def tell(
    read: Reading,
    kept: BoolArray,
    flags: tuple[str, ...],
    climbs: Sequence[Climb] = (),
    posts: Sequence[int] = (),
    fallback: str | None = None,
    longest: int = 0,
) -> dict[str, Any]:
    """Every decision, ready for JSON; of several posts, the climb of the one with the longest text-para is told."""
    sets = read.sets
    told = next((k for k, post in enumerate(posts) if post < sets.first[longest] < read.page.end[post]), 0)
    climb = climbs[told] if climbs else None
    ladder = _steps(read, climb) if climb else []
    return {
        "snippet": _place(read, climb.snippet) if climb else None,
        "summary": _place(read, climb.summary) if climb else None,
        "backtracking": [{**_place(read, step.row), "distance": step.distance} for step in ladder[:TRACED]],
        "steps": len(ladder),
        "text_paras": _text_paras(read, kept),
        "text_para_count": int(np.count_nonzero(sets.chars)),
        "posts": [
            {"row": post, "snippet": each.snippet, "summary": each.summary, "steps": len(_steps(read, each))}
            for post, each in zip(posts[:TRACED], climbs)
        ],
        "post_count": len(posts),
        "fallback": fallback,
        "flags": list(flags),
    }


def _steps(read: Reading, climb: Climb) -> list[Step]:
    """Every comparison on the way up; the last is with the ancestor that adds nothing."""
    parent, below, row = read.page.parent.data, read.ground.below.data, climb.snippet
    steps = []
    while (above := parent[row]) >= 0:
        steps.append(Step(above, below[above] - below[row]))
        if steps[-1].distance == 0 or row == climb.root:
            break
        row = above
    return steps


def _text_paras(read: Reading, kept: BoolArray) -> list[dict[str, Any]]:
    """The first text-paras, with and without punctuation, and what became of them."""
    sets, readable = read.sets, running_sum(kept & read.ground.text())
    which = np.flatnonzero(sets.chars)[:TRACED]
    first, end, puncts = sets.first[which], sets.end[which], sets.puncts[which]
    state = np.where(puncts == 0, "pruned", np.where(readable[end] > readable[first], "kept", "outside"))
    names = ("set", "first", "end", "units", "characters", "punc", "state")
    columns = (which, first, end, sets.size[which], sets.chars[which], puncts, state)
    return [dict(zip(names, values)) for values in zip(*(column.tolist() for column in columns))]


def _place(read: Reading, row: int) -> dict[str, Any]:
    """Row, path and node-punc-num of a node."""
    return {"row": row, "path": read.page.path(row), "punc": int(read.ground.below[row])}
