"""The explanation as a person meets it, in a real browser."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from playwright.sync_api import Browser, Page, expect

from duramen.algorithms import ALGORITHMS
from duramen.blocks import blocks
from duramen.explain import Explanation, explain
from duramen.page import Selection
from tests.browser import browser
from tests.explain.test_page import EXAMPLES, HOSTILE, paragraphs
from tests.support import page_of

__all__ = ["browser"]  # a fixture

pytestmark = pytest.mark.browser
PARAGRAPH = "A tide mill works on a simple bargain"


class Window:
    """A browser window that notes every request and every error."""

    def __init__(self, page: Page, folder: Path) -> None:
        self.page, self.folder = page, folder
        self.requests: list[str] = []
        self.errors: list[str] = []
        page.on("request", lambda request: self.requests.append(request.url))
        page.on("pageerror", lambda error: self.errors.append(str(error)))
        page.on("console", lambda message: self.errors.append(message.text) if message.type == "error" else None)

    def open(self, html: str) -> Page:
        path = self.folder / "explained.html"
        path.write_text(html, encoding="utf-8")
        self.page.goto(path.as_uri())
        return self.page


@pytest.fixture
def window(browser: Browser, tmp_path: Path) -> Iterator[Window]:
    page = browser.new_page(viewport={"width": 1280, "height": 900}, reduced_motion="reduce")
    yield Window(page, tmp_path)
    page.close()


def news(algorithm: str = "cetd") -> str:
    return explain((EXAMPLES / "news.html").read_bytes(), algorithm=algorithm).to_html()


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_nothing_runs_and_nothing_is_loaded(window: Window, algorithm: str) -> None:
    page = window.open(explain(HOSTILE, algorithm=algorithm, url="javascript:window.ran=1").to_html())
    page.mouse.move(300, 500)
    for part in page.locator("#sheet [data-n]").all()[:20]:
        part.dispatch_event("click")
    page.keyboard.press("Tab")
    assert page.evaluate("window.ran") is None
    assert [url for url in window.requests if not url.startswith(("file:", "data:"))] == []
    assert len([url for url in window.requests if url.startswith("file:")]) == 1
    assert window.errors == []


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_pointing_at_a_part_shows_its_figures(window: Window, algorithm: str) -> None:
    page = window.open(news(algorithm))
    page.locator("#sheet p", has_text=PARAGRAPH).hover(position={"x": 5, "y": 5})
    inspector = page.locator("#inspector")
    expect(inspector).to_contain_text("score")
    expect(inspector).to_contain_text("article")
    expect(inspector.locator(".verdict")).to_have_text(re.compile("kept|structure|dropped"))
    assert window.errors == []


def test_score_is_the_nodes(window: Window) -> None:
    found = explain((EXAMPLES / "news.html").read_bytes(), algorithm="cetd")
    node = next(node for node in found.nodes() if node["tag"] == "p" and node["text"].startswith(PARAGRAPH))
    page = window.open(found.to_html())
    page.locator(f"#n{node['row']}").hover(position={"x": 5, "y": 5})
    expect(page.locator("#inspector .score b")).to_have_text(f"{node['score']:.4g}")


def test_the_keyboard_reaches_every_part(window: Window) -> None:
    page = window.open(news())
    assert page.locator('#sheet [tabindex="0"]').count() == 1
    page.locator('#sheet [tabindex="0"]').focus()
    inspector = page.locator("#inspector")
    expect(inspector).to_contain_text("We and our 214 partners")
    page.keyboard.press("End")
    page.keyboard.press("Home")
    for _ in range(3):
        page.keyboard.press("ArrowDown")
    expect(inspector).to_contain_text("Cookie policy")
    page.keyboard.press("ArrowLeft")
    expect(inspector.locator("h3")).to_have_text("div#cookie-banner.cookie")
    page.keyboard.press("Escape")
    expect(inspector).to_contain_text("Point at a part")


def test_a_click_holds_a_node(window: Window) -> None:
    page = window.open(news())
    page.locator("#sheet p", has_text=PARAGRAPH).click(position={"x": 5, "y": 5})
    held = page.locator("#inspector .path").inner_text()
    page.locator("#sheet p", has_text="The timber was sawn").hover(position={"x": 5, "y": 5})
    assert page.locator("#inspector blockquote").inner_text().startswith(PARAGRAPH)
    page.keyboard.press("Escape")
    page.locator("#sheet h4", has_text="Oak from").hover(position={"x": 5, "y": 5})
    assert page.locator("#inspector .path").inner_text() != held


def test_a_bar_leads_to_its_node(window: Window) -> None:
    page = window.open(news())
    target = page.locator("#sheet p", has_text="The mill opens to visitors")
    expect(target).not_to_be_in_viewport()
    unit = target.get_attribute("data-n")
    page.locator(f'#bars [data-bar="{unit}"] rect').first.click(force=True)
    expect(target).to_be_in_viewport()
    expect(page.locator("#inspector blockquote")).to_contain_text("The mill opens to visitors")


def test_bars_can_be_walked(window: Window) -> None:
    page = window.open(news())
    page.locator("#bars a").first.focus()
    for _ in range(4):
        page.keyboard.press("ArrowRight")
    expect(page.locator("#bar-note")).not_to_be_empty()
    assert page.evaluate("document.activeElement.dataset.bar") == page.locator("#bars a").nth(4).get_attribute(
        "data-bar"
    )


def test_dropped_parts_can_be_hidden(window: Window) -> None:
    page = window.open(news())
    dropped, kept = page.locator("#sheet li", has_text="Rowing club"), page.locator("#sheet p", has_text=PARAGRAPH)
    expect(dropped).to_be_visible()
    page.get_by_label("Hide dropped parts").check()
    expect(dropped).to_be_hidden()
    expect(kept).to_be_visible()
    page.get_by_label("Hide dropped parts").uncheck()
    expect(dropped).to_be_visible()


def test_the_table_sorts_and_finds(window: Window) -> None:
    page = window.open(news())
    scores = page.locator("#table tbody tr td:nth-child(3)")

    def figures() -> list[float]:
        return [float(text.replace(",", "")) for text in scores.all_inner_texts() if text != "–"]

    assert figures() == sorted(figures(), reverse=True)
    page.get_by_role("button", name="score", exact=True).click()
    assert figures() == sorted(figures())
    page.get_by_label("Find").fill("rowing club")
    expect(page.locator("#found")).to_have_text("4 of 4 shown")  # ol, li, a and the text
    page.get_by_label("Find").fill("")
    page.get_by_label("Verdict").select_option("structure")
    assert set(page.locator("#table .verdict").all_inner_texts()) == {"structure"}
    page.locator("#table [data-go]").first.click()
    expect(page.locator("#inspector .verdict")).to_have_text("structure")


@pytest.mark.parametrize("width", [360, 768, 1280])
def test_no_width_needs_sideways_scrolling(window: Window, width: int) -> None:
    page = window.open(news())
    page.set_viewport_size({"width": width, "height": 800})
    assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_a_phone_shows_figures_on_tap(window: Window) -> None:
    page = window.open(news())
    page.set_viewport_size({"width": 390, "height": 800})
    expect(page.locator("#inspector")).to_be_hidden()
    page.locator("#sheet p", has_text=PARAGRAPH).click(position={"x": 5, "y": 5})
    expect(page.locator("#inspector")).to_be_in_viewport()
    page.get_by_role("button", name="Close").click()
    expect(page.locator("#inspector")).to_be_hidden()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_texts_have_contrast(browser: Browser, tmp_path: Path, scheme: str) -> None:
    """4.5 to 1, as WCAG AA asks of body text, for everything drawn on a plain ground."""
    page = browser.new_page(color_scheme="dark" if scheme == "dark" else "light")
    Window(page, tmp_path).open(news())
    page.locator("#sheet p", has_text=PARAGRAPH).click(position={"x": 5, "y": 5})
    found = page.evaluate(CONTRAST)
    page.close()
    assert found["checked"] > 50
    assert found["poor"] == []


CONTRAST = """() => {
  const paint = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  const rgba = (colour) => {
    paint.clearRect(0, 0, 1, 1); paint.fillStyle = colour; paint.fillRect(0, 0, 1, 1);
    return [...paint.getImageData(0, 0, 1, 1).data];
  };
  const light = ([r, g, b]) => [r, g, b]
    .map((v) => (v /= 255) <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4)
    .reduce((sum, v, at) => sum + v * [0.2126, 0.7152, 0.0722][at], 0);
  const ground = (element) => {
    for (let at = element; at; at = at.parentElement) {
      const colour = rgba(getComputedStyle(at).backgroundColor);
      if (colour[3] === 255) return colour;
    }
    return [255, 255, 255, 255];
  };
  const poor = new Set();
  let checked = 0;
  for (const element of document.querySelectorAll("main *, header *, footer *")) {
    const own = [...element.childNodes].some((node) => node.nodeType === 3 && node.data.trim());
    if (!own || element.closest("svg") || !element.getClientRects().length) continue;
    checked += 1;
    const [a, b] = [light(rgba(getComputedStyle(element).color)), light(ground(element))];
    const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    if (ratio < 4.5) poor.add(`${element.tagName}.${element.className}: ${ratio.toFixed(2)}`);
  }
  return { checked, poor: [...poor] };
}"""


def test_long_pages_open(window: Window) -> None:
    page = window.open(explain(paragraphs(20_000), algorithm="cetd").to_html())
    page.locator("#bars a").nth(300).dispatch_event("click")
    expect(page.locator("#inspector .score b")).not_to_be_empty()
    assert window.errors == []


def test_blocks_work_like_nodes(window: Window) -> None:
    source = page_of("<p>First <b>block</b>, here.</p><p>Second.</p>")
    selection = Selection(kept=np.ones(len(source), dtype=np.bool_), score=np.array([0.75, 0.1]), blocks=blocks(source))
    page = window.open(Explanation(source, selection, algorithm="by hand", settings={}).to_html())
    page.locator("#sheet b").hover()
    expect(page.locator("#inspector .score b")).to_have_text("0.75")
    page.locator("#sheet .u").first.focus()
    page.keyboard.press("ArrowDown")
    expect(page.locator("#inspector .score b")).to_have_text("0.1")
    assert window.errors == []
