"""Jobs on this machine: the same bytes however they are run, nothing written over by accident."""

from __future__ import annotations

import gzip
import json
import os
import pty
import re
import subprocess
from contextlib import suppress
from pathlib import Path

import pyarrow.parquet as pq  # type: ignore[import-untyped]
import pytest
import zstandard

from duramen.errors import DuramenError, OptionError
from duramen.jobs.inputs import find_inputs
from duramen.jobs.journal import Journal
from duramen.jobs.local import Job, run_job
from duramen.jobs.parts import Form, form_of
from duramen.jobs.schema import schema
from duramen.jobs.settings import Settings
from duramen.jobs.shards import Cut, records
from duramen.jobs.work import run
from duramen.pool import Budget
from tests.cli.run import duramen
from tests.jobs.archives import lines, page, response, warc
from tests.jobs.runs import command
from tests.web import Answer, serve

CUT = Cut(part_bytes=3000)
# More than a small budget of memory allows, and no page of these tests needs a tenth of it.
HUGE = b"<div><p>word, and <b>another</b> word.</p>" * 100_000


@pytest.fixture
def inputs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[str, ...]:
    """One of each kind."""
    monkeypatch.chdir(tmp_path)
    warc(Path("a.warc.gz"), 8)
    warc(Path("b.warc"), 4)
    Path("c.jsonl").write_bytes(lines(5))
    Path("d.jsonl.zst").write_bytes(zstandard.ZstdCompressor().compress(lines(3)))
    Path("pages").mkdir()
    for number in range(3):
        Path(f"pages/{number}.html").write_text(page(number))
    Path("pages/empty.html").write_text("")
    return ("a.warc.gz", "b.warc", "c.jsonl", "d.jsonl.zst", "pages")


def job(inputs: tuple[str, ...], output: str, **settings: object) -> Job:
    form = form_of(output) or Form.PARQUET
    return Job(inputs, Path(output), form, Settings(**settings), CUT)  # type: ignore[arg-type]


def rows_of(path: str) -> list[dict[str, object]]:
    return [json.loads(line) for line in Path(path).read_text(encoding="utf-8").splitlines()]


def test_rows_are_those_of_the_pure_function(inputs: tuple[str, ...]) -> None:
    summary = run_job(job(inputs, "out.jsonl"), workers=2)
    assert rows_of("out.jsonl") == list(run(records(find_inputs(inputs), CUT), Settings()))
    assert (summary.rows, summary.empty, summary.failed, summary.damaged) == (24, 1, 0, 0)


@pytest.mark.parametrize("form", [Form.PARQUET, Form.LINES_GZIP, Form.LINES_ZSTD])
def test_the_bytes_do_not_depend_on_the_number_of_workers(inputs: tuple[str, ...], form: Form) -> None:
    for workers in (1, 3):
        run_job(job(inputs, f"{workers}.{form.value}"), workers=workers)
    assert Path(f"1.{form.value}").read_bytes() == Path(f"3.{form.value}").read_bytes()


def test_every_form_holds_the_same_rows(inputs: tuple[str, ...]) -> None:
    formats = ("text", "markdown", "html")
    for form in Form:
        run_job(job(inputs, f"out.{form.value}", formats=formats), workers=1)
    wanted = rows_of("out.jsonl")
    plain = Path("out.jsonl").read_bytes()
    assert gzip.decompress(Path("out.jsonl.gz").read_bytes()) == plain
    frames = zstandard.ZstdDecompressor().stream_reader(Path("out.jsonl.zst").read_bytes(), read_across_frames=True)
    assert frames.read() == plain
    table = pq.read_table("out.parquet")
    assert table.schema.equals(schema(Settings(formats=formats)))
    assert table.to_pylist() == wanted


def test_a_folder_holds_parts(inputs: tuple[str, ...]) -> None:
    summary = run_job(job(inputs, "out"), workers=2)
    parts = sorted(Path("out").glob("part-*.parquet"))
    assert len(parts) == summary.parts > 5
    run_job(job(inputs, "out.parquet"), workers=1)
    assert [row for part in parts for row in pq.read_table(part).to_pylist()] == pq.read_table(
        "out.parquet"
    ).to_pylist()
    assert run_job(job(inputs, "out"), workers=1).unchanged
    parts[2].unlink()
    again = run_job(job(inputs, "out"), workers=1)
    assert again.resumed == summary.parts - 1
    assert sorted(Path("out").glob("part-*.parquet")) == parts


def test_pages_that_break_their_budget_are_rows_with_a_reason(inputs: tuple[str, ...]) -> None:
    Path("e.warc").write_bytes(response(1) + response(2, HUGE) + response(3))
    settings = Settings(budget=Budget(60, 24 << 20))
    run_job(Job(("e.warc",), Path("out.jsonl"), Form.LINES, settings), workers=1)
    assert [(row["status"], row["reason"]) for row in rows_of("out.jsonl")] == [
        ("ok", None),
        ("failed", "memory"),
        ("ok", None),
    ]


def test_done_is_done(inputs: tuple[str, ...]) -> None:
    first = run_job(job(inputs, "out.jsonl"), workers=1)
    stamp = Path("out.jsonl").stat()
    again = run_job(job(inputs, "out.jsonl"), workers=1)
    assert again.unchanged
    assert again.rows == first.rows
    assert Path("out.jsonl").stat().st_mtime_ns == stamp.st_mtime_ns


