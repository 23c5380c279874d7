"""What a worker process does: one job in, the answer's JSON out. Nothing here knows of HTTP."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from itertools import islice
from time import perf_counter
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from duramen.algorithms import ALGORITHMS, DEFAULT, settings
from duramen.errors import DuramenError
from duramen.explain import Explanation, explain
from duramen.explain.histogram import bars
from duramen.explain.nodes import VERDICTS, Nodes, plain, plain_list
from duramen.explain.shading import shade
from duramen.extract import Extraction, extract
from duramen.measure import seen_text
from duramen.metadata import metadata
from duramen.parse.characters import CJK_RANGES
from duramen.service.reasons import Reasons, find_reasons
from duramen.service.sheet import sheet

Kind = Literal["extract", "explain", "compare"]

MOST_COLUMNS = 24  # of an algorithm's figures for each node
TOP_NODES = 300  # nodes of the highest scores that an explanation lists beside those drawn
_CJK = "".join(f"{chr(first)}-{chr(stop - 1)}" for first, stop in CJK_RANGES)
_WORD = re.compile(rf"[{_CJK}]|[^\W{_CJK}]+")  # a CJK character is a word


@dataclass(frozen=True, slots=True)
class Job:
    """A page and what to make of it; small enough to send, and checked already."""

    kind: Kind
    source: str | bytes
    algorithms: tuple[tuple[str, Mapping[str, Any]], ...]  # name and settings; one, or several to compare
    formats: tuple[str, ...] = ("text",)
    url: str | None = None  # where the page came from
    charset: str | None = None
    page_type: str | None = None
    switches: Mapping[str, Any] = field(default_factory=dict)  # other arguments of `extract`
    fetch_ms: float | None = None
    classify: bool = True  # tell what kind of page it is


def work(job: Job) -> tuple[int, bytes]:
    """The status and the JSON of the answer to a job."""
    started = perf_counter()
    try:
        answer = {"extract": _extract, "explain": _explain, "compare": _compare}[job.kind](job)
    except DuramenError as problem:  # a model that does not fit, an encoding that does not exist …
        error = {"code": "invalid_request", "message": str(problem), "hint": None}
        return 422, json.dumps({"error": error, "request_id": None}).encode()
    answer["timing"] = {"fetch": job.fetch_ms, "work": round((perf_counter() - started) * 1000, 3)}
    text = json.dumps(answer, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    return 200, text.encode("utf-8", "replace")


def _run(job: Job, name: str, options: Mapping[str, Any]) -> Extraction:
    return extract(
        job.source,
        url=job.url,
        charset=job.charset,
        algorithm=name,
        options=_told(job, name, options),
        **job.switches,
    )


def _told(job: Job, name: str, options: Mapping[str, Any]) -> Mapping[str, Any]:
    """The options, with the page's type where the algorithm wants to know it and was not told."""
    kind = ALGORITHMS[DEFAULT if name == "default" else name]
    wants = any(setting.name == "page_type" for setting in settings(kind))
    return {"page_type": job.page_type, **options} if wants and job.page_type is not None else options


def _extract(job: Job) -> dict[str, Any]:
    result = _run(job, *job.algorithms[0])
    return _answer(job, result, _types(job, result))


def _types(job: Job, result: Extraction) -> dict[str, float]:
    """How likely each type of page is, the likeliest first."""
    return {name: round(share, 4) for name, share in result.page_types.items()} if job.classify else {}


def _answer(job: Job, result: Extraction, types: Mapping[str, float]) -> dict[str, Any]:
    """One key a format, and everything that is known of the page."""
    answer: dict[str, Any] = {name: _rendered(result, name) for name in job.formats}
    return answer | {
        "url": job.url,
        "title": result.title,
        "language": result.language,
        "metadata": plain(result.metadata.to_dict()),
        "confidence": plain(result.confidence),
        "page_type": next(iter(types), None),
        "page_types": types if job.classify else None,
        "reason": _text(result.reason),
        "algorithm": result.algorithm,
        "version": result.version,
        "encoding": result.encoding,
        "flags": list(result.selection.flags),
        "words": int(result.page.words[seen_text(result.page) & result.selection.kept].sum()),
    }


def _rendered(result: Extraction, name: str) -> Any:
    if name == "parts":
        return [{"label": label, "text": text} for label, text in result.parts]
    if name == "comments":
        return [plain(asdict(comment)) for comment in result.comments]
    if name == "json":
        return plain(result.to_dict())
    if name == "source":
        return result.decoded.utf8.decode("utf-8", "replace")
    return getattr(result, name)


def _text(value: Any) -> str | None:
    return None if value is None else str(value)


