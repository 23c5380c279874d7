"""An explanation as one HTML file: styles, script and data inline, nothing loaded, nothing of the page that runs."""

from __future__ import annotations

import math
import re
from base64 import b64encode
from functools import cache
from hashlib import sha256
from html import escape
from importlib.resources import files
from typing import TYPE_CHECKING

import numpy as np

from duramen.explain import histogram
from duramen.explain.decision import decision
from duramen.explain.histogram import Bars, number
from duramen.explain.nodes import VERDICTS, Nodes, shorten
from duramen.explain.shading import Shaded, shade
from duramen.explain.table import data, table
from duramen.measure import seen_text
from duramen.page import Page

if TYPE_CHECKING:
    from duramen.explain.explanation import Explanation

TOP_NODES = 900  # nodes of the highest scores that the table lists beside those drawn
TITLE_CHARS = 160

_LANGUAGE = re.compile(r"[A-Za-z]{1,8}(?:-[A-Za-z0-9]{1,8}){0,4}")
_MEANINGS = {
    "kept": "content",
    "structure": "around content",
    "dropped": "not content",
    "unseen": "scripts, styles, blank text",
}


def document(explanation: Explanation) -> str:
    """The whole file."""
    nodes, story = explanation.judged, explanation.story
    shaded, chart = shade(nodes, story.marks), histogram.bars(nodes)
    drawn = np.fromiter(shaded.units, dtype=np.intp)
    listed = np.unique(np.concatenate((drawn, nodes.ranked()[:TOP_NODES], chart.unit)))
    name = _title(explanation)
    body = (
        _bar(explanation)
        + '<main id="top">'
        + _summary(explanation, name)
        + decision(explanation, story)
        + _chart(chart, nodes)
        + _page(explanation, shaded)
        + table(nodes, listed, shaded.folded > 0)
        + "</main>"
        + _footer(explanation)
    )
    return _shell(f"{name} — {explanation.algorithm} explained", body, data(nodes, chart, listed))


def _shell(title: str, body: str, data: str) -> str:
    style, script = _resource("page.css"), _resource("page.js")
    policy = (
        f"default-src 'none'; script-src 'sha256-{_digest(script)}'; style-src 'sha256-{_digest(style)}'; "
        "img-src data:; base-uri 'none'; form-action 'none'"
    )
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta name="referrer" content="no-referrer">\n<meta name="robots" content="noindex">\n'
        '<meta name="color-scheme" content="light dark">\n<link rel="icon" href="data:,">\n'
        f"<title>{escape(title)}</title>\n<style>{style}</style>\n</head>\n<body>\n{body}\n"
        f'<script type="application/json" id="data">{data}</script>\n<script>{script}</script>\n</body>\n</html>\n'
    )


@cache
def _resource(name: str) -> str:
    return files("duramen.explain").joinpath(name).read_text("utf-8")


def _digest(text: str) -> str:
    return b64encode(sha256(text.encode()).digest()).decode()


def _title(explanation: Explanation) -> str:
    page = explanation.page
    row = page.first("title") if len(page) else None
    words = "" if row is None else " ".join(page.text_of(row).split())
    return shorten(words or "Untitled page", TITLE_CHARS)


def _bar(explanation: Explanation) -> str:
    return (
        '<a class="skip" href="#page">Skip to the page</a>'
        '<header class="bar"><a class="brand" href="#top">'
        '<svg width="22" height="22" viewBox="0 0 22 22" aria-hidden="true"><circle cx="11" cy="11" r="10"/>'
        '<circle cx="11" cy="11" r="7"/><circle cx="11" cy="11" r="4" class="core"/></svg>duramen</a>'
        f'<span class="chip">{escape(explanation.algorithm)}</span>'
        '<nav aria-label="Sections"><a href="#decision">Decision</a><a href="#chart">Chart</a>'
        '<a href="#page">Page</a><a href="#nodes">Nodes</a></nav></header>'
    )


def _summary(explanation: Explanation, name: str) -> str:
    page, kept = explanation.page, explanation.selection.kept
    seen = seen_text(page)
    total, held = int(page.chars[seen].sum()), int(page.chars[seen & kept].sum())
    words = int(page.words[seen & kept].sum())
    share = held / total if total else 0.0
    counts = explanation.verdicts()
    figures = [
        (f"{words:,}", "words kept", f"of {int(page.words[seen].sum()):,}"),
        (f"{held:,}", "characters kept", f"of {total:,}"),
    ]
    figures += [(f"{counts[verdict]:,}", verdict, _MEANINGS[verdict]) for verdict in VERDICTS]
    notes = "".join(
        f'<p class="note">Flag: <b>{escape(flag.replace("_", " "))}</b></p>' for flag in explanation.selection.flags
    )
    if explanation.reason is not None:
        notes = f'<p class="note">Nothing was kept: <b>{escape(str(explanation.reason))}</b>.</p>' + notes
    address = f'<p class="address">{escape(shorten(explanation.url, 300))}</p>' if explanation.url else ""
    cells = "".join(
        f'<div class="figure {label if label in VERDICTS else ""}"><dt>{label}</dt>'
        f"<dd><b>{value}</b> <small>{note}</small></dd></div>"
        for value, label, note in figures
    )
    return (
        f'<section class="summary" aria-label="Summary">{_rings(share)}<div><h1>{escape(name)}</h1>{address}'
        f'<dl class="figures">{cells}</dl>{notes}</div></section>'
    )


