"""The report's HTML: one file, nothing loaded, nothing in it that runs but its own small script."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from hashlib import sha256
from html import escape
from importlib.resources import files
from typing import Any

from duramen.bench.leaderboard import Standing, Standings, other_figures
from duramen.bench.report.charts import scatter, short, whisker
from duramen.bench.report.differences import Difference
from duramen.bench.runs import Run
from duramen.bench.tables import Table

README_CHARS = 6000
FAILURES_SHOWN = 200
Row = Mapping[str, Any]


def document(title: str, body: str) -> str:
    """The whole file."""
    style, script = _resource("report.css"), _resource("report.js")
    policy = (
        f"default-src 'none'; script-src 'sha256-{_digest(script)}'; style-src 'sha256-{_digest(style)}'; "
        "img-src data:; base-uri 'none'; form-action 'none'"
    )
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta name="referrer" content="no-referrer">\n<meta name="color-scheme" content="light dark">\n'
        f'<link rel="icon" href="data:,">\n<title>{escape(title)}</title>\n<style>{style}</style>\n</head>\n'
        f"<body>\n{body}\n<script>{script}</script>\n</body>\n</html>\n"
    )


@cache
def _resource(name: str) -> str:
    return files("duramen.bench.report").joinpath(name).read_text("utf-8")


def _digest(text: str) -> str:
    return b64encode(sha256(text.encode()).digest()).decode()


def bar() -> str:
    """The sticky head."""
    links = (
        ("leaderboard", "Leaderboard"),
        ("speed", "Speed"),
        ("sets", "Data sets"),
        ("types", "Page types"),
        ("metrics", "Metrics"),
        ("worst", "Worst pages"),
        ("diff", "Differences"),
        ("about", "About"),
    )
    return (
        '<a class="skip" href="#leaderboard">Skip to the leaderboard</a>'
        '<header class="bar"><a class="brand" href="#top">'
        '<svg width="22" height="22" viewBox="0 0 22 22" aria-hidden="true"><circle cx="11" cy="11" r="10"/>'
        '<circle cx="11" cy="11" r="7"/><circle cx="11" cy="11" r="4" class="core"/></svg>duramen bench</a>'
        '<nav aria-label="Sections">'
        + "".join(f'<a href="#{key}">{name}</a>' for key, name in links)
        + "</nav></header>"
    )


def summary(run: Run, found: Standings) -> str:
    """Who leads, and what was measured."""
    best = found.leader()
    chasers = [each for each in found.standings[1:] if each.behind and not each.behind.excludes_zero()]
    ties = (
        f" {_list([short(each.name) for each in chasers[:4]])} cannot be told from it on these pages."
        if chasers
        else " No other comes within the margin of chance."
        if len(found.standings) > 1
        else ""
    )
    figures = (
        (len(found.standings), "extractors"),
        (len(found.datasets), "data sets"),
        (sum(found.pages.values()), "pages"),
        (f"{best.macro.value:.3f}", "best macro F1"),
        (f"{1000 / best.mean_ms:.0f}" if best.mean_ms else "–", "pages a CPU second, the best"),
    )
    facts = "".join(f"<div><dt>{name}</dt><dd>{value}</dd></div>" for value, name in figures)
    return (
        f'<section class="hero"><h1>{escape(short(best.name))} leads with a macro F1 of {best.macro.value:.3f}</h1>'
        f'<p class="lead">95 % of resamples lie between {best.macro.low:.3f} and {best.macro.high:.3f}.'
        f'{escape(ties)}</p><dl class="facts">{facts}</dl></section>'
    )


def _list(names: Sequence[str]) -> str:
    return names[0] if len(names) == 1 else ", ".join(names[:-1]) + " and " + names[-1]


def leaderboard(found: Standings) -> str:
    """The ranking with intervals."""
    low = max(0.0, min(each.macro.low for each in found.standings) - 0.05)
    high = max(each.macro.high for each in found.standings)
    rows = []
    for place, each in enumerate(found.standings, 1):
        behind = '<span class="soft">leads</span>' if place == 1 else '<span class="soft">other data sets</span>'
        if each.behind is not None:
            sure = each.behind.excludes_zero()
            note = "beyond chance" if sure else "may be chance"
            behind = (
                f'<span class="{"sure" if sure else "soft"}" title="{note}">{each.behind.value:+.3f}</span> '
                f"<small>[{each.behind.low:+.3f}, {each.behind.high:+.3f}] {note}</small>"
            )
        trouble = " · ".join(
            f"{count} {what}"
            for count, what in ((each.errors, "errors"), (each.timeouts, "timeouts"), (each.empty, "empty"))
            if count
        )
        rows.append(
            f'<tr{_ours(each)}><td class="figure">{place}</td><th scope="row">{escape(each.name)}</th>'
            f'<td class="figure strong">{each.macro.value:.3f}</td>'
            f"<td>{whisker(each.macro, low, high, place == 1)}</td>"
            f'<td class="figure" data-sort="{0 if each.behind is None else each.behind.value}">{behind}</td>'
            f'<td class="figure">{each.mean_ms:.1f}</td><td><small>{trouble}</small></td></tr>'
        )
    head = ("", "extractor", "macro F1", "95 % interval", "to the best, paired", "ms a page", "trouble")
    return _section(
        "leaderboard",
        "Leaderboard",
        "The mean of the data sets' F1: bag of words, averaged over pages, or of snippets where a set has only those. "
        "Intervals are of 1000 resamples of the pages; differences are of the same pages.",
        _table(head, rows, sortable=True),
    )


def _ours(each: Standing) -> str:
    return "" if ":" in each.name else ' class="own"'


def speed(found: Standings) -> str:
    """Speed against accuracy."""
    key = '<p class="keys"><span class="key ours">ours</span><span class="key rival">rivals</span></p>'
    return _section(
        "speed",
        "Speed and accuracy",
        "Up is better, left is faster. Times are CPU time during the run, with other processes beside it; "
        "“duramen bench speed” measures them side by side.",
        f'<div class="card">{key}<div class="scroll">{scatter(found.standings)}</div></div>',
    )


def datasets(found: Standings) -> str:
    """F1 of each data set, shaded."""
    columns = [(name, {each.name: each.by_dataset.get(name) for each in found.standings}) for name in found.datasets]
    counts = {name: f"{found.pages[name]} pages" for name in found.datasets}
    return _section(
        "sets",
        "By data set",
        "The stronger the colour, the better; the best of a column is underlined.",
        _heat(found, columns, counts),
    )


def kinds(found: Standings) -> str:
    """F1 of each page type, shaded."""
    if not found.by_kind:
        return ""
    columns = [
        (kind, {each.name: values.get(each.name) for each in found.standings}) for kind, values in found.by_kind.items()
    ]
    return _section("types", "By page type", "Over all data sets that say what a page is.", _heat(found, columns, {}))


def _heat(found: Standings, columns: Sequence[tuple[str, Mapping[str, float | None]]], notes: Mapping[str, str]) -> str:
    head = [
        "extractor",
        *(name + (f"<br><small>{notes[name]}</small>" if name in notes else "") for name, _ in columns),
    ]
    best = {name: max((value for value in values.values() if value is not None), default=0) for name, values in columns}
    rows = []
    for each in found.standings:
        cells = []
        for name, values in columns:
            value = values[each.name]
            if value is None:
                cells.append('<td class="figure soft">–</td>')
            else:
                shade = min(9, max(0, int((value - 0.4) / 0.06)))
                mark = " top" if value == best[name] else ""
                cells.append(f'<td class="figure h{shade}{mark}">{value:.3f}</td>')
        rows.append(f'<tr{_ours(each)}><th scope="row">{escape(each.name)}</th>{"".join(cells)}</tr>')
    return _table(head, rows, sortable=True)


def metrics(found: Standings) -> str:
    """Everything else that was measured."""
    return _section(
        "metrics",
        "Other metrics",
        "Macro averages over the data sets that have them.",
        plain_table(other_figures(found)),
    )


def plain_table(found: Table) -> str:
    """A table of figures."""
    rows = []
    for row in found.rows:
        cells = "".join(f'<td class="figure">{escape(found.shown(cell))}</td>' for cell in row[1:])
        rows.append(f'<tr><th scope="row">{escape(str(row[0]))}</th>{cells}</tr>')
    return _table([escape(name) for name in found.head], rows, sortable=True)


def worst(pages: Mapping[str, Sequence[tuple[str, Row, float]]], links: Mapping[tuple[str, str, str], str]) -> str:
    """The worst pages of each extractor, and how the best other one did on them."""
    parts = []
    for name, found in pages.items():
        rows = []
        for dataset, row, other in found:
            link = links.get((name, dataset, row["id"]))
            label = f"{escape(dataset)}/{escape(row['id'])}"
            shown = f'<a href="{escape(link)}">{label}</a>' if link else label
            f1 = row.get("f1")
            rows.append(
                f'<tr><th scope="row">{shown}</th><td class="figure strong">{_figure(f1)}</td>'
                f'<td class="figure">{_figure(row.get("p"))}</td><td class="figure">{_figure(row.get("r"))}</td>'
                f'<td class="figure">{_figure(other)}</td><td>{escape(row.get("kind") or "")}</td>'
                f"<td><small>{escape(row.get('error', '') or ('empty' if not row['n_pred'] else ''))}</small></td></tr>"
            )
        table = _table(("page", "F1", "P", "R", "best other", "type", ""), rows)
        explained = sum(key[0] == name for key in links)
        note = f" <small>{explained} explained</small>" if explained else ""
        parts.append(f"<details><summary>{escape(name)}{note}</summary>{table}</details>")
    lead = "What the best other extractor makes of the same page stands beside. Links lead to explanations."
    return _section("worst", "Worst pages", lead, "".join(parts))


def _figure(value: float | None) -> str:
    return "–" if value is None else f"{value:.3f}"


def diff(one: str, other: str, found: Sequence[tuple[Difference, str | None]]) -> str:
    """Two extractors, page by page."""
    parts = []
    for each, words in found:
        ahead, shown = (one, each.one - each.other) if each.one > each.other else (other, each.other - each.one)
        body = '<p class="words soft">The page cannot be read any more.</p>'
        if words is not None:
            body = f'<p class="words">{words}</p>'
        note = f"{short(one)} {each.one:.3f} · {short(other)} {each.other:.3f} · {short(ahead)} is {shown:.3f} ahead"
        parts.append(
            f"<details><summary><b>{escape(each.dataset)}/{escape(each.id)}</b> <small>{escape(note)}</small></summary>"
            f"{body}</details>"
        )
    lead = (
        f"The pages on which {escape(one)} and {escape(other)} differ most. <del>Struck words</del> are of "
        f"{escape(one)} only, <ins>underlined ones</ins> of {escape(other)} only; what both have is shortened."
    )
    body = "".join(parts) or '<p class="soft">They score every page alike.</p>'
    return _section("diff", "Differences, page by page", lead, body, plain=False)


def about(run: Run, found: Standings, failures: Sequence[tuple[str, str, str, str]]) -> str:
    """The data sets with their read-me and checksum, what was left out, and what failed."""
    parts = []
    readmes: dict[str, list[str]] = {}
    rows = []
    for name, each in run.datasets.items():
        damaged = ", ".join(f"{one.number} ({escape(one.why)})" for one in each.damaged[:10]) or "none"
        rows.append(
            f'<tr><th scope="row">{escape(name)}</th><td class="figure">{found.pages.get(name, 0)}</td>'
            f'<td class="figure">{each.rows}</td><td>{escape(each.layout)}</td>'
            f"<td><code>{each.sha256[:16]}…</code></td><td><small>{damaged}</small></td></tr>"
        )
        readmes.setdefault(each.readme, []).append(name)
    parts.append(_table(("data set", "pages", "of", "layout", "SHA-256", "damaged rows, left out"), rows))
    for text, names in readmes.items():
        if text.strip():
            shown = escape(text[:README_CHARS]) + ("…" if len(text) > README_CHARS else "")
            parts.append(f"<details><summary>Read-me of {escape(_list(names))}</summary><pre>{shown}</pre></details>")
    if run.left_out:
        items = "".join(f"<li><b>{escape(name)}</b>: {escape(why)}</li>" for name, why in run.left_out.items())
        parts.append(f"<h3>Left out</h3><ul>{items}</ul>")
    if failures:
        items = "".join(
            f"<li>{escape(name)} on {escape(dataset)}/{escape(key)}: <small>{escape(why)}</small></li>"
            for dataset, name, key, why in failures[:FAILURES_SHOWN]
        )
        more = f"<p>… and {len(failures) - FAILURES_SHOWN} more.</p>" if len(failures) > FAILURES_SHOWN else ""
        parts.append(
            f"<details><summary>{len(failures)} failures (they count as empty extractions)</summary>"
            f"<ul>{items}</ul>{more}</details>"
        )
    lead = f"duramen {escape(run.version)} on {escape(run.machine)}; tokens: {run.tokens}; seed {run.seed}."
    return _section("about", "About this run", lead, "".join(parts), plain=False)


def _section(key: str, title: str, lead: str, body: str, *, plain: bool = True) -> str:
    lead = escape(lead) if plain else lead
    return f'<section id="{key}"><h2>{title}</h2><p class="lead">{lead}</p>{body}</section>'


def _table(head: Iterable[str], rows: Iterable[str], *, sortable: bool = False) -> str:
    cells = "".join(f'<th scope="col">{name}</th>' for name in head)
    kind = ' class="sortable"' if sortable else ""
    return (
        f'<div class="scroll card" tabindex="0"><table{kind}><thead><tr>{cells}</tr></thead>'
        f"<tbody>{''.join(rows)}</tbody></table></div>"
    )
