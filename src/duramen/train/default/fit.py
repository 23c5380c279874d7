"""Examples → model: lexicons fitted out of fold, a network on top, and its calibration by cross-validation."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from duramen.algorithms.learned.features import FEATURES, Scorer, Table, lexical_table, lexicon_scores, scorer
from duramen.models.default import LEXICONS, POOLS, DefaultModel, Lexicon, lexicon
from duramen.page import FloatArray
from duramen.train.default.corpus import Example, fold_of
from duramen.train.default.judge import Judged, calibration, judge
from duramen.train.default.lexicons import (
    BITS,
    Design,
    Sample,
    common,
    design,
    fit,
    path_sample,
    word_sample,
)
from duramen.train.default.network import Floats, Lesson, Training, predict, scaled, spreads, train
from duramen.train.default.pools import pools_of

Tables = Mapping[str, Lexicon]
Network = tuple[Floats, Floats, tuple[tuple[Floats, Floats], ...]]  # centre and spread of the features, layers
Told = Callable[[str], None]

PENALTIES = (1e-5, 1e-5, 1e-5)  # of the weights of names, words and headings
LEAST_SITES = (4, 5, 4)
PAIR_SITES = 15  # that must have a pair of words: 5 in a table of twice the size tell no more
WEAK = 0.3  # weight of a page with snippets only, which tell little of it
COPY = 0.2  # weight of a copy of a page in other markup


@dataclass(frozen=True, slots=True)
class Settings:
    """How the default is trained; the same settings and pages give the same model."""

    folds: int = 5
    workers: int = 1  # networks that are trained at the same time; the result is the same
    network: Training = field(default_factory=Training)
    left_out: frozenset[str] = frozenset()  # features that the network does not get


class Fitted(NamedTuple):
    """A model, and how it did on pages of sites that it had not seen."""

    model: DefaultModel
    judged: list[Judged]


def fit_default(examples: Sequence[Example], settings: Settings, about: Mapping[str, object], tell: Told) -> Fitted:
    """The model of these examples."""
    folds = np.array([fold_of(example.site, settings.folds) for example in examples])
    copies = np.array([example.copy for example in examples])
    data = _Lexical(examples, folds, tell)
    used = tuple(name for name in FEATURES if name not in settings.left_out)
    columns = [FEATURES.index(name) for name in used]

    def taught(fold: int | None) -> Future[Network]:
        """The network of all pages but those of a fold, which another thread trains."""
        excluded = set() if fold is None else {fold}
        inputs[fold] = [_joined(example, data.columns(k, excluded), columns) for k, example in enumerate(examples)]
        inside = [k for k in range(len(examples)) if folds[k] != fold]
        chosen, seen = [examples[k] for k in inside], [inputs[fold][k] for k in inside]
        return pool.submit(_network, chosen, seen, settings.network)

    judged: list[Judged] = []
    inputs: dict[int | None, list[Table]] = {}
    with ThreadPoolExecutor(settings.workers) as pool:
        waiting = {fold: taught(fold) for fold in (*np.unique(folds).tolist(), None)}
        for fold, network in waiting.items():
            centre, spread, layers = network.result()
            for k in np.flatnonzero((folds == fold) & ~copies).tolist() if fold is not None else ():
                probability = predict(layers, scaled(inputs[fold][k], centre, spread), pools_of(examples[k].shared))
                judged.append(judge(examples[k], probability.astype(np.float64)))
            tell(f"{'all' if fold is None else f'fold {fold} of'} {settings.folds}: F1 {_mean(judged):.4f} so far")
            del inputs[fold]
    expected, actual = calibration(judged)
    return Fitted(
        DefaultModel(used, data.tables(set()), centre, spread, layers, expected, actual, POOLS, dict(about)), judged
    )


def _mean(judged: Iterable[Judged]) -> float:
    scores = [each.f1 for each in judged if each.f1 is not None]
    return sum(scores) / max(len(scores), 1)


def _joined(example: Example, lexical: Table, columns: list[int]) -> Table:
    found: Table = np.concatenate((example.features, lexical), axis=1)[:, columns]
    return found


def _network(examples: Sequence[Example], inputs: Sequence[Table], training: Training) -> Network:
    weights = [page_weights(example).astype(np.float32) for example in examples]
    centre, spread = spreads(np.concatenate(inputs), np.concatenate(weights))
    lessons = []
    for example, features, weight in zip(examples, inputs, weights):
        known = ~np.isnan(example.target)
        target = np.where(known, example.target, 0).astype(np.float32)
        pools = pools_of(example.shared)
        lessons.append(Lesson(scaled(features, centre, spread), target, weight * known, weight, pools))
    return centre, spread, train(lessons, training)


def page_weights(example: Example) -> FloatArray:
    """What each block of a page counts: its share of the page's words. Pages count alike, copies less."""
    share = example.size / max(float(example.size.sum()), 1.0)
    return share * (WEAK if example.gold is None else COPY if example.copy else 1.0)


