"""What an algorithm judged, one entry a node (or a block), with a verdict, an address and an excerpt for each."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from duramen.blocks import BOUNDARIES
from duramen.measure import holds, nearest, seen_text, subtree_sum, unseen
from duramen.page import BoolArray, FloatArray, IntArray, Page, Selection
from duramen.tags import tag_mask

VERDICTS = ("kept", "structure", "dropped", "unseen")
KEPT, STRUCTURE, DROPPED, UNREAD = range(len(VERDICTS))

PATH_LEVELS = 12  # steps of a path; a longer one starts with …
LABEL_CHARS = 40  # of an id or a class in a path
EXCERPT_CHARS = 80
_PIECES = 40  # text rows that an excerpt is put together from, at most

_BOUNDARY = tag_mask(BOUNDARIES)


@dataclass(frozen=True, slots=True, eq=False)
class Nodes:
    """The judged units of a page: node k is row `row[k]`, or the block that starts there."""

    page: Page
    selection: Selection
    row: IntArray
    verdict: NDArray[np.int8]  # index into VERDICTS
    row_verdict: NDArray[np.int8]  # the same for every row of the page
    unit: IntArray  # for every row the node that speaks for it, -1 where none does
    chars: NDArray[np.int64]  # own counts: of a text node or a block; 0 for elements
    words: NDArray[np.int64]
    puncts: NDArray[np.int64]
    cjk: NDArray[np.int64]
    below: Mapping[str, NDArray[np.int64]]  # the same counts over all that a reader sees below the node
    score: FloatArray | None
    _readable: IntArray  # text rows a reader sees, blank ones included
    _readable_at: NDArray[np.int64]  # n+1: how many of them lie before a row
    _run: NDArray[np.int64]  # per row: text rows of one run of inline text share it
    _labels: dict[int, str] = field(default_factory=dict, repr=False)

    def __len__(self) -> int:
        return len(self.row)

    def path(self, row: int) -> str:
        """A row's address, as `Page.path` gives it, but at most PATH_LEVELS long: a deep page costs no more."""
        steps: list[str] = []
        while row >= 0 and len(steps) < PATH_LEVELS:
            steps.append(self.label(row))
            row = int(self.page.parent[row])
        if row >= 0:
            steps.append("…")
        return " > ".join(reversed(steps))

    def unit_at(self, row: int) -> int:
        """The node that speaks for a row: for an element among judged blocks, the block of its first text; else -1."""
        unit = int(self.unit[row])
        if unit >= 0 or self.selection.blocks is None:
            return unit
        inside = self.unit[row : self.page.end[row]]
        judged = np.flatnonzero(inside >= 0)
        return int(inside[judged[0]]) if len(judged) else -1

    def label(self, row: int) -> str:
        """`div#main.wide`: an element's name, id and first classes."""
        found = self._labels.get(row)
        if found is None:
            found = self._labels[row] = self._label(row)
        return found

    def _label(self, row: int) -> str:
        page = self.page
        name = page.tag_name(row)
        if page.attr_at[row] == page.attr_at[row + 1]:
            return name
        identity = (page.attribute(row, "id") or "").split()
        classes = (page.attribute(row, "class") or "").split()
        marks = [f"#{shorten(word, LABEL_CHARS)}" for word in identity[:1]]
        marks += [f".{shorten(word, LABEL_CHARS)}" for word in classes[:3]]
        return name + "".join(marks)

    def excerpt(self, k: int, limit: int = EXCERPT_CHARS) -> str:
        """The beginning of the node's text, white space collapsed; of what a reader sees, where there is any."""
        return self._excerpt(self._text_rows(k), limit)

    def kept_runs(self, most: int, limit: int) -> tuple[list[str], int]:
        """The first `most` runs of kept text, each cut to `limit` characters, and how many there are in all."""
        rows = np.flatnonzero(self.page.is_text() & (self.row_verdict == KEPT))
        starts = np.flatnonzero(np.concatenate(([True], np.diff(self._run[rows]) != 0))) if len(rows) else rows
        filled = np.add.reduceat(self.page.chars[rows], starts) > 0 if len(rows) else np.zeros(0, dtype=np.bool_)
        ends = np.append(starts[1:], len(rows))[filled]
        starts = starts[filled]
        pieces = [rows[a : min(b, a + _PIECES)] for a, b in zip(starts[:most].tolist(), ends[:most].tolist())]
        return [self._excerpt(piece, limit) for piece in pieces], len(starts)

    def _text_rows(self, k: int) -> NDArray[np.integer]:
        """The rows that the beginning of a node's text is in."""
        page, row = self.page, int(self.row[k])
        blocks = self.selection.blocks
        if blocks is not None:
            return blocks.rows[blocks.at[k] : min(blocks.at[k + 1], blocks.at[k] + _PIECES)]
        first, stop = self._readable_at[row], self._readable_at[page.end[row]]
        if first < stop:
            return self._readable[first : min(stop, first + _PIECES)]
        return np.arange(row, min(int(page.end[row]), row + _PIECES), dtype=np.int32)

    def _excerpt(self, rows: NDArray[np.integer], limit: int) -> str:
        page = self.page
        pieces: list[str] = []
        size, run, end = 0, -1, 0
        for at in rows.tolist():
            if page.tag[at] != 0:
                continue
            # White space may fill a row's beginning; four bytes a character are enough for the rest.
            text = page.utf8_of(at)[: 4 * limit + 400].decode("utf-8", "ignore")
            # Blank texts are in no block, but they part words as another run does.
            if self._run[at] != run or page.text_at[at] > end:
                pieces.append(" ")
            pieces.append(text)
            run, end = int(self._run[at]), int(page.text_at[at + 1])
            size += len(text.strip())
            if size > limit:
                break
        return shorten(" ".join("".join(pieces).split()), limit)

    def ranked(self) -> NDArray[np.intp]:
        """The judged nodes, highest score first; by the length of their text where there is no score."""
        if self.score is None:
            values = np.where((self.chars > 0) & (self.verdict != UNREAD), self.chars.astype(np.float64), -np.inf)
        else:
            values = np.where(np.isfinite(self.score), self.score, -np.inf)
        order = np.argsort(-values, kind="stable")
        found: NDArray[np.intp] = order[values[order] > -np.inf]
        return found

    def figures(self) -> Iterator[dict[str, Any]]:
        """Every node with everything that is known of it, in document order."""
        page, blocks = self.page, self.selection.blocks
        columns = {name: plain_list(values) for name, values in self.selection.columns.items()}
        scores = [None] * len(self) if self.score is None else plain_list(self.score)
        counts = zip(self.chars.tolist(), self.words.tolist(), self.puncts.tolist(), self.cjk.tolist())
        for k, (row, verdict, (chars, words, puncts, cjk)) in enumerate(
            zip(self.row.tolist(), self.verdict.tolist(), counts)
        ):
            figure: dict[str, Any] = {"row": row}
            if blocks is not None:
                figure |= {"block": k, "rows": blocks.rows[blocks.at[k] : blocks.at[k + 1]].tolist()}
            yield figure | {
                "tag": page.tag_name(row),
                "path": self.path(row),
                "text": self.excerpt(k),
                "chars": chars,
                "words": words,
                "puncts": puncts,
                "cjk": cjk,
                "score": scores[k],
                "verdict": VERDICTS[verdict],
                "columns": {name: values[k] for name, values in columns.items()},
            }


