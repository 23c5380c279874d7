"""The first pass over archives: what each site repeats, learned from all of its pages."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Mapping

import numpy as np

from duramen.errors import DuramenError
from duramen.extract import parse
from duramen.jobs.inputs import Input
from duramen.jobs.read.edges import Edges
from duramen.jobs.record import Record
from duramen.jobs.shards import Cut, Shard, agrees, corrected, following, read_shard, shards
from duramen.jobs.templates.keys import KeyArray, block_keys
from duramen.jobs.templates.learn import LEARNING, Learning
from duramen.jobs.templates.sites import SiteLearner, SiteTemplates
from duramen.pool import Budget, Failure, Outcome, Pool

AHEAD = 3  # shards a worker that are read and done in advance
Payload = tuple[Shard, Cut, int]
Keys = list[tuple[str | None, bytes]]  # address and block keys of each page


def shard_keys(payload: Payload, begin: Callable[[int], None], blamed: Mapping[int, Failure]) -> tuple[Keys, Edges]:
    """The worker's side: the block keys of a shard's pages."""
    shard, cut, most = payload
    edges = Edges()
    found: Keys = []
    pages = enumerate(read_shard(shard, cut, edges))
    number = -1
    while True:
        begin(number + 1)
        number, record = next(pages, (-1, None))
        if record is None:
            return found, edges
        if number not in blamed and (keys := _keys(record, most)) is not None:
            found.append((record.url, keys.tobytes()))


def learn_inputs(
    inputs: Iterable[Input],
    cut: Cut,
    *,
    learning: Learning = LEARNING,
    workers: int | None = None,
    budget: Budget | None = None,
) -> SiteTemplates:
    """What the sites of all pages repeat. Pages that cannot be read or parsed within their budget do not count."""
    learner = SiteLearner(learning)
    waiting: deque[Shard] = deque()
    expected: int | None = None

    def payloads() -> Iterable[Payload]:
        for shard in shards(inputs, cut):
            waiting.append(shard)
            yield shard, cut, learning.most_blocks

    with Pool.marked(shard_keys, workers=workers, budget=budget or Budget()) as pool:
        for outcome in pool.map(payloads(), ahead=pool.workers * AHEAD):
            shard = waiting.popleft()
            keys, edges = _of(outcome)
            if shard.is_range():
                if not agrees(shard, edges, expected):
                    exact = corrected(shard, expected)
                    keys, edges = [], Edges(known=False)
                    if exact is not None:
                        keys, edges = _of(pool.submit((exact, cut, learning.most_blocks)).result())
                expected = following(shard, edges, expected)
            for url, packed in keys:
                learner.add(url, np.frombuffer(packed, dtype=np.uint64))
    return learner.templates()


def _of(outcome: Outcome[tuple[Keys, Edges]]) -> tuple[Keys, Edges]:
    return outcome.value if outcome.value is not None else ([], Edges(known=False))


def _keys(record: Record, most: int) -> KeyArray | None:
    """The block keys of a page; None where there is none."""
    if record.problem is not None:
        return None
    try:
        return block_keys(parse(record.body, charset=record.charset))[:most]
    except (DuramenError, MemoryError):
        return None