def test_changed_inputs_are_done_again(inputs: tuple[str, ...]) -> None:
    run_job(job(inputs, "out.jsonl"), workers=1)
    warc(Path("a.warc.gz"), 9)
    assert run_job(job(inputs, "out.jsonl"), workers=1).rows == 25
    assert len(rows_of("out.jsonl")) == 25
    Path("pages/0.html").write_text("")
    assert run_job(job(inputs, "out.jsonl"), workers=1).empty == 2


def test_other_options_are_another_job(inputs: tuple[str, ...]) -> None:
    run_job(job(inputs, "out.jsonl"), workers=1)
    with pytest.raises(OptionError, match="other options"):
        run_job(job(inputs, "out.jsonl", links=False), workers=1)
    run_job(job(inputs, "out.jsonl", links=False), workers=1, overwrite=True)
    assert rows_of("out.jsonl")[0]["options"] == '{"links": false}'


def test_nothing_is_written_over(inputs: tuple[str, ...]) -> None:
    Path("out.jsonl").write_text("mine")
    with pytest.raises(OptionError, match="exists"):
        run_job(job(inputs, "out.jsonl"), workers=1)
    assert Path("out.jsonl").read_text() == "mine"


def test_two_runs_do_not_share_an_output(inputs: tuple[str, ...], tmp_path: Path) -> None:
    one = job(inputs, "out.jsonl")
    journal = Journal(Path("out.jsonl.journal"), Path("out.jsonl.parts"), "jsonl", one.described())
    try:
        with pytest.raises(DuramenError, match="another run"):
            run_job(one)
    finally:
        journal.close()
    assert run_job(one, workers=1).rows == 24


def test_an_output_among_its_inputs_is_not_read(inputs: tuple[str, ...]) -> None:
    for output in ("pages/out.jsonl", "pages/parts"):
        for overwrite in (False, True):
            assert run_job(job(("pages",), output), workers=1, overwrite=overwrite).rows == 4
        Path("pages/out.jsonl").unlink(missing_ok=True)  # the other job may read it


def test_timings_are_asked_for(inputs: tuple[str, ...]) -> None:
    run_job(job(("c.jsonl",), "out.jsonl", timings=True), workers=1)
    assert all(isinstance(row["seconds"], float) for row in rows_of("out.jsonl"))


def test_addresses_are_fetched(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with serve({f"/{number}": Answer(page(number).encode()) for number in range(20)}) as site:
        Path("list.txt").write_text("\n".join(site.url(f"/{number}") for number in [*range(20), 99]))
        done = duramen("batch", "list.txt", "-o", "out.jsonl", "--allow-private", "--workers", "1")
    assert (done.code, done.err) == (0, "duramen: 21 pages: 1 failed, 0 without content\n")
    found = rows_of("out.jsonl")
    assert [row["title"] for row in found[:20]] == [f"Story {number}" for number in range(20)]
    assert found[20]["reason"] == "unreachable"
    assert "404" in str(found[20]["detail"])


def test_the_command(inputs: tuple[str, ...]) -> None:
    arguments = ["batch", *inputs, "-o", "out.jsonl", "--formats", "markdown,text", "-a", "everything", "-w", "1"]
    assert duramen(*arguments).err == "duramen: 24 pages: 0 failed, 1 without content\n"
    first = rows_of("out.jsonl")[0]
    assert first["algorithm"] == "everything"
    assert str(first["markdown"]).startswith("- [harbour]")
    assert duramen(*arguments).err == "duramen: nothing to do: 24 pages were done before\n"
    assert duramen(*arguments, "--overwrite", "--quiet").err == ""


def test_someone_who_watches_sees_pages_a_second(inputs: tuple[str, ...]) -> None:
    here, there = pty.openpty()
    run = subprocess.Popen(
        command(*inputs, "-o", "out.jsonl", "-w", "1"), stderr=there, env={**os.environ, "TERM": "xterm"}
    )
    os.close(there)
    shown = b""
    with suppress(OSError):  # how a terminal says that there is no one left on the other side
        while piece := os.read(here, 1 << 16):
            shown += piece
    os.close(here)
    assert run.wait() == 0
    assert re.search(rb"\d+ pages, [\d,]+/s", shown)
    assert b"duramen: 24 pages: 0 failed, 1 without content" in shown


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["none.warc", "-o", "x.jsonl"], 1, "no such file"),
        (["a.warc.gz", "-o", "x.jsonl", "--formats", "pdf"], 2, "unknown format"),
        (["a.warc.gz", "-o", "x.jsonl", "-a", "cted"], 2, "unknown algorithm"),
        (["a.warc.gz", "-o", "x", "--part-form", "xml"], 2, "--part-form is one of"),
    ],
)
def test_mistakes_are_told_in_a_line(inputs: tuple[str, ...], arguments: list[str], code: int, message: str) -> None:
    done = duramen("batch", *arguments)
    assert done.code == code
    assert message in done.err
    assert done.err.count("\n") == 1
    assert not list(Path().glob("x*"))  # nothing was begun
