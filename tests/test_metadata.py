"""metadata: what pages say of themselves, and what they do not."""

from __future__ import annotations

import dataclasses
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from duramen.metadata import TITLE_CHARS, Metadata, bcp47, iso_date, metadata
from duramen.metadata.attributes import read_attributes
from duramen.metadata.text import one_line, shown_text
from tests.support import find, page_of

URL = "https://www.riverside-post.example/2024/03/bridge.html"


def of(html: str, url: str | None = None) -> Metadata:
    return metadata(page_of(html), url=url)


def linked(*objects: object) -> str:
    return "".join(f'<script type="application/ld+json">{json.dumps(item)}</script>' for item in objects)


def test_a_page_that_says_nothing() -> None:
    assert of("<p>Some words.") == Metadata()
    assert of("") == Metadata()


def test_a_page_that_says_everything() -> None:
    html = """
    <html lang="en-GB"><head>
      <title>Old bridge reopens | Riverside Post</title>
      <meta property="og:site_name" content="Riverside Post">
      <meta property="og:title" content="Old bridge reopens">
      <meta name="description" content="After  two years,
        walkers are back.">
      <meta name="author" content="Ada Miller">
      <meta property="article:published_time" content="2024-03-05T09:30:00Z">
      <meta property="og:image" content="/pictures/bridge.jpg">
      <link rel="canonical" href="/2024/03/bridge.html">
    </head><body><h1>Old bridge reopens</h1><p>Text.</p></body></html>
    """
    expected = Metadata(
        title="Old bridge reopens",
        author="Ada Miller",
        date="2024-03-05T09:30:00+00:00",
        site="Riverside Post",
        language="en-GB",
        description="After two years, walkers are back.",
        image="https://www.riverside-post.example/pictures/bridge.jpg",
        url="https://www.riverside-post.example/2024/03/bridge.html",
    )
    assert of(html, URL) == expected
    assert of(html, URL).to_dict() == dataclasses.asdict(expected)


# --- title --------------------------------------------------------------------------------------------------------


def test_the_title_that_an_algorithm_found_wins() -> None:
    page = page_of("<title>Page</title><h1>Page</h1><h2 id=t>The  <b>real</b> one</h2>")
    assert metadata(page, title_row=find(page, "h2#t")).title == "The real one"


def test_an_empty_row_is_no_title() -> None:
    page = page_of("<title>Page</title><h2 id=t> </h2>")
    assert metadata(page, title_row=find(page, "h2#t")).title == "Page"


@pytest.mark.parametrize("separator", [" - ", " | ", " :: ", " — ", " – ", "_", " » ", " « ", "|", " · "])
def test_the_heading_tells_the_title_from_the_site(separator: str) -> None:
    html = "<title>Old bridge reopens{}Daily Gull</title><h1>Old bridge reopens</h1>"
    assert of(html.format(separator)).title == "Old bridge reopens"


@pytest.mark.parametrize("separator", [" - ", " | ", " :: ", " — ", " – ", "_", " » "])
@pytest.mark.parametrize("order", ["{title}{separator}{site}", "{site}{separator}{title}"])
def test_the_name_of_the_site_is_cut_off(separator: str, order: str) -> None:
    title = order.format(title="Old bridge reopens", separator=separator, site="Riverside Post")
    html = f'<title>{title}</title><meta property="og:site_name" content="Riverside Post">'
    assert of(html).title == "Old bridge reopens"


@pytest.mark.parametrize("site", ["Riverside Post", "Riverside-Post.example", "The Riverside Post", "riverside-post"])
def test_the_site_may_be_known_by_its_host(site: str) -> None:
    assert of(f"<title>Old bridge reopens - {site}</title>", URL).title == "Old bridge reopens"


@pytest.mark.parametrize(
    "title",
    [
        "The bridge - a short history",
        "Bridge | Tunnel | Ferry: which is best",
        "snake_case and camelCase",
        "Spider-Man: no way home",
        "Either / or",
    ],
)
@pytest.mark.parametrize(
    "html", ["<title>{}</title>", "<title>{0} - Riverside Post</title><h1>{0}</h1>", "<h1>{}</h1>"]
)
def test_a_title_with_separators_stays_whole(title: str, html: str) -> None:
    assert of(html.format(title), URL).title == title


