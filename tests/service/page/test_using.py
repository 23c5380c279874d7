"""The page as a visitor uses it: give a page, read, ask why, compare, tune, take away."""

from __future__ import annotations

import json
import re

import pytest
from playwright.sync_api import Browser, expect

from tests.service.page.site import Site
from tests.service.page.window import ASIDE, NEWS, PARAGRAPH, Window
from tests.service.server import Client, running

pytestmark = pytest.mark.browser

# In GBK, and said to be: only bytes can tell.
GBK = (
    "<html><head><meta charset=gbk><title>旧城的钟楼</title></head><body>"
    "<div><a href=/>首页</a> <a href=/x>登录</a></div>"
    "<div><p>钟楼在旧城的中央站了四百年，每逢整点敲响，城里的人都听着它起床、吃饭、睡觉。</p>"
    "<p>去年冬天它停了三个月，修钟的师傅说，是一只燕子把窝做进了齿轮之间，谁也不忍心赶走。</p></div></body></html>"
).encode("gbk")


def test_an_example_is_one_click_away(window: Window) -> None:
    window.page.get_by_role("button", name="A newspaper article").click()
    window.done()
    expect(window.page.locator("#title")).to_have_text("The lighthouse that lends books")
    expect(window.reading.locator("body")).to_contain_text("Jonas Brekke filled it with books")
    expect(window.page.locator("#byline")).to_have_text("Elin Varga · 4 October 2025")
    expect(window.page.locator("#result")).to_be_focused()  # the button is gone
    expect(window.page).to_have_title("The lighthouse that lends books · duramen")
    expect(window.page.get_by_role("status").first).to_contain_text("words, found by")
    assert window.errors == []
    assert window.elsewhere == []


def test_pasted_html_gives_every_view(window: Window) -> None:
    window.paste(NEWS)
    reading = window.reading.locator("body")
    expect(reading).to_contain_text(PARAGRAPH)
    expect(reading).not_to_contain_text(ASIDE)
    expect(window.reading.locator(".picture").first).to_contain_text("The oak wheel of the mill")
    expect(window.page.locator("#metadata")).to_contain_text("Marit Solheim")
    expect(window.view("markdown").locator("pre")).to_contain_text("## Oak from the February storm")
    expect(window.view("html").locator("pre")).to_contain_text("<h2>Oak from the February storm</h2>")
    record = json.loads(window.view("json").locator("pre").inner_text())
    assert record["metadata"]["author"] == "Marit Solheim"
    assert window.errors == []


def test_a_frame_is_as_tall_as_what_it_shows(window: Window) -> None:
    window.paste(NEWS)
    expect(window.reading.locator("p").last).to_be_visible()
    frame = window.page.locator("#view-reading iframe")
    box = frame.bounding_box()
    assert box is not None
    assert box["height"] > 1500
    assert window.reading.locator("html").evaluate("root => root.scrollHeight <= root.clientHeight + 1")


def test_a_url_is_fetched_once_however_much_is_asked(window: Window, site: Site) -> None:
    page = window.page
    window.choose("cetd")
    page.get_by_label("Address of the page").fill(site.url)
    window.submit()
    expect(window.reading.locator("body")).to_contain_text(PARAGRAPH)
    link = window.reading.get_by_role("link", name="since a charter of 1294")
    assert (link.get_attribute("href") or "").endswith("/archive/charter-1294")  # relative in the page
    window.view("page")
    window.view("compare")
    page.locator("#slider").focus()
    page.keyboard.press("Home")
    expect(page.locator("#knob-value")).to_have_text("0")
    window.done()
    assert site.visits == 1
    assert window.elsewhere == []


def test_a_gbk_file_keeps_its_encoding(window: Window) -> None:
    window.page.get_by_role("radio", name="File").check()
    window.page.locator("#file").set_input_files({"name": "clock.html", "mimeType": "text/html", "buffer": GBK})
    window.done()
    expect(window.reading.locator("body")).to_contain_text("一只燕子把窝做进了齿轮之间")
    expect(window.page.locator("#metadata")).to_contain_text(re.compile("gbk|gb18030", re.I))
    expect(window.page.locator("#filename")).to_have_text("clock.html")


def test_a_file_can_be_dropped_anywhere(window: Window) -> None:
    window.page.evaluate(
        """bytes => {
          const transfer = new DataTransfer();
          transfer.items.add(new File([Uint8Array.from(bytes)], "dropped.html", { type: "text/html" }));
          for (const kind of ["dragenter", "dragover", "drop"]) {
            const event = new DragEvent(kind, { dataTransfer: transfer, bubbles: true, cancelable: true });
            document.body.dispatchEvent(event);
          }
        }""",
        list(GBK),
    )
    window.done()
    expect(window.page.locator("#title")).to_have_text("旧城的钟楼")


