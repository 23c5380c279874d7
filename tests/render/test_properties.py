"""What holds for any page."""

from __future__ import annotations

import re
from xml.etree import ElementTree

from hypothesis import HealthCheck, given, settings

from duramen.measure import within
from duramen.page import Page
from duramen.render import to_xhtml
from tests.render.commonmark import read
from tests.render.shown import URL, document, markdown, text
from tests.render.soup import pages, soup, without_lists
from tests.render.test_html import assert_safe
from tests.support import page_of

thorough = settings(max_examples=120, deadline=None, suppress_health_check=[HealthCheck.too_slow])


@thorough
@given(pages)
def test_markdown_reads_as_the_text_of_the_page(page: str) -> None:
    # Lists as sections: a renderer of Markdown gives back no markers.
    assert read(markdown(page, url=URL)).split() == text(without_lists(page)).split()


@thorough
@given(pages)
def test_switches_leave_the_text(page: str) -> None:
    bare = markdown(page, links=False, images=False, formatting=False)
    assert read(bare).split() == text(without_lists(page)).split()


@thorough
@given(soup)
def test_text_is_tidy(page: str) -> None:
    shown = text(page)
    assert shown == shown.strip()
    assert "\n\n\n" not in shown
    assert all(line == line.rstrip() for line in shown.split("\n"))


@thorough
@given(soup)
def test_cleaned_html_is_safe_and_a_fixed_point(page: str) -> None:
    cleaned = document(page, url=URL)
    assert_safe(page_of(cleaned))
    assert document(cleaned, url=URL) == cleaned


def unmarked(shown: str) -> list[str]:
    """The words of a text without list markers, which are no words of the soup."""
    return [word for word in shown.split() if not re.fullmatch(r"-|-?[0-9]+\.", word)]


@thorough
@given(soup)
def test_cleaned_html_has_the_text_of_the_page(page: str) -> None:
    assert unmarked(text(document(page))) == unmarked(text(page))


UNREAD = frozenset({"script", "style", "iframe"})
# What a broken page nests in itself is written as a <div> or <span>.
RENAMED = dict.fromkeys("p div li dt dd form h1 h2".split(), "block")
RENAMED |= dict.fromkeys("a span nobr button rt x-y o:p o-p".split(), "inline")


def tree(page: Page) -> list[tuple[int, str, str]]:
    """The elements and texts of a page, but for raw text, with their depth."""
    rows = []
    unread = within(page, page.named(*UNREAD))  # in a drawing, a script holds elements
    for row in range(len(page)):
        if page.tag[row]:
            name = page.tag_name(row)
            rows.append((int(page.depth[row]), RENAMED.get(name, name), ""))
        elif not unread[row]:
            rows.append((int(page.depth[row]), "", page.text_of(row).replace("\f", " ")))
    return rows


@thorough
@given(soup)
def test_xhtml_is_well_formed_and_reads_back_as_the_same_page(source: str) -> None:
    page = page_of(source)
    written = to_xhtml(page)
    ElementTree.fromstring(written)
    assert tree(page_of(written)) == tree(page)
