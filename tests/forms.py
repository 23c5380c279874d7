"""What the hot path makes of some pages, as digests: for its compiled and its uncompiled form to be compared."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from random import Random

import numpy as np
from benchmarks.pages import made_page

from duramen.algorithms import algorithm
from duramen.decode import decode
from duramen.page import Page, Selection
from duramen.parse import parse_html5
from duramen.render import RenderOptions, to_markdown, to_text
from duramen.shell import empty_reason

MADE_PAGES = 60
# Settings that take other ways through the same files.
SETTINGS: tuple[tuple[str, dict[str, object]], ...] = (
    ("cetd", {}),
    ("cetd", {"variant": "CETD-DS", "remove_hidden": True, "link_tag": "plain"}),
    ("cetd", {"spatial": 1, "densitysum": "literal", "lc_numerator": "one"}),
    ("coreex", {}),
    ("coreex", {"configuration": "R3", "threshold": 0.5}),
    ("coreex", {"form_rescue": True, "drop_captions": True}),
    ("econ", {}),
    ("econ", {"nesting": "literal", "short_fallback": "density"}),
    ("everything", {}),
)
WORDS = "the wind turned north, and the boats stayed in the harbour. every year, about noon. 海边的一天，很长。".split()
PIECES = (
    "<p>{}</p>", "<div>{}</div>", "<h2>{}</h2>", "<p><a href=/x>{}</a></p>", "{}<br>", "<b>{}</b> ", "<!-- {} -->",
    "<ol start=3><li>{}<li value=9><p>{}</p><p>{}</p><li>{}</ol>", "<ul><li>{}<ul><li>{}</ul></ul>",
    "<ol reversed><li>{}<li>{}</ol>", "<pre>\n {}\n\n\n  {}&#160;</pre>", "<pre><br></pre>", "<dl><dt>{}<dd>{}</dl>",
    "<table><tr><th>{}<th>{}<tr><td><td>{}</table>", "<table><tr><td><p>{}</p><p>{}</p></table>",
    "<table role=presentation><tr><td>{}<td>{}</table>", "<form>{}<select><option>{}</select></form>",
    "<div class='nav comments'><ul><li><a href=/a>{}</a><li><a href=/b>{}</a></ul><p>{}</p></div>",
    "<noscript>{}</noscript>", "<script>{}</script>", "<div hidden>{}</div>", "<svg><title>{}</svg>",
    "<figure><img src=x><figcaption>{}</figure>",
    "<p>{} <b>{}</b><i>{}</i>: <code>{}</code> <s>{}</s></p>", "<blockquote>{}<ul><li>{}<hr>{}</ul></blockquote>",
    "<p>{}!<a href=/y?a&amp;b(>{}<br><b>{}</b></a>{}</p>", "<pre><code class=language-c>{}`</code></pre>",
    "<table><tr><th><b>{}|</b><th align=right>{}<tr><td rowspan=2>{}<td><code>{}|</code></table>",
    "a\u200bb\u00ad \u3000 c\u2028{}\ufeff", "<math><annotation>{}</annotation><mi>{}</mi></math>",
)  # fmt: skip


def written_page(random: Random) -> bytes:
    """A page with the pieces that texts are made of."""
    parts = [f"<!doctype html><title>{' '.join(random.choices(WORDS, k=4))}</title><body>"]
    for _ in range(random.randrange(5, 40)):
        piece = random.choice(PIECES)
        parts.append(piece.format(*(" ".join(random.choices(WORDS, k=random.randrange(30))) for _ in range(9))))
        if random.random() < 0.2:
            parts.append(random.choice(("<div id=x>", "</div>", "<section>", "</section>", "<li>", "<td>")))
    return "".join(parts).encode()


def digest(page: Page, selection: Selection) -> str:
    """All that an algorithm says, to the last bit."""
    said = hashlib.sha256(selection.kept.tobytes())
    score = np.zeros(0) if selection.score is None else selection.score
    for values in (score, *selection.columns.values()):
        said.update(str(values.dtype).encode() + values.tobytes())
    rest = dict(selection.trace), selection.flags, selection.title, selection.parts, selection.reason
    said.update(json.dumps(rest, default=repr).encode())
    for tables in (True, False):
        shown = RenderOptions(tables=tables, formatting=tables, url="https://site.example/a")
        for render in (to_text, to_markdown):
            said.update(render(page, selection, shown).encode("utf-8", "replace"))
    return said.hexdigest()


def digests() -> Iterator[str]:
    """One line for each page and each of the settings."""
    random = Random(11)
    sources = [make(random) for make in (made_page, written_page) for _ in range(MADE_PAGES)]
    for number, source in enumerate(sources):
        decoded = decode(source)
        page = parse_html5(decoded.utf8)
        for name, options in SETTINGS:
            selection = algorithm(name, options).select(page)
            reason = empty_reason(decoded, page, selection)
            yield f"{number} {name} {options} {reason} {digest(page, selection)}"
