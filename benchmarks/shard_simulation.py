"""Simulates a whole crawl on a cluster: 90,000 shards with stragglers, lost nodes, retries and speculative copies.

    python -m benchmarks.shard_simulation --pages-per-second 500

Each shard is one WARC file. What an attempt at one takes is its size (log-normal) × its node (log-normal) × luck
(log-normal, and now and then many times slower: a bad disk, a throttled connection) + a start-up time. Nodes die at
random (exponential) and come back after a while; what ran on them is tried again. An attempt may also fail by itself,
and a few shards fail every time, until their retries are used up. When the queue is empty, idle workers start a second
copy of an attempt that has run for much longer than the median one; the first to finish counts.

Everything is drawn from seeded generators, and what happens to an attempt depends on its shard and its number only:
scenarios differ by their policy, not by luck, and two runs print the same table.
"""

from __future__ import annotations

import argparse
import heapq
import sys
from collections import deque
from dataclasses import dataclass, replace
from enum import IntEnum

import numpy as np
from numpy.typing import NDArray

SLOW_COPIES_AFTER = 1.5  # × the median attempt: when a second copy is worth its cost
MEDIAN_OF = 1001  # attempts that the running median is taken from: the first ones


@dataclass(frozen=True, slots=True)
class Scenario:
    """A cluster, its faults and its policy."""

    name: str
    shards: int = 90_000
    pages: int = 28_000  # of a shard
    pages_per_second: float = 500.0  # of one core
    nodes: int = 64
    cores: int = 16
    size_spread: float = 0.25  # σ of ln(shard size): pages and bytes of WARC files
    node_spread: float = 0.10  # σ of ln(node speed): neighbours, clocks
    luck_spread: float = 0.10  # σ of ln(time of an attempt)
    slow_share: float = 0.01  # attempts that are slow for a reason of their own …
    slow_times: float = 5.0  # … and by how much: the median of a log-normal, σ 0.6
    startup: float = 5.0  # seconds: open the file, list the parts, write the done-marker
    node_hours: float = 0.0  # mean hours between failures of one node; 0: never
    repair: float = 300.0  # seconds until a lost node is replaced
    failing: float = 0.0  # attempts that fail at a random point
    poisoned: float = 0.0  # shards that fail at every attempt
    retries: int = 3  # after failures of an attempt by itself; a lost node does not count
    copies: bool = False  # speculative execution
    largest_first: bool = False  # by the file's size, which is known beforehand
    ranges: int = 1  # byte ranges that a WARC file is cut into, each a shard
    seed: int = 1


@dataclass(slots=True)
class Outcome:
    """What a scenario came to."""

    hours: float = 0.0
    tail: float = 0.0  # hours from the empty queue to the end
    busy: float = 0.0  # core hours in attempts
    wasted: float = 0.0  # … of those that were lost, failed or second
    attempts: int = 0
    lost_nodes: int = 0
    copies: int = 0
    given_up: int = 0
    paid: float = 0.0  # core hours of the whole cluster up to the end


class Kind(IntEnum):
    DONE = 0
    FAILED = 1
    NODE_LOST = 2
    NODE_BACK = 3
    LOOK = 4  # for attempts that deserve a copy


@dataclass(slots=True)
class Attempt:
    shard: int
    node: int
    start: float
    live: bool = True
    copied: bool = False


