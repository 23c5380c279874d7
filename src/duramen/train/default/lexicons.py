"""Fitting the lexicons: linear models over hashed names and words, kept where enough sites have them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import sparse  # type: ignore[import-untyped]
from scipy.optimize import minimize  # type: ignore[import-untyped]

from duramen.algorithms.learned.lexicon import NEAR_LEVELS, pair_slots, slots, tag_hashes
from duramen.algorithms.learned.raw import Raw
from duramen.page import FloatArray

BITS = 17  # of a table: 131,072 weights
LEAST_SITES = 4  # that must have a name or a word
MOST_LEVELS = 64  # elements on the way up that are looked at
STEPS = 40  # of the optimiser
MOST_WORDS = 60  # of a block that teach

Matrix = Any  # scipy's sparse matrices have no types


class Sample(NamedTuple):
    """Rows of a linear model of one page: the slots that each row has, their values, and what it should say."""

    at: NDArray[np.int64]
    slot: NDArray[np.int64]
    value: NDArray[np.float32] | None
    target: FloatArray
    weight: FloatArray


def path_sample(raw: Raw, target: FloatArray, weight: FloatArray) -> Sample:
    """One row for each way down the page: the names and tags of all elements on it, and of the nearest ones."""
    page = raw.page
    table = 1 << BITS
    kinds = raw.kind.copy()
    steps = np.zeros(len(page) + 1, dtype=np.uint64)
    steps[:-1] = kinds
    np.subtract.at(steps, page.end, kinds)
    way = np.cumsum(steps)[raw.holder]
    row = raw.holder
    for _ in range(NEAR_LEVELS):
        way = way * np.uint64(0x9E3779B97F4A7C15) + kinds[row]
        row = np.maximum(page.parent[row], 0)
    _, first, same = np.unique(way, return_index=True, return_inverse=True)
    same = same.reshape(-1)
    total = np.bincount(same, weight).astype(np.float64)
    mean = np.bincount(same, weight * target) / np.maximum(total, 1e-12)

    tags = tag_hashes(raw)
    name_row, name_hash = raw.names()
    name_at = np.searchsorted(name_row, np.arange(len(page) + 1))
    numbers, parts = np.arange(len(first)), []
    row = raw.holder[first]
    for level in range(MOST_LEVELS):
        there = row >= 0
        if not there.any():
            break
        numbers, row = numbers[there], row[there]
        begins, sizes = name_at[row], name_at[row + 1] - name_at[row]
        ends = np.cumsum(sizes)
        names = name_hash[np.repeat(begins - (ends - sizes), sizes) + np.arange(int(sizes.sum()))]
        owner = np.concatenate((np.repeat(numbers, sizes), numbers))
        slot = slots(np.concatenate((names, tags[row])), table).astype(np.int64)
        parts.append((owner, slot))
        if level < NEAR_LEVELS:
            parts.append((owner, slot + table))
        row = page.parent[row]
    owners = np.concatenate([owner for owner, _ in parts])
    order = np.argsort(owners, kind="stable")
    slot = np.concatenate([slot for _, slot in parts])[order]
    at = np.searchsorted(owners[order], np.arange(len(first) + 1))
    return Sample(at, slot, None, mean, total)


def word_sample(
    raw: Raw, chosen: NDArray[np.intp], target: FloatArray, weight: FloatArray, pairs: bool = False
) -> Sample:
    """One row for each chosen block: its words, by the root of their number, and where asked for its pairs of words."""
    begins = raw.word_at[chosen]
    sizes = np.diff(raw.word_at)[chosen]
    used = np.minimum(sizes, MOST_WORDS)
    at = np.concatenate(([0], np.cumsum(used)))
    said = raw.word_hash[np.repeat(begins - at[:-1], used) + np.arange(at[-1])]
    slot = slots(said, 1 << BITS).astype(np.int64)
    value = np.repeat(1 / np.sqrt(np.maximum(used, 1)), used).astype(np.float32)
    if not pairs:
        return Sample(at, slot, value, target, weight)
    # A block of n words has n + 1 pairs: 0 is its end; where it is cut short the next word is not.
    many = np.where(used > 0, used + 1, 0)
    pair_at = np.concatenate(([0], np.cumsum(many)))
    first, second = np.zeros(pair_at[-1], dtype=np.uint32), np.zeros(pair_at[-1], dtype=np.uint32)
    place = np.arange(at[-1]) + np.repeat(pair_at[:-1] - at[:-1], used)
    second[place], first[place + 1] = said, said
    cut = np.flatnonzero(sizes > used)
    second[pair_at[cut + 1] - 1] = raw.word_hash[begins[cut] + used[cut]]
    pair_slot = pair_slots(first, second, 1 << BITS).astype(np.int64) + (1 << BITS)
    pair_value = np.repeat(1 / np.sqrt(np.maximum(many, 1)), many).astype(np.float32)
    blocks = np.arange(len(used))
    order = np.argsort(np.concatenate((np.repeat(blocks, used), np.repeat(blocks, many))), kind="stable")
    both = np.concatenate((slot, pair_slot))[order], np.concatenate((value, pair_value))[order]
    return Sample(at + pair_at, *both, target, weight)


class Design(NamedTuple):
    """The samples of many pages in one matrix."""

    matrix: Matrix
    target: FloatArray
    weight: FloatArray
    page: NDArray[np.intp]  # row → number of its page


def design(samples: Sequence[Sample], width: int) -> Design:
    """All samples stacked."""
    sizes = np.concatenate([np.diff(sample.at) for sample in samples])
    at = np.concatenate(([0], np.cumsum(sizes)))
    slot = np.concatenate([sample.slot for sample in samples]).astype(np.int32)
    values = [
        np.ones(len(sample.slot), dtype=np.float32) if sample.value is None else sample.value for sample in samples
    ]
    return Design(
        sparse.csr_matrix((np.concatenate(values), slot, at), shape=(len(sizes), width)),
        np.concatenate([sample.target for sample in samples]),
        np.concatenate([sample.weight for sample in samples]),
        np.repeat(np.arange(len(samples)), [len(sample.target) for sample in samples]),
    )


def common(data: Design, sites: NDArray[np.intp], least: int = LEAST_SITES) -> NDArray[np.bool_]:
    """Which slots at least so many sites have; `sites` is a number for each page."""
    rows = np.repeat(sites[data.page], np.diff(data.matrix.indptr))
    width = data.matrix.shape[1]
    pairs = np.unique(rows.astype(np.int64) * width + data.matrix.indices)
    known: NDArray[np.bool_] = np.bincount(pairs % width, minlength=width) >= least
    return known


def fit(data: Design, rows: NDArray[np.bool_], known: NDArray[np.bool_], penalty: float) -> NDArray[np.float32]:
    """Weights of a logistic regression on soft targets; zero for slots that are not `known`."""
    columns = np.flatnonzero(known)
    chosen = data.matrix[rows][:, columns].tocsr()
    flipped = chosen.T.tocsr()
    target, weight = data.target[rows], data.weight[rows] / data.weight[rows].sum()

    def loss(weights: FloatArray) -> tuple[float, FloatArray]:
        margin = chosen @ weights[1:] + weights[0]
        wrong = (1 / (1 + np.exp(-np.clip(margin, -30, 30))) - target) * weight
        value = float((weight * (np.logaddexp(0, margin) - target * margin)).sum())
        slope = np.concatenate(([wrong.sum()], flipped @ wrong + penalty * weights[1:]))
        return value + penalty / 2 * float(weights[1:] @ weights[1:]), slope

    found = minimize(loss, np.zeros(len(columns) + 1), jac=True, method="L-BFGS-B", options={"maxiter": STEPS})
    weights = np.zeros(data.matrix.shape[1], dtype=np.float32)
    weights[columns] = found.x[1:]
    return weights
