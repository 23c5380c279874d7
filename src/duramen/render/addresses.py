"""Where links lead and where pictures are: resolved against the page's address, and nothing that runs."""

from __future__ import annotations

import re
from urllib.parse import urljoin

import numpy as np

from duramen.page import BoolArray, Page
from duramen.tags import TAG_IDS

LINK_SCHEMES = frozenset({"http", "https", "ftp", "mailto", "tel", "sms", "geo", "magnet", "xmpp", "irc", "ircs"})
IMAGE_SCHEMES = frozenset({"http", "https"})
# Where pages keep a picture's address until a script shows it; best first.
_LAZY = ("data-src", "data-original", "data-lazy-src", "data-original-src", "data-lazy", "data-url", "data-image")
_SETS = ("data-srcset", "data-lazy-srcset", "srcset")

_BREAKS = re.compile(r"[\t\n\r]")  # browsers drop these anywhere in an address …
_ENDS = "".join(map(chr, range(0x21)))  # … and these at its ends
_INVISIBLE = re.compile(r"[\x00-\x20\x7f-\xa0\u1680\u2000-\u200f\u2028-\u202f\u205f-\u206f\u3000\ufeff]")
_SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*):")
_COLON_FIRST = re.compile(r"[^/?#]*:")
_UNSAFE = re.compile(r"[\x00-\x20\"<>\\^`{|}\x7f]")
_PLAIN = re.compile(r"(?:https?:/|(?=/))/[A-Za-z0-9%_~.,;:!?&=+*'()@$#-][A-Za-z0-9/%_~.,;:!?&=+*'()@$#-]*")
_ORIGIN = re.compile(r"https?://[A-Za-z0-9.:-]+(?=[/?#]|$)", re.IGNORECASE)
_SIZE = re.compile(r"([0-9]{1,9}(?:\.[0-9]{1,9})?)[wxh]")


class Addresses:
    """The addresses of one page's links and pictures."""

    def __init__(self, page: Page, url: str | None = None) -> None:
        self._page = page
        self._base = url or ""
        self._sources: dict[int, str | None] = {}  # what each <picture> offers
        self._origin = ""  # of the base, where that is an ordinary address
        base = page.first("base")
        if base is not None:
            self._base = self._resolved(page.attribute(base, "href") or "", IMAGE_SCHEMES) or self._base
        origin = _ORIGIN.match(self._base)
        self._origin = origin[0] if origin else ""

    def link(self, row: int) -> str | None:
        """Where an `<a>` leads; None where it leads nowhere, or would run something."""
        page = self._page
        first, stop = page.attr_at[row : row + 2].tolist()
        names, values = page.attr_name_at[first : stop + 1].tolist(), page.attr_value_at[first:stop].tolist()
        for start, middle, end in zip(names, values, names[1:]):  # as `page.attribute`: links are many
            if page.attrs[start:middle] == b"href":
                return self.resolved(page.attrs[middle:end].decode("utf-8", "replace"))
        return None

    def resolved(self, address: str | None) -> str | None:
        """An address from some attribute, absolute where the page's own is known; None where it is empty or unsafe."""
        return self._resolved(address, LINK_SCHEMES) if address and address.strip(_ENDS) != "#" else None

    def pictures(self, kept: BoolArray) -> dict[int, str]:
        """The address of every kept `<img>` that has one, by row."""
        rows = np.flatnonzero(kept & (self._page.tag == TAG_IDS["img"])).tolist()
        return {row: address for row in rows if (address := self.image(row)) is not None}

    def image(self, row: int) -> str | None:
        """Where an `<img>` has its picture: the largest that is offered; None where there is only a placeholder."""
        attributes = self._page.attributes(row)
        if attributes.get("width") in ("0", "1") and attributes.get("height") in ("0", "1"):
            return None  # nothing to see: it counts visits
        offers = [attributes.get(name, "") for name in _LAZY]
        offers += [largest(attributes.get(name, "")) for name in _SETS]
        offers.append(attributes.get("src", ""))
        for offer in offers:
            address = self._resolved(offer, IMAGE_SCHEMES)
            if address is not None:
                return address
        return self._source(int(self._page.parent[row]))

    def _source(self, picture: int) -> str | None:
        """What the sources of a `<picture>` offer."""
        if picture < 0 or self._page.tag[picture] != TAG_IDS["picture"]:
            return None
        if picture not in self._sources:  # once for all images in it
            offers = [
                largest(self._page.attribute(child, name) or "")
                for child in self._page.children(picture)
                if self._page.tag[child] == TAG_IDS["source"]
                for name in _SETS
            ]
            addresses = (self._resolved(offer, IMAGE_SCHEMES) for offer in offers)
            self._sources[picture] = next((address for address in addresses if address is not None), None)
        return self._sources[picture]

    def _resolved(self, address: str | None, schemes: frozenset[str]) -> str | None:
        if not address:
            return None
        if not address.isprintable():
            address = _BREAKS.sub("", address)
        address = address.strip(_ENDS)
        if not address:
            return None
        if _PLAIN.fullmatch(address):  # most addresses: nothing to clean, and little to resolve
            if address[0] != "/":
                return address
            if self._origin and "/." not in address:
                return self._origin + address
        # Judged without anything invisible, and by what is allowed: there is no end of ways to write `javascript:`.
        judged = _INVISIBLE.sub("", address)
        scheme = _SCHEME.match(judged)
        if scheme is None:
            if _COLON_FIRST.match(judged):
                return None
            try:
                address = urljoin(self._base, address)
            except ValueError:  # a broken host, such as an unclosed "["
                return None
        elif scheme[1].lower() not in schemes:
            return None
        return _UNSAFE.sub(lambda found: f"%{ord(found[0]):02X}", address)


def largest(srcset: str) -> str:
    """The largest picture that a `srcset` offers, or an empty string."""
    best, most, address = "", 0.0, ""
    for word in [*srcset.split(), ","]:  # the comma ends the last offer
        size = 1.0
        if address:  # an address may hold commas; a width or density ends at one, and the next offer may touch it
            descriptor, _, following = word.partition(",")
            found = _SIZE.match(descriptor)
            size = float(found[1]) if found else 1.0
        else:
            address, following = word.strip(","), ""
            if not word.endswith(","):
                continue
        if address and size > most:
            best, most = address, size
        address = following.strip(",")
    return best
