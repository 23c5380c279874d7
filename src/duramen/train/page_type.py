"""Learning page types: a linear model over hashed signals, then boosted trees over its scores and the counts."""

from __future__ import annotations

import hashlib
import json
import lzma
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from duramen.algorithms.learned.page_type import TYPES
from duramen.algorithms.learned.type_signals import COUNTS, URL_COUNTS, Signals, signals
from duramen.decode import decode
from duramen.errors import InputError
from duramen.models.page_type import WEIGHT_STEPS, Floats, Forest, PageTypeModel
from duramen.parse import parse_page
from duramen.version import VERSION

FOLDS = 5
INNER_FOLDS = 5
SEEN_ON = 4  # sites that a signal must occur on
SIGNALS = 6000  # those that tell most; 3000: .870, 10000: .882 of the pages right on wcxb dev
ROUNDS = 90
COUNT_SCALE = 0.5  # of a count's standard deviation, against a signal that is there or not
RIDGE = 200.0
NO_WEIGHT = 1e9  # a scale that makes nothing of a count
LOUDER = 4.0  # what the scores of the linear part are multiplied by, so that they tell more as logarithms of odds
SHARE = 0.7  # of the forest in the result
TREES = {
    "objective": "multiclass",
    "num_leaves": 8,
    "learning_rate": 0.07,
    "min_data_in_leaf": 20,
    "feature_fraction": 0.3,
    "bagging_fraction": 0.7,
    "bagging_freq": 1,
    "lambda_l2": 5.0,
    "verbose": -1,
    "num_threads": 1,
    "deterministic": True,
    "force_row_wise": True,
}


@dataclass(frozen=True, slots=True)
class TypedPage:
    """A page that someone has typed, with its signals with and without its address."""

    name: str
    site: str
    kind: int
    told: Signals
    untold: Signals  # as if the address were unknown


@dataclass(frozen=True, slots=True)
class Judged:
    """Out-of-fold probabilities of the pages, with and without their address."""

    kinds: NDArray[np.int64]
    told: Floats
    untold: Floats

    def accuracy(self, known: bool = True) -> float:
        """The share of pages whose most likely type is the right one."""
        shares = self.told if known else self.untold
        return float((shares.argmax(axis=1) == self.kinds).mean())

    def confusion(self, known: bool = True) -> NDArray[np.int64]:
        """How many pages of each type (rows) were taken for each (columns)."""
        table = np.zeros((len(TYPES), len(TYPES)), dtype=np.int64)
        np.add.at(table, (self.kinds, (self.told if known else self.untold).argmax(axis=1)), 1)
        return table


def read_typed(place: Path) -> Iterator[tuple[str, bytes, str | None, str]]:
    """Name, page, address and type of the typed pages of a `.jsonl` or `.jsonl.xz` corpus."""
    opener: Any = lzma.open if place.suffix == ".xz" else open
    try:
        with opener(place, "rt", encoding="utf-8") as lines:
            for number, line in enumerate(lines, 1):
                row = json.loads(line)
                if row.get("page_type") in TYPES:
                    name = str(row.get("id", number))
                    yield name, row["html"].encode("latin-1"), row.get("url") or None, row["page_type"]
    except (OSError, EOFError, lzma.LZMAError, ValueError, KeyError, AttributeError) as problem:
        raise InputError(f"cannot read typed pages from {place}: {problem}") from None


def read_cases(places: Sequence[Path]) -> tuple[list[TypedPage], str]:
    """The typed pages of some corpora, and a fingerprint of them."""
    cases: list[TypedPage] = []
    digest = hashlib.sha256()
    for place in places:
        for name, source, url, kind in read_typed(place):
            digest.update(hashlib.sha256(source).digest() + f"{url} {kind}".encode())
            page = parse_page(decode(source).utf8)
            told, untold = signals(page, url), signals(page, None)
            cases.append(TypedPage(name, site_of(url) or name, TYPES.index(kind), told, untold))
    missing = [name for number, name in enumerate(TYPES) if not any(case.kind == number for case in cases)]
    if missing:
        raise InputError(f"no page of the type {', '.join(missing)}: all {len(TYPES)} types are needed")
    return cases, digest.hexdigest()


def site_of(url: str | None) -> str:
    """The last two parts of an address's host: pages of one site are never in two folds."""
    return ".".join((urlsplit(url or "").hostname or "").split(".")[-2:])


def cross_validate(cases: Sequence[TypedPage], seed: int = 0) -> Judged:
    """Judge each page by a model that has seen no page of its site."""
    fold = _folds(cases, FOLDS, seed)
    kinds = np.array([case.kind for case in cases])
    told, untold = (np.zeros((len(cases), len(TYPES))) for _ in range(2))
    for number in range(FOLDS):
        model = fit([case for case, at in zip(cases, fold) if at != number], seed)
        for at in np.flatnonzero(fold == number).tolist():
            for shares, view in ((told, cases[at].told), (untold, cases[at].untold)):
                shares[at] = model.probabilities(model.known(view.hashes), view.counts)
    return Judged(kinds, told, untold)