def test_each_part_tells_why(window: Window) -> None:
    window.paste(NEWS)
    window.view("page")
    paragraph = window.shaded.locator("p", has_text=PARAGRAPH)
    paragraph.hover(position={"x": 5, "y": 5})
    inspector = window.page.locator("#inspector")
    expect(inspector.locator(".verdict")).to_have_text("kept")
    expect(inspector.locator(".why")).to_contain_text("density")
    window.shaded.locator("li", has_text=ASIDE).hover(position={"x": 5, "y": 5})
    expect(inspector.locator(".verdict")).to_have_text("dropped")
    expect(inspector.locator(".why")).to_contain_text("below the threshold")


def test_kept_and_dropped_look_different(window: Window) -> None:
    window.paste(NEWS)
    window.view("page")
    ground = "element => getComputedStyle(element).backgroundColor"
    kept = window.shaded.locator(".kept", has_text=PARAGRAPH).first
    dropped = window.shaded.locator(".dropped", has_text=ASIDE).first
    assert kept.evaluate(ground) != dropped.evaluate(ground)
    assert dropped.evaluate("element => getComputedStyle(element).borderLeftStyle") == "dashed"  # not by colour alone
    window.page.get_by_label("Hide what was dropped").check()
    expect(dropped).to_be_hidden()
    expect(kept).to_be_visible()


def test_the_slider_decodes_again_at_once(window: Window) -> None:
    window.paste(NEWS)
    page = window.page
    window.view("page")
    aside = window.shaded.locator("li", has_text=ASIDE)
    expect(aside).to_have_css("cursor", "pointer")
    before = window.words
    page.locator("#slider").focus()
    page.keyboard.press("Home")
    expect(page.locator("#figures dd").first).not_to_have_text(f"{before:,}")
    window.done()
    assert window.words > before
    expect(page.locator("#knob-value")).to_have_text("0")
    expect(page.locator("#changed")).to_have_text("1 changed")
    page.get_by_role("button", name="Reset").click()
    expect(page.locator("#figures dd").first).to_have_text(f"{before:,}")
    assert window.errors == []


def test_only_the_last_of_many_steps_counts(window: Window) -> None:
    window.paste(NEWS)
    page = window.page
    asked = len(window.requests)
    page.locator("#slider").focus()
    for _ in range(30):
        page.keyboard.press("ArrowLeft")
    expect(page.locator("#knob-value")).to_have_text("0.7")
    window.done()
    expect(page.locator("#status")).to_contain_text("Done")
    assert len(window.requests) - asked < 20  # steps that follow each other fast are one question
    page.wait_for_function("() => decodeURIComponent(location.hash).includes('\"lambda\":0.7')")


def test_a_setting_just_changed_is_asked_for_once(window: Window) -> None:
    window.paste(NEWS)
    window.page.wait_for_timeout(500)  # longer than a changed setting waits for the next
    asked = len(window.requests)
    window.choose("coreex")
    window.submit()
    window.page.wait_for_timeout(500)
    assert [url.rsplit("/", 1)[-1] for url in window.requests[asked:]].count("extract") == 1


def test_two_algorithms_side_by_side(window: Window) -> None:
    window.paste(NEWS)
    window.view("compare")
    page = window.page
    page.locator("#left").select_option("cetd")
    page.locator("#right").select_option("everything")
    sides = page.locator("#sides")
    expect(sides.locator("h3")).to_have_text(["cetd", "everything"])
    expect(sides.locator(".lone .right", has_text=ASIDE).first).to_be_visible()
    expect(sides.locator(".same .left", has_text=PARAGRAPH)).to_be_visible()
    expect(page.locator("#agreement")).to_contain_text("agreement")
    page.get_by_label("Only differences").check()
    expect(sides.locator(".same")).to_have_count(0)
    expect(sides).to_contain_text("paragraphs that both have")
    page.locator("#right").select_option("cetd")  # never against itself
    expect(page.locator("#left")).not_to_have_value("cetd")


def test_differences_within_a_paragraph_are_marked(window: Window) -> None:
    rows = window.page.evaluate(
        """async () => {
          const { differ } = await import("/page/differ.js");
          const [one, other] = ["The old mill stands here.", "The new mill stands here."];
          return differ(`One line.\\n${one}\\nEnd.`, `One line.\\n${other}\\nEnd.\\n你好`);
        }"""
    )
    assert [row["same"] for row in rows] == [True, False, True, False]
    assert rows[1]["left"] == [["The ", False], ["old", True], [" mill stands here.", False]]
    assert rows[1]["right"] == [["The ", False], ["new", True], [" mill stands here.", False]]
    assert rows[3]["left"] is None


