"""The rivals, wrapped: bytes → text with each library's own defaults. None is imported before it runs.

Those that take no bytes get the text that our decoder makes, so that no rival is punished for an encoding.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib import import_module
from types import MappingProxyType
from typing import Any

import numpy as np

from duramen.decode import decode
from duramen.extract import parse
from duramen.page import Selection
from duramen.render import to_text

Function = Callable[[bytes, "str | None"], str]

_LANGUAGE = re.compile(rb"<html[^>]*?\blang\s*=\s*[\"']?([a-z]{2})", re.IGNORECASE)
_CONTROLS = bytes((*range(0x09), 0x0B, 0x0C, *range(0x0E, 0x20)))  # lxml refuses them in text
_DECLARATION = re.compile(r"\A\s*<\?xml[^>]*>")  # … and this
_STOPLISTS = MappingProxyType(
    {
        "de": "German",
        "es": "Spanish",
        "fr": "French",
        "it": "Italian",
        "nl": "Dutch",
        "pl": "Polish",
        "pt": "Portuguese",
        "ru": "Russian",
    }
)


@dataclass(frozen=True, slots=True)
class Rival:
    """A rival library: how it is installed, what it imports, and how its function is made."""

    package: str
    modules: tuple[str, ...]
    load: Callable[[], Function]


def _text(html: bytes) -> str:
    return decode(html).utf8.decode("utf-8", "replace")


def _text_for_lxml(html: bytes) -> str:
    return _DECLARATION.sub("", decode(html).utf8.translate(None, _CONTROLS).decode("utf-8", "replace"))


def _shown(fragment: str | None) -> str:
    """The text of a rival's HTML, by our renderer."""
    if not fragment or not fragment.strip():
        return ""
    page = parse(fragment)
    return to_text(page, Selection(kept=np.ones(len(page), dtype=np.bool_)))


def _module(name: str) -> Any:
    return import_module(name)


def _trafilatura(**options: Any) -> Callable[[], Function]:
    def load() -> Function:
        run = _module("trafilatura").extract
        return lambda html, url: run(html, url=url, **options) or ""

    return load


def _readability() -> Function:
    document = _module("readability").Document
    return lambda html, url: _shown(document(_text_for_lxml(html), url=url).summary())


def _resiliparse() -> Function:
    encoding, html2text = _module("resiliparse.parse.encoding"), _module("resiliparse.extract.html2text")

    def run(html: bytes, url: str | None) -> str:
        text = encoding.bytes_to_str(html, encoding.detect_encoding(html))
        return str(html2text.extract_plain_text(text, main_content=True))

    return run


def _turbohtml() -> Function:
    read = _module("turbohtml").parse
    return lambda html, url: read(_text(html)).main_text() or ""


def _rs_trafilatura() -> Function:
    run = _module("rs_trafilatura").extract
    return lambda html, url: run(_text(html), url=url).main_content or ""


def _magic_html() -> Function:
    general = _module("magic_html").GeneralExtractor
    return lambda html, url: _shown(general().extract(_text_for_lxml(html), base_url=url or "").get("html"))


def _justext() -> Function:
    library = _module("justext")

    def run(html: bytes, url: str | None) -> str:
        # The stop words of the language that the page declares; English where it declares none.
        stated = _LANGUAGE.search(html[:8192])
        language = _STOPLISTS.get(stated[1].decode().lower(), "English") if stated else "English"
        paragraphs = library.justext(html, library.get_stoplist(language))
        return "\n".join(each.text for each in paragraphs if not each.is_boilerplate)

    return run


def _newspaper4k() -> Function:
    article = _module("newspaper").Article

    def run(html: bytes, url: str | None) -> str:
        page = article(url or "http://example.org/page", fetch_images=False)
        page.download(input_html=_text_for_lxml(html))
        page.parse()
        return str(page.text)

    return run


def _boilerpy3() -> Function:
    run = _module("boilerpy3.extractors").ArticleExtractor(raise_on_failure=False)
    return lambda html, url: run.get_content(_text(html)) or ""


def _goose3() -> Function:
    goose = _module("goose3").Goose({"enable_image_fetching": False})
    return lambda html, url: goose.extract(raw_html=_text_for_lxml(html)).cleaned_text or ""


RIVALS: Mapping[str, Rival] = MappingProxyType(
    {
        "trafilatura": Rival("trafilatura", ("trafilatura",), _trafilatura()),
        "trafilatura-fast": Rival("trafilatura", ("trafilatura",), _trafilatura(fast=True)),
        "readability-lxml": Rival("readability-lxml", ("readability",), _readability),
        "resiliparse": Rival("resiliparse", ("resiliparse",), _resiliparse),
        "turbohtml": Rival("turbohtml", ("turbohtml",), _turbohtml),
        "rs-trafilatura": Rival("rs-trafilatura", ("rs_trafilatura",), _rs_trafilatura),
        "magic-html": Rival("magic-html", ("magic_html",), _magic_html),
        "justext": Rival("jusText", ("justext",), _justext),
        "newspaper4k": Rival("newspaper4k", ("newspaper",), _newspaper4k),
        "boilerpy3": Rival("boilerpy3", ("boilerpy3",), _boilerpy3),
        "goose3": Rival("goose3", ("goose3",), _goose3),
    }
)
"""Every rival by name."""
