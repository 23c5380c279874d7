"""The page for everyone: by keyboard, by ear, on a phone, in the dark, in Chinese."""

from __future__ import annotations

import re
from importlib.resources import files
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe  # type: ignore[import-untyped]
from playwright.sync_api import Browser, Page, Route, expect

from tests.service.page.window import NEWS, PARAGRAPH, Window
from tests.service.server import ARTICLE, Client

pytestmark = pytest.mark.browser

AXE = Axe()
VIEWS = ("reading", "page", "compare", "plot", "json")


def findings(place: Page) -> list[str]:
    """What axe finds serious or critical."""
    place.evaluate(AXE.axe_script)
    told: dict[str, Any] = place.evaluate("axe.run(document, { resultTypes: ['violations'], iframes: false })")
    return [
        f"{found['id']}: {node['html'][:120]} {node['failureSummary'][:200]}"
        for found in told["violations"]
        if found["impact"] in ("serious", "critical")
        for node in found["nodes"]
    ]


INSIDE = "[...document.querySelectorAll('iframe')].map((each) => each.contentDocument.documentElement.outerHTML)"
STYLE = files("duramen.service").joinpath("page/frame.css").read_text("utf-8")


def unlocked(window: Window, markup: str) -> Page:
    """What a frame shows, as a page of its own: no script runs in the frame, axe neither."""
    page = window.page.context.new_page()
    page.set_content(re.sub("<(meta http-equiv|link)[^>]*>", "", markup))
    page.add_style_tag(content=STYLE)
    return page


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_serious(browser: Browser, service: Client, scheme: str) -> None:
    with Window.opened(browser, str(service.base_url), color_scheme=scheme) as window:
        page = window.page
        assert findings(page) == []
        window.paste(ARTICLE)
        page.get_by_role("button", name="Settings").click()
        for view in VIEWS:
            window.view(view)
            if view == "page":
                page.locator("#first").click()
                page.locator("summary").click()
            assert findings(page) == [], view
        window.view("page")
        for markup in page.evaluate(INSIDE):
            assert findings(unlocked(window, markup)) == []
        page.get_by_role("radio", name="Address").check()
        page.get_by_label("Address of the page").fill("http://10.0.0.1/")
        page.get_by_role("button", name="Extract").click()
        expect(page.locator("#failure")).to_be_visible()
        assert findings(page) == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_page_that_waits_can_be_read(browser: Browser, service: Client, scheme: str) -> None:
    with Window.opened(browser, str(service.base_url), color_scheme=scheme) as window:
        window.paste(ARTICLE)
        held: list[Route] = []
        window.page.route("**/extract", lambda route: held.append(route))
        window.choose("coreex")
        expect(window.page.locator("html")).to_have_attribute("data-state", "again")
        expect(window.page.locator("#go")).to_have_attribute("aria-busy", "true")
        assert findings(window.page) == []
        held[0].continue_()
        window.done()


FOCUS = """() => {
  let element = document.activeElement;
  while (element?.contentDocument?.activeElement) element = element.contentDocument.activeElement;
  // A hidden radio button or file field hands its outline to what stands for it.
  const shown = [element, element.nextElementSibling, element.closest("label")].filter(Boolean);
  const outlined = shown.some((each) => getComputedStyle(each).outlineStyle !== "none");
  const box = element.getBoundingClientRect();
  return { outlined, visible: box.width > 0 && box.height > 0, what: element.outerHTML.slice(0, 90), id: element.id };
}"""


def test_everything_can_be_done_by_keyboard(window: Window) -> None:
    page, press = window.page, window.page.keyboard.press
    press("Tab")
    expect(page.get_by_role("link", name="Skip to the form")).to_be_focused()
    expect(page.get_by_role("link", name="Skip to the form")).to_be_in_viewport()
    for _ in range(14):
        press("Tab")
        seen = page.evaluate(FOCUS)
        assert seen["outlined"], seen
        assert seen["visible"], seen
        if "data-example" in seen["what"]:
            break
    press("Enter")
    window.done()
    window.choose("cetd")
    expect(page.locator("#status")).to_contain_text("found by cetd")
    page.locator("#slider").focus()
    press("ArrowLeft")
    expect(page.locator("#knob-value")).to_have_text("0.99")
    press("Tab")
    press("Tab")
    expect(page.get_by_role("tab", name="Reading view")).to_be_focused()
    press("ArrowRight")
    expect(page.get_by_role("tab", name="Why")).to_be_focused()
    expect(page.get_by_role("tab", name="Why")).to_have_attribute("aria-selected", "true")
    expect(window.shaded.locator("[tabindex='0']")).to_have_count(1)  # one stop, not hundreds
    for _ in range(10):
        press("Tab")
        if page.evaluate("document.activeElement.tagName") == "IFRAME":
            break
    expect(page.locator("#inspector .verdict")).to_have_text(re.compile("kept|dropped"))
    assert page.evaluate(FOCUS)["outlined"]
    press("End")
    expect(page.locator("#inspector .path")).to_contain_text("footer")
    press("Home")
    press("ArrowDown")
    expect(page.locator("#inspector .why")).not_to_be_empty()
    press("Escape")
    expect(page.locator("#inspector")).to_contain_text("Point at a part")
    press("Tab")
    assert page.evaluate("document.activeElement.tagName") != "IFRAME"  # no trap