@pytest.mark.parametrize(
    ("html", "title"),
    [
        # The heading of a logo, an advertisement or a shelf is not the title.
        ("<title>Old bridge - Gull</title><h1><a href='/'>Gull</a></h1><h2>Old bridge</h2>", "Old bridge"),
        ("<title>Old bridge reopens</title><h1>Sign up for our letters today</h1>", "Old bridge reopens"),
        ("<title>Old bridge reopens - Gull</title><h1>Gull</h1><h1>Old bridge reopens</h1>", "Old bridge reopens"),
        # A heading that says it in other words is what readers see.
        ("<title>Bridge open after two years</title><h1>Old bridge open again</h1>", "Old bridge open again"),
        ("<title>x</title><h1>Two<br>lines<style>b{}</style><script>c()</script> of it</h1>", "x"),
        ("<h1>Two<br>lines<style>b{}</style><script>c()</script> of it</h1>", "Two lines of it"),
        ("<h1>5. Lists<a href='#lists'>¶</a></h1>", "5. Lists"),
        ("<svg><title>Icon</title></svg><p>text", None),
        ("<title>标题在这里_新闻_某某网</title><h1>标题在这里</h1>", "标题在这里"),
        ("<meta property='og:title' content='Tea &amp;amp; cake'>", "Tea & cake"),
    ],
)  # fmt: skip
def test_choice_of_title(html: str, title: str | None) -> None:
    assert of(html).title == title


def test_titles_are_one_clean_line_of_bounded_length() -> None:
    assert of("<title>\n A\x01\tB\u200b\u202e C </title>").title == "A B C"
    assert of(f"<title>{'word ' * 10_000}</title>").title == ("word " * 10_000)[:TITLE_CHARS].strip()


# --- author -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("html", "author"),
    [
        ("<meta name=author content='Ada Miller'>", "Ada Miller"),
        ("<meta name=author content='By Ada Miller'>", "Ada Miller"),
        ("<meta property='article:author' content='https://social.example/ada'>", None),
        ("<meta name=dc.creator content='A. Miller'><meta name=dc.creator content='B. Ho'>", "A. Miller, B. Ho"),
        ("<p>by <a rel='author nofollow' href='/ada'>Ada Miller</a>", "Ada Miller"),
        ("<p><span itemprop=author><i>By</i> <b>Ada Miller</b> 12 posts</span>", "Ada Miller"),
        ("<div class='post-author'>Written by Ada Miller</div>", "Ada Miller"),
        ("<div class='authority'>Harbour Office</div><div data-author=x>y</div>", None),
        (linked({"@type": "NewsArticle", "author": {"@type": "Person", "name": "Ada Miller"}}), "Ada Miller"),
        (linked({"@type": "Article", "author": ["Ada Miller", {"name": "Bo Ho"}]}), "Ada Miller, Bo Ho"),
        (linked({"@graph": [{"@type": "Article", "author": {"@id": "#ada"}}, {"@id": "#ada", "name": "Ada"}]}), "Ada"),
        (linked({"@type": "Article", "author": [7, None, {"name": ["Ada"]}, {}]}), "Ada"),
        (linked({"@type": "Organization", "author": "Nobody"}), None),
    ],
)  # fmt: skip
def test_author(html: str, author: str | None) -> None:
    assert of(html).author == author


def test_a_site_is_not_its_own_author() -> None:
    html = "<meta property=og:site_name content=Gull><meta name=author content=Gull><a rel=author>Ada Miller</a>"
    assert of(html).author == "Ada Miller"


