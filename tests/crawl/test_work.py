"""What a worker makes of a page: formats, encodings, and the default encoding where nothing says which."""

from __future__ import annotations

import pytest

from duramen.crawl.links import LinkFilter
from duramen.crawl.work import Job, process
from tests.crawl.sites import forum, news

URL = "http://example.org/a"


@pytest.mark.parametrize(
    ("output", "start"),
    [
        ("txt", "排水工程第0期进展顺利\n　　本市今天"),
        ("html", "<!DOCTYPE html>"),
        ("markdown", "# 排水工程"),
        ("json", ""),
    ],
)
@pytest.mark.parametrize("encoding", ["gbk", "utf-8", "utf-16-le"])
def test_formats(output: str, start: str, encoding: str) -> None:
    made = process(Job(news().encode(), URL, None, "news-zh", output=output, encoding=encoding))  # type: ignore[arg-type]
    written = made.file.decode(encoding)
    assert written.startswith(start)
    assert output == "json" or "有关部门" not in written or "本市" in written
    assert made.text.startswith("排水工程第0期进展顺利\n　　本市今天")
    if output == "html":
        assert f'<meta charset="{encoding}">' in written


def test_html_can_write_every_character() -> None:
    page = news(extra="<p>天气很好😀，适合出门。大家都来了。</p>").encode()
    made = process(Job(page, URL, None, "news-zh", output="html"))
    assert "天气很好&#x1F600;" in made.file.decode("gbk")
    assert made.replaced == 0


@pytest.mark.parametrize(
    ("encoding", "default", "found"),
    [
        ("gbk", "gb18030", "gb18030"),
        ("utf-8", "gb18030", "utf-8"),
        ("utf-16-le", "gb18030", "utf-16le"),
        ("big5", "big5", "big5"),
        ("gbk", "", "gb18030"),
    ],
)
def test_the_default_encoding_is_for_pages_that_say_nothing(encoding: str, default: str, found: str) -> None:
    text = "<p>今天天氣很好。</p><p>我們去看大海。</p>" if encoding == "big5" else news()
    made = process(Job(text.encode(encoding), URL, None, "everything", charset_default=default))
    assert made.encoding == found
    assert "今天" in made.text


def test_settings_headings_parts_and_links() -> None:
    job = Job(forum(1).encode(), URL, None, "forum-zh", settings='{"min_length": 1000}', links=LinkFilter())
    assert process(job).reason == "no_content"
    assert process(job).file == b""
    made = process(Job(forum(1).encode(), URL, None, "forum-zh"))
    assert len(made.parts) >= 4
    found = process(Job(news(links=["/b"]).encode(), URL, None, "news-zh", links=LinkFilter()))
    assert [link["url"] for link in found.links] == ["http://example.org/", "http://example.org/b"]
    assert found.dropped == {"same_page": 1, "excluded": 1, "media": 1}