def test_long_texts_are_set_side_by_side_too(window: Window) -> None:
    count = window.page.evaluate(
        """async () => {
          const { differ } = await import("/page/differ.js");
          const lines = Array.from({ length: 9000 }, (_, at) => `line ${at}`);
          const other = lines.filter((_, at) => at % 7).toReversed().toReversed();
          const rows = differ("first\\n" + lines.join("\\n"), other.join("\\n") + "\\nlast");
          return rows.filter((row) => row.same).length;
        }"""
    )
    assert count == 9000 - len(range(0, 9000, 7))


def test_the_density_plot_leads_to_the_page(window: Window) -> None:
    window.paste(NEWS)
    panel = window.view("plot")
    walker = panel.get_by_role("slider")
    assert panel.locator("rect.kept").count() > 20
    expect(panel.locator("line.threshold")).to_have_count(1)
    walker.focus()
    for _ in range(60):
        window.page.keyboard.press("ArrowRight")
    note = window.page.locator("#plot-note").inner_text()
    assert note.startswith(("kept", "dropped", "around content"))
    expect(walker).to_have_attribute("aria-valuetext", note)
    window.page.keyboard.press("Enter")
    expect(window.page.locator("#view-page")).to_be_visible()
    expect(window.page.locator("#inspector .verdict")).to_be_visible()


def test_other_algorithms_have_settings_and_a_plot(window: Window) -> None:
    window.paste(NEWS)
    page = window.page
    window.choose("coreex")
    expect(page.locator("#status")).to_contain_text("coreex")
    window.done()
    page.get_by_role("button", name="Settings").click()
    page.get_by_label("threshold", exact=True).first.fill("0.5")
    expect(page.locator("#changed")).to_have_text("1 changed")
    page.get_by_label("drop_captions").check()
    expect(page.locator("#changed")).to_have_text("2 changed")
    window.done()
    window.view("plot")
    page.get_by_label("Scores of coreex").check()
    expect(page.locator("#plot-lead")).to_contain_text("score")
    assert window.errors == []


def test_precision_against_recall_is_a_slider(window: Window, service: Client) -> None:
    listed = service.get("/algorithms").json()["algorithms"]
    favouring = [each["name"] for each in listed if any(own["name"] == "favor" for own in each["settings"])]
    if not favouring:
        pytest.skip("no algorithm has the choice")
    window.paste(NEWS, favouring[0])
    page = window.page
    expect(page.locator("#knob-value")).to_have_text("balance")
    page.locator("#slider").focus()
    page.keyboard.press("Home")
    expect(page.locator("#slider")).to_have_attribute("aria-valuetext", "recall")
    page.wait_for_function('() => decodeURIComponent(location.hash).includes(\'"favor":"recall"\')')
    more = window.words
    page.keyboard.press("End")
    expect(page.locator("#knob-value")).to_have_text("precision")
    page.wait_for_function('() => decodeURIComponent(location.hash).includes(\'"favor":"precision"\')')
    assert window.words <= more


def test_a_link_brings_everything_back(window: Window, browser: Browser) -> None:
    window.paste(NEWS)
    page = window.page
    page.locator("#slider").focus()
    page.keyboard.press("ArrowLeft")
    expect(page.locator("#changed")).to_be_visible()
    window.view("page")
    page.wait_for_load_state("networkidle")  # what the slider and the view asked for ends with a message of its own
    page.get_by_role("button", name="Copy a link to this result").click()
    expect(page.get_by_text("Link copied.")).to_be_attached()
    link = window.clipboard()
    assert link.startswith(window.address + "#html=")
    with Window.opened(browser, window.address, link.removeprefix(window.address)) as other:
        other.done()
        expect(other.page.locator("#title")).to_have_text(page.locator("#title").inner_text())
        expect(other.page.locator("#view-page")).to_be_visible()
        expect(other.page.locator("#knob-value")).to_have_text("0.99")
        assert other.page.get_by_label("HTML of the page").input_value() == NEWS
        # What comes after the # never reaches the service.
        assert not any("html=" in url for url in other.requests if "#" not in url)


def test_a_link_to_a_url_is_short(window: Window, browser: Browser, site: Site) -> None:
    window.page.get_by_label("Address of the page").fill(site.url)
    window.submit()
    window.page.wait_for_function("() => location.hash.startsWith('#url=')")
    assert len(window.page.url) < 200
    with Window.opened(browser, window.address, window.page.url.removeprefix(window.address)) as other:
        other.done()
        expect(other.reading.locator("body")).to_contain_text(PARAGRAPH)


