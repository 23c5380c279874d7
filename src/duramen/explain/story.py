"""What an algorithm's trace says, as facts, rungs of a ladder and short tables, in the order of the trace."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from duramen.explain.histogram import number
from duramen.explain.nodes import Nodes, plain, shorten
from duramen.page import Selection

TOLD_ROWS = 50  # of a table of the trace
LONGEST_VALUE = 160  # characters

# How a key of a trace reads to a person. A key that is not here reads as it is spelt.
_WORDS = {
    # CoreEx
    "configuration": "configuration",
    "weight_ratio": "weight of the text-to-link ratio",
    "weight_text": "weight of the share of text",
    "page_text": "words on the page (a link counts as one)",
    "page_links": "links on the page",
    "set": "nodes of the content set",
    "tied": "nodes with the same score",
    "coverage": "share of the page's words in the content",
    "page_ratio": "text-to-link ratio of the page",
    "page_class": "kind of page",
    "class_confidence": "confidence in that",
    "title_rule": "rule that found the title",
    "title_added": "title added to the content",
    # CETD
    "lambda": "λ",
    "link_share": "share of link characters (LCb / Cb)",
    "body_density": "density of the body",
    "threshold": "threshold",
    "threshold_row": "threshold taken from",
    "max_row": "highest DensitySum at",
    "max_density_sum": "highest DensitySum",
    "lambda_too_large": "λ too large: the body misses the threshold",
    "section_rows": "content sections",
    "content_chars": "characters kept",
    "low_confidence": "reasons for doubt",
    # ECON
    "snippet": "snippet-node (start)",
    "summary": "summary-node (result)",
    "backtracking": "backtracking",
    "steps": "backtracking steps",
    "text_paras": "text-paras",
    "text_para_count": "text-paras found",
    "post_count": "posts found",
    "punc": "punctuation marks",
}
_WINNERS = ("winner", "summary", "max_row")  # the key under which each algorithm names its winner
_MARKS = {"winner": "winner", "max_row": "winner", "summary": "summary", "snippet": "snippet"}
_ROWS = frozenset({"winner", "title"})  # a number under these keys, or under one that ends with _row, is a row
_ROW_LISTS = frozenset({"set", "tied"})  # likewise lists of them, or _rows
# Told elsewhere, or by another entry: paths are drawn from rows.
_UNTOLD = frozenset({"path", "threshold_path", "max_path", "sections", "flags", "score"})


@dataclass(frozen=True, slots=True)
class Place:
    """A node that a fact speaks of."""

    row: int
    unit: int  # the node that speaks for it, -1 where none does
    path: str


@dataclass(frozen=True, slots=True)
class Fact:
    """One line of the trace."""

    label: str
    value: str = ""
    places: tuple[Place, ...] = ()


@dataclass(frozen=True, slots=True)
class Rung:
    """One step up the tree."""

    place: Place
    value: str  # what was counted there
    gain: str  # how that compares with the step before


@dataclass(frozen=True, slots=True)
class Listing:
    """A list of the trace as a table."""

    label: str
    names: tuple[str, ...]
    lines: tuple[tuple[str, ...], ...]
    more: int  # lines left out


@dataclass(frozen=True, slots=True)
class Story:
    """A trace, told."""

    winner: int | None
    winner_word: str  # what the algorithm calls it
    thresholds: Mapping[str, float]
    marks: Mapping[int, str]  # rows to point out in the page
    facts: tuple[Fact, ...]
    ladder: tuple[Rung, ...]
    listings: tuple[Listing, ...]


def tell(nodes: Nodes, settings: Mapping[str, Any]) -> Story:
    """The trace of a selection; what merely repeats a setting is left out."""
    trace: dict[str, Any] = plain(nodes.selection.trace)
    facts: list[Fact] = []
    ladder: list[Rung] = []
    listings: list[Listing] = []
    for key, value in trace.items():
        if key in _UNTOLD or value is None or value == [] or _repeats(settings, key, value):
            continue
        if _is_ladder(value):
            ladder += _start(nodes, trace)
            ladder += [_rung(nodes, step) for step in value[:TOLD_ROWS]]
        elif isinstance(value, list) and all(isinstance(entry, dict) for entry in value):
            listings.append(_listing(_label(key), value))
        else:
            facts.append(_fact(nodes, key, value))
    formula = _sums(nodes, trace)
    facts = formula + [fact for fact in facts if fact.label not in {known.label for known in formula}]
    winner_key = next((key for key in _WINNERS if _row(trace.get(key)) is not None), "winner")
    return Story(
        winner=_row(trace.get(winner_key)),
        winner_word={"max_row": "highest DensitySum", "summary": "summary-node"}.get(winner_key, "winner"),
        thresholds={
            key: value for key, value in trace.items() if key.endswith("threshold") and isinstance(value, float)
        },
        marks=_marks(trace, nodes.selection),
        facts=tuple(facts),
        ladder=tuple(ladder),
        listings=tuple(listings),
    )


def _sums(nodes: Nodes, trace: Mapping[str, Any]) -> list[Fact]:
    """The deciding formula with this page's figures in it."""
    columns, winner = nodes.selection.columns, _row(trace.get("winner"))
    if winner is not None and trace.get("page_text") and "text_cnt" in columns and "score" in trace:
        text, link = ("set_text_cnt", "set_link_cnt") if trace.get("subset") else ("text_cnt", "link_cnt")
        words, links = number(int(columns[text][winner])), number(int(columns[link][winner]))
        ratio = f"({words} − {links}) / {words}"
        if trace.get("weighted"):
            ratio = (
                f"{trace['weight_ratio']:g} · {ratio} + {trace['weight_text']:g} · {words} / "
                f"{number(trace['page_text'])}"
            )
        return [Fact("score of the winner", f"{ratio} = {trace['score']:.6g}")]
    threshold, factor = trace.get("threshold"), trace.get("lambda")
    if factor and threshold is not None:
        return [Fact("threshold", f"{number(threshold)} = λ {factor:g} · {number(threshold / factor)}")]
    return []