def _rings(share: float) -> str:
    """A trunk in section whose heartwood has the area of the share of text kept."""
    radius = 46 * math.sqrt(share)
    rings = "".join(f'<circle cx="50" cy="50" r="{r}"/>' for r in (48, 40, 32, 24, 16, 8))
    return (
        f'<svg class="rings" viewBox="0 0 100 100" role="img" aria-label="{share:.0%} of the text was kept">'
        f'<circle class="heart" cx="50" cy="50" r="{radius:.1f}"/>{rings}'
        f'<text x="50" y="50" class="halo">{share:.0%}</text><text x="50" y="64" class="small halo">kept</text></svg>'
    )


def _chart(chart: Bars, nodes: Nodes) -> str:
    top, middle = histogram.ticks(chart)
    shared = (
        f" Each bar stands for the highest of {chart.per_bar:,} nodes that follow each other ({chart.nodes:,} in all)."
        if chart.per_bar > 1
        else ""
    )
    scale = " The scale is logarithmic." if chart.logarithmic else ""
    threshold = ""
    if chart.threshold is not None:
        threshold = f'<span class="key line">threshold {number(chart.threshold)}</span>'
    what = {"characters": "Characters of each text", "score": "Score of each node"}.get(
        chart.label, f"{chart.label.capitalize()} of each node"
    )
    axis = f'<div class="axis" aria-hidden="true"><span>{top}</span><span>{middle}</span><span>0</span></div>'
    return (
        f'<section id="chart"><h2>{what}, from the top of the page to its end</h2>'
        f'<p class="lead">Choose a bar to see its node in the page.{shared}{scale}</p><figure class="card chart">'
        f'<div class="plot">{axis}<div class="scroll">{histogram.draw(chart, nodes)}</div></div>'
        '<figcaption><span class="key kept">kept, marked at the foot</span><span class="key structure">around '
        f'content</span><span class="key dropped">dropped</span>{threshold}'
        '<output id="bar-note" aria-live="polite"></output></figcaption></figure></section>'
    )


def _page(explanation: Explanation, shaded: Shaded) -> str:
    page = explanation.page
    language, direction = _language(page)
    folded = (
        f'<p class="note">This page is long: {shaded.folded:,} of its texts and pictures are folded below.</p>'
        if shaded.folded
        else ""
    )
    return (
        '<section id="page"><h2>The page, shaded</h2>'
        '<p class="lead">Point at a part, or move with the arrow keys, to see why it was kept or dropped. '
        "Pictures, styles and scripts of the page are left out.</p>"
        f'{folded}<div class="tools"><label class="switch"><input type="checkbox" id="hide"> Hide dropped parts</label>'
        '<span class="key kept">kept</span><span class="key dropped">dropped</span>'
        '<span class="key mixed">partly kept</span><span class="key outlined">winner, title</span>'
        f"{_first_kept(explanation, shaded)}</div>"
        f'<div class="desk"><div class="sheet" id="sheet" role="region" aria-label="The page, shaded" lang="{language}"'
        f"{direction}>{shaded.html}</div>"
        '<aside class="inspector" id="inspector" aria-label="The node pointed at" aria-live="polite">'
        '<p class="hint">Point at a part of the page to see its score here. Click to hold it, Escape to let go; '
        "↑ ↓ move, ← goes to the element around it.</p></aside></div></section>"
    )


def _first_kept(explanation: Explanation, shaded: Shaded) -> str:
    """A way past the menus that many pages begin with."""
    nodes = explanation.judged
    rows = np.flatnonzero(explanation.selection.kept & (explanation.page.chars > 0))[:1]
    unit = int(nodes.unit[rows[0]]) if len(rows) else -1
    return f'<a href="#n{unit}" data-go="{unit}">To the first kept part ↓</a>' if unit in shaded.units else ""


def _language(page: Page) -> tuple[str, str]:
    """The page's own language and direction, for fonts and line breaking."""
    language = direction = ""
    for row in (0, page.body()) if len(page) else ():
        language = language or (page.attribute(row, "lang") or "").strip()
        direction = direction or (page.attribute(row, "dir") or "").strip().lower()
    return (
        language if _LANGUAGE.fullmatch(language) else "",
        f' dir="{direction}"' if direction in ("ltr", "rtl") else "",
    )


def _footer(explanation: Explanation) -> str:
    return (
        f"<footer><p>Made by duramen {escape(explanation.version)} with the algorithm "
        f"<b>{escape(explanation.algorithm)}</b>. This file loads nothing and sends nothing.</p></footer>"
    )