class _Lexical:
    """The lexicons of every set of folds, fitted when they are asked for. Copies have no names to learn from."""

    def __init__(self, examples: Sequence[Example], folds: NDArray[np.intp], tell: Told) -> None:
        self.examples, self.folds, self.tell = examples, folds, tell
        pages = [example for example in examples if not example.copy]
        self.page_folds = np.array([fold for fold, example in zip(folds.tolist(), examples) if not example.copy])
        samples = [_samples(example) for example in pages]
        width = 1 << BITS
        widths = 2 * width, 2 * width, width  # of names near and far, of words and pairs, of words of headings
        self.designs: list[Design] = [
            design([sample[at] for sample in samples], wide) for at, wide in enumerate(widths)
        ]
        numbers: dict[str, int] = {}
        sites = np.array([numbers.setdefault(example.site, len(numbers)) for example in pages])
        self.known = [common(data, sites, least) for data, least in zip(self.designs, LEAST_SITES)]
        self.known[1][width:] = common(self.designs[1], sites, PAIR_SITES)[width:]
        self._tables: dict[frozenset[int], Tables] = {}
        self._scorers: dict[frozenset[int], Scorer] = {}

    def tables(self, excluded: set[int]) -> Tables:
        """The lexicons of all pages but those of the excluded folds."""
        key = frozenset(excluded)
        if key not in self._tables:
            width = 1 << BITS
            found = []
            for data, known, penalty in zip(self.designs, self.known, PENALTIES):
                found.append(fit(data, ~np.isin(self.page_folds[data.page], list(key)), known, penalty))
            parts = (found[0][:width], found[0][width:], found[1][:width], found[2], found[1][width:])
            self._tables[key] = {name: lexicon(table) for name, table in zip(LEXICONS, parts)}
            self.tell(f"lexicons without folds {sorted(key) or 'none'}")
        return self._tables[key]

    def columns(self, k: int, excluded: set[int]) -> Table:
        """Lexicon features of an example by tables that know neither its own fold nor the excluded ones."""
        without = frozenset(excluded | {int(self.folds[k])})
        if without not in self._scorers:
            self._scorers[without] = scorer(self.tables(set(without)))
        shared = self.examples[k].shared
        found: Table = lexical_table(shared, lexicon_scores(shared, self._scorers[without])).T
        return found


def _samples(example: Example) -> tuple[Sample, Sample, Sample]:
    """What an example teaches the lexicons: ways, blocks, and headings of what follows them."""
    shared, raw = example.shared, example.shared.raw
    known = ~np.isnan(example.target)
    target = np.where(known, example.target, 0)
    weight = np.log1p(example.size) * known
    weight = weight / max(float(weight.sum()), 1e-9)
    if example.gold is None:
        weight = weight * WEAK
    count = len(example)
    size = example.size * known * shared.sectioned
    section = np.maximum(shared.section, 0)
    held = np.bincount(section, size, count)
    share = np.bincount(section, size * target, count) / np.maximum(held, 1e-9)
    headings = np.flatnonzero(held > 0)
    heading_weight = np.log1p(held[headings])
    heading_weight = heading_weight / max(float(heading_weight.sum()), 1e-9)
    blocks = np.flatnonzero(known)
    return (
        path_sample(raw, target, weight),
        word_sample(raw, blocks, target[blocks], weight[blocks], pairs=True),
        word_sample(raw, headings, share[headings], heading_weight),
    )
