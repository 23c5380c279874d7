"""`duramen extract`."""

from __future__ import annotations

import json
import os
import pty
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.cli.run import COMMAND, duramen, installed
from tests.web import Answer, serve

CLIMBS = "climbs trees as a matter of course"
TURN = "Owls turn their heads"


def squeezed(text: str) -> str:
    return " ".join(text.split())


def lines(text: str) -> list[dict[str, object]]:
    return [json.loads(line) for line in text.splitlines()]


# One page


def test_file(pages: Path) -> None:
    done = duramen("extract", "page.html")
    assert done.code == 0
    assert CLIMBS in squeezed(done.out)
    assert "imprint" not in done.out
    assert done.out.endswith("\n") and not done.out.endswith("\n\n")
    assert done.err == ""


@pytest.mark.parametrize("arguments", [("extract",), ("extract", "-")])
def test_stdin(pages: Path, arguments: tuple[str, ...]) -> None:
    done = duramen(*arguments, stdin=(pages / "page.html").read_bytes())
    assert (done.code, done.err) == (0, "")
    assert CLIMBS in squeezed(done.out)


@pytest.mark.parametrize(
    ("form", "sign"), [("text", "Foxes\n"), ("markdown", "[deep in the woods]("), ("html", "<p>"), ("HTML", "<p>")]
)
def test_format(pages: Path, form: str, sign: str) -> None:
    done = duramen("extract", "page.html", "--format", form)
    assert done.code == 0
    assert sign in done.out


def test_json_of_one_page_is_one_document(pages: Path) -> None:
    done = duramen("extract", "page.html", "-f", "json", "--url", "https://nature.example/fox")
    record = json.loads(done.out)
    assert record["input"] == "page.html"
    assert record["url"] == "https://nature.example/fox"
    assert record["reason"] is None
    assert CLIMBS in squeezed(record["text"])
    assert set(record) >= {"title", "language", "markdown", "html", "metadata", "algorithm", "version", "encoding"}


def test_url_makes_links_absolute(pages: Path) -> None:
    done = duramen("extract", "page.html", "-f", "markdown", "--url", "https://nature.example/a/fox")
    assert "(https://nature.example/deep)" in done.out


@pytest.mark.parametrize(
    ("switch", "form", "sign"),
    [
        ("--no-links", "markdown", "/deep"),
        ("--no-tables", "text", "five kilograms"),
        ("--no-formatting", "markdown", "**"),
        ("--no-images", "html", "<img"),
    ],
)
def test_switches_leave_things_out(pages: Path, switch: str, form: str, sign: str) -> None:
    shown = duramen("extract", "page.html", "-a", "everything", "-f", form)
    assert sign in shown.out
    done = duramen("extract", "page.html", "-a", "everything", "-f", form, switch)
    assert done.code == 0
    assert sign not in done.out
    assert CLIMBS in squeezed(done.out)


def test_algorithm_and_setting(pages: Path) -> None:
    everything = duramen("extract", "page.html", "--algorithm", "everything")
    assert "imprint" in everything.out
    strict = duramen("extract", "page.html", "-a", "coreex", "-O", "threshold=0.8", "-f", "json")
    assert json.loads(strict.out)["algorithm"] == "coreex"


def test_charset(pages: Path) -> None:
    (pages / "old.html").write_bytes("<p>Ж".encode("koi8-r") + b" and more words, so many more words, here.")
    done = duramen("extract", "old.html", "-a", "everything", "--charset", "koi8-r")
    assert done.out.startswith("Ж ")


# Where results go


@pytest.mark.parametrize(
    ("name", "sign"), [("out.txt", "Foxes\n"), ("out.md", "[deep"), ("out.html", "<p>"), ("deep/er/out.json", '"text"')]
)
def test_output_file_and_format_by_its_suffix(pages: Path, name: str, sign: str) -> None:
    done = duramen("extract", "page.html", "-o", name)
    assert (done.code, done.out, done.err) == (0, "", "")
    assert sign in (pages / name).read_text(encoding="utf-8")


