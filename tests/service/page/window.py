"""A browser window on the service's page that notes every request and every error."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, FrameLocator, Locator, Page, expect

EXAMPLES = Path(__file__).parents[3] / "examples"
NEWS = (EXAMPLES / "news.html").read_text(encoding="utf-8")
expect.set_options(timeout=20_000)  # a busy machine is no failure
PARAGRAPH = "A tide mill works on a simple bargain"
ASIDE = "Rowing club sinks own boathouse"


class Window:
    """What a visitor sees and does."""

    def __init__(self, page: Page, address: str) -> None:
        self.page, self.address = page, address.rstrip("/") + "/"
        self.requests: list[str] = []
        self.errors: list[str] = []
        page.on("request", lambda request: self.requests.append(request.url))
        page.on("pageerror", lambda error: self.errors.append(str(error)))
        page.on("console", lambda message: self.errors.append(message.text) if message.type == "error" else None)

    @classmethod
    @contextmanager
    def opened(cls, browser: Browser, address: str, path: str = "", **settings: Any) -> Iterator[Window]:
        """A window of its own, with its own memory."""
        wanted = {"viewport": {"width": 1280, "height": 900}, "locale": "en-GB", "reduced_motion": "reduce"} | settings
        context = browser.new_context(**wanted)
        context.grant_permissions(["clipboard-read", "clipboard-write"])
        window = cls(context.new_page(), address)
        window.open(path)
        yield window
        context.close()

    def open(self, path: str = "") -> None:
        """Go to the page, or to a link on it."""
        self.page.goto(self.address + path)
        self.page.wait_for_selector("html[data-ready]")

    def choose(self, algorithm: str) -> None:
        """Choose an algorithm: tests that rest on what one does name it, since the default may change."""
        self.page.get_by_label("Algorithm").select_option(algorithm)

    def paste(self, html: str, algorithm: str = "cetd") -> None:
        """Extract from pasted HTML."""
        self.choose(algorithm)
        self.page.get_by_role("radio", name="HTML").check()
        self.page.get_by_label("HTML of the page").fill(html)
        self.submit()

    def submit(self) -> None:
        """Press the button and wait for the result."""
        self.page.locator("#go").click()
        self.done()

    def done(self) -> None:
        """Wait for the result."""
        expect(self.page.locator("html")).to_have_attribute("data-state", "done")
        expect(self.page.locator("#result")).to_be_visible()

    def view(self, name: str) -> Locator:
        """Choose a tab; its panel, filled."""
        self.page.locator(f"#tab-{name}").click()
        panel = self.page.locator(f"#view-{name}")
        expect(panel).to_be_visible()
        expect(panel).not_to_have_attribute("aria-busy", "true")
        return panel

    @property
    def reading(self) -> FrameLocator:
        """Inside the reading view."""
        return self.page.frame_locator("#view-reading iframe")

    @property
    def shaded(self) -> FrameLocator:
        """Inside the coloured page."""
        return self.page.frame_locator("#shaded iframe")

    @property
    def words(self) -> int:
        """How many words the headline says were kept."""
        return int(self.page.locator("#figures dd").first.inner_text().replace(",", ""))

    @property
    def elsewhere(self) -> list[str]:
        """Requests to anyone but the service."""
        return [url for url in self.requests if not url.startswith((self.address, "blob:", "about:"))]

    def clipboard(self) -> str:
        """What was copied."""
        return str(self.page.evaluate("navigator.clipboard.readText()"))
