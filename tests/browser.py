"""A real browser for the tests that need one: Debian's Chromium, or whatever DURAMEN_CHROMIUM names."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, sync_playwright

_NAMES = ("chromium", "chromium-browser", "google-chrome", "chrome")
# No sandbox: the tests also run as root in containers. The rest keeps the browser from speaking to anyone by itself.
_SWITCHES = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)


def chromium() -> str | None:
    """Where Chromium is, or None."""
    named = os.environ.get("DURAMEN_CHROMIUM")
    if named:
        return shutil.which(named)
    return next((found for name in _NAMES if (found := shutil.which(name))), None)


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """A running Chromium; the test is skipped where there is none."""
    path = chromium()
    if path is None:
        pytest.skip("Chromium is not installed: install it (Debian: apt install chromium) or set DURAMEN_CHROMIUM")
    with sync_playwright() as playwright:
        running = playwright.chromium.launch(executable_path=path, args=list(_SWITCHES))
        yield running
        running.close()