def test_format_wins_over_suffix(pages: Path) -> None:
    duramen("extract", "page.html", "-o", "out.txt", "-f", "html")
    assert "<p>" in (pages / "out.txt").read_text(encoding="utf-8")


def test_one_page_into_an_existing_folder(pages: Path) -> None:
    assert duramen("extract", "page.html", "-o", "bare").code == 0
    assert CLIMBS in squeezed((pages / "bare/page.txt").read_text(encoding="utf-8"))


def test_folder_is_mirrored(pages: Path) -> None:
    done = duramen("extract", "site", "-o", "texts", "-f", "markdown")
    assert (done.code, done.out, done.err) == (0, "", "")
    made = sorted(str(path.relative_to(pages / "texts")) for path in (pages / "texts").rglob("*.*"))
    assert made == ["index.md", "news/fox.md", "news/owl.md"]
    assert TURN in squeezed((pages / "texts/news/owl.md").read_text(encoding="utf-8"))


def test_files_of_the_same_name_do_not_meet(pages: Path) -> None:
    (pages / "site/index.htm").write_text((pages / "other.html").read_text(encoding="utf-8"), encoding="utf-8")
    (pages / "more").mkdir()
    (pages / "more/index.html").write_text((pages / "other.html").read_text(encoding="utf-8"), encoding="utf-8")
    assert duramen("extract", "site", "more", "site/index.html", "-o", "texts").code == 0
    made = sorted(str(path.relative_to(pages / "texts")) for path in (pages / "texts").rglob("*.*"))
    assert made == [
        "more/index.txt",
        "site/index.html-2.txt",  # named twice
        "site/index.html.txt",
        "site/index.txt",
        "site/news/fox.txt",
        "site/news/owl.txt",
    ]


def test_jsonl_file(pages: Path) -> None:
    done = duramen("extract", "site", "page.html", "-o", "pages.jsonl")
    assert (done.code, done.out) == (0, "")
    records = lines((pages / "pages.jsonl").read_text(encoding="utf-8"))
    assert [record["input"] for record in records] == [
        str(Path("site/index.html")),
        str(Path("site/news/fox.xhtml")),
        str(Path("site/news/owl.HTM")),
        "page.html",
    ]


def test_several_json_results_are_lines(pages: Path) -> None:
    done = duramen("extract", "other.html", "page.html", "--format", "json")
    assert [record["input"] for record in lines(done.out)] == ["other.html", "page.html"]


def test_several_texts_come_in_order(pages: Path) -> None:
    done = duramen("extract", "other.html", "page.html")
    assert done.code == 0
    assert done.out.index("\n\nFoxes") > 0 and done.out.index("Owls") < done.out.index("Foxes")


def test_page_is_never_overwritten(pages: Path) -> None:
    before = (pages / "page.html").read_bytes()
    done = duramen("extract", "page.html", "-o", "page.html")
    assert done.code == 2
    assert done.err == "duramen: error: page.html is the page itself: choose another place for the result\n"
    assert (pages / "page.html").read_bytes() == before
    assert duramen("extract", "site", "-o", "site", "-f", "html").code == 2


def test_unwritable_output(pages: Path) -> None:
    done = duramen("extract", "page.html", "-o", "page.html/out.txt")
    assert done.code == 1
    assert done.err.startswith("duramen: error: cannot write ")
    assert done.err.count("\n") == 1


def test_several_results_need_a_folder(pages: Path) -> None:
    done = duramen("extract", "page.html", "other.html", "-o", "site/notes.txt")
    assert done.code == 2
    assert "several results go into a folder" in done.err


def test_jsonl_holds_nothing_but_json(pages: Path) -> None:
    assert duramen("extract", "site", "-o", "x.jsonl", "-f", "text").code == 2