def _compare(job: Job) -> dict[str, Any]:
    """Each algorithm's answer, and how far they agree."""
    results: dict[str, Any] = {}
    taken: dict[str, Counter[str]] = {}
    types: dict[str, float] = {}
    page_words = 0
    for name, options in job.algorithms:
        started = perf_counter()
        result = _run(job, name, options)
        types = types or _types(job, result)  # the same page, whichever algorithm reads it
        results[name] = _answer(job, result, types)
        taken[name] = Counter(_WORD.findall(result.text))
        results[name]["timing"] = {"fetch": None, "work": round((perf_counter() - started) * 1000, 3)}
        page_words = page_words or int(result.page.words[seen_text(result.page)].sum())
    return {
        "results": results,
        "agreement": {one: {other: _agreement(taken[one], taken[other]) for other in taken} for one in taken},
        "share": {name: _share(words, page_words) for name, words in taken.items()},
        "page_words": page_words,
        "url": job.url,
    }


def _share(taken: Counter[str], page_words: int) -> float:
    return round(min(1.0, taken.total() / page_words), 4) if page_words else 0.0


def _agreement(one: Counter[str], other: Counter[str]) -> float:
    """F1 of the words, whatever their order."""
    both = one.total() + other.total()
    return round(2 * (one & other).total() / both, 4) if both else 1.0


def _explain(job: Job) -> dict[str, Any]:
    """The decisions, bounded: of a huge page the parts drawn, the plot's and the highest."""
    name, options = job.algorithms[0]
    asked = {key: value for key, value in job.switches.items() if key in ("comments", "hidden")}
    told = explain(
        job.source, url=job.url, charset=job.charset, algorithm=name, options=_told(job, name, options), **asked
    )
    nodes, story = told.judged, told.story
    said = metadata(told.page, title_row=told.selection.title, url=job.url)
    reasons, shaded, chart = find_reasons(told), shade(nodes, story.marks), bars(nodes)
    threshold = chart.threshold
    if chart.label == "score" and told.selection.blocks is not None:
        threshold = reasons.threshold  # blocks are judged by their score
    drawn = np.fromiter(shaded.units, dtype=np.intp)
    listed = np.unique(np.concatenate((drawn, nodes.ranked()[:TOP_NODES], chart.unit)))
    kept, seen = told.selection.kept, seen_text(told.page)
    return {
        "document": sheet(shaded, reasons, said.language),
        "nodes": _nodes(nodes, listed, reasons),
        "total_nodes": len(nodes),
        "plot": {
            "label": chart.label,
            "threshold": threshold,
            "logarithmic": bool(chart.logarithmic),
            "per_bar": chart.per_bar,
            "nodes": chart.nodes,
            "bars": [
                {"n": unit, "value": float(f"{value:.6g}"), "verdict": VERDICTS[nodes.verdict[unit]]}
                for unit, value in zip(chart.unit.tolist(), chart.value.tolist())
            ],
        },
        "facts": [
            {
                "label": fact.label,
                "value": fact.value,
                "nodes": [at.unit for at in fact.places if at.unit >= 0],
            }
            for fact in story.facts
        ],
        "thresholds": plain(story.thresholds),
        "winner": _winner(told),
        "verdicts": told.verdicts(),
        "words": {"kept": int(told.page.words[seen & kept].sum()), "page": int(told.page.words[seen].sum())},
        "settings": {key.rstrip("_"): value for key, value in plain(told.settings).items()},
        "url": job.url,
        "title": said.title,
        "algorithm": told.algorithm,
        "version": told.version,
        "reason": _text(told.reason),
        "flags": list(told.selection.flags),
        "confidence": plain(told.selection.confidence),
        "folded": shaded.folded,
    }


def _winner(told: Explanation) -> int | None:
    if told.story.winner is None:
        return None
    unit = told.judged.unit_at(told.story.winner)
    return unit if unit >= 0 else None


def _nodes(nodes: Nodes, listed: NDArray[np.intp], reasons: Reasons) -> list[dict[str, Any]]:
    # An algorithm may work its figures out when they are asked for: each is asked for once.
    columns = {
        name: _rounded(nodes.selection.columns[name][listed]) for name in islice(nodes.selection.columns, MOST_COLUMNS)
    }
    scores = [None] * len(listed) if nodes.score is None else _rounded(nodes.score[listed])
    return [
        {
            "n": k,
            "row": int(nodes.row[k]),
            "path": nodes.path(int(nodes.row[k])),
            "text": nodes.excerpt(k),
            "verdict": VERDICTS[nodes.verdict[k]],
            "why": reasons.why(k),
            "score": scores[at],
            "chars": int(nodes.below["chars"][k]),
            "words": int(nodes.below["words"][k]),
            "columns": {name: values[at] for name, values in columns.items()},
        }
        for at, k in enumerate(listed.tolist())
    ]


def _rounded(values: NDArray[Any]) -> list[Any]:
    return [float(f"{value:.6g}") if isinstance(value, float) else value for value in plain_list(values)]
