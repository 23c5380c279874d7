"""empty_reason: why an extraction is empty."""

from __future__ import annotations

import numpy as np
import pytest

from duramen.algorithms.everything import Everything
from duramen.decode import decode
from duramen.page import Page, Reason, Selection
from duramen.parse import parse_html5
from duramen.shell import SHELL_WORDS, empty_reason
from tests.support import words


def reason_of(source: str | bytes, *, keep: bool = False, stated: Reason | None = None) -> Reason | None:
    """The reason for a page of which nothing is kept, or everything."""
    decoded = decode(source)
    page = parse_html5(decoded.utf8)
    return empty_reason(decoded, page, Everything().select(page) if keep else nothing(page, stated))


def nothing(page: Page, stated: Reason | None) -> Selection:
    return Selection(kept=np.zeros(len(page), dtype=np.bool_), reason=stated)


@pytest.mark.parametrize(
    "source", ["<p>Some words.</p>", "plain text without a tag", "<div id=root>rendered here</div>"]
)
def test_kept_text_needs_no_reason(source: str) -> None:
    assert reason_of(source, keep=True) is None


def test_kept_elements_without_text_are_nothing() -> None:
    decoded = decode("<p> </p><img src=a.png>")
    page = parse_html5(decoded.utf8)
    everything = Selection(kept=np.ones(len(page), dtype=np.bool_))
    assert empty_reason(decoded, page, everything) is Reason.NO_TEXT


@pytest.mark.parametrize("source", ["", b"", " \n\t ", b"\xef\xbb\xbf", "\ufeff \r\n"])
def test_nothing_in_nothing_out(source: str | bytes) -> None:
    assert reason_of(source) is Reason.EMPTY_INPUT


@pytest.mark.parametrize("source", [b"\x89PNG\r\n\x1a\n\x00\x00", b"%PDF-1.4 words", b"PK\x03\x04\x00\x00"])
def test_binary_is_no_page(source: bytes) -> None:
    assert reason_of(source) is Reason.NOT_HTML


@pytest.mark.parametrize(
    "source",
    [
        "<div id=root></div><script src=main.js></script>",
        "<div id=__next><div>Loading…</div></div><script>start()</script>",
        "<body id=APP><script src=a.js></script>",
        "<app-root></app-root><script src=main.js type=module></script>",
        "<header>Gull</header>" + "<script src=a.js></script>" * 5,
        "<body><noscript>You need to enable JavaScript to run this app.</noscript><div class=x></div>",
        "<body><noscript>本站需要 JavaScript</noscript>",
        "<p>Please turn on JavaScript in your browser and reload.</p>",
        "<p>JavaScript is disabled. Enable it to go on.</p>",
        "<p>请启用 JavaScript 后继续</p>",
        # Text that is not shown yet is no text.
        f"<div id=app hidden>{words(60, 'w')}</div><script src=a.js></script>",
    ],
)
def test_shells(source: str) -> None:
    assert reason_of(source) is Reason.NEEDS_JAVASCRIPT


@pytest.mark.parametrize(
    ("source", "reason"),
    [
        ("<html><body><img src=a.png></body></html>", Reason.NO_TEXT),
        ("<title>Only a title</title>", Reason.NO_TEXT),
        ("<div id=root></div>", Reason.NO_TEXT),  # no script would ever fill it
        ("<img src=a.png><script>count()</script>", Reason.NO_TEXT),  # a counter does not make a shell
        ("<p hidden>words</p>", Reason.NO_TEXT),
        ("<p>Learn JavaScript</p>", Reason.NO_CONTENT),
        ("<p>Some words.</p>", Reason.NO_CONTENT),
        (f"<div id=root>{words(SHELL_WORDS, 'w')}</div><script src=a.js></script>", Reason.NO_CONTENT),
    ],
)
def test_other_reasons(source: str, reason: Reason) -> None:
    assert reason_of(source) is reason


def test_the_last_word_is_the_algorithm_s() -> None:
    assert reason_of("<p>Some words.</p>", stated=Reason.NO_TEXT) is Reason.NO_TEXT
    # … but what is known of the input is more telling.
    assert reason_of("<div id=root></div><script src=a.js></script>", stated=Reason.NO_TEXT) is Reason.NEEDS_JAVASCRIPT
