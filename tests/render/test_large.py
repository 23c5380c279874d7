"""Pages that are deep or large without end: one pass, no recursion, no squares."""

from __future__ import annotations

import pytest

from duramen.render import to_html, to_markdown, to_text, to_xhtml
from tests.render.shown import everything, markdown, text
from tests.support import page_of

LARGE = {
    "spans": "<span>" * 100_000 + "x",
    "marks": "<b>x<i>y" * 20_000,
    "lists": "<ul><li>x" * 3_000,
    "empty lists": "<ul><li>" * 3_000 + "x",
    "items without lists": "<li><section>" * 3_000 + "x",
    "quotations": "<blockquote>x" * 3_000,
    "definitions": "<dl><dd>x" * 3_000,
    "tables": "<table><tr><td>x" * 1_000,
    "cells": "<table><tr>" + "<td>x" * 20_000,
    "spanning rows": "<table><tr>" + "<th rowspan=60000>x" * 500 + "<tr><td>y" * 5_000,
    "spanning columns": "<table>" + "<tr><td colspan=1000>x<td>y" * 3_000,
    "breaks": "<p>" + "x<br>" * 30_000,
    "marks in turn": "<p>" + "<i>x</i><b>y</b>" * 20_000,
    "links": "<a href=/x>x</a>" * 10_000,
    "one link around all": "<a href=/x>" + "<p>x" * 10_000,
    "text like markup": "<p>" + "*_[`<&~!x" * 30_000,
    "pictures": "x<picture>" + "<source srcset=data:,>" * 10_000 + "<img>" * 10_000,
    "open brackets": "<p>x" + "[" * 100_000,
    "preformatted": "<pre>" * 1_000 + "x\n" * 20_000,
    "paragraphs in buttons": "<p><button>x" * 3_000,
}


@pytest.mark.parametrize("name", LARGE)
def test_every_rendering_ends(name: str) -> None:
    page = page_of(LARGE[name])
    selection = everything(page)
    for rendering in (to_text, to_markdown, to_html):
        shown = rendering(page, selection)
        assert "x" in shown
        # A quotation or list costs its indentation, and no more than 20 levels of it.
        assert len(shown) < 100 * len(LARGE[name])
    assert to_xhtml(page).endswith("</html>")


def test_nesting_is_shown_up_to_a_limit() -> None:
    depth = 50
    nested = "<ul><li>x" * depth
    assert max(len(line) for line in text(nested).split("\n")) == 2 * 19 + len("- x")
    assert markdown(nested).count("- x") == 20
    assert markdown("<blockquote>" * depth + "x") == "> " * 20 + "x"
    assert text(nested).count("x") == markdown(nested).count("x") == depth
