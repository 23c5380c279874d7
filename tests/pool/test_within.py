"""Extraction within limits: the same result as `extract`, and a typed reason where there is none."""

from __future__ import annotations

import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from duramen import extract
from duramen.errors import OptionError, UnknownAlgorithm
from duramen.page import Reason
from duramen.pool import extract_within

STORY = "The ferry was late again, and the people on the pier knew why: the captain had stopped for a seal. " * 4
PAGE = f"<title>Late</title><ul><li><a href=/>Home</a></ul><h1>Late ferry</h1><p>{STORY}</p><p>{STORY}</p>"
# Long enough that no machine does it in a tenth of a second, and every machine in a minute.
SLOW = "<div><p>word, and <b>another</b> word.</p>" * 200_000


def test_the_result_is_that_of_extract() -> None:
    within, plain = extract_within(PAGE, url="https://ferry.example/"), extract(PAGE, url="https://ferry.example/")
    assert within.text == plain.text != ""
    assert within.markdown == plain.markdown
    assert within.html == plain.html
    assert within.metadata == plain.metadata
    assert within.title == plain.title
    assert within.language == plain.language
    assert (within.algorithm, within.encoding, within.reason) == (plain.algorithm, plain.encoding, None)
    assert within.standard is within.page_type is None  # not asked for
    assert extract_within(PAGE, page_type=True).page_type == extract(PAGE).page_type


@pytest.mark.parametrize(
    ("source", "reason"),
    [
        ("", Reason.EMPTY_INPUT),
        (b"%PDF-1.7 \x00\x01", Reason.NOT_HTML),
        ("<div id=root></div><script src=app.js></script>", Reason.NEEDS_JAVASCRIPT),
        ("<body><img src=x></body>", Reason.NO_TEXT),
        (b"\xef\xbb\xbf<p>" + b"\xff\xfe\xfd\xfc " * 2_000, Reason.ENCODING),  # it says UTF-8, and is nothing
    ],
)
def test_pages_without_content_say_why(source: str | bytes, reason: Reason) -> None:
    assert extract_within(source).reason is reason


def test_a_page_over_its_time_says_so() -> None:
    result = extract_within(SLOW, seconds=0.1)
    assert (result.text, result.reason) == ("", Reason.TIMEOUT)
    assert extract_within(PAGE).reason is None


def test_a_page_over_its_memory_says_so() -> None:
    assert extract_within(SLOW, memory=4 << 20).reason is Reason.MEMORY


def test_a_page_over_its_size_is_not_read() -> None:
    assert extract_within(PAGE, max_bytes=100).reason is Reason.TOO_LARGE


def test_threads_share_the_workers() -> None:
    pages = [PAGE.replace("seal", f"seal{number}") for number in range(24)]
    with ThreadPoolExecutor(6) as threads:
        texts = [result.text for result in threads.map(extract_within, pages)]
    assert texts == [extract(page).text for page in pages]


def test_unusable_arguments_raise_as_they_do_in_extract() -> None:
    with pytest.raises(UnknownAlgorithm):
        extract_within(PAGE, algorithm="cted")
    with pytest.raises(OptionError, match="time limit"):
        extract_within(PAGE, seconds=0)
    with pytest.raises(OptionError, match="unknown format"):
        extract_within(PAGE, formats=("pdf",))
    with pytest.raises(OptionError, match="hidden is"):
        extract_within(PAGE, hidden="maybe")  # type: ignore[arg-type]


def test_a_plain_script_needs_no_ceremony(tmp_path: Path) -> None:
    """No `if __name__ == "__main__"`, and a fork in the middle: the child has workers of its own."""
    script = tmp_path / "script.py"
    script.write_text(
        "import os, sys\n"
        "from duramen.pool import extract_within\n"
        f"page = {PAGE!r}\n"
        "assert extract_within(page).text\n"
        "child = os.fork()\n"
        "assert extract_within(page).text\n"
        "if child:\n"
        "    assert os.waitpid(child, 0)[1] == 0\n"
        "    print('done')\n"
    )
    run = subprocess.run([sys.executable, script], capture_output=True, text=True, timeout=60, check=False)
    assert (run.returncode, run.stdout, run.stderr) == (0, "done\n", "")
