"""One contract for every algorithm: what holds whatever the paper."""

from __future__ import annotations

import json
import pickle
from concurrent.futures import ThreadPoolExecutor
from dataclasses import fields, is_dataclass
from typing import Any

import numpy as np
import pytest

import duramen
from duramen.algorithms import ALGORITHMS, Algorithm, settings
from duramen.algorithms.pso import Pso
from duramen.page import Page, Selection
from tests.support import kept_text, page_of, words

LOREM = "The storm reached the coast at noon, and the harbour was closed. Nobody was hurt, the mayor said. "
NAV = "<ul>" + "".join(f"<li><a href=/{k}>Section {k}</a></li>" for k in range(12)) + "</ul>"
ARTICLE = (
    f"<html><head><title>Storm at the coast</title></head><body>{NAV}<div id=main><h1>Storm at the coast</h1>"
    + "".join(f"<p>{LOREM * 4}</p>" for _ in range(8))
    + "</div><div id=foot><a href=/c>Contact</a> <a href=/i>Imprint</a></div></body></html>"
)
CHINESE = (
    "<html><head><title>台风登陆沿海</title></head><body><div><a href=1>首页</a> <a href=2>新闻</a></div>"
    "<div><h1>台风登陆沿海</h1>"
    + "<p>台风今天中午登陆沿海地区，港口已经关闭。市长表示，目前没有人员伤亡，救援工作正在进行。</p>" * 6
    + "</div><div><a href=3>联系我们</a></div></body></html>"
)
PAGES = {
    "empty": "",
    "blank": " \n\t ",
    "no body": "<html><head><title>x</title></head></html>",
    "frameset": "<html><frameset><frame src=a></frameset></html>",
    "only tags": "<div><p></p><br><hr></div>",
    "only scripts": "<body><script>var x = 'hello, world. again.';</script><style>p {}</style></body>",
    "only links": f"<body>{NAV}</body>",
    "one text node": "Just one text. Nothing else, really.",
    "one word": "<p>word",
    "article": ARTICLE,
    "chinese": CHINESE,
    "unclosed": "<div><p>One, two.<p>Three, four.<ul><li>Five<li>Six<table><tr><td>Seven, eight.",
    "deep": "<span>" * 20_000 + "deep text, here." + "</span>" * 20_000,
    "wide": "<body>" + f"<p>{words(9, 'w')}, end.</p>" * 20_000,
    "long text": "<p>" + LOREM * 20_000,
    "long attribute": f"<p title='{'x' * 1_000_000}'>Some text, with an attribute.</p>",
    "controls": "<p>a\0b\x01c, \x7f\x9f.\ufffe</p>",
    "bidi and zero width": "<p>\u202eabc\u202c\u200b, d\u00ade\ufeff.</p>",
    "surrogate text": "<p>a\ud800b, c.</p>",
    "svg and math": "<p>x, <svg><title>t</title><text>u</text></svg><math><mi>y</mi></math>.</p>",
    "form": f"<form><p>{LOREM}</p><select><option>a<option>b</select><input value=x><textarea>t</textarea></form>",
    "table layout": f"<table><tr><td>{NAV}</td><td>{LOREM * 5}<br>{LOREM}</td></tr></table>",
}


@pytest.fixture(params=sorted(ALGORITHMS))
def algorithm(request: pytest.FixtureRequest) -> Algorithm:
    kind: Any = ALGORITHMS[request.param]
    chosen: Algorithm = kind()
    return chosen


@pytest.fixture(scope="module")
def parsed() -> dict[str, Page]:
    return {name: duramen.parse(html) for name, html in PAGES.items()}


def same(one: Selection, other: Selection) -> bool:
    """Whether two selections are equal in every part."""
    for entry in fields(Selection):
        a, b = getattr(one, entry.name), getattr(other, entry.name)
        if isinstance(a, np.ndarray):
            if not np.array_equal(a, b, equal_nan=a.dtype.kind == "f"):
                return False
        elif entry.name == "columns":
            if list(a) != list(b) or not all(np.array_equal(a[k], b[k], equal_nan=a[k].dtype.kind == "f") for k in a):
                return False
        elif entry.name == "blocks":
            if (a is None) != (b is None) or (a is not None and not np.array_equal(a.rows, b.rows)):
                return False
        elif entry.name == "trace":
            if json.dumps(dict(a)) != json.dumps(dict(b)):
                return False
        elif a != b:
            return False
    return True


