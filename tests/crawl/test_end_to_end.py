"""Whole crawls of sites of our own, over the network, by the command that users run."""

from __future__ import annotations

import json
from pathlib import Path

from tests.crawl.sites import blog, by_path, crawl, fetched, forum, html, news, results, write_list
from tests.web import Answer, serve


def test_news_blog_and_forum_in_many_encodings(tmp_path: Path) -> None:
    sites = {
        "/news/gbk.html": html(news(0), "gbk", "gbk"),
        "/news/gb2312.html": html(news(1, charset="gb2312"), "gb2312"),
        "/news/utf8.html": html(news(2, extra="<p>天气很好😀，适合出门。大家都来了。</p>"), "utf-8", "utf-8"),
        "/news/utf16.html": html(news(3), "utf-16"),
        "/news/big5.html": html(BIG5, "big5"),
        "/news/unsaid.html": html(news(5), "gbk"),
        "/news/wrong.html": html(news(6, charset="iso-8859-1"), "gbk", "utf-8"),
        "/blog/1.html": html(blog(1), "utf-8", "gbk"),
        "/forum/1.html": html(forum(1), "gb18030", "gb2312"),
    }
    with serve(sites) as site:
        write_list(tmp_path, [site.url(path) for path in sites])
        rules = ("--type-rules", "/blog/=blog", "--type-rules", "/forum/=forum")
        run = crawl(tmp_path, *rules, "--unmappable", "entity", "--line-end", "crlf")
    found = by_path(tmp_path)
    assert {path: record["status"] for path, record in found.items()} == dict.fromkeys(sites, "ok")
    assert found["/news/utf16.html"]["encoding"] == "utf-16le"
    assert found["/news/wrong.html"]["encoding"] == "gb18030"
    assert found["/blog/1.html"]["encoding"] == "utf-8"
    # Files: by type and site, in GBK, paragraphs with two ideographic spaces in front of them.
    for path, number in (("/news/gbk.html", 0), ("/news/wrong.html", 6), ("/news/utf16.html", 3)):
        lines = (tmp_path / "out" / found[path]["file"]).read_bytes().decode("gbk").splitlines()
        assert lines[0] == f"排水工程第{number}期进展顺利"
        assert lines[1].startswith("　　本市今天上午举行")
        assert "版权所有" not in "".join(lines)
    post = (tmp_path / "out" / found["/blog/1.html"]["file"]).read_bytes().decode("gbk")
    assert post.splitlines()[0] == "山村周末第1记"
    assert "下次还想再来住几天。" in post
    assert "相关文章" not in post
    assert found["/forum/1.html"]["algorithm"] == "forum-zh"
    assert found["/forum/1.html"]["parts"] >= 4
    folders = {Path(record["file"]).parts[0] for record in found.values()}
    assert folders == {"news", "blog", "forum"}
    assert len({Path(record["file"]).parts[1] for record in found.values()}) == 1
    assert "9 pages" in run.stderr
    assert json.loads((tmp_path / "out" / "summary.json").read_text())["ok"] == 9
    # What GBK lacks is counted, and treated as asked.
    assert found["/news/utf8.html"]["replaced"] == 1
    assert "天气很好😀" in found["/news/utf8.html"]["text"]
    written = (tmp_path / "out" / found["/news/utf8.html"]["file"]).read_bytes()
    assert "天气很好&#x1F600;，适合出门。大家都来了。\r\n".encode("gbk") in written
    assert "1 characters that the output encoding lacks" in run.stderr
    gallery = (tmp_path / "out" / "gallery" / "index.html").read_text(encoding="utf-8")
    assert gallery.index("News") < gallery.index("Blogs") < gallery.index("Forums")


BIG5 = """<html><head><meta charset="big5"><title>車站改建</title></head><body><h1>車站改建</h1>
<p>車站的改建工程今天開始，預計明年春天完成。期間旅客請由東側的出口進出。</p>
<p>市長表示，新的車站會有更寬的月台，也會有給輪椅使用的電梯。居民都很期待。</p></body></html>"""


def test_links_are_followed_within_bounds_and_dropped_with_a_reason(tmp_path: Path) -> None:
    links = ["/b", "/b#part", "c", "mailto:a@example.org", "javascript:go()", "http://elsewhere.example/x", "/x.pdf"]
    links += ["/secret"]
    sites = {
        "/": html('<base href="/deep/">' + news(links=links)),
        "/b": html(news(1, links=["/", "/e"])),
        "/deep/c": html(news(2)),
        "/secret": html(news(3)),
        "/e": html(news(4)),
        "/robots.txt": Answer(b"User-agent: *\nDisallow: /secret\n", content_type="text/plain"),
    }
    with serve(sites) as site:
        write_list(tmp_path, [site.url("/")])
        crawl(tmp_path, "--follow-links", "--max-depth", "1", "--dropped-links", code=1)
        found = by_path(tmp_path)
        assert set(found) == {"/", "/b", "/deep/c", "/secret"}  # /e is two links away
        assert (found["/secret"]["status"], found["/secret"]["reason"]) == ("failed", "robots")
        assert sorted(fetched(site)) == ["/", "/b", "/deep/c"]
        dropped = {link["url"]: link["dropped"] for link in found["/"]["links"] if "dropped" in link}
        assert dropped["mailto:a@example.org"] == "mail"
        assert dropped["javascript:go()"] == "script"
        assert dropped["http://elsewhere.example/x"] == "other_host"
        assert dropped[site.url("/x.pdf")] == "media"
        assert dropped[site.url("/login?next=1")] == "excluded"
        assert found["/"]["dropped"]["duplicate"] == 1
        assert {link["text"] for link in found["/"]["links"] if link["url"].endswith("/b")} == {"栏目"}