# What goes wrong


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (["missing.html"], 1, "cannot read missing.html: No such file or directory"),
        (["example.org/page"], 1, "(for a web page write https://example.org/page)"),
        (["bare"], 1, "no pages in bare: it has no *.html, *.htm, *.xhtml file"),
        (["ftp://example.org/"], 1, "only http and https URLs are fetched"),
        (["http://127.0.0.1:1/"], 1, "is a loopback address (only allow_private, --allow-private, permits it)"),
        (["http://localhost/"], 1, "localhost is a name of the local machine"),
        (["page.html", "--max-bytes", "100"], 1, "page.html is larger than 100 bytes"),
        (["page.html", "-a", "corex"], 2, "unknown algorithm 'corex': did you mean 'coreex'?"),
        (["page.html", "-a", "coreex", "-O", "treshold=1"], 2, "did you mean 'threshold'?"),
        (["page.html", "-a", "coreex", "-O", "threshold=high"], 2, "threshold takes number"),
        (["page.html", "-O", "threshold"], 2, "an option is written key=value, not 'threshold'"),
        (["-", "-"], 2, "stdin (-) can be read only once"),
    ],
)
def test_error_in_one_line(pages: Path, arguments: list[str], code: int, said: str) -> None:
    done = duramen("extract", *arguments)
    assert (done.code, done.out) == (code, "")
    assert done.err.startswith("duramen: error: ")
    assert said in done.err
    assert done.err.count("\n") == 1


@pytest.mark.parametrize(
    "arguments", [["extract", "--format", "pdf"], ["extract", "--colour"], ["extrat"], ["extract", "--max-bytes", "0"]]
)
def test_command_that_is_not_understood(arguments: list[str]) -> None:
    done = duramen(*arguments)
    assert (done.code, done.out) == (2, "")
    assert "Error: " in done.err


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="nothing is unreadable to root")
def test_unreadable_file(pages: Path) -> None:
    (pages / "page.html").chmod(0)
    assert duramen("extract", "page.html").err == "duramen: error: cannot read page.html: Permission denied\n"


def test_folder_given_as_a_page_name(pages: Path) -> None:
    (pages / "odd.html").mkdir()
    done = duramen("extract", "odd.html")
    assert (done.code, done.err.count("\n")) == (1, 1)


def test_bad_input_does_not_stop_the_others(pages: Path) -> None:
    done = duramen("extract", "page.html", "missing.html", "empty.html", "other.html")
    assert done.code == 1
    assert CLIMBS in squeezed(done.out) and TURN in squeezed(done.out)
    assert done.err.splitlines() == [
        "duramen: error: cannot read missing.html: No such file or directory",
        "duramen: warning: empty.html: nothing extracted: it is empty",
        "duramen: 4 inputs: 1 failed, 1 without content",
    ]


def test_folder_without_pages_does_not_stop_the_others(pages: Path) -> None:
    done = duramen("extract", "bare", "page.html")
    assert done.code == 1
    assert CLIMBS in squeezed(done.out)
    assert done.err.splitlines() == [
        "duramen: error: no pages in bare: it has no *.html, *.htm, *.xhtml file",
        "duramen: 2 inputs: 1 failed, 0 without content",
    ]


@pytest.mark.parametrize(
    ("name", "why"), [("empty.html", "it is empty"), ("shell.html", "its text is put in by scripts")]
)
def test_empty_extraction(pages: Path, name: str, why: str) -> None:
    done = duramen("extract", name)
    assert (done.code, done.out) == (3, "")
    assert done.err.startswith(f"duramen: warning: {name}: nothing extracted: {why}")
    assert done.err.count("\n") == 1


def test_empty_extraction_as_json_has_its_reason(pages: Path) -> None:
    done = duramen("extract", "empty.html", "-f", "json", "--quiet")
    record = json.loads(done.out)
    assert (done.code, done.err) == (3, "")
    assert (record["text"], record["reason"]) == ("", "empty_input")


def test_empty_extraction_leaves_an_empty_file(pages: Path) -> None:
    (pages / "out.txt").write_text("from an earlier run", encoding="utf-8")
    assert duramen("extract", "empty.html", "-o", "out.txt").code == 3
    assert (pages / "out.txt").read_bytes() == b""


