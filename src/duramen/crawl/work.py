"""What a worker process does with a page: its content, its links, and the bytes of its file."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from duramen.algorithms import Algorithm, algorithm
from duramen.crawl.config import Format, LineEnd
from duramen.crawl.links import Link, LinkFilter, is_frameset
from duramen.decode import decode
from duramen.encode import Unmappable, encode
from duramen.extract import Extraction, extract
from duramen.render import to_standard


@dataclass(frozen=True, slots=True)
class Job:
    """A fetched page and what is to be made of it."""

    body: bytes
    url: str
    charset: str | None  # what the server said
    algorithm: str
    settings: str = "{}"  # of the algorithm, as JSON
    charset_default: str = ""
    output: Format = "txt"
    encoding: str = "gbk"
    unmappable: Unmappable = "replace"
    line_end: LineEnd = "lf"
    indent_headings: bool = True
    links: LinkFilter | None = None  # None: links are not looked for
    dropped_links: bool = False


@dataclass(frozen=True, slots=True)
class Made:
    """What was made of a page."""

    text: str  # standardised paragraphs
    file: bytes  # the text in the output's format and encoding; empty for JSON, which is the record itself
    replaced: int  # characters that the encoding lacks
    title: str | None
    encoding: str
    encoding_source: str
    algorithm: str
    language: str | None
    reason: str | None
    flags: tuple[str, ...] = ()
    parts: tuple[str, ...] = ()  # labels: posts and replies of a forum
    links: tuple[dict[str, str], ...] = ()  # those to follow, and the dropped ones where they are asked for
    dropped: Mapping[str, int] = field(default_factory=dict)  # how many links by reason
    frameset: bool = False


def process(job: Job) -> Made:
    """The content of a page, ready to be written."""
    result = _extract(job)
    end = "\r\n" if job.line_end == "crlf" else "\n"
    standard = to_standard(result.page, result.selection, result.options, indent_headings=job.indent_headings)
    text = "" if result.reason is not None else standard
    # HTML has a way to write every character.
    unmappable = "entity" if job.output == "html" else job.unmappable
    written = _written(job, result, text).replace("\n", end) if text else ""
    file = encode(written, job.encoding, unmappable)
    found = job.links.links(result.page, job.url, result.encoding) if job.links else []
    return Made(
        text=text,
        file=file.data,
        replaced=0 if job.output == "html" else file.replaced,
        title=result.title,
        encoding=result.encoding,
        encoding_source=result.decoded.how,
        algorithm=result.algorithm,
        language=result.language,
        reason=None if result.reason is None else result.reason.value,
        flags=result.selection.flags,
        parts=tuple(part.label for part in result.selection.parts),
        links=tuple(_shown(link) for link in found if link.dropped is None or job.dropped_links),
        dropped=Counter(link.dropped for link in found if link.dropped is not None),
        frameset=bool(found) and is_frameset(result.page),
    )


def _shown(link: Link) -> dict[str, str]:
    """A link as a record holds it."""
    shown = {"url": link.url, "text": link.text, "kind": link.kind}
    return shown if link.dropped is None else {**shown, "dropped": link.dropped}


def _extract(job: Job) -> Extraction:
    charset = job.charset
    if job.charset_default:
        # Only where neither the server nor the page says, and the bytes are not UTF-8 or UTF-16.
        decoded = decode(job.body, charset=charset)
        if decoded.how == "detected" and not decoded.encoding.startswith("utf-16"):
            charset = job.charset_default
    return extract(job.body, url=job.url, charset=charset, algorithm=_configured(job.algorithm, job.settings))


@lru_cache(maxsize=64)
def _configured(name: str, settings: str) -> Algorithm:
    options: dict[str, Any] = json.loads(settings)
    return algorithm(name, options)


def _written(job: Job, result: Extraction, text: str) -> str:
    """A page's file as text; it ends with a line end."""
    if job.output == "json":
        return ""
    if job.output == "markdown":
        return result.markdown.rstrip("\n") + "\n"
    if job.output == "html":
        return result.html.replace('<meta charset="utf-8">', f'<meta charset="{job.encoding}">', 1)
    return text.rstrip("\n") + "\n"