def test_following_stops_at_the_number_of_pages(tmp_path: Path) -> None:
    sites = {f"/{at}": html(news(at, links=[f"/{at + 1}", f"/{at + 2}"])) for at in range(30)}
    sites["/"] = html(news(30))
    with serve(sites) as site:
        write_list(tmp_path, [site.url("/0")])
        crawl(tmp_path, "--follow-links", "--max-depth", "100", "--max-pages", "7", "--no-robots")
        assert len(fetched(site)) == len(results(tmp_path)) == 7


def test_each_page_once_however_it_is_written(tmp_path: Path) -> None:
    sites = {
        "/a": html(news(0)),
        "/old": Answer(b"", 301, {"Location": "/a"}),
        "/moved": Answer(b"", 302, {"Location": "/forum/9"}),
        "/forum/9": html(forum(9)),
        "/frames": html('<html><frameset cols="20%,*"><frame src="menu"><frame src="story"></frameset></html>'),
        "/menu": html(news(1, links=["/never"])),
        "/story": html(news(2)),
    }
    with serve(sites) as site:
        port = site.port
        write_list(
            tmp_path,
            [
                f"http://127.0.0.1:{port}/a",
                f"HTTP://127.0.0.1:{port}/a#part",
                f"http://127.0.0.1:{port}/old",
                f"http://127.0.0.1:{port}/moved",
                f"http://127.0.0.1:{port}/frames",
                "# a comment",
                "",
            ],
        )
        crawl(tmp_path, "--type-rules", "/forum/=forum")
        assert fetched(site).count("/a") == 1
        assert "/never" not in fetched(site)  # nothing is followed but the frames of a page of frames
    found = by_path(tmp_path)
    assert set(found) == {"/a", "/old", "/moved", "/frames", "/menu", "/story"}
    assert found["/old"]["status"] == "duplicate"
    assert found["/moved"]["type"] == "forum"  # the URL in the end decides
    assert found["/moved"]["final_url"].endswith("/forum/9")


def test_types_of_the_list_and_files_in_it(tmp_path: Path) -> None:
    (tmp_path / "saved.html").write_bytes(blog(4).encode("gbk"))
    text = "The council met on Tuesday to discuss the new bridge, and most of those present were in favour of it. "
    english = f"<body><ul><li><a href=/>Home</a></li></ul><div><p>{text * 3}</p><p>{text * 2}</p></div></body>"
    with serve({"/x": html(forum(2)), "/en": html(english)}) as site:
        listed = [f"{site.url('/x')}\tforum", f"{site.url('/en')}\tenglish"]
        write_list(tmp_path, [*listed, "saved.html\tblog", "missing.html", "ftp://example.org/a"])
        options = ("--algorithms", "english=default", "--output-encoding", "utf-8", "--output-format", "json")
        run = crawl(tmp_path, *options, code=1)
    records = {record["url"].rsplit("/", 1)[1]: record for record in results(tmp_path)}
    assert (records["x"]["type"], records["x"]["status"]) == ("forum", "ok")
    assert (records["saved.html"]["type"], records["saved.html"]["title"]) == ("blog", "山村周末第4记")
    assert records["saved.html"]["file"].startswith("blog/files/")
    assert records["missing.html"]["reason"] == "no_file"
    assert records["en"]["text"].startswith("　　The council met")
    assert json.loads((tmp_path / "out" / records["en"]["file"]).read_text(encoding="utf-8")) == records["en"]
    assert records["a"]["reason"] == "bad_url"
    assert "only http and https" in run.stderr


def test_responses_are_kept_and_taken_from_the_cache(tmp_path: Path) -> None:
    with serve({"/a": html(news(0))}) as site:
        write_list(tmp_path, [site.url("/a")])
        for out in ("one", "two"):
            crawl(tmp_path, "--http-cache", str(tmp_path / "cache"), "--output-dir", str(tmp_path / out))
        assert fetched(site) == ["/a"]
    assert (tmp_path / "two" / "results.jsonl").read_text().count("\n") == 1


def test_a_second_run_finds_nothing_to_do(tmp_path: Path) -> None:
    with serve({"/a": html(news(0)), "/b": Answer(b"", 500)}) as site:
        write_list(tmp_path, [site.url("/a"), site.url("/b")])
        crawl(tmp_path, "--retries", "0", code=1)
        first = (tmp_path / "out" / "results.jsonl").read_bytes()
        run = crawl(tmp_path)
        assert (tmp_path / "out" / "results.jsonl").read_bytes() == first
        assert "2 more were finished before" in run.stderr
        site.answers["/b"] = html(news(1))
        crawl(tmp_path, "--retry-failed")
        assert fetched(site) == ["/a", "/b", "/b"]
    assert {record["status"] for record in results(tmp_path)} == {"ok"}
    assert len(results(tmp_path)) == 2