def fit(cases: Sequence[TypedPage], seed: int = 0, about: dict[str, Any] | None = None) -> PageTypeModel:
    """Learn a model from typed pages."""
    import lightgbm

    kinds = np.array([case.kind for case in cases])
    hashes = _choose(cases)
    counts = np.array([case.told.counts for case in cases])
    mean, scale = counts.mean(axis=0), (counts.std(axis=0) + 1e-9) / COUNT_SCALE
    # The linear part leaves what is counted of addresses to the trees: these can tell unknown ones.
    scale[-URL_COUNTS:] = NO_WEIGHT
    told = _matrix([case.told for case in cases], hashes, mean, scale)
    untold = _matrix([case.untold for case in cases], hashes, mean, scale)
    fold = _folds(cases, INNER_FOLDS, seed + 1)
    scores = np.zeros((2, len(cases), len(TYPES)))
    for number in range(INNER_FOLDS):
        held = fold == number
        weights, bias = _linear(told[~held], kinds[~held])
        scores[:, held] = told[held] @ weights + bias, untold[held] @ weights + bias
    weights, bias = _linear(told, kinds)
    # Every page counts twice, so that the model can do without the address.
    rows = np.vstack((counts, np.array([case.untold.counts for case in cases])))
    data = lightgbm.Dataset(np.hstack((rows, scores.reshape(len(rows), -1))), np.tile(kinds, 2))
    trees = lightgbm.train({**TREES, "num_class": len(TYPES), "seed": seed}, data, ROUNDS)
    training = {
        "duramen": VERSION,
        "numpy": np.__version__,
        "lightgbm": lightgbm.__version__,
        "seed": seed,
        "pages": len(cases),
        **(about or {}),
    }
    size = len(hashes)
    rounded = np.rint(weights[:size] * WEIGHT_STEPS) / WEIGHT_STEPS
    forest = _forest(trees.dump_model()["tree_info"])
    return PageTypeModel(
        *(TYPES, COUNTS, hashes, rounded, mean, scale, weights[size:], bias, forest, SHARE), training=training
    )


def _folds(cases: Sequence[TypedPage], count: int, seed: int) -> NDArray[np.int64]:
    return np.array([crc32(f"{seed} {case.site}".encode()) % count for case in cases])


def _choose(cases: Sequence[TypedPage]) -> NDArray[np.uint32]:
    """The signals that occur on enough sites and tell most about the type."""
    number = {site: at for at, site in enumerate(sorted({case.site for case in cases}))}
    signal = np.concatenate([case.told.hashes for case in cases])
    sizes = [len(case.told.hashes) for case in cases]
    site = np.repeat([number[case.site] for case in cases], sizes)
    kind = np.repeat([case.kind for case in cases], sizes)
    pairs = np.unique(signal.astype(np.uint64) << np.uint64(32) | site.astype(np.uint64)) >> np.uint64(32)
    known, sites = np.unique(pairs.astype(np.uint32), return_counts=True)
    known = known[sites >= SEEN_ON]
    if not len(known):
        raise InputError(f"too few sites: nothing in the pages occurs on {SEEN_ON} of them")
    at = np.minimum(np.searchsorted(known, signal), len(known) - 1)
    held = known[at] == signal
    table = np.zeros((len(known), len(TYPES)))
    np.add.at(table, (at[held], kind[held]), 1)
    share = np.bincount([case.kind for case in cases], minlength=len(TYPES)) / len(cases)
    expected = table.sum(axis=1, keepdims=True) * share
    surprise = (np.abs(table - expected) / np.sqrt(expected * (1 - share) + 1)).max(axis=1)
    best = np.argsort(-surprise, kind="stable")[:SIGNALS]
    return np.sort(known[best])


def _matrix(views: Sequence[Signals], hashes: NDArray[np.uint32], mean: Floats, scale: Floats) -> NDArray[np.float32]:
    """Which signals a page has, and its scaled counts."""
    matrix = np.zeros((len(views), len(hashes) + len(mean)), dtype=np.float32)
    for row, view in enumerate(views):
        at = np.minimum(np.searchsorted(hashes, view.hashes), len(hashes) - 1)
        matrix[row, at[hashes[at] == view.hashes]] = 1
        matrix[row, len(hashes) :] = (view.counts - mean) / scale
    return matrix


def _linear(matrix: NDArray[np.float32], kinds: NDArray[np.int64]) -> tuple[Floats, Floats]:
    """Weights and bias of a ridge regression on the types, solved over pages: there are fewer of them than signals."""
    mean = matrix.mean(axis=0)
    centred = matrix - mean
    target = np.eye(len(TYPES))[kinds]
    share = target.mean(axis=0)
    alike = (centred @ centred.T).astype(np.float64)
    alike[np.diag_indices_from(alike)] += RIDGE
    weights = centred.T.astype(np.float64) @ np.linalg.solve(alike, target - share) * LOUDER
    return weights, share * LOUDER - mean @ weights


def _forest(trees: Sequence[dict[str, Any]]) -> Forest:
    """LightGBM's trees as arrays, parents before their children."""
    columns: dict[str, list[Any]] = defaultdict(list)
    for number, tree in enumerate(trees):
        columns["roots"].append(len(columns["feature"]))
        columns["kinds"].append(number % len(TYPES))
        waiting: list[tuple[dict[str, Any], int, str]] = [(tree["tree_structure"], -1, "")]
        while waiting:
            node, parent, side = waiting.pop()
            at = len(columns["feature"])
            if side:
                columns[side][parent] = at
            inner = "split_feature" in node
            columns["feature"].append(node["split_feature"] if inner else 0)
            columns["threshold"].append(node["threshold"] if inner else 0.0)
            columns["value"].append(0.0 if inner else node["leaf_value"])
            columns["left"].append(-1)
            columns["right"].append(-1)
            if inner:
                waiting += [(node["right_child"], at, "right"), (node["left_child"], at, "left")]
    whole = {name: np.array(columns[name], dtype=np.int64) for name in ("roots", "kinds", "feature", "left", "right")}
    return Forest(
        **whole,
        threshold=np.array(columns["threshold"], dtype=np.float64),
        value=np.array(columns["value"], dtype=np.float64),
    )
