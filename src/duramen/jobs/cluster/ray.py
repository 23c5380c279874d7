"""A job on a Ray cluster: units as the rows of a Ray Data set, one task each, parts and markers on a shared place.

Ray runs tasks again that were lost with their node. A task that raises (a connection that broke, a disk that was full)
is tried again in the next round, and what is done stays done, so a job can be stopped and started at any time.
"""

from __future__ import annotations

import json
import logging
import os
import pickle
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from duramen.bench.extras import need
from duramen.errors import DuramenError, OptionError
from duramen.jobs.cluster.checkpoints import Checkpoints
from duramen.jobs.cluster.perform import Done, joined, perform
from duramen.jobs.cluster.places import Place, beside, find, shown
from duramen.jobs.cluster.units import UNIT_BYTES, Unit, units
from duramen.jobs.dedup import Dedup, Seen, join_marked
from duramen.jobs.local import Job, Summary
from duramen.jobs.parts import Form, check_form, form_of
from duramen.jobs.settings import Settings
from duramen.jobs.shards import Cut
from duramen.version import VERSION

RETRIES = 3
Watch = Callable[[Summary], None]


def run_job(
    job: Job,
    *,
    workers: int | None = None,
    overwrite: bool = False,
    watch: Watch = lambda _: None,
    address: str | None = None,
) -> Summary:
    """A job as the command line states it; see `run_archives`."""
    return run_archives(
        job.inputs,
        _output(job.output),
        form=job.form,
        settings=job.settings,
        cut=job.cut,
        dedup=getattr(job, "dedup", None),
        workers=workers,
        overwrite=overwrite,
        watch=watch,
        address=address,
    )


def run_archives(
    inputs: Sequence[str],
    output: str,
    *,
    form: Form | None = None,
    settings: Settings | None = None,
    cut: Cut | None = None,
    dedup: Dedup | None = None,
    workers: int | None = None,
    overwrite: bool = False,
    watch: Watch = lambda _: None,
    address: str | None = None,
    retries: int = RETRIES,
    unit_bytes: int = UNIT_BYTES,
) -> Summary:
    """Do what of a job is not done yet on a Ray cluster.

    `inputs` and `output` are paths that all nodes see, or addresses (`s3://…`). An output whose name says its form is
    one file, with the same bytes as the local engine's; any other is a folder that gets one part a unit. `dedup` marks
    duplicates while the one file is put together. `workers` are the cores of a unit's task (one is best where there
    are more units than cores). `address` is that of the cluster; by default the one that this process is connected to,
    or `RAY_ADDRESS`, or a new one on this machine.
    """
    settings, cut = settings or Settings(), cut or Cut()
    named = form_of(shown(output))
    chosen = form or named
    if chosen is None:
        raise OptionError(f"{shown(output)} does not say its form: end its name in .jsonl or .parquet, or state one")
    if dedup is not None and named is None:
        raise OptionError(f"duplicates are marked when parts become one file, and {shown(output)} is a folder")
    check_form(chosen)
    settings.configured()  # raises now rather than in every task
    points = Checkpoints(output if named is None else beside(output, ".parts"), chosen)
    if overwrite:
        Place.of(points.folder).remove()
        Place.of(output).remove()
    finished = Place.of(output)
    if named is not None and finished.size() is not None and Place.of(points.folder).names() == {}:
        raise OptionError(f"{shown(output)} exists: choose another output, or write over it with --overwrite")
    todo = units(find(inputs), cut, unit_bytes)
    points.begin(_described(settings, cut, chosen, unit_bytes))
    done, resumed = _run(todo, Task(points, cut, settings, workers or 1), watch, address, retries)
    if named is not None:
        with finished.written() as file:
            if dedup is None:
                points.join(len(todo), file, settings)
            else:
                join_marked(points.opened(len(todo)), file, chosen, Seen(dedup))
        Place.of(points.folder).remove()
    return summed(done.values(), resumed)


@dataclass(frozen=True, slots=True)
class Task:
    """What is the same for all units of a job."""

    points: Checkpoints
    cut: Cut
    settings: Settings
    workers: int

    def do(self, unit: Unit) -> Done:
        """What is to be done of a unit is done, and noted where every node sees it."""
        done = None if unit.exact else self.points.done(unit.number, unit.identity())
        if done is not None:
            return done
        pieces, done = perform(unit, self.cut, self.settings, self.points.form, workers=self.workers)
        return self.points.commit(unit.number, joined(pieces, self.settings, self.points.form), done)