def test_quiet_keeps_errors(pages: Path) -> None:
    done = duramen("extract", "-q", "empty.html", "missing.html", "page.html")
    assert done.code == 1
    assert done.err == "duramen: error: cannot read missing.html: No such file or directory\n"


# URLs


def test_url(pages: Path) -> None:
    page = (pages / "page.html").read_bytes()
    with serve({"/fox": Answer(status=302, headers={"Location": "/a/fox"}), "/a/fox": Answer(page)}) as site:
        done = duramen("extract", site.url("/fox"), "--allow-private", "-f", "json")
        record = json.loads(done.out)
        assert (record["input"], record["url"]) == (site.url("/fox"), site.url("/a/fox"))
        assert CLIMBS in squeezed(record["text"])
        assert duramen("extract", site.url("/nothing"), "--allow-private").err.endswith("answered 404 Not Found\n")


def test_header_states_the_charset(pages: Path) -> None:
    body = "<p>Жук ползёт по листу, медленно и осторожно, как всегда.</p>".encode("koi8-r")
    with serve({"/": Answer(body, content_type="text/html; charset=koi8-r")}) as site:
        assert duramen("extract", site.url("/"), "--allow-private", "-a", "everything").out.startswith("Жук ")


def test_urls_become_files(pages: Path) -> None:
    page = Answer((pages / "page.html").read_bytes())
    with serve({"/": page, "/a/b.html?x=1&y=2": page, "/../../c": page}) as site:
        urls = [site.url("/"), site.url("/a/b.html?x=1&y=2"), site.url("/%2e%2e/c")]
        done = duramen("extract", *urls, "-o", "out", "--allow-private")
        assert done.code in (0, 1)
        made = sorted(str(path.relative_to(pages / "out")) for path in (pages / "out").rglob("*.txt"))
        host = f"127.0.0.1_{site.port}"
        assert made[:2] == [f"{host}/a/b_x=1_y=2.txt", f"{host}/index.txt"]


# Processes: what only the installed command shows


def test_installed_command_writes_utf8_in_any_locale(pages: Path) -> None:
    (pages / "cafe.html").write_text("<p>Das Café „Zur Eule“ hat 9 €, 猫 und 🦊, mehr nicht.</p>", encoding="utf-8")
    plain = {"PATH": os.environ["PATH"], "LC_ALL": "C", "PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"}
    done = installed("extract", "cafe.html", "-a", "everything", env=plain)
    assert (done.code, done.out) == (0, "Das Café „Zur Eule“ hat 9 €, 猫 und 🦊, mehr nicht.\n")


def test_module_is_the_command(pages: Path) -> None:
    command = [sys.executable, "-m", "duramen", "extract", "page.html"]
    done = subprocess.run(command, capture_output=True, check=True, timeout=60)
    assert CLIMBS in squeezed(done.stdout.decode())


