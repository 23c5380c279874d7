"""Each switch takes away what it names, and nothing else."""

from __future__ import annotations

import pytest

from tests.render.shown import body, markdown, text

PAGE = (
    '<h2>a</h2><p>b <a href="/x"><em>c</em></a> <code>d</code> <img src="/i.png" alt="pic">'
    "<table><tr><th>e<th>f<tr><td>g<td>h</table><pre>i</pre>"
)


def test_all_on() -> None:
    assert text(PAGE) == "a\n\nb c d\n\ne\tf\ng\th\n\ni"
    assert markdown(PAGE) == (
        "## a\n\nb [*c*](/x) `d` ![pic](/i.png)\n\n| e | f |\n| --- | --- |\n| g | h |\n\n```\ni\n```"
    )


def test_no_links() -> None:
    assert text(PAGE, links=False) == text(PAGE)
    assert markdown(PAGE, links=False) == markdown(PAGE).replace("[*c*](/x)", "*c*")
    assert body(PAGE, links=False) == body(PAGE).replace('<a href="/x"><em>c</em></a>', "<em>c</em>")


def test_no_images() -> None:
    assert text(PAGE, images=False) == text(PAGE)
    assert markdown(PAGE, images=False) == markdown(PAGE).replace(" ![pic](/i.png)", "")
    assert body(PAGE, images=False) == body(PAGE).replace(' <img src="/i.png" alt="pic">', "")


def test_no_tables() -> None:
    assert text(PAGE, tables=False) == "a\n\nb c d\n\ni"
    assert "e" not in markdown(PAGE, tables=False).replace("pre", "")
    assert "<table>" not in body(PAGE, tables=False)
    assert "<h2>a</h2>" in body(PAGE, tables=False)


@pytest.mark.parametrize("rendering", [text, markdown, body])
def test_layout_tables_stay_without_tables(rendering: type) -> None:
    html = "<table><tr><td><h2>a</h2><td>b</table>"
    assert rendering(html, tables=False) == rendering(html)


def test_no_formatting() -> None:
    assert text(PAGE, formatting=False) == text(PAGE)
    assert markdown(PAGE, formatting=False) == markdown(PAGE).replace("*c*", "c").replace("`d`", "d")
    assert body(PAGE, formatting=False) == body(PAGE).replace("<em>c</em>", "c").replace("<code>d</code>", "d")


def test_terms_are_formatting_too() -> None:
    assert markdown("<dl><dt>a<dd>b</dl>", formatting=False) == "a\n\n- b"


def test_links_stay_relative_without_a_url() -> None:
    assert markdown("<a href=x>a</a>") == "[a](x)"
    assert body("<a href=../x?y#z>a</a>") == '<a href="../x?y#z">a</a>'
