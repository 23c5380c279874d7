"""What can go wrong does: each fault is recorded with its URL and reason, and the crawl goes on."""

from __future__ import annotations

import gzip
import json
import resource
import socket
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from threading import Thread

import pytest

from tests.crawl.sites import PARAGRAPHS, by_path, command, crawl, fetched, html, news, results, write_list
from tests.web import Answer, serve


@dataclass
class Broken:
    """A server that hangs up on everyone."""

    port: int
    connections: int = 0


@contextmanager
def broken_host() -> Iterator[Broken]:
    with socket.create_server(("127.0.0.1", 0)) as server:
        broken = Broken(server.getsockname()[1])

        def hang_up() -> None:
            while True:
                try:
                    connection, _ = server.accept()
                except OSError:
                    return
                broken.connections += 1
                connection.close()

        Thread(target=hang_up, daemon=True).start()
        yield broken
        server.shutdown(socket.SHUT_RDWR)


def test_faults_of_network_and_servers(tmp_path: Path) -> None:
    bomb = gzip.compress(b"\0" * 50_000_000)
    sites = {
        "/good": html(news(0)),
        "/missing": Answer(b"no", 404),
        "/error": Answer(b"no", 500),
        "/picture": Answer(b"\x89PNG", content_type="image/png"),
        "/huge": Answer(b"<p>x</p>" * 800_000),
        "/bomb": Answer(bomb, headers={"Content-Encoding": "gzip"}),
        "/torn": Answer(gzip.compress(news(0).encode())[:-50], headers={"Content-Encoding": "gzip"}),
        "/strange": Answer(b"abc", headers={"Content-Encoding": "compress"}),
        "/drip": Answer(b"<p>slow</p>" * 100, drip=0.2),
        "/loop": Answer(b"", 302, {"Location": "/loop2"}),
        "/loop2": Answer(b"", 302, {"Location": "/loop"}),
        "/to-file": Answer(b"", 302, {"Location": "file:///etc/hostname"}),
        "/empty": Answer(b""),
        "/binary": Answer(b"\x89PNG\r\n\x1a\n" + bytes(500)),
        "/after": html(news(1)),
    }
    with serve(sites) as site, broken_host() as broken:
        listed = [site.url(path) for path in sites if path != "/loop2"]
        listed += [f"http://127.0.0.1:{broken.port}/page{at}" for at in range(6)]
        listed += ["http://no-such-host.invalid/x", "http://127.0.0.1:9/refused", "http://[::1", "http://2130706433/"]
        write_list(tmp_path, [*listed[:-1], listed[-1], site.url("/last")])
        site.answers["/last"] = html(news(2))
        options = ("--timeout", "2", "--max-host-failures", "3", "--retries", "1", "--no-robots")
        run = crawl(tmp_path, *options, "--host-concurrency", "1", code=1)
        requests = fetched(site)
    found = {record["url"]: record for record in results(tmp_path)}
    assert len(found) == len(listed) + 1  # every single one has a record
    reasons = {path: record["reason"] for path, record in by_path(tmp_path).items() if record["reason"]}
    expected = {
        "/missing": "http_404",
        "/error": "http_500",
        "/picture": "content_type",
        "/huge": "too_large",
        "/bomb": "too_large",
        "/strange": "damaged",
        "/drip": "timeout",
        "/loop": "too_many_redirects",
        "/to-file": "http_302",
        "/empty": "empty_input",
        "/binary": "not_html",
        "/x": "dns",
        "/refused": "refused",
        "/": "private_address",
    }
    assert {path: reasons.get(path) for path in expected} == expected
    assert requests.count("/error") == 2  # once more, as --retries says
    assert requests.count("/missing") == 1
    assert found["http://[::1"]["reason"] == "bad_url"
    hung = {found[f"http://127.0.0.1:{broken.port}/page{at}"]["reason"] for at in range(6)}
    assert "host_given_up" in hung <= {"connection", "host_given_up"}
    assert broken.connections < 12  # six pages, each tried twice, would be more
    by = by_path(tmp_path)
    assert {by[path]["status"] for path in ("/good", "/after", "/last")} == {"ok"}
    for url, record in found.items():
        if record["status"] == "failed":
            assert f"{url}: {record['reason']}" in run.stderr
            assert f"{url}: {record['reason']}" in (tmp_path / "out" / "crawl.log").read_text()
    summary = json.loads((tmp_path / "out" / "summary.json").read_text())
    assert summary["failed"]["host_given_up"] > 0
    assert summary["empty"] == {"empty_input": 1, "not_html": 1}


