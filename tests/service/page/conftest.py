"""A real service and a window of a real browser on its page."""

from __future__ import annotations

from collections.abc import Iterator
from ipaddress import ip_network

import pytest
from playwright.sync_api import Browser

from tests.browser import browser
from tests.service.page.site import Site, visited
from tests.service.page.window import NEWS, Window
from tests.service.server import Client, running

__all__ = ["browser"]  # a fixture


@pytest.fixture(scope="module")
def service() -> Iterator[Client]:
    """A service that may fetch from this machine, where the tests' own site is."""
    with running(allow_networks=(ip_network("127.0.0.0/8"),)) as client:
        yield client


@pytest.fixture
def window(browser: Browser, service: Client) -> Iterator[Window]:
    """The page, just opened, in English."""
    with Window.opened(browser, str(service.base_url)) as window:
        yield window


@pytest.fixture
def site() -> Iterator[Site]:
    """A newspaper on this machine."""
    with visited(NEWS) as site:
        yield site
