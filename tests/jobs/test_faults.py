"""Whatever happens to a job in the middle, done again it gives the same bytes as without: real processes, real faults.

Points are random but seeded; DURAMEN_FAULTS=20 tries as many of each.
"""

from __future__ import annotations

import json
import os
import random
import resource
import signal
from pathlib import Path

import pytest

from tests.jobs.archives import members, warc
from tests.jobs.runs import batch, children, kill, start, wait_for_parts

PAGES = 40
SEEDS = range(int(os.environ.get("DURAMEN_FAULTS", "2")))
FORMS = ("jsonl", "parquet")


@pytest.fixture(scope="module")
def wanted(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """What an undisturbed run gives, in each form."""
    folder = tmp_path_factory.mktemp("undisturbed")
    archive = warc(folder / "pages.warc.gz", PAGES)
    found = {}
    for form in FORMS:
        run = batch(archive.name, "-o", f"out.{form}", "--workers", "1", cwd=folder)
        assert run.returncode == 0, run.stderr
        found[form] = (folder / f"out.{form}").read_bytes()
    assert found["jsonl"].count(b"\n") == PAGES
    return found


@pytest.fixture
def archive(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The same archive under the same name: it is part of each record."""
    monkeypatch.chdir(tmp_path)
    return warc(Path("pages.warc.gz"), PAGES)


@pytest.mark.parametrize("seed", SEEDS)
def test_workers_killed(archive: Path, wanted: dict[str, bytes], seed: int) -> None:
    chance = random.Random(seed)
    form = FORMS[seed % 2]
    output, journal = Path(f"out.{form}"), Path(f"out.{form}.journal")
    run = start(archive, "-o", output, "--workers", "2")
    killed = 0
    for parts in sorted(chance.sample(range(12), 3)):
        if wait_for_parts(run, journal, parts) and (workers := children(run.pid)):
            kill(chance.choice(workers))
            killed += 1
    assert run.wait(timeout=120) == 0
    assert killed
    assert output.read_bytes() == wanted[form]


@pytest.mark.parametrize(
    ("seed", "how"), [*((seed, signal.SIGKILL) for seed in SEEDS), (100, signal.SIGTERM), (101, signal.SIGINT)]
)
def test_the_parent_killed(archive: Path, wanted: dict[str, bytes], seed: int, how: signal.Signals) -> None:
    chance = random.Random(seed)
    form = FORMS[(seed + 1) % 2]
    output, journal = Path(f"out.{form}"), Path(f"out.{form}.journal")
    interrupted = 0
    for parts in sorted(chance.sample(range(1, 12), 2)):
        run = start(archive, "-o", output)
        if wait_for_parts(run, journal, parts):
            run.send_signal(how)
            interrupted += 1
        assert run.wait(timeout=60) != 0 or output.exists()
    done = batch(archive, "-o", output)
    assert done.returncode == 0, done.stderr
    assert interrupted
    assert "parts from before" in done.stderr or "nothing to do" in done.stderr
    assert output.read_bytes() == wanted[form]
    assert not Path(f"out.{form}.parts").exists()


def test_parts_left_behind_by_a_finished_run_are_removed(archive: Path, wanted: dict[str, bytes]) -> None:
    """As a kill right before the end of the run leaves them."""
    assert batch(archive, "-o", "out.jsonl").returncode == 0
    left = Path("out.jsonl.parts")
    left.mkdir()
    again = batch(archive, "-o", "out.jsonl")
    assert "nothing to do" in again.stderr
    assert not left.exists()
    assert Path("out.jsonl").read_bytes() == wanted["jsonl"]


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("form", FORMS)
def test_the_disk_full(archive: Path, wanted: dict[str, bytes], form: str, seed: int) -> None:
    """No file may grow beyond a limit: the write fails half-way, as it does on a full disk."""
    limit = random.Random(seed).randrange(1000, len(wanted[form]))
    full = batch(archive, "-o", f"out.{form}", before=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit)))
    assert full.returncode == 1
    assert "what is done is kept" in full.stderr
    assert not Path(f"out.{form}").exists()
    done = batch(archive, "-o", f"out.{form}")
    assert done.returncode == 0, done.stderr
    assert Path(f"out.{form}").read_bytes() == wanted[form]


@pytest.mark.parametrize("seed", SEEDS)
def test_a_truncated_archive(archive: Path, wanted: dict[str, bytes], seed: int) -> None:
    """As when it is read before it has arrived; when the rest is there the result is as it should be."""
    whole = archive.read_bytes()
    archive.write_bytes(whole[: random.Random(seed).randrange(100, len(whole) - 100)])
    cut = batch(archive, "-o", "out.jsonl")
    rows = Path("out.jsonl").read_bytes().splitlines(keepends=True)
    assert cut.returncode in (0, 1)  # 0: cut between two records
    kept = [row for row in rows if b'"reason": "damaged"' not in row]
    assert len(rows) - len(kept) <= 1
    assert wanted["jsonl"].startswith(b"".join(kept))
    archive.write_bytes(whole)
    assert batch(archive, "-o", "out.jsonl").returncode == 0
    assert Path("out.jsonl").read_bytes() == wanted["jsonl"]


@pytest.mark.parametrize("seed", SEEDS)
def test_a_damaged_member(archive: Path, wanted: dict[str, bytes], seed: int) -> None:
    chance = random.Random(seed)
    parts = members(PAGES)
    victim = chance.randrange(PAGES)
    broken = bytearray(parts[2 * victim + 1])
    middle = chance.randrange(40, len(broken) - 40)
    broken[middle : middle + 20] = chance.randbytes(20)
    parts[2 * victim + 1] = bytes(broken)
    whole = archive.read_bytes()
    archive.write_bytes(b"".join(parts))
    assert batch(archive, "-o", "out.jsonl").returncode == 1
    rows = Path("out.jsonl").read_bytes().splitlines(keepends=True)
    expected = wanted["jsonl"].splitlines(keepends=True)
    assert rows[:victim] + rows[victim + 1 :] == expected[:victim] + expected[victim + 1 :]
    damaged = json.loads(rows[victim])
    assert (damaged["status"], damaged["reason"]) == ("failed", "damaged")
    assert damaged["offset"] == json.loads(expected[victim])["offset"]
    archive.write_bytes(whole)
    assert batch(archive, "-o", "out.jsonl").returncode == 0
    assert Path("out.jsonl").read_bytes() == wanted["jsonl"]