def test_private_addresses_are_not_contacted(tmp_path: Path) -> None:
    with serve({"/": html(news(0))}) as site:
        hosts = ["127.0.0.1", "localhost", "0.0.0.0", "[::1]", "[::ffff:127.0.0.1]", "127.1"]
        write_list(tmp_path, [f"http://{host}:{site.port}/" for host in hosts])
        crawl(tmp_path, "--no-allow-private", code=1)
        assert site.requests == []  # not even robots.txt
    assert {record["reason"] for record in results(tmp_path)} == {"private_address"}
    assert len(results(tmp_path)) == len(hosts)


def test_a_page_over_its_budget_is_recorded_as_such(tmp_path: Path) -> None:
    # A pattern of our own that takes for ever on one page, in an algorithm's settings: the page stalls its worker.
    slow = news(extra="<p>" + "a" * 40 + "!</p>")
    with serve({"/slow": html(slow), "/good": html(news(1))}) as site:
        write_list(tmp_path, [site.url("/slow"), site.url("/good")])
        hostile = ("--default-type", "forum", "-O", "forum.noise_patterns=(a+)+$", "--page-seconds", "1")
        crawl(tmp_path, *hostile, code=1)
    found = by_path(tmp_path)
    assert found["/slow"]["reason"] == "extract_timeout"
    assert found["/good"]["status"] == "ok"


def test_full_disk(tmp_path: Path) -> None:
    pages = {f"/{at}": html(news(at, extra=f"<p>{PARAGRAPHS[at % 5] * 10}</p>")) for at in range(12)}
    with serve(pages) as site:
        write_list(tmp_path, [site.url(path) for path in pages])

        def small_disk() -> None:
            # A file larger than this cannot be written: what a full disk does to the results, at a place of our choice.
            resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, 20_000))

        limited = subprocess.run(
            command(tmp_path, "--no-robots"), capture_output=True, text=True, preexec_fn=small_disk, timeout=60
        )
        assert limited.returncode == 1
        assert "Traceback" not in limited.stderr
        assert "not_saved: File too large" in limited.stderr
        assert "run again to fetch them once more" in limited.stderr
        saved = results(tmp_path)
        assert 0 < len(saved) < 12  # whole lines, all of them readable
        crawl(tmp_path, "--no-robots")
        assert sorted(record["url"] for record in results(tmp_path)) == sorted(site.url(path) for path in pages)


def test_a_folder_that_cannot_be_written(tmp_path: Path) -> None:
    with serve({"/a": html(news(0)), "/forum/b": html(news(1))}) as site:
        write_list(tmp_path, [site.url("/a"), f"{site.url('/forum/b')}\tforum"])
        (tmp_path / "out").mkdir()
        (tmp_path / "out" / "forum").write_text("a file where a folder should be")
        crawl(tmp_path, code=1)
        found = by_path(tmp_path)
        assert found["/a"]["status"] == "ok"
        assert (found["/forum/b"]["status"], found["/forum/b"]["reason"]) == ("failed", "not_written")
        assert found["/forum/b"]["text"]  # it is not lost
        (tmp_path / "file").write_text("")
        whole = crawl(tmp_path, "--output-dir", str(tmp_path / "file"), code=1)
        assert f"cannot write to {tmp_path / 'file'}" in whole.stderr


@pytest.mark.parametrize("listed", [True, False])
def test_a_redirect_leaves_the_host_only_from_the_list(tmp_path: Path, listed: bool) -> None:
    with serve({"/there": html(news(1))}) as other:
        away = Answer(b"", 302, {"Location": other.url("/there", "localhost")})
        with serve({"/": html(news(0, links=["/away"])), "/away": away}) as site:
            write_list(tmp_path, [site.url("/away" if listed else "/")])
            crawl(tmp_path, "--follow-links", code=None)
        assert ("/there" in fetched(other)) is listed
    record = by_path(tmp_path)["/away"]
    assert (record["status"], record["reason"]) == (("ok", None) if listed else ("failed", "other_host"))
