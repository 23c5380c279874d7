"""The network: what it says, in which order it adds up, and what it does not take."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray

from duramen.algorithms.learned.algorithm import calibrated
from duramen.algorithms.learned.dense import MOST_SUM, MOST_VALUE, Network, first_layer, grouped, judge, padded, pool
from duramen.algorithms.learned.features import context, feature_table, scorer_of
from duramen.algorithms.learned.lexicon import paired
from duramen.algorithms.learned.network import probabilities
from duramen.algorithms.learned.raw import read
from duramen.models.default import DefaultModel, load_default
from duramen.page import Blocks
from duramen.parse import KERNEL
from tests.support import page_of

Floats = NDArray[np.float32]
FEATURES, UNITS, SECOND = 11, 6, 3


def made(random: np.random.Generator, blocks: int) -> tuple[Network, Floats, NDArray[np.int32]]:
    """A small network (units filled up to eight with zeros), a table with many zeros, and parts of a page."""
    first, second, last = (
        random.normal(size=shape).astype(np.float32) for shape in ((FEATURES, UNITS), (3 * UNITS, SECOND), (SECOND, 1))
    )
    spread = np.zeros((3, 8, SECOND), dtype=np.float32)
    spread[:, :UNITS] = second.reshape(3, UNITS, SECOND)
    final = np.zeros((8, 1), dtype=np.float32)
    final[:SECOND] = last
    biases = [np.zeros(8, dtype=np.float32) for _ in range(3)]
    for number, units in enumerate((UNITS, SECOND, 1)):
        biases[number][:units] = random.normal(size=units)
    weights = (grouped(spread.reshape(24, SECOND)), grouped(final))
    low, high = np.full(FEATURES, -2, dtype=np.float32), np.full(FEATURES, 3, dtype=np.float32)
    table = random.normal(size=(FEATURES + 2, blocks)).astype(np.float32)
    table[random.random(table.shape) < 0.6] = 0
    table[3], table[4], table[5] = 0.7, 0, 9  # the same in all blocks, beyond what it is cut off at too
    parts = random.integers(0, 3, blocks).astype(np.int32)
    rows = random.permutation(FEATURES + 2)[:FEATURES].astype(np.intp)
    opening = first_layer(rows, low, high, first.astype(np.float64), biases[0][:UNITS].astype(np.float64))
    return Network(opening, tuple(zip(weights, biases[1:]))), table, parts


def flat(weights: Floats) -> Floats:
    found: Floats = weights.transpose(1, 0, 2).reshape(weights.shape[1], -1)
    return found


def one_by_one(values: Floats, weights: Floats, biases: Floats) -> Floats:
    """A layer whose sums are added up input by input, in single precision."""
    sums = np.repeat(biases[None], len(values), axis=0)
    for number in range(values.shape[1]):
        sums += weights[number] * values[:, number, None]
    return sums


def whole_sums(network: Network, table: Floats) -> Floats:
    """The sums of the first layer, made one after the other of whole numbers that know no end."""
    first = network.first
    low, high, scale = (bound[:, None] for bound in first.bounds)
    values = np.rint(np.clip(table[first.rows], low, high) * scale).astype(int).T.tolist()
    units = [first.weights[unit // 8, :, unit % 8].reshape(-1).tolist() for unit in range(len(first.biases))]
    sums = [[sum(value * by for value, by in zip(row, weights)) for weights in units] for row in values]
    assert max(abs(each) for row in sums for each in row) <= MOST_SUM
    return np.array(sums, dtype=np.float32)


def expected(network: Network, table: Floats, parts: NDArray[np.int32], weight: NDArray[np.float64]) -> Floats:
    (second, second_biases), (last, last_biases) = network.layers
    values = np.maximum(whole_sums(network, table) * network.first.factors + network.first.biases, 0)
    whole, nothing = flat(second), np.zeros(8, dtype=np.float32)
    found = one_by_one(values, whole[:8], second_biases)
    for at, (numbers, count) in enumerate(((np.zeros_like(parts), 1), (parts, 3)), 1):
        means = pool(values, weight, numbers, count)
        found += one_by_one(means, whole[8 * at : 8 * at + 8], nothing)[numbers]
    told: Floats = one_by_one(np.maximum(found, 0), flat(last), last_biases)[:, 0]
    return told


@pytest.mark.parametrize("blocks", [1, 7, 8, 9, 40])
def test_sums_are_added_up_input_by_input(blocks: int) -> None:
    random = np.random.default_rng(blocks)
    network, table, parts = made(random, blocks)
    weight = random.integers(1, 50, blocks).astype(np.float64)
    found = judge(network, table, ((np.zeros_like(parts), 1), (parts, 3)), weight)
    wanted = expected(network, table, parts, weight)
    if KERNEL == "compiled":
        assert found.tolist() == wanted.tolist()
    assert found == pytest.approx(wanted, abs=1e-5)


@pytest.mark.parametrize("blocks", [1, 8, 21])
def test_whole_numbers_are_near_the_weights_they_stand_for(blocks: int) -> None:
    random = np.random.default_rng(blocks)
    rows = np.arange(31, dtype=np.intp)
    low, high = random.uniform(-50, 0, 31).astype(np.float32), random.uniform(0.1, 400, 31).astype(np.float32)
    weights, biases = random.normal(size=(31, 13)) / (high - low)[:, None], random.normal(size=13)
    network = Network(first_layer(rows, low, high, weights, biases), ())
    table = random.uniform(-60, 500, (31, blocks)).astype(np.float32)
    found = judge(network, table, (), np.ones(blocks))
    wanted = (np.clip(table, low[:, None], high[:, None]).T @ weights + biases)[:, 0]
    assert found == pytest.approx(wanted, abs=31 * np.abs(weights).max() * float((high - low).max()) / MOST_VALUE)
    assert np.abs(found - wanted).mean() < 0.01


@pytest.mark.parametrize("signs", [1, -1])
@pytest.mark.parametrize("same", [True, False])
def test_no_sum_leaves_its_room(signs: int, same: bool) -> None:
    inputs, blocks = 200, 9
    weights = np.full((inputs, 16), 3.0)
    weights[0, 1:], weights[1:, 15] = 1e9, 0
    ends = np.full(inputs, 7, dtype=np.float32)
    network = Network(first_layer(np.arange(inputs, dtype=np.intp), -ends, ends, weights, np.zeros(16)), ())
    table = np.full((inputs, blocks), signs * 1e30 if same else 0, dtype=np.float32)
    table[:, 4] = signs * 1e30
    found = judge(network, table, (), np.ones(blocks))
    whole_sums(network, table)
    assert found[4] == pytest.approx(signs * 3 * 7 * inputs, rel=1e-3)
    assert found[0] == (found[4] if same else 0)


def test_a_page_without_blocks() -> None:
    network, table, parts = made(np.random.default_rng(1), 9)
    found = judge(network, table[:, :0].copy(), ((parts[:0], 1), (parts[:0], 3)), np.ones(0))
    assert found.shape == (0,)


def test_means_are_weighted() -> None:
    values = np.array([[1, 10], [2, 20], [4, 40]], dtype=np.float32)
    found = pool(values, np.array([1.0, 3.0, 5.0]), np.array([1, 1, 0], dtype=np.int32), 2)
    assert found.tolist() == [[4, 40], [1.75, 17.5]]
    whole = pool(values, np.array([1.0, 1.0, 2.0]), np.zeros(3, dtype=np.int32), 1)
    assert whole.tolist() == [[2.75, 27.5]]


def test_what_does_not_fit_raises() -> None:
    network, table, parts = made(np.random.default_rng(1), 9)
    weight = np.ones(9)
    with pytest.raises(IndexError, match="no such part"):
        judge(network, table, ((parts + 3, 3), (parts, 3)), weight)
    with pytest.raises(IndexError, match="no such feature"):
        judge(
            network._replace(first=network.first._replace(rows=network.first.rows + 20)),
            table,
            ((parts, 3),) * 2,
            weight,
        )
    with pytest.raises(ValueError, match="not filled up"):
        odd = network.first._replace(rows=network.first.rows[:-1], bounds=network.first.bounds[:, :-1].copy())
        judge(network._replace(first=odd._replace(weights=odd.weights.reshape(-1)[:-8].copy())), table, (), weight)
    with pytest.raises(ValueError, match="do not fit each other"):
        judge(network, table, ((parts, 3),), weight)
    with pytest.raises(ValueError, match="do not fit"):
        pool(np.ones((3, 2), dtype=np.float32), np.ones(2), np.zeros(2, dtype=np.int32), 1)


def test_units_are_filled_up() -> None:
    assert [padded(count) for count in (0, 1, 8, 9)] == [0, 8, 8, 16]
    weights = np.arange(18, dtype=np.float32).reshape(2, 9)
    groups = grouped(weights)
    assert groups.shape == (2, 2, 8)
    assert groups[0].tolist() == [list(range(8)), list(range(9, 17))]
    assert groups[1, :, 0].tolist() == [8, 17]
    assert not groups[1, :, 1:].any()


def test_tables_of_two_sizes_make_pairs() -> None:
    pairs = paired(np.array([1, 2], dtype=np.int8), np.array([3, 4, 5, 6], dtype=np.int8))
    assert pairs.tolist() == [[1, 3], [2, 4], [1, 5], [2, 6]]


def test_confidence_is_read_off_the_curve() -> None:
    model: DefaultModel = load_default("pages")
    for given in np.linspace(-0.1, 1.1, 500).tolist():
        assert calibrated(model, given) == float(np.interp(given, model.expected, model.actual))


def test_a_block_outside_of_the_page_raises() -> None:
    raw = read(page_of("<p>one two</p><p>three</p>"))
    assert len(context(raw).words) == 2
    rows, at = raw.blocks.rows, raw.blocks.at
    for odd in (Blocks(at, rows + 100), Blocks(at, rows * 0), Blocks(at + 5, rows), Blocks(at[::-1].copy(), rows)):
        with pytest.raises(IndexError):
            context(replace(raw, blocks=odd))
    with pytest.raises(IndexError):
        context(replace(raw, word_at=raw.word_at + 9))
    with pytest.raises(IndexError):
        context(replace(raw, boxes=raw.boxes - 100))


def test_probabilities_are_between_none_and_one() -> None:
    model = load_default("pages")
    shared = context(read(page_of("<h1>A title</h1><p>one two three, four.</p>" * 5)))
    found = probabilities(model, feature_table(shared.raw, scorer_of(model))[1], shared)
    assert found.shape == (10,)
    assert ((found > 0) & (found < 1)).all()
