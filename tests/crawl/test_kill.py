"""Killed at any moment and started again, a crawl loses nothing and fetches no finished page twice."""

from __future__ import annotations

import json
import random
import signal
import subprocess
import time
from collections import Counter
from pathlib import Path

from tests.crawl.sites import command, crawl, fetched, html, news, results, write_list
from tests.web import serve

PAGES = 60
KILLS = 4


def finished(folder: Path) -> set[str]:
    """The paths of pages whose lines are whole."""
    path = folder / "out" / "results.jsonl"
    lines = path.read_bytes().splitlines(keepends=True) if path.exists() else []
    return {"/" + json.loads(line)["url"].split("/", 3)[3] for line in lines if line.endswith(b"\n")}


def test_killed_again_and_again(tmp_path: Path) -> None:
    # Half of the pages are listed, the others only linked to: the queue has to be found again, too.
    pages = {f"/{at}": html(news(at, links=[f"/{(at + PAGES // 2) % PAGES}"]), "gbk") for at in range(PAGES)}
    pages["/"] = html(news(0))
    chance = random.Random(7)
    twice: list[str] = []
    with serve(pages) as site:
        write_list(tmp_path, [site.url(f"/{at}") for at in range(PAGES // 2)])
        # A pace that leaves something to do after every kill.
        run = command(
            tmp_path, "--follow-links", "--max-depth", "5", "--no-robots", "--rate", "20", "--concurrency", "8"
        )
        kills = 0
        while kills < KILLS:
            before, asked = finished(tmp_path), len(site.requests)
            process = subprocess.Popen(run, stderr=subprocess.PIPE)
            # Some time after the first page was asked for, or finished; not during the imports, which take longest.
            deadline = time.monotonic() + 60
            while process.poll() is None and time.monotonic() < deadline:
                if len(site.requests) > asked if kills % 2 else finished(tmp_path) > before:
                    break
                time.sleep(0.01)
            time.sleep(chance.uniform(0, 0.5))
            process.send_signal(signal.SIGKILL)
            _, said = process.communicate()
            assert process.returncode == -signal.SIGKILL, said.decode()
            twice += [path for path, _ in site.requests[asked:] if path in before]
            assert before <= finished(tmp_path)
            kills += 1
        before, asked = finished(tmp_path), len(site.requests)
        assert 0 < len(before) < PAGES
        with (tmp_path / "out" / "results.jsonl").open("ab") as torn:
            torn.write(b'{"url": "http://127.0.0.1')  # the one moment that no chance may find: in the middle of a line
        crawl(tmp_path, "--follow-links", "--max-depth", "5", "--no-robots")
        twice += [path for path, _ in site.requests[asked:] if path in before]
        assert twice == []
        assert set(fetched(site)) == set(pages) | {"/"}
    records = results(tmp_path)
    assert Counter(record["url"] for record in records).most_common(1)[0][1] == 1
    assert len(records) == PAGES + 1
    assert {record["status"] for record in records} == {"ok"}
    files = {path for path in (tmp_path / "out" / "news").rglob("*") if path.is_file()}
    assert files == {tmp_path / "out" / record["file"] for record in records}  # no halves, none missing
    assert all("　　本市" in path.read_bytes().decode("gbk") for path in files)


def test_ctrl_c_finishes_what_is_under_way(tmp_path: Path) -> None:
    pages = {f"/{at}": html(news(at)) for at in range(40)}
    with serve(pages) as site:
        write_list(tmp_path, [site.url(path) for path in pages])
        process = subprocess.Popen(command(tmp_path, "--no-robots", "--rate", "20"), stderr=subprocess.PIPE)
        while len(site.requests) < 5 and process.poll() is None:
            time.sleep(0.02)
        process.send_signal(signal.SIGINT)
        _, said = process.communicate(timeout=60)
        assert process.returncode == 130, said.decode()
        assert b"interrupted: run again to continue" in said
        assert len(results(tmp_path)) == len(site.requests) < 40