def judge(page: Page, selection: Selection) -> Nodes:
    """The nodes of a page, or its blocks where the algorithm judged those, with the verdict on each."""
    seen, verdict = seen_text(page), _verdicts(page, selection)
    readable = page.is_text() & ~unseen(page)
    boundary = page.has_tag(_BOUNDARY)
    # Two text rows belong to one run when no boundary starts between them and the nearest one around them is the same.
    run = np.cumsum(boundary, dtype=np.int64) * (len(page) + 1) + nearest(page, boundary)
    counts = {name: getattr(page, name).astype(np.int64) for name in ("chars", "words", "puncts", "cjk")}
    below = {name: subtree_sum(page, np.where(seen, own, 0)) for name, own in counts.items()}
    row = np.arange(len(page), dtype=np.int32)
    unit, unit_verdict = row, verdict
    blocks = selection.blocks
    if blocks is not None:
        row = blocks.rows[blocks.at[:-1]]
        unit = np.full(len(page), -1, dtype=np.int32)
        unit[blocks.rows] = np.repeat(np.arange(len(blocks), dtype=np.int32), np.diff(blocks.at))
        counts = {name: _block_sums(own, blocks.at, blocks.rows) for name, own in counts.items()}
        below = counts
        some = _block_sums(selection.kept.astype(np.int64), blocks.at, blocks.rows) > 0
        unit_verdict = np.where(some, KEPT, DROPPED).astype(np.int8)
    return Nodes(
        page=page,
        selection=selection,
        row=row,
        verdict=unit_verdict,
        row_verdict=verdict,
        unit=unit,
        chars=counts["chars"],
        words=counts["words"],
        puncts=counts["puncts"],
        cjk=counts["cjk"],
        below=below,
        score=selection.score,
        _readable=np.flatnonzero(readable).astype(np.int32),
        _readable_at=np.concatenate(([0], np.cumsum(readable, dtype=np.int64))),
        _run=run,
    )


def _verdicts(page: Page, selection: Selection) -> NDArray[np.int8]:
    kept = selection.kept
    unread = unseen(page) | (page.is_text() & (page.chars == 0))
    verdict = np.full(len(page), DROPPED, dtype=np.int8)
    verdict[unread] = UNREAD
    verdict[holds(page, kept)] = STRUCTURE
    verdict[kept] = KEPT
    return verdict


def _block_sums(own: NDArray[np.int64], at: IntArray, rows: IntArray) -> NDArray[np.int64]:
    running = np.concatenate(([0], np.cumsum(own[rows])))
    total: NDArray[np.int64] = running[at[1:]] - running[at[:-1]]
    return total


def shorten(text: str, limit: int) -> str:
    """`text`, cut to `limit` characters with a … where it is longer."""
    return text if len(text) <= limit else text[: limit - 1].rstrip() + "…"


def plain_list(values: NDArray[Any]) -> list[Any]:
    """An array as a list for JSON: NaN and infinities are None."""
    if values.dtype.kind != "f":
        return [plain(value) for value in values.tolist()] if values.dtype.kind == "O" else values.tolist()
    finite: BoolArray = np.isfinite(values)
    found: list[Any] = values.tolist()
    return found if finite.all() else [value if good else None for value, good in zip(found, finite.tolist())]


def plain(value: Any) -> Any:
    """A value of a trace or a setting as what JSON has: no NumPy, no NaN, no tuples, no enumerations."""
    if isinstance(value, np.ndarray):
        return plain_list(value.reshape(-1)) if value.ndim else plain(value.item())
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, str):
        return str(value)
    if value is None or isinstance(value, (bool, int)):
        return value
    if isinstance(value, Mapping):
        return {str(key): plain(entry) for key, entry in value.items()}
    if isinstance(value, (Sequence, set, frozenset)):
        return [plain(entry) for entry in (sorted(value, key=str) if isinstance(value, (set, frozenset)) else value)]
    return str(value)