class Cluster:
    """One run of a scenario."""

    def __init__(self, scenario: Scenario) -> None:
        self.scenario = scenario
        s = scenario
        rng = np.random.default_rng(s.seed)
        pieces = s.shards * s.ranges
        size = rng.lognormal(-(s.size_spread**2) / 2, s.size_spread, s.shards)  # mean 1, so that pages add up
        self.size = np.repeat(size, s.ranges) / s.ranges
        self.speed = rng.lognormal(0.0, s.node_spread, s.nodes)
        self.poisoned = rng.random(pieces) < s.poisoned
        self.mean = s.pages / s.pages_per_second
        order = np.argsort(-self.size, kind="stable") if s.largest_first else np.arange(pieces)
        self.queue = deque(order.tolist())
        self.losses = np.random.default_rng((s.seed, 2))
        self.events: list[tuple[float, int, Kind, int]] = []
        self.number = 0
        self.attempts: list[Attempt] = []
        self.running: list[set[int]] = [set() for _ in range(s.nodes)]
        self.up = [True] * s.nodes
        self.free = deque(node for _ in range(s.cores) for node in range(s.nodes))
        self.of_shard: dict[int, list[int]] = {}
        self.tried = np.zeros(pieces, dtype=np.int64)
        self.failures = np.zeros(pieces, dtype=np.int64)
        self.fates: list[tuple[NDArray[np.float64], NDArray[np.bool_], NDArray[np.float64]]] = []
        self.left = pieces
        self.oldest: deque[int] = deque()
        self.took: list[float] = []
        self.emptied = 0.0
        self.outcome = Outcome()

    def run(self) -> Outcome:
        s, now = self.scenario, 0.0
        if s.node_hours:
            for node in range(s.nodes):
                self.push(self.losses.exponential(s.node_hours * 3600), Kind.NODE_LOST, node)
        self.fill(now)
        while self.left:
            now, _, kind, which = heapq.heappop(self.events)
            if kind in (Kind.DONE, Kind.FAILED):
                if self.attempts[which].live:
                    self.ended(now, which, kind)
            elif kind is Kind.NODE_LOST:
                self.node_lost(now, which)
            elif kind is Kind.NODE_BACK:
                self.up[which] = True
                self.free.extend([which] * s.cores)
                self.push(now + self.losses.exponential(s.node_hours * 3600), Kind.NODE_LOST, which)
            self.fill(now)
        result = self.outcome
        result.hours, result.tail = now / 3600, (now - self.emptied) / 3600
        result.busy, result.wasted = result.busy / 3600, result.wasted / 3600
        result.paid = result.hours * s.nodes * s.cores
        return result

    def push(self, when: float, kind: Kind, which: int) -> None:
        self.number += 1
        heapq.heappush(self.events, (when, self.number, kind, which))

    def fill(self, now: float) -> None:
        """Give every free worker something to do."""
        while self.free:
            node = self.free.popleft()
            if not self.up[node]:
                continue  # its workers come back with it
            if self.queue:
                self.start(now, self.queue.popleft(), node)
                if not self.queue:
                    self.emptied = now
            elif not (self.scenario.copies and self.copy(now, node)):
                self.free.append(node)
                return

    def start(self, now: float, shard: int, node: int) -> None:
        s, number = self.scenario, len(self.attempts)
        times, fails, until = (float(each[shard]) for each in self.fate(int(self.tried[shard])))
        self.tried[shard] += 1
        took = self.mean * self.size[shard] * self.speed[node] * times + s.startup
        self.attempts.append(Attempt(shard, node, now))
        self.running[node].add(number)
        self.of_shard.setdefault(shard, []).append(number)
        self.oldest.append(number)
        self.outcome.attempts += 1
        self.push(now + took * (until if fails else 1.0), Kind.FAILED if fails else Kind.DONE, number)

    def fate(self, attempt: int) -> tuple[NDArray[np.float64], NDArray[np.bool_], NDArray[np.float64]]:
        """For the n-th attempt at each shard: how many times as long it takes, if it fails, and after which part."""
        s, pieces = self.scenario, len(self.size)
        while len(self.fates) <= attempt:
            draw = np.random.default_rng((s.seed, 1, len(self.fates)))
            times = draw.lognormal(0.0, s.luck_spread, pieces)
            slower = np.maximum(1.0, draw.lognormal(np.log(s.slow_times), 0.6, pieces))
            times *= np.where(draw.random(pieces) < s.slow_share, slower, 1.0)
            self.fates.append((times, self.poisoned | (draw.random(pieces) < s.failing), draw.random(pieces)))
        return self.fates[attempt]

    def stop(self, now: float, number: int, wasted: bool, free: bool = True) -> None:
        attempt = self.attempts[number]
        attempt.live = False
        self.running[attempt.node].discard(number)
        self.of_shard[attempt.shard].remove(number)
        self.outcome.busy += now - attempt.start
        if wasted:
            self.outcome.wasted += now - attempt.start
        if free:
            self.free.append(attempt.node)

    def ended(self, now: float, number: int, kind: Kind) -> None:
        shard = self.attempts[number].shard
        self.stop(now, number, wasted=kind is Kind.FAILED)
        if kind is Kind.DONE:
            if len(self.took) < MEDIAN_OF:
                self.took.append(now - self.attempts[number].start)
            for other in list(self.of_shard[shard]):
                self.stop(now, other, wasted=True)
            self.left -= 1
            return
        self.failures[shard] += 1
        if self.of_shard[shard]:
            return  # its copy still runs
        if self.failures[shard] > self.scenario.retries:
            self.outcome.given_up += 1
            self.left -= 1
        else:
            self.queue.append(shard)

    def node_lost(self, now: float, node: int) -> None:
        self.up[node] = False
        self.outcome.lost_nodes += 1
        for number in sorted(self.running[node]):
            shard = self.attempts[number].shard
            self.stop(now, number, wasted=True, free=False)
            if not self.of_shard[shard]:
                self.queue.appendleft(shard)
        self.free = deque(each for each in self.free if each != node)
        self.push(now + self.scenario.repair, Kind.NODE_BACK, node)

    def copy(self, now: float, node: int) -> bool:
        """Start a copy of the attempt that has run longest, if it has run long enough; else look again then."""
        while self.oldest:
            attempt = self.attempts[self.oldest[0]]
            if not attempt.live or attempt.copied:
                self.oldest.popleft()
                continue
            due = attempt.start + SLOW_COPIES_AFTER * (float(np.median(self.took)) if self.took else np.inf)
            if now < due:
                if np.isfinite(due):
                    self.push(due, Kind.LOOK, 0)
                return False
            attempt.copied = True
            self.outcome.copies += 1
            self.start(now, attempt.shard, node)
            self.attempts[-1].copied = True
            return True
        return False