def _marks(trace: Mapping[str, Any], selection: Selection) -> dict[int, str]:
    words: dict[int, list[str]] = {}
    for key, word in _MARKS.items():
        row = _row(trace.get(key))
        if row is not None:
            words.setdefault(row, []).append(word)
    if selection.title is not None:
        words.setdefault(int(selection.title), []).append("title")
    return {row: " · ".join(dict.fromkeys(names)) for row, names in words.items()}


def _row(value: Any) -> int | None:
    """The row that an entry of a trace names: as a number, or as a mapping with a `row`."""
    if isinstance(value, dict):
        value = value.get("row")
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def _repeats(settings: Mapping[str, Any], key: str, value: Any) -> bool:
    # λ and the thresholds are what a reader looks for first, so they stay.
    if key in ("lambda", "threshold", "variant", "configuration"):
        return False
    return key in settings and plain(settings[key]) == value


def _is_ladder(value: Any) -> bool:
    return (
        isinstance(value, list)
        and bool(value)
        and all(isinstance(entry, dict) and "row" in entry and "distance" in entry for entry in value)
    )


def _start(nodes: Nodes, trace: Mapping[str, Any]) -> list[Rung]:
    snippet = trace.get("snippet")
    if not isinstance(snippet, dict) or "row" not in snippet:
        return []
    return [Rung(place_of(nodes, int(snippet["row"])), _text(snippet.get("punc")), "start")]


def _rung(nodes: Nodes, step: Mapping[str, Any]) -> Rung:
    distance = step["distance"]
    gain = "nothing new: stop" if distance == 0 else f"+{distance}" if isinstance(distance, int) else str(distance)
    return Rung(place_of(nodes, int(step["row"])), _text(step.get("punc")), gain)


def _fact(nodes: Nodes, key: str, value: Any) -> Fact:
    rows: Iterable[int] = ()
    text = ""
    if (key in _ROW_LISTS or key.endswith("_rows")) and isinstance(value, list):
        rows, text = value[:5], f"{len(value):,}"
    elif (key in _ROWS or key.endswith("_row")) and _row(value) is not None:
        rows = (int(value),)
    elif isinstance(value, dict) and _row(value) is not None:
        rows = (int(value["row"]),)
        rest = {name: entry for name, entry in value.items() if name not in ("row", "path")}
        text = ", ".join(f"{_label(name)}: {_text(entry)}" for name, entry in rest.items())
    else:
        text = _text(value)
    return Fact(_label(key), text, tuple(place_of(nodes, row) for row in rows))


def _listing(label: str, entries: list[dict[str, Any]]) -> Listing:
    names = tuple(dict.fromkeys(name for entry in entries[:TOLD_ROWS] for name in entry))
    lines = tuple(tuple(_text(entry.get(name)) for name in names) for entry in entries[:TOLD_ROWS])
    return Listing(label, tuple(_label(name) for name in names), lines, max(0, len(entries) - TOLD_ROWS))


def place_of(nodes: Nodes, row: int) -> Place:
    """Where a row is."""
    return Place(row, nodes.unit_at(row), nodes.path(row))


def _label(key: str) -> str:
    return _WORDS.get(key, key.replace("_", " "))


def _text(value: Any) -> str:
    """A value as a person reads it."""
    if value is None:
        return "none"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, (int, float)):
        return number(value)
    if isinstance(value, list):
        text = ", ".join(_text(entry) for entry in value[:12]) + (", …" if len(value) > 12 else "")
    elif isinstance(value, dict):
        text = ", ".join(f"{_label(name)}: {_text(entry)}" for name, entry in list(value.items())[:12])
    else:
        text = str(value)
    return shorten(text, LONGEST_VALUE)
