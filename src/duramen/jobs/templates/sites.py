"""Templates of many sites at once: pages come in any order, each is counted with its own site."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from urllib.parse import urlsplit

from duramen.errors import ModelError
from duramen.jobs.templates.keys import KeyArray, block_keys
from duramen.jobs.templates.learn import LEARNING, Learner, Learning
from duramen.jobs.templates.templates import VERSION, Templates
from duramen.page import Page, Selection

_NONE: Mapping[str, Templates] = MappingProxyType({})


def site_of(url: str | None) -> str:
    """The site of an address: its host without `www.`; empty where there is none (all such pages are one site)."""
    try:
        host = urlsplit(url or "").hostname or ""
    except ValueError:  # "http://[" …
        return ""
    return host.rstrip(".").removeprefix("www.")


@dataclass(frozen=True)
class SiteTemplates:
    """The templates of each site that repeats anything."""

    sites: Mapping[str, Templates] = field(default_factory=lambda: _NONE)

    def apply(self, url: str | None, page: Page, selection: Selection) -> Selection:
        """The selection without what the page's site repeats."""
        templates = self.sites.get(site_of(url))
        return selection if templates is None else templates.apply(page, selection)

    def to_json(self) -> str:
        """The templates as JSON, for `from_json`; equal templates give equal text."""
        sites = {site: json.loads(self.sites[site].to_json()) for site in sorted(self.sites)}
        return json.dumps({"version": VERSION, "sites": sites}, ensure_ascii=False, separators=(",", ":"))

    @classmethod
    def from_json(cls, text: str) -> SiteTemplates:
        """Templates that `to_json` wrote."""
        try:
            sites = json.loads(text)["sites"].items()
        except (ValueError, KeyError, TypeError, AttributeError) as problem:
            raise ModelError(f"these are no templates of sites: {type(problem).__name__}: {problem}") from None
        return cls({str(site): Templates.from_json(json.dumps(each)) for site, each in sites})


class SiteLearner:
    """The counts of many sites so far.

    A page's keys (`block_keys`, eight bytes a block) are all that is needed of it: workers make them, one learner
    counts them. Memory is about 150 bytes for each block that is counted; `Learning.error` bounds these for each site.
    """

    def __init__(self, learning: Learning = LEARNING) -> None:
        self.learning = learning
        self._sites: dict[str, Learner] = {}

    def add(self, url: str | None, keys: KeyArray) -> None:
        """Count one page with its site."""
        site = site_of(url)
        if site not in self._sites:
            self._sites[site] = Learner(self.learning)
        self._sites[site].add(keys)

    def add_pages(self, pages: Iterable[tuple[str | None, Page]]) -> None:
        """Count pages, each with the site of its address."""
        for url, page in pages:
            self.add(url, block_keys(page))

    def templates(self) -> SiteTemplates:
        """What was learned so far; sites without a template are left out."""
        learned = {site: self._sites[site].templates() for site in sorted(self._sites)}
        return SiteTemplates({site: templates for site, templates in learned.items() if len(templates)})
