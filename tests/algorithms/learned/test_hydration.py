"""Text that scripts carry."""

from __future__ import annotations

import json

import pytest

from duramen.algorithms.learned.hydration import STRINGS, recovered
from tests.support import page_of

SENTENCE = "The storm reached the coast at noon, and the harbour was closed for the rest of the day. "
STORY = SENTENCE * 8


def script(source: str, attributes: str = "") -> str:
    return f"<html><body><div id=root></div><script {attributes}>{source}</script></body></html>"


@pytest.mark.parametrize(
    "page",
    [
        script(json.dumps({"@type": "NewsArticle", "articleBody": STORY}), "type=application/ld+json"),
        script(json.dumps({"props": {"post": {"content": STORY}}}), "id=__NEXT_DATA__ type=application/json"),
        script(f"window.__INITIAL_STATE__ = {json.dumps({'a': undefined}, ensure_ascii=False)};")
        if (undefined := {"body": STORY})
        else "",
        script(f"window.__NUXT__=(function(a,b){{return {{data:[{{text:{json.dumps(STORY)}}}]}}}}(null,1));"),
        script(f"window.__STATE__ = JSON.parse({json.dumps(json.dumps({'text': STORY}))})"),
        script(f"self.__next_f.push([1,{json.dumps('5:' + json.dumps({'children': STORY}))}])"),
    ],
)
def test_where_text_is_found(page: str) -> None:
    found = recovered(page_of(page))
    assert found is not None
    assert found.words == len(STORY.split())
    assert SENTENCE.strip() in found.html


def test_paragraphs_under_one_key_belong_together() -> None:
    blocks = [{"type": "paragraph", "text": f"{number}. {SENTENCE}"} for number in range(5)]
    found = recovered(page_of(script(json.dumps({"teaser": SENTENCE, "blocks": blocks}))))
    assert found is not None
    assert found.key == "text"
    assert found.html.count("<p>") == 5


def test_markup_stays_markup_and_text_is_escaped() -> None:
    found = recovered(
        page_of(script(json.dumps({"html": f"<p>{STORY}</p><ul><li>One</li></ul>"}).replace("</", "<\\/")))
    )
    assert found is not None and "<ul><li>One</li></ul>" in found.html
    found = recovered(page_of(script(json.dumps({"text": f"a < b & c. {STORY}\nNext line."}))))
    assert found is not None and found.html.startswith("<p>a &lt; b &amp; c. ") and "<p>Next line.</p>" in found.html


def test_what_stands_under_article_body_goes_before_longer_text() -> None:
    data = {"articleBody": STORY, "other": STORY * 3}
    found = recovered(page_of(script(json.dumps(data))))
    assert found is not None and found.key == "articleBody"


@pytest.mark.parametrize(
    "source",
    [
        "",
        "var x = 1;",
        json.dumps({"cookieText": STORY}),
        json.dumps({"privacy": STORY}),
        json.dumps({"css": ".a { color: red; } " * 40}),
        json.dumps({"text": "function () { return a; }\n" * 40}),
        json.dumps({"data": "QUJDRA" * 100}),
        json.dumps({"text": "word " * 200}),  # no sentence
        '"' + "a" * 100_000,
        '"\\' * 50_000,
        "[" * 100_000,
    ],
)
def test_what_is_no_text(source: str) -> None:
    assert recovered(page_of(script(source))) is None


def test_chinese_text() -> None:
    found = recovered(
        page_of(script(json.dumps({"content": "台风今天中午登陆沿海地区，港口已经关闭。" * 10}, ensure_ascii=False)))
    )
    assert found is not None and found.words >= 60


def test_a_page_with_more_strings_than_are_read() -> None:
    found = recovered(
        page_of(script(json.dumps([{"text": f"{number} {SENTENCE}"} for number in range(STRINGS + 500)])))
    )
    assert found is not None
    assert found.html.count("<p>") == STRINGS
