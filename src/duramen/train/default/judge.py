"""How good the default is on pages it has not seen, and how sure it may be of that."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np

from duramen.algorithms.learned.algorithm import Learned, Taken
from duramen.page import Blocks, FloatArray
from duramen.train.default.corpus import Example
from duramen.train.default.labels import block_texts, words
from duramen.train.default.network import Floats

KNOTS = 12  # of the calibration curve


class Judged(NamedTuple):
    """One page: what was expected of the chosen blocks, and what they were."""

    name: str
    corpus: str
    kind: str
    expected: float
    f1: float | None  # None where there are only snippets
    precision: float
    recall: float
    snippets: tuple[int, int, int] = (0, 0, 0)  # of those that must come out, found and missed; and wrongly found


def judge(example: Example, probability: FloatArray) -> Judged:
    """The F1 of the blocks that the extractor keeps by these probabilities, comments and hidden text dropped."""
    taken = Learned().take(example.shared, probability)
    choice, texts = taken.choice, _texts(example, taken)
    if example.gold is None:
        return Judged(
            example.name, example.corpus, example.kind, choice.expected, None, 0.0, 0.0, _snippets(example, texts)
        )
    found = Counter(word for text in texts for word in words(text))
    size, gold = sum(found.values()), len(example.gold)
    common = sum((found & Counter(example.gold)).values())
    if not size or not gold:
        same = float(size == gold)
        return Judged(example.name, example.corpus, example.kind, choice.expected, same, same, same)
    f1 = 2 * common / (size + gold)
    return Judged(example.name, example.corpus, example.kind, choice.expected, f1, common / size, common / gold)


def _texts(example: Example, taken: Taken) -> list[str]:
    """The text of every block, without what is not kept of it."""
    page, blocks = example.shared.raw.page, example.shared.raw.blocks
    kept = taken.rows[blocks.rows]
    sizes = np.add.reduceat(kept, blocks.at[:-1], dtype=np.int32)
    return block_texts(page, Blocks(np.concatenate(([0], np.cumsum(sizes))).astype(np.int32), blocks.rows[kept]))


def _snippets(example: Example, texts: Sequence[str]) -> tuple[int, int, int]:
    text = " ".join(each for each in texts if each)
    required, forbidden = ([snippet in text for snippet in snippets] for snippets in example.snippets)
    return sum(required), len(required) - sum(required), sum(forbidden)


def measured(judged: Iterable[Judged]) -> list[Judged]:
    """The pages that have a gold text, and of which something is taken."""
    return [each for each in judged if each.f1 is not None and each.expected > 0]


def calibration(judged: Iterable[Judged]) -> tuple[Floats, Floats]:
    """A rising curve from the expected F1 to the measured one: means of parts of the pages, made monotone.

    Parts are smaller where less is expected: there are few such pages, and they differ most. Pages of which nothing is
    taken are left out: most of them have no content, which is no measure of others of which little is expected.
    """
    pairs = np.array(sorted((each.expected, each.f1) for each in measured(judged)), dtype=np.float64)
    cuts = np.rint(len(pairs) * np.linspace(0, 1, KNOTS + 1)[1:-1] ** 2).astype(np.intp)
    parts = [part for part in np.split(pairs.reshape(-1, 2), cuts) if len(part)]
    points = [[float(part[:, 0].mean()), float(part[:, 1].mean()), float(len(part))] for part in parts]
    pooled: list[list[float]] = []
    for point in points:
        pooled.append(point)
        # A fall is levelled out with what came before it.
        while len(pooled) > 1 and (pooled[-1][1] <= pooled[-2][1] or pooled[-1][0] <= pooled[-2][0]):
            x, y, n = pooled.pop()
            a, b, m = pooled.pop()
            pooled.append([(a * m + x * n) / (m + n), (b * m + y * n) / (m + n), m + n])
    curve = np.array(pooled, dtype=np.float32)
    return curve[:, 0].copy(), curve[:, 1].copy()


def table(judged: Sequence[Judged]) -> list[tuple[str, int, float, float, float]]:
    """Name, pages, F1, precision and recall: of each corpus, and of each kind of page in it.

    Of pages that have snippets only they are those of all their snippets together.
    """
    groups: dict[str, list[Judged]] = {}
    for each in judged:
        if each.f1 is not None:
            groups.setdefault(each.corpus, []).append(each)
            if each.kind:
                groups.setdefault(f"{each.corpus} {each.kind}", []).append(each)
    scores = [
        (
            name,
            len(pages),
            sum(page.f1 or 0.0 for page in pages) / len(pages),
            sum(page.precision for page in pages) / len(pages),
            sum(page.recall for page in pages) / len(pages),
        )
        for name, pages in groups.items()
    ]
    counted: dict[str, list[tuple[int, int, int]]] = {}
    for each in judged:
        if each.f1 is None:
            counted.setdefault(f"{each.corpus} snippets", []).append(each.snippets)
    for name, counts in counted.items():
        found, missed, wrong = (sum(column) for column in zip(*counts))
        precision, recall = found / max(found + wrong, 1), found / max(found + missed, 1)
        scores.append((name, len(counts), 2 * found / max(2 * found + missed + wrong, 1), precision, recall))
    return sorted(scores)
