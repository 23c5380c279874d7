"""The whole page as XHTML: XML that reads back as the same page."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest

from duramen.page import Page
from duramen.render import to_xhtml
from tests.support import page_of


def rows(page: Page) -> list[tuple[int, str, str]]:
    return [
        (int(page.depth[row]), page.tag_name(row), "" if page.tag[row] else page.text_of(row))
        for row in range(len(page))
    ]


@pytest.mark.parametrize(
    "source",
    [
        "<!DOCTYPE html><html lang=en><head><title>a &amp; b</title></head><body><p>c<br>d</body></html>",
        "<p>a<table><tr><td>b</table>",  # no doctype: the table is inside the paragraph
        "<!DOCTYPE html><p>a<table><tr><td>b</table>",
        "<pre>\n\n a &lt; b</pre><textarea>\n\nx</textarea>",
        "a<!-- x -->b<!-- y --> <!-- z -->c",
        "<svg viewBox='0 0 1 1'><foreignObject><p>a</p></foreignObject><path d=x /></svg><math><mi>x</mi></math>",
        "<a href='?a=1&b=2' title='\"x\"\n'>c</a>",
        "<table><caption>a<tr><td>b<form><input type=hidden></table>",
        "<select><option>a<option selected>b</select><template><p>c</template><noscript><p>d</noscript>",
        "a&#13;b &#xFFFD; \U0001f600",
        "<img src=x alt><hr><input disabled>",
        "<b><i>a</b>b</i>",
    ],
)
def test_the_same_page_comes_back(source: str) -> None:
    page = page_of(source)
    written = to_xhtml(page)
    ElementTree.fromstring(written)
    assert rows(page_of(written)) == rows(page)


def test_attributes_come_back() -> None:
    page = page_of("<div class='a b' title='&quot;<&amp;' data-x='1\n2' hidden>x</div>")
    again = page_of(to_xhtml(page))
    assert again.attributes(again.body() + 1) == page.attributes(page.body() + 1)


@pytest.mark.parametrize(
    "source",
    [
        '<div a<b=1 x:y=2 @click=3 "=4 xmlns:o=u xml:lang=en>a</div>',
        "<o:p>a</o:p><x'y>b</x'y>",
        "a&#1;&#11;&#12;&#xFFFE;&#xFFFF;b",
        "<script>if (a < b && c) document.write('</div>')</script><style>a > b {}</style>",
        "<plaintext></div><p>&amp;",
        "<xmp><b></xmp><iframe><b></iframe><noembed><b></noembed>",
        "<form><div></form><form>a</form>",
        "<frameset><frame src=x><noframes><b>a</noframes></frameset>",
        "]]> <![CDATA[a]]> <?php a ?>",
        "",
    ],
)
def test_what_xml_does_not_allow(source: str) -> None:
    page = page_of(source)
    root = ElementTree.fromstring(to_xhtml(page))
    assert root.tag == "{http://www.w3.org/1999/xhtml}html"
    assert len(page_of(to_xhtml(page))) >= 2


def test_scripts_come_out_empty_and_text_stays() -> None:
    page = page_of("<p>a<script>x()</script>b<xmp><i></xmp>")
    assert to_xhtml(page).endswith("<p>a<script></script>b</p><pre>&lt;i&gt;</pre></body></html>")
