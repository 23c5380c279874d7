"""URLs as a crawl tells them apart, and where a page's result belongs."""

from __future__ import annotations

import re
from hashlib import blake2b
from urllib.parse import unquote, urljoin, urlsplit, urlunsplit

MAX_URL = 2000  # characters: what servers and browsers take
_PORTS = {"http": 80, "https": 443}
_PLAIN = re.compile(r"[A-Za-z0-9%/?&=_.,~:;!@$'()*+-]*")
_QUICK_CHARS = 1000
_ORIGIN = re.compile(r"https?://[a-z0-9.-]+(?::(?!80/|443/)[1-9][0-9]{0,4})?(?=/)")
_ROOTED = re.compile(r"/(?!/)[A-Za-z0-9%/?&=_.,~!@$'()*+-]*(#.*)?")
_ABSOLUTE = re.compile(r"(https?://[a-z0-9-]+(?:\.[a-z0-9-]+)+)(/[A-Za-z0-9%/?&=_.,~!@$'()*+-]*)?")
_BREAKS = re.compile(r"[\t\n\r]")  # browsers drop these anywhere in an address …
_ENDS = "".join(map(chr, range(0x21)))  # … and these at its ends
_UNFIT = re.compile(r"[^0-9A-Za-z\u00c0-\uffff-]+")
_SLUG_CHARS = 40
_SLUG_BYTES = 120


def tidy(address: str) -> str:
    """An address as browsers read it from an attribute."""
    return _BREAKS.sub("", address).strip(_ENDS)


def join(base: str, address: str) -> str | None:
    """An address as seen from a page; None where it is none at all."""
    try:
        return urljoin(base, address)
    except ValueError:  # a broken host, such as an unclosed "["
        return None


def quick(base: str, address: str) -> str | None:
    """What `join` and `canonical` would give, for the addresses that most links have; None for all others."""
    origin = _ORIGIN.match(base)
    if origin is None or "/." in address or "?#" in address + "#" or len(address) > _QUICK_CHARS:
        return None
    if _ROOTED.fullmatch(address):
        return origin[0] + address.partition("#")[0]
    absolute = _ABSOLUTE.fullmatch(address)
    return None if absolute is None else absolute[1] + (absolute[2] or "/")


def canonical(url: str, encoding: str = "utf-8") -> str | None:
    """The one way to write a URL: no fragment, no default port, scheme and host in lower case; None for what is none.

    Characters that a URL cannot hold are escaped as browsers do: in UTF-8, but in a query in the page's own `encoding`.
    """
    try:
        scheme, _, path, query, _ = parts = urlsplit(tidy(url))
        host, port = parts.hostname or "", parts.port
    except ValueError:
        return None
    if scheme not in _PORTS or not host or parts.username is not None or port == 0:
        return None
    if not host.isascii():
        try:
            host = host.encode("idna").decode("ascii")
        except UnicodeError:
            return None
    host = f"[{host}]" if ":" in host else host
    netloc = host if port in (None, _PORTS[scheme]) else f"{host}:{port}"
    if not (_PLAIN.fullmatch(path) and _PLAIN.fullmatch(query)):
        from w3lib.url import safe_url_string  # comes with the crawl extra

        try:
            escaped = urlsplit(safe_url_string(urlunsplit((scheme, "x", path, query, "")), encoding, "utf-8"))
        except (ValueError, LookupError):
            return None
        path, query = escaped.path, escaped.query
    found = urlunsplit((scheme, netloc, path or "/", query, ""))
    return found if len(found) <= MAX_URL else None


def host_of(url: str) -> str:
    """The host of a URL, with its port where that is not the usual one; the word `files` for a file."""
    try:
        parts = urlsplit(url)
    except ValueError:  # a line of a list that is no URL has a record, too
        return ""
    return parts.netloc if parts.scheme != "file" else "files"


def site_folder(url: str) -> str:
    """A folder name for a URL's site, safe on every file system."""
    name = re.sub(r"[^a-z0-9.-]+", "_", host_of(url).lower()).strip("._")
    return name[:100] or "site"


def file_stem(url: str) -> str:
    """A file name for a page: readable, and never the same for two URLs."""
    parts = urlsplit(url)
    words = _UNFIT.sub("-", unquote(f"{parts.path} {parts.query}", errors="ignore")).strip("-")
    slug = words[:_SLUG_CHARS].encode()[:_SLUG_BYTES].decode(errors="ignore").strip("-") or "index"
    return f"{slug}-{blake2b(url.encode('utf-8', 'replace'), digest_size=6).hexdigest()}"
