"""What a page says of itself: title, author, date, site, language, description, image and address.

Only rows of the few elements that carry such statements are read. Nothing is made up: what is neither stated nor
shown is None, apart from the language, which the script of the text may give away.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from duramen.metadata.addresses import base_address, first_address
from duramen.metadata.author import find_author
from duramen.metadata.date import find_date, iso_date
from duramen.metadata.language import bcp47, find_language
from duramen.metadata.site import find_site
from duramen.metadata.statements import Statements, read_statements
from duramen.metadata.text import TITLE_CHARS, one_line, shown_text
from duramen.metadata.title import find_title
from duramen.page import Page

__all__ = ["TITLE_CHARS", "Metadata", "bcp47", "iso_date", "metadata"]

# Names of `<meta>` elements, here as in the other files: the most trustworthy first.
DESCRIPTION = ("og:description", "description", "twitter:description", "dc.description", "dcterms.description")
IMAGE = ("og:image", "og:image:url", "og:image:secure_url", "twitter:image", "twitter:image:src", "thumbnailurl")
ADDRESS = ("og:url", "twitter:url")
DESCRIPTION_CHARS = 2000


@dataclass(frozen=True, slots=True)
class Metadata:
    """What a page says of itself; None where it says nothing."""

    title: str | None = None
    author: str | None = None  # several are joined by ", "
    date: str | None = None  # of publication: ISO 8601, a date or a date with time
    site: str | None = None
    language: str | None = None  # BCP 47: "en-US", "zh"
    description: str | None = None
    image: str | None = None  # an absolute http(s) address, as is `url`
    url: str | None = None

    def to_dict(self) -> dict[str, str | None]:
        """The fields by name."""
        return dataclasses.asdict(self)


FIELDS = tuple(field.name for field in dataclasses.fields(Metadata))


def metadata(
    page: Page, *, title_row: int | None = None, url: str | None = None, only: Iterable[str] = FIELDS
) -> Metadata:
    """The metadata of a page. `title_row` is the title that an algorithm found, `url` where the page came from.

    `only` names the fields to look for; the others are None.
    """
    said = read_statements(page)
    site = find_site(said)
    title = None if title_row is None else one_line(shown_text(page, title_row))
    known = {"title": title, "site": site}
    return Metadata(**{name: known.get(name) or _FINDERS[name](said, site, url) for name in only})


def _description(said: Statements) -> str | None:
    return one_line(said.first(DESCRIPTION) or said.linked_data.text("description"), DESCRIPTION_CHARS)


def _image(said: Statements, url: str | None) -> str | None:
    stated = (*said.all(IMAGE), said.linked_data.address("image"), said.links.get("image_src"))
    return first_address(base_address(said, url), stated)


def _address(said: Statements, url: str | None) -> str | None:
    return first_address(base_address(said, url), (said.links.get("canonical"), *said.all(ADDRESS), url))


_FINDERS: Mapping[str, Callable[[Statements, str | None, str | None], str | None]] = MappingProxyType(
    {
        "title": find_title,
        "author": lambda said, site, _: find_author(said, site),
        "date": lambda said, *_: find_date(said),
        "site": lambda _, site, __: site,
        "language": lambda said, *_: find_language(said),
        "description": lambda said, *_: _description(said),
        "image": lambda said, _, url: _image(said, url),
        "url": lambda said, _, url: _address(said, url),
    }
)
