"""The Ray engine on a real cluster of two nodes (processes of this machine), one of which is killed half-way."""

from __future__ import annotations

import json
import os
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from duramen.errors import DuramenError, OptionError
from duramen.jobs.cluster.ray import run_archives, run_job
from duramen.jobs.dedup import NEAR
from duramen.jobs.local import Job, Summary
from duramen.jobs.local import run_job as run_locally
from duramen.jobs.parts import Form
from duramen.jobs.settings import Settings
from duramen.jobs.shards import Cut
from duramen.pool import Budget
from tests.jobs.cluster.archives import write_archives
from tests.jobs.cluster.store import running

# Ray and what it brings warn about themselves while they start, run and stop.
pytestmark = [
    pytest.mark.filterwarnings("ignore"),
    pytest.mark.xdist_group("ray"),
]

SETTINGS = Settings(algorithm="everything", budget=Budget(seconds=300))
CUT = Cut(part_bytes=2_000)
FILES, PAGES = 6, 5
STORE = 80 << 20


@pytest.fixture(scope="module")
def cluster() -> Iterator[Any]:
    os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
    ray: Any = pytest.importorskip("ray", reason="ray is not installed")
    cluster_utils: Any = pytest.importorskip("ray.cluster_utils")

    # For busy machines; Ray's workers are nicer than all others unless told not to be.
    patience = {"worker_register_timeout_seconds": 300, "health_check_timeout_ms": 60_000, "worker_niceness": 0}
    node = {"num_cpus": 1, "object_store_memory": STORE, "include_dashboard": False, "_system_config": patience}
    cluster = cluster_utils.Cluster(initialize_head=True, head_node_args=node)
    cluster.add_node(num_cpus=1, object_store_memory=STORE)
    ray.init(address=cluster.address, log_to_driver=False, logging_level="ERROR")
    cluster.wait_for_nodes()
    yield cluster
    ray.shutdown()
    cluster.shutdown()


