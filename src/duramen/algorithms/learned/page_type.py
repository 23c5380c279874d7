"""The type of a page, with probabilities.

Seven types are learned from pages that people have typed. An eighth, `index`, is made by a rule, of the front pages
of sites that list what they hold (news portals, blogs): where the address is that of a front page, what the model
gives to listings goes to it, and what it gives to articles too, where most words are links (CoreEx's sign of an
index page). Front pages that present a company or a shop stay what they are.
"""

from __future__ import annotations

from types import MappingProxyType

from duramen.algorithms.learned.type_signals import COUNTS, is_home, known_signals
from duramen.errors import ModelError
from duramen.models.page_type import page_type_model
from duramen.page import Page

TYPES = ("article", "documentation", "service", "forum", "collection", "listing", "product")
INDEX = "index"
SHELL = "shell"
MODEL = "wcxb"
# A front page whose words are in links by this share is no article.
LINK_SHARE = 0.5
# Front pages hand all of what they have of these to `index`; of the second, only where most of them is links.
_LISTS = ("listing",)
_TEXTS = ("article", "forum")
_LINK_SHARE_AT = COUNTS.index("link_share")


def page_types(page: Page, url: str | None = None, model: str = MODEL) -> MappingProxyType[str, float]:
    """The types of a page by probability, most likely first. They sum to one."""
    learned = page_type_model(model)
    if learned.counts != COUNTS:
        raise ModelError(f"the page-type model {model} was trained with other signals: train it again")
    found = known_signals(page, url, learned.index)
    shares = dict(zip(learned.types, learned.probabilities(found.known, found.counts).tolist()))
    shares[INDEX] = 0.0
    if is_home(page, url):
        moved = _LISTS + (_TEXTS if found.counts[_LINK_SHARE_AT] >= LINK_SHARE else ())
        for name in moved:
            shares[INDEX] += shares.get(name, 0.0)
            shares[name] = 0.0
    return MappingProxyType(dict(sorted(shares.items(), key=lambda entry: -entry[1])))


def page_type(page: Page, url: str | None = None, model: str = MODEL) -> str:
    """The most likely type of a page."""
    return next(iter(page_types(page, url, model)))
