"""A local page for making a gold text: the blocks of a page with boxes to tick, ticked first by an algorithm.

What is saved is the page beside its gold text, as the layout `pairs` reads them.
"""

from __future__ import annotations

import re
import secrets
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from html import escape
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib.resources import files
from pathlib import Path
from urllib.parse import parse_qs

from duramen.algorithms import algorithm as configured
from duramen.blocks import blocks
from duramen.extract import parse
from duramen.measure import nearest
from duramen.page import Page
from duramen.tags import HEADINGS, tag_mask

MOST_BYTES = 16_000_000  # of a form
_NAMEABLE = tag_mask(
    (*HEADINGS, "p", "li", "td", "th", "dt", "dd", "pre", "blockquote", "figcaption", "caption", "nav", "footer")
)


@dataclass(frozen=True, slots=True)
class Choice:
    """A block of the page, and whether it is content."""

    text: str
    tag: str  # of the element that says best what it is
    ticked: bool


def choices(html: bytes, algorithm: str = "default") -> list[Choice]:
    """The blocks of a page, those ticked of which an algorithm keeps at least half."""
    page = parse(html)
    kept = configured(algorithm).select(page).kept
    cut = blocks(page)
    holder = nearest(page, page.has_tag(_NAMEABLE))
    found = []
    for at in range(len(cut)):
        rows = cut.rows[cut.at[at] : cut.at[at + 1]]
        text = _text(page, rows.tolist())
        if text:
            inside = int(page.chars[rows][kept[rows]].sum()) * 2 >= int(page.chars[rows].sum())
            row = int(holder[int(rows[0])])
            found.append(Choice(text, page.tag_name(row) if row >= 0 else "text", inside))
    return found


def _text(page: Page, rows: Sequence[int]) -> str:
    """The text of a block; where blank text stood between two rows, a blank."""
    pieces, last = list[str](), rows[0]
    for row in rows:
        pieces += [" " * bool(page.text_at[row] > page.text_at[last + 1]), page.text_of(row)]
        last = row
    return " ".join("".join(pieces).split())


def gold_text(found: Sequence[Choice], ticked: set[int]) -> str:
    """The ticked blocks, a line each."""
    return "".join(f"{each.text}\n" for at, each in enumerate(found) if at in ticked)


def form(found: Sequence[Choice], name: str, token: str) -> str:
    """The page with the boxes."""
    style = files("duramen.bench").joinpath("labelling.css").read_text("utf-8")
    script = files("duramen.bench").joinpath("labelling.js").read_text("utf-8")
    boxes = "\n".join(_box(at, each) for at, each in enumerate(found))
    return (
        '<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>What is content?</title>'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        '<meta name="color-scheme" content="light dark"><link rel="icon" href="data:,">'
        f'<style>{style}</style></head><body><form method="post" action="/{token}/save">'
        f'<header><h1>What is content?</h1><p>{escape(name)} · <span id="count" role="status"></span> · '
        'shift-click ticks a whole range</p><button type="button" id="none">Tick none</button> '
        '<button type="button" id="all">Tick all</button> <button type="submit">Save the gold text</button></header>'
        f"<main><ol>{boxes}</ol></main></form><script>{script}</script></body></html>"
    )


def _box(at: int, choice: Choice) -> str:
    kind = "heading" if choice.tag in HEADINGS else choice.tag
    return (
        f'<li class="{escape(kind)}"><label><input type="checkbox" name="block" value="{at}"'
        f'{" checked" if choice.ticked else ""}><span class="tag">{escape(choice.tag)}</span>'
        f"<span>{escape(choice.text)}</span></label></li>"
    )


def serve(
    html: bytes,
    url: str | None,
    name: str,
    folder: Path,
    *,
    algorithm: str = "default",
    port: int = 0,
    on_ready: Callable[[str], None] = lambda address: None,
) -> Path | None:
    """Serve the boxes on this machine until the gold text is saved; its path, or None when it was interrupted."""
    found = choices(html, algorithm)
    stem = re.sub(
        r"[^\w.-]+", "-", re.sub(r"\.x?html?$", "", name.rpartition("/")[2] or name, flags=re.IGNORECASE)
    ).strip("-.")
    token, saved = secrets.token_urlsafe(12), list[Path]()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            if self._known(f"/{token}/"):
                self._answer(form(found, url or name, token))

        def do_POST(self) -> None:
            if not self._known(f"/{token}/save"):
                return
            size = int(self.headers.get("Content-Length") or 0)
            if not 0 <= size <= MOST_BYTES:
                self.send_error(HTTPStatus.REQUEST_ENTITY_TOO_LARGE)
                return
            fields = parse_qs(self.rfile.read(size).decode("ascii", "replace"), max_num_fields=1_000_000)
            ticked = {int(value) for value in fields.get("block", ()) if value.isdigit()}
            folder.mkdir(parents=True, exist_ok=True)
            (folder / f"{stem or 'page'}.html").write_bytes(html)
            path = folder / f"{stem or 'page'}.txt"
            path.write_text(gold_text(found, ticked), "utf-8")
            saved.append(path)
            self._answer("<!DOCTYPE html><title>Saved</title><p>Saved. You can close this page.</p>")
            threading.Thread(target=self.server.shutdown).start()  # not from the thread that serves

        def _known(self, path: str) -> bool:
            # The host is checked, too: a page elsewhere could point its own name at this machine.
            host = (self.headers.get("Host") or "").partition(":")[0]
            if host not in ("127.0.0.1", "localhost") or not secrets.compare_digest(self.path, path):
                self.send_error(HTTPStatus.NOT_FOUND)
                return False
            return True

        def _answer(self, text: str) -> None:
            body = text.encode("utf-8", "replace")
            self.send_response(HTTPStatus.OK)
            self.send_header("Content-Type", "text/html; charset=utf-8")
            self.send_header("Content-Length", str(len(body)))
            self.send_header("Cache-Control", "no-store")
            self.send_header("Referrer-Policy", "no-referrer")
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *ignored: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", port), Handler) as server:
        on_ready(f"http://127.0.0.1:{server.server_address[1]}/{token}/")
        try:
            server.serve_forever(poll_interval=0.1)
        except KeyboardInterrupt:
            return None
    return saved[-1] if saved else None