@pytest.fixture(scope="module")
def archives(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("archives")
    write_archives(folder, FILES, PAGES)
    return folder


@pytest.fixture(scope="module")
def expected(archives: Path, tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """The local engine's output."""
    output = tmp_path_factory.mktemp("local") / "out.parquet"
    summary = run_locally(Job((str(archives),), output, Form.PARQUET, SETTINGS, CUT), workers=1)
    assert summary.rows == FILES * PAGES
    return output.read_bytes()


def test_a_node_is_killed_half_way(cluster: Any, archives: Path, expected: bytes, tmp_path: Path) -> None:
    ray: Any = pytest.importorskip("ray")
    output = tmp_path / "out.parquet"
    seen: list[int] = []
    killed: list[int] = []

    def kill() -> None:
        victim = next(node for node in cluster.worker_nodes)
        cluster.remove_node(victim, allow_graceful=False)
        killed.append(len(seen))

    killer = threading.Thread(target=kill)

    def watch(summary: Summary) -> None:
        seen.append(summary.parts)
        if summary.parts >= 2 and killer.ident is None:
            killer.start()

    summary = run_archives([str(archives)], str(output), settings=SETTINGS, cut=CUT, watch=watch)
    killer.join()
    assert killed
    until = time.monotonic() + 30  # the cluster notices a little later
    while sum(node["Alive"] for node in ray.nodes()) != 1 and time.monotonic() < until:
        time.sleep(0.1)
    assert sum(node["Alive"] for node in ray.nodes()) == 1
    assert output.read_bytes() == expected
    assert (summary.rows, summary.parts, summary.failed) == (FILES * PAGES, FILES, 0)
    assert seen[-1] == FILES
    assert [path.name for path in tmp_path.iterdir()] == ["out.parquet"]  # parts and markers are gone


def test_a_stopped_job_goes_on_where_it_stopped(cluster: Any, archives: Path, expected: bytes, tmp_path: Path) -> None:
    """Stopped by its own watcher after some parts; parts that are done are not made again."""
    output = tmp_path / "out.parquet"
    parts = tmp_path / "out.parquet.parts"

    def stop(summary: Summary) -> None:
        if summary.parts == 3:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run_archives([str(archives)], str(output), settings=SETTINGS, cut=CUT, watch=stop)
    assert not output.exists()
    time.sleep(1)  # tasks that were under way may still end well
    done = {path.name: path.stat().st_mtime_ns for path in parts.glob("*.done")}
    assert 3 <= len(done) < FILES
    with pytest.raises(OptionError, match="other options"):
        run_archives([str(archives)], str(output), settings=Settings(algorithm="cetd"), cut=CUT)
    times: dict[str, int] = {}

    def look(summary: Summary) -> None:
        times.update({path.name: path.stat().st_mtime_ns for path in parts.glob("*.done")})

    summary = run_archives([str(archives)], str(output), settings=SETTINGS, cut=CUT, watch=look)
    assert summary.resumed >= 3
    assert {name: times[name] for name in done} == done
    assert output.read_bytes() == expected
    with pytest.raises(OptionError, match="exists"):
        run_archives([str(archives)], str(output), settings=SETTINGS, cut=CUT)


def test_a_store_and_a_folder_of_parts(cluster: Any, archives: Path, tmp_path: Path) -> None:
    """Inputs and output in an object store, whose reads fail now and then; the parts together are the local output."""
    paths = sorted(archives.glob("*.gz"))[:2]
    local = tmp_path / "local.jsonl"
    run_locally(Job(tuple(map(str, paths)), local, Form.LINES, SETTINGS, CUT), workers=1)
    with running() as store:
        store.objects.update({f"bucket/in/{path.name}": path.read_bytes() for path in paths})
        store.failures.append(f"bucket/in/{paths[1].name}")
        output = store.address("bucket/out")
        # As the command line has it: an address that has become a path.
        summary = run_job(Job((store.address("bucket/in"),), Path(output), Form.LINES, SETTINGS, CUT))
        parts = [data for name, data in sorted(store.objects.items()) if name.endswith(".jsonl")]
        again = run_archives([store.address("bucket/in")], output, form=Form.LINES, settings=SETTINGS, cut=CUT)
    assert (summary.rows, summary.parts) == (2 * PAGES, 2)
    assert b"".join(parts).decode() == local.read_text().replace(str(archives), "s3://bucket/in")
    assert (again.resumed, again.rows) == (2, summary.rows)
    with pytest.raises(OptionError, match="folder"):
        run_archives(["x"], str(tmp_path / "out"), form=Form.LINES, settings=SETTINGS, dedup=NEAR)


def test_duplicates_are_marked_when_parts_become_one_file(cluster: Any, archives: Path, tmp_path: Path) -> None:
    path = next(archives.glob("*.gz"))
    copy = tmp_path / "copy.warc.gz"
    copy.write_bytes(path.read_bytes())
    output = tmp_path / "out.jsonl"
    run_archives([str(path), str(copy)], str(output), settings=SETTINGS, cut=CUT, dedup=NEAR)
    rows = [json.loads(line) for line in output.read_text().splitlines()]
    assert [row["duplicate_of"] for row in rows[PAGES:]] == [f"{row['source']}#{row['offset']}" for row in rows[:PAGES]]


def test_a_unit_that_cannot_be_done_is_tried_again_and_then_named(cluster: Any, archives: Path, tmp_path: Path) -> None:
    """A part that cannot be written, since a folder has its name: the others are done all the same."""
    output = tmp_path / "out"
    (output / "part-000001.jsonl" / "in the way").mkdir(parents=True)
    inputs = [str(path) for path in sorted(archives.glob("*.gz"))[:2]]
    with pytest.raises(DuramenError, match=r"1 of 2 units failed 2 times.*01\.warc\.gz"):
        run_archives(inputs, str(output), form=Form.LINES, settings=SETTINGS, cut=CUT, retries=1)
    assert (output / "part-000000.done").exists()
    (output / "part-000001.jsonl" / "in the way").rmdir()
    (output / "part-000001.jsonl").rmdir()
    assert run_archives(inputs, str(output), form=Form.LINES, settings=SETTINGS, cut=CUT).resumed == 1


def test_an_output_says_its_form(tmp_path: Path) -> None:
    with pytest.raises(OptionError, match="form"):
        run_archives([str(tmp_path)], str(tmp_path / "out"))