# --- date ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "date"),
    [
        ("2024-03-05", "2024-03-05"),
        ("2024-03-05T09:30", "2024-03-05T09:30:00"),
        ("2024-03-05T09:30:15.123Z", "2024-03-05T09:30:15+00:00"),
        ("2024-03-05 09:30:15 +0100", "2024-03-05T09:30:15+01:00"),
        ("2024/3/5", "2024-03-05"),
        ("20240305", "2024-03-05"),
        ("2005年5月7日 21:23", "2005-05-07T21:23:00"),
        ("Tue, 05 Mar 2024 09:30:00 GMT", "2024-03-05T09:30:00+00:00"),
        ("March 5th, 2024", "2024-03-05"),
        ("5 Sept. 2024", "2024-09-05"),
        ("5. März 2024", "2024-03-05"),
        ("5 de mayo de 2024", "2024-05-05"),
        ("14 juillet 2024", "2024-07-14"),
        ("14 juin 2024", "2024-06-14"),
        ("05.03.2024", "2024-03-05"),
        ("Posted on Mar 5, 2024 by Ada", "2024-03-05"),
        ("03/04/2024", None),  # March or April
        ("2024-02-30", None),
        ("2024-13-01", None),
        ("room 5 abc 2024", None),
        ("yesterday", None),
        ("1709631000", None),
        ("", None),
    ],
)
def test_iso_date(text: str, date: str | None) -> None:
    assert iso_date(text) == date


@pytest.mark.parametrize(
    ("html", "date"),
    [
        ("<meta name=date content='not yet'><meta name=pubdate content=2024-03-05>", "2024-03-05"),
        ("<meta itemprop=datePublished content=2024-03-05>", "2024-03-05"),
        (linked({"@type": "BlogPosting", "datePublished": "2024-03-05"}), "2024-03-05"),
        ("<time datetime=2020-01-01>then</time><time pubdate datetime=2024-03-05>now</time>", "2024-03-05"),
        ("<h1>Old bridge</h1><p><span>March 5, 2024</span>", "2024-03-05"),
        ("<h1>Old bridge</h1><p>It was built from 2 May 1903 on, and in 1907 the first train went over it.", None),
        ("<p>March 5, 2024", None),
    ],
)  # fmt: skip
def test_date(html: str, date: str | None) -> None:
    assert of(html).date == date


# --- addresses ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("html", "url", "image"),
    [
        ("<meta property=og:image content=https://a.example/i.png>", None, "https://a.example/i.png"),
        ("<meta property=og:image content=i.png>", None, None),
        ("<meta property=og:image content=i.png>", URL, "https://www.riverside-post.example/2024/03/i.png"),
        ("<base href=/static/><meta property=og:image content=i.png>", URL, "https://www.riverside-post.example/static/i.png"),
        ("<base href=https://b.example/><meta property=og:image content=i.png>", None, "https://b.example/i.png"),
        ("<meta property=og:image content='data:image/png;base64,AAAA'>", URL, None),
        ("<meta property=og:image content='javascript:x()'>", URL, None),
        ("<meta property=og:image content='http://[bad'><meta name=twitter:image content=//c.example/i>", URL, "https://c.example/i"),
        ("<meta property=og:image content='https://a.example/my picture.png'>", None, "https://a.example/my%20picture.png"),
        (linked({"@type": "Article", "image": [{"url": "https://a.example/i.png"}]}), None, "https://a.example/i.png"),
        (linked({"@type": "Organization", "image": "https://a.example/logo.png"}), None, None),
    ],
)  # fmt: skip
def test_image(html: str, url: str | None, image: str | None) -> None:
    assert of(html, url).image == image


@pytest.mark.parametrize(
    ("html", "url"),
    [
        ("<link rel=canonical href=/b.html>", "https://www.riverside-post.example/b.html"),
        ("<link rel=canonical href='mailto:a@b.example'>", URL),
        ("<meta property=og:url content=https://c.example/x>", "https://c.example/x"),
        ("<p>nothing", URL),
    ],
)
def test_url(html: str, url: str) -> None:
    assert of(html, URL).url == url


@pytest.mark.parametrize("url", ["not a url", "http://[bad", "ftp://a.example/x", "", "http://"])
def test_a_useless_url_is_no_trouble(url: str) -> None:
    html = "<title>A - B</title><h1><a href='//[x'>A</a></h1><link rel=canonical href=//[y>"
    assert of(html, url).url is None


