"""Which links a page has, and why most of them are not followed."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from duramen.crawl.links import LinkFilter
from duramen.crawl.urls import canonical, file_stem, join, quick, site_folder
from tests.support import page_of

HERE = "http://example.org/news/today.html"


def judged(html: str, **settings: object) -> dict[str, str | None]:
    found = LinkFilter(**settings).links(page_of(html), HERE)  # type: ignore[arg-type]
    return {link.url: link.dropped for link in found}


@pytest.mark.parametrize(
    ("href", "target", "reason"),
    [
        ("a.html", "http://example.org/news/a.html", None),
        ("/a?x=1#part", "http://example.org/a?x=1", None),
        ("../b", "http://example.org/b", None),
        ("//example.org/c", "http://example.org/c", None),
        (" \n/d\t", "http://example.org/d", None),
        ("HTTP://EXAMPLE.org:80/e", "http://example.org/e", None),
        ("/路?词=中", "http://example.org/%E8%B7%AF?%E8%AF%8D=%E4%B8%AD", None),
        ("", "", "empty"),
        ("#top", "#top", "same_page"),
        ("today.html#x", HERE, "same_page"),
        ("javascript:void(0)", "javascript:void(0)", "script"),
        ("JavaScript:go()", "JavaScript:go()", "script"),
        ("mailto:a@example.org", "mailto:a@example.org", "mail"),
        ("tel:123", "tel:123", "phone"),
        ("data:text/html,x", "data:text/html,x", "data"),
        ("ftp://example.org/x", "ftp://example.org/x", "scheme"),
        ("file:///etc/passwd", "file:///etc/passwd", "scheme"),
        ("http://[::1", "http://[::1", "bad_url"),
        ("http://user:secret@example.org/", "http://user:secret@example.org/", "bad_url"),
        ("/x.JPG", "http://example.org/x.JPG", "media"),
        ("/x.pdf?download=1", "http://example.org/x.pdf?download=1", "media"),
        ("/a?file=x.pdf", "http://example.org/a?file=x.pdf", None),
        ("http://other.org/", "http://other.org/", "other_host"),
        ("http://example.org:8080/", "http://example.org:8080/", "other_host"),
        ("/login?next=/", "http://example.org/login?next=/", "excluded"),
        ("/user/register.php", "http://example.org/user/register.php", "excluded"),
        ("/search?q=x", "http://example.org/search?q=x", "excluded"),
        ("/story-print.html?print=1", "http://example.org/story-print.html?print=1", "excluded"),
        ("/ads/1.html", "http://example.org/ads/1.html", "excluded"),
        ("/blueprint/shadows.html", "http://example.org/blueprint/shadows.html", None),
    ],
)
def test_every_link_has_a_target_or_a_reason(href: str, target: str, reason: str | None) -> None:
    assert judged(f'<p><a href="{href}">x</a></p>') == {target: reason}


def test_order_text_duplicates_areas_and_frames() -> None:
    html = """<a href=/b>Zweites <b>Wort</b></a><a href="/a" title="Bild"><img src=x></a><a name=x>no link</a>
    <map><area href=/area alt=Karte></map><a href=/b#again>noch einmal</a><iframe src=/frame name=f></iframe>"""
    found = LinkFilter().links(page_of(html), HERE)
    assert [(link.url[18:], link.text, link.kind, link.dropped) for link in found] == [
        ("/b", "Zweites Wort", "link", None),
        ("/a", "Bild", "link", None),
        ("/area", "Karte", "link", None),
        ("/b", "noch einmal", "link", "duplicate"),
        ("/frame", "f", "frame", None),
    ]


def test_base_counts_and_only_the_first_one() -> None:
    html = "<base target=_top><base href=/deep/><base href=/other/><a href=x>x</a>"
    assert judged(html) == {"http://example.org/deep/x": None}


def test_include_and_exclude_are_the_users() -> None:
    html = "<a href=/2024/a>a</a><a href=/2024/skip>b</a><a href=/2023/c>c</a><a href=/login>d</a>"
    found = judged(html, include=(r"/2024/", r"(?i)/LOGIN"), exclude=(r"skip", r"(x)\1"))
    assert list(found.values()) == [None, "excluded", "not_included", None]


def test_a_query_is_escaped_in_the_encoding_of_the_page() -> None:
    found = LinkFilter().links(page_of("<a href='/s?name=中'>x</a>"), HERE, "gb18030")
    assert found[0].url == "http://example.org/s?name=%D6%D0"


@given(st.text("ab./?#&=%:;@-中 ", max_size=20), st.sampled_from(["/", "", "http://", "https://b.org", "//", "?"]))
def test_the_quick_way_is_the_same_way(rest: str, start: str) -> None:
    for base in (HERE, "https://example.org:8443/", "http://example.org:80/a"):
        found = quick(base, start + rest)
        if found is not None:
            joined = join(base, start + rest)
            assert joined is not None
            assert found == canonical(joined)


@given(st.text(max_size=60))
def test_canonical_once_is_canonical_for_ever(text: str) -> None:
    for url in (text, f"http://{text}", f"http://example.org/{text}"):
        once = canonical(url)
        assert once is None or canonical(once) == once


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("http://EXAMPLE.org", "http://example.org/"),
        ("https://example.org:443/a?b#c", "https://example.org/a?b"),
        ("http://bücher.example/", "http://xn--bcher-kva.example/"),
        ("http://example.org:0/", None),
        ("http://example.org:99999/", None),
        ("example.org", None),
        ("http://example.org/" + "x" * 3000, None),
    ],
)
def test_canonical(url: str, expected: str | None) -> None:
    assert canonical(url) == expected


@given(st.text(max_size=80))
def test_names_of_files_are_safe_and_differ(text: str) -> None:
    url = f"http://example.org/{text}"
    stem = file_stem(url)
    assert len(stem.encode()) < 160
    assert not set(stem) & set('/\\:*?"<>|\0\n')
    assert stem != file_stem(url + "x")
    site = site_folder(f"http://{text}/")
    assert site not in ("", ".", "..")
    assert "/" not in site
