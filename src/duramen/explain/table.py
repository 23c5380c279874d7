"""The section that lists the nodes, and the data that the script draws from."""

from __future__ import annotations

import json
from html import escape
from typing import Any

import numpy as np
from numpy.typing import NDArray

from duramen.explain.decision import link
from duramen.explain.histogram import Bars, number
from duramen.explain.nodes import VERDICTS, Nodes, plain, plain_list
from duramen.explain.story import place_of

FIRST_ROWS = 25  # rows of the table that stand in the file; the script draws the rest


def table(nodes: Nodes, listed: NDArray[np.intp], long: bool) -> str:
    """The section with a row for each listed node; the script sorts it and finds in it."""
    what = "blocks" if nodes.selection.blocks is not None else "nodes"
    columns = list(nodes.selection.columns)
    names = ["node", "verdict", "score", "words", "text", *columns]
    head = "".join(
        f'<th scope="col" aria-sort="{"descending" if name == "score" else "none"}">'
        f'<button type="button" data-sort="{at}">{escape(name.replace("_", " "))}</button></th>'
        for at, name in enumerate(names)
    )
    wanted = set(listed.tolist())
    order = [k for k in nodes.ranked().tolist() if k in wanted][:FIRST_ROWS]
    lines = "".join(_line(nodes, k, columns) for k in order)
    count = f"{len(listed):,} of {len(nodes):,} {what}"
    why = ""
    if long:
        why = " The page is long, so only what is drawn above, the bars and the highest scores are listed."
    elif len(listed) < len(nodes):
        why = " What no reader sees is left out."
    return (
        f'<section id="nodes"><h2>All the figures</h2><p class="lead">{count}.{why}</p>'
        '<div class="tools"><label>Verdict <select id="verdict"><option value="">all</option>'
        + "".join(f"<option>{verdict}</option>" for verdict in VERDICTS)
        + '</select></label><label>Find <input type="search" id="find" placeholder="path or text"></label>'
        '<output id="found" aria-live="polite"></output></div>'
        '<div class="card scroll" tabindex="0" role="group" aria-label="Table of nodes"><table id="table"><thead><tr>'
        f'{head}</tr></thead><tbody>{lines}</tbody></table></div><button type="button" id="more" hidden>Show more'
        "</button></section>"
    )


def _line(nodes: Nodes, k: int, columns: list[str]) -> str:
    verdict = VERDICTS[nodes.verdict[k]]
    score = None if nodes.score is None else plain(nodes.score[k])
    figures = [plain(nodes.selection.columns[name][k]) for name in columns]
    place = place_of(nodes, int(nodes.row[k]))
    return (
        f'<tr><td>{link(place)}</td><td><span class="verdict {verdict}">{verdict}</span></td>'
        f"<td>{_cell(score)}</td><td>{int(nodes.below['words'][k]):,}</td><td>{escape(nodes.excerpt(k, 60))}</td>"
        + "".join(f"<td>{_cell(value)}</td>" for value in figures)
        + "</tr>"
    )


def _cell(value: Any) -> str:
    if value is None:
        return "–"
    if isinstance(value, bool):
        return "yes" if value else "no"
    return number(value) if isinstance(value, (int, float)) else escape(str(value))


def data(nodes: Nodes, chart: Bars, listed: NDArray[np.intp]) -> str:
    """What the script needs, as JSON that no parser can mistake for markup."""
    columns = {name: _rounded(plain_list(values[listed])) for name, values in nodes.selection.columns.items()}
    scores = [None] * len(listed) if nodes.score is None else _rounded(plain_list(nodes.score[listed]))
    below = [nodes.below[name][listed].tolist() for name in ("chars", "words", "puncts", "cjk")]
    entries = []
    holders: dict[str, int] = {}  # neighbours share all of a path but its last step
    for at, k in enumerate(listed.tolist()):
        row = int(nodes.row[k])
        above, _, last = nodes.path(row).rpartition(" > ")
        entries.append(
            [
                k,
                row,
                [holders.setdefault(above, len(holders)), last],
                nodes.excerpt(k, 120),
                int(nodes.verdict[k]),
                scores[at],
                *(counts[at] for counts in below),
                [values[at] for values in columns.values()],
            ]
        )
    found = {
        "verdicts": VERDICTS,
        "columns": list(columns),
        "measure": chart.label,
        "threshold": chart.threshold,
        "blocks": nodes.selection.blocks is not None,
        "paths": list(holders),
        "nodes": entries,
    }
    text = json.dumps(found, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    for character in "<>&\u2028\u2029":
        text = text.replace(character, f"\\u{ord(character):04x}")
    return text


def _rounded(values: list[Any]) -> list[Any]:
    return [float(f"{value:.6g}") if isinstance(value, float) else value for value in values]
