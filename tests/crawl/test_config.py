"""The configuration: every key from a file and the command line, and errors that name the key and its line."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from duramen.crawl.config import KEYS, Config, load
from duramen.crawl.lists import read_list
from duramen.errors import InputError, OptionError

EVERYTHING = """
url_list = "urls.txt"
default_type = "forum"
type_rules = [
    {pattern = '^https?://blog\\.', type = "blog"},
    ["/docs/", "docs"],
]
follow_links = true
timeout = 5
rate = 12.5
link_exclude = ["x", "y"]

[algorithms]
docs = "cetd"

[news]
fixed_words = ["版权"]
[coreex]
threshold = 0.8
[blog]
min_similarity = 0.3
[forum]
min_length = 5
[docs]
variant = "DS"
"""


def written(folder: Path, text: str) -> Path:
    path = folder / "config.toml"
    path.write_text(text, encoding="utf-8")
    return path


def test_a_file_with_everything(tmp_path: Path) -> None:
    text = EVERYTHING.replace('[docs]\nvariant = "DS"\n', "")
    config = load(written(tmp_path, text), {"timeout": "7", "forum.min_length": "9", "robots": "off"})
    assert config.url_list == str(tmp_path / "urls.txt")  # relative to the file
    assert config.timeout == 7.0
    assert config.rate == 12.5
    assert config.robots is False
    assert config.link_exclude == ("x", "y")
    assert config.type_of("http://blog.example.org/docs/") == "blog"  # the first rule that matches
    assert config.type_of("http://example.org/docs/") == "docs"
    assert config.type_of("http://example.org/") == "forum"
    assert config.algorithm("news") == ("news-zh", {"threshold": 0.8, "fixed_words": ["版权"]})
    assert config.algorithm("forum") == ("forum-zh", {"min_length": "9"})
    assert config.algorithm("docs") == ("cetd", {})


def test_defaults_are_the_specified_ones() -> None:
    config = Config()
    assert (config.default_type, config.follow_links, config.max_pages, config.max_depth) == ("news", False, 1000, 1)
    assert (config.same_host, config.timeout, config.retries, config.rate) == (True, 10.0, 1, 80.0)
    assert (config.charset_default, config.output_encoding, config.unmappable) == ("gb18030", "gbk", "replace")
    assert (config.output_format, config.max_bytes, config.max_redirects, config.robots) == ("txt", 5_000_000, 5, True)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("timeout = 3\ntimeuot = 4", "line 2: there is no key 'timeuot': did you mean 'timeout'?"),
        ("\n\ntimeout = 'soon'", "line 3: timeout takes a number"),
        ("timeout = 0", "line 1: timeout is above 0"),
        ("max_pages = 0", "line 1: max_pages is 1 or more, not 0"),
        ("follow_links = 'perhaps'", "line 1: follow_links takes true or false"),
        ("output_format = 'pdf'", "line 1: output_format takes one of txt, json, html, markdown"),
        ("output_encoding = 'klingon'", "line 1: output_encoding: unknown encoding 'klingon'"),
        ("output_encoding = 'rot13'", "line 1: output_encoding: unknown encoding 'rot13'"),
        ("unmappable = 'ignore'", "line 1: unmappable takes one of replace, entity, drop"),
        ("link_exclude = [\n  'a',\n  '(',\n]", "line 3: link_exclude: '(' is no regular expression"),
        ("type_rules = [{pattern = '[', type = 'news'}]", "line 1: type_rules: '[' is no regular expression"),
        ("[[type_rules]]\npattern = 'x'\ntype = 'novel'", "line 3: type_rules: there is no type 'novel'"),
        ("type_rules = 3", "line 1: type_rules takes a list of rules"),
        ("default_type = 'nwes'", "line 1: default_type: there is no type 'nwes': did you mean 'news'?"),
        ("timeout = 3\n[forum]\nmin_lenght = 4", "line 3: forum.min_lenght: forum-zh has no option 'min_lenght'"),
        ("[forum]\n\nnoise_patterns = ['(']", "line 3: forum.noise_patterns: forum-zh"),
        ("[coreex]\nthreshold = 7", "line 2: coreex.threshold: news-zh"),
        ("[algorithms]\nnews = 'magic'", "line 2: algorithms.news: unknown algorithm 'magic'"),
        ("[nonsense]\na = 1", "line 1: there is no key 'nonsense'"),
        ("user_agent = ''", "line 1: user_agent is written in plain Latin letters"),
        ("timeout = ", "is no TOML"),
    ],
)
def test_errors_name_the_key_and_its_line(tmp_path: Path, text: str, message: str) -> None:
    path = written(tmp_path, text)
    with pytest.raises(OptionError, match=re.escape(message)) as told:
        load(path)
    assert str(told.value).startswith(str(path))


@pytest.mark.parametrize(
    ("overrides", "message"),
    [
        ({"timeout": "soon"}, "timeout takes a number, 0 or more, not 'soon'"),
        ({"type_rules": ["no rule"]}, "type_rules takes a list of rules"),
        ({"forum.min_length": "many"}, "forum.min_length: forum-zh: option min_length takes whole number"),
        ({"workers": "0"}, "workers is 1 or more"),
        ({"rate": "nan"}, "rate takes a number"),
    ],
)
def test_errors_on_the_command_line_name_the_key(overrides: dict[str, object], message: str) -> None:
    with pytest.raises(OptionError, match=re.escape(message)):
        load(None, overrides)


def test_an_error_on_the_command_line_is_not_the_files(tmp_path: Path) -> None:
    with pytest.raises(OptionError, match=r"^timeout takes a number"):
        load(written(tmp_path, "timeout = 3"), {"timeout": "soon"})


def test_every_key_is_documented() -> None:
    text = (Path(__file__).parents[2] / "docs" / "crawl.md").read_text(encoding="utf-8")
    assert [name for name in KEYS if f"`{name}`" not in text] == []


def test_lists(tmp_path: Path) -> None:
    path = tmp_path / "urls.txt"
    path.write_bytes(
        "\ufeff# pages\nhttp://a.example/#x\tblog\n\n  page.html \nhttp://[bad\ngopher://x.example/\n".encode()
    )
    entries = list(read_list(path, ("news", "blog")))
    assert [(entry.url, entry.type) for entry in entries[:2]] == [
        ("http://a.example/", "blog"),
        ((tmp_path / "page.html").as_uri(), None),
    ]
    assert [entry.problem for entry in entries[2:]] == [
        "it is no URL",
        "only http and https URLs are fetched, not gopher",
    ]
    path.write_text("http://a.example/\tnovel\n")
    with pytest.raises(OptionError, match=r"urls\.txt, line 1: there is no type 'novel'"):
        list(read_list(path, ("news", "blog")))
    with pytest.raises(InputError, match="cannot read the URL list"):
        list(read_list(tmp_path / "missing.txt", ()))
