"""Fixtures of the bench's tests."""

from tests.browser import browser

__all__ = ["browser"]
