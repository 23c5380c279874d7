"""The pipeline in a Scrapy project of someone else's, run by Scrapy itself."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from duramen.crawl import DuramenPipeline
from duramen.errors import OptionError, UnknownAlgorithm
from tests.crawl.sites import forum, html, news
from tests.web import serve

SPIDER = """
from dataclasses import dataclass

import scrapy


class Article(scrapy.Item):
    response = scrapy.Field()
    title = scrapy.Field()
    text = scrapy.Field()


class MySpider(scrapy.Spider):
    name = "mine"
    custom_settings = {
        "ITEM_PIPELINES": {"duramen.crawl.DuramenPipeline": 300},
        "DURAMEN_ALGORITHM": "news-zh",
        "DURAMEN_FIELDS": ["url", "title", "text", "reason"],
        "DURAMEN_WORKERS": 1,
        "TELNETCONSOLE_ENABLED": False,
        "LOG_LEVEL": "WARNING",
    }

    def parse(self, response):
        yield {"response": response, "mine": 1}
        yield Article(response=response)
        yield {"body": response.body, "url": response.url, "charset": "gbk"}
        yield {"mine": "no page at all"}
"""


def test_in_a_project_of_its_own(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(SPIDER)
    with serve({"/a": html(news(1), "gbk", "gbk")}) as site:
        spider = f"import mine; mine.MySpider.start_urls = [{site.url('/a')!r}]"
        code = f"""{spider}
from scrapy.crawler import CrawlerProcess
feeds = {{"out.jsonl": {{"format": "jsonlines", "encoding": "utf-8"}}}}
process = CrawlerProcess({{"LOG_LEVEL": "WARNING", "FEEDS": feeds}})
process.crawl(mine.MySpider)
process.start()
"""
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(tmp_path), *sys.path])}
        run = subprocess.run(
            [sys.executable, "-c", code], cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=120
        )
    assert run.stderr == ""
    items = [json.loads(line) for line in (tmp_path / "out.jsonl").read_text(encoding="utf-8").splitlines()]
    pages = [item for item in items if "text" in item]
    assert len(items) == 4
    assert {"mine": "no page at all"} in items
    assert all(item["title"] == "排水工程第1期进展顺利" for item in pages)
    assert all(item["text"].startswith("排水工程第1期进展顺利") for item in pages)
    assert not any({"response", "body"} & set(item) for item in pages)
    assert {"url": site.url("/a"), "mine": 1} in [{k: item.get(k) for k in ("url", "mine")} for item in pages]
    assert {"title", "text"} in [set(item) for item in pages]  # an Item gets only the fields that it declares


@pytest.mark.parametrize(
    ("settings", "error"),
    [
        ({"chosen": "magic"}, UnknownAlgorithm),
        ({"options": {"nothing": 1}}, OptionError),
        ({"fields": ("everything",)}, OptionError),
        ({"seconds": 0}, OptionError),
    ],
)
def test_bad_settings_are_told_before_the_crawl(settings: dict[str, object], error: type[Exception]) -> None:
    with pytest.raises(error):
        DuramenPipeline(**settings)  # type: ignore[arg-type]


def test_the_workers_task_gives_every_field() -> None:
    from duramen.crawl.pipeline import Source, fields_of

    source = Source(forum(1).encode(), "http://example.org/", None, "forum-zh", "{}", ("text", "metadata", "standard"))
    found = fields_of(source)
    assert found["metadata"]["title"] == found["title"]
    assert found["standard"].startswith("　　")
    assert found["url"] == "http://example.org/"