@pytest.mark.parametrize("name", PAGES)
def test_every_page_gives_a_well_formed_selection(algorithm: Algorithm, parsed: dict[str, Page], name: str) -> None:
    page = parsed[name]
    selection = algorithm.select(page)
    assert selection.kept.shape == (len(page),)
    assert selection.kept.dtype == np.bool_
    units = len(page) if selection.blocks is None else len(selection.blocks)
    for column, values in selection.columns.items():
        assert len(values) == units, column
    if selection.score is not None:
        assert selection.score.shape == (units,)
        assert not np.isinf(selection.score).any()
    json.dumps(dict(selection.trace), allow_nan=False)
    has_text = bool(kept_text(page, selection))
    assert has_text == (selection.reason is None), "empty exactly when there is a reason"
    if selection.title is not None:
        assert page.tag[selection.title] != 0 or page.chars[selection.title] > 0


@pytest.mark.parametrize("name", ["empty", "blank", "no body", "only tags", "only scripts"])
def test_nothing_to_read_gives_nothing(algorithm: Algorithm, parsed: dict[str, Page], name: str) -> None:
    selection = algorithm.select(parsed[name])
    assert kept_text(parsed[name], selection) == ""
    assert selection.reason is not None


@pytest.mark.parametrize("name", ["article", "chinese"])
def test_an_article_is_found(algorithm: Algorithm, parsed: dict[str, Page], name: str) -> None:
    selection = algorithm.select(parsed[name])
    text = kept_text(parsed[name], selection)
    if isinstance(algorithm, Pso) and name == "chinese":
        # It goes by the stop words of fourteen languages: others are refused, and it says so.
        assert selection.flags == ("unlisted_language",)
        return
    assert ("港口已经关闭" if name == "chinese" else "harbour was closed") in text


def test_scripts_and_styles_never_come_out(algorithm: Algorithm) -> None:
    page = page_of(ARTICLE.replace("<p>", "<script>var secret, x. y.</script><style>.secret, p {}</style><p>"))
    assert "secret" not in kept_text(page, algorithm.select(page))


@pytest.mark.parametrize("name", ["article", "chinese", "unclosed", "table layout", "form"])
def test_the_same_page_gives_the_same_selection(algorithm: Algorithm, parsed: dict[str, Page], name: str) -> None:
    first = algorithm.select(parsed[name])
    assert same(first, algorithm.select(parsed[name]))
    assert same(first, algorithm.select(duramen.parse(PAGES[name])))


def test_the_page_is_left_alone(algorithm: Algorithm, parsed: dict[str, Page]) -> None:
    page = parsed["article"]
    before = pickle.dumps(page)
    algorithm.select(page)
    assert pickle.dumps(page) == before


def test_algorithms_and_their_results_are_picklable(algorithm: Algorithm, parsed: dict[str, Page]) -> None:
    page = parsed["article"]
    again, copy = pickle.loads(pickle.dumps(algorithm)), pickle.loads(pickle.dumps(page))
    assert again == algorithm
    assert same(again.select(copy), algorithm.select(page))


def test_many_threads_give_the_same_result(algorithm: Algorithm, parsed: dict[str, Page]) -> None:
    names = ["article", "chinese", "unclosed", "table layout"] * 8
    alone = {name: algorithm.select(parsed[name]) for name in set(names)}
    with ThreadPoolExecutor(8) as pool:
        for name, selection in zip(names, pool.map(lambda name: algorithm.select(parsed[name]), names)):
            assert same(selection, alone[name])


def test_settings_are_frozen_and_listed(algorithm: Algorithm) -> None:
    kind: Any = type(algorithm)
    listed = settings(kind)
    assert is_dataclass(kind)
    assert [setting.name for setting in listed] == [entry.name for entry in fields(kind) if entry.init]
    assert kind.__doc__
    assert algorithm.paper
    for setting in listed:
        with pytest.raises(AttributeError):
            setattr(algorithm, setting.name, None)


def test_extract_takes_the_object_and_the_name(algorithm: Algorithm) -> None:
    name = next(name for name, kind in ALGORITHMS.items() if kind is type(algorithm))
    by_object, by_name = duramen.extract(ARTICLE, algorithm=algorithm), duramen.extract(ARTICLE, algorithm=name)
    assert by_object.text == by_name.text != ""
    assert by_object.algorithm == by_name.algorithm == name