def test_a_damaged_link_says_so(window: Window) -> None:
    for hash in ("#html=%%%", "#html=AAAA", "#url=https%3A%2F%2Fa.example&options={"):
        window.page.goto(window.address + hash)
        expect(window.page.get_by_role("alert")).to_contain_text("This link is damaged")
        window.page.evaluate("document.getElementById('failure').hidden = true")


def test_copy_and_download(window: Window) -> None:
    window.paste(NEWS)
    page = window.page
    window.view("markdown")
    page.get_by_role("button", name="Copy", exact=True).click()
    expect(page.get_by_text("Copied.")).to_be_attached()
    assert window.clipboard().startswith("# Tide mill at Orrin Point turns again")
    with page.expect_download() as told:
        page.get_by_role("button", name="Download").click()
    saved = told.value
    assert saved.suggested_filename == "tide-mill-at-orrin-point-turns-again-after-94-years.md"
    assert PARAGRAPH in saved.path().read_text(encoding="utf-8")
    window.view("json")
    with page.expect_download() as told:
        page.get_by_role("button", name="Download").click()
    assert json.loads(told.value.path().read_text(encoding="utf-8"))["algorithm"]


def test_bad_addresses_are_told_with_what_to_do(window: Window) -> None:
    cases = {
        "": "Enter the address",
        "ftp://example.org/": "no web address",
        "http://10.0.0.1/": "This address may not be fetched",
    }
    for typed, told in cases.items():
        window.page.get_by_label("Address of the page").fill(typed)
        window.page.get_by_role("button", name="Extract").click()
        expect(window.page.get_by_role("alert").filter(visible=True)).to_contain_text(told)
        expect(window.page.locator("#result")).to_be_hidden()


def test_confidence_and_page_types_are_drawn(window: Window) -> None:
    """As the service tells them for algorithms that know."""
    window.paste(NEWS)
    window.page.evaluate(
        """async () => {
          const { drawDetails } = await import("/page/details.js");
          drawDetails({
            title: "Mill", language: "en", url: null, words: 12, encoding: "utf-8", algorithm: "learned", version: "1",
            reason: null, flags: ["low_confidence"], metadata: {}, timing: { work: 3 }, confidence: 0.87,
            page_type: "article", page_types: { article: 0.9, forum: 0.099, listing: 0.001 },
          });
        }"""
    )
    expect(window.page.get_by_role("img", name="87% confident")).to_be_visible()
    expect(window.page.locator("#kind-list li")).to_have_text(["article90%", "forum10%"])
    expect(window.page.locator("#metadata")).to_contain_text("uncertain")


def test_a_page_without_content_says_why(window: Window) -> None:
    window.paste("<html><body><img src=cat.jpg></body></html>")
    expect(window.page.locator("#note")).to_contain_text("no text")
    expect(window.reading.locator("body")).to_contain_text("no text")


def test_a_bad_setting_is_told_and_the_result_stays(window: Window) -> None:
    window.paste(NEWS)
    page = window.page
    page.get_by_role("button", name="Settings").click()
    page.get_by_label("smooth_weights").fill("1, x")
    expect(page.locator("#failure")).to_contain_text("smooth_weights")
    expect(page.locator("#result")).to_be_visible()
    page.get_by_label("smooth_weights").fill("1, 2, 1")
    expect(page.locator("#failure")).to_be_hidden()


def test_a_lost_service_is_told_and_found_again(window: Window) -> None:
    page = window.page
    page.route("**/extract", lambda route: route.abort())
    page.get_by_role("button", name="A newspaper article").click()
    expect(page.locator("#failure")).to_contain_text("The service does not answer")
    page.unroute("**/extract")
    page.get_by_role("button", name="Try again").click()
    window.done()
    expect(page.locator("#failure")).to_be_hidden()


def test_a_busy_service_is_asked_again(window: Window) -> None:
    window.paste(NEWS)
    page = window.page
    busy = {"error": {"code": "overloaded", "message": "all workers are busy"}}
    page.route("**/extract", lambda route: route.fulfill(status=503, json=busy, headers={"Retry-After": "1"}), times=1)
    page.locator("#slider").focus()
    page.keyboard.press("Home")
    expect(page.locator("#status")).to_contain_text("Trying again")
    expect(page.locator("#status")).to_contain_text("Done")
    expect(page.locator("#failure")).to_be_hidden()


def test_a_service_with_a_key_asks_for_it(browser: Browser) -> None:
    key = "a-key-of-twenty-four-ch"
    with running(api_keys=(key,)) as service, Window.opened(browser, str(service.base_url)) as window:
        page = window.page
        page.get_by_role("button", name="A newspaper article").click()
        expect(page.locator("#failure")).to_contain_text("This service asks for a key")
        page.get_by_label("API key").fill(key)
        page.get_by_role("button", name="Try again").click()
        window.done()
        expect(page.locator("#failure")).to_be_hidden()