def scenarios(base: Scenario) -> list[Scenario]:
    """From an ideal cluster to one of short-lived nodes, one thing at a time."""
    even = replace(base, size_spread=0.0, node_spread=0.0, luck_spread=0.0, slow_share=0.0)
    faulty = replace(base, failing=0.005, poisoned=0.0001)
    stable = replace(faulty, node_hours=1_000.0)
    spot = replace(faulty, node_hours=24.0)
    return [
        replace(even, name="all shards alike, no faults"),
        replace(base, name="stragglers"),
        replace(base, name="stragglers, copies", copies=True),
        replace(stable, name="… and faults: a node fails every 1,000 h"),
        replace(stable, name="… with copies", copies=True),
        replace(stable, name="… copies, largest first", copies=True, largest_first=True),
        replace(spot, name="spot nodes: one is lost every 24 h", copies=True, largest_first=True),
        replace(spot, name="… 4 byte ranges a file", copies=True, largest_first=True, ranges=4),
        replace(spot, name="… no byte ranges, no retries", copies=True, largest_first=True, retries=0),
    ]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--shards", type=int, default=90_000)
    parser.add_argument("--pages", type=int, default=28_000, help="pages of a shard")
    parser.add_argument("--pages-per-second", type=float, default=500.0, help="of one core")
    parser.add_argument("--nodes", type=int, default=64)
    parser.add_argument("--cores", type=int, default=16, help="of a node")
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    base = Scenario("", **vars(arguments))
    out = sys.stdout.write
    ideal = base.shards * base.pages / base.pages_per_second / 3600
    out(f"{base.shards:,} shards, {ideal:,.0f} core hours of work, {base.nodes} nodes × {base.cores} cores\n\n")
    heads = "scenario,hours,tail h,core h paid,of these idle,wasted,attempts,nodes lost,copies,given up".split(",")
    out(f"| {' | '.join(heads)} |\n|{'---|' * len(heads)}\n")
    for scenario in scenarios(base):
        r = Cluster(scenario).run()
        out(
            f"| {scenario.name} | {r.hours:.2f} | {r.tail:.2f} | {r.paid:,.0f} | {1 - r.busy / r.paid:.1%} "
            f"| {r.wasted / r.busy:.1%} | {r.attempts:,} | {r.lost_nodes} | {r.copies} | {r.given_up} |\n"
        )


if __name__ == "__main__":
    main()
