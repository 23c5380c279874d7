"""The page's files: nothing inline, nothing from elsewhere, the same words in both languages."""

from __future__ import annotations

import json
import re
from html.parser import HTMLParser
from importlib.resources import files
from typing import Any

import pytest

PAGE = files("duramen.service").joinpath("page")
NAMES = sorted(entry.name for entry in PAGE.iterdir())
WORDS: dict[str, dict[str, str]] = {
    name: json.loads(PAGE.joinpath(f"{name}.json").read_text("utf-8")) for name in ("en", "zh")
}


def read(name: str) -> str:
    return PAGE.joinpath(name).read_text("utf-8")


class Reader(HTMLParser):
    """Every element's attributes."""

    def __init__(self) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, Any]]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))


@pytest.fixture(scope="module")
def elements() -> list[tuple[str, dict[str, Any]]]:
    reader = Reader()
    reader.feed(read("index.html"))
    return reader.elements


def test_both_languages_have_the_same_words() -> None:
    assert set(WORDS["en"]) == set(WORDS["zh"])
    for key, english in WORDS["en"].items():
        blanks = re.findall(r"\{\w+\}", english)
        assert sorted(blanks) == sorted(re.findall(r"\{\w+\}", WORDS["zh"][key])), key


def test_every_word_that_is_asked_for_exists(elements: list[tuple[str, dict[str, Any]]]) -> None:
    asked = {value for _, given in elements for name, value in given.items() if name.startswith("data-t")}
    for name in NAMES:
        if name.endswith(".js"):
            asked |= set(re.findall(r'\bt\("([\w.]+)"', read(name)))
            asked |= set(re.findall(r'complain\("([\w.]+)"', read(name)))
    assert len(asked) > 100
    assert asked - set(WORDS["en"]) == set()


def test_the_english_in_the_page_is_that_of_the_dictionary() -> None:
    for key, text in re.findall(r'data-t="([\w.]+)"[^>]*>([^<]+)<', read("index.html")):
        assert WORDS["en"][key] == text, key


def test_nothing_is_inline_and_nothing_from_elsewhere(elements: list[tuple[str, dict[str, Any]]]) -> None:
    for tag, given in elements:
        assert "style" not in given
        assert not any(name.startswith("on") for name in given)
        for name in ("src", "href"):
            assert "//" not in (given.get(name) or ""), given
        if tag == "script":
            assert given.get("type") == "module"
            assert given.get("src", "").startswith("page/")
    assert "<style" not in read("index.html")
    for name in NAMES:
        if name.endswith(".css"):
            assert not re.search(r"url\(|@import", read(name)), name


@pytest.mark.parametrize("name", [name for name in NAMES if name.endswith(".js")])
def test_scripts_never_turn_text_into_markup(name: str) -> None:
    assert not re.search(r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function", read(name))


def test_every_import_leads_somewhere() -> None:
    for name in NAMES:
        if name.endswith(".js"):
            for target in re.findall(r'from "\./([\w.]+)"', read(name)):
                assert target in NAMES, f"{name} imports {target}"


def test_the_page_is_light() -> None:
    assert sum(len(PAGE.joinpath(name).read_bytes()) for name in NAMES if not name.startswith("example")) < 150_000