def _run(
    todo: Sequence[Unit], task: Task, watch: Watch, address: str | None, retries: int
) -> tuple[dict[int, Done], int]:
    """All units done, in as many rounds as it takes; and how many were done before."""
    done = task.points.all_done(unit.identity() for unit in todo)
    resumed = len(done)
    waiting = [unit for unit in todo if unit.number not in done]
    rounds = 0
    while waiting:
        summary = summed(done.values(), resumed)
        watch(summary)
        problems: dict[int, str] = {}
        with _connection(address):
            for number, outcome in _results(waiting, task):
                if isinstance(outcome, Done):
                    done[number] = outcome
                    count(summary, outcome)
                    watch(summary)
                else:
                    problems[number] = outcome
        failed = [unit for unit in waiting if unit.number not in done]
        rounds = rounds + 1 if failed else 0
        if rounds > retries:
            where = shown(failed[0].inputs[0].name)
            why = problems.get(failed[0].number) or problems.get(-1) or "lost"
            raise DuramenError(
                f"{len(failed)} of {len(todo)} units failed {rounds} times, the first of {where}: {why}; "
                "what is done is kept, the same command goes on from there"
            )
        waiting = failed or _disagreeing(todo, done, task.points)
    return done, resumed


def _disagreeing(todo: Sequence[Unit], done: dict[int, Done], points: Checkpoints) -> list[Unit]:
    """The first range of each file that did not begin where the one before it ended, to be made again from there."""
    wrong: list[Unit] = []
    expected: int | None = None
    skip = False
    for unit in todo:
        if unit.first == 0:
            skip = False
        elif not skip and not done[unit.number].agrees(expected):
            wrong.append(replace(unit, expected=expected, exact=True))
            points.forget(unit.number)
            del done[unit.number]
            skip = True  # those behind it are judged when it is right
        if not skip:
            expected = done[unit.number].following(None if unit.first == 0 else expected)
    return wrong


def _results(waiting: Sequence[Unit], task: Task) -> Iterator[tuple[int, Done | str]]:
    """What comes of units, as it comes; where Ray itself gives up, the rest is left for the next round."""
    ray, data = need("ray", "ray"), need("ray.data", "ray")
    data.DataContext.get_current().enable_progress_bars = False
    logging.getLogger("ray.data").setLevel(logging.ERROR)  # `watch` says how far it is

    def do(row: dict[str, Any]) -> dict[str, Any]:
        unit: Unit = pickle.loads(row["unit"])
        try:
            return {"number": unit.number, "done": json.dumps(task.do(unit).described()), "problem": ""}
        except (OSError, DuramenError) as error:
            return {"number": unit.number, "done": "", "problem": f"{type(error).__name__}: {error}"[:300]}

    rows = [{"unit": pickle.dumps(unit)} for unit in waiting]
    tasks = data.from_items(rows, override_num_blocks=len(rows)).map(do, num_cpus=task.workers)
    try:
        for row in tasks.iter_rows():
            yield row["number"], Done(**json.loads(row["done"])) if row["done"] else row["problem"]
    except ray.exceptions.RayError as problem:
        yield -1, f"{type(problem).__name__}: {problem}"[:300]


@contextmanager
def _connection(address: str | None) -> Iterator[None]:
    """To the cluster that this process is in already, else to one for the time of the block."""
    ray = need("ray", "ray")
    if ray.is_initialized():
        yield
        return
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")  # a job reports to nobody but its user
    ray.init(address=address, include_dashboard=False, log_to_driver=False, logging_level=logging.ERROR)
    try:
        yield
    finally:
        ray.shutdown()


def count(summary: Summary, done: Done) -> None:
    """Add a unit to a summary."""
    summary.rows += done.rows
    summary.empty += done.empty
    summary.failed += done.failed
    summary.damaged += done.damaged
    summary.weight += done.weight
    summary.remade += done.remade
    summary.parts += 1


def summed(done: Iterable[Done], resumed: int) -> Summary:
    """How far a job is."""
    summary = Summary(resumed=resumed)
    for each in done:
        count(summary, each)
    return summary


def _output(path: Path) -> str:
    """An output as it was named: an address that became a path has lost a slash."""
    name = str(path)
    found = re.match(r"([a-z][a-z0-9+.-]+):/(?!/)", name)
    if found is None:
        return name
    return f"{found[1]}:{'///' if found[1] == 'file' else '//'}{name[found.end() :]}"


def _described(settings: Settings, cut: Cut, form: Form, unit_bytes: int) -> dict[str, Any]:
    """What must be the same when the job goes on."""
    plain = settings.described()
    facts = {"version": VERSION, "form": form.value, "settings": plain, "cut": asdict(cut), "unit_bytes": unit_bytes}
    described: dict[str, Any] = json.loads(json.dumps(facts, default=str))
    return described