def test_tabs_follow_aria_practice(window: Window) -> None:
    window.paste(NEWS)
    page = window.page
    assert page.locator("[role=tab][tabindex='0']").count() == 1
    page.get_by_role("tab", name="Reading view").focus()
    page.keyboard.press("End")
    expect(page.get_by_role("tab", name="JSON")).to_be_focused()
    expect(page.get_by_role("tabpanel", name="JSON")).to_be_visible()
    page.keyboard.press("ArrowRight")
    expect(page.get_by_role("tabpanel", name="Reading view")).to_be_visible()
    assert page.locator("[role=tabpanel]").filter(visible=True).count() == 1


def test_landmarks_and_live_regions(window: Window) -> None:
    page = window.page
    for role in ("banner", "main", "contentinfo"):
        expect(page.get_by_role(role)).to_have_count(1)
    window.paste(NEWS)
    expect(page.locator("#status")).to_have_attribute("role", "status")
    expect(page.locator("#status")).to_contain_text("words")
    assert page.locator("iframe:not([title])").count() == 0
    expect(page.locator("#slider")).to_have_attribute("aria-label", "λ")


WIDTHS = """[...document.querySelectorAll("iframe")].filter((each) => each.clientWidth)
  .map((each) => [each.contentDocument.body.scrollWidth, each.clientWidth])"""


def test_a_phone_needs_no_sideways_scrolling(browser: Browser, service: Client) -> None:
    size = {"width": 360, "height": 740}
    with Window.opened(browser, str(service.base_url), viewport=size, has_touch=True, is_mobile=True) as window:
        page = window.page

        def fits(what: str) -> None:
            assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), what

        fits("empty")
        window.paste(NEWS)
        page.get_by_role("button", name="Settings").click()
        for view in (*VIEWS, "markdown", "html"):
            window.view(view)
            fits(view)
        window.view("page")
        window.shaded.locator("p", has_text=PARAGRAPH).tap(position={"x": 5, "y": 5})
        inspector = page.locator("#inspector")
        expect(inspector).to_be_in_viewport()
        expect(inspector.locator(".verdict")).to_have_text("kept")
        for wide, room in page.evaluate(WIDTHS):
            assert wide <= room
        fits("inspector")
        page.set_viewport_size({"width": 768, "height": 1000})
        fits("tablet")


def test_the_interface_speaks_chinese(window: Window) -> None:
    page = window.page
    window.paste(NEWS)
    window.view("page")
    page.get_by_role("button", name="中文").click()
    expect(page.locator("html")).to_have_attribute("lang", "zh-Hans")
    expect(page.get_by_role("button", name="提取")).to_be_visible()
    expect(page.get_by_role("tab", name="阅读视图")).to_be_visible()
    expect(page.locator("#figures")).to_contain_text("词数")
    window.shaded.locator("p", has_text=PARAGRAPH).hover(position={"x": 5, "y": 5})
    expect(page.locator("#inspector .why")).to_contain_text("密度")
    expect(page.locator("#inspector .verdict")).to_have_text("保留")
    window.open()
    expect(page.locator("#headline")).to_have_text("网页的核心，以及理由")  # remembered
    page.get_by_role("button", name="English").click()
    expect(page.locator("html")).to_have_attribute("lang", "en")


def test_a_chinese_visitor_finds_chinese(browser: Browser, service: Client) -> None:
    with Window.opened(browser, str(service.base_url), locale="zh-CN") as window:
        expect(window.page.locator("html")).to_have_attribute("lang", "zh-Hans")
        window.page.get_by_role("button", name="一篇中文新闻").click()
        window.done()
        expect(window.reading.locator("body")).to_contain_text("停运十九年之后，北坡缆车昨天清晨六点重新开动")
        expect(window.reading.locator("body")).not_to_contain_text("相关新闻")
        expect(window.page.locator("#byline")).to_have_text("许知行 · 2025年4月12日")


INNER_GROUND = "getComputedStyle(document.querySelector('iframe').contentDocument.documentElement).backgroundColor"


def test_light_and_dark(browser: Browser, service: Client) -> None:
    ground = "getComputedStyle(document.documentElement).colorScheme + getComputedStyle(document.body).backgroundColor"
    with Window.opened(browser, str(service.base_url), color_scheme="dark") as window:
        page = window.page
        window.paste(NEWS)
        dark = page.evaluate(ground)
        inside = page.evaluate(INNER_GROUND)
        button = page.locator("#theme")
        button.click()
        expect(button).to_have_accessible_name("Colours: light")
        assert page.evaluate(ground) != dark
        assert page.evaluate(INNER_GROUND) != inside
        window.open()
        expect(page.locator("html")).to_have_attribute("data-theme", "light")  # remembered