# --- JSON-LD ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "source",
    ["{", "", "null", "7", '"text"', "[[[]]]", "[" * 100_000, '{"@type": "Article", "headline": ', "1" + "0" * 9000],
)  # fmt: skip
def test_malformed_json_is_ignored(source: str) -> None:
    html = f'<script type="application/ld+json">{source}</script>{linked({"@type": "Article", "headline": "Bridge"})}'
    assert of(html).title == "Bridge"


def test_oversized_json_is_ignored() -> None:
    assert of(linked({"@type": "Article", "headline": "Bridge", "articleBody": "x" * 300_000})).title is None


def test_articles_are_preferred_to_other_objects() -> None:
    graph = [
        {"@type": "WebSite", "name": "Gull"},
        {"@type": "WebPage", "description": "of the page"},
        {"@type": ["NewsArticle", "Article"], "description": "of the article"},
    ]
    found = of(linked({"@context": "https://schema.org", "@graph": graph}))
    assert (found.site, found.description) == ("Gull", "of the article")


def test_the_publisher_names_the_site() -> None:
    assert of(linked({"@type": "Article", "publisher": {"name": "Riverside &amp; Post"}})).site == "Riverside & Post"


# --- language -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "tag"),
    [
        ("en", "en"),
        ("EN_us", "en-US"),
        (" zh-hant-tw ", "zh-Hant-TW"),
        ("sr-Latn", "sr-Latn"),
        ("es-419", "es-419"),
        ("de-DE-1996", "de-DE"),
        ("en, de", "en"),
        ("en_GB.UTF-8", "en-GB"),
        ("und", None),
        ("english", None),
        ("{{lang}}", None),
        ("", None),
    ],
)
def test_bcp47(text: str, tag: str | None) -> None:
    assert bcp47(text) == tag


@pytest.mark.parametrize(
    ("html", "language"),
    [
        ("<html lang=fr><meta property=og:locale content=de_DE>", "fr"),
        ("<html lang=''><meta property=og:locale content=de_DE>", "de-DE"),
        ("<html><meta http-equiv=content-language content=pt-br>", "pt-BR"),
        ("<html xml:lang=nl>", "nl"),
    ],
)
def test_stated_language(html: str, language: str) -> None:
    assert of(html).language == language


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("昨天下午，市图书馆举办了一场讲座。", "zh"),
        ("昨日の午後、図書館で講演会がありました。", "ja"),
        ("어제 오후 도서관에서 강연이 열렸습니다.", "ko"),
        ("Вчера в городской библиотеке был вечер о старых мостах.", "ru"),
        ("Учора в міській бібліотеці відбулася лекція про її мости.", "uk"),
        ("Вчера в градската библиотека се състоя лекция за мостовете.", "bg"),
        ("Јуче је у градској библиотеци одржано предавање о мостовима.", "sr"),
        ("Вчора ми говорили про мости", None),  # nothing that only one language has
        ("Χθες στη βιβλιοθήκη έγινε μια διάλεξη.", "el"),
        ("אתמול התקיימה בספרייה הרצאה על גשרים.", "he"),
        ("أقيمت أمس في مكتبة المدينة محاضرة عن الجسور.", "ar"),
        ("دیروز در کتابخانهٔ شهر دربارهٔ پل‌ها گفت‌وگو شد.", "fa"),
        ("เมื่อวานมีการบรรยายที่ห้องสมุด", "th"),
        ("कल पुस्तकालय में पुलों पर व्याख्यान हुआ है।", "hi"),
        ("Yesterday there was a talk on bridges.", None),
        ("Yesterday there was a talk on the word 橋 in the library of the old town.", None),
        ("12:30 — 14.50 €", None),
    ],
)
def test_language_by_script(text: str, language: str | None) -> None:
    assert (
        of(f"<script>var latin = 'letters that nobody reads, a great many of them';</script><p>{text}</p>").language
        == language
    )