def test_reader_that_leaves_is_not_an_error(pages: Path) -> None:
    """As `| head -1`, with far more output than a pipe holds."""
    (pages / "long.html").write_text("<p>" + "A long, long story. " * 50_000, encoding="utf-8")
    command = [COMMAND, "extract", "long.html", "long.html", "-a", "everything"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None and process.stderr is not None
        process.stdout.read(10)
        process.stdout.close()
        assert process.stderr.read() == b""
        assert process.wait(60) == 141


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full")
def test_full_disk(pages: Path) -> None:
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run([COMMAND, "extract", "page.html"], stdout=full, stderr=subprocess.PIPE, check=False)
    assert (done.returncode, done.stderr) == (1, b"duramen: error: cannot write to stdout: No space left on device\n")


@pytest.mark.parametrize(
    ("closed", "code", "said"),
    [
        ("<&-", 2, "duramen: error: nothing to read: give a file, a folder or a URL, or pipe a page in\n"),
        ("- <&-", 1, "duramen: error: cannot read stdin: it is closed\n"),
        ("page.html >&-", 1, "duramen: error: cannot write to stdout: it is closed\n"),
        ("page.html other.html >&-", 1, "duramen: error: cannot write to stdout: it is closed\n"),
        ("empty.html 2>&-", 3, ""),
        ("empty.html empty.html -o out 2>&-", 3, ""),
    ],
)
def test_closed_streams(pages: Path, closed: str, code: int, said: str) -> None:
    done = subprocess.run(f"{COMMAND} extract {closed}", shell=True, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (code, "", said)


def test_interrupted(pages: Path) -> None:
    with serve({"/": Answer(b"x" * 1000, drip=0.1)}) as site:
        # A test run in the background of a shell ignores Ctrl-C, and so would what it starts.
        code = (
            "import os, signal, sys; signal.signal(signal.SIGINT, signal.SIG_DFL); os.execv(sys.argv[1], sys.argv[1:])"
        )
        command = [sys.executable, "-c", code, str(COMMAND), "extract", site.url("/"), "--allow-private"]
        with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
            for _ in range(200):
                if site.requests:
                    break
                time.sleep(0.05)
            process.send_signal(signal.SIGINT)
            out, err = process.communicate(timeout=30)
    assert (process.returncode, out, err) == (130, b"", b"")


def test_missing_extra(pages: Path) -> None:
    for name in ("typer", "rich"):
        script = f"import sys; sys.modules[{name!r}] = None; from duramen.cli import main; main()"
        done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False, timeout=60)
        assert (done.returncode, done.stdout) == (1, "")
        assert done.stderr == f'duramen: the command line needs {name}: pip install "duramen[cli]"\n'


def test_missing_httpx_matters_only_for_urls(pages: Path) -> None:
    script = "import sys; sys.modules['httpx'] = None; from duramen.cli import main; main()"

    def run(source: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-c", script, "extract", source]
        return subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)

    assert run("page.html").returncode == 0
    done = run("https://example.org/")
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == 'duramen: error: fetching a URL needs httpx: pip install "duramen[cli]"\n'


def on_a_terminal(*arguments: str, stdout: bool) -> tuple[int, str]:
    """Run the command with a terminal as stderr (and as stdin, and if wanted as stdout); what the terminal shows."""
    above, below = pty.openpty()
    out = below if stdout else subprocess.DEVNULL
    env = {**os.environ, "TERM": "xterm-256color", "COLUMNS": "120"}
    with subprocess.Popen([COMMAND, *arguments], stdin=below, stdout=out, stderr=below, env=env) as process:
        os.close(below)
        shown = b""
        try:
            while piece := os.read(above, 65536):
                shown += piece
        except OSError:  # how a terminal says that its other end is closed
            pass
        code = process.wait(60)
    os.close(above)
    return code, shown.decode("utf-8", "replace")


def test_progress_bar_is_for_those_who_watch(pages: Path) -> None:
    code, shown = on_a_terminal("extract", "page.html", "missing.html", "other.html", stdout=False)
    assert code == 1
    assert "Extracting" in shown
    assert "duramen: error: cannot read missing.html: No such file or directory" in shown
    assert "duramen: 3 inputs: 1 failed, 0 without content" in shown


@pytest.mark.parametrize("arguments", [["page.html", "other.html", "--quiet"], ["page.html"]])
def test_no_progress_bar(pages: Path, arguments: list[str]) -> None:
    assert on_a_terminal("extract", *arguments, stdout=False) == (0, "")


def test_terminal_without_an_input_is_no_place_to_wait(pages: Path) -> None:
    code, shown = on_a_terminal("extract", stdout=True)
    assert code == 2
    assert "nothing to read: give a file, a folder or a URL, or pipe a page in" in shown


def test_page_cannot_steer_the_terminal(pages: Path) -> None:
    (pages / "evil.html").write_text("<p>Now \x1b]0;owned\x07\x1b[2Jyou see it.</p>", encoding="utf-8")
    code, shown = on_a_terminal("extract", "evil.html", "-a", "everything", stdout=True)
    assert (code, "\x1b" in shown, "you see it." in shown) == (0, False, True)