def test_a_template_in_english_does_not_make_chinese_english() -> None:
    assert of(f"<html lang=en><p>{'昨天下午，市图书馆举办了一场讲座。' * 10}").language == "zh"
    assert of("<html lang=en><p>A talk on the word 橋, in English.").language == "en"


# --- any page -----------------------------------------------------------------------------------------------------


PIECES = """
    <h1> </h1> <title> </title> <meta content= name=author property=og:title itemprop=author <a href='/' rel=author>
    <time datetime= <base href= // http://[ </script> <script type=application/ld+json> {"@graph":[ ]} {"author":{} <br>
    <style> class=author-name 2024-03-05 - | _ 橋 Ada &amp; \ufffd <html lang= <link rel=canonical href= <svg>
"""


@given(st.lists(st.sampled_from(PIECES.split())))
def test_nothing_raises(pieces: list[str]) -> None:
    found = of(" ".join(pieces), URL)
    assert all(value is None or value == value.strip() != "" for value in found.to_dict().values())


def test_a_deep_page_is_no_trouble() -> None:
    html = "<title>Deep</title><h1>" + "<b>" * 50_000 + "Deep" + "</b>" * 50_000
    assert of(html).title == "Deep"


def test_only_the_fields_that_are_asked_for() -> None:
    source = "<html lang=en><title>Ships</title><meta name=author content='Ada Miller'><h1>Ships</h1><h2>Boats</h2>"
    page = page_of(source)
    whole = metadata(page, url="https://a.example/1").to_dict()
    assert (whole["title"], whole["author"], whole["language"]) == ("Ships", "Ada Miller", "en")
    for name in whole:
        alone = metadata(page, url="https://a.example/1", only=(name,)).to_dict()
        assert alone == {**dict.fromkeys(whole), name: whole[name]}
    assert metadata(page, title_row=page.first("h2"), only=("author",)).title is None
    assert metadata(page, title_row=page.first("h2")).title == "Boats"


@pytest.mark.parametrize(
    ("heading", "title"),
    [
        ("Ships ¶", "Ships"),
        ("Ships#\n ", "Ships"),
        ("C# and F§ \t", "C# and F"),
        ("#1 ships", "#1 ships"),
        ("a # #", "a #"),
    ],
)
def test_a_sign_that_links_a_heading_to_itself_is_no_part_of_it(heading: str, title: str) -> None:
    assert metadata(page_of(f"<h1>{heading}</h1>")).title == title


def test_the_shown_text_of_an_element() -> None:
    inner = "a<br>b<b>c<script>d</script>e</b><svg><title>f</title><g>g</g></svg>h&#8203;"
    page = page_of(f"<title>T</title><h1>{inner}</h1><p>i<b>j</b></p>")
    rows = {name: page.first(name) for name in ("title", "h1", "p")}
    assert {name: shown_text(page, row or 0) for name, row in rows.items()} == {
        "title": "T",
        "h1": "a bceh\u200b",
        "p": "ij",
    }
    assert one_line("a\u200b b\u00a0c\n") == "a b c"


def test_a_shown_date_may_have_digits_of_another_script() -> None:
    assert metadata(page_of("<h1>Ships</h1><p>12 May 20２４</p>")).date == "2024-05-12"
    assert metadata(page_of("<h1>Ships</h1><p>of May, 20 ships</p>")).date is None


def test_attributes_of_many_elements_are_those_of_each() -> None:
    page = page_of("<p><a id=1 href=x class='a b'>y<b></b></a><i hidden title=z href>t</i><br id='é'>")
    rows = [find(page, name) for name in ("br", "b", "a", "i")]
    wanted = frozenset((b"id", b"href", b"title"))
    alone = [{name: value for name, value in page.attributes(row).items() if name.encode() in wanted} for row in rows]
    found = [
        {name.decode(): value.decode() for name, value in some.items()} for some in read_attributes(page, rows, wanted)
    ]
    assert found == alone == [{"id": "é"}, {}, {"id": "1", "href": "x"}, {"title": "z", "href": ""}]
    assert read_attributes(page, [], wanted) == []
    assert read_attributes(page, rows[1:2], wanted) == [{}]
